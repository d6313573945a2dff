-- One value in several places of an expression: both operands the same column, the same
-- subexpression as operand, branch and result, chains whose temporaries can be reused, a column that
-- is output, key, argument and filter at once.  Wrong reuse of a register or of a null bitmap shows.

-- setup
CREATE TABLE ea_t (id int NOT NULL, a int, b int, c int8, d int2, f float8, g float4, n numeric(10,2), m numeric, p bool, q bool, dt date, ts timestamp, t text, u text COLLATE "C", ch char(6));
INSERT INTO ea_t
SELECT g, CASE WHEN g % 5 > 0 THEN g % 97 + 1 END, CASE WHEN g % 7 > 0 THEN g % 31 + 1 END, CASE WHEN g % 6 > 0 THEN g * 100000 END, CASE WHEN g % 8 > 0 THEN g % 90 + 1 END, CASE WHEN g % 9 > 0 THEN g / 8.0 END, CASE WHEN g % 4 > 0 THEN g / 16.0 END,
	CASE WHEN g % 10 > 0 THEN g / 4.0 END, CASE WHEN g % 11 > 0 THEN round(g / 7.0, g % 5) END, CASE g % 3 WHEN 0 THEN true WHEN 1 THEN false END, CASE g % 4 WHEN 0 THEN true WHEN 1 THEN false WHEN 2 THEN true END,
	CASE WHEN g % 12 > 0 THEN date '2020-01-01' + g % 300 END, CASE WHEN g % 13 > 0 THEN timestamp '2020-01-01' + g % 300 * interval '12 hours' END, CASE WHEN g % 14 > 0 THEN 't' || g % 20 END, CASE WHEN g % 3 > 0 THEN 'u' || g % 20 END, CASE WHEN g % 15 > 0 THEN 'c' || g % 20 END
FROM generate_series(1, 3000) g;
ANALYZE ea_t;
-- end setup

-- Both operands the same.
-- require
SELECT id, a + a AS x1, a - a AS x2, a * a AS x3, a / a AS x4, a % a AS x5, a = a AS x6, a < a AS x7, -a - a AS x8, a & a AS x9, (a + a) + (a + a) AS x10, (a - b) - (a - b) AS x11 FROM ea_t WHERE id % 30 = 1;
-- require
SELECT id, c + c AS x1, c * 2 - c AS x2, c / c AS x3, c <> c AS x4, d + d AS x5, d * d AS x6, d - d AS x7, d <= d AS x8, c + d AS x9, d + c AS x10 FROM ea_t WHERE id % 30 = 2;
-- require
SELECT id, f + f AS x1, f - f AS x2, f * f AS x3, f / f AS x4, f = f AS x5, g + g AS x6, g * g AS x7, g / g AS x8, f + g + f + g AS x9, -f * -f AS x10 FROM ea_t WHERE id % 30 = 3;
-- require
SELECT id, n + n AS x1, n - n AS x2, n * n AS x3, n / n AS x4, n = n AS x5, m + m AS x6, m * m AS x7, m - m AS x8, m > m AS x9, n + m + n + m AS x10, n * n * n AS x11, -n + n AS x12, n % n AS x13 FROM ea_t WHERE id % 30 = 4 AND n <> 0;
-- require
SELECT id, p AND p AS x1, p OR p AS x2, p = p AS x3, p AND NOT p AS x4, p OR NOT p AS x5, (p AND q) OR (p AND q) AS x6, NOT NOT p AS x7, (p OR q) AND (q OR p) AS x8, p <> p AS x9, (p AND q) = (q AND p) AS x10 FROM ea_t WHERE id % 12 < 6 AND id < 400;
-- require
SELECT id, t || t AS x1, t = t AS x2, t || t || t AS x3, t || u || t AS x4, ch || ch AS x5, ch = ch AS x6, u < u AS x7, (t || u) = (t || u) AS x8, dt - dt AS x9, dt = dt AS x10, ts - ts AS x11, ts <= ts AS x12 FROM ea_t WHERE id % 30 = 5;
-- require
SELECT id, coalesce(a, a) AS x1, nullif(a, a) AS x2, greatest(a, a) AS x3, least(a, b, a) AS x4, CASE WHEN p THEN a ELSE a END AS x5, CASE a WHEN a THEN a END AS x6, coalesce(a, b) + coalesce(b, a) AS x7, CASE WHEN a = a THEN a + a ELSE b + b END AS x8 FROM ea_t WHERE id % 30 < 2;

