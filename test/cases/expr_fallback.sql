-- Expressions without a kernel: functions through fmgr, strict and not, that return null for
-- non-null input; SQL functions that core inlines and that it does not; PL/pgSQL; arrays, JSON,
-- rows, ranges, regular expressions, subscripts; mixed with kernels before, after and inside; and
-- what must stay row by row: volatile functions, sequences, set-returning functions.

-- setup
CREATE TABLE ef_t (id int NOT NULL, k int, x int, n numeric(10,2), t text, d date, ts timestamp, arr int[], tarr text[], js jsonb, r int4range, p point, by bytea);
INSERT INTO ef_t
SELECT g, g % 7, CASE WHEN g % 6 > 0 THEN g % 50 - 20 END, CASE WHEN g % 5 > 0 THEN g / 8.0 END, CASE WHEN g % 4 > 0 THEN 'text-' || g % 40 END, date '2020-01-01' + g % 500, timestamp '2020-01-01' + g * interval '11 hours',
	CASE g % 4 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN ARRAY[g % 10, NULL, g % 3] ELSE ARRAY[1, 2, g % 5] END, CASE WHEN g % 3 > 0 THEN ARRAY['a' || g % 4, 'b'] END,
	CASE WHEN g % 5 > 0 THEN jsonb_build_object('a', g % 9, 'b', jsonb_build_array(g % 2, 'x'), 'c', NULL) END, CASE WHEN g % 6 > 0 THEN int4range(g % 20, g % 20 + 5) END, point(g % 5, g % 3), decode(md5(g::text), 'hex')
