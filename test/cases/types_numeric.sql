-- numeric: values that fit a scaled int64, that need 128 bits and that need neither; fixed and mixed
-- scales in one column and one batch; NaN and infinities; the display scale of every result;
-- toasted values; overflow of the type modifier and of the format itself.

-- setup
CREATE TABLE tn_t (
	id int NOT NULL, p numeric(15,2) NOT NULL, q numeric(15,2), s0 numeric(10,0), s4 numeric(12,4), s18 numeric(18,18), w numeric(38,10), neg numeric(5,-2), sub numeric(3,5),
	u numeric, k int
);
INSERT INTO tn_t
SELECT g, g * 1.37, CASE WHEN g % 6 > 0 THEN (g % 1000) / 8.0 - 30 END, CASE WHEN g % 7 > 0 THEN g * 3 END, CASE WHEN g % 8 > 0 THEN g / 16.0 END,
	CASE WHEN g % 9 > 0 THEN 1.0 / (g + 1) END, CASE WHEN g % 10 > 0 THEN g * 12345678901234567.0123456789 END, CASE WHEN g % 11 > 0 THEN g * 100 END,
	CASE WHEN g % 12 > 0 THEN g * 0.00001 % 0.00999 END, CASE WHEN g % 5 > 0 THEN g::numeric / (10 ^ (g % 4))::numeric END, g % 6
FROM generate_series(1, 5000) g;
-- Mixed spellings, magnitudes and special values.
CREATE TABLE tn_m (id int, n numeric, k int);
INSERT INTO tn_m
SELECT g, (ARRAY['0', '0.0', '0.000000', '-0.00', '1', '1.0', '1.000000000000000000000', '-1', '0.5', '0.05', '0.0001', '0.00001', '1e-20', '123456789.123456789',
	'999999999999999999', '1000000000000000000', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809',
	'92233720368547758.07', '92233720368547758.08', '170141183460469231731687303715884105727', '170141183460469231731687303715884105728', '-170141183460469231731687303715884105729',
	'1e100', '-1e-100', '10000', '10000.0000', '100000000', '99999999.99999999', '12345.6789', NULL])[g % 33 + 1]::numeric, g % 4
FROM generate_series(1, 4000) g;
CREATE TABLE tn_s (id int, n numeric, k int, m numeric(10,2));
INSERT INTO tn_s SELECT g, CASE WHEN g = 1100 THEN 'NaN' WHEN g = 1200 THEN 'Infinity' WHEN g = 2300 THEN '-Infinity' WHEN g % 8 = 0 THEN NULL ELSE g / 4.0 END, g % 3,
	CASE WHEN g = 2000 THEN 'NaN' ELSE (g % 100)::numeric END FROM generate_series(1, 3000) g;
-- Sums that leave int64 and int128.
CREATE TABLE tn_big (id int, k int, a numeric(18,0), b numeric(38,0), c numeric(18,2), d numeric);
INSERT INTO tn_big SELECT g, g % 3, 999999999999999999 - g, 99999999999999999999999999999999999999 - g, CASE WHEN g % 2 = 0 THEN 9999999999999999.99 ELSE -9999999999999999.98 END,
	170141183460469231731687303715884105727 - g FROM generate_series(1, 3000) g;
-- Long ones, out of line.
CREATE TABLE tn_toast (id int, n numeric);
ALTER TABLE tn_toast ALTER n SET STORAGE EXTERNAL;
INSERT INTO tn_toast SELECT g, CASE WHEN g % 50 = 0 THEN (repeat(chr(49 + g % 9), 9000) || '.' || repeat('7', g % 7 + 1))::numeric ELSE g / 2.0 END FROM generate_series(1, 1500) g;
-- One scale for the first thousand rows, then another, then mixed.
CREATE TABLE tn_change (id int, n numeric);
INSERT INTO tn_change SELECT g, CASE WHEN g <= 1000 THEN round(g / 3.0, 2) WHEN g <= 2048 THEN round(g / 3.0, 6) WHEN g <= 3000 THEN round(g / 3.0, g % 9) ELSE g END FROM generate_series(1, 4100) g;
ANALYZE tn_t; ANALYZE tn_m; ANALYZE tn_s; ANALYZE tn_big; ANALYZE tn_change;
-- end setup

SET enable_sort = off;

