-- Subqueries: scalar, EXISTS, IN, ANY, ALL, correlated and not, hashed and rescanned, in every
-- clause; CTEs, recursive and materialized; UNION, INTERSECT, EXCEPT; window functions, DISTINCT,
-- ORDER BY and LIMIT over scans and aggregates.

-- setup
CREATE TABLE ps_t (id int NOT NULL, k int, v int, n numeric(10,2), t text, p int);
INSERT INTO ps_t SELECT g, g % 20, CASE WHEN g % 9 > 0 THEN g % 53 END, g / 8.0, 't' || g % 30, g / 2 FROM generate_series(1, 3000) g;
CREATE TABLE ps_o (a int, b int, c text);
INSERT INTO ps_o SELECT CASE WHEN g % 6 > 0 THEN g END, g % 4, 't' || g FROM generate_series(1, 30) g;
ANALYZE ps_t; ANALYZE ps_o;
-- end setup

-- In the filter of a vectorized scan.
SELECT count(*), sum(id) FROM ps_t WHERE n > (SELECT avg(n) FROM ps_t);
SELECT count(*), sum(id) FROM ps_t WHERE v = (SELECT max(v) FROM ps_t WHERE k = 3) AND k > (SELECT min(k) FROM ps_t WHERE v > 50);
SELECT count(*), sum(id) FROM ps_t WHERE v > (SELECT a FROM ps_o WHERE a < 0);
SELECT count(*), sum(id) FROM ps_t WHERE v > (SELECT a FROM ps_o WHERE a IN (1, 2));
SELECT count(*), sum(id) FROM ps_t WHERE v IN (SELECT a FROM ps_o WHERE b = 1);
SELECT count(*), sum(id) FROM ps_t WHERE v NOT IN (SELECT a FROM ps_o WHERE b = 1);
SELECT count(*), sum(id) FROM ps_t WHERE v NOT IN (SELECT a FROM ps_o WHERE a IS NOT NULL AND b = 1);
SELECT count(*), sum(id) FROM ps_t WHERE (v NOT IN (SELECT a FROM ps_o)) IS NULL;
SELECT count(*), sum(id) FROM ps_t WHERE v > 40 OR v IN (SELECT a FROM ps_o WHERE b = 2);
SELECT count(*), sum(id) FROM ps_t WHERE v > ALL (SELECT a FROM ps_o WHERE a IS NOT NULL);
SELECT count(*), sum(id) FROM ps_t WHERE v < ANY (SELECT a FROM ps_o WHERE b = 3) AND k = 5;
SELECT count(*), sum(id) FROM ps_t WHERE (k, v) IN (SELECT b, a FROM ps_o);
SELECT count(*), sum(id) FROM ps_t WHERE EXISTS (SELECT 1 FROM ps_o WHERE a > 29) AND v > 3;
SELECT count(*), sum(id) FROM ps_t WHERE EXISTS (SELECT 1 FROM ps_o WHERE a > 31) OR v > 50;
SELECT count(*), sum(id) FROM ps_t o WHERE v > 50 OR EXISTS (SELECT 1 FROM ps_o WHERE a = o.k AND b = 1);
SELECT count(*), sum(id) FROM ps_t o WHERE id < 400 AND v > (SELECT avg(i.v) FROM ps_t i WHERE i.k = o.k AND i.id < 400);
SELECT count(*), sum(id) FROM ps_t o WHERE id < 200 AND id = (SELECT max(i.id) FROM ps_t i WHERE i.t = o.t AND i.v > 3 AND i.id < 200);
SELECT count(*), sum(id) FROM ps_t WHERE CASE WHEN k > 10 THEN v IN (SELECT a FROM ps_o) ELSE n > (SELECT 100.5) END;

