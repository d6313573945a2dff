-- ctid, tableoid, xmin, cmin and whole rows, in outputs, filters, keys and arguments; whole rows of
-- tables with dropped and added columns; row functions over them.

-- setup
CREATE TABLE sc_t (id int NOT NULL, x text, v int, n numeric(8,2));
INSERT INTO sc_t SELECT g, 'x' || g, CASE WHEN g % 7 > 0 THEN g % 30 END, g / 4.0 FROM generate_series(1, 3000) g;
ALTER TABLE sc_t DROP x, ADD late text DEFAULT 'late';
CREATE TABLE sc_u (LIKE sc_t);
INSERT INTO sc_u SELECT * FROM sc_t WHERE id < 1500;
ANALYZE sc_t; ANALYZE sc_u;
CREATE FUNCTION sc_f(sc_t) RETURNS int LANGUAGE sql STABLE AS 'SELECT $1.v + 1';
CREATE FUNCTION sc_g(sc_t) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN $1.id || '/' || coalesce($1.late, '-'); END $$;
-- end setup

SELECT ctid, id FROM sc_t WHERE v = 7;
SELECT id, v FROM sc_t WHERE ctid = '(0,5)' OR v = 29 AND id < 100;
SELECT id FROM sc_t WHERE ctid > '(10,1)' AND v = 5;
SELECT id FROM sc_t WHERE ctid = ANY ('{"(0,1)","(3,7)","(999,1)"}'::tid[]) AND id > 0;
SELECT min(ctid), max(ctid), count(ctid) FROM sc_t WHERE v > 3;
SELECT ctid, count(*) FROM sc_t WHERE id < 20 GROUP BY ctid;
SELECT tableoid::regclass AS rel, id FROM sc_t WHERE v = 3 AND id < 200;
SELECT tableoid::regclass AS rel, count(*), sum(v) FROM sc_t WHERE v > 3 GROUP BY tableoid;
SELECT count(*) FROM sc_t WHERE tableoid = 'sc_t'::regclass AND v > 3;
SELECT count(*) FROM sc_t WHERE tableoid <> 'sc_t'::regclass AND v > 3;
SELECT count(DISTINCT xmin::text) FROM sc_t WHERE v > 3;
SELECT count(*) FROM sc_t WHERE xmin::text::bigint > 0 AND cmin::text::int >= 0 AND xmax::text = '0' AND cmax IS NOT NULL AND v > 3;
SELECT sc_t FROM sc_t WHERE v = 7 AND id < 300;
SELECT sc_t.*, sc_t AS whole FROM sc_t WHERE v = 8 AND id < 300;
SELECT (sc_t).v, (sc_t).late FROM sc_t WHERE (sc_t).v = 9 AND id < 300;
SELECT count(*) FROM sc_t WHERE sc_t IS NOT NULL AND v > 3;
SELECT count(*) FROM sc_t WHERE NOT (sc_t IS NOT NULL);
SELECT count(*) FROM sc_t WHERE sc_t IS NULL;
SELECT id, sc_f(sc_t), sc_g(sc_t) FROM sc_t WHERE v = 11 AND id < 300;
SELECT sum(sc_f(sc_t)), max(sc_g(sc_t) COLLATE "C") FROM sc_t WHERE v > 3;
SELECT sc_t.sc_f, count(*) FROM sc_t GROUP BY sc_t.sc_f;
SELECT row_to_json(sc_t) FROM sc_t WHERE v = 12 AND id < 300;
SELECT to_jsonb(sc_t) - 'id' AS j, count(*) FROM sc_t WHERE id < 300 GROUP BY 1;
SELECT sc_t, count(*) FROM sc_t WHERE id < 20 GROUP BY sc_t;
SELECT max(sc_t::text COLLATE "C") FROM sc_t;
SELECT count(sc_t), count(sc_t.*), count(DISTINCT sc_t) FROM sc_t WHERE v > 25;
SELECT count(*) FROM sc_t a JOIN sc_u b ON a.* = ROW(b.id, b.v, b.n, b.late)::sc_t WHERE a.v > 3;
SELECT a.ctid = b.ctid AS same, count(*) FROM sc_t a JOIN sc_u b ON a.id = b.id WHERE a.v > 3 AND b.v > 3 AND a.id < 100 GROUP BY 1;
SELECT id FROM sc_t WHERE sc_t.* = ROW(5, 5, 1.25, 'late')::sc_t;
SELECT array_agg(sc_t ORDER BY id) FROM sc_t WHERE v = 4 AND id < 100;
SELECT (SELECT t FROM sc_t t WHERE t.id = o.id + 1 AND t.v > 0) AS row FROM sc_t o WHERE o.v = 20 AND o.id < 300;
BEGIN;
DELETE FROM sc_t WHERE ctid IN (SELECT ctid FROM sc_t WHERE v > 25);
SELECT count(*), sum(id) FROM sc_t WHERE v > 20;
UPDATE sc_t SET v = 99 WHERE ctid = (SELECT min(ctid) FROM sc_t WHERE v = 20) RETURNING id, v;
SELECT id, v FROM sc_t WHERE v = 99;
INSERT INTO sc_u SELECT (t).* FROM (SELECT t FROM sc_t t WHERE v = 21) q;
SELECT count(*) FROM sc_u WHERE v = 21;
ROLLBACK;
