-- Queries that core itself runs or plans: foreign-key checks and their validation, refresh of a
-- materialized view concurrently, constraint and default evaluation, ATTACH PARTITION, rules,
-- SQL and PL/pgSQL functions of every kind, event order of triggers, DO blocks.

-- setup
CREATE TABLE mt_pk (id int PRIMARY KEY, k int, t text);
INSERT INTO mt_pk SELECT g, g % 10, 't' || g % 5 FROM generate_series(1, 2000) g;
CREATE TABLE mt_fk (id int, pk int, v int);
INSERT INTO mt_fk SELECT g, g % 1000 + 1, g FROM generate_series(1, 3000) g;
CREATE TABLE mt_bad (id int, pk int);
INSERT INTO mt_bad SELECT g, CASE WHEN g = 2500 THEN 99999 ELSE g % 1000 + 1 END FROM generate_series(1, 3000) g;
CREATE MATERIALIZED VIEW mt_mv AS SELECT k, count(*) AS c, sum(id) AS s, max(t COLLATE "C") AS t FROM mt_pk WHERE id > 10 GROUP BY k;
CREATE UNIQUE INDEX ON mt_mv (k);
CREATE MATERIALIZED VIEW mt_mv2 AS SELECT id, k, t FROM mt_pk WHERE k > 4;
CREATE UNIQUE INDEX ON mt_mv2 (id);
CREATE FUNCTION mt_ret_query(p int) RETURNS TABLE (k int, c bigint) LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT m.k, count(*) FROM mt_pk m WHERE m.id > p GROUP BY m.k; RETURN QUERY EXECUTE 'SELECT k, sum(id) FROM mt_pk WHERE id > $1 GROUP BY k' USING p; END $$;
CREATE FUNCTION mt_sql_setof(p int) RETURNS SETOF mt_pk LANGUAGE sql AS 'SELECT * FROM mt_pk WHERE k = p AND id < 100';
CREATE FUNCTION mt_sql_last(p int) RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT sum(id) FROM mt_pk WHERE k = p; SELECT count(*) FROM mt_pk WHERE k > p';
CREATE FUNCTION mt_perform(p int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM mt_pk WHERE k = p AND id > 1990; RETURN FOUND; END $$;
CREATE FUNCTION mt_expr(p int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE a int := (SELECT count(*) FROM mt_pk WHERE k = p); b text;
BEGIN
	IF EXISTS (SELECT 1 FROM mt_pk WHERE k = p AND t = 't3') THEN b := 'has t3'; ELSE b := 'none'; END IF;
	WHILE a > (SELECT avg(k) FROM mt_pk WHERE id < 500) LOOP a := a - 50; END LOOP;
	RETURN b || ' ' || a || ' ' || (SELECT string_agg(k || '=' || c, ',' ORDER BY k) FROM (SELECT k, count(*) AS c FROM mt_pk WHERE id % 7 = p GROUP BY k) q);
END $$;
CREATE PROCEDURE mt_proc() LANGUAGE plpgsql AS $$
DECLARE r record; n int := 0;
BEGIN
	FOR r IN SELECT id FROM mt_fk WHERE v % 500 = 0 LOOP
		UPDATE mt_fk SET v = v + 1 WHERE id = r.id;
		n := n + 1;
		COMMIT;
	END LOOP;
	IF n <> 6 THEN RAISE EXCEPTION 'saw % rows', n; END IF;
END $$;
-- end setup

-- Foreign keys.
BEGIN;
ALTER TABLE mt_fk ADD FOREIGN KEY (pk) REFERENCES mt_pk ON DELETE CASCADE;
DELETE FROM mt_pk WHERE id BETWEEN 10 AND 12;
SELECT count(*), sum(v) FROM mt_fk WHERE v > 0;
INSERT INTO mt_fk SELECT 9000 + id, id, 0 FROM mt_pk WHERE k = 5;
SELECT count(*), sum(v) FROM mt_fk WHERE v = 0;
SAVEPOINT s;
INSERT INTO mt_fk VALUES (1, 55555, 1);
ROLLBACK TO s;
SAVEPOINT s;
ALTER TABLE mt_bad ADD FOREIGN KEY (pk) REFERENCES mt_pk;
ROLLBACK TO s;
ALTER TABLE mt_bad ADD CONSTRAINT mt_bad_fk FOREIGN KEY (pk) REFERENCES mt_pk NOT VALID;
SAVEPOINT s;
ALTER TABLE mt_bad VALIDATE CONSTRAINT mt_bad_fk;
ROLLBACK TO s;
DELETE FROM mt_bad WHERE pk > 2000 OR pk BETWEEN 10 AND 12;
ALTER TABLE mt_bad VALIDATE CONSTRAINT mt_bad_fk;
ROLLBACK;

-- Constraints, defaults, partitions, indexes on expressions.
BEGIN;
ALTER TABLE mt_fk ADD CHECK (v > 0), ADD UNIQUE (id);
ALTER TABLE mt_fk ALTER v SET NOT NULL;
SAVEPOINT s;
ALTER TABLE mt_fk ADD CHECK (v < 2900);
ROLLBACK TO s;
CREATE TABLE mt_part (id int, pk int, v int) PARTITION BY RANGE (v);
SAVEPOINT s;
ALTER TABLE mt_part ATTACH PARTITION mt_fk FOR VALUES FROM (0) TO (100);
ROLLBACK TO s;
ALTER TABLE mt_part ATTACH PARTITION mt_fk FOR VALUES FROM (0) TO (100000);
SELECT count(*), sum(v) FROM mt_part WHERE v > 10;
CREATE INDEX ON mt_fk ((v * 2)) WHERE pk > 5;
SELECT count(*) FROM mt_fk WHERE v * 2 = 100 AND pk > 5;
ALTER TABLE mt_bad ALTER pk TYPE bigint USING pk + (id % 2);
SELECT pk % 3 AS m, count(*), sum(id) FROM mt_bad GROUP BY 1;
ROLLBACK;

-- Materialized views.
BEGIN;
UPDATE mt_pk SET t = 'z' WHERE id % 100 = 7;
DELETE FROM mt_pk WHERE k = 3;
REFRESH MATERIALIZED VIEW CONCURRENTLY mt_mv;
REFRESH MATERIALIZED VIEW CONCURRENTLY mt_mv2;
SELECT * FROM mt_mv WHERE c > 0;
SELECT t, count(*), sum(id) FROM mt_mv2 GROUP BY t;
REFRESH MATERIALIZED VIEW mt_mv;
SELECT * FROM mt_mv WHERE c > 0;
ROLLBACK;

-- Functions.
SELECT * FROM mt_ret_query(1000);
SELECT k, count(*), sum(c) FROM mt_ret_query(500) GROUP BY k;
SELECT * FROM mt_sql_setof(4);
SELECT t, count(*) FROM mt_sql_setof(4) WHERE id > 20 GROUP BY t;
SELECT p, mt_sql_last(p), mt_perform(p), mt_expr(p) FROM generate_series(0, 9) p;
CALL mt_proc();
SELECT v % 500 AS m, count(*) FROM mt_fk WHERE v % 500 < 2 GROUP BY 1;
DO $$
DECLARE a bigint; b bigint; c text;
BEGIN
	SELECT count(*), sum(v) INTO a, b FROM mt_fk WHERE v > 100;
	SELECT string_agg(t, ',' ORDER BY t COLLATE "C") INTO c FROM (SELECT t FROM mt_pk WHERE k > 3 GROUP BY t) q;
	RAISE EXCEPTION '% % %', a, b, c;
END $$;
DO $$
DECLARE r record; n int := 0;
BEGIN
	FOR r IN SELECT k, count(*) AS c FROM mt_pk WHERE id > 7 GROUP BY k LOOP
		n := n + r.c;
		BEGIN
			PERFORM 100 / (k - 3) FROM mt_pk WHERE k = r.k;
		EXCEPTION WHEN division_by_zero THEN n := n + 100000;
		END;
	END LOOP;
	RAISE EXCEPTION 'total %', n;
END $$;
