-- The transaction's own uncommitted changes: seen from the next command on and not before, rolled
-- back with their savepoint, deleted and deleted again; cursors that were opened before a change;
-- functions that read what the statement around them writes; freshly written tables without hint
-- bits; tables truncated, rewritten and altered in the transaction.

-- setup
CREATE TABLE to_chg (id int NOT NULL, k int, v int, t text) WITH (autovacuum_enabled = off);
INSERT INTO to_chg SELECT g, g % 10, g, 't' || g FROM generate_series(1, 4000) g;
CREATE FUNCTION to_count() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN (SELECT count(*) FROM to_chg WHERE v > 0); END $$;
CREATE FUNCTION to_count_stable() RETURNS bigint LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN (SELECT count(*) FROM to_chg WHERE v > 0); END $$;
-- end setup

BEGIN;
INSERT INTO to_chg SELECT g, g % 10, g, 'own' FROM generate_series(4001, 5500) g;
-- require
SELECT count(*), sum(v), count(*) FILTER (WHERE t = 'own') FROM to_chg;
DELETE FROM to_chg WHERE id BETWEEN 1000 AND 2000;
-- require
SELECT count(*), sum(v), min(id), max(id) FROM to_chg WHERE id > 500;
UPDATE to_chg SET v = -v WHERE id % 3 = 0;
-- require
SELECT k, count(*), sum(v), min(v) FROM to_chg GROUP BY k;
UPDATE to_chg SET v = -v WHERE id % 3 = 0 AND id > 4500;
-- require
SELECT id, v, t FROM to_chg WHERE id BETWEEN 4490 AND 4510;
SAVEPOINT a;
DELETE FROM to_chg WHERE k = 5;
INSERT INTO to_chg SELECT g, 77, g, 'sub' FROM generate_series(6001, 6100) g;
-- require
SELECT k, count(*), sum(v) FROM to_chg GROUP BY k;
SAVEPOINT b;
UPDATE to_chg SET k = 88 WHERE k = 77 AND id % 2 = 0;
-- require
SELECT k, count(*), sum(v) FROM to_chg WHERE k > 5 GROUP BY k;
ROLLBACK TO b;
-- require
SELECT k, count(*), sum(v) FROM to_chg WHERE k > 5 GROUP BY k;
ROLLBACK TO a;
-- require
SELECT k, count(*), sum(v) FROM to_chg WHERE k > 3 GROUP BY k;
RELEASE a;
DELETE FROM to_chg WHERE t = 'own' AND id % 2 = 0;
-- require
SELECT count(*), sum(v) FROM to_chg WHERE t = 'own';
SELECT count(*) FROM (SELECT 1 FROM to_chg WHERE id < 100 FOR UPDATE) s;
-- require
SELECT count(*), sum(v) FROM to_chg WHERE id < 200;
ROLLBACK;
-- require
SELECT count(*), sum(v), max(id) FROM to_chg;

-- A cursor sees the table as it was when it was opened.
BEGIN;
DECLARE to_c NO SCROLL CURSOR FOR SELECT id, v FROM to_chg WHERE id % 500 = 0;
-- ordered
FETCH 2 FROM to_c;
DELETE FROM to_chg WHERE id > 1200;
UPDATE to_chg SET v = -1 WHERE id <= 1000;
INSERT INTO to_chg SELECT g, 0, g, 'new' FROM generate_series(5000, 5500) g;
-- ordered
FETCH 2 FROM to_c;
SAVEPOINT a;
DELETE FROM to_chg;
-- ordered
FETCH 1 FROM to_c;
ROLLBACK TO a;
-- ordered
FETCH ALL FROM to_c;
CLOSE to_c;
-- require
SELECT count(*), sum(v) FROM to_chg WHERE id > 0;
DECLARE to_c CURSOR FOR SELECT k, count(*), sum(v) FROM to_chg GROUP BY k ORDER BY k;
FETCH 3 FROM to_c;
TRUNCATE to_chg;
ROLLBACK;
BEGIN;
DECLARE to_c CURSOR FOR SELECT k, count(*) AS c, sum(v) AS s FROM to_chg GROUP BY k ORDER BY k;
DELETE FROM to_chg WHERE k < 5;
-- ordered
FETCH ALL FROM to_c;
ROLLBACK;

