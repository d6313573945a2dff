-- Run with psql -v module=PATH, the library without its suffix.

-- One line per kernel of the level (0 base, 1 v3, 2 v4): how many rows were compared with the
-- function called row by row, how often the kernel stopped where the function raises (stops) and
-- where it does not (early), and how many results or stops were wrong, with the first of them.
CREATE FUNCTION vexec_kernel_test(isa integer, seed bigint, batches integer,
    OUT family text, OUT function text, OUT batches_run bigint, OUT rows_compared bigint,
    OUT stops bigint, OUT early bigint, OUT wrong bigint, OUT first_wrong text)
RETURNS SETOF record
AS :'module', 'vexec_kernel_test' LANGUAGE C STRICT VOLATILE;

-- The highest level of this CPU and build.
CREATE FUNCTION vexec_kernel_isa() RETURNS integer
AS :'module', 'vexec_kernel_isa' LANGUAGE C STRICT VOLATILE;

-- Nanoseconds per selected row of a kernel without nulls: with a constant second argument or not,
-- every step-th row selected (1: no list).
CREATE FUNCTION vexec_kernel_time(isa integer, function oid, constant boolean, step integer)
RETURNS float8
AS :'module', 'vexec_kernel_time' LANGUAGE C STRICT VOLATILE;

-- Partial results of an aggregate's vector state against those of its transition function, and what
-- core's combine and final functions make of them: null if it has no vector state, "ok", or the first
-- difference.
CREATE FUNCTION vexec_partial_test(isa integer, seed bigint, rounds integer, aggregate oid)
RETURNS text
AS :'module', 'vexec_partial_test' LANGUAGE C STRICT VOLATILE;
