#!/bin/bash
# A query is cancelled at points spread over its whole duration, in every phase: scan, kernels over
# long values, core's functions, grouping, writing groups to disk and reading them, sorting the input
# of aggregates, finishing and handing up groups, below Gather.  Each cancel is served at once, and
# nothing is left behind.  Then several sessions with timeouts at random.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tap.sh"

# Milliseconds from the timeout to the error: half of the cancels of a query, and each.  The machine
# may be busy, the server checks assertions, and the promise is 100.
typical=150
longest=700
points=10

vx_temp_folder folder cancel
vx_start "$folder" cassert "shared_buffers = 256MB" "autovacuum = off" "fsync = off" "jit = off" \
	"max_parallel_workers = 4" "parallel_setup_cost = 0" "parallel_tuple_cost = 0" \
	"min_parallel_table_scan_size = 0" "session_preload_libraries = 'pg_vexec'" >/dev/null
vx_use "$folder"
vx_psql "$folder" <<'SQL'
CREATE TABLE big (id int NOT NULL, k int NOT NULL, v int NOT NULL, n numeric(12,2), t text);
INSERT INTO big SELECT g, g % 7, g, g / 4.0, 'a key of some length ' || g FROM generate_series(1, 400000) g;
-- A megabyte each, in twelve kilobytes.
CREATE TABLE docs (id int NOT NULL, doc text);
INSERT INTO docs SELECT g, repeat('document', 120000) || g FROM generate_series(1, 300) g;
VACUUM (FREEZE, ANALYZE) big, docs;
CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS 'BEGIN RETURN $1 + 1; END';
CREATE FUNCTION memory() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT sum(total_bytes) FROM pg_backend_memory_contexts); END';
SQL

serial="SET max_parallel_workers_per_gather = 0"
parallel="SET max_parallel_workers_per_gather = 2"
disk="SET work_mem = '64kB'; SET hash_mem_multiplier = 1"

files_gone()
{
	[ "$(vx_psql "$folder" -At -c "SELECT count(*) FROM pg_ls_tmpdir()")" = 0 ]
}

