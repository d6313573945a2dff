-- Aggregates over distinct values: sets of (group, value) where the result does not tell which of
-- equal values was taken, sorts elsewhere.

-- setup
CREATE COLLATION ad_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TYPE ad_color AS ENUM ('red', 'green', 'blue');
CREATE TABLE ad_t (
	id int, k int, g int, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric(10,2), nu numeric, b bool, d date, ts timestamp,
	t text, tc text COLLATE "C", ci text COLLATE ad_ci, c char(4), u uuid, ip inet, e ad_color, a int[], iv interval, j jsonb
);
-- Group 4 has null values only, 6 one value only; values repeat within and across groups.
INSERT INTO ad_t
SELECT i, CASE WHEN i % 8 < 7 THEN i % 8 END, i % 900,
	CASE WHEN nn THEN v END, CASE WHEN nn THEN v * 1000 END, CASE WHEN nn THEN v * 10000000000 END,
	CASE WHEN nn THEN CASE v WHEN 0 THEN '-0'::float4 WHEN 1 THEN 0 WHEN 2 THEN 'NaN' ELSE v / 3.0 END END,
	CASE WHEN nn THEN CASE v WHEN 0 THEN '-0'::float8 WHEN 1 THEN 0 WHEN 2 THEN 'NaN' WHEN 3 THEN 'Infinity' ELSE v / 3.0 END END,
	CASE WHEN nn THEN v / 4.0 END,
	CASE WHEN nn THEN CASE WHEN i % 2 = 0 THEN v::numeric(9,1) ELSE v::numeric(9,3) END END,
	CASE WHEN nn THEN v % 2 = 0 END, CASE WHEN nn THEN date '2020-01-01' + v END,
	CASE WHEN nn THEN timestamp '2020-01-01' + v * interval '1 minute' END,
	CASE WHEN nn THEN 'value number ' || v END, CASE WHEN nn THEN 'v' || v END,
	CASE WHEN nn THEN CASE WHEN i % 2 = 0 THEN 'V' ELSE 'v' END || v END, CASE WHEN nn THEN 'c' || v % 10 END,
	CASE WHEN nn THEN md5(v::text)::uuid END, CASE WHEN nn THEN ('10.0.0.' || v)::inet END,
	CASE WHEN nn THEN (ARRAY['red', 'green', 'blue'])[v % 3 + 1]::ad_color END, CASE WHEN nn THEN ARRAY[v, v % 5] END,
	CASE WHEN nn THEN CASE WHEN i % 2 = 0 THEN v * interval '1 day' ELSE v * interval '24 hours' END END,
	CASE WHEN nn THEN to_jsonb(v) END
FROM (SELECT i, CASE WHEN i % 8 = 6 THEN 42 ELSE (i * 7919) % 101 END AS v, i % 8 <> 4 AND i % 17 > 0 AS nn
	FROM generate_series(1, 5000) i) s;
