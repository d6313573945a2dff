-- Scans and aggregations that several processes share: with no worker, one or four, with and without
-- the leader, all aggregates as partial states, rescans of Gather below nested loops, LIMIT above it.
-- Sums of float8 values here are exact in any order, so that most statements need no tolerance.

-- setup
CREATE TABLE pa_t (id int NOT NULL, k int, i2 smallint, i8 bigint, n numeric(12,3), m numeric, f4 float4, f8 float8, d date, ts timestamp, t text COLLATE "C", c char(6) COLLATE "C", b boolean);
INSERT INTO pa_t SELECT g, CASE WHEN g % 17 > 0 THEN g % 50 END, g % 300 - 150, g * 1000000007::bigint, g * 1.125, CASE g % 4 WHEN 0 THEN g / 7.0 WHEN 1 THEN g ELSE g * 1e20 END, g / 8.0, g * 0.25, '2000-01-01'::date + g % 900, '2000-01-01'::timestamp + g * interval '1 minute', 't' || g % 31, 'c' || g % 7, g % 3 = 0 FROM generate_series(1, 12000) g;
INSERT INTO pa_t (id, k) SELECT g, 7000 FROM generate_series(20001, 20020) g;
INSERT INTO pa_t (id, k, m, f8) VALUES (30001, 7001, 'NaN', 'NaN'), (30002, 7002, 'Infinity', 'Infinity'), (30003, 7003, '-Infinity', 1), (30004, 7003, 'Infinity', 2), (30005, 7004, 1e-30, 3), (30006, 7004, 12345678901234567890123456789012345678901234567890, 4);
CREATE TABLE pa_empty (id int, k int, n numeric);
CREATE TABLE pa_s (a int);
INSERT INTO pa_s SELECT generate_series(1, 6);
CREATE TABLE pa_part (id int, k int, v bigint) PARTITION BY RANGE (id);
CREATE TABLE pa_part1 PARTITION OF pa_part FOR VALUES FROM (0) TO (3000);
CREATE TABLE pa_part2 (v bigint, k int, id int);
ALTER TABLE pa_part ATTACH PARTITION pa_part2 FOR VALUES FROM (3000) TO (6000);
CREATE TABLE pa_part3 PARTITION OF pa_part FOR VALUES FROM (6000) TO (9000);
INSERT INTO pa_part SELECT g, g % 20, g * 3 FROM generate_series(0, 8999) g;
CREATE TABLE pa_wide (id int, k int, pad text);
INSERT INTO pa_wide SELECT g, g % 8, repeat('x', 700) FROM generate_series(1, 3000) g;
DELETE FROM pa_wide WHERE id % 5 = 0;
ALTER TABLE pa_t SET (parallel_workers = 4); ALTER TABLE pa_empty SET (parallel_workers = 4);
ALTER TABLE pa_part1 SET (parallel_workers = 2); ALTER TABLE pa_part2 SET (parallel_workers = 2); ALTER TABLE pa_part3 SET (parallel_workers = 2);
ALTER TABLE pa_wide SET (parallel_workers = 3); ALTER TABLE pa_s SET (parallel_workers = 0);
ANALYZE;
-- end setup

SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET seq_page_cost = 0.01;
SET max_parallel_workers_per_gather = 4;

-- Scans.
-- require
SELECT id, t FROM pa_t WHERE k = 7 AND i2 > 0;
-- require
SELECT id FROM pa_t WHERE n > 13000 ORDER BY id;
-- require
SELECT id, k FROM pa_wide WHERE k IN (1, 5);
SELECT id FROM pa_t WHERE k = 9 ORDER BY id LIMIT 7;
SELECT count(*) FROM (SELECT id FROM pa_t WHERE k = 9 LIMIT 30) x;
SELECT a.id, b.id FROM pa_t a JOIN pa_t b ON a.id = b.id + 10 WHERE a.k = 3 AND b.k > 2;
SELECT id FROM pa_empty WHERE k > 3;

