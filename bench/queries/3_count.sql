-- count(*)
SELECT count(*)
FROM lineitem
