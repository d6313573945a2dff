-- group by 1.5 million keys x SF
SELECT count(*), sum(lines), min(quantity), max(quantity)
FROM (SELECT l_orderkey, count(*) AS lines, sum(l_quantity) AS quantity
      FROM lineitem
      GROUP BY l_orderkey) AS orders