ANALYZE ad_t;
CREATE FUNCTION ad_step(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 3 % 1000003 + coalesce($2, 7)';
CREATE AGGREGATE ad_hash(int) (SFUNC = ad_step, STYPE = int, INITCOND = '0');
-- end setup

-- count of every type.
-- require
SELECT count(DISTINCT i4) FROM ad_t;
-- require
SELECT count(DISTINCT i2), count(DISTINCT i8), count(DISTINCT f4), count(DISTINCT f8), count(DISTINCT n), count(DISTINCT nu) FROM ad_t;
-- require
SELECT count(DISTINCT b), count(DISTINCT d), count(DISTINCT ts), count(DISTINCT t), count(DISTINCT tc), count(DISTINCT ci), count(DISTINCT c) FROM ad_t;
-- require
SELECT count(DISTINCT u), count(DISTINCT ip), count(DISTINCT e), count(DISTINCT a), count(DISTINCT iv), count(DISTINCT j) FROM ad_t;
-- require
SELECT k, count(DISTINCT i4), count(DISTINCT i2), count(DISTINCT i8), count(DISTINCT f4), count(DISTINCT f8) FROM ad_t GROUP BY k;
-- require
SELECT k, count(DISTINCT n), count(DISTINCT nu), count(DISTINCT b), count(DISTINCT d), count(DISTINCT t), count(DISTINCT ci) FROM ad_t GROUP BY k;
-- require
SELECT k, count(DISTINCT u), count(DISTINCT ip), count(DISTINCT e), count(DISTINCT a), count(DISTINCT iv), count(DISTINCT c) FROM ad_t GROUP BY k;
-- require
SELECT g, count(DISTINCT i4), count(DISTINCT t), count(*) FROM ad_t GROUP BY g;
-- require
SELECT k, b, count(DISTINCT i4), count(DISTINCT t) FROM ad_t GROUP BY k, b;
-- require
SELECT count(DISTINCT ci COLLATE "C"), count(DISTINCT tc COLLATE ad_ci), count(DISTINCT c::text) FROM ad_t;

-- sum and avg.
-- require
SELECT sum(DISTINCT i2), avg(DISTINCT i2), sum(DISTINCT i4), avg(DISTINCT i4), sum(DISTINCT i8), avg(DISTINCT i8) FROM ad_t;
-- require
SELECT k, sum(DISTINCT i2), avg(DISTINCT i4), sum(DISTINCT i8), sum(DISTINCT n), avg(DISTINCT n) FROM ad_t GROUP BY k;
-- require
SELECT k, sum(DISTINCT f4) > 0, avg(DISTINCT iv) FROM ad_t WHERE f4 > 0 AND f4 < 30 GROUP BY k;
-- require
SELECT k, sum(DISTINCT n * 2), avg(DISTINCT i4 % 7), sum(DISTINCT k) FROM ad_t GROUP BY k;
-- require
SELECT sum(DISTINCT i4), sum(i4), count(DISTINCT i4), count(i4), avg(DISTINCT i4), max(i4), count(*) FROM ad_t;
-- require
SELECT k, sum(DISTINCT i4), sum(i4), count(DISTINCT i4), count(i4), max(DISTINCT i4), min(DISTINCT d) FROM ad_t GROUP BY k;

-- Extremes.
-- require
SELECT k, min(DISTINCT i4), max(DISTINCT i8), min(DISTINCT t), max(DISTINCT n), min(DISTINCT u::text), max(DISTINCT f8) FROM ad_t GROUP BY k;

-- Others: sorted.
-- require
SELECT array_agg(DISTINCT i4), array_agg(DISTINCT tc), array_agg(DISTINCT e) FROM ad_t;
-- require
SELECT k, array_agg(DISTINCT i4), array_agg(DISTINCT tc), array_agg(DISTINCT d), array_agg(DISTINCT b) FROM ad_t GROUP BY k;
-- require
SELECT k, array_agg(DISTINCT t), array_agg(DISTINCT n), array_agg(DISTINCT i8), array_agg(DISTINCT ts), array_agg(DISTINCT u) FROM ad_t GROUP BY k;
-- require
SELECT k, array_agg(DISTINCT a) FROM ad_t WHERE a IS NOT NULL GROUP BY k;
-- require
SELECT k, string_agg(DISTINCT tc, ','), string_agg(DISTINCT t, ',' ORDER BY t), string_agg(DISTINCT c, ',') FROM ad_t GROUP BY k;
-- require
SELECT k, string_agg(DISTINCT tc, ',' ORDER BY tc DESC), array_agg(DISTINCT i4 ORDER BY i4 DESC NULLS FIRST) FROM ad_t GROUP BY k;
-- require
SELECT k, array_agg(DISTINCT i4 ORDER BY i4 NULLS FIRST), array_agg(DISTINCT i4 ORDER BY i4 DESC) FROM ad_t GROUP BY k;
-- require
SELECT k, array_agg(DISTINCT f4::text COLLATE "C"), count(DISTINCT (i2, e)), count(DISTINCT row(i4, t)) FROM ad_t GROUP BY k;
-- require
SELECT k, jsonb_agg(DISTINCT i4), json_agg(DISTINCT tc), stddev(DISTINCT i4), variance(DISTINCT n), bool_and(DISTINCT b) FROM ad_t GROUP BY k;
-- require
SELECT k, corr(DISTINCT i4, i2), regr_slope(DISTINCT i2, i4), covar_pop(DISTINCT i4, k) FROM ad_t GROUP BY k;
-- require
SELECT jsonb_object_agg(DISTINCT tc, i4) FROM ad_t WHERE tc IS NOT NULL;
-- require
SELECT k, ad_hash(DISTINCT i4), ad_hash(DISTINCT i4 ORDER BY i4 DESC), ad_hash(DISTINCT b::int) FROM ad_t GROUP BY k;
-- require
SELECT k, sum(DISTINCT nu) = trunc(sum(DISTINCT nu)), avg(DISTINCT nu) > 0, max(DISTINCT nu) > 0 FROM ad_t GROUP BY k;

-- Filters, HAVING, expressions, several of them together.
-- require
SELECT k, count(DISTINCT i4) FILTER (WHERE i4 > 50000), count(DISTINCT i4) FILTER (WHERE b), count(DISTINCT i4) FROM ad_t GROUP BY k;
-- require
SELECT count(DISTINCT i4) FILTER (WHERE id < 0), sum(DISTINCT i4) FILTER (WHERE k = 4), array_agg(DISTINCT i4) FILTER (WHERE k = 4) FROM ad_t;
-- require
SELECT k FROM ad_t GROUP BY k HAVING count(DISTINCT i4) = 1;
-- require
SELECT k, count(DISTINCT i4) * 100 / count(*), count(DISTINCT i4 + k) FROM ad_t GROUP BY k;
-- require
SELECT k, count(DISTINCT t), array_agg(DISTINCT i4 ORDER BY i4), sum(i4), stddev(i4), sum(DISTINCT i4) FROM ad_t GROUP BY k;
-- require
SELECT count(DISTINCT k), count(DISTINCT 1), count(DISTINCT NULL::int), sum(DISTINCT 5) FROM ad_t;
-- require
SELECT k, count(DISTINCT k), count(DISTINCT 1), sum(DISTINCT k) FROM ad_t GROUP BY k;
-- require
SELECT count(DISTINCT i4), sum(DISTINCT i4), array_agg(DISTINCT i4) FROM ad_t WHERE id < 0;
-- require
SELECT count(DISTINCT i4), sum(DISTINCT i4), avg(DISTINCT n), array_agg(DISTINCT i4) FROM ad_t WHERE k = 4;
SELECT count(DISTINCT 1 / (id - 4000)) FROM ad_t;
SELECT k, sum(DISTINCT i8 * 1000000000) FROM ad_t GROUP BY k;
-- require
SELECT v, (SELECT count(DISTINCT i4) FROM ad_t WHERE id BETWEEN v * 100 AND v * 150) FROM generate_series(1, 5) v;
