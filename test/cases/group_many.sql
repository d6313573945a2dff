-- Many groups: the ticket table grows several times, states move, keys at and around powers of two,
-- every row its own group, one giant group among many small ones, keys in clustered, cyclic and
-- scattered order, long string keys, one to twenty keys, and the same plan run again with other data.

-- setup
CREATE TABLE gm_t (id int NOT NULL, seq int, scat int, wide bigint, skew int, txt text, f float8, n numeric(12,3), v int);
INSERT INTO gm_t
SELECT g, g / 3, (g::bigint * 2654435761 % 20011)::int, g::bigint << 32 | g % 5, CASE WHEN g % 20 = 0 THEN g END,
	'key-' || md5((g / 2)::text) || repeat('k', g % 3 * 60), g / 7.0::float8, g / 8.0, g % 1000
FROM generate_series(1, 20000) g;
CREATE TABLE gm_p (a int, k int);
INSERT INTO gm_p SELECT p, g FROM (VALUES (1), (2), (3)) x(p), generate_series(1, CASE p WHEN 1 THEN 255 WHEN 2 THEN 256 ELSE 257 END) g;
CREATE TABLE gm_k (
	a1 int, a2 int, a3 int, a4 int, a5 int, a6 text, a7 text, a8 int8, a9 int2, a10 bool,
	a11 date, a12 numeric, a13 char(3), a14 float8, a15 int, a16 int, a17 int, a18 int, a19 int, a20 int, x int
);
INSERT INTO gm_k
SELECT g % 2, g % 3, g % 4, g % 5, g % 2, 't' || g % 3, NULLIF('u' || g % 2, 'u0'), g % 3, g % 2, g % 2 = 0,
	date '2000-01-01' + g % 2, g % 2, 'c' || g % 2, g % 3, g % 2, g % 3, NULLIF(g % 4, 0), g % 5, g % 6, g % 7, g
FROM generate_series(1, 4000) g;
ANALYZE gm_t; ANALYZE gm_p; ANALYZE gm_k;
-- end setup

SET work_mem = '64MB';
SET enable_sort = off;

-- require
SELECT id, count(*), sum(v) FROM gm_t GROUP BY id;
-- require
SELECT seq, count(*), sum(id), avg(v), min(f), max(n) FROM gm_t GROUP BY seq;
-- require
SELECT scat, count(*), sum(id), avg(v), min(f), max(n) FROM gm_t GROUP BY scat;
-- require
SELECT wide, count(*), sum(v) FROM gm_t GROUP BY wide;
-- require
SELECT skew, count(*), sum(id), avg(n), sum(f) FROM gm_t GROUP BY skew;
-- require
SELECT txt, count(*), sum(id) FROM gm_t GROUP BY txt;
-- require
SELECT txt, seq, count(*), min(id) FROM gm_t GROUP BY txt, seq;
-- require
SELECT scat, max(txt COLLATE "C"), min(txt COLLATE "C") FROM gm_t GROUP BY scat;
-- require
SELECT f, count(*), sum(f) FROM gm_t GROUP BY f;
-- require
SELECT n, count(*), sum(n), avg(n) FROM gm_t GROUP BY n;
-- require
SELECT -id AS k, count(*) FROM gm_t GROUP BY -id;
-- require
SELECT id * 65536 AS k, count(*) FROM gm_t WHERE id < 32768 GROUP BY id * 65536;
-- require
SELECT id::bigint * 4294967296 AS k, count(*) FROM gm_t GROUP BY id::bigint * 4294967296;
-- require
SELECT id::float8 * 1e300 AS k, count(*) FROM gm_t GROUP BY id::float8 * 1e300;
-- require
SELECT id % 2 = 0 AS k, scat, sum(f) FROM gm_t GROUP BY id % 2 = 0, scat;
-- require
SELECT scat, sum(f), avg(f), count(f) FROM gm_t WHERE v < 500 GROUP BY scat HAVING count(f) > 1;
-- require
SELECT scat, count(*) FROM gm_t GROUP BY scat HAVING count(*) > 1 AND sum(v) > 900;
-- require
SELECT count(*), sum(v) FROM gm_t GROUP BY v % 512;
-- require
SELECT v % 513 AS k, count(*), sum(v) FROM gm_t GROUP BY v % 513;
-- require
SELECT k, count(*), sum(a) FROM gm_p GROUP BY k;
-- require
SELECT k, count(*) FROM gm_p WHERE a = 1 GROUP BY k;
-- require
SELECT k, count(*) FROM gm_p WHERE a = 2 GROUP BY k;
-- require
SELECT k, count(*) FROM gm_p WHERE a = 3 GROUP BY k;

