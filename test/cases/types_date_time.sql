-- date, timestamp and timestamptz: infinities, ends of the range, order, date arithmetic, casts that
-- depend on the session's time zone and change with it inside one session, daylight saving gaps,
-- comparisons across the three types, and errors out of range.

-- setup
CREATE TABLE td_t (id int NOT NULL, d date, e date, ts timestamp, us timestamp, tz timestamptz, uz timestamptz, iv interval, tm time, ttz timetz, k int);
INSERT INTO td_t
SELECT g,
	CASE WHEN g % 50 = 0 THEN 'infinity' WHEN g % 50 = 1 THEN '-infinity' WHEN g % 9 > 0 THEN date '1999-06-01' + g % 1200 END,
	CASE WHEN g % 7 > 0 THEN date '2000-01-01' + (g * 3) % 700 END,
	CASE WHEN g % 60 = 0 THEN 'infinity' WHEN g % 60 = 1 THEN '-infinity' WHEN g % 8 > 0 THEN timestamp '1999-06-01 12:34:56.789' + g * interval '5 hours 7 minutes 0.000001 second' END,
	CASE WHEN g % 6 > 0 THEN timestamp '2000-01-01' + g * interval '1 hour' END,
	CASE WHEN g % 70 = 0 THEN 'infinity' WHEN g % 70 = 1 THEN '-infinity' WHEN g % 10 > 0 THEN timestamptz '1999-06-01 12:34:56.789+00' + g * interval '5 hours 11 minutes' END,
	CASE WHEN g % 5 > 0 THEN timestamptz '2000-03-25 20:00+00' + g * interval '10 minutes' END,
	CASE WHEN g % 11 > 0 THEN (g % 40) * interval '1 day 2 hours' + (g % 5) * interval '1 month' END,
	CASE WHEN g % 12 > 0 THEN time '00:00' + g * interval '17 minutes' END,
	CASE WHEN g % 13 > 0 THEN (time '00:00' + g * interval '17 minutes')::text::timetz END,
	g % 8
FROM generate_series(1, 4500) g;
CREATE TABLE td_x (id int, d date, ts timestamp, tz timestamptz);
INSERT INTO td_x SELECT g, date '2000-01-01' + g, timestamp '2000-01-01' + g * interval '1 day', timestamptz '2000-01-01 00:00+00' + g * interval '1 day' FROM generate_series(1, 2500) g;
INSERT INTO td_x VALUES (2501, '5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00'), (2502, '4713-01-01 BC', '4713-01-01 00:00 BC', '4713-01-01 00:00+00 BC');
INSERT INTO td_x SELECT g, '2010-01-01', '2010-01-01', '2010-01-01 00:00+00' FROM generate_series(2503, 4000) g;
ANALYZE td_t; ANALYZE td_x;
-- end setup

SET enable_sort = off;
SET timezone = 'Europe/Berlin';
SET datestyle = 'ISO, MDY';

-- require
SELECT * FROM td_t WHERE id % 100 < 3;
-- require
SELECT count(*) FILTER (WHERE d < e), count(*) FILTER (WHERE d = 'infinity'), count(*) FILTER (WHERE d > '-infinity'), count(*) FILTER (WHERE isfinite(d)), count(*) FILTER (WHERE d >= e),
	count(*) FILTER (WHERE d <> e), count(*) FILTER (WHERE d <= '2000-02-29') FROM td_t;
-- require
SELECT count(*) FILTER (WHERE ts < us), count(*) FILTER (WHERE ts = 'infinity'), count(*) FILTER (WHERE ts > '-infinity'), count(*) FILTER (WHERE isfinite(ts)), count(*) FILTER (WHERE ts >= us),
	count(*) FILTER (WHERE ts <> us), count(*) FILTER (WHERE ts <= '2000-02-29 10:00:00.000001') FROM td_t;
-- require
SELECT count(*) FILTER (WHERE tz < uz), count(*) FILTER (WHERE tz = 'infinity'), count(*) FILTER (WHERE tz > '-infinity'), count(*) FILTER (WHERE isfinite(tz)), count(*) FILTER (WHERE tz >= uz),
	count(*) FILTER (WHERE tz <> uz), count(*) FILTER (WHERE tz <= '2000-02-29 10:00+05:30') FROM td_t;
-- require
SELECT count(*) FILTER (WHERE d < ts), count(*) FILTER (WHERE ts > d), count(*) FILTER (WHERE d <= tz), count(*) FILTER (WHERE tz >= d), count(*) FILTER (WHERE ts < tz), count(*) FILTER (WHERE tz <= ts),
	count(*) FILTER (WHERE d = ts), count(*) FILTER (WHERE e = us), count(*) FILTER (WHERE us <> tz) FROM td_t;
-- require
SELECT id, d FROM td_t WHERE d BETWEEN '2000-02-28' AND '2000-03-01';
-- require
SELECT id, ts FROM td_t WHERE ts >= '2000-02-28' AND ts < '2000-03-01';
-- require
SELECT id, uz FROM td_t WHERE uz >= '2000-03-26 01:50' AND uz < '2000-03-26 03:30';
-- require
SELECT id, d FROM td_t WHERE d >= date '2000-01-01' AND d < date '2000-01-01' + interval '1 month';
-- require
SELECT id, uz FROM td_t WHERE uz < d AND id < 1000;
-- require
SELECT min(d), max(d), min(e), max(e), min(ts), max(ts), min(us), max(us), min(tz), max(tz), min(uz), max(uz) FROM td_t;
-- require
SELECT k, min(d), max(d), min(ts), max(ts), min(tz), max(tz) FROM td_t GROUP BY k;
-- require
SELECT min(d), max(d), min(ts), max(ts), min(tz), max(tz) FROM td_t WHERE isfinite(d) AND isfinite(ts) AND isfinite(tz);
-- require
SELECT d, count(*) FROM td_t WHERE k < 2 GROUP BY d;
-- require
SELECT e, us::date AS u, count(*) FROM td_t WHERE id < 500 GROUP BY e, us::date;
SELECT min(iv), max(iv), sum(iv), avg(iv), min(tm), max(tm), min(ttz), max(ttz) FROM td_t;
SELECT count(*) FROM td_t WHERE iv > '10 days' AND tm < '12:00' OR ttz >= '20:00+00';

