#!/bin/bash
# No memory context grows with executions: a thousand rescans within one query, ten thousand
# executions of a prepared statement, a thousand cursors and failing statements in one session.
# Growth is allowed as far as core's plan grows by the same statements.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"

# Bytes that the growth may differ from core's: contexts take memory in blocks.
slack=16384

vx_temp_folder folder growth
vx_start "$folder" cassert "shared_buffers = 64MB" "autovacuum = off" "fsync = off" "jit = off" \
	"max_parallel_workers_per_gather = 0" "session_preload_libraries = 'pg_vexec'" >/dev/null
vx_use "$folder"
vx_psql "$folder" <<'SQL'
CREATE TABLE t (id int NOT NULL, k int NOT NULL, v int, n numeric(12,3), t text, f float8);
INSERT INTO t SELECT g, g % 7, g % 50, g / 8.0, 'key ' || g % 40 || repeat('x', g % 3 * 50), g / 3.0 FROM generate_series(1, 300) g;
CREATE TABLE docs (id int NOT NULL, doc text);
ALTER TABLE docs ALTER doc SET STORAGE EXTERNAL;
INSERT INTO docs SELECT g, repeat('doc ' || g, 1000) FROM generate_series(1, 12) g;
CREATE TABLE many (id int NOT NULL, k int NOT NULL, t text);
INSERT INTO many SELECT g, g % 3, 'key ' || g FROM generate_series(1, 3000) g;
CREATE TABLE part (id int NOT NULL, v int) PARTITION BY RANGE (id);
CREATE TABLE part1 PARTITION OF part FOR VALUES FROM (0) TO (100);
CREATE TABLE part2 PARTITION OF part FOR VALUES FROM (100) TO (400);
INSERT INTO part SELECT g, g % 9 FROM generate_series(0, 399) g;
VACUUM (FREEZE, ANALYZE) t, docs, many;
ANALYZE part;
CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 + 1; END';
CREATE FUNCTION s(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT $1 || 'y'$$;
-- Allocated, not used: what a context keeps for later is memory too.
CREATE FUNCTION memory() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RETURN (SELECT sum(total_bytes) FROM pg_backend_memory_contexts);
END $$;
SQL

settings()
{
	echo "SET pg_vexec.enabled = $1; SET pg_vexec.force = $1; SET plan_cache_mode = force_generic_plan;"
	# Core's own plans differ in the same way: hashing, and nothing remembered.
	echo "SET enable_sort = off; SET enable_memoize = off; SET enable_material = off;"
}

tests=0
without=
report()
{
	tests=$((tests + 1))
	if [ "$2" = 0 ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
		echo "# $3"
	fi
}

# check NAME OFF ON: growth in bytes with the extension off and on, each one number.
check()
{
	if ! [[ $2 =~ ^-?[0-9]+$ && $3 =~ ^-?[0-9]+$ ]]; then
		report "$1" 1 "no figures: '$2' '$3'"
	elif [ "$3" -gt $((($2 > 0 ? $2 : 0) + slack)) ]; then
		report "$1" 1 "grew by $3 bytes, core by $2"
	else
		report "$1 ($3 bytes, core $2)" 0
	fi
}

# Growth between the 100th and the last of the rescans of a LATERAL subquery, which knows g.
rescans()
{
	local name=$1 query=$2 rows=${3:-1000} mode
	local -A grown=()

	for mode in off on; do
		{
			settings $mode
			# Compiled and planned, so that the function itself no longer grows.
			echo "SELECT memory() FROM generate_series(1, 6);"
			echo "${4:-}"
			echo "SELECT 'grown', max(m) FILTER (WHERE g = $rows) - max(m) FILTER (WHERE g = 100) FROM (
				SELECT o.g, CASE WHEN o.g IN (100, $rows) THEN memory() END AS m
				FROM generate_series(1, $rows) o(g) CROSS JOIN LATERAL (SELECT count(*) FROM ($query) x) q OFFSET 0) z;"
		} | vx_psql "$folder" -At -F ' ' >"$folder/output"
		grown[$mode]=$(sed -n 's/^grown //p' "$folder/output" | tail -n 1)
	done
	if [ "$name" = control ]; then
		report "growth is seen: ${grown[off]} and ${grown[on]} bytes" \
			$((grown[off] > 500000 && grown[on] > 500000 ? 0 : 1)) "it is not"
		return
	fi
	check "rescans: $name" "${grown[off]:-}" "${grown[on]:-}"
	has_node "SELECT * FROM generate_series(1, 5) o(g), LATERAL ($query) q" || without+=" [$name]"
}

# The plan must have the node, else the figures say nothing.  The control has none.
has_node()
{
	{
		settings on
		echo "EXPLAIN (COSTS OFF, GENERIC_PLAN) $1;"
	} | vx_psql "$folder" -At | grep -q Vexec
}

rescans control "SELECT set_config('growth.x' || o.g, repeat('x', 1000), false)"
rescans "filter" "SELECT id FROM t WHERE v = o.g % 60"
rescans "count" "SELECT count(*), sum(v), avg(n), max(f) FROM t WHERE k = o.g % 9"
rescans "groups" "SELECT v, count(*), sum(n), avg(f) FROM t WHERE id > o.g % 300 GROUP BY v"
rescans "text keys" "SELECT t, min(t), max(t), sum(n) FROM t WHERE k <> o.g % 9 GROUP BY t"
rescans "computed keys" "SELECT v * o.g AS x, n + o.g AS y, count(*) FROM t GROUP BY 1, 2"
rescans "functions" "SELECT sum(f(v)), max(s(t)), count(*) FILTER (WHERE f(k) = o.g % 5) FROM t WHERE f(v) > o.g % 20"
rescans "toasted values" "SELECT max(doc), sum(length(doc)) FROM docs WHERE id > o.g % 12"
rescans "other aggregates" "SELECT k, string_agg(t, ','), array_agg(v ORDER BY id), stddev(n) FROM t WHERE v > o.g % 50 GROUP BY k"
rescans "distinct" "SELECT k, count(DISTINCT v), sum(DISTINCT n) FROM t WHERE v > o.g % 50 GROUP BY k"
rescans "HAVING and InitPlan" "SELECT k, sum(v) FROM t WHERE v > (SELECT avg(v) FROM t WHERE k = o.g % 7) GROUP BY k HAVING sum(v) > o.g"
rescans "left in the middle" "SELECT id, t || o.g FROM t WHERE v < 40 LIMIT 20"
rescans "groups left in the middle" "SELECT t, count(*) FROM t WHERE v <> o.g % 50 GROUP BY t LIMIT 5"
rescans "partitions" "SELECT v, count(*) FROM part WHERE id >= o.g % 400 GROUP BY v"
rescans "groups on disk" "SELECT id, t, count(*) FROM many WHERE k <> o.g % 4 GROUP BY id, t" 250 \
	"SET work_mem = '64kB'; SET hash_mem_multiplier = 1;"
rescans "groups on disk left in the middle" "SELECT id, t, count(*) FROM many WHERE k <> o.g % 4 GROUP BY id, t LIMIT 1" 250 \
	"SET work_mem = '64kB'; SET hash_mem_multiplier = 1;"

# Growth by executions after the first 500 of one session, measured between them.
executions()
{
	local name=$1 count=$2 prepare=$3 statement=$4 mode i
	local -A grown=()

	for mode in off on; do
		{
			settings $mode
			echo "$prepare"
			for ((i = 1; i <= 500; i++)); do
				echo "${statement//@/$i}"
			done
			echo "SELECT memory() FROM generate_series(1, 6);"
			echo "SELECT 'before', memory();"
			for ((; i <= count; i++)); do
				echo "${statement//@/$i}"
			done
			echo "SELECT 'after', memory();"
		} | vx_psql "$folder" -v ON_ERROR_STOP=0 -At -F ' ' 2>/dev/null >"$folder/output"
		grown[$mode]=$(awk '$1 == "before" { b = $2 } $1 == "after" { print $2 - b }' "$folder/output")
	done
	check "$count executions: $name" "${grown[off]:-}" "${grown[on]:-}"
}

executions "filter" 10000 "PREPARE p (int) AS SELECT id, t FROM t WHERE v = \$1 AND n > 3;" \
	"EXECUTE p (@ % 60);"
executions "groups" 10000 \
	"PREPARE p (int) AS SELECT k, count(*), sum(n), max(t) FROM t WHERE v > \$1 GROUP BY k;" \
	"EXECUTE p (@ % 60);"
executions "functions and subqueries" 3000 \
	"PREPARE p (int) AS SELECT k, sum(f(v)), max(s(t)) FROM t WHERE v > (SELECT avg(v) FROM t WHERE k = \$1) GROUP BY k HAVING sum(v) > \$1;" \
	"EXECUTE p (@ % 7);"
executions "planned each time" 3000 "" "SELECT k + @, count(*), max(t) FROM t WHERE v > @ % 50 GROUP BY k;"
executions "failing" 3000 "PREPARE p (int) AS SELECT k, sum(10 / (v - \$1)), max(t) FROM t GROUP BY k;" \
	"EXECUTE p (@ % 50);"
executions "cursors" 2000 "" \
	"BEGIN; DECLARE c CURSOR FOR SELECT id, t, n * 2 FROM t WHERE v > @ % 50; FETCH 5 FROM c; MOVE 50 FROM c; FETCH BACKWARD 3 FROM c; COMMIT;"

for query in "SELECT id, t FROM t WHERE v = \$1" "SELECT k, count(*), sum(n), max(t) FROM t WHERE v > \$1 GROUP BY k" \
	"SELECT o.g, q.* FROM generate_series(1, 5) o(g), LATERAL (SELECT v, count(*), sum(n), avg(f) FROM t WHERE id > o.g % 300 GROUP BY v) q"; do
	has_node "$query" || without+=" [$query]"
done
report "vector nodes run" ${#without} "none in$without"
echo "1..$tests"