-- All or none of the states reached by rows.
-- require
SELECT scat, sum(v) FILTER (WHERE id > 19990), count(*) FILTER (WHERE id < 10), max(txt) FILTER (WHERE id % 1000 = 0) FROM gm_t GROUP BY scat;
-- require
SELECT id, sum(NULL::numeric), avg(NULL::int), min(NULL::text), max(NULL::float8) FROM gm_t WHERE id > 15000 GROUP BY id;

-- One to twenty keys.
-- require
SELECT a1, count(*), sum(x) FROM gm_k GROUP BY 1;
-- require
SELECT a1, a2, count(*), sum(x) FROM gm_k GROUP BY 1, 2;
-- require
SELECT a1, a2, a3, count(*), sum(x) FROM gm_k GROUP BY 1, 2, 3;
-- require
SELECT a1, a2, a3, a4, count(*), sum(x) FROM gm_k GROUP BY 1, 2, 3, 4;
-- require
SELECT a1, a2, a3, a4, a5, a6, count(*), sum(x) FROM gm_k GROUP BY 1, 2, 3, 4, 5, 6;
-- require
SELECT a1, a2, a3, a4, a5, a6, a7, a8, a9, count(*), sum(x) FROM gm_k GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
-- require
SELECT a9, a10, a11, a12, a13, a14, a17, count(*), sum(x) FROM gm_k GROUP BY 1, 2, 3, 4, 5, 6, 7;
-- require
SELECT a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, count(*) FROM gm_k GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19;
-- require
SELECT a20, a19, a18, a17, a16, a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2, a1, count(*), sum(x), min(x), max(x), avg(x)
FROM gm_k GROUP BY a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20;

-- Many aggregates over many groups.
-- require
SELECT v, count(*), sum(id), avg(id), min(id), max(id), sum(f), avg(f), min(f), max(f), sum(n), avg(n), min(n), max(n), sum(wide), avg(wide), min(wide), max(wide),
	min(txt COLLATE "C"), max(txt COLLATE "C"), count(skew), sum(skew), avg(skew), min(skew), max(skew), sum(id * 2), sum(n * 2), sum(f * 2)
FROM gm_t GROUP BY v;

-- The memory limit is small: exact all the same, whoever executes it.
SET work_mem = '64kB';
SELECT id, count(*), sum(v) FROM gm_t GROUP BY id;
SELECT txt, count(*), sum(id), max(txt COLLATE "C") FROM gm_t GROUP BY txt;
SELECT count(*), sum(c), sum(s) FROM (SELECT scat, count(*) AS c, sum(v) AS s FROM gm_t GROUP BY scat) q;
RESET work_mem;

-- Statistics that lie: the estimate is far below the groups.
BEGIN;
ALTER TABLE gm_t ALTER id SET (n_distinct = 3);
ANALYZE gm_t;
SELECT id, count(*), sum(v) FROM gm_t GROUP BY id;
SELECT count(*), sum(s) FROM (SELECT id, sum(v) AS s FROM gm_t GROUP BY id) q;
ROLLBACK;

-- Executed again and again within one query, with groups of other number each time.
SELECT o.g, (SELECT count(*) FROM (SELECT scat, count(*) FROM gm_t WHERE v < o.g GROUP BY scat) q), (SELECT sum(c) FROM (SELECT v % o.g AS k, count(*) AS c FROM gm_t WHERE id < 3000 GROUP BY v % o.g) q)
FROM (VALUES (1), (100), (3), (250), (1), (40)) o(g);
SELECT o.g, q.* FROM generate_series(1, 5) o(g), LATERAL (SELECT v % o.g AS k, count(*), sum(n), max(txt COLLATE "C"), min(f) FROM gm_t WHERE id % 5 = o.g - 1 GROUP BY 1) q;