# phase NAME SETTINGS QUERY
phase()
{
	local name=$1 settings=$2 query=$3 duration i timeout late=() left text

	session_open s "$folder"
	session_run s "SET pg_vexec.enabled = on; SET pg_vexec.force = on; SET enable_sort = off; $settings;
		SELECT memory() FROM generate_series(1, 6);"
	session_run s "\\timing on"
	session_run s "$query;" 120
	text=$SESSION_TEXT
	duration=$(sed -n 's/^Time: \([0-9]*\)\..*/\1/p' <<<"$SESSION_TEXT" | tail -n 1)
	if [ -z "$duration" ] || [ "$duration" -lt 60 ]; then
		report "$name: runs" 1 "too short to be cancelled: $text"
		session_close s
		return
	fi
	# The first cancels fill caches that stay.
	for ((i = -3; i < points; i++)); do
		timeout=$((duration * (i < 0 ? 2 - i * 2 : i + 1) / (points + 2) + 1))
		session_run s "SET statement_timeout = $timeout;"
		session_run s "$query;"
		text=$SESSION_TEXT
		session_run s "RESET statement_timeout;"
		if grep -q 'ERROR:  57014' <<<"$text"; then
			late+=($(($(sed -n 's/^Time: \([0-9]*\)\..*/\1/p' <<<"$text" | tail -n 1) - timeout)))
		elif grep -q ERROR <<<"$text"; then
			report "$name: cancelled after $timeout ms" 1 "$text"
			session_close s
			return
		fi
		if [ $i = -1 ]; then
			session_run s "\\timing off"
			session_run s "SELECT 'memory', memory();"
			left=$SESSION_TEXT
			session_run s "\\timing on"
		fi
	done
	session_run s "\\timing off"
	session_run s "SELECT 'memory', memory();"
	mapfile -t late < <(printf '%s\n' "${late[@]}" | sort -n)
	text="ms late: ${late[*]} of $duration"
	if [ ${#late[@]} -lt 4 ]; then
		report "$name: ${#late[@]} cancels" 1 "too few"
	else
		report "$name: ${#late[@]} cancels, $text" \
			$((late[${#late[@]} / 2] > typical || late[${#late[@]} - 1] > longest)) "$text"
	fi
	report_same "$name: no memory kept" "$left" "$SESSION_TEXT"
	report "$name: no files kept" "$(wait_for 5 files_gone || echo 1)"
	session_close s
}

phase "scan" "$serial" "SELECT count(*) FROM generate_series(1, 40) g, LATERAL (SELECT count(*) FROM big WHERE v % 10 = g) q"
# A whole batch of large values, as far as they are kept together.
phase "LIKE over long values" "$serial; SET work_mem = '1GB'" "SELECT count(*) FROM docs WHERE doc LIKE '%dd%' OR doc LIKE '%oo%c' OR doc LIKE '%u_u%' OR doc LIKE '%mm_'"
phase "long values" "$serial; SET work_mem = '1GB'" "SELECT sum(length(q.a) + length(q.b)) FROM generate_series(1, 3) g, LATERAL (SELECT max(doc) AS a, min(doc) AS b FROM docs WHERE doc <> g::text AND id <> g) q"
phase "long keys" "$serial; SET work_mem = '1GB'" "SELECT doc, count(*) FROM docs GROUP BY doc HAVING count(*) > 1"
phase "core's functions in the filter" "$serial" "SELECT count(*) FROM big WHERE f(v) % 3 = 1"
phase "core's functions in an argument" "$serial" "SELECT k, sum(f(v)) FROM big GROUP BY k"
phase "groups" "$serial; SET work_mem = '1GB'" "SELECT count(q.s) FROM (SELECT id, t, n, sum(n) + max(v) + avg(k) AS s, max(t) AS m, min(t) FROM big GROUP BY id, t, n) q WHERE m > 'a'"
phase "groups that HAVING removes" "$serial; SET work_mem = '1GB'" "SELECT id, t, v FROM big GROUP BY id, t, v HAVING f(sum(id)::int) < 0"
phase "sorted input" "$serial; SET work_mem = '1GB'" "SELECT sum(length(s)) FROM (SELECT k, string_agg(t, ',' ORDER BY t DESC, id) AS s FROM big GROUP BY k) q"
phase "distinct input" "$serial" "SELECT k, count(DISTINCT n), count(DISTINCT t) FROM big GROUP BY k"
phase "groups on disk" "$serial; $disk" "SELECT count(m), max(n), sum(s) FROM (SELECT id, t, count(*), max(n) AS n, max(t) AS m, sum(v) AS s FROM big GROUP BY id, t) q"
phase "sorted input on disk" "$serial; $disk" "SELECT count(s) FROM (SELECT id % 30000 AS x, string_agg(t, ',' ORDER BY v DESC) AS s FROM big GROUP BY 1) q"
phase "scan below Gather" "$parallel" "SELECT count(*) FROM big WHERE f(v) % 3 = 1"
phase "groups below Gather" "$parallel" "SELECT k, sum(f(v)), max(n) FROM big GROUP BY k"
phase "groups on disk below Gather" "$parallel; $disk" "SELECT count(m), max(n), sum(s) FROM (SELECT id, t, count(*), max(n) AS n, max(t) AS m, sum(v) AS s FROM big GROUP BY id, t) q"

# A request by another session, not a timeout, in a worker's query too; the query takes seconds.
calls=$(printf 'f(v + %d) + ' {1..60})
for settings in "$serial" "$parallel"; do
	session_open s "$folder"
	session_run s "SET pg_vexec.enabled = on; SET pg_vexec.force = on; $settings; SELECT pg_backend_pid();"
	pid=$SESSION_TEXT
	session_send s "SELECT count(*) FROM big a WHERE $calls f(k) < 0;"
	sleep 0.3
	start=$(date +%s%N)
	vx_psql "$folder" -At -c "SELECT pg_cancel_backend($pid)" >/dev/null
	session_wait s
	taken=$((($(date +%s%N) - start) / 1000000))
	report_same "pg_cancel_backend" "ERROR:  57014" "$SESSION_TEXT"
	report "... served after $taken ms" $((taken > longest))
	session_close s
done

# Timeouts at random in several sessions at once; the seed is fixed, the moments are not.
queries=(
	"SELECT count(*) FROM big WHERE v % 10 = 3"
	"SELECT k, sum(n), max(t) FROM big GROUP BY k"
	"SELECT count(*) FROM (SELECT id, t, count(*) FROM big GROUP BY id, t) q"
	"SELECT k, sum(f(v)) FROM big WHERE id < 30000 GROUP BY k"
	"SELECT count(*) FROM docs WHERE doc LIKE '%zz%zz%'"
	"SELECT k, string_agg(t, ',' ORDER BY n) IS NULL FROM big WHERE id < 50000 GROUP BY k"
	"SELECT sum(c) FROM generate_series(1, 20) g, LATERAL (SELECT count(*) AS c FROM big WHERE k = g) q"
)
started=$(vx_psql "$folder" -At -c "SELECT pg_postmaster_start_time()")
RANDOM=20
for client in 1 2 3; do
	{
		echo "SET pg_vexec.enabled = on; SET pg_vexec.force = on;"
		for ((i = 0; i < 120; i++)); do
			case $((RANDOM % 3)) in
				0) echo "$serial; RESET work_mem; SET work_mem = '64MB';" ;;
				1) echo "$serial; $disk;" ;;
				2) echo "$parallel; $disk;" ;;
			esac
			echo "BEGIN; SAVEPOINT s; SET LOCAL statement_timeout = $((RANDOM % 120 + 1));"
			echo "${queries[RANDOM % ${#queries[@]}]};"
			if ((RANDOM % 2)); then
				echo "ROLLBACK TO s; SET LOCAL statement_timeout = $((RANDOM % 60 + 1));"
				echo "${queries[RANDOM % ${#queries[@]}]};"
			fi
			echo "ROLLBACK;"
		done
		echo "SET statement_timeout = 0; SET work_mem = '64MB';"
		echo "SELECT 'end', k, count(*), sum(v), max(n) FROM big GROUP BY k ORDER BY k;"
	} >"$folder/storm$client"
	vx_psql "$folder" -v ON_ERROR_STOP=0 -At -f - <"$folder/storm$client" >"$folder/out$client" 2>&1 &
	clients[client]=$!
done
wait "${clients[@]}" || true
wanted=$(vx_psql "$folder" -At -c "SELECT 'end', k, count(*), sum(v), max(n) FROM big GROUP BY k ORDER BY k")
for client in 1 2 3; do
	report_same "storm $client: the right answer at last" "$wanted" "$(grep '^end' "$folder/out$client" || true)"
	# A timeout may also meet ROLLBACK TO.
	errors=$(grep ERROR "$folder/out$client" | grep -v -E 'canceling statement due to statement timeout|current transaction is aborted' | sort -u || true)
	report "storm $client: $(grep -c 'canceling statement' "$folder/out$client" || true) cancels, no other error" \
		"${errors:+1}" "$errors"
done
report_same "the server has not restarted" "$started" \
	"$(vx_psql "$folder" -At -c "SELECT pg_postmaster_start_time()" 2>&1)"
report "no files kept" "$(wait_for 5 files_gone || echo 1)"
leaks=$(grep -a -E 'WARNING: |TRAP: |PANIC: |was terminated by signal' "$(vx_log "$folder")" || true)
report "no leaks and no crash in the log" "${leaks:+1}" "$leaks"
report_end
