#!/bin/bash
# What the statistics say about reading: buffers in EXPLAIN, pg_statio, pg_stat and pg_stat_io, with
# the extension off and on.  Pages cold and hot, in order and scattered over shared buffers, in more
# buffers than there are and in less than a quarter of them.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"

tests=0
# A closing line of TAP, then what led to it when it failed.
compare()
{
	local name=$1

	tests=$((tests + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $tests - $name"
	else
		echo "not ok $tests - $name"
		diff <(echo "$2") <(echo "$3") | sed 's/^/# /' || true
	fi
}

vx_temp_folder folder counters
settings=("shared_buffers = 16MB" "autovacuum = off" "fsync = off"
	"max_parallel_workers_per_gather = 0"
	"jit = off" "synchronize_seqscans = off" "track_io_timing = off"
	"session_preload_libraries = 'pg_vexec'" "stats_fetch_consistency = none")
start()
{
	vx_start "$folder" cassert "${settings[@]}" >/dev/null
	vx_use "$folder"
}

start
vx_psql "$folder" -q <<'SQL'
CREATE EXTENSION pg_prewarm;
CREATE TABLE small (id int NOT NULL, v int, pad text);
INSERT INTO small SELECT g, g % 10, repeat('x', 100) FROM generate_series(1, 22000) g;
CREATE TABLE large (LIKE small);
INSERT INTO large SELECT small.* FROM small, generate_series(1, 3);
VACUUM (FREEZE, ANALYZE) small, large;
CHECKPOINT;
SQL

# Reads a table's pages in this order, for the state of shared buffers that a test begins with.
prewarm()
{
	vx_psql "$folder" -qAt -c "
		SELECT sum(pg_prewarm('$1', 'buffer', 'main', block, block))
		FROM (SELECT (n + i * $2::bigint % n) % n AS block, i
			FROM (SELECT pg_relation_size('$1') / 8192 AS n), generate_series(0, n - 1) i
			$3 ORDER BY i) blocks" >/dev/null
}

# Runs a query and prints what was counted for its table.
counted()
{
	local mode=$1 table=$2 query=$3

	vx_psql "$folder" -qAt -c "SET pg_vexec.enabled = $mode; SET pg_vexec.force = $mode" \
		-c "SELECT WHERE pg_stat_reset_single_table_counters('$table'::regclass) IS NULL" \
		-c "SELECT WHERE pg_stat_reset_shared('io') IS NULL" \
		-c "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS) $query" \
		-c "SELECT WHERE pg_stat_force_next_flush() IS NULL" >"$folder/plan"
	if [ "$mode" = on ] && ! grep -q Vexec "$folder/plan"; then
		echo "no vector node"
	fi
	sed '/Planning/,$d' "$folder/plan" | grep -m 1 Buffers
	vx_psql "$folder" -At -F ' ' -c "
		SELECT 'read', heap_blks_read, 'hit', heap_blks_hit, 'scans', seq_scan, 'rows', seq_tup_read
		FROM pg_statio_user_tables JOIN pg_stat_user_tables USING (relid)
		WHERE relid = '$table'::regclass" -c "
		SELECT context, read_bytes, hits FROM pg_stat_io
		WHERE backend_type = 'client backend' AND object = 'relation' AND context = 'bulkread'"
}

# Compares the counts of a query after a restart and the reading of pages that "$@" does.
check()
{
	local name=$1 table=$2 query=$3 mode

	shift 3
	for mode in off on; do
		vx_stop "$folder"
		start
		if [ $# -gt 0 ]; then
			"$@"
		fi
		counted $mode "$table" "$query" >"$folder/counts-$mode"
	done
	compare "$name" "$(cat "$folder/counts-off")" "$(cat "$folder/counts-on")"
}

for table in small large; do
	check "$table, cold, count" $table "SELECT count(*) FROM $table"
	check "$table, cold, filter" $table "SELECT id FROM $table WHERE v = 3"
	check "$table, hot" $table "SELECT count(*) FROM $table" prewarm $table 1 ""
	check "$table, half hot" $table "SELECT count(*) FROM $table" \
		prewarm $table 1 "WHERE i / 50 % 2 = 1"
	check "$table, every third page hot" $table "SELECT count(*) FROM $table" \
		prewarm $table 1 "WHERE i % 3 = 1"
	check "$table, scattered" $table "SELECT v, sum(id) FROM $table GROUP BY v" prewarm $table 7919 ""
	check "$table, backward" $table "SELECT count(*) FROM $table" prewarm $table -1 ""
	check "$table, pieces in order" $table "SELECT count(*) FROM $table" \
		prewarm $table 1 "WHERE i % 100 < 60"
done
echo "1..$tests"
