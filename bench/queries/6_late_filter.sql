-- filter on column 15
SELECT count(*), sum(l_quantity)
FROM lineitem
WHERE l_shipmode = 'MAIL'
