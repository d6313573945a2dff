-- The main job in small: tables with the shape of TPC-H's and its queries that read one table with
-- a filter and aggregates, and some of the others.

-- setup
CREATE TABLE tp_lineitem (
	l_orderkey bigint NOT NULL, l_partkey int NOT NULL, l_suppkey int NOT NULL, l_linenumber int NOT NULL, l_quantity numeric(15,2) NOT NULL, l_extendedprice numeric(15,2) NOT NULL,
	l_discount numeric(15,2) NOT NULL, l_tax numeric(15,2) NOT NULL, l_returnflag char(1) NOT NULL, l_linestatus char(1) NOT NULL, l_shipdate date NOT NULL, l_commitdate date NOT NULL,
	l_receiptdate date NOT NULL, l_shipinstruct char(25) NOT NULL, l_shipmode char(10) NOT NULL, l_comment varchar(44) NOT NULL
);
INSERT INTO tp_lineitem
SELECT g / 4 + 1, g * 31 % 2000 + 1, g * 17 % 100 + 1, g % 4 + 1, g % 50 + 1, (g * 7919 % 9000000 + 90000) / 100.0, g % 11 / 100.0, g % 9 / 100.0, (ARRAY['A', 'N', 'R'])[g % 3 + 1],
	(ARRAY['O', 'F'])[g / 7 % 2 + 1], date '1992-01-02' + g * 37 % 2500, date '1992-01-31' + g * 41 % 2460, date '1992-01-10' + g * 37 % 2500 + g % 30,
	(ARRAY['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'])[g % 4 + 1], (ARRAY['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'])[g % 7 + 1],
	left((ARRAY['carefully final', 'special requests', 'furiously even', 'regular packages', 'blithely'])[g % 5 + 1] || ' ' || md5(g::text), 10 + g % 34)
FROM generate_series(1, 12000) g;
CREATE TABLE tp_orders (
	o_orderkey bigint PRIMARY KEY, o_custkey int NOT NULL, o_orderstatus char(1) NOT NULL, o_totalprice numeric(15,2) NOT NULL, o_orderdate date NOT NULL, o_orderpriority char(15) NOT NULL,
	o_clerk char(15) NOT NULL, o_shippriority int NOT NULL, o_comment varchar(79) NOT NULL
);
INSERT INTO tp_orders SELECT g, g * 13 % 500 + 1, (ARRAY['O', 'F', 'P'])[g % 3 + 1], g * 7919 % 50000000 / 100.0, date '1992-01-01' + g * 11 % 2400, (ARRAY['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'])[g % 5 + 1],
	'Clerk#' || lpad((g % 100)::text, 9, '0'), 0, CASE WHEN g % 13 = 0 THEN 'the special packages requests' ELSE 'regular ' || g END FROM generate_series(1, 3001) g;
CREATE TABLE tp_part (p_partkey int PRIMARY KEY, p_brand char(10) NOT NULL, p_type varchar(25) NOT NULL, p_size int NOT NULL, p_container char(10) NOT NULL);
INSERT INTO tp_part SELECT g, 'Brand#' || g % 5 + 1 || g % 4 + 1, (ARRAY['PROMO BRUSHED', 'STANDARD POLISHED', 'PROMO PLATED', 'SMALL ANODIZED'])[g % 4 + 1] || ' STEEL', g % 50 + 1, (ARRAY['SM CASE', 'SM BOX', 'MED BAG', 'LG PACK', 'LG BOX'])[g % 5 + 1] FROM generate_series(1, 2000) g;
ANALYZE tp_lineitem; ANALYZE tp_orders; ANALYZE tp_part;
-- end setup

-- Q1.
-- require
SELECT l_returnflag, l_linestatus, sum(l_quantity) AS sum_qty, sum(l_extendedprice) AS sum_base_price, sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
	sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge, avg(l_quantity) AS avg_qty, avg(l_extendedprice) AS avg_price, avg(l_discount) AS avg_disc, count(*) AS count_order