-- Values as stored, and the scale shown.
-- require
SELECT * FROM tn_t WHERE id % 100 = 1;
-- require
SELECT * FROM tn_m WHERE id <= 33;
-- require
SELECT id, n, scale(n), min_scale(n), trim_scale(n), n::text FROM tn_m WHERE id BETWEEN 1000 AND 1035;

-- Arithmetic and its display scale.
-- require
SELECT id, p + q AS a1, p - q AS a2, p * q AS a3, p + s0 AS a4, p * s0 AS a5, s4 * q AS a6, s4 * s4 * s4 AS a7, s18 * s18 AS a8, w + p AS a9, w * p AS a10 FROM tn_t WHERE id % 100 = 2;
-- require
SELECT id, p / 3 AS d1, p / q AS d2, s0 / 7 AS d3, q / s4 AS d4, s18 / p AS d5, w / p AS d6, 1 / p AS d7, p / 1000000 AS d8 FROM tn_t WHERE id % 100 = 3 AND q <> 0;
-- require
SELECT id, p % 7 AS m1, q % 0.3 AS m2, -q % s4 AS m3, -p AS n1, -q AS n2, abs(q) AS a1, +q AS p1, sign(q) AS s1 FROM tn_t WHERE id % 100 = 4 AND s4 <> 0;
-- require
SELECT id, p * (1 - q) AS x1, p * (1 - q) * (1 + q) AS x2, (p + 1.5) * 2 AS x3, p * 1.10 AS x4, p + 0.000 AS x5, p - 1e0 AS x6, q * 0 AS x7, q - q AS x8, 2 * q + 3 * p - 4.25 AS x9 FROM tn_t WHERE id % 100 = 5;
-- require
SELECT id, p + id AS i1, p * k AS i2, id - q AS i3, id / p AS i4, p + 1::int8 AS i5, p * 2::int2 AS i6, p * 2.0::float8 AS f1, q + 1.5::float4 AS f2 FROM tn_t WHERE id % 100 = 6;
-- require
SELECT id, neg, neg * 2 AS n2, neg + p AS np, sub, sub * sub AS ss, sub + neg AS sn, s18 + 1 AS s1, s18 * 1000 AS s2 FROM tn_t WHERE id % 100 = 7;
-- require
SELECT id, u, u + 1 AS u1, u * u AS u2, u * p AS u3, u - s18 AS u4, -u AS u5, u / 3 AS u6 FROM tn_t WHERE id % 100 = 8;
-- require
SELECT id, n, n + 1 AS a, n - 0.1 AS s, n * 2.50 AS m, n / 7 AS d, -n AS neg, n * n AS sq, n + n AS dbl, abs(n) AS ab FROM tn_m WHERE id BETWEEN 2000 AND 2035;
-- require
SELECT id, round(p, 1) AS r1, round(p) AS r0, round(w, -3) AS r3, trunc(q, 1) AS t1, ceil(q) AS c, floor(q) AS f, power(p, 2) AS pw, sqrt(p) AS sq FROM tn_t WHERE id % 100 = 9;
-- require
SELECT id, p::int4 AS i4, q::int8 AS i8, q::int2 AS i2, p::float8 AS f8, q::float4 AS f4, p::numeric(12,1) AS n1, q::numeric(20,6) AS n6, s4::numeric(8,0) AS n0, p::text AS t, (p / 3)::numeric(15,2) AS back FROM tn_t WHERE id % 100 = 10;
-- require
SELECT id, greatest(p, q, s0) AS g, least(p, q, s4) AS l, coalesce(q, s0, p) AS c, nullif(q, 7.5) AS n, CASE WHEN k = 1 THEN p WHEN k = 2 THEN s4 ELSE u END AS ca FROM tn_t WHERE id % 100 = 11;

-- Comparisons.
-- require
SELECT count(*) FILTER (WHERE p < q), count(*) FILTER (WHERE p = s0), count(*) FILTER (WHERE q <> s4), count(*) FILTER (WHERE s4 >= s18), count(*) FILTER (WHERE w > p),
	count(*) FILTER (WHERE u = p), count(*) FILTER (WHERE u < s4), count(*) FILTER (WHERE p = id), count(*) FILTER (WHERE s0 = id * 3), count(*) FILTER (WHERE p > 3000.5::float8) FROM tn_t;
