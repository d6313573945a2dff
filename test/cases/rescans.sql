-- Nodes executed again: below nested loops, LATERAL and correlated subqueries, with parameters that
-- change and that do not, after executions that were read to the end, in part or not at all, that
-- failed, that met more groups than memory holds; InitPlans that are evaluated again or never.

-- setup
CREATE TABLE rs_t (id int NOT NULL, k int NOT NULL, v int, n numeric(10,2), t text);
INSERT INTO rs_t SELECT g, g % 50, CASE WHEN g % 9 > 0 THEN g % 211 END, g / 8.0, 't' || g % 300 FROM generate_series(1, 3000) g;
CREATE TABLE rs_o (a int, b int, c text);
INSERT INTO rs_o SELECT CASE WHEN g % 6 > 0 THEN g END, g % 4, 't' || g * 3 FROM generate_series(1, 40) g;
CREATE TABLE rs_part (id int NOT NULL, v int, t text) PARTITION BY RANGE (id);
CREATE TABLE rs_part1 PARTITION OF rs_part FOR VALUES FROM (0) TO (1000);
CREATE TABLE rs_part2 (t text, gone int, v int, id int NOT NULL);
ALTER TABLE rs_part2 DROP gone;
ALTER TABLE rs_part ATTACH PARTITION rs_part2 FOR VALUES FROM (1000) TO (2000);
INSERT INTO rs_part SELECT g, g % 13, 'p' || g % 5 FROM generate_series(0, 1999) g;
ANALYZE rs_t; ANALYZE rs_o; ANALYZE rs_part;
-- end setup

-- A thousand executions of one node.
SELECT sum(q.c), sum(q.s), count(*) FROM generate_series(1, 1000) o(g), LATERAL (SELECT count(*) AS c, sum(v) AS s FROM rs_part1 WHERE v = o.g % 13) q;
SELECT sum(q.k), sum(q.c), count(*) FROM generate_series(1, 300) o(g), LATERAL (SELECT v + o.g AS k, count(*) AS c FROM rs_part1 WHERE id > o.g GROUP BY 1) q;
SELECT sum((SELECT max(id) FROM rs_part1 WHERE v = g % 15)) FROM generate_series(1, 1000) g;

-- Parameters of every kind, in the filter, the key, the argument, the output, FILTER and HAVING.
SELECT o.a, q.* FROM rs_o o, LATERAL (SELECT count(*), sum(v + o.a), max(t || o.c COLLATE "C") FROM rs_t WHERE k = o.b) q;
SELECT o.a, o.b, q.* FROM rs_o o, LATERAL (SELECT k % (o.b + 1) AS m, count(*), sum(n) FROM rs_t WHERE v > o.a GROUP BY 1) q;
SELECT o.a, q.* FROM rs_o o LEFT JOIN LATERAL (SELECT k, count(*) FILTER (WHERE v < o.a) AS f, sum(v) FROM rs_t WHERE t = o.c GROUP BY k HAVING count(*) > o.b) q ON true;
SELECT o.a, q.* FROM rs_o o, LATERAL (SELECT id, v * o.b AS x, o.c || t AS y FROM rs_t WHERE k = o.a AND id < 400) q;
SELECT o.a, q.* FROM rs_o o, LATERAL (SELECT o.a AS k, count(*) FROM rs_t WHERE k = o.b GROUP BY o.a) q;
SELECT o.a, q.* FROM rs_o o, LATERAL (SELECT o.b + k AS k2, o.c AS c, count(*) FROM rs_t WHERE v = 5 GROUP BY 1, 2) q;
SELECT o.a, (SELECT sum(s) FROM (SELECT k, sum(v) AS s FROM rs_t WHERE id % 40 = o.a GROUP BY k HAVING sum(v) > o.b * 10) q) FROM rs_o o;
SELECT o.a, (SELECT count(*) FROM rs_t WHERE v IN (o.a, o.b, o.a + o.b)), (SELECT count(*) FROM rs_t WHERE v = ANY (ARRAY[o.a, NULL, 7])), (SELECT count(*) FROM rs_t WHERE t LIKE o.c || '%') FROM rs_o o;
SELECT o.a, (SELECT count(*) FROM rs_t WHERE CASE WHEN o.b = 0 THEN v > o.a WHEN o.b = 1 THEN t = o.c ELSE n < o.a END) FROM rs_o o;

-- The parameter stays, the rest of the plan is executed again.
SELECT count(*), sum(x.a) FROM rs_o x, rs_o y, LATERAL (SELECT count(*) AS c FROM rs_t WHERE k = y.b) q WHERE q.c > x.a;
SELECT o.b, q.c FROM rs_o o, LATERAL (SELECT count(*) AS c FROM (SELECT k, count(*) FROM rs_t GROUP BY k HAVING count(*) > o.b) z) q;
SET enable_material = off;
SET enable_memoize = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT o.a, q.k, q.c FROM rs_o o JOIN (SELECT k, count(*) AS c, sum(n) FROM rs_t GROUP BY k) q ON q.k = o.b;
SELECT o.a, r.id FROM rs_o o JOIN rs_t r ON r.k = o.a WHERE r.v = 7 AND r.n > 10;
SELECT o.a, q.c FROM rs_o o LEFT JOIN (SELECT v % 7 AS m, count(*) AS c FROM rs_t WHERE id < 2000 GROUP BY 1) q ON q.m > o.b AND q.c < 260;
SELECT count(*) FROM rs_o o WHERE NOT EXISTS (SELECT 1 FROM (SELECT k, sum(v) AS s FROM rs_t GROUP BY k) q WHERE q.k = o.a AND q.s > 1000);
RESET enable_material;
RESET enable_hashjoin;
RESET enable_mergejoin;
SELECT o.g, q.c FROM generate_series(1, 200) o(g), LATERAL (SELECT count(*) AS c FROM rs_t WHERE k = o.g % 3) q WHERE o.g % 20 = 0;
RESET enable_memoize;

