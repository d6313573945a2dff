-- Long deterministic walks over cursors: forward and backward by varying distances, across batches
-- that grow and their edges, past both ends; for filters of different selectivity, outputs with and
-- without kernels, wide rows, toasted values, tables with dead rows.  The digest of all fetched rows
-- is compared.

-- setup
CREATE TABLE cw_t (id int NOT NULL, k int, v int, t text, big text) WITH (autovacuum_enabled = off);
ALTER TABLE cw_t ALTER big SET STORAGE EXTERNAL;
INSERT INTO cw_t SELECT g, g % 10, CASE WHEN g % 7 > 0 THEN g END, CASE WHEN g % 5 > 0 THEN 't' || g % 30 END, CASE WHEN g % 100 = 0 THEN repeat('b' || g, 1000) END FROM generate_series(1, 4500) g;
DELETE FROM cw_t WHERE id BETWEEN 1500 AND 1900 OR id % 13 = 0;
UPDATE cw_t SET v = -v WHERE id % 17 = 0;
ANALYZE cw_t;
-- Step lengths come from a linear congruential sequence; one step in three goes backward.
CREATE FUNCTION cw_walk(q text, steps int, seed bigint, span int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c refcursor; r record; x bigint := seed; n int; rows int := 0; digest text := '';
BEGIN
	OPEN c FOR EXECUTE q;
	FOR i IN 1..steps LOOP
		x := (x * 1103515245 + 12345) % 2147483648;
		n := x / 65536 % span;
		IF x / 7 % 3 = 0 THEN MOVE BACKWARD n FROM c; ELSE MOVE FORWARD n FROM c; END IF;
		IF x / 11 % 2 = 0 THEN FETCH NEXT FROM c INTO r; ELSE FETCH PRIOR FROM c INTO r; END IF;
		IF FOUND THEN rows := rows + 1; END IF;
		digest := md5(digest || coalesce(r::text, '-') || FOUND);
	END LOOP;
	CLOSE c;
	RETURN rows || ' ' || digest;
END $$;
CREATE FUNCTION cw_steps(q text, seed bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c refcursor; r record; x bigint := seed; rows int := 0; digest text := '';
BEGIN
	OPEN c SCROLL FOR EXECUTE q;
	FOR i IN 1..300 LOOP
		x := (x * 1103515245 + 12345) % 2147483648;
		CASE x / 65536 % 6
			WHEN 0 THEN FETCH ABSOLUTE (x / 3 % 4500) FROM c INTO r;
			WHEN 1 THEN FETCH RELATIVE (x / 3 % 40 - 20) FROM c INTO r;
			WHEN 2 THEN FETCH FIRST FROM c INTO r;
			WHEN 3 THEN FETCH LAST FROM c INTO r;
			WHEN 4 THEN FETCH PRIOR FROM c INTO r;
			ELSE FETCH NEXT FROM c INTO r;
		END CASE;
		IF FOUND THEN rows := rows + 1; END IF;
		digest := md5(digest || coalesce(r::text, '-') || FOUND);
	END LOOP;
	CLOSE c;
	RETURN rows || ' ' || digest;
END $$;
-- end setup

SELECT s, cw_walk('SELECT id, v FROM cw_t WHERE k <> 3', 200, s, 30) FROM generate_series(1, 4) s;
SELECT s, cw_walk('SELECT id, v FROM cw_t WHERE k <> 3', 200, s, 3) FROM generate_series(1, 4) s;
SELECT s, cw_walk('SELECT id, v FROM cw_t WHERE k <> 3', 100, s, 1500) FROM generate_series(1, 4) s;
SELECT s, cw_walk('SELECT id, t FROM cw_t WHERE k = 3', 200, s, 20) FROM generate_series(1, 4) s;
SELECT s, cw_walk('SELECT id, big FROM cw_t WHERE big IS NOT NULL', 60, s, 8) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT * FROM cw_t WHERE id > 4400', 60, s, 70) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id FROM cw_t WHERE id = 2500', 30, s, 3) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id FROM cw_t WHERE id < 0', 30, s, 3) FROM generate_series(1, 2) s;
SELECT s, cw_walk('SELECT id FROM cw_t WHERE v % 97 = 5 AND k > 2', 60, s, 6) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id, v * 2 + k AS x, upper(t) AS u, md5(t) AS m FROM cw_t WHERE length(t) = 2 OR v < 0', 200, s, 40) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id, CASE WHEN k > 5 THEN 100 / (k - 5) END AS q FROM cw_t WHERE v > 0', 200, s, 90) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT ctid, id, tableoid::regclass FROM cw_t WHERE k IN (1, 2, 3)', 100, s, 25) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT cw_t, k FROM cw_t WHERE k IN (1, 2, 3)', 100, s, 25) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id FROM cw_t', 200, s, 60) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id FROM cw_t WHERE k = 1 UNION ALL SELECT -id FROM cw_t WHERE k = 2', 200, s, 60) FROM generate_series(1, 3) s;
SELECT s, cw_walk('SELECT id FROM cw_t WHERE v > (SELECT avg(v) FROM cw_t WHERE k = 3) AND k < 4', 150, s, 40) FROM generate_series(1, 3) s;
SELECT s, cw_steps('SELECT id, v FROM cw_t WHERE k <> 3', s) FROM generate_series(1, 4) s;
SELECT s, cw_steps('SELECT id, t, big FROM cw_t WHERE k = 0', s) FROM generate_series(1, 3) s;
SELECT s, cw_steps('SELECT k, count(*), sum(v) FROM cw_t GROUP BY k ORDER BY k', s) FROM generate_series(1, 3) s;
SELECT s, cw_steps('SELECT count(*), sum(v) FROM cw_t WHERE k > 3', s) FROM generate_series(1, 3) s;
SELECT s, cw_steps('SELECT id FROM cw_t WHERE k > 3 ORDER BY v, id', s) FROM generate_series(1, 3) s;
SELECT s, cw_steps('SELECT a.id, q.c FROM cw_t a, LATERAL (SELECT count(*) AS c FROM cw_t b WHERE b.k = a.k AND b.id < a.id) q WHERE a.id < 40', s) FROM generate_series(1, 2) s;
SELECT cw_walk('SELECT id, 100 / (id - 700) AS q FROM cw_t WHERE k = 0', 50, 7, 10);
SELECT cw_walk('SELECT id, 100 / (id - 700) AS q FROM cw_t WHERE k = 0', 300, 7, 60);
