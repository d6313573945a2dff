-- Aggregation over the rows of other plans: joins, index scans, subqueries, CTEs, functions, VALUES.
-- setup
CREATE TABLE orders (id int PRIMARY KEY, customer int, status char(1), placed date, note text);
CREATE TABLE items (order_id int, line int, price numeric(12,2), discount numeric(4,2), qty int8, f float8, t text,
	PRIMARY KEY (order_id, line));
CREATE TABLE customers (id int PRIMARY KEY, name varchar(30), region text, balance numeric);
INSERT INTO customers SELECT i, 'customer ' || i % 7, CASE WHEN i % 5 = 0 THEN NULL ELSE 'region ' || i % 3 END,
	CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN 'NaN'::numeric WHEN 2 THEN 1e30 + i ELSE i / 7.0 END
	FROM generate_series(1, 200) i;
INSERT INTO orders SELECT i, i % 230 + 1, substr('FOP', i % 3 + 1, 1), date '2020-01-01' + i % 400,
	CASE WHEN i % 17 = 0 THEN repeat('note ' || i, 700) WHEN i % 3 = 0 THEN NULL ELSE 'note ' || i % 50 END
	FROM generate_series(1, 3000) i;
INSERT INTO items SELECT i % 3000 + 1, i / 3000, (i * 7919 % 100000) / 100.0, (i % 11) / 100.0,
	CASE WHEN i % 13 = 0 THEN NULL ELSE i % 50 END, sin(i), md5((i % 97)::text)
	FROM generate_series(0, 11999) i;
CREATE INDEX ON orders (customer);
CREATE INDEX ON items (qty);
CREATE FUNCTION numbers(n int) RETURNS TABLE (a int, b text) LANGUAGE sql AS
	$$ SELECT i, 'n' || i % 4 FROM generate_series(1, n) i $$;
CREATE VIEW order_sums AS SELECT order_id, sum(price) AS total, count(*) AS lines FROM items GROUP BY order_id;
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE numbers_file (n int, t text) SERVER files
	OPTIONS (program 'seq -f "%.0f,x" 1 3000', format 'csv');
ANALYZE;
-- end setup

-- joins
-- require
SELECT o.status, count(*), sum(i.price * (1 - i.discount)), avg(i.qty), min(i.t), max(i.f) FROM orders o
	JOIN items i ON i.order_id = o.id GROUP BY o.status ORDER BY 1;
-- require
SELECT c.region, o.status, sum(i.qty), count(i.qty), avg(i.price), sum(c.balance) FROM customers c
	JOIN orders o ON o.customer = c.id JOIN items i ON i.order_id = o.id
	GROUP BY c.region, o.status ORDER BY 1, 2;
-- require
SELECT count(*), sum(i.price), count(c.id), max(c.name) FROM orders o LEFT JOIN customers c ON c.id = o.customer
	LEFT JOIN items i ON i.order_id = o.id AND i.qty > 40;
-- require
SELECT coalesce(c.region, 'none'), count(*), max(length(o.note)), min(o.note) FROM orders o
	FULL JOIN customers c ON c.id = o.customer GROUP BY 1 ORDER BY 1;
-- require
SELECT c.name, count(*) FILTER (WHERE o.status = 'F'), sum(c.balance) FILTER (WHERE c.balance < 20)
	FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.name
	HAVING count(*) > 3 ORDER BY c.name;
SELECT o.status, sum(i.f), avg(i.f) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY 1 ORDER BY 1;
-- keys in arguments, aggregates in expressions, functionally dependent columns
-- require
SELECT o.id, o.status, o.placed, sum(o.id + i.line), count(*)::text || ' lines', sum(i.price) / count(*)
	FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id < 50 GROUP BY o.id ORDER BY o.id;
-- require
SELECT o.customer % 10 AS k, sum(o.customer % 10), count(*) FROM orders o JOIN items i ON i.order_id = o.id
	GROUP BY o.customer % 10 HAVING sum(o.customer % 10) > 10 ORDER BY 1;
-- require
SELECT date_trunc('month', o.placed) AS m, count(*), sum(i.price) FROM orders o JOIN items i ON i.order_id = o.id
	GROUP BY m ORDER BY m;
-- whole rows, system columns, casts between kinds
SELECT count(o), count(i), max(i.ctid::text) IS NOT NULL FROM orders o JOIN items i ON i.order_id = o.id;
-- require
SELECT (o.status || c.region)::varchar(20), count(*) FROM orders o JOIN customers c ON c.id = o.customer
	GROUP BY 1 ORDER BY 1;
