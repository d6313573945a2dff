-- int2, int4 and int8: arithmetic of every pair of widths with the type of its result, overflow at
-- each width in first, middle and last row, division and modulo by -1 and 0, shifts and bit
-- operations, casts between widths, and sums that leave int4, int8 and need 128 bits.

-- setup
CREATE TABLE ti_t (id int NOT NULL, a int2, b int2, c int4, d int4, e int8, f int8, g int4 NOT NULL, h int8 NOT NULL);
INSERT INTO ti_t
SELECT g,
	CASE WHEN g % 6 > 0 THEN g % 100 - 50 END, CASE WHEN g % 7 > 0 THEN g % 11 + 1 END,
	CASE WHEN g % 5 > 0 THEN g * 13 % 40000 - 20000 END, CASE WHEN g % 8 > 0 THEN g % 17 + 1 END,
	CASE WHEN g % 9 > 0 THEN g::int8 * 1000000007 - 2000000000000 END, CASE WHEN g % 10 > 0 THEN g % 1000 + 1 END,
	g * 3, g::int8 * 5
FROM generate_series(1, 4000) g;
-- Extreme values at a known place each.
CREATE TABLE ti_x (id int, a int2, c int4, e int8);
INSERT INTO ti_x SELECT g, CASE g WHEN 1500 THEN 32767 WHEN 2100 THEN -32768 ELSE g % 7 END, CASE g WHEN 1500 THEN 2147483647 WHEN 2100 THEN -2147483648 ELSE g % 7 END,
	CASE g WHEN 1500 THEN 9223372036854775807 WHEN 2100 THEN -9223372036854775808 ELSE g % 7 END FROM generate_series(1, 2500) g;
CREATE TABLE ti_big (id int, k int, e int8, c int4);
INSERT INTO ti_big SELECT g, g % 3, CASE g % 3 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775808 ELSE 9223372036854775807 - g END,
	CASE g % 3 WHEN 0 THEN 2147483647 WHEN 1 THEN -2147483648 ELSE g END FROM generate_series(1, 3000) g;
ANALYZE ti_t; ANALYZE ti_x; ANALYZE ti_big;
-- end setup

-- Every pair of widths.
-- require
SELECT id, a + b AS s22, a + c AS s24, a + e AS s28, c + a AS s42, c + d AS s44, c + e AS s48, e + a AS s82, e + c AS s84, e + f AS s88 FROM ti_t WHERE id % 40 = 1;
-- require
SELECT id, a - b AS s22, a - c AS s24, a - e AS s28, c - a AS s42, c - d AS s44, c - e AS s48, e - a AS s82, e - c AS s84, e - f AS s88 FROM ti_t WHERE id % 40 = 2;
-- require
SELECT id, a * b AS s22, a * c AS s24, a * e AS s28, c * a AS s42, c * d AS s44, c * e AS s48, e * a AS s82, e * c AS s84, e * d AS s84b FROM ti_t WHERE id % 40 = 3;
-- require
SELECT id, a / b AS s22, c / b AS s42, e / b AS s82, c / d AS s44, a / d AS s24, e / d AS s84, a / f AS s28, c / f AS s48, e / f AS s88 FROM ti_t WHERE id % 40 = 4;
-- require
SELECT id, a % b AS s22, c % d AS s44, e % f AS s88, (-c) % d AS n44, c % (-d) AS m44, -e % f AS n88 FROM ti_t WHERE id % 40 = 5;
-- require
SELECT id, -a AS a, -c AS c, -e AS e, +a AS pa, +c AS pc, +e AS pe, abs(a) AS aa, abs(c) AS ac, abs(e) AS ae FROM ti_t WHERE id % 40 = 6;
-- require
SELECT id, a & b AS w2, c & d AS w4, e & f AS w8, a | b AS o2, c | d AS o4, e | f AS o8, a # b AS x2, c # d AS x4, e # f AS x8, ~a AS n2, ~c AS n4, ~e AS n8 FROM ti_t WHERE id % 40 = 7;
-- require
SELECT id, a << 3 AS l2, c << 3 AS l4, e << 3 AS l8, a >> 2 AS r2, c >> 2 AS r4, e >> 2 AS r8, c << d AS ld, e >> d AS rd, c << 33 AS l33, a << 17 AS l17 FROM ti_t WHERE id % 40 = 8;
-- require
SELECT id, a::int4 AS a4, a::int8 AS a8, c::int2 AS c2, c::int8 AS c8, f::int2 AS f2, f::int4 AS f4, a::float4 AS af, c::float8 AS cf, e::float4 AS ef4, e::float8 AS ef8, e::numeric AS en, c::bool AS cb, c::text AS ct
FROM ti_t WHERE id % 40 = 9;
-- require
SELECT id, (c + d) * (c - d) AS diff, c * c + d * d AS sq, ((a + b) * 2 - 1) / (d + 1) AS mix, e / 1000 - c * 2 AS m2, a * 1.5 AS num, c / 4.0 AS q, c * 0.5::float8 AS fl FROM ti_t WHERE id % 40 = 10;
-- require
SELECT id, greatest(a, b) AS g2, least(c, d) AS l4, greatest(a, c, e) AS g8, least(a, 5, NULL) AS l2 FROM ti_t WHERE id % 40 = 11;
-- require
SELECT id, mod(c, d), div(c, 7), gcd(c, d), power(a, 2), sign(c), sqrt(d), c ^ 2 AS p FROM ti_t WHERE id % 40 = 12;

-- Comparisons of every pair.
-- require
SELECT count(*) FILTER (WHERE a < b), count(*) FILTER (WHERE a < c), count(*) FILTER (WHERE a < e), count(*) FILTER (WHERE c < b), count(*) FILTER (WHERE c < d),
	count(*) FILTER (WHERE c < e), count(*) FILTER (WHERE e < a), count(*) FILTER (WHERE e < c), count(*) FILTER (WHERE e < f) FROM ti_t;
