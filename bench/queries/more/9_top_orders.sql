-- 1.5 million groups x SF, top 10
SELECT l_orderkey, sum(l_quantity) AS quantity, count(*)
FROM lineitem
GROUP BY l_orderkey
ORDER BY quantity DESC, l_orderkey
LIMIT 10
