-- CASE, COALESCE, NULLIF, GREATEST and LEAST of every type: result types and typmods, missing ELSE,
-- nulls as conditions, branches that no row or every row of a batch takes, deep nesting, and use in
-- filters, keys and aggregate arguments.

-- setup
CREATE TABLE ec_t (id int NOT NULL, k int, i2 int2, i8 int8, f float8, n numeric(10,2), m numeric(12,4), b bool, d date, ts timestamp, t text, v varchar(8), c char(5));
INSERT INTO ec_t
SELECT g, CASE WHEN g % 9 > 0 THEN g % 5 END, CASE WHEN g % 8 > 0 THEN g % 100 END, CASE WHEN g % 7 > 0 THEN g::int8 * 10000000000 END, CASE WHEN g % 6 > 0 THEN g / 8.0 END,
	CASE WHEN g % 5 > 0 THEN g / 4.0 END, CASE WHEN g % 4 > 0 THEN g / 16.0 END, CASE g % 3 WHEN 0 THEN true WHEN 1 THEN false END, CASE WHEN g % 11 > 0 THEN date '2020-01-01' + g END,
	CASE WHEN g % 12 > 0 THEN timestamp '2020-01-01' + g * interval '1 hour' END, CASE WHEN g % 10 > 0 THEN 't' || g % 30 END, CASE WHEN g % 13 > 0 THEN 'v' || g % 30 END, CASE WHEN g % 14 > 0 THEN 'c' || g % 30 END
FROM generate_series(1, 4000) g;
ANALYZE ec_t;
-- end setup

-- Every type as the result.
-- require
SELECT id, CASE WHEN b THEN k ELSE -k END AS i4, CASE WHEN b THEN i2 WHEN NOT b THEN (-i2)::int2 END AS i2, CASE WHEN b THEN i8 ELSE k END AS i8, CASE WHEN b THEN f ELSE n END AS f, CASE WHEN b THEN n ELSE m END AS nm,
	CASE WHEN b THEN n END AS n, CASE WHEN b THEN n ELSE 1 END AS n1, CASE WHEN b THEN b ELSE k > 2 END AS bb FROM ec_t WHERE id % 40 = 1;
-- require
SELECT id, CASE WHEN b THEN d END AS d, CASE WHEN b THEN d ELSE ts END AS dt, CASE WHEN b THEN ts ELSE d + 1 END AS td, CASE WHEN b THEN t ELSE v END AS tv, CASE WHEN b THEN v END AS v, CASE WHEN b THEN c ELSE 'x' END AS c,
	CASE WHEN b THEN c ELSE v END AS cv, CASE WHEN b THEN t || c ELSE 'none' END AS cat FROM ec_t WHERE id % 40 = 2;
-- require
SELECT id, CASE k WHEN 0 THEN 'zero' WHEN 1 THEN 'one' WHEN 2 THEN NULL WHEN 3 THEN t ELSE 'many' END AS a, CASE k WHEN NULL THEN 1 WHEN k THEN 2 ELSE 3 END AS b, CASE WHEN k IS NULL THEN 'n' WHEN k % 2 = 0 THEN 'e' ELSE 'o' END AS c,
	CASE t WHEN 't1' THEN 1 WHEN 't2' THEN 2 END AS e, CASE n WHEN 1.5 THEN 'x' WHEN 10 THEN 'y' ELSE 'z' END AS g, CASE c WHEN 'c1' THEN 1 WHEN 'c2    ' THEN 2 ELSE 0 END AS h FROM ec_t WHERE id % 40 < 2;
-- require
SELECT id, CASE WHEN NULL THEN 1 ELSE 2 END AS a, CASE WHEN b IS NULL THEN NULL ELSE NULL END AS nul, CASE WHEN id < 0 THEN 1 END AS never, CASE WHEN id > 0 THEN t END AS always, CASE WHEN true THEN k ELSE id END AS k FROM ec_t WHERE id % 100 = 3;
-- require
SELECT id, CASE WHEN id BETWEEN 1000 AND 2100 THEN 'in' ELSE 'out' END AS s FROM ec_t WHERE id > 900 AND id < 2200;
-- require
SELECT id, CASE WHEN k = 0 THEN CASE WHEN b THEN CASE WHEN i2 > 50 THEN 1 ELSE 2 END WHEN NOT b THEN CASE WHEN i2 > 50 THEN 3 END ELSE 4 END WHEN k > 2 THEN CASE t WHEN 't3' THEN 5 WHEN 't4' THEN 6 ELSE k END END AS v FROM ec_t WHERE id % 10 = 4;
-- require
SELECT id, CASE WHEN CASE WHEN b THEN k > 2 ELSE k < 2 END THEN CASE WHEN k = 3 THEN n END ELSE CASE k WHEN 0 THEN m ELSE n + m END END AS v FROM ec_t WHERE id % 20 = 5;
-- require
SELECT id, (CASE WHEN b THEN n ELSE m END) * 2 AS x, (CASE WHEN k > 1 THEN i2 ELSE k END) + (CASE WHEN k > 1 THEN k ELSE i2 END) AS y, -(CASE WHEN b THEN f END) AS z FROM ec_t WHERE id % 40 = 6;
-- require
SELECT id, CASE id % 26 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 THEN 'c' WHEN 3 THEN 'd' WHEN 4 THEN 'e' WHEN 5 THEN 'f' WHEN 6 THEN 'g' WHEN 7 THEN 'h' WHEN 8 THEN 'i' WHEN 9 THEN 'j' WHEN 10 THEN 'k' WHEN 11 THEN 'l' WHEN 12 THEN 'm'
	WHEN 13 THEN 'n' WHEN 14 THEN 'o' WHEN 15 THEN 'p' WHEN 16 THEN 'q' WHEN 17 THEN 'r' WHEN 18 THEN 's' WHEN 19 THEN 't' ELSE t END AS letter FROM ec_t WHERE id % 7 = 0;

