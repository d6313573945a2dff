-- INSERT, UPDATE, DELETE and MERGE whose sources are filtered scans, aggregates and subqueries;
-- RETURNING; triggers that read the table; constraints that raise; row locks; CREATE TABLE AS and
-- COPY of a query.

-- setup
CREATE TABLE dm_src (id int NOT NULL, k int, v int, t text);
INSERT INTO dm_src SELECT g, g % 12, CASE WHEN g % 8 > 0 THEN g % 101 END, 's' || g % 9 FROM generate_series(1, 3000) g;
CREATE TABLE dm_dst (id int PRIMARY KEY, k int, v bigint CHECK (v < 100000), t text);
INSERT INTO dm_dst SELECT g, g % 12, g, 'd' FROM generate_series(1, 1500) g;
CREATE TABLE dm_log (op text, n bigint, s bigint);
CREATE FUNCTION dm_trig() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO dm_log SELECT TG_OP, count(*), sum(v) FROM dm_dst WHERE v > 5;
	RETURN NULL;
END $$;
CREATE TRIGGER dm_stmt AFTER INSERT OR UPDATE OR DELETE ON dm_dst FOR EACH STATEMENT EXECUTE FUNCTION dm_trig();
CREATE FUNCTION dm_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO dm_log SELECT 'transition', count(*), sum(v) FROM newrows WHERE v > 5;
	RETURN NULL;
END $$;
CREATE TRIGGER dm_tr AFTER UPDATE ON dm_dst REFERENCING NEW TABLE AS newrows FOR EACH STATEMENT EXECUTE FUNCTION dm_transition();
ANALYZE dm_src; ANALYZE dm_dst;
-- end setup

BEGIN;
INSERT INTO dm_dst SELECT id + 10000, k, v, t FROM dm_src WHERE v > 90;
SELECT count(*), sum(v), sum(id) FROM dm_dst WHERE id > 10000;
INSERT INTO dm_dst SELECT 20000 + k, k, sum(v), max(t COLLATE "C") FROM dm_src GROUP BY k RETURNING id, k, v, t;
INSERT INTO dm_dst (id, v) SELECT id + 30000, (SELECT count(*) FROM dm_src i WHERE i.v = o.v) FROM dm_src o WHERE k = 3 AND v > 80 RETURNING id, v;
INSERT INTO dm_dst SELECT id, k, v, 'again' FROM dm_src WHERE v > 95 ON CONFLICT (id) DO UPDATE SET v = dm_dst.v + excluded.v, t = excluded.t WHERE dm_dst.k > 5 RETURNING id, v;
INSERT INTO dm_dst SELECT id, k, v, 'nothing' FROM dm_src WHERE v = 7 ON CONFLICT DO NOTHING;
SELECT t, count(*), sum(v) FROM dm_dst GROUP BY t;
SELECT * FROM dm_log WHERE n > 0;
ROLLBACK;
BEGIN;
UPDATE dm_dst SET v = q.s FROM (SELECT k, sum(v) AS s FROM dm_src WHERE v > 10 GROUP BY k) q WHERE dm_dst.k = q.k AND dm_dst.id < 50 RETURNING dm_dst.id, dm_dst.v;
UPDATE dm_dst SET v = s.v FROM dm_src s WHERE s.id = dm_dst.id AND s.v > 90 AND dm_dst.k > 8;
UPDATE dm_dst SET t = 'u' WHERE v > 1000 AND k IN (SELECT k FROM dm_src WHERE v = 100);
UPDATE dm_dst SET v = (SELECT max(v) FROM dm_src WHERE k = dm_dst.k AND id < 500) WHERE id % 300 = 5;
UPDATE dm_dst SET (v, t) = (SELECT sum(v), max(t COLLATE "C") FROM dm_src WHERE dm_src.k = dm_dst.k) WHERE id BETWEEN 100 AND 110;
SELECT t, count(*), sum(v), sum(id) FROM dm_dst GROUP BY t;
SELECT * FROM dm_log WHERE n > 0;
ROLLBACK;
BEGIN;
DELETE FROM dm_dst WHERE v > 1200;
DELETE FROM dm_dst USING dm_src s WHERE s.id = dm_dst.id AND s.v < 5 RETURNING dm_dst.id;
DELETE FROM dm_dst WHERE id IN (SELECT max(id) FROM dm_src WHERE id < 1200 GROUP BY k);
DELETE FROM dm_dst d WHERE EXISTS (SELECT 1 FROM dm_src s WHERE s.id = d.id AND s.t = 's3');
SELECT count(*), sum(v), sum(id) FROM dm_dst WHERE v >= 0;
SELECT * FROM dm_log WHERE n > 0;
ROLLBACK;
BEGIN;
MERGE INTO dm_dst d USING (SELECT * FROM dm_src WHERE v > 97) s ON d.id = s.id WHEN MATCHED AND s.k > 6 THEN DELETE WHEN MATCHED THEN UPDATE SET v = d.v + s.v, t = s.t WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.k, s.v, 'merged');
SELECT t, count(*), sum(v) FROM dm_dst GROUP BY t;
MERGE INTO dm_dst d USING (SELECT k, count(*) AS c, sum(v) AS s FROM dm_src WHERE v > 50 GROUP BY k) q ON d.id = q.k WHEN MATCHED THEN UPDATE SET v = q.s WHEN NOT MATCHED THEN INSERT VALUES (-1 - q.k, q.k, q.c, 'agg');
SELECT id, v, t FROM dm_dst WHERE id < 13;
ROLLBACK;

