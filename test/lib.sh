# shellcheck shell=bash
# Shell library of the test and benchmark scripts.  Source it from a bash script that has
# "set -euo pipefail":   . "$(dirname "$0")/lib.sh"
#
# Variables set here
#   VX_ROOT    the checkout
#   VX_EXPLAIN_SETTINGS
#              array of settings that have auto_explain log each plan, as JSON and executed, and
#              pg_stat_statements count; both are to be in shared_preload_libraries
#   VX_CACHE   the cache folder: $PG_VEXEC_CACHE, else /var/cache/pg_vexec when run by root,
#              else ${XDG_CACHE_HOME:-$HOME/.cache}/pg_vexec
#
# Messages (all to standard error)
#   vx_say TEXT                       a progress line
#   vx_die STEP TEXT [LOG]            names the failing step and the log, shows its end, exits 1
#   vx_run STEP LOG COMMAND...        runs COMMAND with its output appended to LOG, reports progress
#                                     when it takes longer than two seconds, dies when it fails
#
# Packages and users
#   vx_need_packages STEP PACKAGE...  installs the Debian packages that are missing, and says so
#   vx_user                           prints the user that runs servers: the caller, or when called
#                                     by root $PG_VEXEC_USER, else nobody
#   vx_as_user COMMAND...             runs COMMAND as that user
#   vx_give FOLDER                    makes that user the owner of FOLDER (nothing to do unless root)
#
# End of the script
#   vx_at_exit COMMAND...             runs COMMAND when the script ends, last registered first
#   vx_temp_folder VARIABLE [NAME]    makes a temporary folder that the user of vx_user owns, puts
#                                     its path into VARIABLE, removes it at the end
#   Interrupted scripts run these too, and end the command that vx_run waits for.
#
# Servers.  VARIANT is release or cassert (the builds of test/setup), asan (the cassert server with
# the extension under the address and undefined-behaviour sanitizers), valgrind (a server that runs
# under valgrind; test/valgrind_reports prints what was found), or the absolute path of a pg_config.
#   vx_pg_config VARIANT              prints the pg_config path; builds the server when needed
#   vx_build VARIANT                  builds the extension outside the checkout, prints the folder
#                                     that holds it (share/extension and lib); see test/build
#   vx_start [-k] FOLDER VARIANT [SETTING=VALUE...]
#                                     starts a private server in FOLDER with the extension of the
#                                     checkout available; makes the cluster when FOLDER has none.
#                                     Stopped at the end of the script; -k leaves it running.
#                                     SETTING=VALUE lines are postgresql.conf syntax: quote strings
#   vx_stop FOLDER [fast|immediate]   stops it
#   vx_use FOLDER                     exports PGHOST PGPORT PGUSER PGDATABASE and puts that server's
#                                     programs first in PATH
#   vx_connection FOLDER              prints its connection string
#   vx_psql FOLDER [ARGUMENT...]      psql -X on it, stops at the first error
#   vx_log FOLDER                     prints the path of its log
#
# Compile checks
#   vx_header_folders VERSION         prints the folders with the server headers of PostgreSQL 17 or
#                                     19, one per line; see test/setup
#
# Parts of test/run
#   vx_count PASSED FAILED            prints the closing line of a part, returns 1 when any failed
#   vx_count_diff OUTPUT STATUS       the same from the output file and the exit status of test/diff
#
# A server listens on a Unix socket in FOLDER/socket only; the folder is closed to other users, who
# therefore need no password.  FOLDER must be absent, empty, or made by vx_start.  It must be
# reachable for the unprivileged user: take one from vx_temp_folder or below $VX_CACHE.

# shellcheck disable=SC2034
VX_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
if [ -n "${PG_VEXEC_CACHE:-}" ]; then
	VX_CACHE=$PG_VEXEC_CACHE
elif [ "$(id -u)" = 0 ]; then
	VX_CACHE=/var/cache/pg_vexec
else
	VX_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/pg_vexec
fi
case $VX_CACHE in
	/*) ;;
	*) VX_CACHE=$PWD/$VX_CACHE ;;
esac
case $VX_CACHE in
	*[[:space:]]*)
		echo "pg_vexec: the cache folder \"$VX_CACHE\" must not contain blanks" >&2
		exit 1
		;;
esac
umask 022
# shellcheck disable=SC2034
VX_EXPLAIN_SETTINGS=(
	# An identifier is computed, and EXPLAIN does not print it.
	"compute_query_id = regress"
	"pg_stat_statements.track = all"
	"auto_explain.log_min_duration = 0"
	"auto_explain.log_analyze = on"
	"auto_explain.log_verbose = on"
	"auto_explain.log_format = json"
	"auto_explain.log_nested_statements = on"
)

# A caller's make must not hand its flags to ours.
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

vx_say()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

vx_die()
{
	local step=$1 text=$2 log=${3:-}

	printf '%s: step "%s" failed: %s\n' "${0##*/}" "$step" "$text" >&2
	if [ -n "$log" ] && [ -s "$log" ]; then
		printf '%s: the log is %s, its last lines:\n' "${0##*/}" "$log" >&2
		tail -n 15 "$log" | sed 's/^/    /' >&2
	fi
	exit 1
}