-- One group, and many.
-- require
SELECT count(*), count(k), sum(i2), sum(k), sum(i8), sum(n), sum(m) FROM pa_t WHERE id <= 12000;
-- require
SELECT avg(i2), avg(k), avg(i8), avg(n), avg(m) FROM pa_t WHERE id <= 12000;
-- require
SELECT sum(f4), sum(f8), avg(f8) FROM pa_t WHERE id < 100 AND k IS NOT NULL;
-- require
SELECT min(i2), max(i2), min(k), max(k), min(i8), max(i8), min(n), max(n), min(f4), max(f4), min(f8), max(f8) FROM pa_t;
-- require
SELECT min(d), max(d), min(ts), max(ts), min(t), max(t), min(c), max(c) FROM pa_t;
-- require
SELECT k, count(*), count(t), sum(i2), sum(k), sum(i8), sum(n), sum(m) FROM pa_t GROUP BY k;
-- require
SELECT k, avg(i2), avg(k), avg(i8), avg(n), avg(m) FROM pa_t GROUP BY k;
-- require
SELECT k, min(i2), max(k), min(i8), max(n), min(f4), max(f8), min(d), max(ts), min(t), max(c) FROM pa_t GROUP BY k ORDER BY k;
-- approx
SELECT t, sum(f4), sum(f8), avg(f4), avg(f8) FROM pa_t GROUP BY t;
-- require
SELECT id, sum(i8), avg(n) FROM pa_t GROUP BY id;
-- require
SELECT k, d, count(*) FROM pa_t WHERE i2 < 100 GROUP BY k, d;
SELECT DISTINCT k, b FROM pa_t WHERE id > 50;
SELECT k FROM pa_t GROUP BY k;
SELECT t, c, count(*) FROM pa_t GROUP BY t, c ORDER BY t DESC, c;
SELECT k % 5, sum(n * 2), count(*) + 1 FROM pa_t GROUP BY k % 5 HAVING sum(n) > 100;
SELECT count(*) FILTER (WHERE b), sum(n) FILTER (WHERE t < 't2'), max(k) FILTER (WHERE id < 0) FROM pa_t;
SELECT k, count(*) FILTER (WHERE b), sum(n) FILTER (WHERE t < 't2') FROM pa_t GROUP BY k HAVING count(*) FILTER (WHERE b) > 70;

-- No rows, no values.
-- require
SELECT count(*), count(n), sum(n), avg(n), min(k), max(k) FROM pa_empty WHERE id > 3;
SELECT k, count(*), sum(n) FROM pa_empty GROUP BY k;
SELECT count(*), sum(k), avg(k), sum(i8), avg(i8), sum(n), avg(n), avg(f8), sum(f4), min(t), max(n) FROM pa_t WHERE id < 0;
SELECT sum(i2), avg(i2), sum(i8), avg(i8), sum(n), avg(n), avg(f8), sum(f4), min(t), max(n), min(f8) FROM pa_t WHERE k = 7000;
SELECT k, sum(m), avg(m), min(m), max(m), sum(f8), avg(f8) FROM pa_t WHERE k >= 7000 GROUP BY k;

-- Aggregates by core's functions, and those that are not computed in parts.
SELECT k, bool_and(b), bool_or(b), bit_and(id), bit_or(i2), every(id > 0) FROM pa_t GROUP BY k;
SELECT k, var_pop(i2), stddev_samp(id), variance(n), var_samp(i8) FROM pa_t GROUP BY k;
-- approx
SELECT k, var_pop(f8), corr(f8, f4), regr_slope(f8, f4), stddev(f4) FROM pa_t WHERE k < 7000 GROUP BY k;
SELECT k, sum(ts - '2000-01-01'::timestamp), avg(ts - '2000-01-01'::timestamp), min(ts::time), max(b::text) FROM pa_t GROUP BY k;
SELECT k, count(DISTINCT t), sum(DISTINCT i2) FROM pa_t GROUP BY k;
SELECT t, string_agg(c, ',' ORDER BY c, id), array_agg(id ORDER BY id DESC) FILTER (WHERE id < 200) FROM pa_t GROUP BY t;
SELECT k, percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM pa_t WHERE k < 10 GROUP BY k;
SELECT length(string_agg(t, '')), array_length(array_agg(id), 1) FROM pa_t;
SELECT k, b, count(*), grouping(b) FROM pa_t GROUP BY ROLLUP (k, b);

