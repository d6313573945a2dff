#!/bin/bash
# A hot standby: vector nodes run on it and give the primary's answers, while changes are replayed
# too; what a recovery conflict does to them; no relation or row is changed by reading; promotion.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/tap.sh"

vx_temp_folder folder standby
primary=$folder/p
standby=$folder/s
common=("shared_buffers = 64MB" "autovacuum = off" "fsync = off" "jit = off" "max_parallel_workers_per_gather = 0"
	"session_preload_libraries = 'pg_vexec'" "vacuum_truncate = off")
vx_start "$primary" cassert "${common[@]}" "wal_level = replica" "max_wal_senders = 4" "wal_keep_size = 256MB" \
	"hot_standby_feedback = off" >/dev/null
vx_psql "$primary" <<'SQL'
CREATE TABLE t (id int NOT NULL, k int NOT NULL, v int, n numeric(12,2), t text);
INSERT INTO t SELECT g, g % 9, CASE WHEN g % 11 > 0 THEN g END, g / 4.0, 'text ' || g % 300 FROM generate_series(1, 20000) g;
CREATE TABLE toasted (id int NOT NULL, doc text);
ALTER TABLE toasted ALTER doc SET STORAGE EXTERNAL;
INSERT INTO toasted SELECT g, repeat('doc' || g, 3000) FROM generate_series(1, 40) g;
CREATE UNLOGGED TABLE unlogged AS SELECT * FROM t;
CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 + 1; END';
SET client_min_messages = warning;
CREATE EXTENSION pg_vexec;
VACUUM (ANALYZE) t, toasted;
CHECKPOINT;
SQL

# The standby's folder looks like one that vx_start has made.
mkdir -p "$standby/socket"
vx_give "$standby"
(
	vx_use "$primary"
	vx_as_user env PATH="$PATH" PGHOST="$PGHOST" PGPORT="$PGPORT" pg_basebackup -U postgres -D "$standby/data" \
		-X stream -c fast --no-sync
)
cp "$primary/pg_vexec-server" "$standby/"
vx_as_user touch "$standby/data/standby.signal"
standby_settings=("${common[@]}" "wal_level = replica" "hot_standby = on" "max_standby_streaming_delay = 200ms"
	"primary_conninfo = 'host=$primary/socket port=5432 user=postgres'" "wal_retrieve_retry_interval = 200ms"
	"log_recovery_conflict_waits = on")
vx_start "$standby" cassert "${standby_settings[@]}" >/dev/null

caught_up()
{
	[ "$(vx_psql "$standby" -At -c "SELECT pg_last_wal_replay_lsn() >= '$1'")" = t ]
}

replay()
{
	report "$1: replayed" "$(wait_for 30 caught_up "$(vx_psql "$primary" -At -c "SELECT pg_current_wal_insert_lsn()")" || echo 1)"
}

on="SET pg_vexec.enabled = on; SET pg_vexec.force = on;"
queries="SELECT count(*), sum(v), avg(n), max(t COLLATE \"C\") FROM t WHERE k <> 4;
SELECT k, count(*), sum(n), min(v), sum(f(k)) FROM t GROUP BY k ORDER BY k;
SELECT t, count(*), sum(v) FROM t WHERE v > 50 GROUP BY t ORDER BY t COLLATE \"C\";
SELECT id, v FROM t WHERE v % 1000 = 7 ORDER BY id;
SELECT count(*), max(md5(doc)), sum(length(doc)) FROM toasted WHERE id > 3;
SELECT k, string_agg(t, ',' ORDER BY id), count(DISTINCT v) FROM t WHERE id < 200 GROUP BY k ORDER BY k;"

same_answers()
{
	report_same "$1: the primary's answers" "$(vx_psql "$primary" -At -c "SET pg_vexec.enabled = off;" -c "$queries")" \
		"$(vx_psql "$standby" -At -c "$on SET pg_vexec.require = on;" -c "$queries" 2>&1)"
	report_same "$1: on disk too" "$(vx_psql "$primary" -At -c "SET enable_hashagg = off;" \
		-c "SELECT id, t, count(*), sum(n) FROM t GROUP BY id, t ORDER BY id, t" | md5sum)" \
		"$(vx_psql "$standby" -At -c "$on SET work_mem = '64kB'; SET hash_mem_multiplier = 1; SET enable_sort = on;" \
			-c "SELECT * FROM (SELECT id, t, count(*), sum(n) FROM t GROUP BY id, t OFFSET 0) q ORDER BY id, t" 2>&1 | md5sum)"
}

