-- Grouping keeps to work_mem * hash_mem_multiplier, but for what one batch of strings may add, and
-- tells what it kept on disk.
LOAD 'pg_vexec';
SET pg_vexec.enabled = on;
SET pg_vexec.force = on;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
CREATE TABLE many AS SELECT i AS id, i % 50000 AS k, 'group ' || i % 40000 AS t, (i % 30000)::numeric AS n
  FROM generate_series(1, 100000) i;
VACUUM ANALYZE many;

CREATE FUNCTION resources(query text, limit_kb int) RETURNS TABLE (node text, groups int, memory_kept boolean, disk boolean,
  spilled boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  PERFORM set_config('work_mem', limit_kb || 'kB', true);
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO plan;
  plan := plan -> 0 -> 'Plan';
  RETURN QUERY SELECT plan ->> 'Custom Plan Provider', (plan ->> 'Groups')::int, (plan ->> 'Peak Memory Usage')::int <= limit_kb + 64,
    (plan ->> 'Disk Usage')::int > 0, (plan ->> 'Spilled Rows')::int > 0 AND (plan ->> 'Partitions')::int > 0;
END
$$;

-- in memory
SELECT * FROM resources('SELECT k, count(*) FROM many GROUP BY k', 65536);
SELECT * FROM resources('SELECT count(DISTINCT t), count(DISTINCT n) FROM many', 65536);
-- beyond the limit
SELECT * FROM resources('SELECT k, count(*), sum(id) FROM many GROUP BY k', 1024);
SELECT * FROM resources('SELECT t, n, max(t) FROM many GROUP BY t, n', 2048);
SELECT * FROM resources('SELECT k, stddev(id), bool_and(n > 5) FROM many GROUP BY k', 1024);
SELECT * FROM resources('SELECT count(DISTINCT t), count(DISTINCT n) FROM many', 2048);
SELECT * FROM resources('SELECT k, count(DISTINCT id) FROM many GROUP BY k', 2048);
SELECT * FROM resources('SELECT k, string_agg(t, '','' ORDER BY id) FROM many GROUP BY k', 2048);
-- what core's states own counts; partitions, however many, are in one file
SELECT * FROM resources('SELECT k, array_agg(t), string_agg(t, '','') FROM many GROUP BY k', 1024);
SELECT pg_stat_force_next_flush();
SELECT temp_files AS files FROM pg_stat_database WHERE datname = current_database() \gset
SELECT * FROM resources('SELECT id, string_agg(t, '','') FROM many WHERE id <= 10000 GROUP BY id', 1024);
SELECT pg_stat_force_next_flush();
SELECT temp_files - :files AS files FROM pg_stat_database WHERE datname = current_database();
-- groups have a table from the first row on
BEGIN;
DECLARE c CURSOR FOR SELECT k, count(*) FROM many GROUP BY k;
SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'vexec ticket table';
MOVE c;
SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'vexec ticket table';
COMMIT;
