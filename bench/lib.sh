# shellcheck shell=bash
# What the scripts of this folder share.  Source it from a bash script that has
# "set -euo pipefail":   . "$(dirname "$0")/lib.sh"
#
#   bench_compile NAME [OPTION...]   compiles NAME.c of this folder to $bench_tmp/NAME
#   bench_compile_client NAME        the same for a program that talks to the server
#   bench_check_scale TEXT           dies unless TEXT looks like a scale factor
#   bench_check_count OPTION TEXT    dies unless TEXT is a count from 1
#   bench_open SCALE FRESH INSTALL   starts the private server with TPC-H at SCALE loaded and the
#                                    extension created, sets the variables below, and has the server
#                                    stopped at the end of the script; FRESH = 1 makes the cluster
#                                    anew, INSTALL = 1 allows to install where there is no other way
#   bench_use SCALE [keys]           goes on with the database of SCALE, loaded when it is not there;
#                                    with keys: with the one that has primary and foreign keys and
#                                    their indexes
#   bench_close fast|immediate       stops that server
#   bench_client [ARGUMENT...]       runs bench_client.c on that database, with the library loaded
#   bench_psql [ARGUMENT...]         runs psql on that database, stops at the first error
#
#   bench_tmp        a folder of this run, removed at its end
#   bench_folder     the private cluster, below the cache folder, one for each major version
#   bench_database   the database, one for each scale, and one more for each scale with keys
#   bench_connection its libpq connection string
#   bench_bin        the server's programs
#   bench_pg_config  its pg_config
#   bench_keep       set to 1 to leave the server running
. "$(dirname "${BASH_SOURCE[0]}")/../test/lib.sh"

# Settings of both sides, besides shared_buffers.  Nothing may run beside the measured query.
bench_settings=(
	"work_mem = '256MB'"
	"max_parallel_workers_per_gather = 0"
	"jit = off"
	"autovacuum = off"
	"checkpoint_timeout = '1h'"
	"max_wal_size = '8GB'"
	"wal_level = minimal"
	"max_wal_senders = 0"
)

# lineitem at scale 1, in MB.
bench_lineitem_mb=903

# PostgreSQL scans a table through a small ring unless shared_buffers is at least four times its
# size; the fifth is for the table with updated rows, which is larger.
bench_buffers_wanted=5
bench_buffers_least=4

bench_keep=0
bench_tmp=
vx_temp_folder bench_tmp bench

bench_compile()
{
	local name=$1 compiler
	shift
	if ! compiler=$(command -v cc); then
		vx_need_packages "install a C compiler" gcc libc6-dev
		compiler=gcc
	fi
	vx_run "compile $name" "$bench_tmp/$name.log" \
		"$compiler" -O2 -o "$bench_tmp/$name" "$VX_ROOT/bench/$name.c" "$@"
}

bench_compile_client()
{
	local library

	library=$("$bench_pg_config" --libdir)
	if [ ! -f "$("$bench_pg_config" --includedir)/libpq-fe.h" ]; then
		vx_need_packages "install libpq" libpq-dev
	fi
	bench_compile "$1" "$VX_ROOT/bench/measure.c" -I"$("$bench_pg_config" --includedir)" \
		-L"$library" -Wl,-rpath,"$library" -lpq -lm
}

bench_check_scale()
{
	if [[ ! $1 =~ ^[0-9]+(\.[0-9]+)?$ ]]; then
		vx_die "read the options" "the scale must be a number such as 1 or 0.1, not \"$1\""
	fi
}

bench_check_count()
{
	if [[ ! $2 =~ ^[1-9][0-9]{0,2}$ ]]; then
		vx_die "read the options" "$1 takes a number from 1 to 999, not \"$2\""
	fi
}

# Memory of the machine or of the container, in MB.
bench_memory_mb()
{
	local total limit

	total=$(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo)
	limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
	if [[ $limit =~ ^[0-9]+$ ]] && [ $((limit / 1048576)) -lt "$total" ]; then
		total=$((limit / 1048576))
	fi
	echo "$total"
}

# Prints shared_buffers in MB: what the scale asks for, at most half of the memory.
bench_shared_buffers_mb()
{
	awk -v table="$bench_lineitem_mb" -v scale="$1" -v memory="$(bench_memory_mb)" \
		-v wanted="$bench_buffers_wanted" 'BEGIN {
			mb = int(wanted * table * scale + 1)
			if (mb < 256) mb = 256
			if (mb > memory / 2) mb = int(memory / 2)
			print mb
		}'
}

bench_psql()
{
	"$bench_bin/psql" -X -q -v ON_ERROR_STOP=1 -d "$bench_connection" "$@"
}

bench_client()
{
	"$bench_tmp/bench_client" --connection "$bench_connection" --setup "LOAD 'pg_vexec'" "$@"
}

bench_close()
{
	if [ $bench_keep = 0 ]; then
		vx_stop "$bench_folder" "$1"
	fi
}

# Before PostgreSQL 18 an extension is found only where the server's own are.
bench_install()
{
	local pg_config=$1 allowed=$2 stage

	if [ "$allowed" != 1 ]; then
		vx_die "install the extension" "$("$pg_config" --version) finds extensions only in its own \
folders; run again with --install to have pg_vexec put into $("$pg_config" --pkglibdir) and \
$("$pg_config" --sharedir)"
	fi
	stage=$(vx_build "$pg_config") || exit 1
	if [ -w "$("$pg_config" --pkglibdir)" ]; then
		vx_run "install the extension" "$bench_tmp/install.log" \
			make -C "$(dirname "$stage")/tree" -s install PG_CONFIG="$pg_config"
	else
		vx_run "install the extension" "$bench_tmp/install.log" \
			vx_as_root make -C "$(dirname "$stage")/tree" -s install PG_CONFIG="$pg_config"
	fi
}

