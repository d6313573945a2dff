-- A table large enough that the planner takes vector nodes by cost, without force: the same forms in
-- small, beside those that core's plan wins.

-- setup
CREATE TABLE cc_t (id int PRIMARY KEY, k int NOT NULL, v int, n numeric(12,2) NOT NULL, f float8, t text NOT NULL, c char(10) NOT NULL, d date NOT NULL);
INSERT INTO cc_t SELECT g, g % 100, CASE WHEN g % 11 > 0 THEN g % 1000 END, g / 4.0, CASE WHEN g % 13 > 0 THEN g / 8.0 END, 'text' || g % 50, 'c' || g % 7, date '2000-01-01' + g % 2000 FROM generate_series(1, 60000) g;
CREATE INDEX ON cc_t (k, d);
CREATE TABLE cc_s (k int PRIMARY KEY, name text);
INSERT INTO cc_s SELECT g, 'name' || g FROM generate_series(0, 49) g;
VACUUM ANALYZE cc_t; VACUUM ANALYZE cc_s;
-- end setup

SELECT count(*) FROM cc_t;
SELECT count(*), sum(v), avg(n), min(d), max(c), sum(f) FROM cc_t;
SELECT count(*), sum(n * (1 - 0.05)), avg(v) FROM cc_t WHERE d >= '2001-01-01' AND d < '2002-01-01' AND v < 500;
SELECT k, count(*), sum(v), avg(n), min(t COLLATE "C"), sum(f) FROM cc_t GROUP BY k;
SELECT c, t, count(*), sum(n) FROM cc_t WHERE v BETWEEN 100 AND 800 GROUP BY c, t;
SELECT d, sum(n) FROM cc_t GROUP BY d HAVING count(*) > 29 ORDER BY d;
SELECT id / 7 AS g, count(*), sum(v) FROM cc_t GROUP BY id / 7;
SELECT count(*) FROM cc_t WHERE t LIKE '%9' AND c IN ('c1', 'c3', 'c5') OR v IS NULL AND n > 14000;
SELECT id, n FROM cc_t WHERE v = 77 AND t <> 'text7';
SELECT id, n, c FROM cc_t WHERE f > 7499;
SELECT * FROM cc_t WHERE id = 4711;
SELECT * FROM cc_t WHERE id BETWEEN 500 AND 520;
SELECT count(*), sum(n) FROM cc_t WHERE k = 7 AND d < '2000-02-01';
SELECT id FROM cc_t WHERE v > 990 ORDER BY id LIMIT 5;
SELECT id FROM cc_t ORDER BY id DESC LIMIT 3;
SELECT min(id), max(id) FROM cc_t;
SELECT min(k), max(k) FROM cc_t WHERE v > 10;
SELECT s.name, count(*), sum(t.n) FROM cc_t t JOIN cc_s s USING (k) WHERE t.v > 100 GROUP BY s.name;
SELECT s.name, (SELECT count(*) FROM cc_t t WHERE t.k = s.k AND t.v > 900) AS c FROM cc_s s;
SELECT count(*) FROM cc_t WHERE k IN (SELECT k FROM cc_s WHERE name LIKE '%3') AND v < 300;
SELECT EXISTS (SELECT 1 FROM cc_t WHERE v = 999), EXISTS (SELECT 1 FROM cc_t WHERE v = 1000);
SELECT 100 / v FROM cc_t WHERE id <= 10;
-- serial
SELECT count(*) FROM (SELECT 100 / v FROM cc_t WHERE n > 0 LIMIT 999) q;
SELECT sum(100 / v) FROM cc_t;
SELECT sum(100 / v) FROM cc_t WHERE id < 1000;
SELECT count(DISTINCT v), count(DISTINCT t), sum(n) FROM cc_t WHERE k < 50;
SELECT k, count(*), sum(v) FROM cc_t WHERE d = '2003-03-03' GROUP BY k;
SELECT DISTINCT k, c FROM cc_t WHERE v > 900;
SELECT k, rank() OVER (ORDER BY sum(n) DESC) FROM cc_t WHERE v > 5 GROUP BY k;
PREPARE cc_p (int, date) AS SELECT count(*), sum(n), max(t COLLATE "C") FROM cc_t WHERE v < $1 AND d > $2;
EXECUTE cc_p (100, '2001-01-01');
EXECUTE cc_p (1000, '1999-01-01');
EXECUTE cc_p (1, '2001-01-01');
EXECUTE cc_p (500, NULL);
EXECUTE cc_p (200, '2004-01-01');
EXECUTE cc_p (300, '2004-01-01');
EXECUTE cc_p (400, '2004-01-01');
DEALLOCATE cc_p;
BEGIN;
DECLARE c CURSOR FOR SELECT id, v FROM cc_t WHERE v > 990;
-- ordered
FETCH 10 FROM c;
-- ordered
FETCH BACKWARD 3 FROM c;
-- ordered
FETCH 400 FROM c;
-- ordered
FETCH BACKWARD 5 FROM c;
COMMIT;
BEGIN;
UPDATE cc_t SET v = v + 1 WHERE k = 5;
DELETE FROM cc_t WHERE v > 900;
SELECT k, count(*), sum(v), sum(n) FROM cc_t GROUP BY k;
ROLLBACK;
SET work_mem = '64kB';
SELECT count(*), sum(s) FROM (SELECT id, sum(v) AS s FROM cc_t GROUP BY id) q;
SELECT id / 2 AS h, t, count(*), max(n) FROM cc_t WHERE v > 800 GROUP BY 1, 2;
RESET work_mem;
SET enable_seqscan = off;
SELECT count(*), sum(n) FROM cc_t WHERE v < 300;
SELECT k, sum(v) FROM cc_t GROUP BY k;
RESET enable_seqscan;
SET enable_hashagg = off;
SELECT c, sum(v), count(*) FROM cc_t WHERE v < 300 GROUP BY c;
RESET enable_hashagg;

-- The planner looks for the least and the greatest key in the index as often as without us.
SELECT pg_stat_force_next_flush();
BEGIN;
SELECT count(*), sum(v) FROM cc_t WHERE id >= 1 AND id < 1000000 AND v > 5;
SELECT id FROM cc_t WHERE id >= 1 AND id < 1000000 AND v = 5;
SELECT idx_scan FROM pg_stat_xact_user_tables WHERE relname = 'cc_t';
COMMIT;
