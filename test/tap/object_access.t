#!/bin/bash
# The object-access hook sees the same functions executed with the extension off and on, each as
# often: what an extension like sepgsql bases its decisions on.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tap.sh"

vx_temp_folder folder access
pg_config=$(vx_pg_config cassert)
vx_run "compile the hook" "$folder/cc.log" "${CC:-gcc}" -shared -fPIC -O1 -Wall \
	-I"$("$pg_config" --includedir-server)" -o "$folder/vexec_hook_test.so" \
	"$VX_ROOT/test/modules/vexec_hook_test/vexec_hook_test.c"
vx_start "$folder/server" cassert "autovacuum = off" "fsync = off" "jit = off" \
	"max_parallel_workers_per_gather = 0" "session_preload_libraries = 'pg_vexec, $folder/vexec_hook_test.so'" >/dev/null
vx_psql "$folder/server" <<'SQL'
CREATE TABLE t (id int NOT NULL, k int, v int, n numeric(10,2), f float8, t text, d date);
INSERT INTO t SELECT g, g % 10, g % 100, g / 4.0, g / 8.0, 't' || g % 30, date '2000-01-01' + g % 100 FROM generate_series(1, 3000) g;
ANALYZE t;
CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 + 1; END';
CREATE FUNCTION acc(bigint, int) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 + $2; END';
CREATE FUNCTION fin(bigint) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN $1; END';
CREATE AGGREGATE own(int) (SFUNC = acc, STYPE = bigint, FINALFUNC = fin, INITCOND = '0');
SQL

# What a query executes, sorted; core's hash grouping is the plan that compares keys as we do.
executed()
{
	vx_psql "$folder/server" -At -c "SET pg_vexec.enabled = $1; SET pg_vexec.force = $1; SET pg_vexec.require = $1;
		SET enable_sort = off; SET enable_presorted_aggregate = off" -c "SET vexec_hook_test.print = on" -c "$2" 2>&1 >/dev/null |
		sed -n 's/^.*NOTICE: *executes /executes /p' | sort
}

while IFS= read -r query; do
	wanted=$(executed off "$query")
	report_same "$query: $(wc -l <<<"$wanted") functions" "$wanted" "$(executed on "$query")"
done <<'SQL'
SELECT id FROM t WHERE v > 3
SELECT id + 1, v * 2, t || 'x' FROM t WHERE v > 3 AND n < 100 AND t LIKE 't1%'
SELECT id FROM t WHERE v IN (1, 2, 3) OR k BETWEEN 3 AND 4 OR t = 't3'
SELECT id FROM t WHERE v IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
SELECT id, f(v) FROM t WHERE f(k) > 3 AND f(v) < 50
SELECT sum(f(v)), count(*) FROM t WHERE f(k) > 3 AND f(v) < 50
SELECT CASE WHEN v > 3 THEN v + 1 ELSE v - 1 END, coalesce(n + 1, n * 2), nullif(v, k) FROM t WHERE NOT v = 5
SELECT greatest(v, k), v::numeric, n::int, f::text FROM t WHERE v IS DISTINCT FROM k
SELECT count(*), sum(v), avg(n), min(t), max(f), count(k) FROM t
SELECT count(*), sum(v + k), avg(n * 2) FROM t WHERE v > 3
SELECT sum(v) FILTER (WHERE k > 3), sum(v), avg(v) FROM t
SELECT k, count(*), sum(v) FROM t GROUP BY k
SELECT k, t, d, n, count(*) FROM t WHERE v > 5 GROUP BY k, t, d, n
SELECT k + 1, sum(v) + 1, max(t) || 'x' FROM t GROUP BY k + 1 HAVING sum(v) > 5
SELECT k, own(v), own(f(v)), count(*) FROM t GROUP BY k
SELECT k, string_agg(t, ',' ORDER BY v, id), array_agg(n), stddev(f) FROM t GROUP BY k
SELECT count(DISTINCT v), sum(DISTINCT n), count(DISTINCT t) FROM t
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY f), mode() WITHIN GROUP (ORDER BY v) FROM t
SELECT a.k, sum(b.v), max(b.n + 1) FROM t a JOIN t b ON b.id = a.id GROUP BY a.k
SELECT k, (SELECT count(*) FROM t i WHERE i.v = o.k) FROM t o WHERE v = 3 AND id < 500
SELECT v % 7, sum(f(v)) FROM generate_series(1, 100) v GROUP BY v % 7
EXPLAIN SELECT k, sum(v + 1) FROM t WHERE v > 3 GROUP BY k HAVING sum(v) > 5
SQL
report_end
