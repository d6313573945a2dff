#!/bin/bash
# Parallel plans where processes are missing or go: no worker to be had, by each of the limits; one
# that is terminated or cancelled while it scans or aggregates; an error of one while others wait; the
# leader cancelled; LIMIT above Gather while workers still run.  The answer is right, or the error is
# core's, and the session goes on and leaves no worker and no shared memory behind.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tap.sh"

vx_temp_folder folder parallel
vx_start "$folder" cassert "shared_buffers = 128MB" "autovacuum = off" "fsync = off" "jit = off" \
	"max_worker_processes = 6" "max_parallel_workers = 4" "max_parallel_workers_per_gather = 3" \
	"parallel_setup_cost = 0" "parallel_tuple_cost = 0" "min_parallel_table_scan_size = 0" \
	"session_preload_libraries = 'pg_vexec'" >/dev/null
vx_use "$folder"
vx_psql "$folder" -q <<'SQL'
CREATE TABLE big (id int NOT NULL, k int, n numeric(12,2), t text);
INSERT INTO big SELECT g, g % 50, g / 4.0, 'text ' || g % 9 FROM generate_series(1, 300000) g;
ALTER TABLE big SET (parallel_workers = 3);
VACUUM (FREEZE, ANALYZE) big;
-- Takes long for one row in each of the table's parts, in a worker only.
CREATE FUNCTION slow(int) RETURNS int LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1 AS $$
BEGIN
	IF $1 % 10000 = 0 AND (SELECT backend_type FROM pg_stat_activity WHERE pid = pg_backend_pid()) = 'parallel worker' THEN
		PERFORM pg_sleep(20);
	END IF;
	RETURN $1;
END $$;
SQL

on="SET pg_vexec.enabled = on; SET pg_vexec.force = on"
scan="SELECT count(*), sum(id) FROM (SELECT id FROM big WHERE k = 7 OFFSET 0) x"
aggregate="SELECT sum(c), sum(s), max(m) FROM (SELECT k, count(*) AS c, sum(n) AS s, max(t) AS m FROM big GROUP BY k) x"
expected_scan=$(vx_psql "$folder" -qAt -c "$scan")
expected_aggregate=$(vx_psql "$folder" -qAt -c "$aggregate")

# Both plans are parallel and vectorized.
for query in "$scan" "$aggregate"; do
	plan=$(vx_psql "$folder" -qAt -c "$on" -c "EXPLAIN (COSTS OFF) $query")
	report "planned for workers" "$(grep -q 'Parallel Custom Scan (Vexec' <<<"$plan" || echo 1)" "$plan"
done

# answers NAME SETTINGS
answers()
{
	report_same "$1: scan" "$expected_scan" "$(vx_psql "$folder" -qAt -c "$on; $2" -c "$scan")"
	report_same "$1: aggregate" "$expected_aggregate" "$(vx_psql "$folder" -qAt -c "$on; $2" -c "$aggregate")"
}

answers "three workers" ""
answers "no worker allowed" "SET max_parallel_workers = 0"
answers "one worker instead of three" "SET max_parallel_workers = 1"
answers "no leader" "SET parallel_leader_participation = off"
answers "neither leader nor workers" "SET parallel_leader_participation = off; SET max_parallel_workers = 0"

# Pages cold, hot in order, and scattered over shared buffers with gaps: each is read once.
vx_psql "$folder" -q <<'SQL'
CREATE EXTENSION pg_prewarm;
CREATE EXTENSION pg_buffercache;
CHECKPOINT;
SQL
pages=$(vx_psql "$folder" -qAt -c "SELECT pg_relation_size('big') / 8192")
for state in cold hot scattered; do
	if [ $state != hot ]; then
		vx_psql "$folder" -qAt -c "SELECT pg_buffercache_evict_relation('big')" >/dev/null
	fi
	if [ $state = scattered ]; then
		vx_psql "$folder" -qAt -c "
			SELECT sum(pg_prewarm('big', 'buffer', 'main', b, b))
			FROM (SELECT i * 7919::bigint % $pages AS b FROM generate_series(0, $pages / 3) i
				UNION ALL SELECT generate_series($pages / 2, $pages * 2 / 3)) x" >/dev/null
	fi
	counted=$(vx_psql "$folder" -qAt -c "$on" -c "
		EXPLAIN (ANALYZE, COSTS OFF, FORMAT JSON) SELECT count(*), sum(id) FROM big WHERE k < 40" |
		sed -n 's/.*"Shared \(Hit\|Read\) Blocks": \([0-9]*\),*/\2/p' | head -n 2 |
		awk '{ sum += $1 } END { print sum }')
	report_same "pages $state: each is read once" "$pages" "$counted"
	answers "pages $state" ""