-- require
SELECT id FROM tn_t WHERE q = 0;
-- require
SELECT id, q FROM tn_t WHERE q IN (0, 12.5, 12.50, 12.500, 12.505) AND id < 2000;
-- require
SELECT id FROM tn_t WHERE p BETWEEN 1000 AND 1010.005;
-- require
SELECT id FROM tn_t WHERE p > 6849.999999999999999999999999999;
-- require
SELECT count(*) FROM tn_t WHERE p < 99999999999999999999999999999999999999999;
-- require
SELECT count(*) FROM tn_t WHERE p > -1e50 AND q < 'Infinity' AND q <> 'NaN';
-- require
SELECT count(*) FROM tn_t WHERE p = 'NaN' OR q > 'NaN' OR q > 90.123;
-- require
SELECT id, n FROM tn_m WHERE n = 1 AND id < 500;
-- require
SELECT id, n FROM tn_m WHERE n = 0.0 AND id < 500;
-- require
SELECT id, n FROM tn_m WHERE n > 9223372036854775807 AND id < 500;
-- require
SELECT id, n FROM tn_m WHERE n < 0.0001 AND n > -0.0001 AND id < 500;
-- require
SELECT id, n FROM tn_m WHERE n <= -9223372036854775808.0 AND id < 500;
-- require
SELECT count(*), count(n) FROM tn_m WHERE n <> 10000;
-- require
SELECT count(*) FROM tn_m WHERE n = n;
-- require
SELECT count(*) FROM tn_m WHERE n < n * 2;
-- require
SELECT id, n FROM tn_s WHERE n > 740;
-- require
SELECT id, n FROM tn_s WHERE n < 2;
-- require
SELECT id, n FROM tn_s WHERE n = 'NaN' OR n = 'Infinity' OR n = '-Infinity';
-- require
SELECT id, m FROM tn_s WHERE m > 98.5 AND id > 1900;

-- Aggregates: exact, with the scale that core shows.
-- require
SELECT sum(p), avg(p), min(p), max(p), sum(q), avg(q), min(q), max(q) FROM tn_t;
-- require
SELECT sum(s0), avg(s0), min(s0), max(s0), sum(s4), avg(s4), min(s4), max(s4), sum(s18), avg(s18), min(s18), max(s18) FROM tn_t;
-- require
SELECT sum(w), avg(w), min(w), max(w), sum(neg), avg(neg), min(neg), max(neg), sum(sub), avg(sub), min(sub), max(sub) FROM tn_t;
-- require
SELECT sum(u), avg(u), min(u), max(u), sum(u * p), sum(u + 0.0000000001), avg(u - p) FROM tn_t;
-- require
SELECT k, sum(p), avg(p), sum(q), avg(q), sum(s0), sum(s4), sum(s18), sum(w), avg(w), sum(u), avg(u), min(u), max(u) FROM tn_t GROUP BY k;
-- require
SELECT sum(p * q), sum(p * s4 * q), sum(p * (1 - q) * (1 + q)), avg(p * q), sum(p / 7), avg(p / q), sum(q * q * q * q) FROM tn_t WHERE q <> 0;
-- require
SELECT sum(n), avg(n), min(n), max(n), count(n) FROM tn_m;
-- require
SELECT k, sum(n), avg(n), min(n), max(n), count(n) FROM tn_m GROUP BY k;
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_m WHERE n BETWEEN -1 AND 1;
-- require
SELECT min(n), max(n), sum(n) FROM tn_m WHERE n = 1;
-- require
SELECT min(n), max(n), sum(n), avg(n) FROM tn_m WHERE n = 0;
-- require
SELECT count(*), min(n), max(n) FROM tn_m WHERE n = 1 AND id > 33 AND id < 39;
-- require
SELECT min(n), max(n), sum(n), avg(n) FROM tn_m WHERE n = 10000 AND id > 28;
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_m WHERE n IN (1, 1e-20);
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_change;
-- require
SELECT id / 500 AS k, sum(n), avg(n), min(n), max(n) FROM tn_change GROUP BY 1;
-- require
SELECT sum(n * 1.5), sum(n + 0.125), avg(n * n) FROM tn_change;
-- require
SELECT sum(n), avg(n) FROM tn_change WHERE id > 3500;
-- require
SELECT id, n FROM tn_change WHERE n > 666.66 AND n < 669;
-- require
SELECT n, count(*) FROM tn_change WHERE id > 900 GROUP BY n;
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_s;
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_s WHERE id <> 1100;
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_s WHERE id <> 1100 AND id <> 1200;
-- require
SELECT sum(n), avg(n), min(n), max(n) FROM tn_s WHERE n <> 'NaN' AND n < 'Infinity' AND n > '-Infinity';
-- require
SELECT k, sum(n), avg(n), min(n), max(n), sum(m), avg(m), max(m) FROM tn_s GROUP BY k;
-- require
SELECT n > 100 AS k, sum(n), count(*) FROM tn_s GROUP BY 1;
-- require
SELECT sum(n + 1), sum(n * 0), avg(-n) FROM tn_s WHERE id < 1300;
-- require
SELECT sum(a), avg(a), sum(b), avg(b), sum(c), avg(c), sum(d), avg(d), min(d), max(d) FROM tn_big;
-- require
SELECT k, sum(a), avg(a), sum(b), avg(b), sum(c), avg(c), sum(d), avg(d), max(b) FROM tn_big GROUP BY k;
-- require
SELECT sum(a * a), sum(a * c), sum(b * b), sum(a + b), sum(-a), sum(a * 10), sum(a - 0.01), avg(a * a * a) FROM tn_big;
-- require
SELECT a + 1 AS a1, a * 10 AS a10, a * a AS aa, c * 100 AS c100, c + c AS cc, -b AS nb, d + d AS dd, a / 3 AS a3 FROM tn_big WHERE id % 500 = 1;
-- require
SELECT count(*) FROM tn_big WHERE a * 10 > 9999999999999999000 AND a * a > c;
-- require
SELECT avg(p) FROM tn_t WHERE id = 1;
-- require
SELECT avg(p), avg(s0), avg(s18), avg(w), avg(u) FROM tn_t WHERE id IN (1, 2);
-- require
SELECT stddev(p), sum(p) FROM tn_t WHERE id > 4000;
-- require
SELECT sum(p)::numeric(12,1) AS a, round(sum(q), 1) AS b, sum(q) * 1.000 AS c, -sum(q) AS d, sum(p) / sum(q) AS e, avg(p) * 2 AS f FROM tn_t;

