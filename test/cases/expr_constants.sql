-- Operands that do not change within an execution: constants of every type, null constants, stable
-- functions, parameters on both sides of an operator, parameters from an outer row.  What is computed
-- once for all rows must not be computed when no row reaches it, nor be kept for the next execution.

-- setup
CREATE TABLE ek_t (id int NOT NULL, k int, n numeric(8,2), t text, b bool, d date, ts timestamptz);
INSERT INTO ek_t SELECT g, CASE WHEN g % 6 > 0 THEN g % 40 END, CASE WHEN g % 7 > 0 THEN g / 4.0 END, CASE WHEN g % 5 > 0 THEN 't' || g % 12 END, CASE g % 3 WHEN 0 THEN true WHEN 1 THEN false END, date '2020-01-01' + g % 200, timestamptz '2020-01-01 00:00+00' + g * interval '1 hour'
FROM generate_series(1, 2500) g;
CREATE TABLE ek_empty (LIKE ek_t);
CREATE TABLE ek_o (o int, z int, name text);
INSERT INTO ek_o VALUES (1, 0, 't1'), (2, 5, 't2'), (3, NULL, NULL), (4, 0, 't4'), (-1, 0, ''), (NULL, 1, 't6'), (7, 7, 't7');
ANALYZE ek_t;
-- end setup

SET timezone = 'UTC';
SET plan_cache_mode = force_generic_plan;

