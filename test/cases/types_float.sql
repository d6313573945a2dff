-- float4 and float8 bit for bit: NaN, infinities, both zeros, denormals, overflow and underflow as
-- values and as errors, the order of NaN, sums in scan order, casts with rounding, mixed widths.

-- setup
CREATE TABLE tf_t (id int NOT NULL, f4 float4, f8 float8, g4 float4, g8 float8, k int, x float8 NOT NULL);
INSERT INTO tf_t
SELECT g, CASE WHEN g % 9 > 0 THEN sin(g)::float4 * 100 END, CASE WHEN g % 8 > 0 THEN sin(g) * 1e6 END,
	CASE WHEN g % 7 > 0 THEN cos(g)::float4 END, CASE WHEN g % 10 > 0 THEN exp(g % 50 - 25) END, g % 12, g * 0.1
FROM generate_series(1, 5000) g;
CREATE TABLE tf_s (id int, f4 float4, f8 float8, k int);
INSERT INTO tf_s
SELECT g,
	(ARRAY['NaN', 'Infinity', '-Infinity', '0', '-0', '1e-45', '-1e-45', '1.17549435e-38', '3.4028235e38', '-3.4028235e38', '1', '-1', '0.1', NULL])[g % 14 + 1]::float4,
	(ARRAY['NaN', 'Infinity', '-Infinity', '0', '-0', '5e-324', '-5e-324', '2.2250738585072014e-308', '1.7976931348623157e308', '-1.7976931348623157e308', '1', '-1', '0.1', NULL, '4.9e-322'])[g % 15 + 1]::float8,
	g % 5
FROM generate_series(1, 3000) g;
-- Cancellation: any other order of the additions gives another sum.
CREATE TABLE tf_order (id int, k int, f8 float8, f4 float4);
INSERT INTO tf_order SELECT g, g % 4, CASE g % 3 WHEN 0 THEN 1e16 * (g % 7 + 1) WHEN 1 THEN -1e16 * ((g - 1) % 7 + 1) ELSE 1.25 * g END,
	CASE g % 3 WHEN 0 THEN 1e7 * (g % 7 + 1) WHEN 1 THEN -1e7 * ((g - 1) % 7 + 1) ELSE 0.3 * g END FROM generate_series(1, 5000) g;
-- Values that a sum or product takes out of range.
CREATE TABLE tf_big (id int, f8 float8, f4 float4);
INSERT INTO tf_big SELECT g, CASE WHEN g IN (1200, 2400) THEN 1.7e308 ELSE g END, CASE WHEN g IN (1200, 2400) THEN 3.3e38 ELSE g END FROM generate_series(1, 3000) g;
CREATE TABLE tf_infs (id int, f8 float8, f4 float4);
INSERT INTO tf_infs SELECT g, CASE g WHEN 100 THEN 'Infinity' WHEN 1500 THEN '-Infinity' ELSE g::float8 END, CASE g WHEN 100 THEN 'Infinity' ELSE g::float4 END FROM generate_series(1, 2000) g;
ANALYZE tf_t; ANALYZE tf_s; ANALYZE tf_order; ANALYZE tf_big;
-- end setup

SET enable_sort = off;

-- Arithmetic.
-- require
SELECT id, f4 + g4 AS s44, f4 + f8 AS s48, f8 + f4 AS s84, f8 + g8 AS s88, f4 - g4 AS d44, f4 - f8 AS d48, f8 - f4 AS d84, f8 - g8 AS d88 FROM tf_t WHERE id % 50 = 1;
-- require
SELECT id, f4 * g4 AS s44, f4 * f8 AS s48, f8 * f4 AS s84, f8 * g8 AS s88, f4 / g4 AS d44, f4 / f8 AS d48, f8 / f4 AS d84, f8 / g8 AS d88 FROM tf_t WHERE id % 50 = 2;
-- require
SELECT id, f8 * g8 + x AS fma1, f8 * x - g8 * x AS fma2, x * x * x + 1 AS cube, f4 * g4 + f4 AS fma4, (x + 0.1) * (x - 0.1) AS m FROM tf_t WHERE id % 20 = 3;
-- require
SELECT id, -f4 AS n4, -f8 AS n8, abs(f4) AS a4, abs(f8) AS a8, +f8 AS p8, f8 * -1 AS m1, 0 - f8 AS z FROM tf_t WHERE id % 50 = 4;
-- require
SELECT id, f8::float4 AS c4, f4::float8 AS c8, (f8 / 1e6 * 30000)::int2 AS i2, f8::int4 AS i4, f8::int8 AS i8, f4::int4 AS fi4, f8::numeric AS n, f4::numeric AS n4, id::float4 / 3 AS t, f8::numeric(20,3) AS n3
FROM tf_t WHERE id % 50 = 5;
-- require
SELECT id, (id + 0.5::float8)::int4 AS half_even, (-id - 0.5::float8)::int8 AS neg, (id + 0.5::float4)::int2 AS h2, round(x) AS r, floor(f8) AS fl, ceil(f8) AS ce, trunc(f8) AS tr FROM tf_t WHERE id % 50 = 6;
-- require
SELECT id, sqrt(abs(f8)) AS s, exp(g4) AS e, ln(x) AS l, sin(f8) AS si, f8 ^ 2 AS p, power(x, 0.5) AS pw FROM tf_t WHERE id % 50 = 7;

