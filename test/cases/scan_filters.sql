-- Filters of a plain scan: every comparison on every simple type, in both orders of the operands,
-- column against column, at selectivities from none to all, with nulls that come and go from one
-- batch to the next.  Shapes where a decoder or a selection list goes wrong at the edge of a batch.

-- setup
CREATE TABLE sf_t (
	id int NOT NULL,
	i2 int2,
	i4 int4,
	i8 int8,
	f4 float4,
	f8 float8,
	n numeric(12,2),
	b bool,
	d date,
	ts timestamp,
	tz timestamptz,
	t text,
	v varchar(20),
	c char(8),
	late int NOT NULL
);
-- Nulls: none in ids 1..2000, in every column from 2001 on by different strides,
-- everything null in ids 5001..6200 (more than one whole batch), none again at the end.
INSERT INTO sf_t
SELECT g,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 7 = 0) THEN NULL ELSE (g % 200 - 100)::int2 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 5 = 0) THEN NULL ELSE (g * 37) % 1000 - 500 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 3 = 0) THEN NULL ELSE g::int8 * 1000003 - 4000000000 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 11 = 0) THEN NULL ELSE (g % 64)::float4 / 8 - 4 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 13 = 0) THEN NULL ELSE g::float8 / 3 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 2 = 0) THEN NULL ELSE (g % 1000)::numeric / 4 - 100 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 4 = 1) THEN NULL ELSE g % 3 = 0 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 17 = 0) THEN NULL ELSE date '1999-12-01' + g % 90 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 19 = 0) THEN NULL ELSE timestamp '2000-01-01' + g * interval '7 minutes' END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 23 = 0) THEN NULL ELSE timestamptz '2000-01-01 00:00+00' + g * interval '13 minutes' END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 6 = 0) THEN NULL ELSE repeat(chr(97 + g % 26), g % 9) END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 8 = 0) THEN NULL ELSE 'v' || g % 50 END,
	CASE WHEN g BETWEEN 5001 AND 6200 OR (g BETWEEN 2001 AND 5000 AND g % 9 = 0) THEN NULL ELSE 'c' || g % 30 END,
	g % 100
FROM generate_series(1, 8200) g;
ANALYZE sf_t;
-- end setup

SET timezone = 'UTC';