-- Left before the end, and begun again.
SELECT o.a, q.* FROM rs_o o, LATERAL (SELECT k, count(*) FROM rs_t WHERE v > o.a GROUP BY k ORDER BY k LIMIT 2) q;
SELECT o.a, (SELECT q.c > 0 FROM (SELECT k, count(*) AS c FROM rs_t WHERE v > o.a GROUP BY k) q LIMIT 1) FROM rs_o o;
SELECT o.a, EXISTS (SELECT 1 FROM rs_t WHERE v = o.a AND n > 100), EXISTS (SELECT k FROM rs_t GROUP BY k HAVING sum(v) = o.a) FROM rs_o o;
SELECT o.a, o.a IN (SELECT max(v) - o.b FROM rs_t GROUP BY k), o.a > ALL (SELECT min(id) FROM rs_t WHERE v > o.b GROUP BY k) FROM rs_o o;
SELECT o.a, (SELECT id FROM rs_t WHERE k = o.a AND v > 3 ORDER BY id OFFSET 3 LIMIT 1) FROM rs_o o;

-- More groups than memory holds, again and again; and a first execution that is small.
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT o.g, q.* FROM (VALUES (1), (3000), (2), (1500), (3000)) o(g), LATERAL (SELECT count(*), sum(c), sum(s), max(m COLLATE "C") FROM (SELECT id % o.g AS x, t, count(*) AS c, sum(v) AS s, max(t) AS m FROM rs_t GROUP BY 1, 2) z) q;
SELECT o.g, q.* FROM (VALUES (5), (2999), (7)) o(g), LATERAL (SELECT id % o.g AS x, count(*), sum(n) FROM rs_t GROUP BY 1 ORDER BY 1 OFFSET 3 LIMIT 3) q;
SELECT o.g, q.n > 0 FROM generate_series(1, 12) o(g), LATERAL (SELECT count(*) AS n FROM (SELECT id, t || o.g AS x, count(*) FROM rs_t GROUP BY 1, 2 LIMIT 100) z) q;
-- The same groups each time: nothing of the input changes.
SELECT o.g, count(*), sum(q.c) FROM generate_series(1, 4) o(g) LEFT JOIN LATERAL (SELECT id, t, count(*) AS c FROM rs_t GROUP BY 1, 2) q ON q.c >= o.g - 1 GROUP BY 1;
RESET work_mem;
RESET hash_mem_multiplier;

-- InitPlans: evaluated once, again, or not at all.
SELECT count(*), sum(v) FROM rs_t WHERE v > (SELECT avg(v) FROM rs_t WHERE k > 3) AND k < (SELECT max(b) FROM rs_o);
SELECT o.a, (SELECT count(*) FROM rs_t WHERE v > (SELECT avg(v) FROM rs_t WHERE k = 7) AND k = o.b) FROM rs_o o;
SELECT o.a, (SELECT count(*) FROM rs_t WHERE v > (SELECT avg(v) FROM rs_t WHERE k = o.b) AND id < 500) FROM rs_o o;
SELECT k, sum(v) + (SELECT count(*) FROM rs_o) AS s FROM rs_t GROUP BY k HAVING sum(v) > (SELECT avg(v) * 60 FROM rs_t);
-- serial
SELECT count(*) FROM rs_t WHERE k > 100 AND v > (SELECT 1 / (count(*) - 3000) FROM rs_t);
SELECT count(*) FROM rs_t WHERE k < 100 AND v > (SELECT 1 / (count(*) - 3000) FROM rs_t);
SELECT CASE WHEN (SELECT count(*) FROM rs_t) > 5 THEN (SELECT sum(v) FROM rs_t WHERE k = 1) ELSE (SELECT 1 / (count(*) - 3000) FROM rs_t) END;
SELECT (SELECT a FROM rs_o WHERE b = (SELECT min(k) FROM rs_t WHERE v = 200) ORDER BY a LIMIT 1), (SELECT count(*) FROM rs_t WHERE k = (SELECT a FROM rs_o WHERE a = 4));
SELECT count(*) FROM rs_t WHERE v = (SELECT a FROM rs_o WHERE a < 5);

-- An execution that fails, and the next statement.
SELECT o.a, (SELECT sum(100 / (v - o.a)) FROM rs_t WHERE k = 3 AND v > 150) FROM rs_o o WHERE a < 10;
SELECT o.g, (SELECT sum(100 / (id - o.g)) FROM rs_t WHERE k = 3) FROM generate_series(44, 60) o(g);
SELECT o.a, (SELECT count(*) FROM rs_t WHERE k = o.a) FROM rs_o o WHERE a < 10;

-- Run-time pruning below each.
SELECT o.g, q.* FROM (VALUES (10), (999), (1000), (1990), (5000), (NULL)) o(g), LATERAL (SELECT count(*), sum(v), min(t COLLATE "C") FROM rs_part WHERE id = o.g) q;
SELECT o.g, (SELECT sum(v) FROM rs_part WHERE id >= o.g AND v > 3) FROM (VALUES (10), (1200), (5000), (NULL), (0)) o(g);
SELECT count(*), sum(v) FROM rs_part WHERE id < (SELECT min(id) + 500 FROM rs_part2 WHERE v = 3);
SELECT o.g, q.* FROM (VALUES (10), (1200), (5000), (0)) o(g), LATERAL (SELECT t, count(*) FROM rs_part WHERE id >= o.g AND v > 10 GROUP BY t) q;
