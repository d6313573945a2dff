-- What EXPLAIN says of the vector nodes, and why something stays with core.
LOAD 'pg_vexec';
SET pg_vexec.enabled = on;
SET pg_vexec.force = on;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE sales (id int NOT NULL, region text, price numeric(12,2), sold date);
INSERT INTO sales SELECT i, (ARRAY['north', 'south', NULL])[i % 3 + 1], i * 1.25, date '2024-01-01' + i % 366
  FROM generate_series(1, 5000) i;
CREATE TABLE shops (region text PRIMARY KEY, name text);
INSERT INTO shops VALUES ('north', 'N'), ('south', 'S');
VACUUM ANALYZE sales, shops;

-- memory depends on the platform
CREATE FUNCTION explain_stable(query text, format text DEFAULT 'text') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF, FORMAT ' || format || ') ' || query
  LOOP
    RETURN NEXT regexp_replace(line, '(Memory: |Memory Usage": )\d+', '\1N', 'g');
  END LOOP;
END
$$;

-- plans
EXPLAIN (COSTS OFF) SELECT count(*) FROM sales;
EXPLAIN (COSTS OFF) SELECT region, sum(price) * 2, count(*) FILTER (WHERE id > 10) FROM sales
  WHERE sold >= '2024-02-01' AND price < 100 GROUP BY region HAVING count(*) > 3 ORDER BY region;
EXPLAIN (COSTS OFF) SELECT id FROM sales WHERE price > 6200;
EXPLAIN (COSTS OFF) SELECT s.id, h.name FROM sales s JOIN shops h USING (region) WHERE s.price > 6200;
EXPLAIN (COSTS OFF, VERBOSE) SELECT region, max(price) FROM sales WHERE id % 2 = 0 GROUP BY 1;

-- what happened
SELECT explain_stable($$SELECT region, sum(price) FROM sales WHERE sold >= '2024-02-01' AND price < 100 GROUP BY region$$);
SELECT explain_stable($$SELECT id FROM sales WHERE price > 6200 AND id::text LIKE '%9'$$);
SELECT explain_stable($$SELECT region, count(*) FROM sales WHERE price < 100 GROUP BY region HAVING count(*) > 1$$, 'json');

-- reasons
EXPLAIN (COSTS OFF, VEXEC) SELECT count(*) FROM sales;
EXPLAIN (COSTS OFF, VEXEC) SELECT string_agg(region, ',') FROM sales WHERE md5(region) = 'x';
EXPLAIN (COSTS OFF, VEXEC) SELECT count(DISTINCT region), sum(price ORDER BY id) FROM sales;
EXPLAIN (COSTS OFF, VEXEC) SELECT h.name, count(*) FROM sales s JOIN shops h USING (region) GROUP BY h.name;
EXPLAIN (COSTS OFF, VEXEC) SELECT count(*) FROM sales WHERE random() < 2;
EXPLAIN (COSTS OFF, VEXEC) SELECT count(*) FROM sales GROUP BY ROLLUP (region, sold);
EXPLAIN (COSTS OFF, VEXEC) SELECT * FROM sales WHERE id = 5 FOR UPDATE;
EXPLAIN (COSTS OFF, VEXEC) UPDATE sales SET price = 0 WHERE id = 5;
EXPLAIN (COSTS OFF, VEXEC, FORMAT JSON) SELECT mode() WITHIN GROUP (ORDER BY id) FROM sales;
SET pg_vexec.enabled = off;
EXPLAIN (COSTS OFF, VEXEC) SELECT count(*) FROM sales;
SET pg_vexec.enabled = on;

-- require
SET pg_vexec.require = on;
SELECT count(*) FROM sales;
SELECT id FROM sales WHERE random() < 0;
SELECT id FROM sales WHERE md5(region) = 'x';
SELECT count(*) FROM pg_class WHERE false;
SELECT 1;
SELECT string_agg(region, ',') FROM sales WHERE false;
CREATE TABLE copy AS SELECT id FROM sales WHERE price > 6200;
INSERT INTO copy SELECT id FROM sales WHERE random() < 0;
DELETE FROM copy;
PREPARE q AS SELECT id FROM sales WHERE random() < 0;
EXECUTE q;
COPY (SELECT id FROM sales WHERE random() < 0) TO STDOUT;
-- not of queries that the client did not send
DO $$ BEGIN PERFORM id FROM sales WHERE random() < 0; END $$;
CREATE TABLE visits (shop text REFERENCES shops, late text REFERENCES shops DEFERRABLE INITIALLY DEFERRED);
BEGIN;
INSERT INTO visits VALUES ('north', 'south');
COMMIT;
ALTER TABLE visits ADD FOREIGN KEY (late) REFERENCES shops;
SET pg_vexec.require = off;
EXECUTE q;

-- cached plans follow the settings
PREPARE c AS SELECT count(*) FROM sales;
EXPLAIN (COSTS OFF) EXECUTE c;
SET pg_vexec.enabled = off;
EXPLAIN (COSTS OFF) EXECUTE c;
SET pg_vexec.enabled = on;
EXPLAIN (COSTS OFF) EXECUTE c;
SET pg_vexec.force = off;
EXPLAIN (COSTS OFF, VEXEC) SELECT id FROM sales;
BEGIN;
SET LOCAL enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT max(price) FROM sales;
ROLLBACK;
DROP TABLE visits, sales, shops, copy;
DROP FUNCTION explain_stable;
