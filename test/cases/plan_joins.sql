-- Filtered scans below joins: hash, merge and nested loop, as the outer and the inner side, with
-- rescans and parameters, semi, anti, outer and full joins, lateral subqueries; each join method is
-- forced in turn, so that the same statement puts the scan below another parent.

-- setup
CREATE TABLE pj_a (id int NOT NULL, k int, v int, t text, f float8);
INSERT INTO pj_a SELECT g, CASE WHEN g % 11 > 0 THEN g % 100 END, g % 37, 'a' || g % 25, g / 4.0 FROM generate_series(1, 4000) g;
CREATE TABLE pj_b (id int NOT NULL, k int, w numeric(8,2), t text);
INSERT INTO pj_b SELECT g, CASE WHEN g % 13 > 0 THEN g % 150 END, g / 8.0, 'a' || g % 40 FROM generate_series(1, 3000) g;
CREATE TABLE pj_s (k int PRIMARY KEY, name text, lo int, hi int);
INSERT INTO pj_s SELECT g, 'name' || g, g * 10, g * 10 + g FROM generate_series(1, 40) g;
CREATE TABLE pj_empty (k int, x int);
ANALYZE pj_a; ANALYZE pj_b; ANALYZE pj_s; ANALYZE pj_empty;
-- end setup

-- Each method in turn: hash, merge, nested loop with and without materialization.
SET enable_mergejoin = off; SET enable_nestloop = off;
SELECT a.id, b.id AS bid, a.t, b.w FROM pj_a a JOIN pj_b b ON a.k = b.k WHERE a.v = 5 AND b.w > 300;
SELECT s.name, count(*), sum(a.v), max(a.t COLLATE "C") FROM pj_a a JOIN pj_s s ON a.k = s.k WHERE a.v > 10 GROUP BY s.name;
SELECT s.name, a.id FROM pj_s s LEFT JOIN pj_a a ON a.k = s.k AND a.v = 3 AND a.id < 1000;
SELECT s.name, a.id FROM pj_a a RIGHT JOIN pj_s s ON a.k = s.k AND a.v = 3 AND a.id < 1000 WHERE s.k < 20;
SELECT s.k, a.k AS ak, count(*) FROM (SELECT * FROM pj_a WHERE v = 7) a FULL JOIN (SELECT * FROM pj_s WHERE lo > 100) s ON a.k = s.k GROUP BY s.k, a.k;
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.v > 5 AND EXISTS (SELECT 1 FROM pj_b b WHERE b.k = a.k AND b.w > 350);
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.v > 5 AND NOT EXISTS (SELECT 1 FROM pj_b b WHERE b.k = a.k AND b.w > 350);
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.k IN (SELECT b.k FROM pj_b b WHERE b.w < 10);
SELECT count(*) FROM pj_a a JOIN pj_empty e ON a.k = e.k WHERE a.v > 5 AND e.x > 0;
SELECT count(*), count(e.x) FROM pj_a a LEFT JOIN pj_empty e ON a.k = e.k WHERE a.v > 5;
SELECT a.id, b.id FROM pj_a a JOIN pj_b b ON a.t = b.t AND a.id = b.id + 40 WHERE a.f > 500 AND b.t LIKE 'a1%';
SELECT count(*), sum(a.v * b.w) FROM pj_a a JOIN pj_b b ON a.k = b.k AND a.v + b.id > 1000 WHERE a.id % 3 = 0;
SELECT a.id FROM pj_a a JOIN pj_a b ON a.id = b.id * 2 JOIN pj_a c ON b.id = c.id * 2 WHERE a.v > 3 AND b.v > 3 AND c.v > 20;
RESET enable_mergejoin; SET enable_hashjoin = off;
SELECT a.id, b.id AS bid, a.t, b.w FROM pj_a a JOIN pj_b b ON a.k = b.k WHERE a.v = 5 AND b.w > 300;
SELECT s.name, count(*), sum(a.v), max(a.t COLLATE "C") FROM pj_a a JOIN pj_s s ON a.k = s.k WHERE a.v > 10 GROUP BY s.name;
SELECT s.name, a.id FROM pj_s s LEFT JOIN pj_a a ON a.k = s.k AND a.v = 3 AND a.id < 1000;
SELECT s.k, a.k AS ak, count(*) FROM (SELECT * FROM pj_a WHERE v = 7) a FULL JOIN (SELECT * FROM pj_s WHERE lo > 100) s ON a.k = s.k GROUP BY s.k, a.k;
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.v > 5 AND EXISTS (SELECT 1 FROM pj_b b WHERE b.k = a.k AND b.w > 350);
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.v > 5 AND NOT EXISTS (SELECT 1 FROM pj_b b WHERE b.k = a.k AND b.w > 350);
SELECT count(*) FROM pj_a a JOIN pj_empty e ON a.k = e.k WHERE a.v > 5 AND e.x > 0;
SELECT a.k, b.k, count(*) FROM pj_a a JOIN pj_b b ON a.k = b.k WHERE a.v < 3 AND b.w > 370 GROUP BY a.k, b.k;
SELECT count(*), sum(a.id) FROM pj_a a FULL JOIN pj_b b ON a.id = b.id WHERE (a.v > 5 OR a.v IS NULL) AND (b.w > 100 OR b.w IS NULL);
RESET enable_nestloop; SET enable_mergejoin = off;
SELECT a.id, b.id AS bid, b.w FROM pj_a a JOIN pj_b b ON a.k < b.k WHERE a.v = 5 AND a.id < 200 AND b.w > 370;
SELECT s.name, count(*), sum(a.v) FROM pj_a a JOIN pj_s s ON a.v BETWEEN s.k AND s.k + 2 WHERE a.id < 1500 GROUP BY s.name;
SELECT s.name, a.id FROM pj_s s LEFT JOIN pj_a a ON a.k = s.k AND a.v = 3 AND a.id < 1000;
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.id < 300 AND EXISTS (SELECT 1 FROM pj_b b WHERE b.k > a.k AND b.w > 350 + a.v);
SELECT count(*), sum(a.id) FROM pj_a a WHERE a.id < 300 AND NOT EXISTS (SELECT 1 FROM pj_b b WHERE b.k > a.k AND b.w > 350 + a.v);
SET enable_material = off;
SELECT a.id, b.id AS bid, b.w FROM pj_a a JOIN pj_b b ON a.k < b.k WHERE a.v = 5 AND a.id < 200 AND b.w > 370;
SELECT s.name, a.id, a.f FROM pj_s s JOIN pj_a a ON a.id BETWEEN s.lo AND s.hi WHERE a.v > 20;
SELECT s.name, a.id FROM pj_s s LEFT JOIN pj_a a ON a.k = s.k AND a.v = 3 AND a.id < 1000;
SELECT count(*), sum(a.id) FROM pj_s s, pj_a a WHERE a.f > s.k AND a.v > 35;
SELECT count(*) FROM pj_a a, pj_empty e WHERE a.v > 5;
SELECT s.k, a.id FROM pj_s s LEFT JOIN pj_a a ON a.id = s.lo AND a.v > 10 LEFT JOIN pj_b b ON b.id = a.id AND b.w > 5 WHERE s.k < 30;
RESET enable_material; RESET enable_hashjoin; RESET enable_mergejoin;

