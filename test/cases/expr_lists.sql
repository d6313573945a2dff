-- BETWEEN, IN and ANY/ALL over arrays: nulls in the list, in the value, in both; lists of one, few
-- and many elements with duplicates; every kind of element; NOT forms; array parameters and columns.

-- setup
CREATE TABLE el_t (id int NOT NULL, i2 int2, i4 int, i8 bigint, f8 float8, n numeric, t text, c char(5), d date, u uuid, arr int[]);
INSERT INTO el_t
SELECT g,
	CASE WHEN g % 11 > 0 THEN g % 300 END,
	CASE WHEN g % 7 > 0 THEN g % 100 END,
	CASE WHEN g % 5 > 0 THEN (g % 50)::bigint * 10000000000 END,
	CASE WHEN g % 9 > 0 THEN CASE g % 10 WHEN 1 THEN 'NaN' WHEN 2 THEN -0.0 ELSE g % 10 END END,
	CASE WHEN g % 3 > 0 THEN CASE g % 20 WHEN 1 THEN 'NaN' WHEN 2 THEN 1.0 WHEN 3 THEN 1.000 ELSE g % 20 / 2.0 END END,
	CASE WHEN g % 4 > 0 THEN 't' || g % 60 END,
	CASE WHEN g % 6 > 0 THEN 'c' || g % 25 END,
	CASE WHEN g % 8 > 0 THEN date '2001-01-01' + g % 400 END,
	CASE WHEN g % 10 > 0 THEN ('00000000-0000-0000-0000-' || lpad((g % 30)::text, 12, '0'))::uuid END,
	CASE g % 4 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN ARRAY[g % 100, NULL, 5] ELSE ARRAY[1, 2, g % 100] END
FROM generate_series(1, 5000) g;
ANALYZE el_t;
-- end setup

-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (1);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (1, 2, 3);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (3, 1, 2, 3, 1, 99, -1, 2147483647, -2147483648);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 NOT IN (1, 2, 3);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (1, 2, NULL);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (1, 2, NULL) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE NOT (i4 IN (1, 2, NULL));
SELECT count(*), sum(id) FROM el_t WHERE i4 NOT IN (1, 2, NULL);
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 NOT IN (1, 2, NULL)) IS NULL;
-- require
SELECT id, i4 IN (1, 2, NULL) AS a, i4 NOT IN (1, 2, NULL) AS b, i4 IN (1, 2) AS c, i4 NOT IN (1, 2) AS d FROM el_t WHERE id <= 24;
-- require
SELECT i4 IN (10, 20, 30, NULL) AS k, count(*) FROM el_t GROUP BY 1;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY ('{5,6,7,8,9,10,11,12,13,14,15}');
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 <> ALL ('{5,6,7,8,9,10,11,12,13,14,15}');
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY ('{}'::int[]) OR id = 17;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 <> ALL ('{}'::int[]) AND id > 2;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY ('{NULL}'::int[]) OR id = 17;
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 = ANY ('{NULL,NULL}'::int[])) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 = ANY ('{}'::int[])) IS NOT NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 > ANY ('{97,98,500}');
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 < ALL ('{97,50,500}');
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 >= ALL ('{97,NULL,50}');
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 >= ALL ('{97,NULL,50}')) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY ('{{1,2},{3,4}}'::int[]);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY (ARRAY[id, 5, 6]);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY (arr);
-- require
SELECT count(*), sum(id) FROM el_t WHERE 5 = ANY (arr);
-- require
SELECT count(*), sum(id) FROM el_t WHERE 5 <> ALL (arr);
-- require
SELECT count(*), sum(id) FROM el_t WHERE (5 <> ALL (arr)) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (id, id - 1, id - 100);
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (SELECT g FROM generate_series(1, 10) g);
SELECT count(*), sum(id) FROM el_t WHERE i4 NOT IN (SELECT g FROM generate_series(1, 10) g);
SELECT count(*), sum(id) FROM el_t WHERE i4 = ANY (ARRAY(SELECT g FROM generate_series(1, 60) g));