done

workers()
{
	vx_psql "$folder" -qAt -c "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker'"
}
# Workers that are inside slow().
sleeping()
{
	[ "$(vx_psql "$folder" -qAt -c "SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'parallel worker' AND wait_event = 'PgSleep'")" = t ]
}
no_workers()
{
	[ "$(workers)" = 0 ]
}
# Shared memory segments that the session s has mapped.
segments()
{
	local pid

	session_run s "SELECT pg_backend_pid();"
	pid=$SESSION_TEXT
	grep -o '/dev/shm/PostgreSQL[^ ]*' "/proc/$pid/maps" | sort -u | wc -l
}

# Other sessions hold all workers.
session_open holder "$folder"
session_run holder "SET pg_vexec.enabled = off; SET max_parallel_workers_per_gather = 3; SET parallel_leader_participation = off;"
session_open holder2 "$folder"
session_run holder2 "SET pg_vexec.enabled = off; SET max_parallel_workers_per_gather = 3; SET parallel_leader_participation = off;"
session_send holder "SELECT sum(slow(id)) FROM big;"
session_send holder2 "SELECT sum(slow(id)) FROM big;"
wait_for 20 sleeping || report "workers are held" 1
answers "all workers taken" ""
vx_psql "$folder" -qAt -c "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()" >/dev/null
session_wait holder
session_wait holder2
# in this order: the second holds the first one's pipe open
session_close holder2
session_close holder
report "workers are free again" "$(wait_for 20 no_workers || echo 1)"

# What happens to a worker, or the leader, in the middle of a query.
scan_slow="SELECT count(*) FROM (SELECT id FROM big WHERE slow(id) > 0 OFFSET 0) x"
aggregate_slow="SELECT k, sum(slow(id)) FROM big GROUP BY k"

# interrupt NAME QUERY FUNCTION BACKEND_TYPE PATTERN
interrupt()
{
	local name=$1 query=$2 function=$3 type=$4 pattern=$5

	session_open s "$folder"
	session_run s "$on;"
	session_send s "$query;"
	if ! wait_for 20 sleeping; then
		report "$name: a worker takes part" 1
	fi
	vx_psql "$folder" -qAt -c "SELECT $function(pid) FROM pg_stat_activity WHERE backend_type = '$type' AND pid <> pg_backend_pid() AND state = 'active' LIMIT 1" >/dev/null
	session_wait s 15
	report "$name: the error" "$(grep -q -x "ERROR:  $pattern" <<<"$SESSION_TEXT" || echo 1)" "$SESSION_TEXT"
	report "$name: no worker stays" "$(wait_for 20 no_workers || echo 1)"
	session_run s "$scan;"
	report_same "$name: the session goes on" "${expected_scan/|/ }" "$SESSION_TEXT"
	session_close s
}

for kind in scan aggregate; do
	if [ $kind = scan ]; then
		query=$scan_slow
	else
		query=$aggregate_slow
	fi
	interrupt "$kind, worker terminated" "$query" pg_terminate_backend "parallel worker" "57P01"
	interrupt "$kind, worker cancelled" "$query" pg_cancel_backend "parallel worker" "57014"
	interrupt "$kind, leader cancelled" "$query" pg_cancel_backend "client backend" "57014"
done