-- Parameters alone.
PREPARE k1 (int, int) AS SELECT count(*), sum(id) FROM ek_t WHERE k > $1 + $2;
EXECUTE k1 (10, 20);
EXECUTE k1 (10, NULL);
EXECUTE k1 (2147483647, 1);
EXECUTE k1 (-2147483648, 2147483647);
PREPARE k2 (int, int) AS SELECT count(*), sum($1 / $2), sum(k + $1 / $2) FROM ek_t WHERE k > 5;
EXECUTE k2 (10, 3);
EXECUTE k2 (10, 0);
EXECUTE k2 (NULL, 0);
EXECUTE k2 (9, 3);
PREPARE k3 (int, int) AS SELECT count(*), sum($1 / $2) FROM ek_empty WHERE k > $1 / $2;
EXECUTE k3 (10, 0);
EXECUTE k3 (10, 3);
PREPARE k4 (int, int) AS SELECT count(*), sum($1 / $2) FROM ek_t WHERE id < 0 AND k > $1 / $2;
EXECUTE k4 (10, 0);
PREPARE k5 (int, int) AS SELECT count(*), sum(CASE WHEN $2 <> 0 THEN $1 / $2 ELSE k END), sum($1 / $2) FILTER (WHERE $2 <> 0), count(*) FILTER (WHERE $2 = 0 OR $1 / $2 > 2), coalesce(max(nullif($2, 0)), max($1)) FROM ek_t WHERE k > 3 AND ($2 = 0 OR k > $1 / $2);
EXECUTE k5 (10, 0);
EXECUTE k5 (10, 2);
EXECUTE k5 (10, NULL);
EXECUTE k5 (NULL, 0);
PREPARE k6 (int, int) AS SELECT id, CASE WHEN id = 100 THEN $1 / $2 ELSE id END AS x FROM ek_t WHERE id < 120 AND k > 30;
EXECUTE k6 (1, 0);
PREPARE k7 (int, int) AS SELECT id, CASE WHEN id = 98 THEN $1 / $2 ELSE id END AS x FROM ek_t WHERE id BETWEEN 70 AND 120;
EXECUTE k7 (1, 0);
EXECUTE k7 (8, 2);
PREPARE k8 (bool, bool) AS SELECT count(*) FILTER (WHERE $1 AND $2), count(*) FILTER (WHERE $1 OR $2), count(*) FILTER (WHERE NOT $1), count(*) FILTER (WHERE b AND $1), count(*) FILTER (WHERE b OR $1), count(*) FILTER (WHERE $1 AND b OR $2 AND NOT b), count(*) FILTER (WHERE ($1 AND b) IS NULL), count(*) FILTER (WHERE $1 IS NULL), count(*) FILTER (WHERE $1 IS TRUE AND b IS NOT TRUE) FROM ek_t;
EXECUTE k8 (true, true);
EXECUTE k8 (true, false);
EXECUTE k8 (true, NULL);
EXECUTE k8 (false, true);
EXECUTE k8 (false, false);
EXECUTE k8 (false, NULL);
EXECUTE k8 (NULL, true);
EXECUTE k8 (NULL, false);
EXECUTE k8 (NULL, NULL);
PREPARE k9 (bool) AS SELECT count(*), sum(id) FROM ek_t WHERE $1;
EXECUTE k9 (true);
EXECUTE k9 (false);
EXECUTE k9 (NULL);
PREPARE k10 (bool, int) AS SELECT count(*), sum(id) FROM ek_t WHERE ($1 OR k = $2) AND id % 2 = 0;
EXECUTE k10 (true, 5);
EXECUTE k10 (false, 5);
EXECUTE k10 (NULL, 5);
EXECUTE k10 (NULL, NULL);
PREPARE k11 (text, text) AS SELECT count(*), max($1 || t || $2 COLLATE "C"), count(*) FILTER (WHERE t = $1 || $2), min($1 || $2), max(length($1 || $2)) FROM ek_t WHERE t LIKE $1 || '%' OR t = $2;
EXECUTE k11 ('t', '1');
EXECUTE k11 ('t1', '');
EXECUTE k11 ('', 't2');
EXECUTE k11 (NULL, 't2');
EXECUTE k11 (repeat('x', 3000), 't2');
PREPARE k12 (numeric, numeric) AS SELECT sum(n * $1 + $2), sum($1 * $2), avg($1), max($1 + $2), count(*) FILTER (WHERE n > $1 * $2), sum(coalesce(n, $1)) FROM ek_t WHERE n < $1 + $2 OR $1 = $2;
EXECUTE k12 (1.5, 2.25);
EXECUTE k12 (100, 0.000000001);
EXECUTE k12 (1e20, 1);
EXECUTE k12 ('NaN', 1);
EXECUTE k12 (NULL, 1);
EXECUTE k12 (123456789012345678901234567890.5, -123456789012345678901234567890.5);
PREPARE k13 (int, text) AS SELECT $1 AS a, $2 AS b, $1 + 1 AS c, count(*) FROM ek_t WHERE k = $1 GROUP BY $1 + k;
EXECUTE k13 (5, 'x');
EXECUTE k13 (NULL, 'x');
PREPARE k14 (int, int, int) AS SELECT count(*) FROM ek_t WHERE k BETWEEN $1 AND $2 AND k NOT IN ($3, $1) AND (k, id) > ($1, $3);
EXECUTE k14 (5, 10, 7);
EXECUTE k14 (5, NULL, 7);
EXECUTE k14 (5, 10, NULL);
PREPARE k15 (date, int) AS SELECT count(*), max(d - $1), min($1 + $2), max(d + $2) FROM ek_t WHERE d > $1 + $2 AND d - $1 < 100;
EXECUTE k15 ('2020-02-01', 10);
EXECUTE k15 ('infinity', 10);
EXECUTE k15 (NULL, 10);
PREPARE k16 (text, text, text) AS SELECT count(*), sum(id) FROM ek_t WHERE t LIKE $1 ESCAPE $2 OR t ~ $3;
EXECUTE k16 ('t1%', '\', 'zz');
EXECUTE k16 ('t#1', '#', 'zz');
EXECUTE k16 ('t1', NULL, 't2$');
EXECUTE k16 ('t1', '\', '(');

-- Stable functions: same within a statement, other in the next.
-- require
SELECT count(*) FROM ek_t WHERE ts < now() AND d < current_date AND k + length(current_user) > 0;
-- require
SELECT count(*), sum(id) FROM ek_t WHERE d > to_date('2020-03-01', 'YYYY-MM-DD') AND ts > '2020-03-01'::text::timestamptz;
SET ek.value = '20';
PREPARE k17 AS SELECT count(*), sum(k + current_setting('ek.value')::int) FROM ek_t WHERE k > current_setting('ek.value')::int;
EXECUTE k17;
SET ek.value = '30';
EXECUTE k17;
SET ek.value = 'no number';
EXECUTE k17;
SET ek.value = '0';
PREPARE k18 AS SELECT count(*), sum(CASE WHEN current_setting('ek.value') <> '0' THEN 100 / current_setting('ek.value')::int ELSE k END) FROM ek_t WHERE current_setting('ek.value') = '0' OR k > 100 / current_setting('ek.value')::int;
EXECUTE k18;
SET ek.value = '5';
EXECUTE k18;
SET ek.value = '';
EXECUTE k18;
RESET ek.value;

-- Constants of other widths, null constants of every type.
-- require
SELECT count(*) FILTER (WHERE k > 5::int2), count(*) FILTER (WHERE k > 5::int8), count(*) FILTER (WHERE k > 5.5), count(*) FILTER (WHERE k > 5.5::float4), count(*) FILTER (WHERE k = 5.0), count(*) FILTER (WHERE n = 5), count(*) FILTER (WHERE n > 5::float8) FROM ek_t;
-- require
SELECT id, k + NULL AS x1, NULL::numeric * n AS x2, t || NULL AS x3, k = NULL::int AS x4, d + NULL::int AS x5, coalesce(NULL, NULL, k) AS x6, CASE WHEN NULL THEN k END AS x7, k IS DISTINCT FROM NULL AS x8, nullif(NULL::int, k) AS x9, k IN (NULL) AS x10, greatest(k, NULL) AS x11 FROM ek_t WHERE id % 100 = 1;
-- require
SELECT sum(k + NULL::int), sum(NULL::numeric), count(NULL::text), min(NULL::date), max(t || NULL), avg(NULL::float8 * k) FROM ek_t;
-- require
SELECT NULL::int AS a, 'c' AS b, k, count(*), sum(5), max('z'::text), avg(2::int) FROM ek_t WHERE id % 3 = 0 GROUP BY k;

-- Parameters from an outer row.
SELECT o.*, q.* FROM ek_o o, LATERAL (SELECT count(*), sum(k + o.o) FROM ek_t WHERE k > o.o AND id < 500) q;
SELECT o.*, q.* FROM ek_o o LEFT JOIN LATERAL (SELECT count(*) AS c, sum(o.o / o.z + id * 0) AS s FROM ek_empty WHERE k > o.o / o.z) q ON true;
SELECT o.*, q.* FROM ek_o o LEFT JOIN LATERAL (SELECT count(*) AS c, sum(100 / o.z + id * 0) FILTER (WHERE o.z <> 0 AND id > 0) AS s, count(*) FILTER (WHERE o.z = 0 OR 100 / o.z > k OR id < 0) AS f FROM ek_t WHERE id < 300 AND (o.z = 0 OR k > 100 / o.z OR o.z IS NULL)) q ON true;
SELECT o.*, q.* FROM ek_o o, LATERAL (SELECT t, count(*) AS c, max(o.name || t) AS m FROM ek_t WHERE t >= o.name COLLATE "C" AND id < 300 GROUP BY t HAVING count(*) > coalesce(o.o, 0)) q;
SELECT o.*, (SELECT sum(n) FROM ek_t WHERE t = o.name AND k > o.o) AS s, (SELECT max(t) FROM ek_t WHERE t LIKE o.name || '%') AS m, EXISTS (SELECT 1 FROM ek_t WHERE k = o.o * 2 AND b) AS e FROM ek_o o;
SELECT o.*, (SELECT count(*) FROM ek_t WHERE k > 100 / o.z) AS c FROM ek_o o WHERE o.z <> 0 OR o.z IS NULL;
SELECT o.*, (SELECT count(*) FROM ek_t WHERE id < 0 AND k > 100 / o.z) AS c FROM ek_o o;
SELECT o.*, (SELECT count(*) FROM ek_t WHERE k > 100 / o.z) AS c FROM ek_o o;
DEALLOCATE ALL;
