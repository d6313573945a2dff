-- Long values: compressed in line (pglz), out of line compressed and not, storage main, one-byte and
-- four-byte headers mixed in one column; as filter, output, key and aggregate; toasted values that
-- no query names; toasted columns behind and before those that are read; short rows among them.

-- setup
CREATE TABLE tt_t (id int NOT NULL, ext text, cmp text, main text, plain text, late int NOT NULL, n numeric, c char(3000), arr int[], js jsonb, by bytea);
ALTER TABLE tt_t ALTER ext SET STORAGE EXTERNAL, ALTER main SET STORAGE MAIN, ALTER n SET STORAGE EXTERNAL;
INSERT INTO tt_t
SELECT g,
	CASE WHEN g % 7 = 0 THEN NULL WHEN g % 5 = 0 THEN repeat('ext' || g, 1500) ELSE 'ext' || g END,
	CASE WHEN g % 6 = 0 THEN NULL WHEN g % 4 = 0 THEN repeat('cmp' || g % 10, 2000) ELSE repeat('c', g % 200) END,
	CASE WHEN g % 8 = 0 THEN repeat('main' || g, 500) ELSE 'm' END,
	CASE WHEN g % 3 = 0 THEN 'p' ELSE repeat('p', g % 150) END, g,
	CASE WHEN g % 50 = 0 THEN repeat('9', 5000)::numeric + g ELSE g / 4.0 END,
	CASE WHEN g % 9 = 0 THEN 'c' || g END,
	CASE WHEN g % 10 = 0 THEN ARRAY(SELECT generate_series(1, 2000)) ELSE ARRAY[g] END,
	CASE WHEN g % 12 = 0 THEN jsonb_build_object('k', repeat('js', 3000)) ELSE '{"k": 1}' END,
	CASE WHEN g % 11 = 0 THEN decode(repeat(md5(g::text), 200), 'hex') ELSE '\x01' END
FROM generate_series(1, 1200) g;
-- The same few long strings many times.
CREATE TABLE tt_key (id int, k text);
ALTER TABLE tt_key ALTER k SET STORAGE EXTERNAL;
INSERT INTO tt_key SELECT g, CASE g % 5 WHEN 0 THEN repeat('a', 3000) WHEN 1 THEN repeat('a', 2999) || 'b' WHEN 2 THEN 'a' WHEN 3 THEN repeat('a', 3001) END FROM generate_series(1, 1500) g;
-- The same strings stored compressed, external, in line.
CREATE TABLE tt_mixed (id int, k text);
INSERT INTO tt_mixed SELECT g, repeat('k' || g % 4, 1500) FROM generate_series(1, 400) g;
ALTER TABLE tt_mixed ALTER k SET STORAGE EXTERNAL;
INSERT INTO tt_mixed SELECT g, repeat('k' || g % 4, 1500) FROM generate_series(401, 800) g;
ALTER TABLE tt_mixed ALTER k SET STORAGE PLAIN;
INSERT INTO tt_mixed SELECT g, repeat('k' || g % 4, 1500) FROM generate_series(801, 1200) g;
CREATE TABLE tt_deleted (id int, v text) WITH (autovacuum_enabled = off);
ALTER TABLE tt_deleted ALTER v SET STORAGE EXTERNAL;
INSERT INTO tt_deleted SELECT g, repeat('v' || g, 1200) FROM generate_series(1, 500) g;
UPDATE tt_deleted SET v = repeat('w' || id, 1200) WHERE id % 3 = 0;
DELETE FROM tt_deleted WHERE id % 5 = 0;
VACUUM tt_deleted;
-- end setup

