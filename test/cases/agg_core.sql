-- Aggregates by core's transition and final functions: all of the built-in ones that have no vector
-- state, and users' own of every make.

-- setup
CREATE TYPE ac_color AS ENUM ('red', 'green', 'blue');
CREATE TYPE ac_pair AS (a int, b text);
CREATE TABLE ac_t (
	id int PRIMARY KEY, k int, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric(12,3), nu numeric, b bool,
	d date, ts timestamp, tz timestamptz, ti time, iv interval, t text, c char(5), by bytea, bi bit(8), vb varbit,
	ip inet, m money, e ac_color, p ac_pair, ar int[], r int4range, mr int4multirange, j jsonb, x xid8, o oid, nm name
);
-- Group 5 is all null but its keys; null is a key; group 9 is one row.
INSERT INTO ac_t
SELECT g, CASE WHEN g = 1500 THEN 9 WHEN g % 8 < 7 THEN g % 8 END,
	CASE WHEN nn AND g % 3 > 0 THEN g % 200 - 100 END,
	CASE WHEN nn AND g % 5 > 0 THEN (g * 7919) % 10007 - 5000 END,
	CASE WHEN nn AND g % 7 > 0 THEN g * 1000003::int8 END,
	CASE WHEN nn AND g % 4 > 0 THEN g / 3.0 END,
	CASE WHEN nn AND g % 6 > 0 THEN g / 7.0 - 90 END,
	CASE WHEN nn AND g % 9 > 0 THEN g / 7.0 END,
	CASE WHEN nn AND g % 5 > 0 THEN g::numeric / (g % 6 + 1) END,
	CASE WHEN nn AND g % 11 > 0 THEN g % 8 > 2 END,
	CASE WHEN nn THEN date '2020-01-01' + (g * 37) % 1000 END,
	CASE WHEN nn THEN timestamp '2020-01-01' + ((g * 37) % 1000) * interval '1 hour' END,
	CASE WHEN nn THEN timestamptz '2020-01-01 00:00+00' + ((g * 41) % 1000) * interval '1 hour' END,
	CASE WHEN nn THEN time '00:00' + g * interval '7 minutes' END,
	CASE WHEN nn THEN ((g * 37) % 1000) * interval '1 hour' END,
	CASE WHEN nn AND g % 13 > 0 THEN 'text ' || (g * 37) % 501 END,
	CASE WHEN nn AND g % 13 > 0 THEN 'c' || (g * 37) % 501 END,
	CASE WHEN nn AND g % 12 > 0 THEN decode(lpad(to_hex(g), 6, '0'), 'hex') END,
	CASE WHEN nn THEN ((g * 37) % 256)::bit(8) END,
	CASE WHEN nn THEN ((g * 37) % 256)::bit(8)::varbit END,
	CASE WHEN nn THEN ('10.0.' || g % 250 || '.' || (g * 7) % 250)::inet END,
	CASE WHEN nn THEN (g * 37 % 1000)::money END,
	CASE WHEN nn THEN (ARRAY['red', 'green', 'blue'])[g % 3 + 1]::ac_color END,
	CASE WHEN nn THEN ((g * 37) % 100, 'p' || g)::ac_pair END,
	CASE WHEN nn THEN ARRAY[(g * 37) % 100, g] END,
	CASE WHEN nn THEN int4range(g % 50, g % 50 + 3 + g % 4) END,
	CASE WHEN nn THEN int4multirange(int4range(g % 50, g % 50 + 2)) END,
	CASE WHEN nn THEN jsonb_build_object('v', g) END,
	CASE WHEN nn THEN ((g * 37) % 1000)::text::xid8 END,
	CASE WHEN nn THEN ((g * 37) % 1000)::oid END,
	CASE WHEN nn THEN ('name' || (g * 37) % 1000)::name END
FROM (SELECT g, g % 8 <> 5 AS nn FROM generate_series(1, 1500) g) s;
ANALYZE ac_t;
CREATE TABLE ac_empty (k int, v int, t text);
INSERT INTO ac_empty VALUES (1, 1, 'a');
DELETE FROM ac_empty;
CREATE TABLE ac_null AS SELECT g % 5 AS k, NULL::int AS v, NULL::text AS t, NULL::int[] AS a FROM generate_series(1, 500) g;
ANALYZE ac_null;