replay "at first"
report_same "it is a standby" t "$(vx_psql "$standby" -At -c "SELECT pg_is_in_recovery()")"
same_answers "at first"
vx_psql "$primary" <<'SQL'
UPDATE t SET v = v + 1, t = 'changed ' || k WHERE id % 7 = 1;
DELETE FROM t WHERE id % 13 = 2;
INSERT INTO t SELECT 30000 + g, g % 9, g, g, 'new' FROM generate_series(1, 500) g;
UPDATE toasted SET doc = doc || 'x' WHERE id < 10;
ALTER TABLE t ADD added int DEFAULT 5;
DO $$ BEGIN
	FOR i IN 1..100 LOOP
		BEGIN
			INSERT INTO t VALUES (40000 + i, 3, i, i, 'sub');
			IF i % 2 = 0 THEN RAISE EXCEPTION 'undone'; END IF;
		EXCEPTION WHEN raise_exception THEN NULL;
		END;
	END LOOP;
END $$;
SQL
replay "after changes"
same_answers "after changes"
report_same "an added column" "$(vx_psql "$primary" -At -c "SELECT added, count(*) FROM t GROUP BY added")" \
	"$(vx_psql "$standby" -At -c "$on SELECT added, count(*) FROM t GROUP BY added")"
report_same "an unlogged table" "ERROR:  0A000" "$(vx_psql "$standby" -At -v VERBOSITY=sqlstate -c "$on" \
	-c "SELECT count(*), sum(v) FROM unlogged WHERE k > 3" 2>&1 | sed 's/.*ERROR/ERROR/' || true)"
report_same "SERIALIZABLE" "$(printf 'ERROR:  0A000')" "$(vx_psql "$standby" -At -v VERBOSITY=sqlstate -c "$on" \
	-c "BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT count(*) FROM t WHERE k > 3" 2>&1 | sed 's/.*ERROR/ERROR/' || true)"

# Changes in progress on the primary, with more subtransactions than fit into one record.
session_open p "$primary"
session_open s "$standby"
session_run s "$on SET pg_vexec.require = on;"
session_run p "BEGIN;
DO \$\$ BEGIN FOR i IN 1..150 LOOP BEGIN UPDATE t SET v = 0 WHERE id = i * 3; EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP; END \$\$;
INSERT INTO t SELECT 50000 + g, 1, 1, 1, 'open' FROM generate_series(1, 5000) g; "
replay "a transaction in progress"
session_run s "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*), sum(v) FROM t WHERE k >= 0;"
before=$SESSION_TEXT
report_same "a transaction in progress is not seen" "$(vx_psql "$primary" -At -F ' ' -c "SELECT count(*), sum(v) FROM t WHERE k >= 0")" "$before"
session_run p "COMMIT;"
replay "its commit"
session_run s "SELECT count(*), sum(v) FROM t WHERE k >= 0;"
report_same "... nor by a snapshot taken before its commit" "$before" "$SESSION_TEXT"
session_run s "COMMIT; SELECT count(*), sum(v) FROM t WHERE k >= 0;"
report_same "... but by the next one" "$(vx_psql "$primary" -At -F ' ' -c "SELECT count(*), sum(v) FROM t WHERE k >= 0")" "$SESSION_TEXT"