-- Joins, subqueries, partitions.
SELECT a.k, count(*), sum(b.n), max(b.t) FROM pa_t a JOIN pa_t b USING (id) WHERE a.i2 > 100 GROUP BY a.k;
SELECT a.t, count(*), avg(b.v) FROM pa_t a JOIN pa_part b USING (id) GROUP BY a.t ORDER BY a.t;
SELECT count(*), sum(i8) FROM (SELECT k, sum(i8) AS i8 FROM pa_t GROUP BY k HAVING count(*) > 10) x;
SELECT k, count(*), sum(v), avg(v), min(id) FROM pa_part GROUP BY k;
SELECT k, count(*), sum(v) FROM pa_part WHERE id BETWEEN 2500 AND 3500 GROUP BY k ORDER BY k;
SELECT id, v FROM pa_part WHERE k = 3 AND v % 7 = 0;
SET enable_partitionwise_aggregate = on;
SELECT id / 10 AS x, count(*), sum(v) FROM pa_part GROUP BY id / 10;
SELECT id, count(*), sum(v) FROM pa_part GROUP BY id HAVING sum(v) % 11 = 0;
SELECT k, count(*), sum(v), avg(v) FROM pa_part GROUP BY k;
RESET enable_partitionwise_aggregate;
SELECT k, count(*) FROM pa_t WHERE id IN (SELECT v FROM pa_part WHERE k = 4) GROUP BY k;
WITH w AS MATERIALIZED (SELECT k, sum(n) AS s FROM pa_t GROUP BY k) SELECT count(*), max(s) FROM w WHERE k > (SELECT avg(k) FROM w WHERE k < 100);
SELECT k, count(*) FROM pa_t WHERE id > (SELECT avg(id) FROM pa_t WHERE k = 5) GROUP BY k;
SELECT k, sum(i2) FROM pa_t GROUP BY k UNION ALL SELECT k, sum(v) FROM pa_part GROUP BY k;

-- Rescans of Gather, with and without parameters; LIMIT above it.
SET enable_material = off; SET enable_memoize = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SELECT count(*), sum(x.id) FROM pa_s LEFT JOIN LATERAL (SELECT id FROM pa_t WHERE k = 5 OFFSET 0) x ON true;
SELECT a, x.* FROM pa_s LEFT JOIN LATERAL (SELECT count(*), sum(n), avg(i8) FROM pa_t WHERE k > 5 OFFSET 0) x ON true;
SELECT a, x.* FROM pa_s LEFT JOIN LATERAL (SELECT k, count(*), sum(n) FROM pa_t GROUP BY k OFFSET 0) x ON x.k = a;
SELECT a, x.* FROM pa_s LEFT JOIN LATERAL (SELECT k, count(*), sum(n) FROM pa_t GROUP BY k ORDER BY k LIMIT 5) x ON true;
SELECT a, (SELECT count(*) FROM pa_t WHERE k = a), (SELECT sum(n) FROM pa_t WHERE i2 > a AND k < 40) FROM pa_s;
SELECT a, x.n FROM pa_s, LATERAL (SELECT count(*) AS n FROM (SELECT id FROM pa_t WHERE k = 5 LIMIT a * 10) y) x;
SELECT a, x.s FROM pa_s, LATERAL (SELECT sum(p.v) AS s FROM pa_part p JOIN pa_s q ON p.k = q.a WHERE p.id > a * 1000) x;
RESET enable_material; RESET enable_memoize; RESET enable_hashjoin; RESET enable_mergejoin;

