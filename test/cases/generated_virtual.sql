-- Virtual generated columns (PostgreSQL 18): computed when read, not stored, null in the tuple.

-- setup
CREATE TABLE gv_t (id int NOT NULL, a int, v int GENERATED ALWAYS AS (a * 2) VIRTUAL, t text, w text GENERATED ALWAYS AS (upper(t) || a) VIRTUAL, s int GENERATED ALWAYS AS (a + 1) STORED, late int NOT NULL);
INSERT INTO gv_t (id, a, t, late) SELECT g, CASE WHEN g % 5 > 0 THEN g % 50 END, CASE WHEN g % 7 > 0 THEN 't' || g % 9 END, g FROM generate_series(1, 3000) g;
ALTER TABLE gv_t ADD x int GENERATED ALWAYS AS (100 / (a - 40)) VIRTUAL, ADD y numeric GENERATED ALWAYS AS (a / 4.0) VIRTUAL;
ANALYZE gv_t;
-- end setup

SELECT id, a, v, w, s, y, late FROM gv_t WHERE id <= 12;
SELECT count(*), sum(v), sum(s), sum(late), count(w), sum(y) FROM gv_t;
SELECT id, v FROM gv_t WHERE v = 64 AND late < 500;
SELECT count(*), sum(id) FROM gv_t WHERE w = 'T335' OR w IS NULL;
SELECT v, count(*), sum(late) FROM gv_t GROUP BY v;
SELECT w, v, count(*), max(y) FROM gv_t WHERE v > 60 GROUP BY w, v;
SELECT id, x FROM gv_t WHERE a < 40;
SELECT id, x FROM gv_t WHERE id > 0;
SELECT id, late FROM gv_t WHERE x > 20 AND a > 40;
SELECT count(*) FROM gv_t WHERE x > 20;
SELECT sum(x) FILTER (WHERE a <> 40) FROM gv_t;
SELECT id FROM gv_t WHERE a <> 40 AND x = 50 AND late < 300;
SELECT * FROM gv_t WHERE a <> 40 AND id < 20;
SELECT a.id, b.v FROM gv_t a JOIN gv_t b ON a.id = b.v WHERE a.late < 30 AND b.late < 100;
