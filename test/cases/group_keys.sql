-- Grouping keys of every type.  Equal keys of different bytes (numeric scale, -0, NaN, char blanks,
-- nondeterministic collations) form one group, represented by its first row in scan order; different
-- keys of equal hash or equal prefix stay apart; null is a key like any other.

-- setup
CREATE TABLE gk_t (
	id int NOT NULL, b bool, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, n2 numeric(8,2), d date, ts timestamp, tz timestamptz,
	t text, v varchar(30), c char(4), bp bpchar, u uuid, iv interval, tm time, o oid, ch "char", nm name, by bytea, m money, ip inet,
	arr int[], js jsonb, e text, tl text
);
INSERT INTO gk_t
SELECT g,
	CASE g % 3 WHEN 0 THEN true WHEN 1 THEN false END,
	CASE WHEN g % 10 < 9 THEN (ARRAY[-32768, -1, 0, 1, 32767])[g % 5 + 1]::int2 END,
	CASE WHEN g % 10 < 9 THEN (ARRAY[-2147483648, -1, 0, 1, 2147483647, 65536, -65536])[g % 7 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY[-9223372036854775808, -1, 0, 1, 9223372036854775807, 4294967296, -4294967296, 4294967295])[g % 8 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['0', '-0', 'NaN', 'Infinity', '-Infinity', '1e-45', '3.4028235e38', '1.5']::float4[])[g % 8 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['-0', '0', 'NaN', 'Infinity', '-Infinity', '5e-324', '1.7976931348623157e308', '1.5', '-1.5']::float8[])[g % 9 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['1', '1.0', '1.00', '0', '0.000', '-0', 'NaN', 'Infinity', '-Infinity', '1e30', '1000000000000000000000000000000.00',
		'0.1', '0.10', '100', '1e2', '-1.50', '-1.5', '12345678901234567890123456789.123456789']::numeric[])[g % 18 + 1] END,
	CASE WHEN g % 10 < 9 THEN (g % 6)::numeric / 4 END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['infinity', '-infinity', '2000-01-01', '1999-12-31', '4713-01-01 BC', '5874897-12-31']::date[])[g % 6 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['infinity', '-infinity', '2000-01-01', '1999-12-31 23:59:59.999999', '2000-01-01 00:00:00.000001']::timestamp[])[g % 5 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['infinity', '-infinity', '2000-01-01 00:00+00', '2000-01-01 02:00+02', '2000-01-01 00:00:00.000001+00']::timestamptz[])[g % 5 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['', 'a', 'A', 'a ', ' a', 'ab', 'abcdefg', 'abcdefgh', 'abcdefghi', 'é', 'e', 'É', repeat('x', 126), repeat('x', 127), repeat('x', 128),
		repeat('x', 300), repeat('x', 299) || 'y'])[g % 17 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['', ' ', '  ', 'x', 'x ', 'xy'])[g % 6 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['', 'a', 'a  ', 'ab', 'abcd', 'é', ' a'])[g % 7 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['', '  ', 'a', 'a ', 'a  ', 'ab', ' a', E'a\t'])[g % 8 + 1]::bpchar END,
	CASE WHEN g % 10 < 9 THEN ('00000000-0000-0000-0000-00000000000' || g % 10)::uuid END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['1 day', '24 hours', '30 days', '1 mon', '1 mon 1 second', '0', '-1 day']::interval[])[g % 7 + 1] END,
	CASE WHEN g % 10 < 9 THEN time '00:00' + g % 5 * interval '1 hour' END,
	CASE WHEN g % 10 < 9 THEN (ARRAY[0, 1, 4294967295]::oid[])[g % 3 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['a', 'b', '']::"char"[])[g % 3 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['a', 'b', '', repeat('n', 63)]::name[])[g % 4 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['\x', '\x00', '\x0000', '\xff', '\x61']::bytea[])[g % 5 + 1] END,
	CASE WHEN g % 10 < 9 THEN (g % 4)::money END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['10.0.0.1', '10.0.0.1/32', '10.0.0.0/8', '::1']::inet[])[g % 4 + 1] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['{}', '{1}', '{1,2}', '{NULL}', '[2:3]={1,2}', '{{1,2}}'])[g % 6 + 1]::int[] END,
	CASE WHEN g % 10 < 9 THEN (ARRAY['1', '1.0', '"a"', '{"a":1,"b":2}', '{"b": 2, "a": 1}', '[]', 'null'])[g % 7 + 1]::jsonb END,
	'',
	repeat(chr(97 + g % 4), 200 + g % 3 * 1000)