# An error of one process ends the others.
for query in "SELECT count(*) FROM (SELECT id FROM big WHERE 1 / (id - 250000) >= 0 OFFSET 0) x" \
	"SELECT k, sum(1 / (id - 250000)) FROM big GROUP BY k"; do
	session_open s "$folder"
	session_run s "$on;"
	session_run s "$query;"
	report_same "an error: ${query:0:30}" "ERROR:  22012" "$SESSION_TEXT"
	report "an error: no worker stays" "$(wait_for 20 no_workers || echo 1)"
	session_run s "$scan;"
	report_same "an error: the session goes on" "${expected_scan/|/ }" "$SESSION_TEXT"
	session_close s
done

# A consumer that has enough, again and again, with EXPLAIN's counters and without; nothing stays.
session_open s "$folder"
session_run s "$on;"
for round in $(seq 20); do
	session_run s "SELECT count(*) FROM (SELECT id FROM big WHERE k = 7 LIMIT 10) x;"
	[ "$SESSION_TEXT" = 10 ] || report "LIMIT above Gather" 1 "$SESSION_TEXT"
	session_run s "EXPLAIN (ANALYZE, COSTS OFF) SELECT id FROM big WHERE k = 7 LIMIT 10;"
	session_run s "EXPLAIN (ANALYZE, COSTS OFF) $aggregate;"
	session_run s "EXPLAIN (ANALYZE, COSTS OFF) SELECT a, (SELECT sum(n) FROM big WHERE k = a) FROM generate_series(1, 3) a;"
	# statistics come into memory in the first rounds
	if [ "$round" = 3 ]; then
		segments >"$folder/before"
	fi
done
session_run s "$scan;"
report_same "LIMIT above Gather: the session goes on" "${expected_scan/|/ }" "$SESSION_TEXT"
segments >"$folder/after"
report_same "no shared memory stays" "$(cat "$folder/before")" "$(cat "$folder/after")"
session_close s
report "LIMIT above Gather: no worker stays" "$(wait_for 20 no_workers || echo 1)"
# Hundreds of rescans of Gather in one query: no memory context grows.
vx_psql "$folder" -q <<'SQL'
CREATE TABLE few (id int, k int, n numeric);
INSERT INTO few SELECT g, g % 10, g / 3.0 FROM generate_series(1, 2000) g;
ALTER TABLE few SET (parallel_workers = 1);
ANALYZE few;
CREATE FUNCTION memory() RETURNS bigint LANGUAGE plpgsql PARALLEL RESTRICTED AS 'BEGIN RETURN (SELECT sum(total_bytes) FROM pg_backend_memory_contexts); END';
SQL
for inner in "SELECT count(*) AS x, sum(n), avg(n) FROM few OFFSET 0" \
	"SELECT id AS x FROM few WHERE k = 3 LIMIT 1" \
	"SELECT count(k) AS x, max(id) FROM (SELECT s.id, s.k FROM few s JOIN few t USING (id, k, n)) j OFFSET 0"; do
	# at rows 100 and 300, with the memory of the first calls behind
	memory=$(vx_psql "$folder" -qAt -c "$on" -c "SET enable_material = off; SET enable_nestloop = off" -c "
		SELECT a, CASE WHEN a IN (50, 100, 300) THEN memory() END
		FROM generate_series(1, 300) a LEFT JOIN LATERAL ($inner) q ON q.x > -a" |
		sed -n 's/^[13]00|//p')
	report "rescans of Gather: ${inner:0:40}" "$([ "$(wc -l <<<"$memory")" = 2 ] &&
		[ "$(sort -u <<<"$memory" | wc -l)" = 1 ] || echo 1)" "$memory"
done

report "the server did not restart" "$(grep -c 'was terminated by signal\|PANIC\|TRAP' "$(vx_log "$folder")" || true)" \
	"$(grep 'was terminated by signal\|PANIC\|TRAP' "$(vx_log "$folder")" || true)"
report "no warnings of leaks" "$(grep -c 'WARNING' "$(vx_log "$folder")" || true)" "$(grep 'WARNING' "$(vx_log "$folder")" || true)"
report_end