-- Toasted values.
-- require
SELECT id, length(n::text) AS l, left(n::text, 5) AS h, right(n::text, 5) AS t FROM tn_toast WHERE n > 1000;
-- require
SELECT length(sum(n)::text) AS l, left(max(n)::text, 9) AS m, min(n), scale(sum(n)) AS sc FROM tn_toast;
-- require
SELECT n > 800 AS k, count(*), scale(max(n)) AS sc, length(sum(n * 2)::text) AS l FROM tn_toast GROUP BY 1;
-- require
SELECT length(n::text) AS l, scale(n) AS sc, count(*) FROM tn_toast GROUP BY n HAVING n > 740;

-- Errors.
SELECT id, 1 / q AS v FROM tn_t WHERE id > 0;
SELECT id, p % (q - q) AS v FROM tn_t WHERE id > 0;
SELECT id, n / 0 AS v FROM tn_s WHERE id > 0;
SELECT id, n / 0 AS v FROM tn_s WHERE n = 'NaN';
SELECT id, p::numeric(5,2) AS v FROM tn_t WHERE id > 0;
SELECT id, n::numeric(5,2) AS v FROM tn_s WHERE id > 1000;
SELECT id, n::numeric(5,2) AS v FROM tn_s WHERE id > 1150;
SELECT id, n::int4 AS v FROM tn_s WHERE id > 1000;
SELECT id, n::int4 AS v FROM tn_s WHERE id > 1150;
SELECT id, n::int8 AS v FROM tn_m WHERE id > 0;
SELECT id, n::int2 AS v FROM tn_m WHERE id > 0;
SELECT id, (n * n * n * n * n * n * n * n * n * n)::text IS NULL AS v FROM tn_toast WHERE id < 40;
SELECT id, length((n ^ 10)::text) AS v FROM tn_toast WHERE id IN (48, 50, 51);
SELECT id, n * n * n * n * n * n * n * n * n * n * n * n * n * n * n AS v FROM tn_toast WHERE id > 40;
SELECT sum(p::numeric(6,2)) FROM tn_t;
SELECT sum(p / (id - 3000)) FROM tn_t;
SELECT k, sum(p / (id - 3000)) FROM tn_t GROUP BY k;
SELECT count(*) FROM tn_t WHERE p / (id - 3000) > 0;
SELECT sqrt(q) FROM tn_t WHERE id > 0;
SELECT ln(p - p) FROM tn_t WHERE id > 0;
