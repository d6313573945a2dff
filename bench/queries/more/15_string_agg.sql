-- string_agg ORDER BY in 4 MB
-- SET work_mem = 4MB
-- PAIRS 7
-- MEMORY
SELECT count(*), sum(length(list)), min(list), max(list)
FROM (SELECT o_custkey, string_agg(o_orderpriority, ',' ORDER BY o_orderdate, o_orderkey) AS list
      FROM orders
      GROUP BY o_custkey) AS lists
