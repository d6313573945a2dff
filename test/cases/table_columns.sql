-- Row layouts: columns added with and without a default, so that older rows are shorter, dropped
-- columns, changed types, stored and virtual generated columns, identity, not-null columns added
-- late, alignment of every width, three hundred columns, null bitmaps of every length, columns that
-- are read in another order than stored.

-- setup
CREATE TABLE tc_added (id int NOT NULL, a int);
INSERT INTO tc_added SELECT g, g FROM generate_series(1, 1500) g;
ALTER TABLE tc_added ADD b int, ADD c text;
INSERT INTO tc_added SELECT g, g, g, 'c' || g FROM generate_series(1501, 2000) g;
ALTER TABLE tc_added ADD d int NOT NULL DEFAULT 7, ADD e text DEFAULT 'default e', ADD f numeric(10,2) DEFAULT 12.50, ADD g8 bigint DEFAULT 123456789012;
INSERT INTO tc_added SELECT g, g, g, 'c' || g, g, 'e' || g, g / 4.0, g FROM generate_series(2001, 2500) g;
ALTER TABLE tc_added ADD h date DEFAULT '2020-02-29', ADD i float8 DEFAULT 'NaN', ADD j bool DEFAULT true, ADD k char(5) DEFAULT 'kk', ADD l varchar(10) DEFAULT '', ADD m float4 DEFAULT -0.0, ADD n int2 DEFAULT -5, ADD o timestamptz DEFAULT '2020-01-01 00:00+00', ADD p numeric DEFAULT 'NaN', ADD q int[] DEFAULT '{1,2}';
INSERT INTO tc_added (id, a, h, k) SELECT g, g, NULL, NULL FROM generate_series(2501, 3000) g;
UPDATE tc_added SET a = a + 1 WHERE id % 100 = 0;
UPDATE tc_added SET e = NULL WHERE id % 100 = 1;
CREATE TABLE tc_dropped (id int NOT NULL, x1 text, a int, x2 int8 NOT NULL, b text, x3 numeric, c int8, x4 char(3), d int2 NOT NULL);
INSERT INTO tc_dropped SELECT g, repeat('x', g % 140), g, g, 'b' || g, g, g * 10, 'x', g % 100 FROM generate_series(1, 1500) g;
ALTER TABLE tc_dropped DROP x1, DROP x2;
INSERT INTO tc_dropped SELECT g, g, 'b' || g, g, g * 10, 'x', g % 100 FROM generate_series(1501, 2500) g;
ALTER TABLE tc_dropped DROP x3, DROP x4, ADD e int DEFAULT 5, ADD x1 text DEFAULT 'again';
INSERT INTO tc_dropped SELECT g, g, 'b' || g, g * 10, g % 100, g, 'new' FROM generate_series(2501, 3500) g;
CREATE TABLE tc_retyped (id int, a int2, b varchar(10), c numeric(10,2), d timestamp);
INSERT INTO tc_retyped SELECT g, g % 100, 'b' || g, g / 3.0, timestamp '2020-01-01' + g * interval '1 hour' FROM generate_series(1, 2000) g;
ALTER TABLE tc_retyped ALTER a TYPE int8, ALTER b TYPE text, ALTER c TYPE numeric(12,1), ALTER d TYPE date;
INSERT INTO tc_retyped SELECT g, g, 'b' || g, g / 3.0, '2020-01-01' FROM generate_series(2001, 2500) g;
-- Widened without a rewrite: rows of both scales in one column.
CREATE TABLE tc_widened (id int, n numeric(10,2), v varchar(5));
INSERT INTO tc_widened SELECT g, g / 4.0, 'v' || g % 9 FROM generate_series(1, 1500) g;
ALTER TABLE tc_widened ALTER n TYPE numeric(12,2), ALTER v TYPE varchar(10);
INSERT INTO tc_widened SELECT g, g / 4.0, 'widened' || g % 9 FROM generate_series(1501, 2000) g;
ALTER TABLE tc_widened ALTER n TYPE numeric;
INSERT INTO tc_widened SELECT g, g / 16.0, 'w' FROM generate_series(2001, 2500) g;
CREATE TABLE tc_stored (id int NOT NULL, a int, s int GENERATED ALWAYS AS (a * 2) STORED, t text GENERATED ALWAYS AS ('t' || (a % 5)) STORED, idn int GENERATED ALWAYS AS IDENTITY);
INSERT INTO tc_stored (id, a) SELECT g, CASE WHEN g % 4 > 0 THEN g END FROM generate_series(1, 2500) g;
ALTER TABLE tc_stored ADD u int GENERATED ALWAYS AS (a + 1) STORED;
-- Every alignment behind every width, each nullable: c char, s short, i int, d double, v varlena.
CREATE TABLE tc_align (
	c1 bool, i1 int, c2 bool, s1 int2, c3 bool, d1 float8, s2 int2, i2 int4, s3 int2, d2 int8, v1 text, c4 bool, v2 text, s4 int2, v3 numeric, i3 int4, v4 varchar(9), d3 timestamp, f1 float4, v5 char(3), d4 date, ch "char", nm name, i4 int NOT NULL
);
INSERT INTO tc_align
SELECT CASE WHEN g % 2 > 0 THEN g % 4 = 1 END, CASE WHEN g % 3 > 0 THEN g END, CASE WHEN g % 5 > 0 THEN g % 3 = 0 END, CASE WHEN g % 7 > 0 THEN g % 1000 END, CASE WHEN g % 11 > 0 THEN g % 2 = 0 END, CASE WHEN g % 4 > 0 THEN g / 8.0 END,
	CASE WHEN g % 6 > 0 THEN -g % 1000 END, CASE WHEN g % 8 > 0 THEN -g END, CASE WHEN g % 9 > 0 THEN g % 7 END, CASE WHEN g % 10 > 0 THEN g * 10000000000 END, CASE WHEN g % 12 > 0 THEN repeat('v', g % 9) END, CASE WHEN g % 13 > 0 THEN g % 5 = 0 END,
	CASE WHEN g % 14 > 0 THEN repeat('w', g % 131) END, CASE WHEN g % 15 > 0 THEN g % 500 END, CASE WHEN g % 16 > 0 THEN g / 7.0 END, CASE WHEN g % 17 > 0 THEN g * 3 END, CASE WHEN g % 18 > 0 THEN 'x' || g % 99 END, CASE WHEN g % 19 > 0 THEN timestamp '2020-01-01' + g * interval '1 min' END,
	CASE WHEN g % 20 > 0 THEN g / 4.0 END, CASE WHEN g % 21 > 0 THEN 'c' || g % 9 END, CASE WHEN g % 22 > 0 THEN date '2020-01-01' + g END, CASE WHEN g % 23 > 0 THEN chr(97 + g % 26)::"char" END, CASE WHEN g % 24 > 0 THEN ('n' || g)::name END, g