# Recovery conflicts.  Core's plan and ours meet the same error.
for mode in off on; do
	set_mode="SET pg_vexec.enabled = $mode; SET pg_vexec.force = $mode; SET pg_vexec.require = $mode;"
	session_run s "$set_mode"
	# Rows that a snapshot needs are vacuumed away while a statement runs ...
	session_run s "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) > 0 FROM t WHERE k > 2;"
	session_send s "SELECT sum(f(a.v) + f(b)) > 0 FROM t a, generate_series(1, 2000) b WHERE a.k > 2;"
	vx_psql "$primary" -c "UPDATE t SET v = v + 1 WHERE id % 3 = 1" -c "VACUUM t"
	session_wait s
	report "$mode: conflict of snapshots" "$(grep -q 'ERROR:  40001' <<<"$SESSION_TEXT" || echo 1)" "$SESSION_TEXT"
	session_run s "ROLLBACK;"
	# ... and while a cursor is half read.
	session_run s "BEGIN ISOLATION LEVEL REPEATABLE READ; DECLARE c CURSOR FOR SELECT id, v FROM t WHERE k > 2;"
	session_run s "MOVE 100 FROM c;"
	vx_psql "$primary" -c "UPDATE t SET v = v + 1 WHERE id % 3 = 2" -c "VACUUM t"
	replay "$mode: conflict with a cursor"
	session_run s "FETCH 1 FROM c;"
	report "$mode: conflict with a cursor" "$(grep -q -E '(ERROR|FATAL):  (40001|25P02|57P01)' <<<"$SESSION_TEXT" || echo 1)" \
		"$SESSION_TEXT"
	session_close s
	session_open s "$standby"
	session_run s "$set_mode"
	# A lock: the table is rewritten.
	session_run s "BEGIN; DECLARE c CURSOR FOR SELECT k, count(*) FROM t GROUP BY k; MOVE 1 FROM c;"
	vx_psql "$primary" -c "ALTER TABLE t ALTER added TYPE bigint USING added + 1; ALTER TABLE t ALTER added TYPE int"
	replay "$mode: conflict of locks"
	session_run s "FETCH 1 FROM c;"
	report "$mode: conflict of locks" "$(grep -q -E '(ERROR|FATAL):  (40001|25P02|57P01)' <<<"$SESSION_TEXT" || echo 1)" \
		"$SESSION_TEXT"
	session_close s
	session_open s "$standby"
done
session_close s
session_close p
same_answers "after conflicts"
report_same "prepared plans follow a change of the table" "$(printf '3 4\n3 4')" "$(
	session_open q "$standby"
	session_run q "$on SET plan_cache_mode = force_generic_plan; PREPARE p AS SELECT min(k), max(k) FROM t WHERE k BETWEEN 3 AND 4; EXECUTE p;"
	first=$SESSION_TEXT
	vx_psql "$primary" -c "ALTER TABLE t DROP COLUMN added; ALTER TABLE t ALTER k TYPE bigint; ALTER TABLE t ALTER k TYPE int"
	wait_for 30 caught_up "$(vx_psql "$primary" -At -c "SELECT pg_current_wal_insert_lsn()")" || true
	session_run q "EXECUTE p;"
	session_close q
	printf '%s\n%s' "$first" "$SESSION_TEXT"
)"

# A second of reading while changes are replayed: each answer belongs to one moment.
vx_psql "$primary" -c "CREATE TABLE pair AS SELECT g AS id, g % 2 AS side, 100 AS v FROM generate_series(1, 4000) g; ANALYZE pair"
replay "a table of two sides"
for ((i = 0; i < 60; i++)); do
	# What one side loses the other gets.
	echo "UPDATE pair SET v = v + CASE side WHEN 0 THEN 1 ELSE -1 END WHERE id % 50 IN ($((i % 25 * 2)), $((i % 25 * 2 + 1)));"
done | vx_psql "$primary" &
writer=$!
for ((i = 0; i < 200; i++)); do
	echo "SELECT count(*), sum(v) FROM pair; SELECT sum(c), sum(s) FROM (SELECT side, count(*) AS c, sum(v) AS s FROM pair WHERE id > 0 GROUP BY side) q;"
done >"$folder/reads"
report_same "answers while changes are replayed" "4000 400000" \
	"$(vx_psql "$standby" -At -F ' ' -c "$on SET pg_vexec.require = on;" -f "$folder/reads" 2>&1 | sort -u)"
wait "$writer"

# Promoted, it goes on, and may write.
replay "before promotion"
vx_stop "$primary" fast
vx_psql "$standby" -At -c "SELECT pg_promote()" >/dev/null
report_same "after promotion" "$(vx_psql "$standby" -At -c "SET pg_vexec.enabled = off;" -c "$queries")" \
	"$(vx_psql "$standby" -At -c "$on SET pg_vexec.require = on;" -c "$queries")"
report_same "it writes" 4000 "$(vx_psql "$standby" -At -c "$on" -c "CREATE TABLE w AS SELECT id, sum(v) AS s FROM pair GROUP BY id" -c "SELECT count(*) FROM w")"
crashes=$(grep -a -E 'TRAP: |PANIC: |was terminated by signal|WARNING: .*leak' "$(vx_log "$standby")" || true)
report "no crash in the log" "${crashes:+1}" "$crashes"
report_end
