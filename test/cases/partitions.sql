-- Partitioned tables and inheritance trees: children with another order of columns, dropped and added
-- columns, missing values, other storage; pruning when planned, when started and while running;
-- aggregation per partition, in full and in part; default, list, hash and multi-level partitions;
-- rows that move; scans of one child.

-- setup
CREATE TABLE pt_r (id int NOT NULL, k int, v bigint, n numeric(12,3), t text, d date) PARTITION BY RANGE (id);
CREATE TABLE pt_r1 PARTITION OF pt_r FOR VALUES FROM (MINVALUE) TO (1000);
CREATE TABLE pt_r2 (d date, x1 text, t text, v bigint, x2 int, id int NOT NULL, n numeric(12,3), k int, x3 bool);
ALTER TABLE pt_r2 DROP x1, DROP x2, DROP x3;
ALTER TABLE pt_r ATTACH PARTITION pt_r2 FOR VALUES FROM (1000) TO (2000);
CREATE TABLE pt_r3 (id int NOT NULL, t text, k int);
INSERT INTO pt_r3 SELECT g, 'early', g % 20 FROM generate_series(2000, 2399) g;
ALTER TABLE pt_r3 ADD v bigint DEFAULT 77, ADD n numeric(12,3) DEFAULT 1.5, ADD d date DEFAULT date '2001-01-01';
ALTER TABLE pt_r ATTACH PARTITION pt_r3 FOR VALUES FROM (2000) TO (3000);
CREATE TABLE pt_r4 PARTITION OF pt_r FOR VALUES FROM (3000) TO (4000) PARTITION BY LIST (k);
CREATE TABLE pt_r4a PARTITION OF pt_r4 FOR VALUES IN (0, 1, 2, 3, NULL);
CREATE TABLE pt_r4b PARTITION OF pt_r4 DEFAULT WITH (fillfactor = 30);
ALTER TABLE pt_r4b ALTER t SET STORAGE EXTERNAL;
CREATE TABLE pt_empty PARTITION OF pt_r FOR VALUES FROM (4000) TO (5000);
CREATE TABLE pt_rd PARTITION OF pt_r DEFAULT;
INSERT INTO pt_r SELECT g, CASE WHEN g % 31 > 0 THEN g % 20 END, g * 3, g / 16.0, CASE WHEN g % 7 > 0 THEN 't' || g % 40 END, date '2000-01-01' + g % 300 FROM generate_series(0, 3999) g WHERE g NOT BETWEEN 2000 AND 2399;
INSERT INTO pt_r SELECT g, g % 20, g, g, 'd' || g % 4, '2010-01-01' FROM generate_series(5000, 5300) g;
UPDATE pt_r SET t = repeat(t, 1000) WHERE id BETWEEN 3700 AND 3720;
CREATE TABLE pt_h (k int, t text, v int) PARTITION BY HASH (k, t);
CREATE TABLE pt_h0 PARTITION OF pt_h FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE pt_h1 (v int, t text, k int);
ALTER TABLE pt_h ATTACH PARTITION pt_h1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE pt_h2 PARTITION OF pt_h FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO pt_h SELECT CASE WHEN g % 17 > 0 THEN g % 40 END, CASE WHEN g % 11 > 0 THEN 'h' || g % 3 END, g FROM generate_series(1, 3000) g;
CREATE TABLE pt_i (id int NOT NULL, v int, t text);
CREATE TABLE pt_i1 (extra numeric, CHECK (id BETWEEN 1000 AND 1999)) INHERITS (pt_i);
CREATE TABLE pt_i2 (w bool, t text, x int, id int NOT NULL, v int);
ALTER TABLE pt_i2 DROP x;
ALTER TABLE pt_i2 INHERIT pt_i;
INSERT INTO pt_i SELECT g, g % 9, 'i' FROM generate_series(0, 999) g;
INSERT INTO pt_i1 SELECT g, g % 9, 'i1', g FROM generate_series(1000, 1999) g;
INSERT INTO pt_i2 SELECT g % 2 = 0, 'i2', g, g % 9 FROM generate_series(2000, 2999) g;
ALTER TABLE pt_i ADD added int DEFAULT 4;
CREATE TABLE pt_s (id int, name text);
INSERT INTO pt_s SELECT g * 500, 'name' || g % 3 FROM generate_series(0, 11) g;
ANALYZE;
-- end setup