-- require
SELECT count(*) FILTER (WHERE a >= b), count(*) FILTER (WHERE a <> c), count(*) FILTER (WHERE a = e), count(*) FILTER (WHERE c = b), count(*) FILTER (WHERE c <= d),
	count(*) FILTER (WHERE c <> e), count(*) FILTER (WHERE e > a), count(*) FILTER (WHERE e = c), count(*) FILTER (WHERE e >= f) FROM ti_t;
-- require
SELECT id FROM ti_x WHERE a = 32767 OR c = -2147483648;
-- require
SELECT id FROM ti_x WHERE e = 9223372036854775807 OR a < -32767;
-- require
SELECT count(*) FROM ti_x WHERE a < 32768;
-- require
SELECT count(*) FROM ti_x WHERE c > -2147483649;
-- require
SELECT count(*) FROM ti_x WHERE e < 9223372036854775808;

-- Overflow: the error, and none where the row is not reached.
SELECT id, a + 1::int2 AS v FROM ti_x WHERE id > 0;
-- serial
SELECT id, a - 1::int2 AS v FROM ti_x WHERE id > 0;
SELECT id, a * 2::int2 AS v FROM ti_x WHERE id > 0;
SELECT id, c + 1 AS v FROM ti_x WHERE id > 0;
SELECT id, c - 1 AS v FROM ti_x WHERE id > 0;
SELECT id, c * 2 AS v FROM ti_x WHERE id > 0;
SELECT id, e + 1 AS v FROM ti_x WHERE id > 0;
SELECT id, e - 1 AS v FROM ti_x WHERE id > 0;
SELECT id, e * 2 AS v FROM ti_x WHERE id > 0;
SELECT id, -a AS v FROM ti_x WHERE id > 0;
SELECT id, -c AS v FROM ti_x WHERE id > 0;
SELECT id, -e AS v FROM ti_x WHERE id > 0;
SELECT id, abs(a) AS v FROM ti_x WHERE id > 0;
SELECT id, abs(c) AS v FROM ti_x WHERE id > 0;
SELECT id, abs(e) AS v FROM ti_x WHERE id > 0;
SELECT id, a / (-1)::int2 AS v FROM ti_x WHERE id > 0;
SELECT id, c / (-1) AS v FROM ti_x WHERE id > 0;
SELECT id, e / (-1) AS v FROM ti_x WHERE id > 0;
-- require
SELECT id, a % (-1)::int2 AS m2, c % (-1) AS m4, e % (-1::int8) AS m8 FROM ti_x WHERE id IN (1500, 2100, 5);
SELECT id, 10 / c AS v FROM ti_x WHERE id > 0;
SELECT id, 10 / a AS v FROM ti_x WHERE id > 0;
SELECT id, 10 / e AS v FROM ti_x WHERE id > 0;
SELECT id, 10 % c AS v FROM ti_x WHERE id > 0;
SELECT id, c::int2 AS v FROM ti_x WHERE id > 0;
SELECT id, e::int4 AS v FROM ti_x WHERE id > 0;
SELECT id, e::int2 AS v FROM ti_x WHERE id > 0;
SELECT id, c + c AS v FROM ti_x WHERE id > 0;
SELECT id, e + c AS v FROM ti_x WHERE id > 0;
SELECT id, e * c AS v FROM ti_x WHERE id > 0;
-- require
SELECT id, c + 1 AS v, e + 1 AS w, -a AS u FROM ti_x WHERE id < 1500;
-- require
SELECT id, c + 1 AS v, e + 1 AS w FROM ti_x WHERE c < 2147483647;
-- require
SELECT id, c * c AS v, e * e AS w, a * a AS u FROM ti_x WHERE c BETWEEN 0 AND 6;
SELECT count(*) FROM ti_x WHERE c + 1 > 0;
SELECT count(*) FROM ti_x WHERE c - 1 > 0;
SELECT sum(c + 1) FROM ti_x;
SELECT sum(e - 1) FROM ti_x;
SELECT sum(c::int2) FROM ti_x WHERE id < 1600;
SELECT a, sum(c * 2) FROM ti_x GROUP BY a;
SELECT c + 1 AS k, count(*) FROM ti_x GROUP BY c + 1;

-- Sums beyond the width of the argument.
-- require
SELECT sum(c), avg(c), min(c), max(c), sum(e), avg(e), min(e), max(e) FROM ti_big;
-- require
SELECT sum(e), avg(e), sum(c), avg(c) FROM ti_big WHERE k = 0;
-- require
SELECT sum(e), avg(e), sum(c), avg(c) FROM ti_big WHERE k = 1;
-- require
SELECT k, sum(e), avg(e), sum(c), avg(c), count(*) FROM ti_big GROUP BY k;
-- require
SELECT sum(e::numeric), sum(e) FILTER (WHERE k = 0), sum(e) FILTER (WHERE k = 1), sum(c) FILTER (WHERE k = 2) FROM ti_big;
-- require
SELECT id / 100 AS k, sum(e), avg(e), avg(c) FROM ti_big GROUP BY id / 100;
-- require
SELECT sum(g), sum(h), avg(g), avg(h), sum(g::int2 % 10::int2) FROM ti_t WHERE g < 3000;
-- require
SELECT avg(a), avg(c), avg(e), sum(a)::int2 - 1::int2 AS x FROM ti_t WHERE id < 100;
-- require
SELECT avg(c) FROM ti_t WHERE c = 7;
-- require
SELECT avg(a), avg(c), avg(e), avg(d), avg(f) FROM ti_t WHERE id IN (1, 2, 3);
