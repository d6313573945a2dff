-- group by 10,000 keys x SF
SELECT l_suppkey, count(*), sum(l_quantity)
FROM lineitem
GROUP BY l_suppkey
ORDER BY l_suppkey
