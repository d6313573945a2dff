-- Errors that the consumer of the rows reaches, and those that it does not.  A batch looks ahead:
-- with a zero in row 6, LIMIT 5, EXISTS, FETCH 5, a loop that exits, a semijoin or a merge join that
-- ends early must not fail, and one row more must.

-- setup
CREATE TABLE er_t (id int NOT NULL, x int, y int, s text NOT NULL);
-- Zero in row 6 and in row 2000; a word that is no number in rows 9 and 1500.
INSERT INTO er_t SELECT g, CASE WHEN g IN (6, 2000) THEN 0 WHEN g = 4 THEN NULL ELSE g % 10 + 1 END, g % 10, CASE WHEN g IN (9, 1500) THEN 'word' ELSE g::text END
FROM generate_series(1, 3000) g;
-- Zero in row 60, behind the rows that a PL/pgSQL loop prefetches; and just behind the batch edges.
CREATE TABLE er_late (id int NOT NULL, x int);
INSERT INTO er_late SELECT g, CASE WHEN g IN (60, 1025, 2049) THEN 0 ELSE 1 + g % 10 END FROM generate_series(1, 3000) g;
CREATE TABLE er_edge (id int NOT NULL, x int);
INSERT INTO er_edge SELECT g, CASE WHEN g = 1025 THEN 0 ELSE 1 END FROM generate_series(1, 3000) g;
CREATE TABLE er_last (id int NOT NULL, x int);
INSERT INTO er_last SELECT g, CASE WHEN g = 3000 THEN 0 ELSE 1 END FROM generate_series(1, 3000) g;
CREATE TABLE er_first (id int NOT NULL, x int);
INSERT INTO er_first SELECT g, CASE WHEN g = 1 THEN 0 ELSE 1 END FROM generate_series(1, 3000) g;
CREATE TABLE er_all (id int NOT NULL, x int);
INSERT INTO er_all SELECT g, 0 FROM generate_series(1, 3000) g;
CREATE TABLE er_empty (id int NOT NULL, x int, s text);
CREATE TABLE er_key (k int PRIMARY KEY, v text);
INSERT INTO er_key SELECT g, 'k' || g FROM generate_series(1, 5) g;
ANALYZE er_t; ANALYZE er_late; ANALYZE er_edge; ANALYZE er_last; ANALYZE er_first; ANALYZE er_key;