FROM generate_series(1, 4000) g;
-- The same without any null.
CREATE TABLE tc_nonull AS SELECT * FROM tc_align WHERE num_nulls(c1, i1, c2, s1, c3, d1, s2, i2, s3, d2, v1, c4, v2, s4, v3, i3, v4, d3, f1, v5, d4, ch, nm) = 0;
INSERT INTO tc_nonull SELECT t.* FROM tc_nonull t, generate_series(1, 20);
-- Not null all over, of fixed width: constant offsets.
CREATE TABLE tc_fixed (a int2 NOT NULL, b bool NOT NULL, c int NOT NULL, d int8 NOT NULL, e float4 NOT NULL, f float8 NOT NULL, g bool NOT NULL, h date NOT NULL, i timestamp NOT NULL, j int2 NOT NULL, t text NOT NULL, z int NOT NULL);
INSERT INTO tc_fixed SELECT g % 100, g % 2 = 0, g, g * 1000000000000, g / 4.0, g / 8.0, g % 3 = 0, date '2000-01-01' + g, timestamp '2000-01-01' + g * interval '1 s', -g % 100, repeat('t', g % 5), g FROM generate_series(1, 3000) g;
-- A null where all columns before are never null, then a not-null column behind it.
CREATE TABLE tc_onenull (a int NOT NULL, b int, c int NOT NULL);
INSERT INTO tc_onenull SELECT g, CASE WHEN g <> 1500 THEN g END, g FROM generate_series(1, 3000) g;
CREATE TABLE tc_allnull (a int, b text, c numeric, d float8);
INSERT INTO tc_allnull SELECT NULL, NULL, NULL, NULL FROM generate_series(1, 3000);
-- NOT NULL that is not validated: rows with nulls are still there.
CREATE TABLE tc_late_nn (id int, a int);
INSERT INTO tc_late_nn SELECT g, NULLIF(g % 10, 0) FROM generate_series(1, 2000) g;
ALTER TABLE tc_late_nn ADD CONSTRAINT tc_late_nn_chk CHECK (a IS NOT NULL) NOT VALID;
INSERT INTO tc_late_nn SELECT g, g % 10 + 1 FROM generate_series(2001, 2500) g;
DO $$
DECLARE cols text; vals text;
BEGIN
	SELECT string_agg(format('c%s %s', i, (ARRAY['int', 'text', 'int8', 'numeric(10,2)', 'bool', 'float8', 'date', 'int2'])[i % 8 + 1]), ', ' ORDER BY i),
		string_agg(format('CASE WHEN (g + %s) %% 6 > 0 THEN %s END', i, (ARRAY['g + ' || i, '''t'' || g % 10', 'g * 10000000000', 'g / 4.0', 'g % 2 = 0', 'g / 8.0', 'date ''2020-01-01'' + g % 1000', '(g % 100)::int2'])[i % 8 + 1]), ', ' ORDER BY i)
	INTO cols, vals FROM generate_series(1, 300) i;
	EXECUTE 'CREATE TABLE tc_300 (id int NOT NULL, ' || cols || ')';
	EXECUTE 'INSERT INTO tc_300 SELECT g, ' || vals || ' FROM generate_series(1, 2500) g';
END $$;
-- end setup

SET timezone = 'UTC';

-- Added columns.
-- require
SELECT * FROM tc_added WHERE id IN (1, 100, 101, 1500, 1501, 1600, 1601, 2000, 2001, 2100, 2101, 2500, 2501, 2600, 2601, 3000);
-- require
SELECT count(*), count(a), count(b), count(c), count(d), count(e), count(f), count(g8), count(h), count(i), count(j), count(k), count(l), count(m), count(n), count(o), count(p), count(q) FROM tc_added;
-- require
SELECT sum(d), sum(f), sum(g8), max(h), sum(n), max(o), sum(m), min(p), min(e COLLATE "C"), max(k), sum(i) FROM tc_added;
-- require
SELECT id, e FROM tc_added WHERE e = 'default e' AND id % 50 < 2;
-- require
SELECT id, d, f FROM tc_added WHERE d <> 7 AND f > 600;
-- require
SELECT count(*), sum(id) FROM tc_added WHERE b IS NULL AND d = 7 AND j AND l = '' AND n = -5 AND m = 0 AND i = 'NaN' AND k = 'kk' AND p = 'NaN';
-- require
SELECT d = 7 AS d7, e IS NULL AS en, h, j, k, count(*), sum(f) FROM tc_added GROUP BY 1, 2, 3, 4, 5;
-- require
SELECT e, count(*) FROM tc_added WHERE id <= 2010 GROUP BY e;
-- require
SELECT f, g8, p, count(*) FROM tc_added WHERE id < 2005 GROUP BY f, g8, p;
-- require
SELECT m, 1 / NULLIF(m + 1, 0) AS x, count(*) FROM tc_added GROUP BY m;

-- Dropped, retyped, widened.
-- require
SELECT * FROM tc_dropped WHERE id IN (1, 139, 140, 141, 1499, 1500, 1501, 2500, 2501, 3500);
-- require
SELECT count(*), sum(id), sum(a), sum(c), sum(d), sum(e), max(b COLLATE "C"), min(x1 COLLATE "C"), max(x1 COLLATE "C") FROM tc_dropped;
-- require
SELECT d, count(*), sum(c), max(b COLLATE "C") FROM tc_dropped WHERE c > 100 GROUP BY d;
-- require
SELECT id FROM tc_dropped WHERE x1 = 'again' AND d = 17 AND b > 'b2' COLLATE "C";
-- require
SELECT * FROM tc_retyped WHERE id % 100 = 7;
-- require
SELECT sum(a), min(b COLLATE "C"), sum(c), avg(c), min(d), max(d) FROM tc_retyped;
-- require
SELECT * FROM tc_widened WHERE id % 50 = 7;
-- require
SELECT sum(n), avg(n), min(n), max(n), max(v COLLATE "C") FROM tc_widened;
-- require
SELECT v, sum(n), avg(n), sum(n * 2), max(n) FROM tc_widened GROUP BY v;
-- require
SELECT id, n FROM tc_widened WHERE n BETWEEN 370 AND 380 OR n BETWEEN 127 AND 128;

-- Generated.
-- require
SELECT * FROM tc_stored WHERE id < 20;
-- require
SELECT count(*), sum(s), sum(u), count(t), sum(idn) FROM tc_stored WHERE s > 100;
-- require
SELECT t, count(*), sum(s), sum(u - a) FROM tc_stored GROUP BY t;

-- Alignment, each column alone behind the others and all together.
-- require
SELECT * FROM tc_align WHERE i4 % 37 = 0;
-- require
SELECT * FROM tc_nonull WHERE i4 % 3 = 1;
-- require
SELECT count(c1), count(i1), count(c2), count(s1), count(c3), count(d1), count(s2), count(i2), count(s3), count(d2), count(v1), count(c4), count(v2), count(s4), count(v3), count(i3), count(v4), count(d3), count(f1), count(v5), count(d4), count(ch), count(nm), count(i4) FROM tc_align;
-- require
SELECT sum(i1), sum(s1), sum(d1), sum(s2), sum(i2), sum(s3), sum(d2), sum(s4), sum(v3), sum(i3), sum(f1), sum(i4), max(v1 COLLATE "C"), max(v2 COLLATE "C"), max(v4 COLLATE "C"), max(d3), max(v5 COLLATE "C"), max(d4) FROM tc_align;
-- require
SELECT sum(i1), sum(s1), sum(d1), sum(s2), sum(i2), sum(s3), sum(d2), sum(s4), sum(v3), sum(i3), sum(f1), sum(i4), max(v1 COLLATE "C"), max(v2 COLLATE "C"), max(v4 COLLATE "C"), max(d3), max(v5 COLLATE "C"), max(d4) FROM tc_nonull;
-- require
SELECT sum(i4) FROM tc_align;
-- require
SELECT sum(i3) FROM tc_align WHERE c4;
-- require
SELECT max(d3) FROM tc_align WHERE s4 > 100 AND v4 LIKE 'x1%';
-- require
SELECT i4, v5, v1 FROM tc_align WHERE f1 > 990;
-- require
SELECT d4, c1 FROM tc_align WHERE i4 BETWEEN 1000 AND 1100;
-- require
SELECT i1, i2, i3 FROM tc_align WHERE s3 = 3 AND v2 IS NULL;
-- require
SELECT c4, c3, c2, c1, count(*), sum(i4) FROM tc_align GROUP BY c1, c2, c3, c4;
-- require
SELECT v5, sum(d2), max(v1 COLLATE "C") FROM tc_align WHERE i4 > 2000 AND d1 > 300 GROUP BY v5;
-- require
SELECT * FROM tc_fixed WHERE c % 300 = 7;
-- require
SELECT sum(a), sum(c), sum(d), sum(e), sum(f), sum(j), sum(z), max(h), max(i), max(t COLLATE "C") FROM tc_fixed WHERE b;
-- require
SELECT g, b, count(*), sum(z), sum(j), max(i) FROM tc_fixed WHERE z > 1024 GROUP BY g, b;
-- require
SELECT i, j, z FROM tc_fixed WHERE j = -99;
-- require
SELECT a, b, c FROM tc_onenull WHERE a BETWEEN 1498 AND 1502;
-- require
SELECT count(*), count(a), count(b), count(c), sum(a), sum(b), sum(c) FROM tc_onenull;
-- require
SELECT count(*), sum(c) FROM tc_onenull WHERE b IS NULL OR c > 2990;
-- require
SELECT count(*), count(a), count(b), sum(a), max(b), sum(c), avg(d) FROM tc_allnull;
-- require
SELECT a, b, c, d, count(*) FROM tc_allnull GROUP BY a, b, c, d;
-- require
SELECT count(*) FROM tc_allnull WHERE a = 1 OR b = '' OR c > 0 OR d <> 0;
-- require
SELECT count(*) FROM tc_allnull WHERE a IS NULL AND b IS NULL AND (c > 0) IS NULL AND (d = d) IS NULL;
-- require
SELECT a, count(*), sum(id) FROM tc_late_nn GROUP BY a;
-- require
SELECT count(*) FROM tc_late_nn WHERE a IS NULL;
-- require
SELECT count(*) FROM tc_late_nn WHERE a IS NOT NULL;

-- Three hundred columns.
-- require
SELECT * FROM tc_300 WHERE id % 500 = 3;
-- require
SELECT id, c1, c150, c298, c299, c300 FROM tc_300 WHERE c296 > 2700;
-- require
SELECT c292, c1, c100 FROM tc_300 WHERE c7 = 17 AND c299 > 100;
-- require
SELECT count(c1), count(c8), count(c63), count(c64), count(c65), count(c128), count(c255), count(c256), count(c300), sum(c8), sum(c64), sum(c256), sum(c2), sum(c298), max(c297 COLLATE "C"), sum(c299), sum(c5 + c293) FROM tc_300;
-- require
SELECT c300, c297, count(*), sum(c296), sum(c3) FROM tc_300 WHERE c8 % 2 = 0 GROUP BY c300, c297;
-- require
SELECT c4, c12, c20, c28, c36, c44, c52, c60, c68, c76, c84, c92, c100, c108, c116, c124, count(*) FROM tc_300 GROUP BY c4, c12, c20, c28, c36, c44, c52, c60, c68, c76, c84, c92, c100, c108, c116, c124;