VX_CHILD=

# Ends the command that vx_run is waiting for.
vx_end_child()
{
	if [ -n "$VX_CHILD" ]; then
		kill -TERM -- "-$VX_CHILD" 2>/dev/null || true
		VX_CHILD=
	fi
}

VX_AT_EXIT=()

vx_at_exit()
{
	local command

	printf -v command '%q ' "$@"
	VX_AT_EXIT=("$command" "${VX_AT_EXIT[@]}")
}

vx_run_at_exit()
{
	local rc=$? command

	trap - EXIT
	for command in "${VX_AT_EXIT[@]}"; do
		eval "$command" || true
	done
	exit $rc
}

trap vx_run_at_exit EXIT
trap 'vx_end_child; exit 130' INT
trap 'vx_end_child; exit 143' TERM HUP

vx_run()
{
	local step=$1 log=$2 start=$SECONDS said=0 next=15 rc=0 ticks=0
	shift 2
	mkdir -p "$(dirname "$log")"
	printf '+ %s\n' "$*" >>"$log"
	# A process group of its own, so that an interrupt can end all of it.
	set -m
	"$@" >>"$log" 2>&1 </dev/null 9>&- &
	VX_CHILD=$!
	set +m
	while kill -0 "$VX_CHILD" 2>/dev/null; do
		sleep 0.1
		ticks=$((ticks + 1))
		if [ $said = 0 ] && [ $ticks -ge 10 ]; then
			said=1
			vx_say "$step ..."
		elif [ $((SECONDS - start)) -ge $next ]; then
			next=$((next + 15))
			vx_say "$step ... $((SECONDS - start)) s"
		fi
	done
	wait "$VX_CHILD" || rc=$?
	VX_CHILD=
	if [ $rc != 0 ]; then
		vx_die "$step" "exit status $rc" "$log"
	fi
	if [ $said = 1 ]; then
		vx_say "$step: done in $((SECONDS - start)) s"
	fi
}

# Runs a command as root, or fails.
vx_as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

vx_package_installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# True when apt offers the package without any further update.
vx_package_offered()
{
	local policy

	policy=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null) || return 1
	[[ $policy == *"  Candidate: "[!\(]* ]]
}

