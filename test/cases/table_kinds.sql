-- Kinds of relations: temporary, unlogged, materialized views, views, inheritance trees, partitioned
-- tables with partitions of other column order, sequences, catalogs, foreign names, quoted names,
-- tables of a composite type, tables with rules, sampled tables, functions and VALUES as tables.

-- setup
CREATE SCHEMA "tk Schema";
CREATE TABLE "tk Schema"."Odd ""Name" ("Id" int NOT NULL, "select" int, "ütf" text, "a.b" numeric(8,2));
INSERT INTO "tk Schema"."Odd ""Name" SELECT g, g % 7, 'ü' || g % 5, g / 4.0 FROM generate_series(1, 3000) g;
CREATE UNLOGGED TABLE tk_unlogged (id int, v int);
INSERT INTO tk_unlogged SELECT g, g % 10 FROM generate_series(1, 3000) g;
CREATE MATERIALIZED VIEW tk_mat AS SELECT id, v, 'm' || v AS t FROM tk_unlogged WHERE id > 100;
CREATE MATERIALIZED VIEW tk_mat_empty AS SELECT id, v FROM tk_unlogged WITH NO DATA;
CREATE VIEW tk_view AS SELECT id, v, v * 2 AS w FROM tk_unlogged WHERE id % 2 = 0;
CREATE VIEW tk_agg_view AS SELECT v, count(*) AS c, sum(id) AS s FROM tk_unlogged GROUP BY v;
CREATE TABLE tk_parent (id int NOT NULL, v int, t text);
CREATE TABLE tk_child1 (extra int) INHERITS (tk_parent);
CREATE TABLE tk_child2 () INHERITS (tk_parent);
CREATE TABLE tk_grand (more text) INHERITS (tk_child1);
CREATE TABLE tk_other (t text, x int, v int, id int NOT NULL);
ALTER TABLE tk_other DROP x;
ALTER TABLE tk_other INHERIT tk_parent;
INSERT INTO tk_parent SELECT g, g % 10, 'p' FROM generate_series(1, 1000) g;
INSERT INTO tk_child1 SELECT g, g % 10, 'c1', g FROM generate_series(1001, 2200) g;
INSERT INTO tk_grand SELECT g, g % 10, 'g', g, 'more' FROM generate_series(2201, 3000) g;
INSERT INTO tk_other SELECT 'o', g % 10, g FROM generate_series(3001, 3500) g;
CREATE TABLE tk_part (id int NOT NULL, v int, t text) PARTITION BY RANGE (id);
CREATE TABLE tk_part1 PARTITION OF tk_part FOR VALUES FROM (0) TO (1000);
CREATE TABLE tk_part2 (t text, v int, id int NOT NULL);
ALTER TABLE tk_part ATTACH PARTITION tk_part2 FOR VALUES FROM (1000) TO (2500);
CREATE TABLE tk_part3 PARTITION OF tk_part FOR VALUES FROM (2500) TO (5000) PARTITION BY LIST (v);
CREATE TABLE tk_part3a PARTITION OF tk_part3 FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE tk_part3b PARTITION OF tk_part3 DEFAULT;
CREATE TABLE tk_part4 PARTITION OF tk_part FOR VALUES FROM (5000) TO (6000);
INSERT INTO tk_part SELECT g, g % 10, 't' || g % 4 FROM generate_series(0, 4999) g;
CREATE TYPE tk_type AS (a int, b text);
CREATE TABLE tk_typed OF tk_type;
INSERT INTO tk_typed SELECT g, 'b' || g % 6 FROM generate_series(1, 2000) g;
CREATE TABLE tk_rule (id int);
INSERT INTO tk_rule SELECT g FROM generate_series(1, 2000) g;
CREATE SEQUENCE tk_seq;
CREATE TABLE tk_brin (id int, v int);
INSERT INTO tk_brin SELECT g, g % 100 FROM generate_series(1, 4000) g;
CREATE INDEX ON tk_brin USING brin (id);
CREATE INDEX ON tk_brin (v) WHERE v > 90;
ANALYZE;
-- end setup