-- In the output, aggregate arguments, FILTER, HAVING and keys.
SELECT a, (SELECT count(*) FROM ps_t WHERE v = ps_o.a) AS c, (SELECT sum(n) FROM ps_t WHERE k = ps_o.b) AS s FROM ps_o;
SELECT a, (SELECT t FROM ps_t WHERE id = ps_o.a * 100) AS t, ARRAY(SELECT id FROM ps_t WHERE k = ps_o.b AND v = ps_o.a ORDER BY id) AS ids FROM ps_o;
SELECT a, b, (SELECT max(q.c) FROM (SELECT t, count(*) AS c FROM ps_t WHERE k > ps_o.b AND v < ps_o.a GROUP BY t) q) AS m FROM ps_o;
SELECT id, v + (SELECT max(a) FROM ps_o) AS x FROM ps_t WHERE k = 3 AND v > 40;
SELECT id, (SELECT b FROM ps_o WHERE a = ps_t.v) AS b FROM ps_t WHERE k = 3 AND id < 500;
SELECT sum(v + (SELECT max(a) FROM ps_o)), count(*) FILTER (WHERE v > (SELECT avg(a) FROM ps_o)), max((SELECT b FROM ps_o WHERE a = ps_t.v)) FROM ps_t;
SELECT k, sum(v) FILTER (WHERE v IN (SELECT a FROM ps_o)), count(*) FROM ps_t GROUP BY k HAVING sum(v) > (SELECT avg(s) FROM (SELECT sum(v) AS s FROM ps_t GROUP BY k) q);
SELECT v > (SELECT avg(v) FROM ps_t) AS above, count(*), sum(n) FROM ps_t GROUP BY 1;
SELECT (SELECT b FROM ps_o WHERE a = ps_t.v) AS b, count(*) FROM ps_t GROUP BY 1;
SELECT a, (SELECT count(*) FROM ps_t GROUP BY () HAVING count(*) > ps_o.a) AS c FROM ps_o;
SELECT a, (SELECT sum(ps_o.a + x.v) FROM ps_t x WHERE x.k = 7) AS s FROM ps_o GROUP BY a;
SELECT b, (SELECT sum(x.v) + sum(ps_o.a) FROM ps_t x WHERE x.k = ps_o.b) AS s FROM ps_o GROUP BY b;
SELECT a FROM ps_o ORDER BY (SELECT count(*) FROM ps_t WHERE v = ps_o.a), a NULLS FIRST;

-- CTEs.
WITH c AS (SELECT k, count(*) AS c, sum(v) AS s FROM ps_t GROUP BY k) SELECT * FROM c WHERE s > (SELECT avg(s) FROM c);
WITH c AS MATERIALIZED (SELECT id, k, v FROM ps_t WHERE v > 30) SELECT k, count(*), sum(v), (SELECT count(*) FROM c) FROM c WHERE id > 100 GROUP BY k;
WITH c AS NOT MATERIALIZED (SELECT id, k, v FROM ps_t WHERE v > 30) SELECT count(*), (SELECT max(v) FROM c WHERE k = 3) FROM c WHERE k = 4;
WITH RECURSIVE r(id, d) AS (SELECT id, 0 FROM ps_t WHERE id = 1 UNION ALL SELECT x.id, r.d + 1 FROM ps_t x JOIN r ON x.p = r.id WHERE x.id > r.id AND x.k < 15 AND r.d < 8) SELECT d, count(*), sum(id) FROM r GROUP BY d;
WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT n + 1 FROM r WHERE n < (SELECT count(*) FROM ps_t WHERE k = 3 AND v > 40)) SELECT count(*), sum(n) FROM r;
WITH a AS (SELECT k, sum(v) AS s FROM ps_t WHERE v > 5 GROUP BY k), b AS (SELECT max(s) AS m FROM a) SELECT a.* FROM a, b WHERE a.s = b.m;
WITH c AS (SELECT * FROM ps_t WHERE false) SELECT count(*), sum(v) FROM c;

