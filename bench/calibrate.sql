-- Tables for bench/calibrate: rows without nulls, of every kind of column that kernels know, in
-- several sizes.  Values are spread so that the planner's estimates are close to the truth: what is
-- fitted is time, not statistics.
DROP SCHEMA IF EXISTS calibrate CASCADE;
CREATE SCHEMA calibrate;

CREATE TABLE calibrate.large (
    id integer NOT NULL,
    percent integer NOT NULL,
    key10 integer NOT NULL,
    key1000 integer NOT NULL,
    key50000 integer NOT NULL,
    big bigint NOT NULL,
    real8 float8 NOT NULL,
    money numeric(12,2) NOT NULL,
    day date NOT NULL,
    fixed char(10) NOT NULL,
    word text NOT NULL,
    line text NOT NULL
);
INSERT INTO calibrate.large
SELECT n, n * 7919 % 100, n * 104729 % 10, n * 7919 % 1000, n * 7919 % 50000,
       n * 12345678901 % 1000003, n * 0.37, n % 9973 + (n % 100) / 100.0,
       date '2000-01-01' + (n % 3650)::integer, 'code ' || n % 10, 'word' || n % 1000,
       repeat('some text ' || n % 7 || ' ', (2 + n % 3)::integer)
FROM generate_series(1::bigint, 200000) AS n;
CREATE UNIQUE INDEX ON calibrate.large (id);

CREATE TABLE calibrate.nothing AS SELECT * FROM calibrate.large WHERE false;
CREATE TABLE calibrate.tiny AS SELECT * FROM calibrate.large WHERE id <= 100;
CREATE TABLE calibrate.small AS SELECT * FROM calibrate.large WHERE id <= 1000;
CREATE TABLE calibrate.middle AS SELECT * FROM calibrate.large WHERE id <= 10000;
VACUUM (FREEZE, ANALYZE) calibrate.large, calibrate.tiny, calibrate.small, calibrate.middle;
