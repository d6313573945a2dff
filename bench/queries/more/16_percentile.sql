-- percentile_cont in 4 MB
-- SET work_mem = 4MB
-- PAIRS 7
-- MEMORY
SELECT count(*), min(middle), max(middle), sum(middle::numeric)
FROM (SELECT o_custkey, percentile_cont(0.5) WITHIN GROUP (ORDER BY o_totalprice::float8) AS middle
      FROM orders
      GROUP BY o_custkey) AS middles