-- All six comparisons, constant on the right and on the left.
-- require
SELECT id FROM sf_t WHERE i2 = 17;
-- require
SELECT id FROM sf_t WHERE 17 = i2;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE i2 <> -5;
-- require
SELECT id FROM sf_t WHERE i2 < -98;
-- require
SELECT id FROM sf_t WHERE i2 <= -98::int2;
-- require
SELECT id FROM sf_t WHERE i2 > 97;
-- require
SELECT id FROM sf_t WHERE 97 <= i2;
-- require
SELECT id, i4 FROM sf_t WHERE i4 = 123;
-- require
SELECT id, i4 FROM sf_t WHERE i4 < -490;
-- require
SELECT id, i4 FROM sf_t WHERE i4 >= 495;
-- require
SELECT id, i4 FROM sf_t WHERE i4 > 495::int8;
-- require
SELECT id, i4 FROM sf_t WHERE i4 <= (-495)::int2;
-- require
SELECT id, i8 FROM sf_t WHERE i8 = 4000012000::int8 - 4000000000 * 2 + 3997000000;
-- require
SELECT id, i8 FROM sf_t WHERE i8 BETWEEN -20000000 AND 20000000;
-- require
SELECT id, i8 FROM sf_t WHERE i8 > 4190000000;
-- require
SELECT id, i8 FROM sf_t WHERE i8 < 0::int2 AND i8 > -10000000::int4;
-- require
SELECT id, f4 FROM sf_t WHERE f4 = -3.875;
-- require
SELECT id, f4 FROM sf_t WHERE f4 = -3.875::float4;
-- require
SELECT id, f4 FROM sf_t WHERE f4 >= 3.75::float4 AND id < 1000;
-- require
SELECT id, f8 FROM sf_t WHERE f8 < 2.5;
-- require
SELECT id, f8 FROM sf_t WHERE f8 > 2730.5::float4;
-- require
SELECT id, n FROM sf_t WHERE n = 25.75;
-- require
SELECT id, n FROM sf_t WHERE n < -99.5;
-- require
SELECT id, n FROM sf_t WHERE n >= 149;
-- require
SELECT id, n FROM sf_t WHERE n = 0;
-- require
SELECT id, n FROM sf_t WHERE n = 0.0000000000000000000000;
-- require
SELECT id, n FROM sf_t WHERE n = 25.7500000000000000000000000001;
-- require
SELECT count(*) FROM sf_t WHERE n <> 25.7500000000000000000000000001;
-- require
SELECT count(*) FROM sf_t WHERE b;
-- require
SELECT count(*) FROM sf_t WHERE NOT b;
-- require
SELECT count(*) FROM sf_t WHERE b = true;
-- require
SELECT count(*) FROM sf_t WHERE b <> true;
-- require
SELECT count(*) FROM sf_t WHERE b < true;
-- require
SELECT count(*) FROM sf_t WHERE b >= false;
-- require
SELECT id, d FROM sf_t WHERE d = date '2000-01-31';
-- require
SELECT id, d FROM sf_t WHERE d < date '1999-12-02';
-- require
SELECT id, d FROM sf_t WHERE d >= '2000-02-28' AND late < 50;
-- require
SELECT id, d FROM sf_t WHERE d > timestamp '2000-02-27 12:00' AND late < 50;
-- require
SELECT id, ts FROM sf_t WHERE ts <= timestamp '2000-01-01 01:00';
-- require
SELECT id, ts FROM sf_t WHERE ts >= date '2000-02-09';
-- require
SELECT id, tz FROM sf_t WHERE tz < timestamptz '2000-01-01 02:00+00';
-- require
SELECT id, tz FROM sf_t WHERE tz > date '2000-03-14';
-- require
SELECT id, t FROM sf_t WHERE t = 'aaa';
-- require
SELECT id, t FROM sf_t WHERE t = '';
-- require
SELECT count(*) FROM sf_t WHERE t <> '';
-- require
SELECT id, v FROM sf_t WHERE v = 'v7';
-- require
SELECT id, c FROM sf_t WHERE c = 'c7';
-- require
SELECT id, c FROM sf_t WHERE c = 'c7   ';
-- require
SELECT count(*) FROM sf_t WHERE c <> 'c7';

-- Column against column.
-- require
SELECT id FROM sf_t WHERE i2 = i4;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE i2 < i4;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE i4 > i8;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE f4 < f8;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE n > i4;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE ts > tz;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE d <= ts;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE t > v COLLATE "C";
-- require
SELECT count(*), sum(id) FROM sf_t WHERE i4 = i4;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE i4 <> i4;

-- Selectivity: all, none, one row at a batch's edge, whole batches that lose every row.
-- require
SELECT * FROM sf_t WHERE id > 0;
-- require
SELECT * FROM sf_t WHERE id > 100000;
-- require
SELECT * FROM sf_t WHERE id = 1;
-- require
SELECT * FROM sf_t WHERE id = 8200;
-- require
SELECT * FROM sf_t WHERE id IN (1024, 1025, 2048, 2049, 7, 8, 14);
-- require
SELECT id, t, c FROM sf_t WHERE id < 5 OR id > 8195;
-- require
SELECT * FROM sf_t WHERE id BETWEEN 4995 AND 5005 OR id BETWEEN 6195 AND 6205;
-- require
SELECT id, v, late FROM sf_t WHERE id % 1024 = 0;
-- require
SELECT count(*), count(i4), count(t) FROM sf_t WHERE id % 2 = 1;

-- Null tests.
-- require
SELECT count(*), min(id), max(id) FROM sf_t WHERE i2 IS NULL;
-- require
SELECT count(*), min(id), max(id) FROM sf_t WHERE i2 IS NOT NULL;
-- require
SELECT count(*) FROM sf_t WHERE t IS NULL AND c IS NOT NULL;
-- require
SELECT count(*) FROM sf_t WHERE n IS NULL OR d IS NULL;
-- require
SELECT count(*), min(id), max(id) FROM sf_t
WHERE i2 IS NULL AND i4 IS NULL AND i8 IS NULL AND f4 IS NULL AND f8 IS NULL AND n IS NULL AND b IS NULL
	AND d IS NULL AND ts IS NULL AND tz IS NULL AND t IS NULL AND v IS NULL AND c IS NULL;