-- Date arithmetic.
-- require
SELECT id, d + 1 AS p, d - 1 AS m, d - e AS diff, e - date '2000-01-01' AS days, 5 + d AS q, e + k AS ek, e - k AS em FROM td_t WHERE id % 50 = 3 OR id % 50 = 0 AND e IS NULL;
-- require
SELECT id, d + interval '1 month' AS p, e - interval '1 day 3 hours' AS m, us + interval '1 hour' AS ph, uz + interval '1 day' AS pd, us - ts AS diff, uz - tz AS dz, e + tm AS at FROM td_t WHERE id % 50 = 4;
-- require
SELECT id, date_trunc('month', d) AS m, date_trunc('hour', us) AS h, date_trunc('day', uz) AS dd, extract(year FROM d) AS y, extract(epoch FROM uz) AS ep, extract(dow FROM e) AS dw, date_part('month', us) AS dp, to_char(uz, 'YYYY-MM-DD HH24:MI TZ') AS c
FROM td_t WHERE id % 50 = 5;
-- require
SELECT id, d::timestamp AS a, d::timestamptz AS b, us::date AS c, uz::date AS dd, us::timestamptz AS e, uz::timestamp AS f, uz::time AS g, d::text AS h, uz::text AS i FROM td_t WHERE id % 50 = 6;
-- require
SELECT id, us AT TIME ZONE 'America/New_York' AS a, uz AT TIME ZONE 'Asia/Tokyo' AS b, greatest(d, e) AS c, least(ts, us) AS dd, coalesce(tz, uz) AS e, nullif(e, '2000-01-22') AS f FROM td_t WHERE id % 50 = 7;
-- require
SELECT extract(year FROM d) AS y, extract(month FROM d) AS m, count(*) FROM td_t WHERE isfinite(d) GROUP BY 1, 2;
-- require
SELECT uz::date AS day, count(*), min(uz), max(uz) FROM td_t GROUP BY uz::date;

-- The same statements in another zone of the same session.
PREPARE td_p AS SELECT uz::date AS day, count(*), max(uz::timestamp) FROM td_t WHERE uz < '2000-04-05' AND d > '1999-01-01'::date GROUP BY uz::date;
EXECUTE td_p;
SET timezone = 'Pacific/Auckland';
EXECUTE td_p;
-- require
SELECT uz::date AS day, count(*), min(uz), max(uz) FROM td_t GROUP BY uz::date;
-- require
SELECT id, uz FROM td_t WHERE uz >= '2000-03-26 01:50' AND uz < '2000-03-26 03:30';
-- require
SELECT count(*) FILTER (WHERE d < tz), count(*) FILTER (WHERE ts < tz), count(*) FILTER (WHERE uz > us) FROM td_t;
SET timezone = 'America/St_Johns';
EXECUTE td_p;
-- require
SELECT count(*) FILTER (WHERE d < tz), count(*) FILTER (WHERE ts < tz), count(*) FILTER (WHERE uz > us) FROM td_t;
SET timezone = 'UTC';
DEALLOCATE td_p;
SET datestyle = 'German';
-- require
SELECT id, d, us, uz, d::text AS t FROM td_t WHERE id BETWEEN 100 AND 110;
SET datestyle = 'ISO, MDY';

-- Ends of the range, and the errors behind them.
-- require
SELECT * FROM td_x WHERE d > '3000-01-01' OR d < '1000-01-01';
-- require
SELECT min(d), max(d), min(ts), max(ts), min(tz), max(tz) FROM td_x;
SELECT id, d + 1 AS v FROM td_x WHERE id > 0;
SELECT id, d - 100000 AS v FROM td_x WHERE id > 0;
SELECT id, d + 2147483647 AS v FROM td_x WHERE id > 0;
SELECT id, d::timestamp AS v FROM td_x WHERE id > 0;
SELECT id, ts + interval '1 day' AS v FROM td_x WHERE id > 0;
SELECT id, tz + interval '1 day' AS v FROM td_x WHERE id > 0;
SELECT id, d::timestamptz AS v FROM td_x WHERE id > 0;
SELECT count(*) FROM td_x WHERE d::timestamp > '2000-01-01';
-- require
SELECT count(*), sum(id) FROM td_x WHERE d > ts;
-- require
SELECT count(*), sum(id) FROM td_x WHERE d <= tz;
-- require
SELECT count(*), sum(id) FROM td_x WHERE ts = tz;
SELECT id, d - d AS v FROM td_t WHERE id > 0;
SELECT id, d - e AS v FROM td_t WHERE id > 0;
SELECT id, ts - us AS v FROM td_t WHERE isfinite(ts);
SELECT id, extract(year FROM d) AS v, extract(month FROM d) AS m FROM td_t WHERE id < 60;
-- serial
SELECT id, ('2000-01-' || (id % 40 + 1))::date AS v FROM td_t WHERE id > 0;
-- serial
SELECT count(*) FROM td_t WHERE ('2000-' || (id % 40 + 1) || '-01')::date > '2000-01-01';