-- Errors in the middle leave nothing behind.
INSERT INTO dm_dst SELECT id + 5000, k, 1000 / (v - 50), t FROM dm_src WHERE v IS NOT NULL;
INSERT INTO dm_dst SELECT id + 5000, k, v * 1000, t FROM dm_src WHERE v > 90;
INSERT INTO dm_dst SELECT 5000 + id / 2, k, v, t FROM dm_src WHERE v > 90 AND id > 100;
INSERT INTO dm_dst SELECT 7, k, sum(v), 'dup' FROM dm_src GROUP BY k;
UPDATE dm_dst SET v = 100 / (k - 7) WHERE v > 10;
DELETE FROM dm_dst WHERE 100 / (k - 7) > 0;
SELECT count(*), sum(v), sum(id) FROM dm_dst WHERE v > 0;
SELECT count(*) FROM dm_log;

-- Locks.
BEGIN;
SELECT id, v FROM dm_dst WHERE k = 3 AND v > 1400 FOR UPDATE;
SELECT id, v FROM dm_dst WHERE k = 3 AND v > 1400 ORDER BY id FOR NO KEY UPDATE;
SELECT d.id, s.v FROM dm_dst d JOIN dm_src s ON s.id = d.id WHERE d.v > 1450 AND s.v > 50 FOR SHARE OF d;
SELECT id FROM dm_dst WHERE v > 1490 FOR KEY SHARE SKIP LOCKED;
SELECT count(*) FROM (SELECT id FROM dm_dst WHERE v > 100 FOR UPDATE NOWAIT) q;
SELECT k, count(*) FROM dm_dst WHERE v > 100 GROUP BY k FOR UPDATE;
ROLLBACK;
BEGIN;
WITH l AS (SELECT id FROM dm_dst WHERE v > 1495 FOR UPDATE) UPDATE dm_dst SET t = 'locked' FROM l WHERE l.id = dm_dst.id RETURNING dm_dst.id, dm_dst.t;
WITH i AS (INSERT INTO dm_dst SELECT id + 9000, k, v, 'cte' FROM dm_src WHERE v > 99 RETURNING *), u AS (UPDATE dm_dst SET v = v + 1 WHERE v > 1490 RETURNING *) SELECT (SELECT count(*) FROM i), (SELECT sum(v) FROM u), count(*), sum(v) FROM dm_dst WHERE v > 50;
SELECT count(*), sum(v) FROM dm_dst WHERE v > 50;
ROLLBACK;

-- Results kept as tables.
BEGIN;
CREATE TABLE dm_as AS SELECT k, count(*) AS c, sum(v) AS s, avg(v) AS a, max(t COLLATE "C") AS t FROM dm_src WHERE v > 10 GROUP BY k;
SELECT * FROM dm_as WHERE k >= 0;
SELECT attname, format_type(atttypid, atttypmod) AS type, attcollation::regcollation AS coll FROM pg_attribute WHERE attrelid = 'dm_as'::regclass AND attnum > 0;
CREATE TABLE dm_as2 AS SELECT id, t || 'x' AS tx, v FROM dm_src WHERE v > 98 WITH NO DATA;
SELECT count(*) FROM dm_as2 WHERE id > 0;
SELECT id, v INTO dm_as3 FROM dm_src WHERE v > 98;
SELECT count(*), sum(id) FROM dm_as3 WHERE v > 0;
CREATE MATERIALIZED VIEW dm_mv AS SELECT t, sum(v) AS s FROM dm_src GROUP BY t;
SELECT * FROM dm_mv WHERE s > 0;
INSERT INTO dm_src VALUES (99999, 1, 1000, 's1');
REFRESH MATERIALIZED VIEW dm_mv;
SELECT * FROM dm_mv WHERE s > 0;
ROLLBACK;

