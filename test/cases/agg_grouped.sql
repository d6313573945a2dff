-- Grouped aggregation: every kernel aggregate per group, null keys, groups that begin in late
-- batches, groups without any non-null argument, FILTER and HAVING, keys inside arguments and
-- output expressions, and shapes that must stay exact though core executes them.

-- setup
CREATE TABLE ag_t (
	id int PRIMARY KEY, k int, k2 text, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric(15,2), nu numeric,
	b bool, d date, ts timestamp, t text, c char(6)
);
-- Keys 0..9 and null over the first half; new keys in the second half; key 20 only in the last row;
-- group 3 has only null arguments, group 4 has a single non-null one.
INSERT INTO ag_t
SELECT g, k, CASE WHEN g % 13 > 0 THEN 'key' || g % 5 END,
	CASE WHEN g % 5 > 0 AND nn THEN g % 30000 - 15000 END,
	CASE WHEN g % 7 > 0 AND nn THEN (g * 7919) % 1000003 - 500000 END,
	CASE WHEN g % 9 > 0 AND nn THEN (g::bigint * 7919) % 1000003 * 1000000007 END,
	CASE WHEN g % 8 > 0 AND nn THEN g / 7.0::float4 END,
	CASE WHEN g % 6 > 0 AND nn THEN g / 7.0::float8 - 300 END,
	CASE WHEN g % 4 > 0 AND nn THEN g / 7.0 END,
	CASE WHEN g % 10 > 0 AND nn THEN g::numeric / (g % 10 + 1) END,
	CASE WHEN g % 3 > 0 THEN g % 2 = 0 END,
	CASE WHEN g % 11 > 0 AND nn THEN date '2020-01-01' + g % 1000 END,
	CASE WHEN g % 12 > 0 AND nn THEN timestamp '2020-01-01' + g * interval '1 hour' END,
	CASE WHEN g % 16 > 0 AND nn THEN 'txt' || (g * 7) % 1000 END,
	CASE WHEN g % 18 > 0 AND nn THEN 'c' || (g * 7) % 1000 END
FROM (SELECT g, k, k IS DISTINCT FROM 3 AND (k IS DISTINCT FROM 4 OR g = 1027) AS nn
	FROM (SELECT g, CASE WHEN g = 6000 THEN 20 WHEN g % 11 = 10 THEN NULL WHEN g > 3000 THEN g % 11 + g / 1000 ELSE g % 11 END AS k
		FROM generate_series(1, 6000) g) s) s;
ANALYZE ag_t;
CREATE FUNCTION ag_add(int, int) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1 + $2';
CREATE AGGREGATE ag_mysum(int) (SFUNC = ag_add, STYPE = int);
-- end setup

-- require
SELECT k, count(*) FROM ag_t GROUP BY k;
-- require
SELECT count(*) FROM ag_t GROUP BY k;
-- require
SELECT k FROM ag_t GROUP BY k HAVING count(*) > 0;
-- require
SELECT k, count(*), count(i4), count(t), count(n), count(f8) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(i2), avg(i2), min(i2), max(i2) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(i4), avg(i4), min(i4), max(i4) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(i8), avg(i8), min(i8), max(i8) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(f4), avg(f4), min(f4), max(f4) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(f8), avg(f8), min(f8), max(f8) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(n), avg(n), min(n), max(n) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(nu), avg(nu), min(nu), max(nu) FROM ag_t GROUP BY k;
-- require
SELECT k, min(d), max(d), min(ts), max(ts) FROM ag_t GROUP BY k;
-- require
SELECT k, min(t COLLATE "C"), max(t COLLATE "C"), min(c COLLATE "C"), max(c COLLATE "C") FROM ag_t GROUP BY k;
-- require
SELECT k, min(t), max(t), min(c), max(c) FROM ag_t GROUP BY k;

-- Several keys; the same with a filter.
-- require
SELECT k, k2, count(*), sum(i4), avg(n) FROM ag_t GROUP BY k, k2;
-- require
SELECT k2, k, b, count(*), sum(i4), max(t) FROM ag_t GROUP BY k, k2, b;
-- require
SELECT k2, count(*), sum(n) FROM ag_t WHERE i4 > 0 GROUP BY k2;
-- require
SELECT k, k2, sum(f8) FROM ag_t WHERE d < '2021-01-01' AND b GROUP BY k, k2;
-- require
SELECT k, count(*) FROM ag_t WHERE k > 5 GROUP BY k;
-- require
SELECT k, count(*) FROM ag_t WHERE k IS NULL GROUP BY k;
-- require
SELECT k, count(*) FROM ag_t WHERE id < 0 GROUP BY k;
-- require
SELECT k, count(*) FROM ag_t WHERE id >= 5999 GROUP BY k;