-- index scans
SET enable_seqscan = off;
-- require
SELECT qty, count(*), sum(price) FROM items WHERE qty BETWEEN 3 AND 9 GROUP BY qty ORDER BY qty;
-- require
SELECT sum(price), avg(discount) FROM items WHERE order_id = 77;
RESET enable_seqscan;
-- subqueries, CTEs, set operations
-- require
SELECT lines, count(*), sum(total), min(total) FROM order_sums GROUP BY lines ORDER BY lines;
-- require
SELECT count(*), sum(x) FROM (SELECT price AS x FROM items ORDER BY price DESC LIMIT 100) s;
-- require
WITH w AS MATERIALIZED (SELECT order_id % 5 AS g, qty FROM items) SELECT g, sum(qty), count(*) FROM w GROUP BY g ORDER BY g;
-- require
SELECT k, count(*), sum(v) FROM (SELECT status::text AS k, id AS v FROM orders UNION ALL SELECT region, id FROM customers) u
	GROUP BY k ORDER BY k;
-- require
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2000)
	SELECT n % 7, count(*), sum(n) FROM r GROUP BY 1 ORDER BY 1;
-- require
SELECT g, count(*) FROM (SELECT order_id % 4 AS g, row_number() OVER (PARTITION BY order_id) AS rn FROM items) w
	WHERE rn = 1 GROUP BY g ORDER BY g;
-- functions that return sets, in FROM and in the grouping columns
-- require
SELECT b, count(*), sum(a) FROM numbers(5000) GROUP BY b ORDER BY b;
-- require
SELECT a % 3, sum(a) FROM generate_series(1, 10000) a GROUP BY 1 ORDER BY 1;
-- require
SELECT generate_series(1, 3) AS g, count(*), sum(id) FROM customers GROUP BY g ORDER BY g;
-- require
SELECT x, count(*) FROM (VALUES (1), (2), (2), (NULL), (NULL)) v(x) GROUP BY x ORDER BY x;
-- require
SELECT u, count(*) FROM orders, unnest(string_to_array(status || ',x', ',')) u GROUP BY u ORDER BY u;
-- no rows, one row
-- require
SELECT count(*), sum(i.price), min(o.note) FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id < 0;
-- require
SELECT o.status, count(*) FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id < 0 GROUP BY o.status;
SELECT count(*), sum(1) FROM (SELECT 1) s;
-- volatile grouping column below, aggregate above
SELECT count(*) FROM (SELECT random() AS r FROM items) s GROUP BY r < 2;
-- lateral and correlated: the aggregation is run again with other parameters
-- require
SELECT o.id, s.n, s.total FROM orders o, LATERAL (SELECT count(*) AS n, sum(i.price) AS total
	FROM items i JOIN customers c ON c.id = o.customer WHERE i.order_id = o.id) s WHERE o.id < 40 ORDER BY o.id;
-- require
SELECT c.id, (SELECT sum(i.qty) FROM orders o JOIN items i ON i.order_id = o.id WHERE o.customer = c.id)
	FROM customers c WHERE c.id < 60 ORDER BY c.id;
-- require
SELECT c.id, (SELECT count(*) FROM orders o JOIN items i ON i.order_id = o.id
	WHERE o.status = 'F' HAVING count(*) > c.id * 50) FROM customers c WHERE c.id < 90 ORDER BY c.id;
-- errors belong to the first row of the input
SELECT sum(10 / (i.line - 2)) FROM orders o JOIN items i ON i.order_id = o.id;
SELECT count(*), sum(10 / (i.line - 2)) FILTER (WHERE i.line <> 2) FROM orders o JOIN items i ON i.order_id = o.id;
-- serial
SELECT o.status, max(i.t::int) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.status;
-- prepared, with parameters in the input and in the aggregation
PREPARE p(int, numeric) AS SELECT o.status, sum(i.price * $2), count(*) FILTER (WHERE i.qty > $1) FROM orders o
	JOIN items i ON i.order_id = o.id WHERE o.id > $1 GROUP BY o.status HAVING count(*) > $1 ORDER BY 1;
EXECUTE p(5, 1.5);
SET plan_cache_mode = force_generic_plan;
EXECUTE p(6, 0.001);
EXECUTE p(NULL, NULL);
RESET plan_cache_mode;
DEALLOCATE p;
-- nested: an aggregation over an aggregation over a join
-- require
SELECT n, count(*), sum(total) FROM (SELECT o.customer, count(*) AS n, sum(i.price) AS total FROM orders o
	JOIN items i ON i.order_id = o.id GROUP BY o.customer) s GROUP BY n ORDER BY n;
-- a foreign scan, alone and joined
-- require
SELECT n % 3 AS k, count(*), sum(n), max(t) FROM numbers_file GROUP BY k ORDER BY k;
-- require
SELECT o.status, count(*), sum(f.n) FROM numbers_file f JOIN orders o ON o.id = f.n GROUP BY o.status ORDER BY 1;