-- A statement does not see its own writes; a volatile function in it does, a stable one does not.
BEGIN;
INSERT INTO to_chg SELECT id + 10000, k, v, t FROM to_chg WHERE v > 3000;
SELECT count(*) FROM to_chg;
INSERT INTO to_chg SELECT 20000 + k, k, c, 'agg' FROM (SELECT k, count(*) AS c FROM to_chg GROUP BY k) s;
SELECT id, v FROM to_chg WHERE t = 'agg';
UPDATE to_chg SET v = v + (SELECT count(*) FROM to_chg WHERE v > 100) WHERE id <= 5;
SELECT id, v FROM to_chg WHERE id <= 5;
WITH d AS (DELETE FROM to_chg WHERE id <= 2000 RETURNING id) SELECT count(*), (SELECT count(*) FROM to_chg WHERE id > 0) FROM d;
SELECT count(*) FROM to_chg WHERE id > 0;
UPDATE to_chg SET v = to_count() WHERE id BETWEEN 2001 AND 2003;
SELECT id, v FROM to_chg WHERE id BETWEEN 2001 AND 2003;
ROLLBACK;
BEGIN;
WITH d AS (UPDATE to_chg SET v = -1 WHERE id <= 10 RETURNING id) SELECT id, to_count_stable() FROM d;
SELECT to_count(), to_count_stable();
INSERT INTO to_chg SELECT 30000 + g, 1, to_count(), 'f' FROM generate_series(1, 3) g;
SELECT id, v FROM to_chg WHERE t = 'f';
MERGE INTO to_chg USING (SELECT k, sum(v) AS s FROM to_chg WHERE v > 0 GROUP BY k) q ON to_chg.id = q.k + 1 WHEN MATCHED THEN UPDATE SET v = q.s WHEN NOT MATCHED THEN INSERT VALUES (-1, q.k, q.s, 'm');
SELECT id, v FROM to_chg WHERE id <= 10;
ROLLBACK;

-- Tables made, filled, altered and emptied within the transaction; no hint bits.
BEGIN;
CREATE TABLE to_new (id int NOT NULL, v int, t text);
-- require
SELECT count(*), sum(v) FROM to_new;
INSERT INTO to_new SELECT g, g, 'n' || g % 10 FROM generate_series(1, 3000) g;
-- require
SELECT t, count(*), sum(v) FROM to_new GROUP BY t;
ALTER TABLE to_new ADD w int DEFAULT 5, DROP v;
-- require
SELECT count(*), sum(w), max(t COLLATE "C") FROM to_new WHERE id > 10;
INSERT INTO to_new SELECT g, 'x', g FROM generate_series(3001, 3500) g;
-- require
SELECT t, count(*), sum(w) FROM to_new WHERE w > 4 GROUP BY t;
ALTER TABLE to_new ALTER w TYPE numeric(10,2) USING w / 4.0;
-- require
SELECT count(*), sum(w), avg(w) FROM to_new WHERE w > 1;
SAVEPOINT a;
TRUNCATE to_new;
-- require
SELECT count(*), sum(w) FROM to_new WHERE id > 0;
INSERT INTO to_new VALUES (1, 'only', 1);
-- require
SELECT * FROM to_new WHERE id > 0;
ROLLBACK TO a;
-- require
SELECT count(*), sum(w), max(id) FROM to_new WHERE id > 0;
COMMIT;
-- require
SELECT count(*), sum(w), max(id) FROM to_new WHERE id > 0;
UPDATE to_new SET w = w + 1;
DELETE FROM to_new WHERE id % 4 = 0;
-- require
SELECT count(*), sum(w), sum(id) FROM to_new WHERE w > 2;
BEGIN;
INSERT INTO to_new SELECT g, 'gone', 0 FROM generate_series(9001, 9500) g;
DELETE FROM to_new WHERE id < 1500;
ROLLBACK;
-- require
SELECT t, count(*), sum(w), min(id), max(id) FROM to_new GROUP BY t;
DROP TABLE to_new;

-- Many subtransactions: more than the snapshot's cache holds.
CREATE TABLE to_sub (id int, v int);
BEGIN;
DO $$
BEGIN
	FOR i IN 1..120 LOOP
		BEGIN
			INSERT INTO to_sub SELECT i * 100 + g, i FROM generate_series(1, 20) g;
			IF i % 3 = 0 THEN RAISE EXCEPTION 'undo'; END IF;
		EXCEPTION WHEN OTHERS THEN NULL;
		END;
	END LOOP;
END $$;
-- require
SELECT count(*), sum(v), sum(id) FROM to_sub WHERE id > 0;
-- require
SELECT v % 3 AS m, count(*), sum(id) FROM to_sub GROUP BY 1;
COMMIT;
-- require
SELECT v % 3 AS m, count(*), sum(id) FROM to_sub GROUP BY 1;
DROP TABLE to_sub;