-- require
SELECT id, md5(ext) AS ext, md5(cmp) AS cmp, md5(main) AS main, length(plain) AS plain, late, length(n::text) AS n, md5(c) AS c, md5(arr::text) AS arr, md5(js::text) AS js, md5("by") AS by FROM tt_t WHERE id % 10 < 2;
-- require
SELECT count(*), sum(late), sum(id) FROM tt_t WHERE late > 600;
-- require
SELECT id, late, ext FROM tt_t WHERE late % 100 = 5;
-- require
SELECT id, cmp, main FROM tt_t WHERE late % 200 = 8;
-- require
SELECT * FROM tt_t WHERE id IN (350, 360, 361);
-- require
SELECT count(*), count(ext), count(cmp), count(main), count(c), count(arr), count(js), count(n) FROM tt_t;
-- require
SELECT count(*), sum(id) FROM tt_t WHERE ext = repeat('ext10', 1500);
-- require
SELECT count(*), sum(id) FROM tt_t WHERE ext LIKE '%5ext5%' OR cmp LIKE 'cmp8cmp8%';
-- require
SELECT count(*), sum(id) FROM tt_t WHERE cmp = repeat('cmp4', 2000) AND late > 100;
-- require
SELECT count(*), sum(id) FROM tt_t WHERE cmp > 'c' COLLATE "C" AND main <> 'm';
-- require
SELECT count(*), sum(id) FROM tt_t WHERE c = 'c9' OR c = 'c900';
-- require
SELECT sum(length(ext)), sum(length(cmp)), sum(octet_length(main)), sum(length(c)), sum(cardinality(arr)), sum(length("by")), max(length(js::text)) FROM tt_t;
-- require
SELECT md5(min(ext COLLATE "C")) AS a, md5(max(ext COLLATE "C")) AS b, md5(min(cmp COLLATE "C")) AS c, md5(max(cmp COLLATE "C")) AS d, md5(max(main COLLATE "C")) AS e, md5(max(c COLLATE "C")) AS f, length(sum(n)::text) AS g, scale(avg(n)) AS h FROM tt_t;
-- require
SELECT md5(cmp) AS m, count(*), sum(late) FROM tt_t GROUP BY cmp;
-- require
SELECT id % 4 AS k, md5(max(cmp COLLATE "C")) AS m, md5(min(ext COLLATE "C")) AS e, count(c), md5(sum(n)::text) AS s FROM tt_t GROUP BY 1;
-- require
SELECT id, n FROM tt_t WHERE n < 3 OR n BETWEEN 270 AND 272;
-- require
SELECT count(*), md5(max(n)::text) AS m FROM tt_t WHERE n > 1000;
-- require
SELECT substr(ext, 1, 10) AS s, substr(cmp, 5990, 20) AS t, left(main, 8) AS l, right(ext, 4) AS r FROM tt_t WHERE late BETWEEN 20 AND 60;
-- require
SELECT CASE WHEN late % 2 = 0 THEN md5(ext) ELSE plain END AS x, coalesce(md5(ext), md5(cmp), 'none') AS y FROM tt_t WHERE id < 60;
-- require
SELECT md5(k) AS m, length(k) AS l, count(*), sum(id) FROM tt_key GROUP BY k;
-- require
SELECT md5(k) AS m, length(k) AS l, count(*), sum(id) FROM tt_mixed GROUP BY k;
-- require
SELECT count(*), sum(id) FROM tt_mixed WHERE k = repeat('k2', 1500);
-- require
SELECT id % 3 AS g, md5(min(k COLLATE "C")) AS a, md5(max(k COLLATE "C")) AS b FROM tt_mixed GROUP BY 1;
-- require
SELECT id, md5(v) AS m FROM tt_deleted WHERE id % 3 < 2;
-- require
SELECT count(*), sum(length(v)), md5(max(v COLLATE "C")) AS m FROM tt_deleted;
SELECT count(DISTINCT k), count(DISTINCT length(k)) FROM tt_key;
SELECT id, md5(ext) FROM tt_t WHERE ext > 'ext5' COLLATE "C" ORDER BY ext COLLATE "C" DESC, id LIMIT 20;
SELECT a.id, b.id FROM tt_key a JOIN tt_key b ON a.k = b.k WHERE a.id < 20 AND b.id BETWEEN 1 AND 30;
