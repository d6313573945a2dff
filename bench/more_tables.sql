-- Tables of the queries in this folder that TPC-H does not have.
-- Ten million groups, half of them of two rows, in an order that has nothing to do with the key.
CREATE SCHEMA IF NOT EXISTS more;
CREATE TABLE more.groups AS
SELECT n * 7919 % 10000000 AS key, (n % 1000)::integer AS value
FROM generate_series(1::bigint, 15000000) AS n;
VACUUM (FREEZE, ANALYZE) more.groups;