-- Special values: arithmetic that does not fail, comparisons, order.
-- require
SELECT id, f8, f8 + 0 AS p0, f8 * 1 AS m1, -f8 AS n, abs(f8) AS a, f8 - 1 AS m FROM tf_s WHERE id <= 30;
-- require
SELECT id, f4, f4 + 0::float4 AS p0, f4 * 1::float4 AS m1, -f4 AS n, abs(f4) AS a, f4 - 1::float4 AS m, f4::float8 AS w FROM tf_s WHERE id <= 30;
-- require
SELECT id, f8 / 'Infinity' AS z, f8 + 'Infinity' AS pi, f8 * 0 AS z0 FROM tf_s WHERE id <= 30 AND (f8 > -1e300 OR f8 IS NULL);
-- require
SELECT count(*) FILTER (WHERE f8 = 'NaN'), count(*) FILTER (WHERE f8 <> 'NaN'), count(*) FILTER (WHERE f8 > 'Infinity'), count(*) FILTER (WHERE f8 >= 'NaN'),
	count(*) FILTER (WHERE f8 < 'NaN'), count(*) FILTER (WHERE f8 <= 'NaN'), count(*) FILTER (WHERE f8 = 0), count(*) FILTER (WHERE f8 < 0), count(*) FILTER (WHERE f8 = '-0'),
	count(*) FILTER (WHERE f8 = f8), count(*) FILTER (WHERE f8 <> f8), count(*) FILTER (WHERE f8 > f4), count(*) FILTER (WHERE f4 = f8) FROM tf_s;
-- require
SELECT count(*) FILTER (WHERE f4 = 'NaN'), count(*) FILTER (WHERE f4 <> 'NaN'), count(*) FILTER (WHERE f4 > 'Infinity'), count(*) FILTER (WHERE f4 >= 'NaN'),
	count(*) FILTER (WHERE f4 < 'NaN'), count(*) FILTER (WHERE f4 <= 'NaN'), count(*) FILTER (WHERE f4 = 0), count(*) FILTER (WHERE f4 < 0), count(*) FILTER (WHERE f4 = '-0'),
	count(*) FILTER (WHERE f4 = f4), count(*) FILTER (WHERE f4 > 1e-45), count(*) FILTER (WHERE f4 = 0.1), count(*) FILTER (WHERE f4 = 0.1::float4) FROM tf_s;
-- require
SELECT id, f8 FROM tf_s WHERE f8 > 1 AND id < 100;
-- require
SELECT id, f8 FROM tf_s WHERE f8 <= 5e-324 AND f8 >= -5e-324 AND id < 100;
-- require
SELECT min(f8), max(f8), min(f4), max(f4) FROM tf_s;
-- require
SELECT min(f8), max(f8), min(f4), max(f4) FROM tf_s WHERE f8 <> 'NaN' AND f4 <> 'NaN';
-- require
SELECT k, min(f8), max(f8), min(f4), max(f4) FROM tf_s GROUP BY k;
-- require
SELECT count(*), min(f8), max(f8) FROM tf_s WHERE f8 = 0;
-- require
SELECT count(*), min(f4), max(f4) FROM tf_s WHERE f4 = 0;
-- require
SELECT count(*), min(f4), max(f4) FROM tf_s WHERE f4 = 0 AND id > 5;
-- require
SELECT f8 = 0 AS zero, min(f8), max(f8), count(*) FROM tf_s GROUP BY 1;
-- require
SELECT f4 IS NULL AS n, f4 > 0 AS p, count(*), min(f4), max(f4) FROM tf_s GROUP BY 1, 2;
-- require
-- serial
SELECT sum(f8), avg(f8), sum(f4), avg(f4) FROM tf_s;
-- require
-- serial
SELECT sum(f8), avg(f8) FROM tf_s WHERE f8 IN (0, '-0');
-- require
-- serial
SELECT sum(f4), avg(f4) FROM tf_s WHERE f4 = 0 AND id > 5;
-- require
-- serial
SELECT sum(-f8 * 0), sum(0::float8 * f8) FROM tf_s WHERE f8 BETWEEN -1 AND 1;
-- require
SELECT greatest(f8, f4, 0) AS g, least(f8, f4, 0) AS l, nullif(f8, 'NaN') AS n FROM tf_s WHERE id <= 30;
-- require
SELECT id, CASE WHEN f8 = 'NaN' THEN 0 ELSE f8 END AS c, coalesce(f4, f8, -1) AS d FROM tf_s WHERE id <= 30;