vx_install_packages()
{
	local package update=0

	for package in "$@"; do
		vx_package_offered "$package" || update=1
	done
	if [ $update = 1 ]; then
		vx_as_root apt-get update
	fi
	vx_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" &&
		return 0
	# A package list that is too old names files that the mirror no longer has.
	vx_as_root apt-get update
	vx_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

vx_need_packages()
{
	local step=$1 package missing=()
	shift
	for package in "$@"; do
		vx_package_installed "$package" || missing+=("$package")
	done
	if [ ${#missing[@]} = 0 ]; then
		return 0
	fi
	if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
		vx_die "$step" "missing packages; install them with: apt-get install ${missing[*]}"
	fi
	vx_say "installing Debian packages: ${missing[*]}"
	vx_run "$step" "$VX_CACHE/log/apt-install.log" vx_install_packages "${missing[@]}"
}

vx_user()
{
	if [ "$(id -u)" != 0 ]; then
		id -un
	else
		printf '%s\n' "${PG_VEXEC_USER:-nobody}"
	fi
}

vx_as_user()
{
	local user

	if [ "$(id -u)" != 0 ]; then
		"$@"
	else
		user=$(vx_user)
		setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- \
			env HOME=/nonexistent USER="$user" LOGNAME="$user" "$@"
	fi
}

vx_give()
{
	local user

	if [ "$(id -u)" = 0 ]; then
		user=$(vx_user)
		chown -R "$user:$(id -g "$user")" "$@"
	fi
}

vx_temp_folder()
{
	local vx_path

	vx_path=$(mktemp -d "${TMPDIR:-/tmp}/pg_vexec.${2:-tmp}.XXXXXX")
	chmod 0711 "$vx_path"
	vx_give "$vx_path"
	vx_at_exit rm -rf "$vx_path"
	printf -v "$1" '%s' "$vx_path"
}

vx_pg_config()
{
	case $1 in
		release) "$VX_ROOT/test/setup" --release ;;
		cassert | asan) "$VX_ROOT/test/setup" --cassert ;;
		valgrind) "$VX_ROOT/test/setup" --valgrind ;;
		/*) printf '%s\n' "$1" ;;
		*)
			vx_die "choose a server" \
				"no variant \"$1\": release, cassert, asan, valgrind or the path of a pg_config"
			;;
	esac
}

vx_build()
{
	"$VX_ROOT/test/build" "$1"
}

vx_log()
{
	printf '%s/log\n' "$1"
}

# Prints the process id of the postmaster of FOLDER, or fails when none runs.
vx_server_pid()
{
	local pid

	pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) || return 1
	# A server's working folder is its data folder: a reused process id is told apart by it.
	[ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$(readlink -f "$1/data")" ] && echo "$pid"
}

# Environment of a server under the sanitizers, one assignment per line.
vx_asan_environment()
{
	echo "LD_PRELOAD=$(readlink -f "$("${CC:-gcc}" -print-file-name=libasan.so)")"
	echo "ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=0"
	echo "UBSAN_OPTIONS=print_stacktrace=1"
}

# PostgreSQL 17 finds extensions only below its own folders.  Makes a copy of the server beside the
# build, with the extension in it, and prints the copy's folder of programs: a server finds its files
# relative to the real place of its program, so programs are copied and all else is linked.
vx_server_with_extension()
{
	local pg_config=$1 stage=$2 copy bin library share

	copy=$(dirname "$stage")/server
	bin=$("$pg_config" --bindir)
	library=$("$pg_config" --pkglibdir)
	share=$("$pg_config" --sharedir)
	if [ ! -x "$copy$bin/postgres" ]; then
		rm -rf "$copy.new"
		mkdir -p "$copy.new$bin" "$copy.new$library" "$copy.new$share"
		cp -RL "$bin/." "$copy.new$bin"
		cp -Rs "$library/." "$copy.new$library"
		cp -Rs "$share/." "$copy.new$share"
		rm -rf "$copy"
		mv "$copy.new" "$copy"
	fi
	rm -f "$copy$library/pg_vexec.so" "$copy$share"/extension/pg_vexec*
	cp "$stage/lib/pg_vexec.so" "$copy$library/"
	cp "$stage"/share/extension/pg_vexec* "$copy$share/extension/"
	echo "$copy$bin"
}

# Writes FOLDER/postgres, which runs the server of a folder of programs under valgrind.  Its processes
# write what valgrind finds below FOLDER/valgrind; core's own suppressions are left out of it.
vx_valgrind_program()
{
	local folder=$1 bin=$2

	rm -rf "$folder/valgrind"
	mkdir "$folder/valgrind"
	cp "$VX_CACHE/src/$(cat "$VX_CACHE/src/source.stamp")/src/tools/valgrind.supp" "$folder/"
	cat >"$folder/postgres" <<-END
		#!/bin/sh
		exec valgrind --quiet --leak-check=no --num-callers=30 --trace-children=yes \\
			--suppressions='$folder/valgrind.supp' --log-file='$folder/valgrind/%p' \\
			--error-markers=VALGRINDERROR-BEGIN,VALGRINDERROR-END '$bin/postgres' "\$@"
	END
	chmod 0755 "$folder/postgres"
	vx_give "$folder/valgrind"
}

vx_start()
{
	local keep=0 folder variant bin stage major environment=() options=() setting

	if [ "$1" = -k ]; then
		keep=1
		shift
	fi
	folder=$1
	variant=$2
	shift 2
	case $folder in
		/*) ;;
		*) vx_die "start a server" "the folder \"$folder\" must be an absolute path" ;;
	esac
	# An unnoticed failure inside $( ) would go on with an empty path.
	bin=$(vx_pg_config "$variant") || exit 1
	major=$("$bin" --version)
	major=${major#PostgreSQL }
	major=${major%%[!0-9]*}
	stage=$(vx_build "$variant") || exit 1
	if [ "$major" -ge 18 ]; then
		bin=$("$bin" --bindir)
	else
		bin=$(vx_server_with_extension "$bin" "$stage") || exit 1
	fi

	if [ -e "$folder" ] && [ ! -e "$folder/pg_vexec-server" ] && [ -n "$(ls -A "$folder")" ]; then
		vx_die "start a server" "the folder $folder holds something else"
	fi
	if vx_server_pid "$folder" >/dev/null; then
		vx_die "start a server" "a server is running in $folder; stop it with: test/pg stop $folder"
	fi
	if [ ${#folder} -gt 80 ]; then
		vx_die "start a server" "the path $folder is too long for a Unix socket in it"
	fi
	mkdir -p "$folder/socket"
	printf '%s\n' "$bin" >"$folder/pg_vexec-server"
	chmod 0711 "$folder"
	chmod 0700 "$folder/socket"

	if [ ! -f "$folder/data/PG_VERSION" ]; then
		rm -rf "$folder/data"
		: >"$folder/initdb.log"
		vx_give "$folder"
		vx_run "make a cluster" "$folder/initdb.log" vx_as_user "$bin/initdb" -D "$folder/data" \
			-U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync
	fi
	{
		echo "# Written by vx_start at every start."
		echo "include 'pg_vexec-original.conf'"
		echo "listen_addresses = ''"
		echo "unix_socket_directories = '$folder/socket'"
		echo "unix_socket_permissions = 0700"
		echo "port = 5432"
		echo "log_destination = 'stderr'"
		echo "logging_collector = off"
		echo "log_line_prefix = '%m [%p] %d '"
		if [ "$major" -ge 18 ]; then
			echo "extension_control_path = '$stage/share:\$system'"
			echo "dynamic_library_path = '$stage/lib:\$libdir'"
		fi
		for setting in "$@"; do
			printf '%s\n' "$setting"
		done
	} >"$folder/settings.new"
	if [ ! -f "$folder/data/pg_vexec-original.conf" ]; then
		cp -p "$folder/data/postgresql.conf" "$folder/data/pg_vexec-original.conf"
	fi
	cat "$folder/settings.new" >"$folder/data/postgresql.conf"
	rm -f "$folder/settings.new"

	if [ "$variant" = asan ]; then
		mapfile -t environment < <(vx_asan_environment)
	elif [ "$variant" = valgrind ]; then
		vx_valgrind_program "$folder" "$bin"
		options=(-p "$folder/postgres")
	fi
	rm -f "$folder/start.log"
	# The folder of the server must outlive the caller's current one.
	(cd / && vx_as_user env "${environment[@]}" "$bin/pg_ctl" start -w -t 300 -s "${options[@]}" \
		-D "$folder/data" -l "$folder/log" </dev/null >"$folder/start.log" 2>&1 9>&-) || {
		cat "$folder/log" >>"$folder/start.log" 2>/dev/null || true
		vx_die "start a server" "pg_ctl failed" "$folder/start.log"
	}
	if [ $keep = 0 ]; then
		vx_at_exit vx_stop "$folder" immediate
	fi
}

vx_stop()
{
	local pid signal=INT waited=0

	pid=$(vx_server_pid "$1") || return 0
	if [ "${2:-fast}" = immediate ]; then
		signal=QUIT
	fi
	kill -$signal "$pid" 2>/dev/null || return 0
	while vx_server_pid "$1" >/dev/null; do
		sleep 0.1
		waited=$((waited + 1))
		if [ $waited = 600 ]; then
			kill -QUIT "$pid" 2>/dev/null || true
		elif [ $waited -ge 700 ]; then
			vx_say "the server in $1 (process $pid) does not stop"
			return 1
		fi
	done
}

vx_connection()
{
	printf 'host=%s port=5432 user=postgres dbname=postgres\n' "$1/socket"
}

vx_use()
{
	local bin

	bin=$(cat "$1/pg_vexec-server")
	export PGHOST=$1/socket PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
	case ":$PATH:" in
		":$bin:"*) ;;
		*) export PATH=$bin:$PATH ;;
	esac
}

vx_psql()
{
	local folder=$1

	shift
	(
		vx_use "$folder"
		psql -X -q -v ON_ERROR_STOP=1 "$@"
	)
}

vx_header_folders()
{
	local root

	root=$("$VX_ROOT/test/setup" --headers) || exit 1
	printf '%s\n' "$root/$1/usr/include/postgresql/$1/server" "$root/$1/usr/include/postgresql"
}

vx_count()
{
	printf 'passed=%d failed=%d\n' "$1" "$2"
	[ "$2" = 0 ]
}

vx_count_diff()
{
	local line statements=0 differences=0

	line=$(grep -E '^[0-9]+ statements x [0-9]+ modes, [0-9]+ differences$' "$1" | tail -n 1 || true)
	if [[ $line =~ ^([0-9]+)\ statements\ x\ ([0-9]+)\ modes,\ ([0-9]+) ]]; then
		statements=$((BASH_REMATCH[1] * BASH_REMATCH[2]))
		differences=${BASH_REMATCH[3]}
	fi
	if [ "$2" != 0 ] && [ "$differences" = 0 ]; then
		differences=1
	fi
	vx_count $((statements > differences ? statements - differences : 0)) "$differences"
}