-- COALESCE, NULLIF, GREATEST, LEAST.
-- require
SELECT id, coalesce(k, i2, -1) AS a, coalesce(i8, k, 0) AS b, coalesce(f, n, m) AS c, coalesce(n, m) AS n, coalesce(n, 0) AS n0, coalesce(b, false) AS bb, coalesce(d, date '1900-01-01') AS d, coalesce(ts, d) AS td,
	coalesce(t, v, c, 'x') AS t, coalesce(v, 'x') AS v, coalesce(c, 'x') AS c1 FROM ec_t WHERE id % 40 = 7 OR id % 2520 = 0;
-- require
SELECT id, nullif(k, 2) AS a, nullif(i8, k) AS b, nullif(f, 12.5) AS c, nullif(n, 1.50) AS n, nullif(b, true) AS bb, nullif(d, '2020-01-10') AS d, nullif(t, 't5') AS t, nullif(c, 'c5') AS c1, nullif(k, NULL) AS nn, nullif(id, id) AS z FROM ec_t WHERE id % 40 = 8 OR id < 15;
-- require
SELECT id, greatest(k, i2) AS a, least(k, i2, 3) AS b, greatest(f, n) AS c, greatest(n, m) AS n, least(n, m, 1) AS n1, greatest(b, false) AS bb, least(d, date '2021-01-01') AS d, greatest(ts, d) AS td, greatest(t, v COLLATE "C") AS t, least(v, c COLLATE "C") AS v,
	greatest(NULL, k) AS nk, least(NULL::int, NULL) AS nn FROM ec_t WHERE id % 40 = 9;

-- In filters.
-- require
SELECT count(*), sum(id) FROM ec_t WHERE CASE WHEN b THEN k > 2 WHEN NOT b THEN i2 > 50 END;
-- require
SELECT count(*), sum(id) FROM ec_t WHERE CASE k WHEN 1 THEN true WHEN 2 THEN NULL WHEN 3 THEN b END;
-- require
SELECT count(*), sum(id) FROM ec_t WHERE coalesce(k, 0) = 0 AND coalesce(b, true);
-- require
SELECT count(*), sum(id) FROM ec_t WHERE nullif(k, 3) > 1 OR nullif(t, 't3') = 't4';
-- require
SELECT count(*), sum(id) FROM ec_t WHERE greatest(k, i2) < 10 AND least(n, m) > 5;
-- require
SELECT count(*), sum(id) FROM ec_t WHERE CASE WHEN t LIKE 't1%' THEN c ELSE v END > 'c2' COLLATE "C";
-- require
SELECT count(*), sum(id) FROM ec_t WHERE coalesce(n, m, 0) * 2 BETWEEN 10 AND 500.5;
-- require
SELECT count(*), sum(id) FROM ec_t WHERE NOT coalesce(b, k > 2, i2 > 50);

-- In keys and arguments.
-- require
SELECT CASE WHEN k < 2 THEN 'low' WHEN k >= 2 THEN 'high' END AS g, count(*), sum(n), min(t COLLATE "C") FROM ec_t GROUP BY 1;
-- require
SELECT coalesce(t, v, 'none') AS g, count(*), sum(id) FROM ec_t GROUP BY 1;
-- require
SELECT nullif(k, 3) AS g, count(*), sum(id) FROM ec_t GROUP BY 1;
-- require
SELECT greatest(k, 2) AS g, coalesce(b, false) AS h, count(*), sum(id) FROM ec_t GROUP BY 1, 2;
-- require
SELECT CASE WHEN b THEN n ELSE m END AS g, count(*) FROM ec_t WHERE id < 200 GROUP BY 1;
-- require
SELECT sum(CASE WHEN b THEN 1 ELSE 0 END), sum(CASE WHEN k = 1 THEN n ELSE 0 END), sum(CASE WHEN k = 1 THEN n END), avg(CASE WHEN b THEN f END), max(CASE WHEN k > 2 THEN t END), min(CASE WHEN NOT b THEN d END),
	count(CASE WHEN k > 2 THEN 1 END), sum(coalesce(n, 0)), avg(coalesce(k, 0)), sum(nullif(k, 1)), sum(CASE WHEN b THEN n ELSE m END), max(greatest(n, m)), sum(CASE WHEN id < 0 THEN i8 END) FROM ec_t;
-- require
SELECT k, sum(CASE WHEN b THEN 1 ELSE 0 END), sum(CASE WHEN i2 > 50 THEN n ELSE 0 END), avg(CASE WHEN b THEN f END), max(CASE WHEN i2 > 2 THEN t END), sum(coalesce(n, 0)), sum(CASE WHEN b THEN n ELSE m END), max(coalesce(ts, d)) FROM ec_t GROUP BY k;
-- require
SELECT k, CASE WHEN count(*) > 700 THEN 'many' ELSE 'few' END AS size, coalesce(sum(n) FILTER (WHERE id < 0), -1) AS s, nullif(count(b), 0) AS c, greatest(max(i2), 5) AS g FROM ec_t GROUP BY k HAVING CASE WHEN k IS NULL THEN true ELSE count(*) > 10 END;