-- Prepared statements, cursors, functions; a plan that was made for workers and gets none.
PREPARE pa_q(int) AS SELECT k, count(*), sum(n) FROM pa_t WHERE id > $1 GROUP BY k;
SET plan_cache_mode = force_generic_plan;
EXECUTE pa_q(100);
EXECUTE pa_q(11000);
CREATE TEMP TABLE pa_copy AS EXECUTE pa_q(5000);
SELECT * FROM pa_copy;
RESET plan_cache_mode;
BEGIN;
DECLARE pa_c NO SCROLL CURSOR FOR SELECT k, sum(i8) FROM pa_t WHERE i2 > 0 GROUP BY k ORDER BY k;
FETCH 3 FROM pa_c;
FETCH 4 FROM pa_c;
CLOSE pa_c;
DECLARE pa_c CURSOR WITH HOLD FOR SELECT k, sum(i8) FROM pa_t WHERE i2 > 0 GROUP BY k ORDER BY k;
FETCH 2 FROM pa_c;
COMMIT;
FETCH ALL FROM pa_c;
CLOSE pa_c;
SET max_parallel_workers = 0;
EXECUTE pa_q(500);
SELECT id FROM pa_t WHERE k = 7 AND i2 > 0;
SELECT k, avg(n), count(*) FROM pa_t GROUP BY k;
SET max_parallel_workers = 1;
EXECUTE pa_q(500);
SELECT k, avg(n), count(*) FROM pa_t GROUP BY k;
RESET max_parallel_workers;

-- Without the leader, with one worker.
SET parallel_leader_participation = off;
SELECT id FROM pa_t WHERE k = 7 AND i2 > 0;
SELECT count(*), sum(n), avg(i8), min(t) FROM pa_t WHERE k > 3;
SELECT k, count(*), sum(m), avg(i2) FROM pa_t GROUP BY k;
SET max_parallel_workers = 0;
SELECT id FROM pa_t WHERE k = 7 AND i2 > 0;
SELECT k, count(*), sum(m), avg(i2) FROM pa_t GROUP BY k;
RESET max_parallel_workers; RESET parallel_leader_participation;
SET max_parallel_workers_per_gather = 1;
SELECT id FROM pa_t WHERE k = 7 AND i2 > 0;
SELECT k, count(*), sum(m), avg(i2), max(t) FROM pa_t GROUP BY k;
SELECT a.k, count(*), sum(b.n), max(b.t) FROM pa_t a JOIN pa_t b USING (id) WHERE a.i2 > 100 GROUP BY a.k;
SET max_parallel_workers_per_gather = 4;

-- Errors in a worker or in the leader, whoever is first.
DO $$ BEGIN PERFORM k, sum(1000 / (id - 6000)) FROM pa_t GROUP BY k; EXCEPTION WHEN others THEN RAISE WARNING '% %', sqlstate, sqlerrm; END $$;
DO $$ BEGIN PERFORM id FROM pa_t WHERE 1000 / (id - 6000) > 5; EXCEPTION WHEN others THEN RAISE WARNING '% %', sqlstate, sqlerrm; END $$;
DO $$ BEGIN PERFORM sum(i8 * i8) FROM pa_t; EXCEPTION WHEN others THEN RAISE WARNING '% %', sqlstate, sqlerrm; END $$;
DO $$ BEGIN PERFORM sum(f8 * 1e308) FROM pa_t WHERE k < 7000; EXCEPTION WHEN others THEN RAISE WARNING '% %', sqlstate, sqlerrm; END $$;

-- Groups beyond work_mem in each process, and Finalize beyond it.
SET work_mem = '64kB'; SET hash_mem_multiplier = 1;
SELECT id, count(*), sum(n), min(t) FROM pa_t GROUP BY id;
SELECT count(*), sum(c), sum(s) FROM (SELECT id, count(*) AS c, sum(n) AS s FROM pa_t GROUP BY id) x;
SELECT t, d, count(*), avg(m) FROM pa_t WHERE id < 9000 GROUP BY t, d ORDER BY t, d;
RESET work_mem; RESET hash_mem_multiplier;

-- One worker runs the whole plan.
SET debug_parallel_query = on; SET max_parallel_workers_per_gather = 0;
SELECT k, count(*), sum(m), avg(i2), max(t) FROM pa_t GROUP BY k;
SET max_parallel_workers_per_gather = 2;
SELECT k, count(*), sum(m), avg(i2), max(t) FROM pa_t GROUP BY k;
SELECT id FROM pa_t WHERE k = 7 AND i2 > 0;
SELECT a, (SELECT count(*) FROM pa_t WHERE k = a), (SELECT sum(n) FROM pa_t WHERE i2 > a AND k < 40) FROM pa_s;
SELECT a, x.* FROM pa_s LEFT JOIN LATERAL (SELECT k, count(*), sum(n) FROM pa_t GROUP BY k OFFSET 0) x ON x.k = a;