-- Sums in scan order.
-- require
-- serial
SELECT sum(f8), avg(f8), sum(f4), avg(f4), sum(f4::float8) FROM tf_order;
-- require
-- serial
SELECT k, sum(f8), avg(f8), sum(f4), avg(f4) FROM tf_order GROUP BY k;
-- require
-- serial
SELECT sum(f8), sum(f4) FROM tf_order WHERE id % 5 <> 2;
-- require
-- serial
SELECT sum(f8) FILTER (WHERE k = 1), sum(f8) FILTER (WHERE k <> 1), sum(f4) FILTER (WHERE k > 1) FROM tf_order;
-- require
-- serial
SELECT sum(f8), sum(f4), sum(g4), sum(g8), avg(f8), avg(f4), avg(g4), avg(g8), sum(x), avg(x), sum(x * x), sum(f8 * f4 + g8) FROM tf_t;
-- require
-- serial
SELECT k, sum(f8), sum(f4), sum(g4), sum(g8), avg(f8), avg(f4), avg(g4), avg(g8), sum(x), avg(x), sum(x * x) FROM tf_t GROUP BY k;
-- require
-- serial
SELECT k, sum(x) FROM tf_t WHERE x > 17.05 AND f4 < g4 * 100 GROUP BY k;
-- require
-- serial
SELECT sum(x) FROM tf_t WHERE x = id * 0.1;

-- Infinities in sums: avg and sum of Infinity and -Infinity.
-- require
-- serial
SELECT sum(f8), avg(f8), sum(f4), avg(f4) FROM tf_infs;
-- require
-- serial
SELECT sum(f8), avg(f8) FROM tf_infs WHERE id < 1500;
-- require
-- serial
SELECT sum(f8), avg(f8) FROM tf_infs WHERE id > 100;
-- require
-- serial
SELECT id % 3 AS k, sum(f8), avg(f8), max(f4) FROM tf_infs GROUP BY 1;

-- Errors: overflow, underflow, division by zero, casts.
SELECT id, f8 * 10 AS v FROM tf_big WHERE id > 0;
SELECT id, f8 + 1.7e308 AS v FROM tf_big WHERE id > 0;
SELECT id, f4 * 10::float4 AS v FROM tf_big WHERE id > 0;
SELECT id, f4 + 3.3e38::float4 AS v FROM tf_big WHERE id > 0;
SELECT id, f8 - (-1.7e308::float8) AS v FROM tf_big WHERE id > 0;
-- serial
SELECT sum(f8) FROM tf_big;
-- serial
SELECT avg(f8) FROM tf_big;
-- serial
SELECT sum(f4) FROM tf_big;
-- serial
SELECT avg(f4) FROM tf_big;
-- serial
SELECT id % 2 AS k, sum(f8) FROM tf_big GROUP BY 1;
-- serial
SELECT sum(f8) FROM tf_big WHERE id < 2400;
-- serial
SELECT sum(f8) FILTER (WHERE id < 2000), sum(f4) FILTER (WHERE id > 2000) FROM tf_big;
SELECT id, f8 * 1e-200 * 1e-200 AS v FROM tf_t WHERE id < 100;
SELECT id, f4 * 1e-44::float4 AS v FROM tf_t WHERE id < 100;
SELECT id, 1e-200 / (f8 * 1e200) AS v FROM tf_big WHERE id < 1000;
SELECT id, 1 / f8 AS v FROM tf_s WHERE id > 0;
SELECT id, 1::float4 / f4 AS v FROM tf_s WHERE id > 0;
SELECT id, f8 / 0 AS v FROM tf_s WHERE id > 0;
SELECT id, f8 / 0 AS v FROM tf_s WHERE f8 = 'NaN';
SELECT id, f8::int4 AS v FROM tf_big WHERE id > 0;
SELECT id, f8::int8 AS v FROM tf_big WHERE id > 0;
SELECT id, f8::int2 AS v FROM tf_s WHERE id > 0;
SELECT id, f8::float4 AS v FROM tf_big WHERE id > 0;
SELECT id, f8::float4 AS v FROM tf_s WHERE f8 > 0 AND f8 < 1;
SELECT id, f8::numeric AS v FROM tf_s WHERE id <= 30;
SELECT id, sqrt(f8) AS v FROM tf_t WHERE id > 0;
SELECT id, ln(f8) AS v FROM tf_s WHERE f8 = 0;
SELECT count(*) FROM tf_big WHERE f8 * 2 > 0;
SELECT id, f8 * f8 AS v FROM tf_s WHERE id <= 9;
SELECT id, f8 * f8 AS v FROM tf_s WHERE id BETWEEN 10 AND 20;
SELECT id, f4 * f4 AS v FROM tf_s WHERE id > 10;