# The comment of a database says what is in it; it is written when all of it is there.
# bench_contents DATABASE prints it.
bench_contents()
{
	"$bench_bin/psql" -X -A -t -d "$(vx_connection "$bench_folder")" -c \
		"SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '$1'"
}

# bench_create_database TEMPLATE: makes $bench_database anew.
bench_create_database()
{
	"$bench_bin/psql" -X -q -v ON_ERROR_STOP=1 -d "$(vx_connection "$bench_folder")" \
		-c "SET client_min_messages = warning" -c "DROP DATABASE IF EXISTS \"$bench_database\"" \
		-c "CREATE DATABASE \"$bench_database\" TEMPLATE \"$1\"" ||
		vx_die "create the database" "psql failed" "$(vx_log "$bench_folder")"
}

bench_select()
{
	bench_database=$1
	bench_connection="host=$bench_folder/socket port=5432 user=postgres dbname=$bench_database"
}

bench_load()
{
	local scale=$1 want

	want="TPC-H, generator version $("$bench_tmp/tpch_gen" --version), scale $scale"
	bench_select "tpch_sf$scale"
	if [ "$(bench_contents "$bench_database")" = "$want" ]; then
		return
	fi
	bench_create_database template1
	"$VX_ROOT/bench/tpch_load" --scale "$scale" "$bench_database" || exit 1
	bench_psql -c "COMMENT ON DATABASE \"$bench_database\" IS '$want'"
}

# A copy of the database without keys, so that those do not change the plans of the latter.
bench_load_keys()
{
	local scale=$1 template=$bench_database want

	want="$(bench_contents "$template"), keys $(cksum <"$VX_ROOT/bench/tpch_keys.sql")"
	bench_select "${template}_keys"
	if [ "$(bench_contents "$bench_database")" = "$want" ]; then
		return
	fi
	vx_run "copy $template" "$bench_tmp/keys.log" bench_create_database "$template"
	vx_run "add keys to $bench_database" "$bench_tmp/keys.log" \
		bench_psql -c "DROP SCHEMA IF EXISTS state, more CASCADE" -f "$VX_ROOT/bench/tpch_keys.sql" \
		-c "VACUUM (FREEZE, ANALYZE)"
	bench_psql -c "COMMENT ON DATABASE \"$bench_database\" IS '$want'"
}

bench_use()
{
	bench_load "$1"
	if [ "${2:-}" = keys ]; then
		bench_load_keys "$1"
	fi

	# Anew each time, so that its objects are those of the sources.
	bench_psql -c "SET client_min_messages = warning" -c "DROP EXTENSION IF EXISTS pg_vexec" \
		-c "CREATE EXTENSION pg_vexec" ||
		vx_die "create the extension" "psql failed" "$(vx_log "$bench_folder")"
	bench_psql -c CHECKPOINT
}

bench_open()
{
	local scale=$1 fresh=$2 install=$3 major buffers

	bench_pg_config=$("$VX_ROOT/test/find-server") || exit 1
	major=$("$bench_pg_config" --version)
	major=${major#PostgreSQL }
	major=${major%%[!0-9]*}
	bench_bin=$("$bench_pg_config" --bindir)
	bench_folder=$VX_CACHE/demo/pg$major

	bench_compile_client bench_client
	bench_compile tpch_gen "$VX_ROOT/bench/tpch_text.c"

	mkdir -p "$VX_CACHE/demo"
	exec 9>"$VX_CACHE/demo/lock"
	flock -n 9 || vx_die "start the server" "another run uses $bench_folder"
	if vx_server_pid "$bench_folder" >/dev/null; then
		vx_die "start the server" \
			"an earlier run left its server running; stop it with: test/pg stop $bench_folder"
	fi
	if [ "$fresh" = 1 ] && [ -e "$bench_folder" ]; then
		[ -e "$bench_folder/pg_vexec-server" ] ||
			vx_die "make a cluster" "$bench_folder was not made by this script"
		rm -rf "$bench_folder"
	fi
	if [ "$major" -lt 18 ]; then
		bench_install "$bench_pg_config" "$install"
	fi

	buffers=$(bench_shared_buffers_mb "$scale")
	vx_at_exit bench_close immediate
	vx_start -k "$bench_folder" "$bench_pg_config" "shared_buffers = '${buffers}MB'" \
		"${bench_settings[@]}"
	vx_use "$bench_folder"
	if awk -v have="$buffers" -v table="$bench_lineitem_mb" -v scale="$scale" \
		-v least="$bench_buffers_least" 'BEGIN { exit !(have < least * table * scale) }'; then
		vx_say "shared_buffers is below four times lineitem: scans go through a small ring, on both sides"
	fi
	bench_use "$scale"
}

bench_machine()
{
	local cpu

	cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
	printf '%s, %s cores, %s MB, Linux %s\n' "${cpu:-$(uname -m)}" "$(nproc)" "$(bench_memory_mb)" \
		"$(uname -r)"
}

# Prints the settings that matter for a figure, "name value" by line; both sides have the same.
# The arguments are psql's, such as -c "SET ...".
# shellcheck disable=SC2120
bench_print_settings()
{
	bench_psql -A -t -F ' ' -c "LOAD 'pg_vexec'" "$@" -c "
		SELECT name, current_setting(name)
		FROM pg_settings
		WHERE name IN ('shared_buffers', 'work_mem', 'hash_mem_multiplier',
		               'max_parallel_workers_per_gather', 'jit', 'autovacuum', 'io_method',
		               'huge_pages_status', 'data_checksums')
		   OR name LIKE 'pg_vexec.%' AND source <> 'default'
		ORDER BY name LIKE 'pg_vexec.%', name"
}
