-- Aggregates over a whole table: every kernel aggregate on every type, no rows, only nulls, filters
-- that remove everything, FILTER, HAVING, shared transition states, aggregates inside expressions,
-- and those that stay with core or go through core's transition functions.

-- setup
CREATE TABLE au_t (
	id int NOT NULL, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric(15,2), nu numeric, b bool,
	d date, ts timestamp, tz timestamptz, iv interval, tm time, t text, v varchar(10), c char(6), nothing int, nothingn numeric, nothingt text
);
INSERT INTO au_t
SELECT g,
	CASE WHEN g % 5 > 0 THEN g % 30000 - 15000 END,
	CASE WHEN g % 7 > 0 THEN (g * 7919) % 1000003 - 500000 END,
	CASE WHEN g % 9 > 0 THEN (g::bigint * 7919) % 1000003 * 1000000007 END,
	CASE WHEN g % 8 > 0 THEN g / 7.0::float4 END,
	CASE WHEN g % 6 > 0 THEN g / 7.0::float8 - 300 END,
	CASE WHEN g % 4 > 0 THEN g / 7.0 END,
	CASE WHEN g % 10 > 0 THEN g::numeric / (g % 10 + 1) END,
	CASE WHEN g % 3 > 0 THEN g % 2 = 0 END,
	CASE WHEN g % 11 > 0 THEN date '2020-01-01' + g % 1000 END,
	CASE WHEN g % 12 > 0 THEN timestamp '2020-01-01' + g * interval '1 hour' END,
	CASE WHEN g % 13 > 0 THEN timestamptz '2020-01-01 00:00+00' + g * interval '1 hour' END,
	CASE WHEN g % 14 > 0 THEN g * interval '1 minute' END,
	CASE WHEN g % 15 > 0 THEN time '00:00' + g * interval '1 second' END,
	CASE WHEN g % 16 > 0 THEN 'txt' || (g * 7) % 1000 END,
	CASE WHEN g % 17 > 0 THEN 'v' || (g * 7) % 1000 END,
	CASE WHEN g % 18 > 0 THEN 'c' || (g * 7) % 1000 END,
	NULL, NULL, NULL
FROM generate_series(1, 6000) g;
CREATE TABLE au_empty (LIKE au_t);
CREATE TABLE au_one (LIKE au_t);
INSERT INTO au_one SELECT * FROM au_t WHERE id = 1;
CREATE TABLE au_onenull (id int, n numeric(10,3), f float8, t text);
INSERT INTO au_onenull VALUES (NULL, NULL, NULL, NULL);
CREATE FUNCTION au_add(int, int) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1 + $2';
CREATE AGGREGATE au_mysum(int) (SFUNC = au_add, STYPE = int);
CREATE AGGREGATE au_mysum0(int) (SFUNC = au_add, STYPE = int, INITCOND = '0');
-- end setup

SET timezone = 'UTC';

-- Counting.
-- require
SELECT count(*) FROM au_t;
-- require
SELECT count(*), count(*) + 1 AS more, count(1), count(NULL) FROM au_t;
-- require
SELECT count(id), count(i2), count(i4), count(i8), count(f4), count(f8), count(n), count(nu), count(b), count(d), count(ts), count(tz),
	count(iv), count(tm), count(t), count(v), count(c), count(nothing)
FROM au_t;
-- require
SELECT count(*) FROM au_empty;
-- require
SELECT count(*) FROM au_t WHERE id > 3000;
-- require
SELECT count(i4) FROM au_t WHERE i4 > 0;
-- require
SELECT count(i4 + i2), count(t || v), count(NULLIF(id % 10, 3)) FROM au_t;
-- require
SELECT count(au_t) FROM au_t WHERE id < 0 OR id > 5;
-- require
SELECT 1 AS one FROM au_t HAVING count(*) > 5;
SELECT 'x' AS x FROM au_t HAVING true;
SELECT 'x' AS x FROM au_empty HAVING true;

-- Integers: types of the results, sum that leaves int4, averages.
-- require
SELECT sum(i2), avg(i2), min(i2), max(i2) FROM au_t;
-- require
SELECT sum(i4), avg(i4), min(i4), max(i4) FROM au_t;
-- require
SELECT sum(i8), avg(i8), min(i8), max(i8) FROM au_t;
-- require
SELECT sum(id), avg(id), min(id), max(id), sum(id)::text, avg(id)::numeric(10,2), min(id) + max(id) AS both FROM au_t;
-- require
SELECT sum(i2), sum(i4), sum(i8) FROM au_t WHERE id % 3 = 1 AND i2 < 0;