SELECT count(*), count(k), sum(k), sum(v), sum(n), min(t COLLATE "C"), max(t COLLATE "C"), min(d), max(d) FROM pt_r;
SELECT k, count(*), sum(v), sum(n), max(d) FROM pt_r GROUP BY k;
SELECT t, count(*), sum(id) FROM pt_r WHERE v > 100 AND length(t) < 10 GROUP BY t;
SELECT tableoid::regclass AS rel, count(*), sum(v), sum(n), max(length(t)) FROM pt_r GROUP BY 1;
SELECT id, k, v, n, t, d FROM pt_r WHERE id % 250 = 3;
SELECT r FROM pt_r r WHERE id IN (5, 1005, 2005, 2405, 3005, 5005);
SELECT id, v + k AS s, upper(t) AS u FROM pt_r WHERE k = 3 AND id % 100 = 3;
SELECT d, t, count(*) FROM pt_r WHERE k BETWEEN 3 AND 5 AND n < 130 AND length(t) < 10 GROUP BY d, t HAVING count(*) > 1;
SELECT DISTINCT k, d < '2000-03-01' AS early FROM pt_r WHERE id > 500;
SELECT k, count(DISTINCT t), sum(n) FROM pt_r WHERE id < 3000 GROUP BY k;

-- Each child.
-- require
SELECT k, count(*), sum(v), sum(n), max(t COLLATE "C"), min(d) FROM pt_r2 GROUP BY k;
-- require
SELECT t, count(*), sum(v), sum(n), min(d), sum(k) FROM pt_r3 WHERE k > 3 GROUP BY t;
-- require
SELECT count(*), max(length(t)), sum(v) FROM pt_r4b WHERE length(t) > 5;
-- require
SELECT count(*), sum(v) FROM pt_empty WHERE k > 3;
-- require
SELECT k, t, count(*), sum(v) FROM pt_h1 WHERE v > 10 GROUP BY k, t;
-- require
SELECT w, t, count(*), sum(id), sum(added) FROM pt_i2 WHERE v > 2 GROUP BY w, t;
-- require
SELECT count(*), sum(added) FROM ONLY pt_i WHERE v > 2;

-- Pruned when planned.
SELECT count(*), sum(v) FROM pt_r WHERE id < 900;
SELECT k, count(*), sum(v) FROM pt_r WHERE id >= 1000 AND id < 2000 GROUP BY k;
SELECT count(*), sum(v), max(t COLLATE "C") FROM pt_r WHERE id > 3000 AND k = 2;
SELECT count(*), sum(v) FROM pt_r WHERE id > 3000 AND k IS NULL;
SELECT count(*), sum(v) FROM pt_r WHERE id > 4000 AND id < 5000;
SELECT count(*), sum(v) FROM pt_r WHERE id IN (17, 5017, 4017);
SELECT count(*), sum(v) FROM pt_h WHERE k = 7 AND t = 'h1';
SELECT count(*), sum(v) FROM pt_h WHERE k IS NULL AND t IS NULL;
SELECT count(*), sum(extra) FROM pt_i1 WHERE id = 1500;
SELECT count(*), sum(v) FROM pt_i WHERE id = 1500;
SELECT count(*) FROM pt_r WHERE id = 5 AND id = 6;

-- Pruned when started and while running.
SET plan_cache_mode = force_generic_plan;
PREPARE pt_p (int, int) AS SELECT count(*), sum(v), max(t COLLATE "C") FROM pt_r WHERE id >= $1 AND id < $2 AND v > 0;
EXECUTE pt_p (0, 10);
EXECUTE pt_p (1500, 2500);
EXECUTE pt_p (4000, 4500);
EXECUTE pt_p (NULL, 5);
EXECUTE pt_p (-5, 100000);
PREPARE pt_q (int, text) AS SELECT k, t, count(*), sum(v) FROM pt_h WHERE k = $1 AND t = $2 GROUP BY k, t;
EXECUTE pt_q (7, 'h1');
EXECUTE pt_q (8, 'h2');
EXECUTE pt_q (NULL, 'h2');
PREPARE pt_g (int) AS SELECT k, sum(n) FROM pt_r WHERE id > $1 GROUP BY k;
EXECUTE pt_g (3500);
EXECUTE pt_g (100000);
RESET plan_cache_mode;
DEALLOCATE pt_p;
DEALLOCATE pt_q;
DEALLOCATE pt_g;
SELECT s.id, s.name, q.* FROM pt_s s, LATERAL (SELECT count(*), sum(v), max(d) FROM pt_r WHERE pt_r.id >= s.id AND pt_r.id < s.id + 300) q;
SELECT s.id, (SELECT sum(v) FROM pt_r WHERE pt_r.id = s.id) FROM pt_s s;
SELECT s.name, count(*), sum(r.v) FROM pt_s s JOIN pt_r r ON r.id = s.id GROUP BY s.name;
SELECT count(*), sum(v) FROM pt_r WHERE id > (SELECT max(id) - 600 FROM pt_s);
SELECT k, count(*) FROM pt_r WHERE id = ANY (ARRAY(SELECT id + 1 FROM pt_s)) GROUP BY k;

