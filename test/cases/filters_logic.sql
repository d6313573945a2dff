-- Three-valued logic.  AND, OR and NOT are evaluated by narrowing selections, so each of the nine
-- combinations of true, false and null must come out right as a filter, as an output value, below
-- NOT, inside an aggregate, and nested; also where an operand is constant or never null.

-- setup
CREATE TABLE fl_t (id int NOT NULL, a bool, b bool, c bool, x int, y int, z int, t text);
-- All 27 combinations of three booleans, each spread over the table, and each alone for a stretch.
INSERT INTO fl_t
SELECT g,
	CASE k % 3 WHEN 0 THEN false WHEN 1 THEN true END,
	CASE k / 3 % 3 WHEN 0 THEN false WHEN 1 THEN true END,
	CASE k / 9 % 3 WHEN 0 THEN false WHEN 1 THEN true END,
	CASE WHEN k % 3 < 2 THEN k % 3 * 10 END,
	CASE WHEN k / 3 % 3 < 2 THEN g % 10 END,
	CASE WHEN k / 9 % 3 < 2 THEN g % 7 END,
	CASE WHEN k % 4 > 0 THEN chr(97 + g % 5) END
FROM (SELECT g, CASE WHEN g <= 2700 THEN g % 27 ELSE g / 150 % 27 END AS k FROM generate_series(1, 7000) g) s;
ANALYZE fl_t;
-- end setup

-- The truth tables, as values.
-- require
SELECT id, a AND b AS "and", a OR b AS "or", NOT a AS "not" FROM fl_t WHERE id BETWEEN 1 AND 30;
-- require
SELECT id, a AND b AND c AS x1, a OR b OR c AS x2, a AND (b OR c) AS x3, a OR (b AND c) AS x4 FROM fl_t WHERE id <= 60;
-- require
SELECT a, b, a AND b AS "and", a OR b AS "or", count(*) FROM fl_t GROUP BY a, b;
-- require
SELECT a, b, c, count(*) FROM fl_t WHERE a AND b OR c GROUP BY a, b, c;
-- require
SELECT a AND b AS k, count(*), sum(id) FROM fl_t GROUP BY a AND b;
-- require
SELECT a OR b AS k, count(*), sum(id) FROM fl_t GROUP BY a OR b;
-- require
SELECT NOT a AS k, count(*), sum(id) FROM fl_t GROUP BY NOT a;
-- require
SELECT (a OR b) AND (b OR c) AND (a OR c) AS majority, count(*), sum(id) FROM fl_t GROUP BY 1;
-- require
SELECT NOT (a AND NOT (b OR NOT c)) AS k, count(*), sum(id) FROM fl_t GROUP BY 1;

-- As filters.
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a AND b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a OR b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE NOT (a AND b);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE NOT (a OR b);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE NOT a OR NOT b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a AND NOT b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (a AND b) OR (NOT a AND NOT b);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (a AND b) OR (NOT a AND c) OR (b AND NOT c);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (a OR b) AND (NOT a OR c) AND (b OR NOT c);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE NOT (NOT (NOT (a OR (b AND NOT c))));
-- require
SELECT id FROM fl_t WHERE (a OR b OR c) AND id < 100;
-- require
SELECT id FROM fl_t WHERE (a AND b AND c) AND id < 300;

-- IS tests.
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS TRUE;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS NOT TRUE;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS FALSE;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS NOT FALSE;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS UNKNOWN;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS NOT UNKNOWN;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (a AND b) IS UNKNOWN;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (a OR b) IS NOT TRUE;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE NOT ((a OR b) IS NOT FALSE);
-- require
SELECT id, a IS TRUE AS t, a IS NOT TRUE AS nt, a IS FALSE AS f, a IS NOT FALSE AS nf, a IS UNKNOWN AS u, a IS NOT UNKNOWN AS nu
FROM fl_t WHERE id <= 30;
-- require
SELECT a IS TRUE AS k, (b IS NULL) AS bn, count(*) FROM fl_t GROUP BY 1, 2;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS DISTINCT FROM b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a IS NOT DISTINCT FROM b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE x IS DISTINCT FROM y;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE x IS NOT DISTINCT FROM NULL;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (x IS DISTINCT FROM y) = (a IS DISTINCT FROM b);