-- strict without initial value; strict with; not strict; with nulls seen
CREATE FUNCTION ac_larger(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN greatest($1, $2); END';
CREATE AGGREGATE ac_max(int) (SFUNC = ac_larger, STYPE = int);
CREATE AGGREGATE ac_max0(int) (SFUNC = ac_larger, STYPE = int, INITCOND = '17');
CREATE FUNCTION ac_count_nulls(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + ($2 IS NULL)::int';
CREATE AGGREGATE ac_nulls(int) (SFUNC = ac_count_nulls, STYPE = int, INITCOND = '0');
-- a strict function that returns null once: null then stays
CREATE FUNCTION ac_break(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
	'BEGIN IF $2 % 100 = 7 THEN RETURN NULL; END IF; RETURN $1 + $2; END';
CREATE AGGREGATE ac_broken(int) (SFUNC = ac_break, STYPE = int, INITCOND = '0');
CREATE AGGREGATE ac_broken_first(int) (SFUNC = ac_break, STYPE = int);
-- not strict, returns null at times and goes on
CREATE FUNCTION ac_toggle(text, text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN IF $1 IS NULL OR length($1) > 60 THEN RETURN $2; END IF; IF $2 IS NULL THEN RETURN NULL; END IF; RETURN $1 || $2; END';
CREATE AGGREGATE ac_toggled(text) (SFUNC = ac_toggle, STYPE = text);
-- by-reference states: text, arrays (expanded objects), composite types, the argument itself
CREATE AGGREGATE ac_concat(text) (SFUNC = textcat, STYPE = text, INITCOND = '');
CREATE AGGREGATE ac_collect(anycompatible) (SFUNC = array_append, STYPE = anycompatiblearray, INITCOND = '{}');
CREATE FUNCTION ac_append(anyarray, anyelement) RETURNS anyarray LANGUAGE sql IMMUTABLE AS 'SELECT array_append($1, $2)';
CREATE AGGREGATE ac_collect_all(anyelement) (SFUNC = ac_append, STYPE = anyarray);
CREATE FUNCTION ac_push(int[], int) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN $1[coalesce(array_length($1, 1), 0) + 1] := $2; RETURN $1; END';
CREATE AGGREGATE ac_pushed(int) (SFUNC = ac_push, STYPE = int[], INITCOND = '{}');
CREATE FUNCTION ac_track(ac_pair, int, text) RETURNS ac_pair LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN IF $1.a IS NULL OR $2 > $1.a THEN RETURN ROW($2, $3)::ac_pair; END IF; RETURN $1; END';
CREATE AGGREGATE ac_tracked(int, text) (SFUNC = ac_track, STYPE = ac_pair, INITCOND = '(,)');
CREATE FUNCTION ac_first(anyelement, anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1';
CREATE AGGREGATE ac_first_of(anyelement) (SFUNC = ac_first, STYPE = anyelement);
CREATE FUNCTION ac_last(anyelement, anyelement) RETURNS anyelement LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $2; END';
CREATE AGGREGATE ac_last_of(anyelement) (SFUNC = ac_last, STYPE = anyelement);
-- final functions: plain, strict, with the arguments' types, polymorphic
CREATE FUNCTION ac_final(int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT ''final '' || coalesce($1::text, ''none'')';
CREATE AGGREGATE ac_finished(int) (SFUNC = ac_larger, STYPE = int, FINALFUNC = ac_final);
CREATE FUNCTION ac_strict_final(int) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT ''final '' || $1';
CREATE AGGREGATE ac_strictly_finished(int) (SFUNC = ac_larger, STYPE = int, FINALFUNC = ac_strict_final);
CREATE FUNCTION ac_extra_final(int, int, anyelement) RETURNS text LANGUAGE sql IMMUTABLE AS
	'SELECT pg_typeof($3) || '' '' || coalesce($1::text, ''none'') || '' '' || ($2 IS NULL)::text || ($3 IS NULL)::text';
CREATE FUNCTION ac_extra_step(int, int, anyelement) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + coalesce($2, 0)';
CREATE AGGREGATE ac_extra(int, anyelement) (SFUNC = ac_extra_step, STYPE = int, INITCOND = '0',
	FINALFUNC = ac_extra_final, FINALFUNC_EXTRA);
-- several arguments and VARIADIC
CREATE FUNCTION ac_add3(int8, int, int, int) RETURNS int8 LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1 + $2 * $3 - $4';
CREATE AGGREGATE ac_sum3(int, int, int) (SFUNC = ac_add3, STYPE = int8, INITCOND = '5');
CREATE FUNCTION ac_least(int, VARIADIC int[]) RETURNS int LANGUAGE sql IMMUTABLE AS
	'SELECT least($1, (SELECT min(v) FROM unnest($2) v))';
CREATE AGGREGATE ac_least_of(VARIADIC int[]) (SFUNC = ac_least, STYPE = int);
-- the collation arrives in the function
CREATE FUNCTION ac_text_larger(text, text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS
	'BEGIN RETURN CASE WHEN $1 > $2 THEN $1 ELSE $2 END; END';
CREATE AGGREGATE ac_text_max(text) (SFUNC = ac_text_larger, STYPE = text);
-- no argument
CREATE FUNCTION ac_tick(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 2';
CREATE AGGREGATE ac_ticks(*) (SFUNC = ac_tick, STYPE = int, INITCOND = '1');
-- failing functions
CREATE FUNCTION ac_fail(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN IF $2 = 1234 THEN RAISE EXCEPTION ''row % after %'', $2, $1; END IF; RETURN $1 + 1; END';
CREATE AGGREGATE ac_failing(int) (SFUNC = ac_fail, STYPE = int, INITCOND = '0');
CREATE FUNCTION ac_fail_final(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN RAISE EXCEPTION ''final of %'', $1; END';
CREATE AGGREGATE ac_failing_final(int) (SFUNC = ac_larger, STYPE = int, FINALFUNC = ac_fail_final);
-- queries inside of a transition function
CREATE FUNCTION ac_query(int8, int) RETURNS int8 LANGUAGE plpgsql STABLE AS
	'BEGIN RETURN $1 + (SELECT count(*) FROM ac_null WHERE k < $2 % 7); END';
CREATE AGGREGATE ac_queried(int) (SFUNC = ac_query, STYPE = int8, INITCOND = '0');
-- end setup

-- Arrays, strings, JSON.
-- require
-- serial
SELECT k, array_agg(i4), array_agg(t), array_agg(n) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT array_agg(id), array_agg(b), array_agg(p), array_agg(e) FROM ac_t;
-- require
-- serial
SELECT k, array_agg(ar) FROM ac_t WHERE ar IS NOT NULL GROUP BY k;
-- require
-- serial
SELECT k, array_agg(ar) FROM ac_t GROUP BY k HAVING k < 5;
-- require
-- serial
SELECT k, string_agg(t, ','), string_agg(t, t), string_agg(by, '\x00') FROM ac_t GROUP BY k;
-- require
-- serial
SELECT string_agg(t, NULL), string_agg(NULL, t), string_agg(c, '-') FROM ac_t;
-- require
-- serial
SELECT k, json_agg(i4), jsonb_agg(n), json_agg(p) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, json_object_agg(id, t), jsonb_object_agg(id, f8) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, json_object_agg_strict(id, t), jsonb_agg_strict(i4), json_agg_strict(i4), jsonb_object_agg_strict(id, i4) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT jsonb_object_agg_unique(id, t) FROM ac_t WHERE id % 3 = 0;
-- require
-- serial
SELECT json_object_agg_unique(k, t) FROM ac_t WHERE k IS NOT NULL;
-- require
-- serial
SELECT json_object_agg(k, t) FROM ac_t;
-- require
-- serial
SELECT k, JSON_ARRAYAGG(i4 NULL ON NULL), JSON_OBJECTAGG(id : b ABSENT ON NULL) FROM ac_t GROUP BY k;

-- Booleans, bits, any value.
-- require
SELECT k, bool_and(b), bool_or(b), every(b) FROM ac_t GROUP BY k;
-- require
SELECT bool_and(i4 > -9999), bool_or(i4 > 9999), every(id > 0) FROM ac_t;
-- require
SELECT k, bit_and(i2), bit_or(i4), bit_xor(i8), bit_and(bi), bit_or(bi), bit_xor(bi) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, any_value(k), any_value(k::text) FROM ac_t GROUP BY k;

-- Variances and regressions.
-- require
SELECT k, stddev(i2), stddev_samp(i4), stddev_pop(i8), variance(n), var_samp(nu), var_pop(i4) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, stddev(f4), stddev_samp(f8), stddev_pop(f4), variance(f8), var_samp(f4), var_pop(f8) FROM ac_t GROUP BY k;
-- require
SELECT stddev(i2), variance(i4), stddev(i8), variance(f8), stddev(n), var_pop(nu) FROM ac_t;
-- require
-- serial
SELECT k, corr(f8, i4), covar_pop(f8, f4), covar_samp(f8, f4) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, regr_count(f8, f4), regr_avgx(f8, f4), regr_avgy(f8, f4), regr_sxx(f8, f4), regr_syy(f8, f4), regr_sxy(f8, f4),
	regr_slope(f8, f4), regr_intercept(f8, f4), regr_r2(f8, f4)
FROM ac_t GROUP BY k;
-- require
-- serial
SELECT regr_slope(f8, id), regr_r2(f8, id), corr(id, id), count(*), avg(f8) FROM ac_t;

-- Sums and averages of other types, extremes of every type.
-- require
SELECT k, sum(iv), avg(iv), sum(m) FROM ac_t GROUP BY k;
-- require
SELECT k, min(ti), max(ti), min(iv), max(iv), min(m), max(m) FROM ac_t GROUP BY k;
-- require
SELECT k, min(e), max(e), min(ip), max(ip), min(ar), max(ar) FROM ac_t GROUP BY k;
-- require
SELECT k, min(x), max(x), min(o), max(o), min(nm::text), max(nm::text COLLATE "C") FROM ac_t GROUP BY k;
-- require
SELECT min(ti), max(iv), min(m), max(e), min(ip), max(ar), min(x), max(o), min(tz), max(ts), min(d) FROM ac_t;
-- require
SELECT k, range_agg(r), range_intersect_agg(r) FROM ac_t GROUP BY k;
-- require
SELECT range_agg(r), range_agg(mr), range_intersect_agg(mr) FROM ac_t WHERE k <> 5;

-- Users' aggregates.
-- require
SELECT k, ac_max(i4), ac_max0(i4), ac_nulls(i4) FROM ac_t GROUP BY k;
-- require
SELECT ac_max(i4), ac_max0(i4), ac_nulls(i4) FROM ac_t;
-- require
-- serial
SELECT k, ac_broken(i4), ac_broken_first(i4), ac_broken(id), ac_broken_first(id) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, ac_toggled(t) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, ac_concat(t), length(ac_concat(t || id)) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, ac_collect(i4), ac_collect(t), ac_collect(n), ac_collect(p) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT ac_collect(id), ac_collect_all(e), ac_collect_all(f8) FROM ac_t;
-- require
-- serial
SELECT k, ac_pushed(i4), array_length(ac_pushed(id), 1) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, ac_tracked(i4, t), (ac_tracked(id, t)).b FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, ac_first_of(t), ac_last_of(t), ac_first_of(n), ac_last_of(i4), ac_last_of(p), ac_first_of(ar) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_finished(i4), ac_strictly_finished(i4) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_extra(i4, t), ac_extra(i4, d), ac_extra(i4, p) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_sum3(i4, i2, id), ac_sum3(id, id, id) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_least_of(i4, id, i2), ac_least_of(id), ac_least_of(VARIADIC ar) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_text_max(t COLLATE "C"), ac_text_max(t) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_ticks(*), count(*) FROM ac_t GROUP BY k;
-- require
SELECT ac_queried(id), ac_queried(k) FROM ac_t WHERE id < 300;

-- Shared states: one transition, several results; the same aggregate twice; with and without FILTER.
-- require
SELECT k, stddev(n), variance(n), var_pop(n), avg(n), sum(n) FROM ac_t GROUP BY k;
-- require
SELECT k, ac_max(i4), ac_finished(i4), ac_strictly_finished(i4), ac_max(i4) + 1 FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, stddev(i4) FILTER (WHERE b), variance(i4) FILTER (WHERE b), stddev(i4), ac_concat(t) FILTER (WHERE i4 > 4000) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT corr(f8, f4) FILTER (WHERE k = 77), string_agg(t, ',') FILTER (WHERE id < 0), array_agg(id) FILTER (WHERE id = 5), count(*) FROM ac_t;

-- Together with vector aggregates; inside expressions; HAVING; keys in arguments.
-- require
-- serial
SELECT k, count(*), sum(i4), ac_max(i4), max(i4), avg(n), stddev(n), array_agg(i4) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k + 1, array_length(array_agg(id), 1) * 2 + count(*), upper(ac_concat(t) || coalesce(k, -1)) FROM ac_t GROUP BY k;
-- require
SELECT k FROM ac_t GROUP BY k HAVING bool_or(i4 > 4900) AND ac_max(i4) > 0;
-- require
-- serial
SELECT k, string_agg(k::text || t, ','), ac_sum3(k, i4, k) FROM ac_t GROUP BY k;
-- require
-- serial
SELECT k, b, string_agg(t, ','), count(*) FROM ac_t GROUP BY k, b;
-- require
-- serial
SELECT id, t, array_agg(i4), stddev(i4) FROM ac_t GROUP BY id;
-- require
-- serial
SELECT k, array_agg(i4) = array_agg(i4 + 0), array_agg(i4 + id), ac_collect(i4 * 2) FROM ac_t WHERE i4 % 3 <> 1 GROUP BY k;
-- require
-- serial
SELECT k, (SELECT max(v) FROM unnest(array_agg(s.i4)) v) FROM ac_t s GROUP BY k;

-- Empty input, null input, one row.
-- require
-- serial
SELECT array_agg(v), string_agg(t, ','), json_agg(v), stddev(v), corr(v, v), ac_max(v), ac_max0(v), ac_finished(v), ac_concat(t),
	ac_extra(v, t), bool_and(v > 0), ac_ticks(*), regr_count(v, v)
FROM ac_empty;
-- require
-- serial
SELECT k, array_agg(v), ac_max0(v) FROM ac_empty GROUP BY k;
-- require
-- serial
SELECT k, array_agg(v), string_agg(t, ','), stddev(v), corr(v, v), ac_max(v), ac_max0(v), ac_nulls(v), ac_finished(v),
	ac_strictly_finished(v), ac_concat(t), ac_extra(v, t), bool_or(v > 0), ac_collect(v), ac_least_of(v, v), bit_and(v)
FROM ac_null GROUP BY k;
-- require
-- serial
SELECT k, array_agg(a) FROM ac_null GROUP BY k;
-- require
-- serial
SELECT k, array_agg(i4), stddev(id), ac_first_of(id), ac_concat(t), var_pop(id) FROM ac_t WHERE k = 9 GROUP BY k;

-- Errors: inside a transition function, in a final function, from a built-in function; the first in row order.
-- serial
SELECT ac_failing(id) FROM ac_t;
-- serial
SELECT k, ac_failing(id) FROM ac_t GROUP BY k;
-- serial
SELECT ac_failing(id), sum(1 / (id - 1233)) FROM ac_t;
-- serial
SELECT ac_failing(id), sum(1 / (id - 1235)) FROM ac_t;
-- serial
SELECT ac_failing(id) FILTER (WHERE id <> 1234) FROM ac_t;
-- serial
SELECT ac_failing_final(id) FROM ac_t;
-- serial
SELECT k, ac_failing_final(i4) FROM ac_t WHERE k = 3 GROUP BY k;
-- serial
SELECT jsonb_object_agg(t, id) FROM ac_t;
-- serial
SELECT json_object_agg_unique(k, id) FROM ac_t WHERE k > 0;
-- serial
SELECT array_agg(ARRAY[id, id]), array_agg(CASE WHEN id = 700 THEN ARRAY[1] ELSE ARRAY[1, 2] END) FROM ac_t;
SELECT sum(m * 1e16) FROM ac_t;
SELECT bit_and(vb) FROM (SELECT CASE WHEN id = 900 THEN B'1' ELSE vb END AS vb FROM ac_t) s;

-- Rescans, prepared statements, subqueries.
-- require
-- serial
SELECT v, (SELECT string_agg(s.t, ',') FROM ac_t s WHERE s.id BETWEEN v AND v + 3) FROM generate_series(1, 5) v;
PREPARE ac_p(int) AS SELECT k, array_agg(i4 + $1), ac_max($1), ac_concat(t) FROM ac_t WHERE id < $1 GROUP BY k;
-- require
-- serial
EXECUTE ac_p(50);
-- require
-- serial
EXECUTE ac_p(500);
DEALLOCATE ac_p;
-- require
-- serial
SELECT s.k, s.a[1], s.c FROM (SELECT k, array_agg(id) AS a, ac_concat(t) AS c FROM ac_t GROUP BY k) s WHERE s.k > 2;
-- require
-- serial
SELECT array_agg(s.a::text) FROM (SELECT k, ac_collect(k) FILTER (WHERE id < 20) AS a FROM ac_t WHERE k < 3 GROUP BY k ORDER BY k) s;