-- require
SELECT "select", count(*), sum("a.b"), min("ütf" COLLATE "C") FROM "tk Schema"."Odd ""Name" GROUP BY "select";
-- require
SELECT "Id", "ütf" FROM "tk Schema"."Odd ""Name" AS "x y" WHERE "x y"."a.b" = 12.25 OR "ütf" = 'ü3' AND "Id" < 30;
-- require
SELECT v, count(*), sum(id) FROM tk_unlogged GROUP BY v;
-- require
SELECT id FROM tk_unlogged WHERE v = 3 AND id < 100;
-- require
SELECT t, count(*), sum(id) FROM tk_mat WHERE v > 3 GROUP BY t;
-- require
SELECT count(*), max(t COLLATE "C") FROM tk_mat WHERE id > 2000;
SELECT count(*) FROM tk_mat_empty WHERE id > 0;
SELECT v, count(*) FROM tk_mat_empty GROUP BY v;
-- require
SELECT v, count(*), sum(w) FROM tk_view WHERE w > 6 GROUP BY v;
-- require
SELECT * FROM tk_agg_view;
SELECT c, count(*), sum(s) FROM tk_agg_view WHERE v > 2 GROUP BY c;
BEGIN;
CREATE TEMP TABLE tk_temp ON COMMIT DELETE ROWS AS SELECT id, v FROM tk_unlogged WHERE id < 2500;
-- require
SELECT v, count(*), sum(id) FROM tk_temp GROUP BY v;
-- require
SELECT count(*) FROM tk_temp WHERE v < 3;
COMMIT;
-- require
SELECT count(*) FROM tk_temp WHERE id > 0;
CREATE TEMP TABLE tk_unlogged AS SELECT g AS id, 'temp' AS v FROM generate_series(1, 1500) g;
-- require
SELECT v, count(*), sum(id) FROM tk_unlogged GROUP BY v;
-- require
SELECT v, count(*), sum(id) FROM public.tk_unlogged GROUP BY v;
DROP TABLE pg_temp.tk_unlogged;
DROP TABLE tk_temp;

-- Inheritance and partitions.
SELECT count(*), sum(id), sum(v), min(t), max(t) FROM tk_parent;
SELECT t, count(*), sum(id) FROM tk_parent WHERE v > 4 GROUP BY t;
-- require
SELECT t, count(*), sum(id) FROM ONLY tk_parent WHERE v > 4 GROUP BY t;
SELECT tableoid::regclass AS rel, count(*), sum(id) FROM tk_parent WHERE v > 4 GROUP BY 1;
SELECT id, t FROM tk_parent WHERE id % 500 = 3;
SELECT count(*), sum(extra) FROM tk_child1 WHERE v = 3;
-- require
SELECT count(*), max(more COLLATE "C") FROM tk_grand WHERE extra > 2500;
-- require
SELECT count(*), sum(id), sum(v), max(t COLLATE "C") FROM tk_other WHERE v > 2;
SELECT count(*), sum(id), sum(v), max(t) FROM tk_part;
SELECT v, count(*), sum(id), max(t COLLATE "C") FROM tk_part WHERE id > 700 GROUP BY v;
SELECT t, count(*), sum(id) FROM tk_part WHERE v IN (2, 7) AND t <> 't1' GROUP BY t;
SELECT id, v, t FROM tk_part WHERE v = 5 AND id BETWEEN 900 AND 1100;
SELECT count(*) FROM tk_part WHERE id < 500;
SELECT count(*), sum(v) FROM tk_part WHERE id >= 5000;
-- require
SELECT t, count(*), sum(id) FROM tk_part2 WHERE v > 4 GROUP BY t;
SELECT tableoid::regclass AS rel, count(*) FROM tk_part WHERE v > 5 GROUP BY 1;
SELECT a.id, b.t FROM tk_part a JOIN tk_part b ON a.id = b.id + 1000 WHERE a.v = 3 AND b.id < 100;
SET enable_partitionwise_aggregate = on;
SET enable_partitionwise_join = on;
SELECT v, count(*), sum(id), max(t COLLATE "C") FROM tk_part WHERE id > 700 GROUP BY v;
SELECT id, count(*), sum(v) FROM tk_part WHERE id % 200 = 1 GROUP BY id;
SELECT a.v, count(*), sum(b.id) FROM tk_part a JOIN tk_part b ON a.id = b.id WHERE a.t = 't1' AND b.v > 2 GROUP BY a.v;
RESET enable_partitionwise_aggregate;
RESET enable_partitionwise_join;
PREPARE tk_p (int) AS SELECT count(*), sum(v) FROM tk_part WHERE id < $1 AND v > 2;
EXECUTE tk_p (700);
EXECUTE tk_p (1700);
SET plan_cache_mode = force_generic_plan;
EXECUTE tk_p (2600);
EXECUTE tk_p (10);
RESET plan_cache_mode;
DEALLOCATE tk_p;