-- Floats, bit for bit.
-- require
SELECT sum(f4), avg(f4), min(f4), max(f4) FROM au_t;
-- require
SELECT sum(f8), avg(f8), min(f8), max(f8) FROM au_t;
-- require
SELECT sum(f8) FROM au_t WHERE id > 17;
-- require
SELECT sum(f8 * 1.1), avg(f8 / 3), sum(f4 * f8), sum(f4 * f4), avg(f4 + 1) FROM au_t WHERE i4 > 0;
-- require
SELECT sum(f8) FILTER (WHERE id % 2 = 0), sum(f8) FILTER (WHERE id % 2 = 1), avg(f8) FILTER (WHERE b) FROM au_t;

-- numeric: display scale.
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM au_t;
-- require
SELECT sum(nu), avg(nu), min(nu), max(nu) FROM au_t;
-- require
SELECT sum(n * n), sum(n * (1 - n)), avg(n * 0.5), sum(n + 1.125), sum(n - 1), min(n * 2.50), max(n * i4) FROM au_t;
-- require
SELECT sum(n), sum(nu), avg(n), avg(nu) FROM au_t WHERE n > 500;
-- require
SELECT sum(i4 * n), avg(i8 * n), sum(id::numeric), avg(id::numeric(20,5)) FROM au_t;

-- The rest of min and max.
-- require
SELECT min(d), max(d), min(ts), max(ts), min(tz), max(tz) FROM au_t;
-- require
SELECT min(t COLLATE "C"), max(t COLLATE "C"), min(v COLLATE "C"), max(v COLLATE "C"), min(c COLLATE "C"), max(c COLLATE "C") FROM au_t;
-- require
SELECT min(t), max(t), min(v), max(v), min(c), max(c) FROM au_t;
SELECT min(iv), max(iv), sum(iv), avg(iv), min(tm), max(tm) FROM au_t;
-- require
SELECT min(d) FILTER (WHERE b), max(ts) FILTER (WHERE NOT b), min(t) FILTER (WHERE b IS NULL), max(c) FILTER (WHERE id > 5900) FROM au_t;
-- require
SELECT min(upper(t)), max(length(t)), min(d + 1), max(ts - interval '1 day'), max(t || '!'), min(c || '!') FROM au_t;

-- No rows, no non-null rows.
-- require
SELECT count(*), count(i4), sum(i2), sum(i4), sum(i8), sum(f4), sum(f8), sum(n), avg(i2), avg(i4), avg(i8), avg(f8), avg(n),
	min(i4), max(n), min(t), max(d), max(c)
FROM au_empty;
-- require
SELECT count(*), count(i4), sum(i2), sum(i4), sum(i8), sum(f4), sum(f8), sum(n), avg(i2), avg(i4), avg(i8), avg(f8), avg(n),
	min(i4), max(n), min(t), max(d), max(c)
FROM au_t WHERE id < 0;
-- require
SELECT count(nothing), sum(nothing), avg(nothing), min(nothing), max(nothing), sum(nothingn), avg(nothingn), max(nothingn), min(nothingt) FROM au_t;
-- require
SELECT count(*), sum(i2), sum(i4), sum(i8), sum(f4), sum(f8), sum(n), avg(i2), avg(i4), avg(n), min(t), max(d), max(c) FROM au_one;
-- require
SELECT count(*), count(id), sum(id), sum(n), avg(f), max(t) FROM au_onenull;
-- require
SELECT coalesce(sum(i4), 0) AS s, coalesce(max(t), 'none') AS m, sum(n) IS NULL AS isnull FROM au_t WHERE id < 0;

-- FILTER: different rows for different aggregates, none for some.
-- require
SELECT count(*) FILTER (WHERE id % 2 = 0), count(*) FILTER (WHERE i4 > 0), sum(i4) FILTER (WHERE i4 > 0), sum(i4) FILTER (WHERE i4 <= 0),
	sum(i4), sum(n) FILTER (WHERE d > '2021-01-01'), max(t) FILTER (WHERE id < 0), count(*) FILTER (WHERE NULL)
FROM au_t;
-- require
SELECT sum(i4) FILTER (WHERE b), sum(i4) FILTER (WHERE b), sum(i4), count(i4) FILTER (WHERE b), avg(i4) FILTER (WHERE b) FROM au_t WHERE id > 100;
-- require
SELECT count(*) FILTER (WHERE id % 2 = 0) FILTER_LESS, count(*) FROM au_t WHERE id % 2 = 1;