-- Key expressions, keys inside arguments, keys in output expressions.
-- require
SELECT id % 10 AS g, count(*), sum(id) FROM ag_t GROUP BY id % 10;
-- require
SELECT id / 1000, count(*), sum(id) FROM ag_t GROUP BY id / 1000;
-- require
SELECT k + 1 AS k1, sum(k), sum(k + 1), sum(k + i4), count(k), max(k * 2) FROM ag_t GROUP BY k + 1;
-- require
SELECT k * 2 AS twice, k2 || '!' AS kk, count(*) + k AS ck, sum(i4) * k AS sk FROM ag_t GROUP BY k, k2;
-- require
SELECT CASE WHEN i4 > 0 THEN 'pos' WHEN i4 < 0 THEN 'neg' END AS sign, count(*), sum(i4) FROM ag_t GROUP BY 1;
-- require
SELECT coalesce(k, -1) AS kk, coalesce(k2, 'none') AS kk2, count(*) FROM ag_t GROUP BY 1, 2;
-- require
SELECT k IS NULL AS kn, b IS TRUE AS bt, count(*) FROM ag_t GROUP BY 1, 2;
-- require
SELECT i4 > 0 AS p, n > 100 AS q, count(*), sum(n) FROM ag_t GROUP BY 1, 2;
-- require
SELECT substr(t, 1, 4) AS s, count(*), min(t) FROM ag_t GROUP BY 1;
-- require
SELECT length(t) AS l, count(*), max(t) FROM ag_t GROUP BY length(t);
-- require
SELECT date_trunc('month', d) AS m, count(*), sum(n) FROM ag_t GROUP BY 1;
-- require
SELECT extract(year FROM d) AS y, extract(month FROM ts) AS m, count(*) FROM ag_t GROUP BY 1, 2;
-- require
SELECT d - date '2020-01-01' > 500 AS late, k2, count(*) FROM ag_t GROUP BY 1, 2;
-- require
SELECT k, k AS again, count(*) FROM ag_t GROUP BY k, k;
-- require
SELECT 1 AS one, k, 'x' AS x, count(*) FROM ag_t GROUP BY k;
SELECT 1 AS one, count(*) FROM ag_t GROUP BY 1;
SELECT count(*) FROM ag_t GROUP BY ();
-- require
SELECT k, count(*) FROM ag_t WHERE k = 5 GROUP BY k;
-- require
SELECT k, k2, count(*) FROM ag_t WHERE k = 5 AND k2 = 'key1' GROUP BY k, k2;

-- Functional dependence on the primary key: ungrouped columns in the output.
SELECT id, t, n, count(*), sum(i4) FROM ag_t WHERE id % 500 = 1 GROUP BY id;
SELECT id, upper(t) AS u, k + i4 AS s, max(i8) FROM ag_t WHERE id % 500 = 1 GROUP BY id HAVING coalesce(i4, 0) > -400000;
SELECT ag_t.*, count(*) FROM ag_t WHERE id < 20 GROUP BY id;

-- FILTER.
-- require
SELECT k, count(*) FILTER (WHERE i4 > 0), count(*) FILTER (WHERE i4 <= 0), count(*), sum(i4) FILTER (WHERE i4 > 0), avg(n) FILTER (WHERE b),
	min(t) FILTER (WHERE id > 5000), max(f8) FILTER (WHERE k2 = 'key1')
FROM ag_t GROUP BY k;
-- require
SELECT k2, sum(n) FILTER (WHERE k = 1), sum(n) FILTER (WHERE k = 2), sum(n) FILTER (WHERE k IS NULL), sum(n) FILTER (WHERE false) FROM ag_t GROUP BY k2;

-- HAVING.
-- require
SELECT k, count(*) FROM ag_t GROUP BY k HAVING count(*) > 500;
-- require
SELECT k, sum(i4) FROM ag_t GROUP BY k HAVING sum(i4) > 0;
-- require
SELECT k, sum(i4) FROM ag_t GROUP BY k HAVING sum(i4) IS NULL;
-- require
SELECT k FROM ag_t GROUP BY k HAVING max(n) - min(n) > 800 AND avg(i4) IS NOT NULL;
-- require
SELECT k, count(*) FROM ag_t GROUP BY k HAVING k > 5 OR max(t) = 'txt999';
-- require
SELECT k, count(*) FROM ag_t GROUP BY k HAVING false OR count(*) < 0;
-- require
SELECT k2, k, count(*) FROM ag_t GROUP BY k, k2 HAVING k2 IS NOT NULL AND count(*) BETWEEN 90 AND 110;
SELECT k, count(*) FROM ag_t GROUP BY k HAVING count(*) > (SELECT count(*) / 20 FROM ag_t);
SELECT k, count(*), (SELECT max(k) FROM ag_t) AS m FROM ag_t GROUP BY k;
SELECT k, count(*) FROM ag_t GROUP BY k HAVING EXISTS (SELECT 1 FROM ag_t i WHERE i.id = count(ag_t.id));