FROM generate_series(1, 5000) g;
CREATE TYPE gk_mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN gk_pos AS int CHECK (VALUE >= 0);
CREATE DOMAIN gk_money AS numeric(10,2);
CREATE TYPE gk_pair AS (a int, b text);
CREATE TABLE gk_more (id int, mood gk_mood, pos gk_pos, mon gk_money, pr gk_pair);
INSERT INTO gk_more
SELECT g, (ARRAY['sad', 'ok', 'happy', NULL])[g % 4 + 1]::gk_mood, NULLIF(g % 7, 0), NULLIF(g % 5, 0) / 2.0, ROW(g % 3, 'x' || g % 2)::gk_pair
FROM generate_series(1, 3000) g;
CREATE COLLATION gk_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE gk_coll (id int, ci text COLLATE gk_ci, en text COLLATE "en-x-icu", cc text COLLATE "C", cci char(6) COLLATE gk_ci);
INSERT INTO gk_coll
SELECT g, (ARRAY['abc', 'ABC', 'Abc', 'abd', 'ABD', 'äbc', 'ÄBC', '', NULL])[g % 9 + 1], (ARRAY['abc', 'ABC', 'Abc', 'äbc', 'a' || U&'\0308' || 'bc'])[g % 5 + 1],
	(ARRAY['abc', 'ABC', 'Abc', 'äbc', 'a' || U&'\0308' || 'bc'])[g % 5 + 1], (ARRAY['abc', 'ABC', 'Abc ', 'abd', NULL])[g % 5 + 1]
FROM generate_series(1, 3000) g;
ANALYZE gk_t; ANALYZE gk_more; ANALYZE gk_coll;
-- end setup

-- Which of equal keys is shown, is free in a parallel plan.
SET max_parallel_workers_per_gather = 0;

-- Core must hash too: a sort would make the representative of equal keys another one.
SET enable_sort = off;
SET timezone = 'UTC';
SET lc_monetary = 'C';

-- require
SELECT b, count(*), sum(id) FROM gk_t GROUP BY b;
-- require
SELECT i2, count(*), sum(id) FROM gk_t GROUP BY i2;
-- require
SELECT i4, count(*), sum(id) FROM gk_t GROUP BY i4;
-- require
SELECT i8, count(*), sum(id) FROM gk_t GROUP BY i8;
-- require
SELECT f4, count(*), sum(id) FROM gk_t GROUP BY f4;
-- require
SELECT f8, count(*), sum(id) FROM gk_t GROUP BY f8;
-- require
SELECT n, count(*), sum(id) FROM gk_t GROUP BY n;
-- require
SELECT n2, count(*), sum(id) FROM gk_t GROUP BY n2;
-- require
SELECT d, count(*), sum(id) FROM gk_t GROUP BY d;
-- require
SELECT ts, count(*), sum(id) FROM gk_t GROUP BY ts;
-- require
SELECT tz, count(*), sum(id) FROM gk_t GROUP BY tz;
-- require
SELECT t, count(*), sum(id) FROM gk_t GROUP BY t;
-- require
SELECT v, length(v), count(*), sum(id) FROM gk_t GROUP BY v;
-- require
SELECT c, count(*), sum(id) FROM gk_t GROUP BY c;
-- require
SELECT bp, '[' || textcat(bp::text, ']') AS shown, octet_length(bp) AS bytes, count(*), sum(id) FROM gk_t GROUP BY bp;
SELECT u, count(*), sum(id) FROM gk_t GROUP BY u;
SELECT iv, count(*), sum(id) FROM gk_t GROUP BY iv;
SELECT tm, count(*), sum(id) FROM gk_t GROUP BY tm;
SELECT o, count(*), sum(id) FROM gk_t GROUP BY o;
SELECT ch, count(*), sum(id) FROM gk_t GROUP BY ch;
SELECT nm, count(*), sum(id) FROM gk_t GROUP BY nm;
SELECT "by", count(*), sum(id) FROM gk_t GROUP BY "by";
SELECT m, count(*), sum(id) FROM gk_t GROUP BY m;
SELECT ip, count(*), sum(id) FROM gk_t GROUP BY ip;
SELECT arr, count(*), sum(id) FROM gk_t GROUP BY arr;
SELECT js, count(*), sum(id) FROM gk_t GROUP BY js;
-- require
SELECT e, count(*), sum(id) FROM gk_t GROUP BY e;
-- require
SELECT left(tl, 5) AS l, length(tl) AS len, count(*), sum(id) FROM gk_t GROUP BY tl;
SELECT mood, count(*), sum(id) FROM gk_more GROUP BY mood;
SELECT pos, count(*), sum(id), max(pos) FROM gk_more GROUP BY pos;
SELECT mon, count(*), sum(id), sum(mon) FROM gk_more GROUP BY mon;
SELECT pr, count(*), sum(id) FROM gk_more GROUP BY pr;
SELECT (pr).a, (pr).b, count(*), sum(id) FROM gk_more GROUP BY (pr).a, (pr).b;
SELECT gk_more.*, count(*) FROM gk_more WHERE id < 10 GROUP BY gk_more.*, id, mood, pos, mon, pr;

