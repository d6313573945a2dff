-- count(DISTINCT), two groups
SELECT l_linestatus, count(DISTINCT l_suppkey)
FROM lineitem
GROUP BY l_linestatus
ORDER BY l_linestatus
