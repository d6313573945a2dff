-- Savepoints and EXCEPTION blocks: statements that fail in a vector node inside a subtransaction,
-- while others of the same session are half read; cursors opened in a subtransaction that is undone;
-- failures while groups are on disk; loops that leave in the middle; what follows is right.

-- setup
CREATE TABLE ex_t (id int NOT NULL, k int, v int, t text);
INSERT INTO ex_t SELECT g, g % 10, g, 't' || g FROM generate_series(1, 3000) g;
CREATE TABLE ex_log (n int, m text);
ANALYZE ex_t;
CREATE FUNCTION ex_div(p int, q int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s bigint;
BEGIN
	SELECT sum(1000 / (v - p)) INTO s FROM ex_t WHERE k = q;
	RETURN 'sum ' || s;
EXCEPTION WHEN division_by_zero THEN
	RETURN 'zero, and ' || (SELECT count(*) FROM ex_t WHERE k = q);
END $$;
CREATE FUNCTION ex_loop(p int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; n int := 0; bad int := 0;
BEGIN
	FOR r IN SELECT id, v FROM ex_t WHERE k = 3 AND id < 400 LOOP
		BEGIN
			PERFORM sum(10 / (id - r.id)) FROM ex_t WHERE k = p;
			n := n + 1;
		EXCEPTION WHEN OTHERS THEN bad := bad + 1;
		END;
	END LOOP;
	RETURN n || ' ' || bad;
END $$;
CREATE FUNCTION ex_groups(p int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; n int := 0; s bigint := 0;
BEGIN
	FOR r IN SELECT id % p AS x, count(*) AS c, sum(1000 / (v - 2990)) AS s FROM ex_t WHERE v < 2990 GROUP BY 1 LOOP
		n := n + 1; s := s + r.c;
	END LOOP;
	BEGIN
		FOR r IN SELECT id % p AS x, t, count(*) AS c, sum(1000 / (v - 2990)) FROM ex_t GROUP BY 1, 2 LOOP
			NULL;				-- how many come before the error is free
		END LOOP;
	EXCEPTION WHEN division_by_zero THEN s := -s;
	END;
	RETURN n || ' ' || s;
END $$;
CREATE FUNCTION ex_leave() RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; res text := '';
BEGIN
	FOR i IN 1..5 LOOP
		BEGIN
			FOR r IN SELECT id, v FROM ex_t WHERE k = i LOOP
				IF r.id > 100 * i THEN RAISE EXCEPTION 'left at %', r.id USING ERRCODE = 'VX003'; END IF;
			END LOOP;
		EXCEPTION WHEN SQLSTATE 'VX003' THEN res := res || SQLERRM || ' ';
		END;
	END LOOP;
	RETURN res || (SELECT count(*) FROM ex_t WHERE v > 5);
END $$;
CREATE FUNCTION ex_write(p int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	BEGIN
		UPDATE ex_t SET v = 0 WHERE k = p;
		PERFORM sum(1 / v) FROM ex_t WHERE k = p;
	EXCEPTION WHEN division_by_zero THEN INSERT INTO ex_log SELECT count(*), 'caught' FROM ex_t WHERE v = 0;
	END;
	RETURN (SELECT count(*) || ' ' || sum(v) FROM ex_t WHERE k = p);
END $$;
CREATE FUNCTION ex_nested(d int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint;
BEGIN
	IF d = 0 THEN RETURN (SELECT sum(1 / (k - 5)) FROM ex_t WHERE v > 2000); END IF;
	SELECT count(*) INTO s FROM ex_t WHERE k = d;
	BEGIN
		s := s + ex_nested(d - 1);
	EXCEPTION WHEN division_by_zero THEN
		IF d < 4 THEN RAISE; END IF;
		s := s + (SELECT sum(v) FROM ex_t WHERE k = d);
	END;
	RETURN s;
END $$;
CREATE FUNCTION ex_in_agg(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	RETURN 1000 / ($1 % 50);
EXCEPTION WHEN division_by_zero THEN RETURN (SELECT count(*) FROM ex_log WHERE n > 5);
END $$;
-- end setup

SELECT p, q, ex_div(p, q) FROM generate_series(1, 4) p, generate_series(1, 4) q;
SELECT ex_loop(3), ex_loop(4);
SELECT ex_groups(10), ex_groups(2000);
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT ex_groups(10), ex_groups(2000), ex_groups(2999);
SELECT count(*) FROM (SELECT id, t, sum(1000 / (v - 2999)) FROM ex_t GROUP BY id, t) q;
SELECT count(*), sum(s) FROM (SELECT id, t, sum(1000 / (v + 1)) AS s FROM ex_t GROUP BY id, t) q;
SELECT count(s) FROM (SELECT id, t, 1000 / (sum(v) - 2000) AS s FROM ex_t GROUP BY id, t) q;
RESET work_mem;
RESET hash_mem_multiplier;
SELECT ex_leave();
BEGIN;
SELECT ex_write(3), ex_write(4);
SELECT * FROM ex_log WHERE n > 0;
ROLLBACK;
SELECT ex_nested(6);
SELECT ex_nested(2);
SELECT sum(ex_in_agg(v)), count(*) FROM ex_t WHERE id < 200;
SELECT k, sum(ex_in_agg(v)) FROM ex_t WHERE id < 500 GROUP BY k;

-- Cursors and savepoints.
BEGIN;
DECLARE c CURSOR FOR SELECT id, v FROM ex_t WHERE k = 3;
-- ordered
FETCH 3 FROM c;
SAVEPOINT a;
DECLARE d CURSOR FOR SELECT id FROM ex_t WHERE k = 4;
-- ordered
FETCH 2 FROM d;
-- ordered
FETCH 2 FROM c;
SAVEPOINT b;
SELECT sum(1 / (v - 500)) FROM ex_t;
ROLLBACK TO b;
-- ordered
FETCH 2 FROM d;
-- ordered
FETCH 2 FROM c;
ROLLBACK TO a;
-- error
FETCH 2 FROM d;
ROLLBACK TO a;
-- ordered
FETCH 2 FROM c;
RELEASE a;
-- ordered
FETCH 1 FROM c;
COMMIT;
BEGIN;
DECLARE c CURSOR FOR SELECT id, 100 / (v - 1003) AS q FROM ex_t WHERE k = 3;
-- ordered
FETCH 5 FROM c;
SAVEPOINT a;
-- ordered
MOVE 90 FROM c;
-- ordered
FETCH 10 FROM c;
ROLLBACK TO a;
FETCH 1 FROM c;
ROLLBACK TO a;
CLOSE c;
SELECT count(*) FROM ex_t WHERE k = 3;
COMMIT;
BEGIN;
SAVEPOINT a;
DECLARE c CURSOR FOR SELECT k, count(*), sum(v) FROM ex_t GROUP BY k ORDER BY k;
-- ordered
FETCH 2 FROM c;
RELEASE a;
-- ordered
FETCH 2 FROM c;
SAVEPOINT b;
DELETE FROM ex_t WHERE k > 3;
-- ordered
FETCH 2 FROM c;
SELECT k, count(*), sum(v) FROM ex_t GROUP BY k;
ROLLBACK TO b;
SELECT k, count(*), sum(v) FROM ex_t GROUP BY k;
-- ordered
FETCH 2 FROM c;
ROLLBACK;
-- A cursor that is opened in a subtransaction and undone while rows of it are held.
DO $$
DECLARE c refcursor; r record; n bigint := 0;
BEGIN
	FOR i IN 1..20 LOOP
		BEGIN
			OPEN c FOR SELECT id, t FROM ex_t WHERE k = i % 10;
			FETCH c INTO r;
			n := n + r.id;
			MOVE 50 FROM c;
			FETCH c INTO r;
			n := n + r.id;
			IF i % 2 = 0 THEN RAISE EXCEPTION 'undone' USING ERRCODE = 'VX004'; END IF;
			CLOSE c;
		EXCEPTION WHEN SQLSTATE 'VX004' THEN n := n + length(r.t);
		END;
	END LOOP;
	RAISE EXCEPTION 'total %', n;
END $$;