-- Aggregation per partition.
SET enable_partitionwise_aggregate = on;
SET enable_partitionwise_join = on;
SELECT id, count(*), sum(v), max(t COLLATE "C") FROM pt_r WHERE id % 200 = 1 GROUP BY id;
SELECT k, count(*), sum(v), avg(n), min(t COLLATE "C"), max(d) FROM pt_r GROUP BY k;
SELECT count(*), sum(v), avg(n), min(t COLLATE "C"), count(k) FROM pt_r WHERE v > 30;
SELECT t, count(*), sum(n) FROM pt_r WHERE length(t) < 10 GROUP BY t HAVING count(*) > 50 ORDER BY t COLLATE "C";
SELECT k, t, count(*), sum(v), avg(v) FROM pt_h GROUP BY k, t;
SELECT t, k, count(*), sum(v) FROM pt_h WHERE v % 3 = 1 GROUP BY t, k HAVING sum(v) > 20000;
SELECT t, count(*), avg(v) FROM pt_h GROUP BY t;
SELECT k, count(*) FILTER (WHERE t = 'h1'), string_agg(t, ',' ORDER BY v) FROM pt_h WHERE v < 200 GROUP BY k;
SELECT t, count(*), sum(v), sum(added) FROM pt_i GROUP BY t;
SELECT a.k, a.t, count(*), sum(b.v) FROM pt_h a JOIN pt_h b ON a.k = b.k AND a.t = b.t WHERE a.v < 100 AND b.v < 400 GROUP BY a.k, a.t;
SELECT s.name, q.k, q.c FROM pt_s s JOIN (SELECT id, k, count(*) AS c FROM pt_r GROUP BY id, k) q ON q.id = s.id;
SET enable_hashagg = off;
SELECT k, count(*), sum(v), avg(n) FROM pt_r GROUP BY k;
SELECT k, t, count(*), sum(v) FROM pt_h GROUP BY k, t;
RESET enable_hashagg;
RESET enable_partitionwise_aggregate;
RESET enable_partitionwise_join;

-- Rows that move, partitions that come and go.
BEGIN;
UPDATE pt_r SET id = id + 1000, v = -1 WHERE id % 100 = 7 AND id < 3000;
SELECT tableoid::regclass AS rel, count(*), sum(id) FROM pt_r WHERE v = -1 GROUP BY 1;
SELECT k, count(*), sum(v) FROM pt_r GROUP BY k;
ALTER TABLE pt_r DETACH PARTITION pt_r2;
SELECT count(*), sum(v) FROM pt_r WHERE k > 2;
ALTER TABLE pt_r ADD extra int DEFAULT 11;
ALTER TABLE pt_r DROP n;
SELECT k, count(*), sum(extra), max(d) FROM pt_r WHERE id > 500 GROUP BY k;
DELETE FROM pt_r WHERE k IN (SELECT k FROM pt_h WHERE v > 2900 GROUP BY k HAVING count(*) > 2);
SELECT count(*), sum(v), sum(extra) FROM pt_r WHERE extra > 10;
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT id, t FROM pt_r WHERE k = 3 AND id % 50 = 3;
-- ordered
FETCH 25 FROM c;
-- ordered
FETCH BACKWARD 20 FROM c;
-- ordered
FETCH ABSOLUTE 40 FROM c;
UPDATE pt_r SET v = 0 WHERE CURRENT OF c;
SELECT id, v FROM pt_r WHERE v = 0;
ROLLBACK;