-- require
SELECT count(*), sum(id) FROM sf_t WHERE (i4 > 0) IS NULL;
SELECT count(*), sum(id) FROM sf_t WHERE id IS NULL;
SELECT count(*), sum(id) FROM sf_t WHERE id IS NOT NULL;

-- A late column behind variable-width and nullable ones; a filter on it, with early columns output.
-- require
SELECT id, i2, late FROM sf_t WHERE late = 99;
-- require
SELECT late, id FROM sf_t WHERE late = 50 AND id > 4000;
-- require
SELECT c, id FROM sf_t WHERE late = 3 AND t > 'm' COLLATE "C";
-- require
SELECT v FROM sf_t WHERE c > 'c25' COLLATE "C" AND i2 > 50;

-- Several steps: each column in one of them, the same column in all of them, columns in reversed order.
-- require
SELECT id FROM sf_t
WHERE late < 90 AND c IS NOT NULL AND v IS NOT NULL AND t <> 'x' AND tz IS NOT NULL AND ts IS NOT NULL AND d > '1999-12-10'
	AND b AND n > -50 AND f8 > 100 AND f4 > 0 AND i8 > -3000000000 AND i4 > 0 AND i2 > 0;
-- require
SELECT id, i4 FROM sf_t WHERE i4 > -100 AND i4 < 100 AND i4 <> 0 AND i4 % 3 = 0 AND i4 <> 33 AND id < 3000;
-- require
SELECT count(*) FROM sf_t WHERE late >= 0 AND id > 8000;
-- require
SELECT count(*) FROM sf_t WHERE id > 8000 AND late >= 0;

-- Arithmetic inside a filter.
-- require
SELECT id FROM sf_t WHERE i4 + i2 = 17;
-- require
SELECT id FROM sf_t WHERE i4 * 2 - 7 > i8 / 1000000 + 4100;
-- require
SELECT id FROM sf_t WHERE n * 2 = 51.5;
-- require
SELECT id FROM sf_t WHERE f8 * 3 = id AND late = 7;
-- require
SELECT id FROM sf_t WHERE -i4 = 321;
-- require
SELECT id FROM sf_t WHERE abs(i4) > 497;
-- require
SELECT id FROM sf_t WHERE d + 30 = date '2000-03-28';
-- require
SELECT id, d FROM sf_t WHERE d - date '1999-12-01' = 45;

-- Constant, contradictory and one-time filters.
SELECT count(*) FROM sf_t WHERE false;
SELECT count(*) FROM sf_t WHERE NULL;
SELECT id FROM sf_t WHERE NULL::bool AND id = 1;
SELECT count(*) FROM sf_t WHERE true;
SELECT count(*) FROM sf_t WHERE i4 > 5 AND now() < timestamptz '1990-01-01';
SELECT count(*) FROM sf_t WHERE i4 > 5 AND now() > timestamptz '1990-01-01';
SELECT count(*) FROM sf_t WHERE i4 > 5 AND current_setting('search_path') = 'nowhere';
SELECT count(*) FROM sf_t WHERE i4 > 5 AND i4 < 5;
SELECT count(*) FROM sf_t WHERE i4 = NULL;
SELECT count(*) FROM sf_t WHERE i4 > NULL::int OR id < 10;
-- require
SELECT count(*) FROM sf_t WHERE i4 > NULL::int OR id % 10 = 3;

-- Output without any column, only constants, or a column twice.
-- require
SELECT FROM sf_t WHERE id % 1000 = 1;
-- require
SELECT 1 AS one, 'x' AS x, NULL AS nothing FROM sf_t WHERE id % 2000 = 1;
-- require
SELECT id, id, i4, id + i4 AS s, id FROM sf_t WHERE id % 2000 = 1;
-- require
SELECT t || '-' || v AS tv, upper(t) AS u, length(c) AS lc FROM sf_t WHERE id % 777 = 5;
-- require
SELECT *, id * 2 AS twice FROM sf_t WHERE id % 1500 = 5;