-- COPY of a query; what is written while groups go to disk.
COPY (SELECT k, count(*), sum(v), max(t COLLATE "C") FROM dm_src WHERE v > 10 GROUP BY k) TO STDOUT;
COPY (SELECT id, v, t FROM dm_src WHERE v > 98) TO STDOUT (FORMAT csv, HEADER, NULL 'none');
COPY (SELECT id, 100 / (v - 50) FROM dm_src WHERE id > 2990 ORDER BY id) TO STDOUT;
COPY (SELECT sum(100 / (v - 50)) FROM dm_src) TO STDOUT;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
COPY (SELECT id, t, count(*), sum(v) FROM dm_src GROUP BY id, t) TO STDOUT (FORMAT csv);
BEGIN;
COPY (DELETE FROM dm_dst USING (SELECT id, t, max(v) AS m FROM dm_src GROUP BY id, t) q WHERE q.id = dm_dst.id AND q.m > 90 RETURNING dm_dst.id, q.m) TO STDOUT;
CREATE TABLE dm_as AS SELECT id, t, count(*) AS c, sum(v) AS s FROM dm_src GROUP BY id, t;
SELECT t, count(*), sum(s), min(id) FROM dm_as GROUP BY t;
INSERT INTO dm_as SELECT id, t || 'x', sum(c), max(s) FROM dm_as GROUP BY id, t || 'x';
INSERT INTO dm_as SELECT -id, t, c, (SELECT count(*) FROM dm_src i WHERE i.v = o.s) FROM dm_as o WHERE s > 98;
ANALYZE dm_as;
SELECT t, count(*), sum(s), min(id) FROM dm_as GROUP BY t;
UPDATE dm_as SET s = q.m FROM (SELECT id, max(s) AS m, count(*) AS n FROM dm_as GROUP BY id) q WHERE q.id = dm_as.id AND q.n = 2 AND dm_as.c = 1;
MERGE INTO dm_as d USING (SELECT id, t, sum(v) AS s FROM dm_src GROUP BY id, t) q ON d.id = q.id AND d.t = q.t WHEN MATCHED AND q.s > 50 THEN DELETE WHEN MATCHED THEN UPDATE SET c = d.c + q.s WHEN NOT MATCHED BY SOURCE AND d.id < 0 THEN DELETE;
SELECT t, count(*), sum(s), sum(c), min(id) FROM dm_as GROUP BY t;
CREATE MATERIALIZED VIEW dm_mv AS SELECT id, t, sum(s) AS s FROM dm_as GROUP BY id, t;
CREATE UNIQUE INDEX ON dm_mv (id, t);
DELETE FROM dm_as WHERE id % 3 = 0;
REFRESH MATERIALIZED VIEW CONCURRENTLY dm_mv;
SELECT t, count(*), sum(s) FROM dm_mv WHERE id > 0 GROUP BY t;
REFRESH MATERIALIZED VIEW dm_mv;
SELECT t, count(*), sum(s) FROM dm_mv WHERE id > 0 GROUP BY t;
CREATE TEMP TABLE dm_temp ON COMMIT DROP AS SELECT id, v, t FROM dm_src;
CREATE UNLOGGED TABLE dm_unlogged AS SELECT * FROM dm_temp WHERE v > 5;
-- require
SELECT v, count(*), max(t COLLATE "C") FROM dm_temp GROUP BY v;
-- require
SELECT v, count(*), max(t COLLATE "C") FROM dm_unlogged WHERE id > 7 GROUP BY v;
TRUNCATE dm_temp, dm_unlogged;
-- require
SELECT v, count(*) FROM dm_temp GROUP BY v;
-- require
SELECT count(*), sum(v) FROM dm_unlogged WHERE id > 0;
INSERT INTO dm_temp SELECT k, count(*), max(t) FROM dm_src GROUP BY k;
-- require
SELECT v, count(*), sum(id) FROM dm_temp GROUP BY v;
ROLLBACK;
RESET work_mem;
RESET hash_mem_multiplier;
