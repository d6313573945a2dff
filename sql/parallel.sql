-- Plans that several processes share, and what EXPLAIN says of all of them.
LOAD 'pg_vexec';
SET pg_vexec.enabled = on;
SET pg_vexec.startup_cost = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
CREATE TABLE sales (id int NOT NULL, region text, shop int, price numeric(12,2));
INSERT INTO sales SELECT i, (ARRAY['north', 'south', NULL])[i % 3 + 1], i % 100, i * 1.25 FROM generate_series(1, 20000) i;
ALTER TABLE sales SET (parallel_workers = 2);
CREATE TABLE halves (id int, half int) PARTITION BY RANGE (id);
CREATE TABLE half1 PARTITION OF halves FOR VALUES FROM (0) TO (10000);
CREATE TABLE half2 PARTITION OF halves FOR VALUES FROM (10000) TO (20000);
INSERT INTO halves SELECT i, i / 10000 FROM generate_series(0, 19999) i;
VACUUM ANALYZE sales, halves;

-- scans
EXPLAIN (COSTS OFF) SELECT id FROM sales WHERE price > 24990;
EXPLAIN (COSTS OFF) SELECT id FROM sales WHERE price > 24990 ORDER BY id;
SELECT id FROM sales WHERE price > 24990 ORDER BY id;

-- aggregation
EXPLAIN (COSTS OFF) SELECT count(*), sum(price), avg(id), max(region) FROM sales WHERE shop < 50;
SELECT count(*), sum(price), avg(id), max(region) FROM sales WHERE shop < 50;
EXPLAIN (COSTS OFF) SELECT region, count(*), sum(price) FROM sales GROUP BY region HAVING sum(price) > 1000;
EXPLAIN (COSTS OFF) SELECT region, count(*), avg(price) FROM sales GROUP BY region ORDER BY region;
SELECT region, count(*), avg(price) FROM sales GROUP BY region ORDER BY region;
EXPLAIN (COSTS OFF, VERBOSE) SELECT region, avg(price) FILTER (WHERE id > 10) + 1 FROM sales GROUP BY region;
EXPLAIN (COSTS OFF) SELECT region, stddev(price), bool_and(id > 0) FROM sales GROUP BY region;

-- over a join and over partitions
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT region, count(*), sum(price) FROM sales JOIN halves USING (id) WHERE shop < 50 GROUP BY region;
SELECT region, count(*), sum(price) FROM sales JOIN halves USING (id) WHERE shop < 50 GROUP BY region ORDER BY region;
EXPLAIN (COSTS OFF) SELECT half, count(*) FROM halves GROUP BY half;
SELECT half, count(*) FROM halves GROUP BY half ORDER BY half;

-- not in parts
EXPLAIN (COSTS OFF) SELECT region, count(DISTINCT shop) FROM sales GROUP BY region;
CREATE FUNCTION here(int) RETURNS int LANGUAGE plpgsql PARALLEL RESTRICTED COST 1 AS 'BEGIN RETURN $1; END';
EXPLAIN (COSTS OFF) SELECT count(*) FROM sales WHERE here(id) > 5;
BEGIN;
CREATE TEMP TABLE mine AS SELECT * FROM sales;
ANALYZE mine;
EXPLAIN (COSTS OFF) SELECT count(*) FROM mine WHERE shop < 50;
ROLLBACK;

-- without workers, by each of the limits
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sales WHERE shop < 50;
RESET max_parallel_workers_per_gather;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = '1GB';
ALTER TABLE sales RESET (parallel_workers);
EXPLAIN (COSTS OFF) SELECT count(*) FROM sales WHERE shop < 50;
SET min_parallel_table_scan_size = 0;
ALTER TABLE sales SET (parallel_workers = 0);
EXPLAIN (COSTS OFF) SELECT count(*) FROM sales WHERE shop < 50;
ALTER TABLE sales SET (parallel_workers = 2);
-- starting workers costs more than they save
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sales WHERE shop < 50;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;

-- what happened: the counters are those of all processes, however many there were
CREATE FUNCTION explain_stable(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query
  LOOP
    CONTINUE WHEN line ~ 'Sort Method|Workers Launched|Worker \d|Memory Usage';
    RETURN NEXT regexp_replace(line, '(Memory: |Batches: |Decoded: |Calls: |Groups: |Filter: |rows=|loops=|\()[0-9.]+', '\1N', 'g');
  END LOOP;
END
$$;
SELECT explain_stable('SELECT count(*), sum(price) FROM sales WHERE shop < 50');
SELECT explain_stable('SELECT region, sum(price) FROM sales WHERE shop < 50 GROUP BY region');
SELECT explain_stable('SELECT id FROM sales WHERE price > 24990');
SET pg_vexec.force = on;
SELECT explain_stable('SELECT region, count(*), sum(price) FROM sales JOIN halves USING (id) WHERE shop < 50 GROUP BY region');
SET pg_vexec.force = off;
SET parallel_leader_participation = off;
SELECT explain_stable('SELECT region, sum(price) FROM sales WHERE shop < 50 GROUP BY region');
RESET parallel_leader_participation;
SET max_parallel_workers = 0;
SELECT explain_stable('SELECT region, sum(price) FROM sales WHERE shop < 50 GROUP BY region');
RESET max_parallel_workers;

DROP TABLE sales, halves;
DROP FUNCTION here, explain_stable;