-- Others.
-- require
SELECT b, count(*), sum(a) FROM tk_typed WHERE a > 10 GROUP BY b;
BEGIN;
CREATE RULE tk_r AS ON INSERT TO tk_rule DO ALSO SELECT count(*), sum(id) FROM tk_rule WHERE id > 5;
INSERT INTO tk_rule VALUES (3000);
ROLLBACK;
SELECT last_value, is_called FROM tk_seq;
SELECT count(*) > 100 AS many FROM pg_class WHERE relkind = 'r' OR relname = 'tk_part';
SELECT relname, relkind FROM pg_class WHERE relname LIKE 'tk\_part%';
SELECT count(*) FROM pg_attribute WHERE attrelid = 'tk_part'::regclass AND attnum > 0;
SELECT count(*) > 0 AS some FROM tk_brin TABLESAMPLE SYSTEM (100) WHERE v > 5;
SELECT count(*), sum(id) FROM tk_brin TABLESAMPLE BERNOULLI (100) WHERE v > 5;
SELECT count(*), sum(id) FROM tk_brin TABLESAMPLE BERNOULLI (30) REPEATABLE (7) WHERE v > 5;
SELECT count(*), sum(id) FROM tk_part TABLESAMPLE BERNOULLI (40) REPEATABLE (3) WHERE v > 2;
SELECT v % 5 AS m, count(*), sum(id) FROM tk_brin TABLESAMPLE SYSTEM (50) REPEATABLE (11) GROUP BY 1;
SELECT g.p, (SELECT count(*) FROM tk_brin TABLESAMPLE BERNOULLI (g.p) REPEATABLE (g.p) WHERE v > g.p) FROM (VALUES (10), (50), (0), (100), (10)) g(p);
SELECT s.v, count(*) FROM tk_brin AS s TABLESAMPLE BERNOULLI (20) REPEATABLE (5) JOIN (SELECT v, count(*) AS c FROM tk_unlogged GROUP BY v) q ON q.v = s.v GROUP BY s.v;
BEGIN;
DECLARE tk_c SCROLL CURSOR FOR SELECT id FROM tk_brin TABLESAMPLE BERNOULLI (10) REPEATABLE (5) WHERE v < 50;
-- ordered
FETCH 3 FROM tk_c;
-- ordered
FETCH BACKWARD 2 FROM tk_c;
COMMIT;
SELECT count(*), sum(v) FROM tk_brin WHERE id BETWEEN 1000 AND 1010;
SELECT v, count(*), sum(id) FROM tk_brin WHERE v > 95 GROUP BY v;
SELECT count(*) FROM (VALUES (1), (2), (NULL)) x(a) WHERE a > 1;
SELECT x.a, count(*) FROM (VALUES (1, 'a'), (2, 'b'), (1, 'c')) x(a, b) GROUP BY x.a;
SELECT g % 3 AS m, count(*), sum(g) FROM generate_series(1, 100) g WHERE g > 10 GROUP BY 1;
SELECT count(*), sum(g), min(g) FROM generate_series(1, 5000) g WHERE g % 7 = 1;
SELECT count(*) FROM unnest(ARRAY[1, 2, 3]) WITH ORDINALITY u(a, o) WHERE o > 1;
SELECT count(*), sum(q) FROM json_to_recordset('[{"q": 1}, {"q": 5}]') AS x(q int) WHERE q > 1;
SELECT 5 AS five WHERE 1 = 1;
SELECT count(*);
SELECT count(*), sum(1) WHERE false;
