#!/bin/bash
# Large values are kept no longer than work_mem allows: the memory that a backend reached at most,
# aggregating toasted values that together are many times as large.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"

# Kilobytes allowed beyond work_mem (4 MB): shared buffers touched, and a few values at a time.
limit=65536

vx_temp_folder folder memory
vx_start "$folder" cassert "shared_buffers = 16MB" "autovacuum = off" "fsync = off" "jit = off" \
	"max_parallel_workers_per_gather = 0" "session_preload_libraries = 'pg_vexec'" >/dev/null
vx_use "$folder"
vx_psql "$folder" -q <<'SQL'
CREATE TABLE docs (id int NOT NULL, doc text);
INSERT INTO docs SELECT g, repeat('value ' || g || ' ', 50000) FROM generate_series(1, 1000) g;
VACUUM (FREEZE, ANALYZE) docs;
SQL

# The largest resident size that a session has reached after a query, in kilobytes.
peak()
{
	vx_psql "$folder" -At <<SQL | tail -n 1
SET work_mem = '4MB'; SET pg_vexec.enabled = on; SET pg_vexec.force = on; SET pg_vexec.require = on;
SELECT octet_length(row($1)::text) FROM docs;
SET pg_vexec.require = off;
SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s+(\d+)');
SQL
}

tests=0
check()
{
	local kilobytes

	tests=$((tests + 1))
	kilobytes=$(peak "$2")
	if [[ $kilobytes =~ ^[0-9]+$ ]] && [ "$kilobytes" -lt $limit ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
		echo "# reached ${kilobytes:-nothing} kB, allowed $limit kB"
	fi
}

check "values decoded" "max(doc), count(*)"
check "values computed by core" "max(upper(doc)), count(*)"
check "values in a filtered aggregate" "sum(length(doc)) FILTER (WHERE id > 5)"
echo "1..$tests"
