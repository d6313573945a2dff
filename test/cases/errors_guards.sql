-- Expressions that raise behind a guard: AND, OR, NOT, CASE, COALESCE, NULLIF, FILTER and null
-- operands.  Every row that core does not evaluate must not be evaluated, also where the same
-- subexpression occurs under another guard, under none, or in another aggregate.

-- setup
CREATE TABLE eg_t (id int NOT NULL, x int, y int, s text, b bool, n numeric(10,2), f float8);
-- x is 0 in a third of the rows, s a number where x is odd.
INSERT INTO eg_t
SELECT g, CASE g % 3 WHEN 0 THEN 0 WHEN 1 THEN g % 10 + 1 END, CASE WHEN g % 7 = 0 THEN 0 WHEN g % 7 < 6 THEN g % 5 + 1 END,
	CASE WHEN g % 2 = 1 THEN (g % 50)::text ELSE 'w' || g % 9 END, CASE g % 4 WHEN 0 THEN true WHEN 1 THEN false WHEN 2 THEN g % 3 <> 0 END,
	CASE WHEN g % 4 = 0 THEN 0 ELSE g / 4.0 END, CASE WHEN g % 5 = 0 THEN 0 ELSE g / 3.0 END
FROM generate_series(1, 4000) g;
ANALYZE eg_t;
CREATE FUNCTION eg_boom(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE EXCEPTION 'evaluated for %', $1; END $$;
CREATE FUNCTION eg_boom_strict(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RAISE EXCEPTION 'evaluated for %', $1; END $$;
-- end setup

-- AND and OR as filters.
-- require
SELECT count(*), sum(id) FROM eg_t WHERE x <> 0 AND 100 / x > 20;
-- require
SELECT count(*), sum(id) FROM eg_t WHERE x = 0 OR 100 / x > 20;
-- require
SELECT count(*), sum(id) FROM eg_t WHERE NOT (x = 0 OR 100 / x > 20);
-- require
SELECT count(*), sum(id) FROM eg_t WHERE NOT (x <> 0 AND 100 / x > 20);
-- require
SELECT count(*), sum(id) FROM eg_t WHERE (x <> 0 AND 100 / x > 20) OR (y <> 0 AND 100 / y > 30);
-- require
SELECT count(*), sum(id) FROM eg_t WHERE (x = 0 OR 100 / x > 20) AND (y = 0 OR 100 / y > 30);
-- require
SELECT count(*), sum(id) FROM eg_t WHERE (x = 0 OR y = 0 OR 100 / x > 100 / y) AND id > 10;
-- require
SELECT count(*), sum(id) FROM eg_t WHERE x <> 0 AND y <> 0 AND 100 / x / y > 3;
-- require
SELECT count(*), sum(id) FROM eg_t WHERE id % 2 = 1 AND s::int > 20;
-- require
SELECT count(*), sum(id) FROM eg_t WHERE id % 2 = 0 OR s::int > 20;
-- require
SELECT count(*), sum(id) FROM eg_t WHERE (id % 2 = 1 AND s::int > 20) OR (id % 2 = 0 AND substr(s, 2)::int > 5);
-- require
SELECT count(*), sum(id) FROM eg_t WHERE n <> 0 AND 10 / n < 0.5 AND f <> 0 AND 1 / f > 0.001;
-- Null does not end an AND or OR.
-- require
SELECT count(*) FROM eg_t WHERE (x > 0 AND 100 / y > 0) IS NULL AND y <> 0;
-- require
SELECT id FROM eg_t WHERE (NULL::bool AND 100 / x > 0) IS NOT NULL AND id < 100;
-- require
SELECT id FROM eg_t WHERE x IS NULL AND (x > 0 OR 100 / y > 0);
-- require
SELECT id FROM eg_t WHERE x IS NULL AND y IS DISTINCT FROM 0 AND (x > 0 OR 100 / y > 50);
SELECT count(*) FROM eg_t WHERE x > 0 OR 100 / x > 0;
SELECT count(*) FROM eg_t WHERE 100 / x > 20 AND x <> 0;

-- As values.
-- require
SELECT id, x <> 0 AND 100 / x > 20 AS a, x = 0 OR 100 / x > 20 AS o, NOT (x <> 0 AND 100 / x > 20) AS n FROM eg_t WHERE id <= 60;
-- require
SELECT x <> 0 AND 100 / x > 20 AS k, count(*), sum(id) FROM eg_t GROUP BY 1;
-- require
SELECT x = 0 OR 100 / x > 20 AS k, count(*), sum(id) FROM eg_t GROUP BY 1;

-- CASE.
-- require
SELECT id, CASE WHEN x <> 0 THEN 100 / x END AS a, CASE WHEN x = 0 THEN -1 ELSE 100 / x END AS b, CASE x WHEN 0 THEN NULL ELSE 100 / x END AS c FROM eg_t WHERE id <= 60;
-- require
SELECT CASE WHEN x = 0 THEN 'zero' WHEN 100 / x > 30 THEN 'small' WHEN 1000 / (x - 5) > 100 THEN 'mid' WHEN x IS NULL THEN 'none' ELSE 'large' END AS k, count(*) FROM eg_t WHERE x IS DISTINCT FROM 5 GROUP BY 1;
-- require
SELECT CASE WHEN x IS NULL THEN -1 WHEN x = 0 THEN CASE WHEN y IS NULL THEN -2 WHEN y = 0 THEN -3 ELSE 100 / y END ELSE CASE WHEN y <> 0 THEN 100 / x / y ELSE 100 / x END END AS k, count(*) FROM eg_t GROUP BY 1;
-- require
SELECT id, CASE WHEN id % 2 = 1 THEN s::int ELSE substr(s, 2)::int END AS v FROM eg_t WHERE id % 10 < 5;
-- require
SELECT count(*) FROM eg_t WHERE CASE WHEN x <> 0 THEN 100 / x > 20 ELSE false END;
-- require
SELECT count(*) FROM eg_t WHERE CASE WHEN x = 0 THEN y = 0 OR 100 / y > 50 WHEN y = 0 THEN 100 / x > 20 END;
-- require
SELECT id, CASE WHEN eg_boom(id) IS NULL THEN 1 END FROM eg_t WHERE id < 0;
-- require
SELECT id, CASE WHEN id < 100000 THEN id WHEN eg_boom(id) THEN 1 ELSE eg_boom_strict(id) END AS v FROM eg_t WHERE id % 100 = 1;
-- require
SELECT id, CASE WHEN id < 100000 OR eg_boom(id) THEN id ELSE 0 END AS v FROM eg_t WHERE id % 100 = 1;
-- require
SELECT id FROM eg_t WHERE id % 500 = 1 AND (id > 0 OR eg_boom(id));
-- require
SELECT id FROM eg_t WHERE id % 500 = 1 AND NOT (id < 0 AND eg_boom(id));
-- require
SELECT id, CASE WHEN id = 3501 THEN eg_boom_strict(id) ELSE id END AS v FROM eg_t WHERE id % 500 = 1;
-- require
SELECT count(eg_boom_strict(NULLIF(id, id))), count(eg_boom_strict(CASE WHEN id < 0 THEN 1 END)) FROM eg_t;

-- COALESCE, NULLIF, GREATEST.
-- require
SELECT id, coalesce(x, 100 / nullif(y, 0), -1) AS a, 100 / nullif(x, 0) AS b, coalesce(100 / nullif(x, 0), 0) AS c FROM eg_t WHERE id <= 60;
-- require
SELECT sum(coalesce(y, eg_boom_strict(NULL), 100 / nullif(x, 0))) AS s FROM eg_t;
-- require
SELECT id, coalesce(id, 100 / x) AS a, coalesce(NULL, id, eg_boom_strict(id)) AS b FROM eg_t WHERE id < 20;
-- require
SELECT count(*) FROM eg_t WHERE coalesce(x, 1) <> 0 AND coalesce(100 / x, y, 7) > 5;
SELECT id, coalesce(x, 100 / y) AS v FROM eg_t WHERE id > 0;
SELECT id, greatest(x, 100 / y) AS v FROM eg_t WHERE id > 0;
SELECT id, nullif(x, 100 / y) AS v FROM eg_t WHERE id > 0;

-- Aggregates under guards.
-- require
SELECT sum(100 / x) FILTER (WHERE x <> 0), sum(100 / y) FILTER (WHERE y <> 0), avg(10 / n) FILTER (WHERE n <> 0), sum(1 / f) FILTER (WHERE f <> 0) FROM eg_t;
-- require
SELECT sum(CASE WHEN x <> 0 THEN 100 / x ELSE 0 END), sum(CASE WHEN y <> 0 THEN 100 / y END), count(CASE WHEN x = 0 THEN NULL ELSE 100 / x END) FROM eg_t;
-- require
SELECT y, sum(100 / x) FILTER (WHERE x <> 0), count(*) FILTER (WHERE x <> 0 AND 100 / x > 20), max(s::int) FILTER (WHERE id % 2 = 1) FROM eg_t GROUP BY y;
-- require
SELECT sum(100 / x) FILTER (WHERE x <> 0), sum(100 / x) FROM eg_t;
-- require
SELECT sum(100 / x), sum(100 / x) FILTER (WHERE x <> 0) FROM eg_t;
-- require
SELECT sum(100 / x) FILTER (WHERE x <> 0), sum(CASE WHEN x <> 0 THEN 100 / x + 1 END), max(100 / x) FILTER (WHERE x > 3) FROM eg_t;
-- require
SELECT sum(100 / x) FROM eg_t WHERE x <> 0;
-- require
SELECT sum(100 / x) FROM eg_t WHERE id % 3 <> 0;
-- require
SELECT y, sum(100 / x) FROM eg_t WHERE id % 3 = 1 GROUP BY y;

-- One subexpression under several guards and under none: shared results must not leak.
-- require
SELECT id, CASE WHEN id % 2 = 0 THEN y * 3 + id END AS a, y * 3 + id AS b, CASE WHEN id % 3 = 0 THEN y * 3 + id ELSE y * 3 END AS c, (id % 5 = 0 AND y * 3 + id > 50) AS d FROM eg_t WHERE id <= 200;
-- require
SELECT count(*) FILTER (WHERE id % 2 = 0 AND y * 3 > 6), sum(y * 3), count(*) FILTER (WHERE y * 3 > 6 OR id % 7 = 0), sum(y * 3) FILTER (WHERE id % 5 = 1), max(CASE WHEN id % 11 = 0 THEN y * 3 END) FROM eg_t;
-- require
SELECT id, n * 2 AS m FROM eg_t WHERE (id % 2 = 0 AND n * 2 > 100) OR (id % 2 = 1 AND n * 2 < 50);
-- require
SELECT CASE WHEN id % 2 = 0 THEN n * 2 ELSE n * 4 END AS a, sum(n * 2), sum(n * 4), max(CASE WHEN id % 3 = 0 THEN n * 2 WHEN id % 3 = 1 THEN n * 4 END) FROM eg_t WHERE id < 50 GROUP BY 1;
-- require
SELECT id, CASE WHEN x <> 0 THEN 100 / x END + CASE WHEN x <> 0 THEN 100 / x * 2 END AS a, CASE WHEN x <> 0 AND 100 / x > 20 THEN 100 / x ELSE 0 END AS b FROM eg_t WHERE id <= 100 AND (x = 0 OR x IS NULL OR 100 / x < 90);
-- require
SELECT id, CASE WHEN b THEN upper(s) ELSE lower(s) END AS u, CASE WHEN NOT b THEN upper(s) END AS v, upper(s) AS w FROM eg_t WHERE id <= 60 AND (NOT b OR upper(s) > 'W' COLLATE "C");
-- require
SELECT sum(length(s)) FILTER (WHERE b), sum(length(s)) FILTER (WHERE NOT b), sum(length(s)), sum(CASE WHEN b IS NULL THEN length(s) END) FROM eg_t;
-- require
SELECT b, sum(f * 2) FILTER (WHERE id % 2 = 0), sum(f * 2), sum(f * 2 + 1) FILTER (WHERE f * 2 > 100), avg(CASE WHEN f * 2 > 500 THEN f * 2 ELSE -1 END) FROM eg_t GROUP BY b;
-- require
SELECT (CASE WHEN b THEN 1 ELSE 0 END) + (CASE WHEN b THEN 1 ELSE 0 END) AS two, (b AND x > 3) IS TRUE AS c, (b AND x > 3) IS NOT TRUE AS d, count(*) FROM eg_t GROUP BY 1, 2, 3;
