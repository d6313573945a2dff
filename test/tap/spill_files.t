#!/bin/bash
# Groups on disk: their files are there while they are needed and gone after the end, an error, a
# cancel, a rolled back savepoint, a closed cursor and the end of the backend; temp_file_limit and a
# full disk raise core's errors and leave nothing behind.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tap.sh"

vx_temp_folder folder spill
vx_start "$folder" cassert "shared_buffers = 64MB" "autovacuum = off" "fsync = off" "jit = off" \
	"max_parallel_workers_per_gather = 0" "session_preload_libraries = 'pg_vexec'" >/dev/null
vx_use "$folder"
vx_psql "$folder" <<'SQL'
CREATE TABLE many (id int NOT NULL, k int NOT NULL, v int NOT NULL, t text);
INSERT INTO many SELECT g, g % 3, g, 'a key of some length ' || g FROM generate_series(1, 120000) g;
CREATE TABLE expected (id int, t text, c bigint, s bigint);
SET enable_hashagg = off;
INSERT INTO expected SELECT id, t, count(*), sum(v) FROM many GROUP BY id, t;
VACUUM (FREEZE, ANALYZE) many, expected;
CREATE FUNCTION slow(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN IF $1 % 1000 = 0 THEN PERFORM pg_sleep(0.01); END IF; RETURN $1; END';
SQL

files()
{
	vx_psql "$folder" -At -c "SELECT count(*) FROM pg_ls_tmpdir()"
}

files_seen()
{
	[ "$(files)" -gt 0 ]
}

groups="SELECT id, t, count(*), sum(v) FROM many GROUP BY id, t"

# open MODE: session "s" in which groups go to disk, with the extension off or on.
open()
{
	session_open s "$folder"
	session_run s "SET pg_vexec.enabled = $1; SET pg_vexec.force = $1; SET enable_sort = off;
		SET work_mem = '64kB'; SET hash_mem_multiplier = 1; SELECT pg_backend_pid();"
	pid=$SESSION_TEXT
}

# Nothing left: asked before the session ends its transaction.
check_gone()
{
	report_same "$mode: no files $1" 0 "$(files)"
}

for mode in off on; do
	open $mode
	session_run s "EXPLAIN (ANALYZE, FORMAT JSON) $groups;"
	disk=$(sed -n 's/.*"Disk Usage": \([0-9]*\).*/\1/p' <<<"$SESSION_TEXT")
	report "$mode: groups go to disk" $((${disk:-0} > 0 ? 0 : 1)) "$SESSION_TEXT"
	if [ $mode = on ]; then
		report "$mode: by a vector node" "$(grep -q VexecAgg <<<"$SESSION_TEXT" || echo 1)" "$SESSION_TEXT"
	fi
	check_gone "after the end"
	session_run s "SELECT count(*) FROM (($groups) EXCEPT ALL SELECT * FROM expected) q;
		SELECT count(*) FROM ($groups) q;"
	report_same "$mode: all groups, each once" "$(printf '0\n120000')" "$SESSION_TEXT"

	session_run s "BEGIN;"
	session_send s "SELECT count(*) FROM (SELECT id, t, count(*), sum(slow(v)) FROM many GROUP BY id, t) q;"
	report "$mode: files while it runs" "$(wait_for 20 files_seen || echo 1)"
	vx_psql "$folder" -At -c "SELECT pg_cancel_backend($pid)" >/dev/null
	session_wait s
	report_same "$mode: cancelled" "ERROR:  57014" "$SESSION_TEXT"
	check_gone "after a cancel"
	session_run s "ROLLBACK;"

	session_run s "BEGIN;
		SELECT count(x) FROM (SELECT id, t, sum(1 / (v - 119000)) AS x FROM many GROUP BY id, t) q;"
	report_same "$mode: an error" "ERROR:  22012" "$SESSION_TEXT"
	check_gone "after an error"
	session_run s "ROLLBACK;"
	# One that appears when groups are already handed up.
	session_run s "BEGIN;
		SELECT count(x) FROM (SELECT id, t, 1 / (sum(v) - 119000) AS x FROM many GROUP BY id, t) q;"
	report_same "$mode: an error of a result" "ERROR:  22012" "$SESSION_TEXT"
	check_gone "after an error of a result"
	session_run s "ROLLBACK;"

	session_run s "BEGIN; DECLARE c CURSOR FOR $groups; MOVE 10 FROM c;"
	report "$mode: files of an open cursor" "$(files_seen || echo 1)"
	session_run s "CLOSE c;"
	check_gone "after CLOSE"
	session_run s "SAVEPOINT a; DECLARE c CURSOR FOR $groups; MOVE 10 FROM c; ROLLBACK TO a;"
	check_gone "after ROLLBACK TO"
	session_run s "COMMIT;"
	session_run s "SELECT count(*) FROM ($groups LIMIT 500) q;"
	check_gone "after LIMIT"
	session_run s "DO \$\$ BEGIN
		FOR i IN 1..3 LOOP
			BEGIN
				PERFORM sum(1 / (v - 119000)) FROM many GROUP BY id, t;
			EXCEPTION WHEN division_by_zero THEN
				IF (SELECT count(*) FROM pg_ls_tmpdir()) > 0 THEN RAISE EXCEPTION USING ERRCODE = 'VX009'; END IF;
			END;
		END LOOP;
	END \$\$;"
	report_same "$mode: no files after an EXCEPTION block" "" "$SESSION_TEXT"

	session_run s "SET temp_file_limit = '200kB'; SELECT count(*) FROM ($groups) q;"
	report_same "$mode: temp_file_limit" "ERROR:  53400" "$SESSION_TEXT"
	check_gone "after temp_file_limit"
	session_run s "SET temp_file_limit = '1GB'; SELECT count(*) FROM ($groups) q; RESET temp_file_limit;"
	report_same "$mode: within temp_file_limit" 120000 "$SESSION_TEXT"

	session_send s "SELECT count(*) FROM (SELECT id, t, count(*), sum(slow(v)) FROM many GROUP BY id, t) q;"
	wait_for 20 files_seen || true
	vx_psql "$folder" -At -c "SELECT pg_terminate_backend($pid, 10000)" >/dev/null
	session_close s
	check_gone "after the end of the backend"

	# A file that cannot grow, whatever the file system: the limit of this one process.
	if command -v prlimit >/dev/null; then
		open $mode
		vx_as_user prlimit --pid "$pid" --fsize=32768
		session_run s "\\set VERBOSITY default"
		session_run s "SELECT count(*) FROM ($groups) q;"
		report "$mode: a file that cannot grow" \
			"$(grep -q 'could not write to file "base/pgsql_tmp/.*: File too large' <<<"$SESSION_TEXT" || echo 1)" \
			"$SESSION_TEXT"
		check_gone "after it"
		session_run s "SET work_mem = '1GB'; SELECT count(*) FROM ($groups) q;"
		report_same "$mode: the session goes on" 120000 "$SESSION_TEXT"
		session_close s
	else
		report "$mode: a file that cannot grow # SKIP no prlimit" 0
	fi
done

# A disk that is full: a small file system for temporary files, which only root can mount.
small=$folder/small
mkdir "$small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1m,mode=0711 tmpfs "$small" 2>/dev/null; then
	vx_at_exit umount -l "$small"
	mkdir "$small/space"
	vx_give "$small"
	vx_psql "$folder" -c "CREATE TABLESPACE small LOCATION '$small/space'"
	for mode in off on; do
		open $mode
		session_run s "SET temp_tablespaces = small;"
		session_run s "SELECT count(*) FROM ($groups) q;"
		report_same "$mode: a full disk" "ERROR:  53100" "$SESSION_TEXT"
		report_same "$mode: no files on it" 0 \
			"$(vx_psql "$folder" -At -c "SELECT count(*) FROM pg_ls_tmpdir((SELECT oid FROM pg_tablespace WHERE spcname = 'small'))")"
		session_run s "SELECT count(*), sum(v) FROM many; SET temp_tablespaces = ''; SELECT count(*) FROM ($groups) q;"
		report_same "$mode: the session goes on" "$(printf '120000 7200060000\n120000')" "$SESSION_TEXT"
		session_close s
	done
	vx_psql "$folder" -c "DROP TABLESPACE small"
else
	report "a full disk # SKIP no file system can be mounted" 0
fi

leaks=$(grep -a -E 'WARNING: .*(leak|still referenced|not closed)|TRAP: |PANIC: |was terminated by signal' "$(vx_log "$folder")" || true)
report "no leaks and no crash in the log" "${leaks:+1}" "$leaks"
report_end
