-- Input that the planner expects otherwise: a thousand times more and fewer groups and rows than
-- estimated, one group, every row a group, groups that come late, long keys, statistics of a table
-- that is another one by now; with memory that holds all groups, some, and hardly any.

-- setup
CREATE TABLE es_t (id int NOT NULL, same int, many int, pair int, late int, v int, f float8, n numeric(10,2), t text) WITH (autovacuum_enabled = off);
INSERT INTO es_t SELECT g, 1, g, g / 2, CASE WHEN g < 4000 THEN 0 ELSE g END, g % 1000, g / 3.0::float8, g / 4.0, 't' || g % 2500 FROM generate_series(1, 6000) g;
CREATE TABLE es_lie (id int NOT NULL, one int, all_ int, v int) WITH (autovacuum_enabled = off);
INSERT INTO es_lie SELECT g, 7, g, g % 100 FROM generate_series(1, 6000) g;
-- One group is thought to be as many as rows, and every row one of six groups.
ALTER TABLE es_lie ALTER one SET (n_distinct = -1), ALTER all_ SET (n_distinct = 6);
CREATE TABLE es_grown (id int NOT NULL, k int, v int, t text) WITH (autovacuum_enabled = off);
INSERT INTO es_grown SELECT g, 1, g, 'x' FROM generate_series(1, 6) g;
CREATE TABLE es_shrunk (id int NOT NULL, k int, v int) WITH (autovacuum_enabled = off);
INSERT INTO es_shrunk SELECT g, g, g FROM generate_series(1, 6000) g;
-- Keys of ten kilobytes that differ at the end, at the start, in length; compressed and not.
CREATE TABLE es_long (id int NOT NULL, a text, b text, c text, d text, v int) WITH (autovacuum_enabled = off);
ALTER TABLE es_long ALTER b SET STORAGE EXTERNAL;
INSERT INTO es_long SELECT g, repeat('0123456789', 1000) || g % 40, g % 40 || repeat('abcdefghij', 1000), repeat('z', 10000 + g % 40),
	(SELECT string_agg(md5((g % 40 * 1000 + i)::text), '') FROM generate_series(1, 320) i), g FROM generate_series(1, 400) g;