-- Shared arguments and shared states: sum and avg of one argument, the same aggregate twice, repeated subexpressions.
-- require
SELECT sum(n), avg(n), count(n), sum(n) / count(n) AS q, avg(n) - sum(n) / count(n) AS z FROM au_t;
-- require
SELECT sum(i8), avg(i8), sum(i8) * 2 AS twice, avg(i8) + 1 AS more FROM au_t;
-- require
SELECT sum(i4), sum(i4), avg(i4), avg(i4), max(i4), max(i4) FROM au_t;
-- require
SELECT sum(i4 * 2), sum(i4 * 2 + 1), sum((i4 * 2 + 1) * 3), avg(i4 * 2), max(i4 * 2), min(i4 * 2 + 1) FROM au_t;
-- require
SELECT sum(n * (1 - nu)), sum(n * (1 - nu) * (1 + nu)), avg(n), avg(nu), avg(1 - nu), count(*) FROM au_t WHERE nu < 1000;
-- require
SELECT sum(id), sum(id + 0), sum(0 + id), sum(id::int8), sum(id::int2) FROM au_t;

-- Aggregates inside expressions, constants as arguments.
-- require
SELECT sum(1), sum(2.50), avg(3), min('x'), max(NULL::int), sum(1.5::float8), count('y') FROM au_t;
-- require
SELECT sum(NULL::int), avg(NULL::numeric), min(NULL::text), sum(1) FROM au_t WHERE id < 10;
-- require
SELECT CASE WHEN count(*) > 10 THEN sum(i4) ELSE -1 END AS c, round(avg(n), 3) AS r, max(i4) - min(i4) AS range, -sum(i4) AS neg,
	'n=' || count(*) AS txt, sum(i4) > 0 AS pos, ARRAY[min(i4), max(i4)] AS arr
FROM au_t;
-- require
SELECT sum(i4) + sum(i2) AS a, (sum(i4) + sum(i2)) * count(*) AS b, abs(min(i4)) AS c, length(max(t)) AS d FROM au_t WHERE t IS NOT NULL;

-- HAVING.
-- require
SELECT sum(i4) FROM au_t HAVING count(*) > 5;
-- require
SELECT sum(i4) FROM au_t HAVING count(*) < 5;
-- require
SELECT sum(i4) FROM au_t HAVING sum(i4) IS NULL;
-- require
SELECT count(*) FROM au_t WHERE id < 0 HAVING sum(i4) IS NULL;
-- require
SELECT max(id) FROM au_t HAVING max(id) = 6000 AND min(id) = 1 AND avg(n) > 10;

-- Through core's transition functions, or core's node.
SELECT stddev(i4), variance(i4), stddev_pop(n), var_samp(nu), var_pop(f8), stddev(f4) FROM au_t;
SELECT corr(f8, i4), regr_slope(f8, i4), covar_pop(f8, f4), regr_count(f8, i4) FROM au_t;
SELECT bit_and(i4), bit_or(i4), bit_xor(i4), bool_and(b), bool_or(b), every(b) FROM au_t;
SELECT string_agg(t, ',' ORDER BY id) FROM au_t WHERE id < 50;
-- serial
SELECT string_agg(t, ',') FROM au_t WHERE id < 50;
-- serial
SELECT array_agg(i4) FROM au_t WHERE id < 50;
SELECT array_agg(i4 ORDER BY i4 DESC NULLS FIRST, id) FROM au_t WHERE id < 50;
-- serial
SELECT json_agg(t) FROM au_t WHERE id < 10;
-- serial
SELECT jsonb_object_agg(id, t) FROM au_t WHERE id < 10;
SELECT count(DISTINCT i4), count(DISTINCT t), sum(DISTINCT i2), avg(DISTINCT n), count(*) FROM au_t;
SELECT count(DISTINCT i4 % 10), count(i4), sum(i4) FROM au_t WHERE id > 50;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY i4), percentile_disc(0.9) WITHIN GROUP (ORDER BY t COLLATE "C"), mode() WITHIN GROUP (ORDER BY i4 % 7) FROM au_t;
SELECT au_mysum(i4), au_mysum0(i4), au_mysum(nothing), au_mysum0(nothing), sum(i4) FROM au_t;
SELECT au_mysum(i4) FILTER (WHERE b), au_mysum0(i4 + 1) FILTER (WHERE id < 0) FROM au_t;
SELECT any_value(7), any_value(nothing) FROM au_t;
SELECT rank(5) WITHIN GROUP (ORDER BY id), count(*) FROM au_t;
SELECT min(ROW(i4, id)::text) FROM au_t;
