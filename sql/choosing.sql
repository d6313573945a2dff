-- The planner chooses by cost: what is small, short or indexed stays with core.
LOAD 'pg_vexec';
SET pg_vexec.enabled = on;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE big (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, t text NOT NULL);
INSERT INTO big SELECT i, i % 100, i % 7, 'text ' || i % 11 FROM generate_series(1, 100000) i;
CREATE TABLE small AS SELECT * FROM big LIMIT 100;
CREATE TABLE middle AS SELECT * FROM big LIMIT 10000;
VACUUM ANALYZE big;
ANALYZE small, middle;

-- vectorized
EXPLAIN (COSTS OFF) SELECT count(*) FROM big;
EXPLAIN (COSTS OFF) SELECT t, sum(a) FROM big WHERE b = 3 GROUP BY t;
EXPLAIN (COSTS OFF) SELECT sum(a), min(a), max(b) FROM big;
EXPLAIN (COSTS OFF) SELECT id FROM big WHERE a = 3 AND b = 5;
EXPLAIN (COSTS OFF) SELECT b, count(DISTINCT a) FROM big GROUP BY b;
EXPLAIN (COSTS OFF) SELECT b, string_agg(t, ',' ORDER BY id) FROM big GROUP BY b;
-- core's functions, for a row one made text at most
EXPLAIN (COSTS OFF) SELECT string_agg(t, ','), bit_and(a), bit_or(b) FROM big;
EXPLAIN (COSTS OFF) SELECT b, string_agg(t, ','), array_agg(t) FROM big GROUP BY b;
-- many groups with states of core's that are small
EXPLAIN (COSTS OFF) SELECT id / 2, array_agg(t) FROM middle GROUP BY 1;
-- a scan of many rows beside an index that finds a few of them for each row of the other table
EXPLAIN (COSTS OFF) SELECT x.id FROM big x JOIN big y ON y.id = x.a WHERE x.b = 3 AND x.t = 'text 5' AND y.b < 5;
-- the rows of a join
EXPLAIN (COSTS OFF) SELECT x.b, sum(x.a * y.a), sum(x.a - y.a), min(x.t) FROM big x JOIN big y ON y.id = x.a + x.b
  GROUP BY x.b;

-- left to core
EXPLAIN (COSTS OFF) SELECT count(*) FROM small;
EXPLAIN (COSTS OFF) SELECT id FROM small WHERE a = 3;
EXPLAIN (COSTS OFF) SELECT id FROM big WHERE b = 3 LIMIT 5;
EXPLAIN (COSTS OFF) SELECT sum(a) FROM big WHERE id = 77;
EXPLAIN (COSTS OFF) SELECT sum(a) FROM big WHERE id BETWEEN 100 AND 200;
EXPLAIN (COSTS OFF) SELECT max(id) FROM big;
EXPLAIN (COSTS OFF) SELECT EXISTS (SELECT 1 FROM big WHERE a = 5);
EXPLAIN (COSTS OFF) SELECT string_agg(t, ','), array_agg(t) FROM big;
EXPLAIN (COSTS OFF) SELECT id / 2, json_agg(t), string_agg(t, ',') FROM middle GROUP BY 1;
EXPLAIN (COSTS OFF, VEXEC) SELECT b, count(*) FROM big GROUP BY ROLLUP (b);
DROP TABLE big, small, middle;
