-- 10 million groups in 4 MB
-- SET work_mem = 4MB
-- PAIRS 7
-- MEMORY
SELECT count(*), sum(rows), max(value)
FROM (SELECT key, count(*) AS rows, sum(value) AS value
      FROM more.groups
      GROUP BY key) AS grouped