-- Booleans as values: equality, order, comparison of comparisons.
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a = b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a <> b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a < b;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (x > y) = (y > z);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (x > y) IS TRUE AND (y > z) IS NOT TRUE;
-- require
SELECT id, x > y AS gt, (x > y) = a AS eq FROM fl_t WHERE id % 100 = 7;

-- Comparisons with nulls in every operand below AND and OR.
-- require
SELECT count(*), sum(id) FROM fl_t WHERE x > 5 AND y > 5;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE x > 5 OR y > 5 OR z > 5;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE NOT (x > 5 AND y > 5) AND NOT (y < 3 OR z < 3);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (x = 10 AND y IN (1, 2, 3)) OR (x = 0 AND z BETWEEN 2 AND 5) OR t = 'a';
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (x = 10 OR y IN (1, NULL, 3)) AND (x IS NULL OR z NOT BETWEEN 2 AND 5);
-- require
SELECT count(*), sum(id) FROM fl_t WHERE t = 'a' OR t = 'b' OR (t IS NULL AND a);

-- Wide and deep trees.
-- require
SELECT count(*), sum(id) FROM fl_t
WHERE y = 0 OR y = 1 OR y = 2 OR y = 3 OR z = 0 OR z = 1 OR z = 2 OR x = 10 OR a OR b OR c OR id % 97 = 0 OR t = 'e';
-- require
SELECT count(*), sum(id) FROM fl_t
WHERE (((((a OR x > 1) AND b) OR y > 2) AND c) OR z > 3) AND NOT (((a AND x < 1) OR NOT b) AND (y < 4 OR NOT (c AND z = 1)));
-- require
SELECT count(*), sum(id) FROM fl_t
WHERE NOT (NOT (a AND NOT b) AND NOT (NOT a AND b)) AND ((x > 0) IS NULL OR (y > 4 AND (z > 3 OR (t > 'b' COLLATE "C" AND id % 2 = 0))));

-- Constants among the operands.
-- require
SELECT count(*), sum(id) FROM fl_t WHERE a OR NULL;
-- require
SELECT count(*), sum(id) FROM fl_t WHERE (a AND NULL) IS NULL;
SELECT count(*), sum(id) FROM fl_t WHERE NOT (a OR NULL);
-- require
SELECT id, a AND NULL AS an, a OR NULL AS o, a AND true AS at, a OR false AS f FROM fl_t WHERE id <= 9;
SELECT count(*) FROM fl_t WHERE a AND NULL;
SELECT count(*) FROM fl_t WHERE (a OR true) AND NOT (a AND false);

-- Inside aggregates.
-- require
SELECT count(*) FILTER (WHERE a AND b), count(*) FILTER (WHERE a OR b), count(*) FILTER (WHERE NOT a),
	count(a AND b), count(a OR b), count(a IS NULL), count(NOT c)
FROM fl_t;
-- require
SELECT c, count(*) FILTER (WHERE a AND b), sum(x) FILTER (WHERE a OR y > 5), avg(y) FILTER (WHERE (a OR b) IS NOT TRUE),
	min(z) FILTER (WHERE NOT (a AND b)), max(id) FILTER (WHERE a IS NULL AND b IS NULL)
FROM fl_t GROUP BY c;
SELECT bool_and(a), bool_or(a), every(b), bool_and(a OR b), bool_or(a AND b), bool_and(a) FILTER (WHERE a), bool_or(a) FILTER (WHERE false) FROM fl_t;
SELECT c, bool_and(a), bool_or(b), every(a OR b) FROM fl_t GROUP BY c;
-- require
SELECT min(id) FILTER (WHERE a), max(id) FILTER (WHERE NULL), count(*) FILTER (WHERE true), sum(x) FILTER (WHERE false) FROM fl_t;