FROM tp_lineitem WHERE l_shipdate <= date '1998-12-01' - interval '90 day' GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus;
-- require
SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_discount), count(*) FROM tp_lineitem WHERE l_shipdate <= date '1993-09-02' GROUP BY l_returnflag, l_linestatus;
-- Q6.
-- require
SELECT sum(l_extendedprice * l_discount) AS revenue FROM tp_lineitem
WHERE l_shipdate >= date '1994-01-01' AND l_shipdate < date '1994-01-01' + interval '1 year' AND l_discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND l_quantity < 24;
-- require
SELECT sum(l_extendedprice * l_discount) AS revenue, count(*) FROM tp_lineitem WHERE l_shipdate >= '1994-01-01' AND l_shipdate < '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24;
-- require
SELECT count(*) FROM tp_lineitem;
-- require
SELECT sum(l_orderkey), min(l_partkey), max(l_suppkey) FROM tp_lineitem;
-- require
SELECT l_shipmode, count(*) FROM tp_lineitem WHERE l_shipinstruct = 'DELIVER IN PERSON' GROUP BY l_shipmode;
-- require
SELECT count(*), sum(l_quantity) FROM tp_lineitem WHERE l_shipmode = 'AIR';
-- require
SELECT l_suppkey, count(*), sum(l_extendedprice), avg(l_discount) FROM tp_lineitem GROUP BY l_suppkey;
-- require
SELECT l_orderkey, sum(l_quantity), max(l_shipdate) FROM tp_lineitem GROUP BY l_orderkey HAVING sum(l_quantity) > 150;
-- require
SELECT l_partkey, l_suppkey, sum(l_quantity) * 0.5 AS half FROM tp_lineitem WHERE l_shipdate >= date '1994-01-01' AND l_shipdate < date '1995-01-01' GROUP BY l_partkey, l_suppkey;
-- require
SELECT l_comment, l_shipmode FROM tp_lineitem WHERE l_comment LIKE '%special%requests%' AND l_quantity > 45;
-- require
SELECT l_shipmode, sum(CASE WHEN l_returnflag = 'R' OR l_linestatus = 'F' THEN 1 ELSE 0 END) AS a, sum(CASE WHEN l_returnflag <> 'R' AND l_linestatus <> 'F' THEN 1 ELSE 0 END) AS b FROM tp_lineitem
WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate AND l_receiptdate >= date '1994-01-01' AND l_receiptdate < date '1995-01-01' GROUP BY l_shipmode;
-- require
SELECT extract(year FROM l_shipdate) AS y, l_returnflag, sum(l_extendedprice * (1 - l_discount)) FROM tp_lineitem GROUP BY 1, 2;
-- require
SELECT count(*), sum(l_extendedprice) FROM tp_lineitem WHERE l_commitdate < l_receiptdate AND l_shipmode IN ('AIR', 'AIR REG') AND l_quantity BETWEEN 10 AND 20 OR l_shipinstruct = 'NONE' AND l_discount = 0.10;
-- require
SELECT o_orderpriority, count(*) FROM tp_orders WHERE o_orderdate >= date '1993-07-01' AND o_comment NOT LIKE '%special%requests%' GROUP BY o_orderpriority;
-- Others.
SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate FROM tp_orders JOIN tp_lineitem ON l_orderkey = o_orderkey WHERE o_orderdate < date '1995-03-15' AND l_shipdate > date '1995-03-15' GROUP BY l_orderkey, o_orderdate ORDER BY revenue DESC, l_orderkey LIMIT 10;
SELECT o_orderpriority, count(*) FROM tp_orders WHERE o_orderdate >= date '1993-07-01' AND o_orderdate < date '1993-10-01' AND EXISTS (SELECT 1 FROM tp_lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY o_orderpriority ORDER BY o_orderpriority;
SELECT 100.00 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) / sum(l_extendedprice * (1 - l_discount)) AS promo FROM tp_lineitem, tp_part WHERE l_partkey = p_partkey AND l_shipdate >= date '1995-09-01' AND l_shipdate < date '1995-10-01';
WITH revenue AS (SELECT l_suppkey AS supp, sum(l_extendedprice * (1 - l_discount)) AS total FROM tp_lineitem WHERE l_shipdate >= date '1996-01-01' AND l_shipdate < date '1996-04-01' GROUP BY l_suppkey) SELECT supp, total FROM revenue WHERE total = (SELECT max(total) FROM revenue);
SELECT sum(l_extendedprice) / 7.0 AS avg_yearly FROM tp_lineitem, tp_part WHERE p_partkey = l_partkey AND p_brand = 'Brand#23' AND p_container = 'MED BAG' AND l_quantity < (SELECT 0.8 * avg(l_quantity) FROM tp_lineitem WHERE l_partkey = p_partkey);
SELECT o_custkey, count(*), sum(l_quantity) FROM tp_orders, tp_lineitem WHERE o_orderkey IN (SELECT l_orderkey FROM tp_lineitem GROUP BY l_orderkey HAVING sum(l_quantity) > 170) AND o_orderkey = l_orderkey GROUP BY o_custkey ORDER BY 1;
SELECT sum(l_extendedprice * (1 - l_discount)) AS revenue FROM tp_lineitem, tp_part WHERE p_partkey = l_partkey AND l_shipinstruct = 'DELIVER IN PERSON' AND
	((p_brand = 'Brand#12' AND p_container IN ('SM CASE', 'SM BOX') AND l_quantity BETWEEN 1 AND 11 AND p_size BETWEEN 1 AND 5) OR (p_brand = 'Brand#23' AND p_container IN ('MED BAG', 'MED BOX') AND l_quantity BETWEEN 10 AND 20) OR (p_brand LIKE 'Brand#3%' AND l_quantity >= 20 AND l_quantity <= 30));
SELECT c_count, count(*) AS custdist FROM (SELECT o_custkey, count(o_orderkey) AS c_count FROM tp_orders WHERE o_comment NOT LIKE '%special%requests%' GROUP BY o_custkey) c GROUP BY c_count ORDER BY custdist DESC, c_count DESC;