-- Mixed integer widths.
-- require
SELECT count(*), sum(id) FROM el_t WHERE i2 IN (1, 2, 3);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i2 IN (1, 2, 70000);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i2 = ANY ('{1,2,299,-5}'::int2[]);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i2 = ANY ('{1,2,299,-5}'::int8[]);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i8 IN (10000000000, 20000000000, 0);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i8 IN (1, 2, 0);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i8 NOT IN (10000000000, 20000000000, 0, 490000000000);
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 IN (5, 6, 10000000000);

-- Other kinds.
-- require
SELECT count(*), sum(id) FROM el_t WHERE f8 IN (1, 0, 5.5, 'NaN');
-- require
SELECT count(*), sum(id) FROM el_t WHERE f8 NOT IN (0, 'NaN', 'Infinity');
-- require
SELECT count(*), sum(id) FROM el_t WHERE n IN (1, 2.50, 'NaN', 7.000);
-- require
SELECT count(*), sum(id) FROM el_t WHERE n NOT IN (1, 2.50, 'NaN', 7.000);
-- require
SELECT count(*), sum(id) FROM el_t WHERE t IN ('t1', 't22', '');
-- require
SELECT count(*), sum(id) FROM el_t WHERE t NOT IN ('t1', 't22', 't3', 't4', 't5', 't6', 't7', 't8', 't9', 't10', 't11');
-- require
SELECT count(*), sum(id) FROM el_t WHERE t IN ('t1', NULL, 't2') OR t IN ('t59', 't5');
-- require
SELECT count(*), sum(id) FROM el_t WHERE c IN ('c1', 'c2  ', 'c3', 'c', '     ');
-- require
SELECT count(*), sum(id) FROM el_t WHERE c NOT IN ('c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10');
-- require
SELECT count(*), sum(id) FROM el_t WHERE c::text IN ('c1', 'c2  ');
-- require
SELECT count(*), sum(id) FROM el_t WHERE d IN ('2001-01-01', '2001-02-03', 'infinity');
-- require
SELECT count(*), sum(id) FROM el_t WHERE d IN ('2001-01-01', '2001-02-03') OR d IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE u IN ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000029');
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4, t) IN ((1, 't1'), (2, 't2'), (61, 't21'));

-- A long list (hashed by core above eight elements), with and without null.
-- require
SELECT count(*), sum(id) FROM el_t WHERE id IN (
	1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,49,51,53,55,57,59,61,63,65,67,69,71,73,75,77,79,81,83,85,
	1024,1025,1026,2048,2049,2050,3072,3073,4096,4097,5000,5001,-1,-2,-3,2147483647,1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33);
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 IN (1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,NULL)) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 NOT IN (1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,NULL)) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE t || 'x' IN ('t1x','t2x','t3x','t4x','t5x','t6x','t7x','t8x','t9x','t10x','t11x','t12x');

-- BETWEEN.
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 BETWEEN 10 AND 20;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 BETWEEN 20 AND 10;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 BETWEEN SYMMETRIC 20 AND 10;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 NOT BETWEEN 10 AND 90;
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4 BETWEEN 10 AND NULL) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE i4 NOT BETWEEN 50 AND NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE 50 BETWEEN i4 AND i2;
-- require
SELECT count(*), sum(id) FROM el_t WHERE f8 BETWEEN 3 AND 'NaN';
-- require
SELECT count(*), sum(id) FROM el_t WHERE n BETWEEN 1 AND 1.00000;
-- require
SELECT count(*), sum(id) FROM el_t WHERE d BETWEEN '2001-03-01' AND '2001-03-31';
-- require
SELECT count(*), sum(id) FROM el_t WHERE t COLLATE "C" BETWEEN 't1' AND 't2';
-- require
SELECT count(*), sum(id) FROM el_t WHERE t NOT BETWEEN 't1' AND 't2' COLLATE "C";
-- require
SELECT count(*), sum(id) FROM el_t WHERE i8 BETWEEN i4 AND id::bigint * 100000000;

-- Row comparison.
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4, i2) < (50, 10);
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4, i2) = (52, 152);
-- require
SELECT count(*), sum(id) FROM el_t WHERE (i4, i2) >= (50, NULL);
-- require
SELECT count(*), sum(id) FROM el_t WHERE ROW(i4, i2) IS NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE ROW(i4, i2) IS NOT NULL;
-- require
SELECT count(*), sum(id) FROM el_t WHERE NOT (ROW(i4, i2) IS NULL);