-- Set operations.
SELECT k FROM ps_t WHERE v > 50 UNION SELECT b FROM ps_o WHERE a > 3;
SELECT k FROM ps_t WHERE v > 51 UNION ALL SELECT b FROM ps_o WHERE a > 3;
SELECT k, count(*) FROM ps_t WHERE v > 30 GROUP BY k UNION ALL SELECT -1, sum(v) FROM ps_t WHERE v > 30;
SELECT k FROM ps_t WHERE v > 50 INTERSECT SELECT b FROM ps_o;
SELECT k FROM ps_t WHERE v > 50 EXCEPT SELECT b FROM ps_o WHERE a IS NOT NULL;
SELECT k FROM ps_t WHERE v > 50 EXCEPT ALL SELECT k FROM ps_t WHERE v = 51;
SELECT count(*), sum(x) FROM (SELECT v AS x FROM ps_t WHERE k = 1 UNION ALL SELECT a FROM ps_o WHERE b = 1 UNION ALL SELECT n FROM ps_t WHERE k = 2) q;
SELECT x, count(*) FROM (SELECT t AS x FROM ps_t WHERE v > 45 UNION ALL SELECT c FROM ps_o WHERE b > 1) q WHERE x > 't2' COLLATE "C" GROUP BY x;

-- Windows.
SELECT id, k, v, row_number() OVER (PARTITION BY k ORDER BY id) AS rn, sum(v) OVER (PARTITION BY k ORDER BY id) AS s FROM ps_t WHERE v > 45 AND k < 5;
SELECT id, rank() OVER (ORDER BY v, id), lag(v) OVER (ORDER BY id), avg(n) OVER (ORDER BY id ROWS 3 PRECEDING), count(*) OVER () FROM ps_t WHERE k = 7 AND v IS NOT NULL;
SELECT * FROM (SELECT k, v, id, dense_rank() OVER (PARTITION BY k ORDER BY v DESC NULLS LAST, id) AS r FROM ps_t WHERE id > 100) q WHERE r <= 2;
SELECT k, count(*), sum(sum(v)) OVER (ORDER BY k), first_value(k) OVER (ORDER BY count(*) DESC, k) FROM ps_t WHERE v > 3 GROUP BY k;
SELECT k, v, sum(v) OVER w FROM ps_t WHERE id < 60 WINDOW w AS (PARTITION BY k ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW);

-- DISTINCT, ORDER BY, LIMIT.
SELECT DISTINCT k, v % 3 AS m FROM ps_t WHERE v > 10;
SELECT DISTINCT t COLLATE "C" AS t FROM ps_t WHERE k IN (3, 4) ORDER BY t COLLATE "C";
SELECT DISTINCT ON (k) k, id, v FROM ps_t WHERE v > 20 ORDER BY k, v DESC, id;
SELECT count(*) FROM (SELECT DISTINCT k, v, t FROM ps_t) q;
SELECT DISTINCT count(*) FROM ps_t GROUP BY k;
SELECT id, v FROM ps_t WHERE k = 5 ORDER BY v DESC NULLS LAST, id LIMIT 7;
SELECT id, v FROM ps_t WHERE k = 5 ORDER BY v NULLS FIRST, id OFFSET 10 LIMIT 5;
SELECT id, v FROM ps_t WHERE v > 50 ORDER BY v FETCH FIRST 1 ROW WITH TIES;
SELECT id, upper(t COLLATE "C") AS u FROM ps_t WHERE v > 48 ORDER BY 2 DESC, 1 LIMIT 10;
SELECT k, max(v) FROM ps_t WHERE n > 50 GROUP BY k ORDER BY max(v) DESC, k LIMIT 3;
SELECT * FROM (SELECT id, n FROM ps_t WHERE v = 5 ORDER BY n DESC LIMIT 5) a, (SELECT count(*) FROM ps_t WHERE v = 5) b ORDER BY id;
SELECT q.k, q.s FROM (SELECT k, sum(n) AS s FROM ps_t WHERE v > 1 GROUP BY k ORDER BY sum(n) DESC LIMIT 4) q WHERE q.s > 0 ORDER BY q.k;
SELECT string_agg(t, ',' ORDER BY id), count(*) FROM (SELECT id, t FROM ps_t WHERE v = 7 ORDER BY id LIMIT 10) q;
SELECT count(*), sum(x) FROM (SELECT generate_series(1, v) AS x FROM ps_t WHERE k = 2 AND v < 10) q;
SELECT count(*) FROM ps_t a WHERE v > 3 AND a IS NOT NULL AND (SELECT a.k) = 3;
