-- Grouping beyond the memory limit: work_mem at its minimum, so that most groups are spilled, some of
-- them twice and more.  Keys of every kind with nulls, numerics of mixed scale, strings and numerics
-- of many kB, toasted values, every way to compute an aggregate, filters that share arguments.

-- setup
CREATE TYPE sp_pair AS (a int, b text);
CREATE TABLE sp_t (
	id int NOT NULL, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, n2 numeric(12,2), b bool, d date,
	ts timestamp, t text, c char(12), u uuid, iv interval, j jsonb, r int4range, arr int[], p sp_pair
);
-- Keys repeat at distances of up to 5,400 rows, so that rows of a group come in many batches.
INSERT INTO sp_t
SELECT g,
	CASE WHEN k % 50 > 0 THEN k END,
	CASE WHEN k % 51 > 0 THEN (k * 1000003::bigint % 1000000007)::int END,
	CASE WHEN k % 52 > 0 THEN k * 1000000007::bigint END,
	CASE WHEN k % 53 > 0 THEN k / 7.0::float4 END,
	CASE k % 54 WHEN 0 THEN NULL WHEN 1 THEN 'NaN' WHEN 2 THEN '-0' WHEN 3 THEN 0 ELSE k / 7.0::float8 END,
	CASE k % 5 WHEN 0 THEN (k % 1000)::numeric WHEN 1 THEN (k % 1000)::numeric(20,3) WHEN 2 THEN k * 1e20
		WHEN 3 THEN k / 7.0 WHEN 4 THEN CASE WHEN k % 55 > 4 THEN 'NaN'::numeric END END,
	CASE WHEN k % 56 > 0 THEN k / 8.0 END,
	CASE WHEN k % 3 > 0 THEN k % 2 = 0 END,
	date '2020-01-01' + k,
	timestamp '2020-01-01' + k * interval '1 minute',
	CASE WHEN k % 57 > 0 THEN CASE WHEN k % 2 > 0 THEN 'short' ELSE repeat('long', k % 20) END || k END,
	CASE WHEN k % 58 > 0 THEN 'c' || k END,
	CASE WHEN k % 59 > 0 THEN md5(k::text)::uuid END,
	CASE WHEN k % 60 > 0 THEN k * interval '1 minute' END,
	CASE WHEN k % 61 > 0 THEN jsonb_build_object('k', k, 'l', repeat('x', k % 30)) END,
	CASE WHEN k % 62 > 0 THEN int4range(k, k + 10) END,
	CASE WHEN k % 63 > 0 THEN ARRAY[k, NULL, k % 7] END,
	CASE WHEN k % 64 > 0 THEN ROW(k, 'p' || k)::sp_pair END
FROM (SELECT g, (CASE WHEN g % 3 = 0 THEN g % 5400 ELSE g * 7 % 3000 END) AS k
	FROM generate_series(1, 12000) g) s;
-- Values of about 10 kB: plain, compressed and out of line.
CREATE TABLE sp_wide (id int, k int, t text, e text, n numeric);
ALTER TABLE sp_wide ALTER t SET STORAGE EXTENDED, ALTER e SET STORAGE EXTERNAL;
INSERT INTO sp_wide
SELECT g, g % 120, repeat('t' || g % 120, 3000),
	(SELECT string_agg(md5((g % 90 * 1000 + i)::text), '') FROM generate_series(1, 300) i),
	(g % 70)::numeric * 10::numeric ^ 4000
