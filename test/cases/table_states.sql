-- Tuples in every state: dead, updated (heap-only and not), aborted, locked, frozen, hinted and not,
-- pruned pages, line pointers that are unused, dead or redirected, one row per page, empty pages
-- between full ones, tables emptied, truncated and rewritten.

-- setup
-- Each state in its own stretch of the table.
CREATE TABLE ts_mix (id int NOT NULL, k int, v int, n numeric(10,2), t text) WITH (autovacuum_enabled = off, fillfactor = 70);
CREATE INDEX ON ts_mix (k);
INSERT INTO ts_mix SELECT g, g % 10, g, g / 4.0, 'row ' || g FROM generate_series(1, 2000) g;
VACUUM (FREEZE) ts_mix;
INSERT INTO ts_mix SELECT g, g % 10, g, g / 4.0, 'row ' || g FROM generate_series(2001, 8000) g;
DELETE FROM ts_mix WHERE id BETWEEN 2100 AND 2900;
DELETE FROM ts_mix WHERE id BETWEEN 3000 AND 4000 AND id % 2 = 0;
UPDATE ts_mix SET v = -v WHERE id BETWEEN 4000 AND 4400 AND id % 3 = 0;
UPDATE ts_mix SET v = v - 1 WHERE id BETWEEN 4000 AND 4400 AND id % 9 = 0;
UPDATE ts_mix SET k = k + 1 WHERE id BETWEEN 4500 AND 4900 AND id % 3 = 0;
BEGIN;
UPDATE ts_mix SET v = 999999 WHERE id BETWEEN 5000 AND 5400;
DELETE FROM ts_mix WHERE id BETWEEN 5400 AND 5500;
INSERT INTO ts_mix SELECT g, g % 10, g, g, 'aborted' FROM generate_series(100001, 100500) g;
ROLLBACK;
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM ts_mix WHERE id BETWEEN 5600 AND 6000 FOR UPDATE) s;
COMMIT;
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM ts_mix WHERE id BETWEEN 6000 AND 6100 FOR SHARE) s;
SAVEPOINT a;
UPDATE ts_mix SET v = 888888 WHERE id BETWEEN 6050 AND 6150;
ROLLBACK TO a;
SAVEPOINT b;
UPDATE ts_mix SET v = v + 1 WHERE id BETWEEN 6150 AND 6250;
RELEASE b;
DELETE FROM ts_mix WHERE id BETWEEN 6240 AND 6260;
INSERT INTO ts_mix SELECT g, g % 10, g, g, 'sub' FROM generate_series(200001, 200010) g;
COMMIT;
-- Never read since it was written: no hint bits.
INSERT INTO ts_mix SELECT g, g % 10, g, g / 4.0, 'late ' || g FROM generate_series(300001, 301000) g;
-- Pruned and vacuumed: holes, redirections.
CREATE TABLE ts_holes (id int NOT NULL, k int, v int, t text) WITH (autovacuum_enabled = off, fillfactor = 50);
INSERT INTO ts_holes SELECT g, g % 10, g, repeat('h', g % 50) FROM generate_series(1, 6000) g;
UPDATE ts_holes SET v = v + 10000 WHERE id % 5 = 0;
DELETE FROM ts_holes WHERE id % 7 = 0 OR id BETWEEN 1000 AND 2500;
VACUUM (INDEX_CLEANUP ON) ts_holes;
UPDATE ts_holes SET v = v + 10000 WHERE id % 11 = 0;
INSERT INTO ts_holes SELECT g, g % 10, g, 'refill' FROM generate_series(7001, 7500) g;
-- One row per page; long stretches of pages without any row.
CREATE TABLE ts_wide (id int NOT NULL, a char(1900), b char(1900), c char(1900), d char(1900), v int);
ALTER TABLE ts_wide ALTER a SET STORAGE PLAIN, ALTER b SET STORAGE PLAIN, ALTER c SET STORAGE PLAIN, ALTER d SET STORAGE PLAIN;
INSERT INTO ts_wide SELECT g, 'a' || g, CASE WHEN g % 5 > 0 THEN 'b' || g END, 'c', 'd' || g % 3, g * 2 FROM generate_series(1, 600) g;
DELETE FROM ts_wide WHERE id BETWEEN 100 AND 300;
-- Two hundred rows per page, the narrowest there are.
CREATE TABLE ts_narrow (v bool);
INSERT INTO ts_narrow SELECT CASE g % 3 WHEN 0 THEN true WHEN 1 THEN false END FROM generate_series(1, 5000) g;
CREATE TABLE ts_nocol ();
INSERT INTO ts_nocol SELECT FROM generate_series(1, 3000);
CREATE TABLE ts_emptied (id int, v int) WITH (autovacuum_enabled = off);
INSERT INTO ts_emptied SELECT g, g FROM generate_series(1, 3000) g;
DELETE FROM ts_emptied;
CREATE TABLE ts_onlylast (id int, v int) WITH (autovacuum_enabled = off);
INSERT INTO ts_onlylast SELECT g, g FROM generate_series(1, 5000) g;
DELETE FROM ts_onlylast WHERE id < 5000;
CREATE TABLE ts_empty (id int, v int);
CREATE TABLE ts_truncated (id int, v int);
INSERT INTO ts_truncated SELECT g, g FROM generate_series(1, 3000) g;
TRUNCATE ts_truncated;
-- Clustered, rewritten, frozen from the start.
CREATE TABLE ts_rewritten (id int, v int, t text);
INSERT INTO ts_rewritten SELECT g, -g, 'r' || g FROM generate_series(1, 4000) g;
CREATE INDEX ts_rewritten_v ON ts_rewritten (v);
DELETE FROM ts_rewritten WHERE id % 3 = 0;
CLUSTER ts_rewritten USING ts_rewritten_v;
DROP INDEX ts_rewritten_v;
BEGIN;
CREATE TABLE ts_frozen (id int, v int);
INSERT INTO ts_frozen SELECT g, g FROM generate_series(1, 3000) g;
COMMIT;
VACUUM (FREEZE) ts_frozen;
-- Every row updated in place many times.
CREATE TABLE ts_chain (id int NOT NULL, v int) WITH (autovacuum_enabled = off, fillfactor = 20);
INSERT INTO ts_chain SELECT g, 0 FROM generate_series(1, 1500) g;
UPDATE ts_chain SET v = v + 1;
UPDATE ts_chain SET v = v + 1 WHERE id % 2 = 0;
UPDATE ts_chain SET v = v + 1 WHERE id % 3 = 0;
UPDATE ts_chain SET v = v + 1 WHERE id % 2 = 0;
-- end setup

