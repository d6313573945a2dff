-- Cursors over scans and aggregates: no keyword (scrollable where core's plan is), SCROLL, NO
-- SCROLL, WITH HOLD; forward, backward, absolute, relative, first, last, past either end, across
-- batch edges; WHERE CURRENT OF; several at once; MOVE; closed in the middle; in PL/pgSQL.

-- setup
CREATE TABLE pc_t (id int NOT NULL, k int, v int, t text);
INSERT INTO pc_t SELECT g, g % 10, g * 2, 't' || g % 7 FROM generate_series(1, 4000) g;
ANALYZE pc_t;
CREATE FUNCTION pc_scroll() RETURNS text LANGUAGE plpgsql AS $$
DECLARE c SCROLL CURSOR FOR SELECT id FROM pc_t WHERE k = 3; x int; res text := '';
BEGIN
	OPEN c;
	FETCH LAST FROM c INTO x; res := res || x || ' ';
	FETCH FIRST FROM c INTO x; res := res || x || ' ';
	FETCH RELATIVE 5 FROM c INTO x; res := res || x || ' ';
	FETCH PRIOR FROM c INTO x; res := res || x || ' ';
	MOVE FORWARD 150 FROM c;
	FETCH c INTO x; res := res || x;
	CLOSE c;
	RETURN res;
END $$;
CREATE FUNCTION pc_update() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE c CURSOR FOR SELECT id, v FROM pc_t WHERE k = 4 FOR UPDATE; n int := 0;
BEGIN
	FOR r IN c LOOP
		UPDATE pc_t SET v = -v WHERE CURRENT OF c;
		n := n + 1;
		EXIT WHEN n = 120;
	END LOOP;
	RETURN (SELECT sum(v) FROM pc_t WHERE k = 4);
END $$;
CREATE FUNCTION pc_refs() RETURNS SETOF refcursor LANGUAGE plpgsql AS $$
DECLARE a refcursor := 'pc_ra'; b refcursor := 'pc_rb';
BEGIN
	OPEN a FOR SELECT id FROM pc_t WHERE k = 1;
	RETURN NEXT a;
	OPEN b FOR SELECT k, count(*) FROM pc_t GROUP BY k ORDER BY k;
	RETURN NEXT b;
END $$;
-- end setup

BEGIN;
DECLARE c CURSOR FOR SELECT id, v FROM pc_t WHERE k < 5;
-- ordered
FETCH 3 FROM c;
-- ordered
FETCH PRIOR FROM c;
-- ordered
FETCH BACKWARD 1 FROM c;
-- ordered
FETCH BACKWARD 1 FROM c;
-- ordered
FETCH 2 FROM c;
-- ordered
FETCH 1200 FROM c;
-- ordered
FETCH BACKWARD 5 FROM c;
-- ordered
FETCH 5 FROM c;
-- ordered
FETCH ABSOLUTE 1024 FROM c;
-- ordered
FETCH RELATIVE 1 FROM c;
-- ordered
FETCH RELATIVE 0 FROM c;
-- ordered
FETCH ABSOLUTE -1 FROM c;
-- ordered
FETCH NEXT FROM c;
-- ordered
FETCH PRIOR FROM c;
-- ordered
FETCH FIRST FROM c;
-- ordered
FETCH LAST FROM c;
-- ordered
FETCH BACKWARD 3 FROM c;
-- ordered
FETCH BACKWARD ALL FROM c;
-- ordered
FETCH 2 FROM c;
MOVE 500 FROM c;
-- ordered
FETCH 1 FROM c;
MOVE BACKWARD 100 FROM c;
-- ordered
FETCH 1 FROM c;
MOVE ABSOLUTE 1999 FROM c;
-- ordered
FETCH ALL FROM c;
-- ordered
FETCH ABSOLUTE 3000 FROM c;
-- ordered
FETCH BACKWARD 2 FROM c;
CLOSE c;
COMMIT;

-- A plain scan without filter, and one whose rows begin late.
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM pc_t;
-- ordered
FETCH 3 FROM c;
-- ordered
FETCH BACKWARD 2 FROM c;
DECLARE d CURSOR FOR SELECT id, t FROM pc_t WHERE id > 3500 AND t = 't3';
-- ordered
FETCH 2 FROM d;
-- ordered
FETCH PRIOR FROM d;
-- ordered
FETCH PRIOR FROM d;
-- ordered
FETCH NEXT FROM d;
-- ordered
FETCH 2 FROM c;
DECLARE e CURSOR FOR SELECT id FROM pc_t WHERE id < 0;
FETCH 1 FROM e;
FETCH PRIOR FROM e;
FETCH LAST FROM e;
DECLARE f CURSOR FOR SELECT id, upper(t) AS u, v / 3 AS q FROM pc_t WHERE v % 3 = 0 AND length(t) = 2;
-- ordered
FETCH 2 FROM f;
-- ordered
FETCH BACKWARD ALL FROM f;
-- ordered
FETCH 3 FROM f;
COMMIT;

-- SCROLL and NO SCROLL.
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, v FROM pc_t WHERE k = 7;
-- ordered
FETCH LAST FROM c;
-- ordered
FETCH ABSOLUTE 5 FROM c;
-- ordered
FETCH BACKWARD 10 FROM c;
-- ordered
FETCH FORWARD 4 FROM c;
-- ordered
FETCH ABSOLUTE -3 FROM c;
DECLARE d NO SCROLL CURSOR FOR SELECT id, v FROM pc_t WHERE k = 7;
-- ordered
FETCH 4 FROM d;
-- ordered
FETCH ABSOLUTE 10 FROM d;
-- ordered
FETCH RELATIVE 3 FROM d;
-- ordered
FETCH ALL FROM d;
COMMIT;
BEGIN;
DECLARE d NO SCROLL CURSOR FOR SELECT id, v FROM pc_t WHERE k = 7;
-- ordered
FETCH 4 FROM d;
FETCH PRIOR FROM d;
ROLLBACK;
BEGIN;
DECLARE d NO SCROLL CURSOR FOR SELECT id, v FROM pc_t WHERE k = 7;
-- ordered
FETCH 4 FROM d;
FETCH FIRST FROM d;
ROLLBACK;

-- Aggregates and sorts: backward needs SCROLL.
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT k, count(*), sum(v) FROM pc_t GROUP BY k ORDER BY k;
-- ordered
FETCH 4 FROM c;
-- ordered
FETCH BACKWARD 2 FROM c;
-- ordered
FETCH LAST FROM c;
-- ordered
FETCH FIRST FROM c;
DECLARE d CURSOR FOR SELECT count(*), sum(v), max(t COLLATE "C") FROM pc_t;
FETCH 2 FROM d;
DECLARE e SCROLL CURSOR FOR SELECT count(*), sum(v) FROM pc_t WHERE k > 3;
FETCH 1 FROM e;
FETCH 1 FROM e;
FETCH PRIOR FROM e;
FETCH PRIOR FROM e;
FETCH NEXT FROM e;
DECLARE f SCROLL CURSOR FOR SELECT sum(c), count(*) FROM (SELECT k, t, count(*) AS c FROM pc_t GROUP BY k, t) q;
FETCH ALL FROM f;
FETCH FIRST FROM f;
DECLARE g CURSOR FOR SELECT id FROM pc_t WHERE k = 2 ORDER BY v DESC;
-- ordered
FETCH 3 FROM g;
-- ordered
FETCH BACKWARD 1 FROM g;
DECLARE h CURSOR FOR SELECT k, count(*) FROM pc_t GROUP BY k ORDER BY k LIMIT 3;
-- ordered
FETCH ALL FROM h;
COMMIT;

-- WITH HOLD.
BEGIN;
DECLARE c CURSOR WITH HOLD FOR SELECT id, v FROM pc_t WHERE k = 8;
-- ordered
FETCH 2 FROM c;
DECLARE d SCROLL CURSOR WITH HOLD FOR SELECT k, count(*) FROM pc_t WHERE v > 10 GROUP BY k ORDER BY k;
-- ordered
FETCH 1 FROM d;
DECLARE e SCROLL CURSOR WITH HOLD FOR SELECT id FROM pc_t WHERE k = 9 AND id > 2000;
-- ordered
FETCH 3 FROM e;
COMMIT;
-- ordered
FETCH 3 FROM c;
-- ordered
FETCH PRIOR FROM e;
-- ordered
FETCH ABSOLUTE 100 FROM e;
-- ordered
FETCH ALL FROM d;
-- ordered
FETCH BACKWARD 3 FROM d;
MOVE 380 FROM c;
-- ordered
FETCH ALL FROM c;
CLOSE c;
CLOSE ALL;

-- WHERE CURRENT OF.
BEGIN;
DECLARE c CURSOR FOR SELECT id, v FROM pc_t WHERE k = 5 AND id > 1000;
-- ordered
FETCH 2 FROM c;
UPDATE pc_t SET v = -1 WHERE CURRENT OF c;
-- ordered
FETCH 1 FROM c;
DELETE FROM pc_t WHERE CURRENT OF c;
DELETE FROM pc_t WHERE CURRENT OF c;
MOVE 100 FROM c;
UPDATE pc_t SET t = 'current' WHERE CURRENT OF c RETURNING id, v, t;
SELECT id, v, t FROM pc_t WHERE v = -1 OR t = 'current' OR id BETWEEN 1010 AND 1030;
DECLARE d CURSOR FOR SELECT * FROM pc_t WHERE t = 't4' FOR UPDATE;
-- ordered
FETCH 3 FROM d;
DELETE FROM pc_t WHERE CURRENT OF d;
SELECT count(*), sum(id) FROM pc_t WHERE t = 't4';
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM pc_t WHERE k = 5;
SAVEPOINT s;
UPDATE pc_t SET v = 0 WHERE CURRENT OF c;
ROLLBACK TO s;
FETCH ALL FROM c;
UPDATE pc_t SET v = 0 WHERE CURRENT OF c;
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT k, count(*) FROM pc_t GROUP BY k ORDER BY k;
-- ordered
FETCH 1 FROM c;
UPDATE pc_t SET v = 0 WHERE CURRENT OF c;
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT count(*) FROM pc_t WHERE k > 2;
FETCH 1 FROM c;
DELETE FROM pc_t WHERE CURRENT OF c;
ROLLBACK;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM pc_t WHERE k = 6;
-- ordered
FETCH ABSOLUTE 3 FROM c;
DELETE FROM pc_t WHERE CURRENT OF c;
SELECT count(*), sum(id) FROM pc_t WHERE k = 6;
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT a.id FROM pc_t a JOIN pc_t b ON a.id = b.id + 1 WHERE a.k = 1 AND b.k = 0;
FETCH 1 FROM c;
DELETE FROM pc_t WHERE CURRENT OF c;
ROLLBACK;

-- PL/pgSQL and references.
SELECT pc_scroll();
BEGIN;
SELECT pc_update();
SELECT count(*), sum(v) FROM pc_t WHERE v < 0;
ROLLBACK;
BEGIN;
SELECT pc_refs();
-- ordered
FETCH 3 FROM pc_ra;
-- ordered
FETCH ALL FROM pc_rb;
-- ordered
FETCH BACKWARD 2 FROM pc_ra;
COMMIT;

-- Closed in the middle of a batch, then the table is read and changed.
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM pc_t WHERE v > 100;
-- ordered
FETCH 10 FROM c;
CLOSE c;
SELECT count(*), sum(v) FROM pc_t WHERE v > 100;
DECLARE c CURSOR FOR SELECT id FROM pc_t WHERE v > 100;
-- ordered
FETCH 10 FROM c;
SAVEPOINT s;
SELECT 1 / 0;
ROLLBACK TO s;
-- ordered
FETCH 10 FROM c;
ROLLBACK;
