-- Isolation levels, read only and deferrable transactions, statements that fail inside them,
-- timeouts, settings that change what core does around the scan, EXPLAIN that must not fail.

-- setup
CREATE TABLE tr_t (id int NOT NULL, k int, v int, t text);
INSERT INTO tr_t SELECT g, g % 10, g, 't' || g % 20 FROM generate_series(1, 3000) g;
ANALYZE tr_t;
CREATE FUNCTION tr_plan_runs(q text) RETURNS bool LANGUAGE plpgsql AS $$ DECLARE l text; n int := 0; BEGIN FOR l IN EXECUTE q LOOP n := n + 1; END LOOP; RETURN n > 0; END $$;
-- end setup

BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT k, count(*), sum(v) FROM tr_t GROUP BY k;
SELECT id FROM tr_t WHERE v > 2990;
INSERT INTO tr_t SELECT 5000 + k, k, c, 'new' FROM (SELECT k, count(*) AS c FROM tr_t GROUP BY k) q;
SELECT k, count(*), sum(v) FROM tr_t WHERE v > 100 GROUP BY k;
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE;
SELECT count(*), sum(v) FROM tr_t WHERE v > 100;
COMMIT;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*), sum(v) FROM tr_t;
DELETE FROM tr_t WHERE v > 1000;
SELECT count(*), sum(v) FROM tr_t WHERE k > 2;
SAVEPOINT s;
SELECT 100 / (k - 5) FROM tr_t WHERE v > 0;
ROLLBACK TO s;
SELECT count(*), sum(v) FROM tr_t WHERE k > 2;
ROLLBACK;
BEGIN READ ONLY;
SELECT count(*), max(t COLLATE "C") FROM tr_t WHERE k = 3;
DELETE FROM tr_t WHERE v > 5;
SELECT count(*) FROM tr_t WHERE k = 3;
ROLLBACK;
BEGIN;
SELECT 100 / (k - 5) FROM tr_t WHERE v > 0;
SELECT count(*) FROM tr_t WHERE k = 3;
COMMIT;
SELECT count(*) FROM tr_t WHERE k = 3;

SET statement_timeout = '1h';
SELECT count(*), sum(v) FROM tr_t WHERE k <> 3;
RESET statement_timeout;
SET jit = off;
SELECT k, sum(v) FROM tr_t WHERE v > 5 GROUP BY k;
RESET jit;
SET synchronize_seqscans = off;
SELECT count(*), sum(v) FROM tr_t WHERE k <> 3;
RESET synchronize_seqscans;
SET enable_seqscan = off;
SELECT count(*), sum(v) FROM tr_t WHERE k <> 3;
SET enable_hashagg = off;
SELECT k, sum(v) FROM tr_t WHERE v > 5 GROUP BY k;
SET enable_sort = off;
SELECT k, sum(v) FROM tr_t WHERE v > 5 GROUP BY k;
RESET enable_seqscan;
RESET enable_hashagg;
RESET enable_sort;
SET from_collapse_limit = 1;
SELECT count(*) FROM (SELECT k, sum(v) AS s FROM (SELECT * FROM tr_t WHERE v > 10) a GROUP BY k) b WHERE s > 100;
RESET from_collapse_limit;
SET work_mem = '64kB';
SELECT t, count(*), sum(v) FROM tr_t GROUP BY t;
SELECT id, count(*) FROM tr_t GROUP BY id HAVING count(*) > 1;
RESET work_mem;
SET extra_float_digits = 0;
SELECT sum(v / 3.0::float8), avg(v::float4 / 7) FROM tr_t WHERE k = 3;
RESET extra_float_digits;
SET transform_null_equals = on;
SELECT count(*) FROM tr_t WHERE k = NULL;
RESET transform_null_equals;
SET default_transaction_isolation = 'serializable';
SELECT k, count(*) FROM tr_t WHERE v > 7 GROUP BY k;
RESET default_transaction_isolation;
SET log_executor_stats = on;
SELECT k, count(*) FROM tr_t WHERE v > 7 GROUP BY k;
RESET log_executor_stats;
SET debug_print_plan = on;
SELECT k, count(*) FROM tr_t WHERE v > 7 GROUP BY k;
RESET debug_print_plan;

-- EXPLAIN in every format runs, and a plan that is only explained does not raise.
SELECT tr_plan_runs('EXPLAIN SELECT k, sum(v) FROM tr_t WHERE v > 5 GROUP BY k');
SELECT tr_plan_runs('EXPLAIN (VERBOSE, COSTS OFF) SELECT k, sum(v) FROM tr_t WHERE v > 5 AND t LIKE ''t1%'' GROUP BY k HAVING sum(v) > 5');
SELECT tr_plan_runs('EXPLAIN (ANALYZE, VERBOSE, BUFFERS, SETTINGS, WAL, SUMMARY) SELECT k, sum(v) FROM tr_t WHERE v > 5 GROUP BY k');
SELECT tr_plan_runs('EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) SELECT id, v * 2 FROM tr_t WHERE v > 5 AND k IN (1, 2, 3)');
SELECT tr_plan_runs('EXPLAIN (ANALYZE, FORMAT XML) SELECT count(*), max(t) FROM tr_t WHERE v > 5');
SELECT tr_plan_runs('EXPLAIN (ANALYZE, TIMING OFF, FORMAT YAML) SELECT k, t, count(*) FILTER (WHERE v > 7) FROM tr_t GROUP BY k, t');
SELECT tr_plan_runs('EXPLAIN (ANALYZE, MEMORY, SERIALIZE) SELECT k, count(*) FROM tr_t WHERE v > 7 GROUP BY k ORDER BY k LIMIT 2');
SELECT tr_plan_runs('EXPLAIN (GENERIC_PLAN) SELECT k, count(*) FROM tr_t WHERE v > $1 GROUP BY k');
SELECT tr_plan_runs('EXPLAIN SELECT 100 / (k - 5) FROM tr_t WHERE 100 / (k - 5) > 0');
SELECT tr_plan_runs('EXPLAIN ANALYZE SELECT 100 / (k - 5) FROM tr_t WHERE v > 0');
-- serial
SELECT tr_plan_runs('EXPLAIN ANALYZE SELECT 100 / (k - 5) FROM tr_t WHERE v > 0 LIMIT 4');