-- require
SELECT count(*), sum(id), sum(v), sum(n), min(t COLLATE "C"), max(t COLLATE "C") FROM ts_mix;
-- require
SELECT id, k, v, n, t FROM ts_mix WHERE v < 0;
-- require
SELECT id / 100 AS s, count(*), sum(v), sum(k), sum(n) FROM ts_mix GROUP BY id / 100;
-- require
SELECT k, count(*), sum(v), max(t COLLATE "C") FROM ts_mix GROUP BY k;
-- require
SELECT id, v FROM ts_mix WHERE id BETWEEN 2090 AND 2910;
-- require
SELECT id, v, k FROM ts_mix WHERE id BETWEEN 3990 AND 4410;
-- require
SELECT id, v, k FROM ts_mix WHERE id BETWEEN 4490 AND 4910 AND id % 3 = 0;
-- require
SELECT id, v FROM ts_mix WHERE id BETWEEN 5390 AND 5510;
-- require
SELECT id, v FROM ts_mix WHERE id BETWEEN 5990 AND 6270;
-- require
SELECT id, v, t FROM ts_mix WHERE id BETWEEN 100000 AND 200020;
-- require
SELECT count(*), sum(v) FROM ts_mix WHERE v = 999999 OR v = 888888 OR t = 'aborted';
-- require
SELECT count(*), sum(id) FROM ts_mix WHERE id > 300000;
SELECT id, ctid, v FROM ts_mix WHERE v < 0 AND id < 4100;

-- require
SELECT count(*), sum(id), sum(v), max(t COLLATE "C"), sum(length(t)) FROM ts_holes;
-- require
SELECT id, v, t FROM ts_holes WHERE id % 11 = 0 AND id < 1500;
-- require
SELECT k, count(*), sum(v) FROM ts_holes GROUP BY k;
-- require
SELECT id, v FROM ts_holes WHERE t = 'refill' AND id % 50 = 0;

-- require
SELECT count(*), sum(id), sum(v), min(a), max(b), count(b), max(d) FROM ts_wide;
-- require
SELECT id, v, a::text AS a, b::text AS b FROM ts_wide WHERE id BETWEEN 95 AND 305;
-- require
SELECT d, count(*), sum(v), count(b) FROM ts_wide GROUP BY d;
-- require
SELECT id FROM ts_wide WHERE b = 'b7' OR b = 'b599' OR a = 'a350';
-- require
SELECT v, count(*) FROM ts_narrow GROUP BY v;
-- require
SELECT count(*), count(v) FROM ts_narrow WHERE v IS NOT FALSE;
-- require
SELECT count(*) FROM ts_nocol;
SELECT FROM ts_nocol WHERE ts_nocol IS NOT DISTINCT FROM ROW() LIMIT 3;
SELECT count(*), count(ts_nocol.*) FROM ts_nocol;
-- require
SELECT count(*), sum(v) FROM ts_emptied;
-- require
SELECT id, v FROM ts_emptied WHERE id > 0;
-- require
SELECT v, count(*) FROM ts_emptied GROUP BY v;
-- require
SELECT id, v FROM ts_onlylast WHERE id > 0;
-- require
SELECT count(*), sum(v), min(v) FROM ts_onlylast;
-- require
SELECT count(*), sum(v) FROM ts_empty;
-- require
SELECT * FROM ts_empty WHERE id > 0;
-- require
SELECT id, count(*) FROM ts_empty GROUP BY id;
-- require
SELECT count(*), sum(v) FROM ts_truncated WHERE id > 0;
-- require
SELECT count(*), sum(v), min(t COLLATE "C") FROM ts_rewritten;
-- require
-- ordered
SELECT id FROM ts_rewritten WHERE id > 3950;
-- require
SELECT count(*), sum(v), max(id) FROM ts_frozen WHERE v % 2 = 0;
-- require
SELECT v, count(*), sum(id) FROM ts_chain GROUP BY v;
-- require
SELECT id, v FROM ts_chain WHERE v > 3;

-- The same again: pages pruned and hinted by the reads before.
-- require
SELECT count(*), sum(id), sum(v), sum(n) FROM ts_mix WHERE id > 0;
-- require
SELECT count(*), sum(id), sum(v) FROM ts_chain WHERE v > 0;
-- require
SELECT count(*), sum(v) FROM ts_holes WHERE v > 10000;