-- Chains, with values needed again after others were computed from them.
-- require
SELECT id, (a + b) * (a - b) + (a + b) AS x1, ((a + 1) * 2 - (a + 1)) * ((a + 1) + 2) AS x2, (a + b) + ((a + b) + ((a + b) + (a + b))) AS x3, a - (b - (a - (b - a))) AS x4, ((((a - b) - a) - b) - a) AS x5 FROM ea_t WHERE id % 30 = 7;
-- require
SELECT id, (n + m) * (n - m) + (n + m) AS x1, ((n + 1) * 2 - (n + 1)) * ((n + 1) + 2) AS x2, n - (m - (n - (m - n))) AS x3, (n * m) + (m * n) AS x4, (n + 1.5) * (n + 1.50) AS x5, (n + 0.1 + 0.10 + 0.100) AS x6 FROM ea_t WHERE id % 30 = 8;
-- require
SELECT id, (f + g) * (f - g) + (f + g) AS x1, ((f + 1) * 2 - (f + 1)) * ((f + 1) + 2) AS x2, f - (g - (f - (g - f))) AS x3, (f * g) + (g * f) AS x4 FROM ea_t WHERE id % 30 = 9;
-- require
SELECT id, CASE WHEN a > 50 THEN a + b WHEN a > 30 THEN a - b ELSE a + b END + CASE WHEN a > 30 THEN a - b ELSE a + b END AS x1, CASE WHEN p THEN CASE WHEN q THEN n ELSE m END ELSE CASE WHEN q THEN m ELSE n END END AS x2, CASE WHEN p THEN n END AS x3, CASE WHEN q THEN n END AS x4 FROM ea_t WHERE id % 15 = 2;
-- require
SELECT id, (CASE WHEN p THEN a END) + (CASE WHEN q THEN a END) AS x1, coalesce(CASE WHEN p THEN a END, CASE WHEN q THEN b END, -1) AS x2, (CASE WHEN p THEN t ELSE u END) || (CASE WHEN q THEN t ELSE u END) AS x3, (p AND a > 5) OR (q AND a > 5) OR a > 5 AS x4 FROM ea_t WHERE id % 15 = 3;

-- The same thing in every role.
-- require
SELECT a + b AS x, a + b + 1 AS y, -(a + b) AS z FROM ea_t WHERE a + b > 100 AND a + b < 120;
-- require
SELECT n * 2 AS x, n * 2 + n AS y FROM ea_t WHERE n * 2 > 1000 OR n * 2 < 3;
-- require
SELECT a, a + 1 AS a1, sum(a), sum(a + 1), count(a), min(a), max(a), avg(a) FROM ea_t WHERE a > 10 AND a < 20 GROUP BY a;
-- require
SELECT a + b AS k, sum(a + b), sum(a), sum(b), max(a + b) - min(a + b) AS z FROM ea_t WHERE a + b < 30 GROUP BY a + b HAVING sum(a + b) > 50;
-- require
SELECT n, n + n AS n2, sum(n), sum(n + n), avg(n) FROM ea_t WHERE n < 10 GROUP BY n;
-- require
SELECT t, t || t AS tt, min(t), max(t || t), count(t) FROM ea_t WHERE t <> 't3' GROUP BY t;
-- require
SELECT p, p AND q AS pq, NOT p AS np, count(*), count(p), count(p AND q) FROM ea_t WHERE p OR q GROUP BY p, p AND q, NOT p;
-- require
SELECT sum(a), sum(a), sum(a + 0), sum(-a), sum(a) - sum(a) AS z, avg(a), min(a), max(a), count(a), sum(a) FILTER (WHERE a > 5), sum(a) FILTER (WHERE NOT a > 5), sum(a * a), sum(a * a * a) FROM ea_t;
-- require
SELECT sum(n), sum(n), sum(n + 0), sum(-n), sum(n) - sum(n) AS z, avg(n), min(n), max(n), count(n), sum(n) FILTER (WHERE n > 5), sum(n * n), sum(n * n * n), sum(m), sum(m * n), sum(m * m) FROM ea_t;
-- require
SELECT a, b, a, count(*), a + b AS ab, b, sum(a * b) FROM ea_t WHERE id < 500 GROUP BY b, a, a + b;
-- require
SELECT d, c FROM ea_t WHERE c = d * 100000 + c - d * 100000 AND d = d AND c + d > 299000000;
-- require
SELECT id, dt + 1 AS x1, dt + 1 + 1 AS x2, (dt + 1) - dt AS x3, dt - (dt - 5) AS x4, dt > dt - 1 AS x5, dt::timestamp = dt AS x6, ts::date = dt AS x7, ts > dt AS x8 FROM ea_t WHERE id % 30 = 11;
