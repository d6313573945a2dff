-- Which error: of two failing rows the earlier one's, whatever column, filter or aggregate was
-- computed first; of two errors in one row the one that core evaluates first; and SQLSTATE and
-- message of each.  Then errors of aggregates, group keys, HAVING and final expressions.

-- setup
-- Row 700: a is 0.  Row 900: b is no number.  Row 1500: c overflows.  Row 2200: d fails its domain.
-- Row 2600: e raises by itself.  Row 2800: a is 0 and b is no number.
CREATE TABLE eo_t (id int NOT NULL, a int, b text, c int, d int, e int, f float8, g int);
INSERT INTO eo_t
SELECT g, CASE WHEN g IN (700, 2800) THEN 0 ELSE g % 9 + 1 END, CASE WHEN g IN (900, 2800) THEN 'word' || g ELSE (g % 100)::text END,
	CASE WHEN g = 1500 THEN 2147483647 ELSE g END, CASE WHEN g = 2200 THEN -1 ELSE g END, g, CASE WHEN g IN (1100, 1101) THEN 1.7e308 ELSE g END, g % 5
FROM generate_series(1, 3000) g;
CREATE DOMAIN eo_pos AS int CHECK (VALUE >= 0);
CREATE FUNCTION eo_raise(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF $1 = 2600 THEN RAISE EXCEPTION 'row % refused', $1 USING ERRCODE = 'VX001', HINT = 'Take another.'; END IF;
	RETURN $1;
END $$;
CREATE FUNCTION eo_strict(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
	IF $2 = 0 THEN RAISE EXCEPTION 'zero at all' USING ERRCODE = 'VX002'; END IF;
	RETURN $1 / $2;
END $$;
CREATE FUNCTION eo_try(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n int := 0; r record; h text; d text; c text;
BEGIN
	FOR r IN EXECUTE q LOOP n := n + 1; END LOOP;
	RETURN n || ' rows';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS h = PG_EXCEPTION_HINT, d = PG_EXCEPTION_DETAIL, c = CONSTRAINT_NAME;
	RETURN SQLSTATE || ' ' || SQLERRM || ' ' || h || d || c;
END $$;
CREATE FUNCTION eo_acc(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF $2 = 1000 THEN RAISE EXCEPTION 'transition refused %', $2; END IF;
	RETURN coalesce($1, 0) + 1;
END $$;
CREATE AGGREGATE eo_agg(int) (SFUNC = eo_acc, STYPE = int);
ANALYZE eo_t;
-- end setup

-- Which row is first, is free in a parallel plan.
SET max_parallel_workers_per_gather = 0;

-- Each alone.
-- require
SELECT id, 100 / a AS v FROM eo_t WHERE id > 0;
-- require
SELECT id, b::int AS v FROM eo_t WHERE id > 0;
-- require
SELECT id, c + 1 AS v FROM eo_t WHERE id > 0;
-- require
SELECT id, d::eo_pos AS v FROM eo_t WHERE id > 0;
-- require
SELECT id, eo_raise(e) AS v FROM eo_t WHERE id > 0;
-- require
SELECT id, f * 2 AS v FROM eo_t WHERE id > 0;
-- require
SELECT id, eo_strict(id, a) AS v FROM eo_t WHERE id > 0;

-- Two columns, in both orders.
-- require
SELECT 100 / a AS v, b::int AS w FROM eo_t WHERE id > 0;
-- require
SELECT b::int AS w, 100 / a AS v FROM eo_t WHERE id > 0;
-- require
SELECT 100 / a AS v, b::int AS w FROM eo_t WHERE id > 700;
-- require
SELECT b::int AS w, 100 / a AS v FROM eo_t WHERE id > 700;
-- require
SELECT c + 1 AS v, b::int AS w FROM eo_t WHERE id > 900;
-- require
SELECT d::eo_pos AS v, c + 1 AS w, b::int AS x FROM eo_t WHERE id > 900;
-- require
SELECT eo_raise(e) AS v, d::eo_pos AS w FROM eo_t WHERE id > 1500;
-- require
SELECT f * 2 AS v, c + 1 AS w, 100 / a AS x FROM eo_t WHERE id > 700;
-- require
SELECT c + 1 AS w, f * 2 AS v FROM eo_t WHERE id > 900;
-- Both in one row.
-- require
SELECT 100 / a AS v, b::int AS w FROM eo_t WHERE id > 2700;
-- require
SELECT b::int AS w, 100 / a AS v FROM eo_t WHERE id > 2700;
-- require
SELECT (100 / a) + b::int AS v FROM eo_t WHERE id > 2700;
-- require
SELECT b::int + (100 / a) AS v FROM eo_t WHERE id > 2700;
-- require
SELECT coalesce(100 / a, b::int) AS v FROM eo_t WHERE id > 2700;
-- require
SELECT CASE WHEN 100 / a > 5 THEN b::int ELSE 0 END AS v FROM eo_t WHERE id > 700;
-- require
SELECT greatest(b::int, 100 / a) AS v FROM eo_t WHERE id > 2700;

-- A filter and an output column; the row that fails later in the pipe can be the earlier row.
-- require
SELECT b::int AS w FROM eo_t WHERE 100 / a > 0;
-- require
SELECT 100 / a AS v FROM eo_t WHERE b::int >= 0;
-- require
SELECT b::int AS w FROM eo_t WHERE id > 700 AND 100 / a > 0;
-- require
SELECT 100 / a AS v FROM eo_t WHERE b::int >= 0 AND id > 700;
-- require
SELECT 100 / a AS v, c + 1 AS w FROM eo_t WHERE f * 2 > 0 AND id > 900;
-- require
SELECT eo_raise(e) AS v FROM eo_t WHERE c + 1 > 0 AND id > 1500 AND d::eo_pos > 0;
-- require
SELECT 100 / a AS v FROM eo_t WHERE id <> 700 AND id <> 2800 AND b::int < 1000;

-- Two filters: a row that the first removes does not fail in the second.
-- require
SELECT count(*) FROM eo_t WHERE 100 / a > 0 AND c + 1 > 0;
-- require
SELECT count(*) FROM eo_t WHERE c + 1 > 0 AND 100 / a > 0;
-- require
SELECT count(*) FROM eo_t WHERE c + 1 > 0 AND 100 / a > 0 AND id > 700;
-- require
SELECT count(*) FROM eo_t WHERE 100 / a > 0 AND b::int >= 0 AND id > 700;
-- require
SELECT count(*) FROM eo_t WHERE a <> 0 AND c <> 2147483647 AND 100 / a > 0 AND c + 1 > 0;
-- require
SELECT count(*) FROM eo_t WHERE a <> 0 AND 100 / a > 0 AND c + 1 > 0;
-- require
SELECT count(*) FROM eo_t WHERE id < 700 AND 100 / a > 0 OR id > 1600 AND c + 1 > 0;
-- require
SELECT count(*) FROM eo_t WHERE id < 800 AND 100 / a > 0 OR id > 1600 AND c + 1 > 0;
-- require
SELECT count(*) FROM eo_t WHERE id > 1000 AND 100 / a > 0 OR id < 1600 AND c + 1 > 0;
-- require
SELECT count(*) FROM eo_t WHERE (100 / a > 0 OR b::int > 0) AND id > 700 AND id < 2800;
-- require
SELECT count(*) FROM eo_t WHERE (100 / a > 50 OR b::int > 0) AND id > 700 AND id < 2800;
-- require
SELECT count(*) FROM eo_t WHERE NOT (100 / a > 50 AND c + 1 > 0) AND id > 700;

-- Aggregates: of two the one whose row comes first; per row in the order of the list.
-- require
SELECT sum(100 / a) FROM eo_t;
-- require
SELECT count(*), sum(c + 1), sum(100 / a) FROM eo_t;
-- require
SELECT sum(c + 1), sum(b::int), sum(100 / a) FROM eo_t WHERE id > 700;
-- require
SELECT sum(100 / a), sum(b::int) FROM eo_t WHERE id > 2700;
-- require
SELECT sum(b::int), sum(100 / a) FROM eo_t WHERE id > 2700;
-- require
SELECT sum(f), sum(c + 1) FROM eo_t;
-- require
SELECT sum(c + 1), sum(f) FROM eo_t WHERE id < 1500;
-- require
SELECT sum(f), sum(100 / a) FROM eo_t;
-- require
SELECT sum(f), sum(100 / a) FROM eo_t WHERE id <> 700;
-- require
SELECT avg(f), sum(c + 1) FROM eo_t WHERE id > 1100;
-- require
SELECT min(100 / a), max(c + 1) FROM eo_t WHERE id > 700;
-- require
SELECT count(100 / a), count(b::int) FROM eo_t;
-- require
SELECT sum(100 / a) FILTER (WHERE b::int > 5), sum(c + 1) FROM eo_t WHERE id > 700;
-- require
SELECT sum(100 / a) FILTER (WHERE id > 700), sum(c + 1) FILTER (WHERE c < 3000) FROM eo_t WHERE id < 2800;
-- require
SELECT sum(100 / a) FILTER (WHERE 100 / (id - 600) < 1000) FROM eo_t;
-- require
SELECT g, sum(100 / a), sum(b::int) FROM eo_t GROUP BY g;
-- require
SELECT g, sum(c + 1), sum(b::int) FROM eo_t WHERE id > 700 GROUP BY g;
-- require
SELECT g, sum(f) FROM eo_t GROUP BY g;
-- require
SELECT id % 2 AS k, sum(f), max(100 / a) FROM eo_t WHERE id <> 700 GROUP BY 1;
-- require
SELECT 100 / a AS k, sum(c + 1) FROM eo_t GROUP BY 100 / a;
-- require
SELECT b::int AS k, sum(100 / a) FROM eo_t GROUP BY b::int;
-- require
SELECT b::int AS k, sum(100 / a) FROM eo_t WHERE id > 700 GROUP BY b::int;
-- require
SELECT b::int AS k, sum(100 / a) FROM eo_t WHERE id > 2700 GROUP BY b::int;
-- require
SELECT 100 / a AS k, sum(b::int) FROM eo_t WHERE id > 2700 GROUP BY 100 / a;
-- require
SELECT 100 / a AS k, b::int AS l, count(*) FROM eo_t WHERE id > 2700 GROUP BY 100 / a, b::int;
-- require
SELECT 100 / a AS k, count(*) FROM eo_t WHERE a <> 0 GROUP BY 100 / a;
SELECT eo_agg(id) FROM eo_t;
SELECT eo_agg(id), sum(100 / a) FROM eo_t;
SELECT eo_agg(id), sum(b::int) FROM eo_t WHERE id > 700;
SELECT g, eo_agg(id), sum(c + 1) FROM eo_t WHERE id > 900 GROUP BY g;
SELECT sum(c + 1), eo_agg(id) FROM eo_t WHERE id > 1000;

-- Final values.
-- require
SELECT 100 / (count(*) - 3000) AS v FROM eo_t;
-- require
SELECT 100 / sum(0 * id) AS v FROM eo_t;
-- require
SELECT count(*) FROM eo_t HAVING 100 / (count(*) - 3000) > 0;
-- require
SELECT max(c) + 1 AS v FROM eo_t;
-- require
SELECT count(*), sum(v) FROM (SELECT g, 100 / (g - 3) AS v, count(*) FROM eo_t GROUP BY g) q;
-- require
SELECT count(*) FROM (SELECT g, count(*) FROM eo_t GROUP BY g HAVING 100 / (g - 3) > 0) q;
-- require
SELECT g, count(*) FROM eo_t GROUP BY g HAVING g <> 3 AND 100 / (g - 3) > 0;
-- require
SELECT g, 100 / (g - 3) AS v FROM eo_t GROUP BY g HAVING g <> 3;
-- require
SELECT g, sum(a) / (max(g) - 3) AS v FROM eo_t WHERE g <> 3 GROUP BY g;
-- require
SELECT 100 / count(*) AS v FROM eo_t WHERE id < 0;
-- require
SELECT g, 100 / count(*) AS v FROM eo_t WHERE id < 0 GROUP BY g;
-- require
SELECT max(b)::int AS v FROM eo_t;
-- require
SELECT sum(c)::int AS v, max(id)::int2 AS w, (sum(c) * 100000)::int AS x FROM eo_t;

-- SQLSTATE, hint, detail and constraint name.
SELECT eo_try('SELECT 100 / a FROM eo_t WHERE id > 0'), eo_try('SELECT b::int FROM eo_t WHERE id > 0'), eo_try('SELECT c + 1 FROM eo_t WHERE id > 0'), eo_try('SELECT d::eo_pos FROM eo_t WHERE id > 0'),
	eo_try('SELECT eo_raise(e) FROM eo_t WHERE id > 0'), eo_try('SELECT f * 2 FROM eo_t WHERE id > 0'), eo_try('SELECT eo_strict(id, a) FROM eo_t WHERE id > 0');
SELECT eo_try('SELECT count(*) FROM eo_t WHERE 100 / a > 0'), eo_try('SELECT count(*) FROM eo_t WHERE b::int > 0'), eo_try('SELECT count(*) FROM eo_t WHERE c + 1 > 0'), eo_try('SELECT count(*) FROM eo_t WHERE d::eo_pos > 0'),
	eo_try('SELECT count(*) FROM eo_t WHERE eo_raise(e) > 0'), eo_try('SELECT count(*) FROM eo_t WHERE f * 2 > 0'), eo_try('SELECT count(*) FROM eo_t WHERE eo_strict(id, a) > 0');
SELECT eo_try('SELECT sum(100 / a) FROM eo_t'), eo_try('SELECT sum(b::int) FROM eo_t'), eo_try('SELECT sum(f) FROM eo_t'), eo_try('SELECT g, max(d::eo_pos) FROM eo_t GROUP BY g'),
	eo_try('SELECT sum(eo_raise(e)) FROM eo_t'), eo_try('SELECT g, sum(eo_strict(id, a)) FROM eo_t GROUP BY g'), eo_try('SELECT eo_agg(id) FROM eo_t');

-- After an error the same prepared statement works again, and fails again.
PREPARE eo_p (int) AS SELECT sum(100 / (a - $1)), count(*) FROM eo_t WHERE id <> 700 AND id <> 2800;
EXECUTE eo_p (0);
EXECUTE eo_p (1);
EXECUTE eo_p (0);
EXECUTE eo_p (10);
EXECUTE eo_p (9);
EXECUTE eo_p (-1);
EXECUTE eo_p (5);
EXECUTE eo_p (100);
DEALLOCATE eo_p;