-- The representative is the first row: make another spelling come first.
-- require
SELECT n, count(*) FROM gk_t WHERE id > 1 GROUP BY n;
-- require
SELECT n, count(*) FROM gk_t WHERE id > 15 AND n IN (1, 0.1, 100) GROUP BY n;
-- require
SELECT f8, count(*) FROM gk_t WHERE id > 2 GROUP BY f8;
-- require
SELECT f4, 1 / nullif(f4, 1.5)::text::float8 AS inv, count(*) FROM gk_t WHERE f4 > 1 GROUP BY f4;
-- require
SELECT textcat(bp::text, '|') AS shown, count(*) FROM gk_t WHERE id >= 100 GROUP BY bp;
-- require
SELECT n, min(n), max(n), sum(n), avg(n) FROM gk_t WHERE n < 1000 GROUP BY n HAVING count(*) > 0;

-- Key expressions that make unequal spellings, or break equality of them.
-- require
SELECT n * 1.0 AS k, count(*) FROM gk_t GROUP BY n * 1.0;
-- require
SELECT n::text AS k, count(*) FROM gk_t GROUP BY n::text;
-- require
SELECT -f8 AS k, count(*) FROM gk_t GROUP BY -f8;
-- require
SELECT f8::text AS k, count(*) FROM gk_t GROUP BY f8::text;
-- require
SELECT bp::text AS k, length(bp::text) AS l, count(*) FROM gk_t GROUP BY bp::text;
-- require
SELECT c::text AS k, c || '|' AS k2, count(*) FROM gk_t GROUP BY c::text, c || '|';
-- require
SELECT t || '' AS k, count(*) FROM gk_t GROUP BY t || '';
-- require
SELECT upper(t) AS k, count(*) FROM gk_t GROUP BY upper(t);
-- require
SELECT i4::int8 + 1 AS k, count(*) FROM gk_t GROUP BY i4::int8 + 1;
-- require
SELECT i4 IS NULL AS k, b, count(*) FROM gk_t GROUP BY i4 IS NULL, b;
-- require
SELECT f4::float8 AS k, count(*) FROM gk_t GROUP BY f4::float8;
-- require
SELECT trunc(n2) AS k, n2 % 1 AS r, count(*) FROM gk_t GROUP BY 1, 2;

-- Collations.
SELECT ci, count(*), sum(id) FROM gk_coll GROUP BY ci;
SELECT ci, count(*), sum(id) FROM gk_coll WHERE id > 1 GROUP BY ci;
SELECT en, count(*), sum(id) FROM gk_coll GROUP BY en;
SELECT cc, count(*), sum(id) FROM gk_coll GROUP BY cc;
SELECT cci, count(*), sum(id) FROM gk_coll GROUP BY cci;
SELECT cc COLLATE gk_ci AS k, count(*), sum(id) FROM gk_coll GROUP BY cc COLLATE gk_ci;
SELECT ci COLLATE "C" AS k, count(*), sum(id) FROM gk_coll GROUP BY ci COLLATE "C";
SELECT ci, en, count(*) FROM gk_coll GROUP BY ci, en;
SELECT DISTINCT ci FROM gk_coll;
SELECT count(*), sum(id) FROM gk_coll WHERE ci = 'abc';
SELECT count(*), sum(id) FROM gk_coll WHERE ci <> 'abc';
SELECT count(*), sum(id) FROM gk_coll WHERE ci IN ('abc', 'Äbc');
SELECT count(*), sum(id) FROM gk_coll WHERE cci = 'aBC  ';
SELECT count(*), sum(id) FROM gk_coll WHERE ci > 'ABC';
SELECT count(*), sum(id) FROM gk_coll WHERE en > 'abc';
SELECT count(*), sum(id) FROM gk_coll WHERE cc = 'äbc' COLLATE "en-x-icu";
SELECT min(ci), max(ci), min(en), max(en), min(cc), max(cc) FROM gk_coll;
SELECT ci, min(cc), max(en) FROM gk_coll GROUP BY ci;
SELECT ci COLLATE "C" AS k, min(ci), max(ci) FROM gk_coll GROUP BY 1;
SELECT CASE ci WHEN 'ABC' THEN 1 WHEN 'abd' THEN 2 ELSE 3 END AS k, count(*), sum(id) FROM gk_coll GROUP BY 1;
SELECT NULLIF(ci, 'ABC') AS k, count(*), sum(id) FROM gk_coll GROUP BY 1;
SELECT id FROM gk_coll WHERE ci = en;
SELECT id FROM gk_coll WHERE en = cc;
SELECT count(*) FROM gk_coll WHERE ci LIKE 'A%';

