-- Pins: temporary tables in few local buffers, one row per page, many scans and cursors open at the
-- same time, scans left in the middle of a batch.

-- setup
CREATE TABLE bu_wide (id int NOT NULL, pad char(4200), v int, t text);
ALTER TABLE bu_wide ALTER pad SET STORAGE PLAIN;
INSERT INTO bu_wide SELECT g, 'p', g % 10, 't' || g % 7 FROM generate_series(1, 1500) g;
ANALYZE bu_wide;
CREATE FUNCTION bu_open(tab text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c refcursor[]; r refcursor; x int; s bigint := 0;
BEGIN
	FOR i IN 1..n LOOP
		r := 'bu_c' || i;
		OPEN r FOR EXECUTE format('SELECT id FROM %s WHERE v <> %s', tab, i % 10);
		c := c || r;
	END LOOP;
	FOR round IN 1..5 LOOP
		FOR i IN 1..n LOOP
			r := c[i];
			MOVE FORWARD round * 20 FROM r;
			FETCH r INTO x;
			s := s + x;
		END LOOP;
	END LOOP;
	FOR i IN 1..n LOOP
		r := c[i];
		FETCH PRIOR FROM r INTO x;
		s := s * 3 % 1000003 + x;
		CLOSE r;
	END LOOP;
	RETURN s::text;
END $$;
-- end setup

-- require
SELECT count(*), sum(id), sum(v), max(t COLLATE "C") FROM bu_wide WHERE v > 0;
-- require
SELECT v, count(*), sum(id), max(t COLLATE "C"), min(pad) FROM bu_wide GROUP BY v;
-- require
SELECT id, t FROM bu_wide WHERE v = 3 AND pad = 'p';
SELECT bu_open('bu_wide', 40);
SELECT bu_open('bu_wide', 3), bu_open('bu_wide', 10);
SET temp_buffers = '800kB';
CREATE TEMP TABLE bu_temp (id int NOT NULL, pad char(4200), v int, t text);
ALTER TABLE bu_temp ALTER pad SET STORAGE PLAIN;
INSERT INTO bu_temp SELECT * FROM bu_wide;
-- require
SELECT count(*), sum(id), sum(v), max(t COLLATE "C") FROM bu_temp WHERE v > 0;
-- require
SELECT v, count(*), sum(id), max(t COLLATE "C"), min(pad) FROM bu_temp GROUP BY v;
-- require
SELECT id, t FROM bu_temp WHERE v = 3 AND pad = 'p';
SELECT bu_open('bu_temp', 4);
SELECT bu_open('bu_temp', 15);
SELECT count(*), sum(x) FROM (SELECT a.id AS x FROM bu_temp a, bu_temp b, bu_temp c WHERE a.id = b.id + 1 AND b.id = c.id + 1 AND a.v > 2 AND b.v > 2 AND c.v > 2) q;
SELECT (SELECT count(*) FROM bu_temp WHERE v = 1), (SELECT count(*) FROM bu_temp WHERE v = 2), (SELECT sum(id) FROM bu_temp WHERE t = 't3'), (SELECT max(id) FROM bu_temp WHERE pad = 'p' AND v = 5);
SELECT a.v, count(*), (SELECT sum(b.id) FROM bu_temp b WHERE b.v = a.v) AS s FROM bu_temp a WHERE a.id < 900 GROUP BY a.v;
BEGIN;
DECLARE c1 CURSOR FOR SELECT id FROM bu_temp WHERE v > 1;
-- ordered
FETCH 200 FROM c1;
DECLARE c2 CURSOR FOR SELECT id FROM bu_temp WHERE v > 2;
-- ordered
FETCH 100 FROM c2;
DECLARE c3 CURSOR FOR SELECT id, pad FROM bu_temp WHERE v > 7;
-- ordered
FETCH 100 FROM c3;
UPDATE bu_temp SET v = v + 1 WHERE id % 3 = 0;
-- ordered
FETCH 20 FROM c1;
-- ordered
FETCH BACKWARD 20 FROM c2;
SELECT count(*), sum(v) FROM bu_temp WHERE v > 0;
-- ordered
FETCH 10 FROM c3;
DELETE FROM bu_temp WHERE id % 2 = 0;
-- ordered
FETCH 200 FROM c1;
SELECT count(*), sum(v) FROM bu_temp WHERE v > 0;
ROLLBACK;
DROP TABLE bu_temp;