ANALYZE es_t; ANALYZE es_lie; ANALYZE es_grown; ANALYZE es_shrunk; ANALYZE es_long;
INSERT INTO es_grown SELECT g, g % 3001, g, 'key ' || g % 3001 FROM generate_series(7, 6000) g;
DELETE FROM es_shrunk WHERE id > 6;
UPDATE es_shrunk SET k = 1;
CREATE FUNCTION es_rows(int) RETURNS SETOF int LANGUAGE sql ROWS 1 IMMUTABLE AS 'SELECT generate_series(1, $1)';
CREATE FUNCTION es_few(int) RETURNS SETOF int LANGUAGE sql ROWS 100000 IMMUTABLE AS 'SELECT generate_series(1, $1)';
-- end setup
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT one, count(*), sum(v), min(id), max(id) FROM es_lie GROUP BY one;
SELECT all_, count(*), sum(v), avg(id) FROM es_lie GROUP BY all_;
SELECT one, all_, count(*), max(v) FROM es_lie GROUP BY one, all_;
SELECT same, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY same;
SELECT many, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY many;
SELECT pair, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY pair;
SELECT late, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY late;
SELECT t, late, count(*), sum(v) FROM es_t GROUP BY t, late;
SELECT t, count(*), min(f), string_agg(v::text, ',' ORDER BY id) FROM es_t GROUP BY t;
SELECT pair, count(DISTINCT v), sum(DISTINCT v) FROM es_t GROUP BY pair;
-- serial
SELECT late, array_agg(v) FROM es_t WHERE id % 3 = 0 GROUP BY late;
SELECT k, count(*), sum(v), max(t COLLATE "C") FROM es_grown GROUP BY k;
SELECT t, count(*), sum(v) FROM es_grown WHERE v > 3 GROUP BY t;
SELECT k, count(*), sum(v) FROM es_shrunk GROUP BY k;
SELECT count(*), sum(v) FROM es_shrunk WHERE k = 1;
SELECT a, count(*), sum(v) FROM es_long GROUP BY a;
SELECT b, count(*), sum(v) FROM es_long GROUP BY b;
SELECT c, d, count(*), sum(v) FROM es_long GROUP BY c, d;
SELECT a, b, c, d, id, count(*) FROM es_long WHERE id % 5 = 0 GROUP BY a, b, c, d, id;
SELECT v % 10 AS k, max(d), min(b COLLATE "C"), max(a || b) FROM es_long GROUP BY 1;
SET work_mem = '1MB';
RESET hash_mem_multiplier;
SELECT one, count(*), sum(v), min(id), max(id) FROM es_lie GROUP BY one;
SELECT all_, count(*), sum(v), avg(id) FROM es_lie GROUP BY all_;
SELECT one, all_, count(*), max(v) FROM es_lie GROUP BY one, all_;
SELECT same, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY same;
SELECT many, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY many;
SELECT pair, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY pair;
SELECT late, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY late;
SELECT t, late, count(*), sum(v) FROM es_t GROUP BY t, late;
SELECT t, count(*), min(f), string_agg(v::text, ',' ORDER BY id) FROM es_t GROUP BY t;
SELECT pair, count(DISTINCT v), sum(DISTINCT v) FROM es_t GROUP BY pair;
-- serial
SELECT late, array_agg(v) FROM es_t WHERE id % 3 = 0 GROUP BY late;
SELECT k, count(*), sum(v), max(t COLLATE "C") FROM es_grown GROUP BY k;
SELECT t, count(*), sum(v) FROM es_grown WHERE v > 3 GROUP BY t;
SELECT k, count(*), sum(v) FROM es_shrunk GROUP BY k;
SELECT count(*), sum(v) FROM es_shrunk WHERE k = 1;
SELECT a, count(*), sum(v) FROM es_long GROUP BY a;
SELECT b, count(*), sum(v) FROM es_long GROUP BY b;
SELECT c, d, count(*), sum(v) FROM es_long GROUP BY c, d;
SELECT a, b, c, d, id, count(*) FROM es_long WHERE id % 5 = 0 GROUP BY a, b, c, d, id;
SELECT v % 10 AS k, max(d), min(b COLLATE "C"), max(a || b) FROM es_long GROUP BY 1;
RESET work_mem;
SET enable_sort = off;
SELECT one, count(*), sum(v), min(id), max(id) FROM es_lie GROUP BY one;
SELECT all_, count(*), sum(v), avg(id) FROM es_lie GROUP BY all_;
SELECT one, all_, count(*), max(v) FROM es_lie GROUP BY one, all_;
SELECT same, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY same;
SELECT many, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY many;
SELECT pair, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY pair;
SELECT late, count(*), sum(f), avg(n), max(t COLLATE "C") FROM es_t GROUP BY late;
SELECT t, late, count(*), sum(v) FROM es_t GROUP BY t, late;
SELECT t, count(*), min(f), string_agg(v::text, ',' ORDER BY id) FROM es_t GROUP BY t;
SELECT pair, count(DISTINCT v), sum(DISTINCT v) FROM es_t GROUP BY pair;
-- serial
SELECT late, array_agg(v) FROM es_t WHERE id % 3 = 0 GROUP BY late;
SELECT k, count(*), sum(v), max(t COLLATE "C") FROM es_grown GROUP BY k;
SELECT t, count(*), sum(v) FROM es_grown WHERE v > 3 GROUP BY t;
SELECT k, count(*), sum(v) FROM es_shrunk GROUP BY k;
SELECT count(*), sum(v) FROM es_shrunk WHERE k = 1;
SELECT a, count(*), sum(v) FROM es_long GROUP BY a;
SELECT b, count(*), sum(v) FROM es_long GROUP BY b;
SELECT c, d, count(*), sum(v) FROM es_long GROUP BY c, d;
SELECT a, b, c, d, id, count(*) FROM es_long WHERE id % 5 = 0 GROUP BY a, b, c, d, id;
SELECT v % 10 AS k, max(d), min(b COLLATE "C"), max(a || b) FROM es_long GROUP BY 1;
RESET enable_sort;

-- Below and above other nodes.
SET work_mem = '64kB';
SELECT count(*), sum(c), sum(s), max(m) FROM (SELECT all_, count(*) AS c, sum(v) AS s, max(id) AS m FROM es_lie GROUP BY all_) q;
SELECT a.all_ % 5 AS m, count(*), sum(a.c), sum(b.c) FROM (SELECT all_, count(*) AS c FROM es_lie GROUP BY all_) a JOIN (SELECT many, count(*) AS c FROM es_t GROUP BY many) b ON a.all_ = b.many GROUP BY 1;
SELECT all_, c FROM (SELECT all_, count(*) AS c FROM es_lie GROUP BY all_) q ORDER BY all_ DESC LIMIT 5;
SELECT g % 7 AS m, count(*) FROM es_rows(6000) g GROUP BY 1;
SELECT g, count(*), sum(g) FROM es_rows(3000) g GROUP BY g;
SELECT g, count(*) FROM es_few(5) g GROUP BY g;
SELECT e.one, count(*) FROM es_lie e JOIN es_rows(3000) g ON g = e.id GROUP BY e.one;
SELECT count(*) FROM (SELECT many, t, pair FROM es_t GROUP BY many, t, pair) q;
SELECT many FROM es_t EXCEPT SELECT all_ FROM es_lie WHERE all_ > 10;
SELECT count(*) FROM (SELECT DISTINCT all_, v FROM es_lie) q;
SELECT late, count(*) FROM es_t GROUP BY late HAVING count(*) > 1;
SELECT pair, count(*), sum(v) FROM es_t WHERE (v, id) > (500, 3000) GROUP BY pair HAVING sum(v) > 1500;
RESET work_mem;