FROM generate_series(1, 400) g;
ANALYZE sp_t, sp_wide;
CREATE FUNCTION sp_append(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT coalesce($1, '') || coalesce($2, '-')$$;
CREATE AGGREGATE sp_concat(text) (SFUNC = sp_append, STYPE = text);
-- end setup

SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
-- Core's hash aggregation, as ours, hands a group's rows on in the order of input.
SET enable_sort = off;

-- keys of every kind
-- require
SELECT i2, count(*), sum(i4), min(id), max(id) FROM sp_t GROUP BY i2;
-- require
SELECT i4, count(*), sum(i8), min(t), max(t) FROM sp_t GROUP BY i4;
-- require
SELECT i8, count(i2), avg(i4), min(n), max(n) FROM sp_t GROUP BY i8;
-- require
SELECT f4, count(*), sum(f8), avg(f4) FROM sp_t GROUP BY f4;
-- require
SELECT f8, count(*), sum(f4), avg(f8) FROM sp_t GROUP BY f8;
-- require
SELECT n, count(*), sum(n), min(n2), max(n) FROM sp_t GROUP BY n;
-- require
SELECT n2, count(*), sum(n2), avg(n), min(n) FROM sp_t GROUP BY n2;
-- require
SELECT d, ts, count(b), min(ts), max(d) FROM sp_t GROUP BY d, ts;
-- require
SELECT t, count(*), min(c), max(c) FROM sp_t GROUP BY t;
-- require
SELECT c, count(*), min(t), max(t) FROM sp_t GROUP BY c;
-- require
SELECT u, count(*), sum(n2) FROM sp_t GROUP BY u;
-- require
SELECT iv, count(*), sum(iv) FROM sp_t GROUP BY iv;
-- require
SELECT j, count(*), count(r) FROM sp_t GROUP BY j;
-- require
SELECT r, count(*), count(j) FROM sp_t GROUP BY r;
-- require
SELECT arr, count(*), sum(i8) FROM sp_t GROUP BY arr;
-- require
SELECT p, count(*), min(f8) FROM sp_t GROUP BY p;
-- require
SELECT b, i2, t, n, u, count(*), sum(i4) FROM sp_t GROUP BY b, i2, t, n, u;
-- require
SELECT id, count(*), sum(i2) FROM sp_t GROUP BY id;
-- require
SELECT id % 3 + i4 % 1000, lower(t), count(*) FROM sp_t GROUP BY 1, 2;

-- one long group between many
-- require
SELECT CASE WHEN id % 2 = 0 THEN 0 ELSE id END AS k, count(*), sum(n), min(t) FROM sp_t GROUP BY 1;

-- filters: arguments are evaluated only where one of them is true
-- require
SELECT i4, count(*) FILTER (WHERE b), sum(n) FILTER (WHERE b), sum(n) FILTER (WHERE NOT b),
	max(t) FILTER (WHERE id % 5 = 0), min(t) FILTER (WHERE b IS NULL), sum(100 / i2) FILTER (WHERE i2 > 0)
FROM sp_t GROUP BY i4;
-- require
SELECT t, sum(i8) FILTER (WHERE false), count(*) FILTER (WHERE true), sum(i8) FROM sp_t GROUP BY t HAVING count(*) FILTER (WHERE b) > 1;

-- core's transition functions: by value, by reference, expanded, internal, strict or not
-- require
-- serial
SELECT i4, string_agg(t, ','), array_agg(id), sp_concat(t), bool_and(b), bit_xor(i2) FROM sp_t GROUP BY i4;
-- require
-- serial
SELECT t, stddev(f8), variance(n), regr_slope(f8, f4), json_agg(i2), every(b) FROM sp_t GROUP BY t;
-- require
-- serial
SELECT d, array_agg(arr) FILTER (WHERE arr IS NOT NULL AND array_length(arr, 1) = 3), max(arr), range_agg(r) FROM sp_t GROUP BY d;
-- require
-- serial
SELECT n, jsonb_agg(j), sum(iv), xmlagg(xmlelement(name a, i2)) IS NULL FROM sp_t GROUP BY n;

-- DISTINCT, ORDER BY, WITHIN GROUP
-- require
SELECT i2, count(DISTINCT t), sum(DISTINCT n), count(DISTINCT b), avg(DISTINCT i4) FROM sp_t GROUP BY i2;
-- require
SELECT b, count(DISTINCT id), count(DISTINCT t), sum(DISTINCT i8), count(DISTINCT u), count(DISTINCT c) FROM sp_t GROUP BY b;
-- require
SELECT count(DISTINCT id), count(DISTINCT t), sum(DISTINCT n), count(DISTINCT f8), count(DISTINCT i4) FILTER (WHERE b) FROM sp_t;
-- require
SELECT i4, string_agg(t, ',' ORDER BY id DESC), array_agg(DISTINCT i2), sum(n) FROM sp_t GROUP BY i4;
-- require
SELECT t, percentile_cont(0.5) WITHIN GROUP (ORDER BY f8), mode() WITHIN GROUP (ORDER BY i2), count(*) FROM sp_t GROUP BY t;
-- require
SELECT n2, string_agg(DISTINCT c, '/' ORDER BY c), max(id), count(DISTINCT d) FILTER (WHERE b) FROM sp_t GROUP BY n2;

-- values that are larger than the limit's share
-- require
SELECT t, count(*), min(id), max(id) FROM sp_wide GROUP BY t;
-- require
SELECT e, count(*), min(id), max(t) FROM sp_wide GROUP BY e;
-- require
-- serial
SELECT n, e, count(*), length(max(t)), md5(string_agg(t, '')) FROM sp_wide GROUP BY n, e;
-- require
SELECT id, md5(min(t)), md5(max(e)), max(n) - min(n) FROM sp_wide GROUP BY id;
-- require
SELECT k, count(DISTINCT e), count(DISTINCT n), md5(array_agg(e ORDER BY id)::text) FROM sp_wide GROUP BY k;
-- require
SELECT count(DISTINCT e), count(DISTINCT t), sum(DISTINCT n) FROM sp_wide;

-- an error in a late round; a limit above; a cursor that stops between; rescans
SELECT i4, sum(1 / (id - 11999)) FROM sp_t GROUP BY i4;
SELECT count(s) FROM (SELECT id, string_agg(t, ',') || repeat('x', 1 / (id - 11999)) AS s FROM sp_t GROUP BY id OFFSET 0) q;
-- require
SELECT i4, sum(n) FROM sp_t GROUP BY i4 ORDER BY 2 DESC NULLS LAST, 1 LIMIT 20;
BEGIN;
DECLARE sp_c CURSOR FOR SELECT count(*), sum(n2) FROM sp_t GROUP BY id % 5555;
MOVE 2000 sp_c;
MOVE 1000 sp_c;
CLOSE sp_c;
ROLLBACK;
SELECT x, (SELECT max(s) FROM (SELECT i4, sum(i2 + x) AS s FROM sp_t GROUP BY i4) q) FROM generate_series(1, 3) x;
SELECT x, (SELECT md5(string_agg(s, '' ORDER BY s)) FROM (SELECT string_agg(t, '' ORDER BY id) AS s FROM sp_t WHERE id > x GROUP BY i4) q)
FROM generate_series(1, 3) x;
SELECT x, (SELECT count(DISTINCT t) + x FROM sp_t WHERE id > x * 3000) FROM generate_series(1, 3) x;

-- cursors opened before a savepoint that spill first, or again, after it, beside other queries that spill
BEGIN;
DECLARE sp_c CURSOR FOR SELECT id % 5555, count(*), string_agg(t, ','), count(DISTINCT n) FROM sp_t GROUP BY 1;
DECLARE sp_d CURSOR FOR SELECT t, count(*), sp_concat(c) FROM sp_t GROUP BY t;
DECLARE sp_e NO SCROLL CURSOR WITH HOLD FOR SELECT u, count(*), array_agg(i2 ORDER BY id) FROM sp_t GROUP BY u;
MOVE 1 sp_c;
SAVEPOINT sp_s;
MOVE 2000 sp_c;
SELECT count(*), sum(c) FROM (SELECT j, n, count(*) AS c FROM sp_t GROUP BY j, n OFFSET 0) q;
SELECT 1 / 0;
ROLLBACK TO sp_s;
MOVE 1000 sp_d;
MOVE ALL sp_c;
SAVEPOINT sp_s;
MOVE 1000 sp_d;
RELEASE sp_s;
MOVE ALL sp_d;
COMMIT;
MOVE ALL sp_e;
CLOSE sp_e;

-- files: their limit, and none left by an error, a cancelled query in any phase or a cursor
SET temp_file_limit = '64kB';
SELECT count(*) FROM (SELECT id, t, u, count(*) FROM sp_t GROUP BY id, t, u OFFSET 0) q;
SELECT count(DISTINCT t), count(DISTINCT u), sum(DISTINCT n) FROM sp_t;
SELECT string_agg(t, ',' ORDER BY id) FROM sp_t;
SET temp_file_limit = -1;
BEGIN;
SET LOCAL statement_timeout = '10ms';
SELECT count(*) FROM (SELECT id + x / 10.0 AS k, count(*) FROM sp_t, generate_series(1, 40) x GROUP BY 1 OFFSET 0) q;
ROLLBACK;
BEGIN;
SET LOCAL statement_timeout = '10ms';
SELECT count(DISTINCT id + x / 100.0) FROM sp_t, generate_series(1, 40) x;
ROLLBACK;
BEGIN;
DECLARE sp_c CURSOR FOR SELECT id + x / 100.0, count(*) FROM sp_t, generate_series(1, 60) x GROUP BY 1;
MOVE 1 sp_c;
SET LOCAL statement_timeout = '10ms';
MOVE ALL sp_c;
ROLLBACK;
SELECT count(*) FROM pg_ls_tmpdir() WHERE name LIKE 'pgsql\_tmp' || pg_backend_pid() || '.%';

-- a limit of a few hundred kB: rounds of other sizes
SET work_mem = '400kB';
-- require
SELECT id, t, n, count(*), sum(i4), min(c) FROM sp_t GROUP BY id, t, n;
-- require
SELECT i4, array_agg(DISTINCT t), string_agg(c, ',' ORDER BY id), count(DISTINCT n), stddev(i8) FROM sp_t GROUP BY i4;
-- require
SELECT count(DISTINCT id), count(DISTINCT t), count(DISTINCT n) FROM sp_t;