CREATE FUNCTION er_loop(lim int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; n int := 0; total int := 0;
BEGIN
	FOR r IN SELECT 100 / x AS q FROM er_late WHERE id > 0 LOOP
		n := n + 1;
		total := total + r.q;
		EXIT WHEN n >= lim;
	END LOOP;
	RETURN n || ' rows, ' || total;
END $$;
CREATE FUNCTION er_cursor_loop(lim int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c CURSOR FOR SELECT 100 / x AS q FROM er_t WHERE id > 0; n int := 0; total int := 0;
BEGIN
	FOR r IN c LOOP
		n := n + 1;
		total := total + coalesce(r.q, 0);
		EXIT WHEN n >= lim;
	END LOOP;
	RETURN n || ' rows, ' || total;
END $$;
CREATE FUNCTION er_into() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
	SELECT 100 / x INTO v FROM er_t WHERE id > 4;
	RETURN v;
END $$;
CREATE FUNCTION er_into_strict() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
	SELECT 100 / x INTO STRICT v FROM er_t WHERE id > 4;
	RETURN v;
END $$;
CREATE FUNCTION er_fetch(start int, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c refcursor; v int; res text := '';
BEGIN
	OPEN c FOR SELECT 100 / x FROM er_t WHERE id >= start;
	FOR i IN 1..n LOOP
		FETCH c INTO v;
		EXIT WHEN NOT FOUND;
		res := res || coalesce(v::text, '-') || ' ';
	END LOOP;
	CLOSE c;
	RETURN res;
END $$;
CREATE FUNCTION er_first_row(start int) RETURNS int LANGUAGE sql AS 'SELECT 100 / x FROM er_t WHERE id >= start';
CREATE FUNCTION er_setof(start int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT 100 / x FROM er_t WHERE id >= start';
CREATE FUNCTION er_try(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n int := 0; r record;
BEGIN
	FOR r IN EXECUTE q LOOP n := n + 1; END LOOP;
	RETURN n || ' rows';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- end setup

-- LIMIT.
-- require
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 0 LIMIT 5;
-- require
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 0 LIMIT 6;
-- require
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 6 LIMIT 1000;
-- require
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 6 LIMIT 1993;
-- require
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 6 LIMIT 1994;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 6 OFFSET 1990 LIMIT 3;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 6 OFFSET 1990 LIMIT 4;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 0 LIMIT 0;
-- serial
SELECT 100 / x AS q FROM er_t LIMIT 5;
-- require
-- serial
SELECT id FROM er_t WHERE 100 / x > 5 LIMIT 4;
-- require
-- serial
SELECT id FROM er_t WHERE 100 / x > 5 LIMIT 5;
-- require
-- serial
SELECT id FROM er_t WHERE 100 / x < 0 LIMIT 1;
-- require
-- serial
SELECT id, s::int AS n FROM er_t WHERE id > 0 LIMIT 8;
-- require
-- serial
SELECT id, s::int AS n FROM er_t WHERE id > 0 LIMIT 9;
-- require
-- serial
SELECT id FROM er_t WHERE s::int > 0 LIMIT 8;
-- require
-- serial
SELECT id FROM er_t WHERE s::int > 0 LIMIT 9;
-- require
-- serial
SELECT 100 / x AS q FROM er_edge WHERE id > 0 LIMIT 1024;
-- require
-- serial
SELECT 100 / x AS q FROM er_edge WHERE id > 0 LIMIT 1025;
-- require
-- serial
SELECT count(*) FROM (SELECT 100 / x AS q FROM er_last WHERE id > 0 LIMIT 2999) s;
-- require
SELECT 100 / x AS q FROM er_last WHERE id > 0;
-- require
-- serial
SELECT 100 / x AS q FROM er_first WHERE id > 0 LIMIT 1;
-- require
-- serial
SELECT 100 / x AS q FROM er_first WHERE id > 1 LIMIT 1;
-- require
SELECT 100 / x AS q FROM er_all WHERE id > 0;
-- serial
SELECT 100 / x AS q FROM er_all WHERE id > 0 LIMIT 0;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 0 ORDER BY id LIMIT 5;
-- serial
SELECT * FROM (SELECT 100 / x AS q FROM er_t WHERE id > 0 OFFSET 0) s WHERE q > 5 LIMIT 4;
-- serial
SELECT * FROM (SELECT 100 / x AS q FROM er_t WHERE id > 0 OFFSET 0) s WHERE q < 0 LIMIT 1;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 0 FETCH FIRST 5 ROWS ONLY;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id > 0 LIMIT (SELECT max(k) FROM er_key);
-- serial
SELECT 100 / x AS q, generate_series(1, 2) AS g FROM er_t WHERE id > 0 LIMIT 10;
-- serial
SELECT 100 / x AS q, generate_series(1, 2) AS g FROM er_t WHERE id > 0 LIMIT 11;

-- EXISTS and scalar subqueries.
-- serial
SELECT EXISTS (SELECT 1 FROM er_t WHERE 100 / x > 5);
-- serial
SELECT EXISTS (SELECT 1 FROM er_t WHERE 100 / x < 0);
-- serial
SELECT EXISTS (SELECT 100 / x FROM er_t WHERE id > 0);
-- serial
SELECT EXISTS (SELECT 1 FROM er_t WHERE id > 5 AND 100 / x > 0);
-- serial
SELECT NOT EXISTS (SELECT 1 FROM er_t WHERE s::int > 7);
-- serial
SELECT NOT EXISTS (SELECT 1 FROM er_t WHERE s::int > 9);
-- serial
SELECT (SELECT 100 / x FROM er_t WHERE id > 0 LIMIT 1);
SELECT (SELECT 100 / x FROM er_t WHERE id = 6);
-- serial
SELECT (SELECT 100 / x FROM er_t WHERE id >= 5);
SELECT (SELECT 100 / x FROM er_t WHERE id IN (6, 7));
SELECT ARRAY(SELECT 100 / x FROM er_t WHERE id < 6);
SELECT ARRAY(SELECT 100 / x FROM er_t WHERE id < 7);
-- serial
SELECT k, EXISTS (SELECT 1 FROM er_t WHERE 100 / x >= k * 10) FROM er_key;
-- serial
SELECT k, EXISTS (SELECT 1 FROM er_t WHERE 100 / x >= k * 10 AND id >= k) FROM er_key;
-- serial
SELECT k, (SELECT 100 / x FROM er_t WHERE id >= k LIMIT 1) FROM er_key;
-- serial
SELECT k, (SELECT 100 / x FROM er_t WHERE id > k LIMIT 1) FROM er_key;
-- serial
SELECT k, (SELECT count(*) FROM (SELECT 100 / x FROM er_t WHERE id >= er_key.k LIMIT 1) q) FROM er_key;
SELECT k FROM er_key WHERE k > ANY (SELECT 100 / x FROM er_t WHERE id < 4);
SELECT k FROM er_key WHERE k < ALL (SELECT 100 / x FROM er_t WHERE id <> 6 AND id < 1000);
SELECT k FROM er_key WHERE k + 45 < ANY (SELECT 100 / x FROM er_t WHERE id >= er_key.k - er_key.k);
SELECT k FROM er_key WHERE k IN (SELECT 100 / x FROM er_t WHERE id > 6 AND id < 1999);
SELECT k FROM er_key WHERE k IN (SELECT 100 / x FROM er_t WHERE id > 0);

-- Tables without rows, filters that remove all.
-- require
SELECT 100 / x AS q FROM er_empty WHERE id > 0;
-- require
SELECT id FROM er_empty WHERE 100 / x > 0 AND s::int = 1;
-- require
SELECT id FROM er_t WHERE id < 0 AND 100 / x > 0;
-- require
SELECT 100 / x AS q, s::int FROM er_t WHERE id < 0;
-- require
SELECT id FROM er_t WHERE id > 3000 AND s::int > 0;
-- require
SELECT id, 100 / x AS q FROM er_t WHERE x <> 0 AND id < 20;
-- serial
SELECT id FROM er_empty WHERE id > (SELECT 100 / x FROM er_t WHERE id = 6);
-- serial
SELECT id FROM er_t WHERE id < 0 AND id > (SELECT 100 / x FROM er_t WHERE id = 6);
SELECT id FROM er_t WHERE id = 5 OR id = (SELECT 100 / x FROM er_t WHERE id = 6);
-- serial
SELECT id FROM er_t WHERE id <= 3000 OR id = (SELECT 100 / x FROM er_t WHERE id = 6);
-- serial
SELECT CASE WHEN id > 2 THEN (SELECT 100 / x FROM er_t WHERE id = 6) END FROM er_t WHERE id < 3;
-- serial
SELECT CASE WHEN id > 2 THEN (SELECT 100 / x FROM er_t WHERE id = 6) END FROM er_t WHERE id < 4;
SELECT count(*) FROM er_empty WHERE id > 0 HAVING count(*) = (SELECT 100 / x FROM er_t WHERE id = 6);
SELECT count(*) FROM er_empty HAVING count(*) > 0 AND 1 = (SELECT 100 / x FROM er_t WHERE id = 6);
-- error
SELECT id FROM er_empty WHERE id > current_setting('er.none')::int;
SELECT id FROM er_empty WHERE 100 / (length(current_setting('search_path')) * 0) > id;
SELECT id FROM er_t WHERE id < 0 AND 100 / (length(current_setting('search_path')) * 0) > id;
SELECT id FROM er_t WHERE id < 5 AND 100 / (length(current_setting('search_path')) * 0) > id;
SELECT id FROM er_t WHERE id = 1 / 0;
SELECT CASE WHEN id > 0 THEN 1 / 0 ELSE 1 END FROM er_empty;

-- Cursors.
BEGIN;
DECLARE er_c CURSOR FOR SELECT 100 / x AS q FROM er_t WHERE id > 0;
-- ordered
FETCH 5 FROM er_c;
CLOSE er_c;
DECLARE er_c CURSOR FOR SELECT 100 / x AS q FROM er_t WHERE id > 0;
-- ordered
FETCH 3 FROM er_c;
-- ordered
FETCH 2 FROM er_c;
SAVEPOINT s;
FETCH 1 FROM er_c;
ROLLBACK TO s;
FETCH 1 FROM er_c;
ROLLBACK;
BEGIN;
DECLARE er_c NO SCROLL CURSOR FOR SELECT id, s::int AS n FROM er_t WHERE 100 / (id - 1800) < 1;
-- ordered
FETCH 8 FROM er_c;
MOVE 1 FROM er_c;
ROLLBACK;
BEGIN;
DECLARE er_c NO SCROLL CURSOR FOR SELECT id FROM er_t WHERE id > 6 AND 100 / x > 5;
MOVE 500 FROM er_c;
-- ordered
FETCH 3 FROM er_c;
MOVE ALL FROM er_c;
COMMIT;
BEGIN;
DECLARE er_c CURSOR WITH HOLD FOR SELECT 100 / x AS q FROM er_t WHERE id > 0;
-- ordered
FETCH 2 FROM er_c;
COMMIT;
FETCH 2 FROM er_c;

-- PL/pgSQL and SQL functions.
SELECT er_loop(3), er_loop(10), er_loop(20);
SELECT er_loop(59);
SELECT er_loop(60);
SELECT er_loop(100000);
SELECT er_cursor_loop(5);
SELECT er_cursor_loop(6);
SELECT er_into();
SELECT er_into_strict();
SELECT er_fetch(1, 5), er_fetch(7, 9), er_fetch(2, 4);
SELECT er_fetch(1, 6);
SELECT er_fetch(6, 1);
SELECT er_first_row(1), er_first_row(5), er_first_row(7);
SELECT er_first_row(6);
-- serial
SELECT * FROM er_setof(1) LIMIT 5;
-- serial
SELECT * FROM er_setof(1) LIMIT 6;
-- serial
SELECT k, (SELECT * FROM er_setof(k) LIMIT 1) FROM er_key;
-- serial
SELECT er_try('SELECT 100 / x FROM er_t WHERE id > 0'), er_try('SELECT 100 / x FROM er_t WHERE id > 0 LIMIT 5'), er_try('SELECT s::int FROM er_t WHERE 100 / (id - 8) < 1000'),
	er_try('SELECT id FROM er_t WHERE s::int > 0 AND 100 / x > 0'), er_try('SELECT count(*) FROM er_t WHERE 100 / x > 0'), er_try('SELECT sum(s::int) FROM er_t WHERE id <> 9');
SELECT count(*), count(DISTINCT er_try('SELECT id FROM er_t WHERE 100 / x > 3' || repeat(' ', g))) FROM generate_series(1, 100) g;

-- Parents that stop.
-- serial
SELECT 100 / x AS q FROM er_t WHERE id < 4 UNION ALL SELECT 100 / x FROM er_t WHERE id > 0 LIMIT 8;
-- serial
SELECT 100 / x AS q FROM er_t WHERE id < 4 UNION ALL SELECT 100 / x FROM er_t WHERE id > 0 LIMIT 9;
-- serial
WITH c AS MATERIALIZED (SELECT id, 100 / x AS q FROM er_t WHERE id > 0) SELECT * FROM c LIMIT 5;
-- serial
WITH c AS MATERIALIZED (SELECT id, 100 / x AS q FROM er_t WHERE id > 0) SELECT * FROM c WHERE id <= 6 LIMIT 6;
WITH c AS MATERIALIZED (SELECT id, 100 / x AS q FROM er_t WHERE id > 0) SELECT 1;
-- serial
SELECT * FROM (SELECT 100 / x AS q, row_number() OVER () AS rn FROM er_t WHERE id > 0) s WHERE rn <= 3;
-- serial
SELECT * FROM (SELECT 100 / x AS q, row_number() OVER () AS rn FROM er_t WHERE id > 0) s LIMIT 4;
-- serial
SELECT sum(q) FROM (SELECT 100 / x AS q FROM er_t WHERE id > 0 LIMIT 5) s;
-- serial
SELECT q, count(*) FROM (SELECT 100 / x AS q FROM er_t WHERE id > 0 LIMIT 5) s GROUP BY q;
SET enable_hashjoin = off;
SET enable_material = off;
SET enable_nestloop = off;
SELECT k, q FROM er_key JOIN (SELECT id, 100 / nullif(x, 0) AS q FROM er_t WHERE id > 0) s ON k = s.id;
-- serial
SELECT count(*) FROM (SELECT k, q FROM er_key FULL JOIN (SELECT 100 / x AS q FROM er_t WHERE id > 0) s ON true LIMIT 5) l;
-- serial
SELECT k, q FROM (SELECT k FROM er_key WHERE k < 0 OFFSET 0) o JOIN (SELECT id, 100 / x AS q FROM er_t WHERE id > 0 OFFSET 0) s ON k = s.id;
-- serial
SELECT o.id, q FROM (SELECT id FROM er_empty WHERE id > 0) o JOIN (SELECT id, 100 / x AS q FROM er_t WHERE id > 0 OFFSET 0) s ON o.id = s.id;
RESET enable_nestloop;
SET enable_mergejoin = off;
-- serial
SELECT k, q FROM er_key JOIN LATERAL (SELECT 100 / x AS q FROM er_t WHERE id >= k LIMIT 1) s ON true;
-- serial
SELECT k, q FROM er_key JOIN LATERAL (SELECT 100 / x AS q FROM er_t WHERE id >= k LIMIT 2) s ON k < 5;
-- serial
SELECT k, q FROM er_key LEFT JOIN LATERAL (SELECT 100 / x AS q FROM er_t WHERE id > k + 2 LIMIT 2) s ON true WHERE k < 3;
-- serial
SELECT k FROM er_key WHERE EXISTS (SELECT 1 FROM er_t WHERE 100 / x > k AND id + k > 0 OFFSET 0);
-- serial
SELECT k FROM er_key, (SELECT 100 / x AS q FROM er_t WHERE id > 0 OFFSET 0) s WHERE k = 3 AND q > 20 LIMIT 4;
RESET enable_hashjoin;
RESET enable_material;
RESET enable_mergejoin;

-- DML that stops on the error leaves nothing.
CREATE TEMP TABLE er_tmp (q int);
INSERT INTO er_tmp SELECT 100 / x FROM er_t WHERE id > 0 LIMIT 5;
INSERT INTO er_tmp SELECT 100 / x FROM er_t WHERE id > 0;
SELECT count(*), sum(q) FROM er_tmp;
CREATE TEMP TABLE er_tmp2 AS SELECT 100 / x AS q FROM er_t WHERE id > 0;
CREATE TEMP TABLE er_tmp3 AS SELECT 100 / x AS q FROM er_t WHERE id > 6 AND id < 2000;
SELECT count(*), sum(q) FROM er_tmp3;
DELETE FROM er_tmp WHERE 100 / (q - 20) > 0;
SELECT count(*), sum(q) FROM er_tmp;
DROP TABLE er_tmp, er_tmp3;