-- Several keys of mixed kinds, 2 to all.
-- require
SELECT b, i2, count(*), sum(id) FROM gk_t GROUP BY b, i2;
-- require
SELECT i8, i4, i2, count(*) FROM gk_t GROUP BY i2, i4, i8;
-- require
SELECT f4, f8, n, count(*), sum(id) FROM gk_t GROUP BY f4, f8, n;
-- require
SELECT t, c, v, bp, count(*), sum(id) FROM gk_t GROUP BY t, c, v, bp;
-- require
SELECT d, ts, tz, count(*), sum(id) FROM gk_t GROUP BY d, ts, tz;
-- require
SELECT c, i4, count(*), min(t COLLATE "C") FROM gk_t GROUP BY c, i4;
-- require
SELECT b, i2, i4, i8, f4, f8, n, n2, d, ts, tz, t, v, c, bp, count(*), sum(id) FROM gk_t WHERE id <= 1500 GROUP BY b, i2, i4, i8, f4, f8, n, n2, d, ts, tz, t, v, c, bp;
SELECT u, n, iv, t, ip, i4, arr, count(*) FROM gk_t WHERE id <= 1500 GROUP BY u, n, iv, t, ip, i4, arr;
SELECT count(*) FROM (SELECT b, i2, i4, i8, f4, f8, n, n2, d, ts, tz, t, v, c, bp, u, iv, tm, o, ch, count(*) FROM gk_t GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20) q;

-- Keys that would collide if lengths or nulls were not part of them.
-- require
SELECT k1, k2, count(*) FROM (SELECT CASE id % 6 WHEN 0 THEN 'ab' WHEN 1 THEN 'a' WHEN 2 THEN '' WHEN 3 THEN 'abc' END AS k1,
	CASE id % 6 WHEN 0 THEN 'c' WHEN 1 THEN 'bc' WHEN 2 THEN 'abc' WHEN 3 THEN '' WHEN 4 THEN 'abc' END AS k2 FROM gk_t) s GROUP BY k1, k2;
-- require
SELECT a, b, count(*) FROM (SELECT CASE WHEN id % 2 = 0 THEN 0 END AS a, CASE WHEN id % 3 = 0 THEN 0 END AS b FROM gk_t) s GROUP BY a, b;
-- require
SELECT a, b, c, d, count(*) FROM (SELECT NULLIF(id % 2, 1) AS a, NULLIF(id / 2 % 2, 1) AS b, NULLIF(id / 4 % 2, 1) AS c, NULLIF(id / 8 % 2, 1) AS d FROM gk_t) s GROUP BY a, b, c, d;
-- require
SELECT a, b, count(*) FROM (SELECT (id % 3)::int2 AS a, (id / 3 % 3)::int2 AS b FROM gk_t) s GROUP BY a, b;
-- require
SELECT a, b, count(*) FROM (SELECT id % 3 AS a, -(id % 3) AS b FROM gk_t) s GROUP BY b, a;

-- DISTINCT and set operations over the same keys.
SELECT DISTINCT n FROM gk_t;
SELECT DISTINCT f8, f4 FROM gk_t WHERE id > 1;
SELECT DISTINCT bp FROM gk_t;
SELECT n FROM gk_t WHERE id < 100 UNION SELECT n2 FROM gk_t WHERE id < 100;
SELECT n FROM gk_t WHERE id < 100 INTERSECT SELECT n2 FROM gk_t WHERE id > 100;
SELECT n FROM gk_t WHERE id < 100 EXCEPT SELECT n2 FROM gk_t WHERE id > 100;
