-- text filter, text group
SELECT l_shipmode, count(*), sum(l_quantity)
FROM lineitem
WHERE l_shipinstruct = 'DELIVER IN PERSON'
GROUP BY l_shipmode
ORDER BY l_shipmode