-- Lateral, with parameters in filter, output, arguments, keys; with LIMIT; aggregates under each rescan.
SELECT s.k, q.* FROM pj_s s, LATERAL (SELECT a.id, a.v + s.k AS x FROM pj_a a WHERE a.id BETWEEN s.lo AND s.hi AND a.v > 5) q WHERE s.k < 15;
SELECT s.k, q.* FROM pj_s s, LATERAL (SELECT count(*), sum(a.v), max(a.t COLLATE "C"), min(a.f) FROM pj_a a WHERE a.id > s.lo AND a.v = s.k) q;
SELECT s.k, q.* FROM pj_s s, LATERAL (SELECT a.v % s.k AS m, count(*), sum(a.f), sum(a.v + s.lo) FROM pj_a a WHERE a.k = s.k GROUP BY a.v % s.k) q WHERE s.k < 8;
SELECT s.k, q.* FROM pj_s s LEFT JOIN LATERAL (SELECT sum(a.f) AS sf, avg(a.v) AS av FROM pj_a a WHERE a.k = s.k HAVING count(*) > s.k) q ON true;
SELECT s.k, q.id FROM pj_s s LEFT JOIN LATERAL (SELECT a.id FROM pj_a a WHERE a.k = s.k AND a.v > 20 ORDER BY a.id DESC LIMIT 2) q ON true WHERE s.k < 20;
SELECT s.k, q.* FROM pj_s s, LATERAL (SELECT b.t, count(*), sum(b.w) FROM pj_b b WHERE b.k = s.k GROUP BY b.t HAVING sum(b.w) > s.hi) q;
SELECT s.k, q.c, r.c FROM pj_s s, LATERAL (SELECT count(*) AS c FROM pj_a a WHERE a.k = s.k) q, LATERAL (SELECT count(*) AS c FROM pj_b b WHERE b.k = q.c) r WHERE s.k < 10;
SELECT s.k, q.* FROM pj_s s, LATERAL (SELECT s.name, s.k + a.v AS x, count(*) FROM pj_a a WHERE a.id < s.k GROUP BY 1, 2) q WHERE s.k BETWEEN 3 AND 6;
SELECT x.t, q.* FROM (VALUES ('a1'), (NULL), ('a24'), ('zz'), ('a1')) x(t), LATERAL (SELECT count(*), sum(v) FROM pj_a a WHERE a.t = x.t) q;
SELECT x.n, q.* FROM (VALUES (1.5), (NULL), (374.875), (1e50), ('NaN'::numeric)) x(n), LATERAL (SELECT count(*), sum(w) FROM pj_b b WHERE b.w >= x.n) q;

-- Joins of aggregates.
SELECT a.k, a.c, b.s FROM (SELECT k, count(*) AS c FROM pj_a GROUP BY k) a JOIN (SELECT k, sum(w) AS s FROM pj_b GROUP BY k) b ON a.k = b.k WHERE a.c > 30;
SELECT a.k, a.c, b.s FROM (SELECT k, count(*) AS c FROM pj_a GROUP BY k) a LEFT JOIN (SELECT k, sum(w) AS s FROM pj_b WHERE w > 200 GROUP BY k) b USING (k) WHERE a.k < 20 OR a.k IS NULL;
SELECT count(*), sum(c) FROM pj_s s JOIN (SELECT k, v, count(*) AS c FROM pj_a WHERE f > 100 GROUP BY k, v) q ON q.k = s.k AND q.v < s.k;
SELECT a.id, m.mx FROM pj_a a JOIN (SELECT t, max(v) AS mx, min(id) AS mn FROM pj_a GROUP BY t) m ON a.t = m.t AND a.id = m.mn;
SELECT count(*) FROM (SELECT DISTINCT k FROM pj_a WHERE v > 3) x JOIN (SELECT DISTINCT k FROM pj_b WHERE w > 3) y USING (k);