-- Aggregates and expressions of them.
-- require
SELECT k, sum(n) / nullif(count(n), 0) AS q, round(avg(n), 2) AS r, sum(i4) + sum(i2) AS s, max(i4) - min(i4) AS span, count(*)::text || k2 AS txt
FROM ag_t GROUP BY k, k2;
-- require
SELECT k, sum(i4), avg(i4), sum(i8), avg(i8), sum(n), avg(n), count(n), sum(n * n), sum(n * n) / count(*) AS m2, avg(n * n) FROM ag_t GROUP BY k;
-- require
SELECT k, sum(1), avg(2.5), min('x'), max(NULL::int) FROM ag_t GROUP BY k;
-- require
SELECT k2, sum(n * (1 - 0.05)), sum(n * (1 - 0.05) * (1 + nu)), sum(case when b then n else 0 end), avg(case when i4 > 0 then i4 end) FROM ag_t GROUP BY k2;

-- Above the aggregate.
-- require
-- ordered
SELECT k, count(*) FROM ag_t GROUP BY k ORDER BY k NULLS FIRST;
-- require
SELECT k, k2, sum(i4) FROM ag_t GROUP BY k, k2 ORDER BY k DESC, k2;
-- require
SELECT k, count(*) AS c FROM ag_t GROUP BY k ORDER BY c DESC, k LIMIT 5;
-- require
SELECT k, sum(n) FROM ag_t GROUP BY k ORDER BY sum(n) DESC NULLS LAST, k OFFSET 2 LIMIT 4;
SELECT count(*), sum(c), max(s) FROM (SELECT k, count(*) AS c, sum(i4) AS s FROM ag_t GROUP BY k) q;
SELECT q.k2, count(*), sum(q.c) FROM (SELECT k, k2, count(*) AS c FROM ag_t GROUP BY k, k2) q GROUP BY q.k2;
SELECT DISTINCT count(*) > 400 AS many FROM ag_t GROUP BY k;
SELECT k, sum(i4), rank() OVER (ORDER BY sum(i4) NULLS LAST, k), sum(sum(i4)) OVER () FROM ag_t GROUP BY k;
SELECT DISTINCT k FROM ag_t;
SELECT DISTINCT k, k2, b FROM ag_t WHERE i4 > 0;
SELECT DISTINCT ON (k) k, id, t FROM ag_t ORDER BY k, id DESC;
SELECT generate_series(1, 2) AS gs, k, count(*) FROM ag_t GROUP BY k;

-- Grouping sets stay exact.
SELECT k, k2, count(*), grouping(k, k2) FROM ag_t GROUP BY ROLLUP (k, k2);
SELECT k, b, sum(i4), grouping(k), grouping(b) FROM ag_t GROUP BY CUBE (k, b);
SELECT k, k2, sum(n) FROM ag_t GROUP BY GROUPING SETS ((k), (k2), ());
SELECT k, k2, b, count(*) FROM ag_t GROUP BY k, ROLLUP (k2, b);
SELECT k, count(*) FROM ag_t WHERE id < 0 GROUP BY GROUPING SETS ((k), ());

-- Other aggregates per group.
SELECT k, stddev(i4), variance(n), var_pop(f8) FROM ag_t GROUP BY k;
SELECT k, bool_and(b), bool_or(b), bit_or(i4), bit_and(i2) FROM ag_t GROUP BY k;
SELECT k, count(DISTINCT k2), sum(DISTINCT i2), count(DISTINCT b), count(*) FROM ag_t GROUP BY k;
SELECT k, array_agg(id ORDER BY id) FROM ag_t WHERE id < 100 GROUP BY k;
-- serial
SELECT k, array_agg(id), string_agg(t, ',') FROM ag_t WHERE id < 100 GROUP BY k;
SELECT k, percentile_disc(0.5) WITHIN GROUP (ORDER BY i4), count(*) FROM ag_t GROUP BY k;
SELECT k, ag_mysum(i4), sum(i4) FROM ag_t GROUP BY k;
SELECT k, ag_mysum(i4) FILTER (WHERE b), max(ag_t.id) FROM ag_t GROUP BY k;
SELECT k, jsonb_agg(id ORDER BY id) FROM ag_t WHERE id < 60 GROUP BY k;
