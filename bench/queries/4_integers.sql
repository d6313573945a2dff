-- sum, min, max of integers
SELECT sum(l_partkey), min(l_suppkey), max(l_linenumber)
FROM lineitem