FROM generate_series(1, 3000) g;
ANALYZE ef_t;
CREATE FUNCTION ef_inline(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2 + 1';
CREATE FUNCTION ef_sql(int) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT sum(g) FROM generate_series(1, $1) g';
CREATE FUNCTION ef_table(int) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM ef_t WHERE k = $1 AND x > 0';
CREATE FUNCTION ef_plstrict(int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN CASE WHEN $1 % 3 = 0 THEN NULL ELSE 'p' || $1 END; END $$;
CREATE FUNCTION ef_plnull(int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN coalesce('p' || $1, 'was null'); END $$;
CREATE FUNCTION ef_two(int, text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN $1 || ':' || coalesce($2, '?'); END $$;
CREATE FUNCTION ef_nested(int) RETURNS numeric LANGUAGE plpgsql STABLE AS $$ DECLARE s numeric; BEGIN SELECT sum(n) INTO s FROM ef_t WHERE id % 100 = $1 % 100 AND x > 0; RETURN s; END $$;
CREATE FUNCTION ef_volatile(int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN $1 + 1; END $$;
CREATE FUNCTION ef_default(int, int DEFAULT 10) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + $2';
CREATE FUNCTION ef_variadic(VARIADIC int[]) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT coalesce(array_length($1, 1), 0)';
CREATE FUNCTION ef_set(int) RETURNS SETOF int LANGUAGE sql IMMUTABLE AS 'SELECT generate_series(1, $1)';
CREATE FUNCTION ef_rec(int, OUT a int, OUT b text) LANGUAGE sql IMMUTABLE AS 'SELECT $1, ''r'' || $1';
CREATE FUNCTION ef_lt(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 * 2 < $2; END $$;
CREATE OPERATOR <<<# (LEFTARG = int, RIGHTARG = int, FUNCTION = ef_lt);
CREATE FUNCTION ef_any(anyelement) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN pg_typeof($1) || '=' || coalesce($1::text, 'null'); END $$;
CREATE SEQUENCE ef_seq;
-- A function that hides a built-in one of the same name: decide by OID, not by name.
CREATE SCHEMA ef_other;
CREATE FUNCTION ef_other.int4pl(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 42';
CREATE FUNCTION ef_other.eq(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 OPERATOR(pg_catalog.=) ($2 OPERATOR(pg_catalog.+) 1); END $$;
CREATE OPERATOR ef_other.= (LEFTARG = int, RIGHTARG = int, FUNCTION = ef_other.eq);
CREATE FUNCTION ef_other.length(text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN -1; END $$;
CREATE AGGREGATE ef_other.sum(int) (SFUNC = int4larger, STYPE = int);
-- end setup

-- require
SELECT id, md5(t) AS a, substr(t, 2, 3) AS b, upper(t) AS c, length(t) AS e, t || x AS f, to_char(n, 'FM999.00') AS g, to_char(ts, 'YYYY "Q"Q') AS h FROM ef_t WHERE id % 50 = 1;
-- require
SELECT id, date_trunc('month', ts) AS a, extract(year FROM ts) AS b, extract(day FROM d) AS c, age(ts, d) AS e, ts - interval '1 day' AS f, make_date(2020, k + 1, 1) AS g, d + interval '1 month' AS h FROM ef_t WHERE id % 50 = 2;
-- require
SELECT id, ef_inline(x) AS a, ef_sql(k) AS b, ef_plstrict(x) AS c, ef_plnull(x) AS e, ef_two(k, t) AS f, ef_default(x) AS g, ef_default(x, 1) AS h, ef_variadic(k, x, id) AS i, ef_any(x) AS j, ef_any(t) AS l FROM ef_t WHERE id % 50 = 3;
-- require
SELECT id, arr[1] AS a, arr[2] AS b, arr[1:2] AS c, array_length(arr, 1) AS e, cardinality(arr) AS f, arr || k AS g, ARRAY[k, x] AS h, array_position(arr, 2) AS i, tarr[1] AS j, arr = ARRAY[1, 2, k] AS l, arr @> ARRAY[1] AS m FROM ef_t WHERE id % 50 = 4;
-- require
SELECT id, js -> 'a' AS a, js ->> 'a' AS b, (js ->> 'a')::int + 1 AS c, js #> '{b,0}' AS e, js @> '{"a": 3}' AS f, js ? 'c' AS g, jsonb_typeof(js -> 'c') AS h, js ->> 'c' AS i, js['b'][0] AS j FROM ef_t WHERE id % 50 = 5;
-- require
SELECT id, r AS a, lower(r) AS b, r @> k AS c, r && int4range(3, 8) AS e, p AS f, p <-> point(0, 0) AS g, "by" AS h, get_byte("by", 0) AS i, encode("by", 'base64') AS j FROM ef_t WHERE id % 50 = 6;
-- require
SELECT id, ROW(id, t) AS a, ROW(k, x) = ROW(1, 2) AS b, ROW(k, NULL) IS NULL AS c, (ef_rec(k)).a AS e, (ef_rec(k)).b AS f, ef_rec(x) AS g FROM ef_t WHERE id % 50 = 7;
-- require
SELECT id, regexp_replace(t, '\d+', '#') AS a, t ~ '[0-3]$' AS b, regexp_match(t, '(\d)(\d)') AS c, split_part(t, '-', 2) AS e, translate(t, 'te', 'TE') AS f, format('%s/%L', k, t) AS g, string_to_array(t, '-') AS h FROM ef_t WHERE id % 50 = 8;
-- require
SELECT id, round(n) AS a, round(n, 1) AS b, sqrt(n) AS c, n::int AS e, mod(id, 7) AS f, width_bucket(n, 0, 400, 10) AS g, log(n + 1) AS h, ceil(n) AS i, pg_typeof(n) AS j, n ^ 2 AS l, factorial(k) AS m FROM ef_t WHERE id % 50 = 9;
-- require
SELECT id, num_nulls(x, n, t) AS a, coalesce(ef_plstrict(x), ef_plnull(NULL), 'z') AS b, nullif(ef_plnull(k), 'p3') AS c, CASE WHEN t ~ '1' THEN upper(t) WHEN x > 0 THEN md5(t) ELSE left(t, 2) END AS e, greatest(upper(t), 'TEXT-2' COLLATE "C") AS f FROM ef_t WHERE id % 50 = 10;
-- require
SELECT id, x IS DISTINCT FROM k AS a, t IS NOT DISTINCT FROM 'text-11' AS b, arr IS NULL AS c FROM ef_t WHERE id % 50 = 11;

-- Filters that mix kernels and fallbacks, in both orders, with narrowing between them.
-- require
SELECT count(*), sum(id) FROM ef_t WHERE length(t) = 7 AND x > 0;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE x > 0 AND upper(t) = 'TEXT-11';
-- require
SELECT count(*), sum(id) FROM ef_t WHERE upper(t) = 'TEXT-11' OR x = 5 OR md5(t) < '2' COLLATE "C";
-- require
SELECT count(*), sum(id) FROM ef_t WHERE (x > 10 OR ef_plstrict(x) = 'p5') AND k < 5 AND (ef_plstrict(x) IS NULL OR n > 100);
-- require
SELECT count(*), sum(id) FROM ef_t WHERE ef_plnull(x) = 'was null';
-- require
SELECT count(*), sum(id) FROM ef_t WHERE ef_plstrict(x) IS NULL;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE ef_plstrict(x) IS NULL AND x IS NOT NULL AND NOT (ef_plstrict(k) IS NULL);
-- require
SELECT count(*), sum(id) FROM ef_t WHERE x <<<# k;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE NOT (x <<<# k) AND (k <<<# x) IS NOT NULL;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE arr[1] = 1 OR 2 = ANY (arr) OR cardinality(arr) = 0;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE js @> '{"a": 3}' OR (js ->> 'a')::int > 6;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE r @> 7 AND NOT lower(r) = 5;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE extract(month FROM ts) = 3 AND date_trunc('week', d) >= date '2020-03-01';
-- require
SELECT count(*), sum(id) FROM ef_t WHERE ts + interval '30 days' > d AND to_char(d, 'Dy') = 'Mon';
-- require
SELECT count(*), sum(id) FROM ef_t WHERE t SIMILAR TO 'text-(1|2)%' AND n::text LIKE '%.50';
-- require
SELECT count(*), sum(id) FROM ef_t WHERE ROW(k, x) > ROW(3, 10);
-- require
SELECT count(*), sum(id) FROM ef_t WHERE (x + length(t)) * 2 > 40 AND (length(t) + x) % 3 = 1;
-- require
SELECT count(*), sum(id) FROM ef_t WHERE CASE WHEN x > 0 THEN length(t) > 6 ELSE t ~ '3' END;
SELECT count(*), sum(id) FROM ef_t WHERE ef_table(k) > 100 AND id < 300;
SELECT id, ef_nested(id) FROM ef_t WHERE x > 20 AND id < 300;
SELECT count(*), sum(id) FROM ef_t WHERE ef_volatile(x) > 10;
SELECT count(*), sum(ef_volatile(x)) FROM ef_t WHERE x > 5;
SELECT count(*) FROM ef_t WHERE random() < 2 AND x > 5;
SELECT count(*) FROM ef_t WHERE random() < 2;

-- In aggregates and keys.
-- require
SELECT sum(length(t)), max(md5(t) COLLATE "C"), min(ef_plstrict(x) COLLATE "C"), count(ef_plstrict(x)), count(ef_plnull(x)), sum(ef_inline(x)), avg(arr[1]), sum((js ->> 'a')::int), sum(x * length(t)), count(*) FILTER (WHERE t ~ '1') FROM ef_t;
-- require
SELECT k, sum(length(t)), max(md5(t) COLLATE "C"), count(ef_plstrict(x)), sum(ef_inline(x)), avg(arr[1]), sum((js ->> 'a')::int), count(*) FILTER (WHERE t ~ '1') FROM ef_t GROUP BY k;
-- require
SELECT extract(year FROM ts) AS y, extract(month FROM ts) AS m, count(*), sum(n) FROM ef_t GROUP BY 1, 2;
-- require
SELECT date_trunc('month', ts) AS m, upper(left(t, 6)) AS u, count(*) FROM ef_t GROUP BY 1, 2;
-- require
SELECT ef_plstrict(k) AS p, count(*), sum(x) FROM ef_t GROUP BY 1;
-- require
SELECT length(t) > 6 AS l, js ->> 'a' AS a, count(*) FROM ef_t GROUP BY 1, 2;
SELECT js -> 'b' AS b, arr, count(*) FROM ef_t GROUP BY 1, 2;
SELECT ef_volatile(k) AS v, count(*) FROM ef_t GROUP BY 1;
SELECT k, round(sum(n)) AS r, to_char(avg(n), 'FM9990.000') AS a, ef_two(k, max(t COLLATE "C")) AS two, ARRAY[min(x), max(x)] AS mm, ROW(k, count(*)) AS row FROM ef_t GROUP BY k;

-- By OID, not by name.
SET search_path = ef_other, public, pg_catalog;
SELECT count(*), count(*) FILTER (WHERE x = k) FROM ef_t WHERE x OPERATOR(pg_catalog.>) 0;
SELECT id, int4pl(id, k) AS a, length(t) AS l, pg_catalog.length(t) AS pl FROM ef_t WHERE id < 10;
SELECT sum(x), pg_catalog.sum(x) FROM ef_t;
SELECT k, sum(x), pg_catalog.sum(x) FROM ef_t GROUP BY k;
SELECT count(*) FROM ef_t WHERE length(t) < 0;
RESET search_path;

-- Set-returning functions, sequences and the row's own order.
SELECT id, ef_set(k) AS s FROM ef_t WHERE id BETWEEN 10 AND 20;
SELECT id, unnest(arr) AS u FROM ef_t WHERE id BETWEEN 10 AND 30;
SELECT s, count(*) FROM (SELECT unnest(arr) AS s FROM ef_t WHERE x > 0) q GROUP BY s;
SELECT unnest(arr) AS s, count(*), sum(id) FROM ef_t WHERE x > 0 GROUP BY 1;
SELECT id % 3 AS m, generate_series(1, 2) AS g, count(*) FROM ef_t GROUP BY 1, 2 HAVING count(*) > 1;
SELECT id % 3 AS m, count(*) FROM ef_t GROUP BY 1, generate_series(1, id % 4);
SELECT * FROM (SELECT generate_series(1, id % 3) AS g, count(*) FROM ef_t GROUP BY 1) q WHERE g = 2;
SELECT id % 3 AS m, generate_series(1, 2), count(*) FROM ef_t GROUP BY 1;
SELECT sum(count(*)) OVER (PARTITION BY generate_series(1, 3)), generate_series(1, 3) AS g FROM ef_t GROUP BY g;
BEGIN;
ALTER SEQUENCE ef_seq RESTART;
SELECT count(*), min(v), max(v) FROM (SELECT nextval('ef_seq') AS v FROM ef_t WHERE x > 0) s;
SELECT last_value FROM ef_seq;
SELECT count(*), max(nextval('ef_seq')) FROM ef_t WHERE x > 20 AND nextval('ef_seq') > 0;
SELECT last_value FROM ef_seq;
ROLLBACK;
SELECT count(DISTINCT now()) , count(DISTINCT clock_timestamp() > now()), count(DISTINCT current_date) FROM ef_t WHERE x > 0;
SELECT count(*) FROM ef_t WHERE ts < now() AND d < current_date AND current_user = session_user;
