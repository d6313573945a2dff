# shellcheck shell=bash
# What the scripts of this folder share: results in TAP's form, and psql sessions that stay open.
#
#   report NAME WRONG [TEXT]     one test; WRONG is empty or 0 when it passed; TEXT says what is wrong
#   report_same NAME WANTED GOT  passes when both texts are equal, else shows the difference
#   report_end                   the closing line
#
#   session_open NAME FOLDER [PSQL_ARGUMENT...]   a psql on the server in FOLDER; errors print as
#                                "ERROR:  SQLSTATE" in the output
#   session_send NAME TEXT       sends lines to it, does not wait
#   session_wait NAME [SECONDS]  waits until all lines sent are done and puts what they printed into
#                                SESSION_TEXT; after SECONDS (60) that is "no answer in time"
#   session_run NAME TEXT [SECONDS]   both
#   session_close NAME           ends it and waits for its end
#
#   wait_for SECONDS COMMAND...  until the command succeeds; fails when it does not in time
#
# Needs test/lib.sh.

TAP_TESTS=0
trap '' PIPE

report()
{
	TAP_TESTS=$((TAP_TESTS + 1))
	if [ -z "$2" ] || [ "$2" = 0 ]; then
		echo "ok $TAP_TESTS - $1"
	else
		echo "not ok $TAP_TESTS - $1"
		if [ -n "${3:-}" ]; then
			printf '%s\n' "$3" | sed 's/^/# /'
		fi
	fi
}

report_same()
{
	if [ "$2" = "$3" ]; then
		report "$1" 0
	else
		report "$1" 1 "$(diff <(printf '%s\n' "$2") <(printf '%s\n' "$3"))"
	fi
}

report_end()
{
	echo "1..$TAP_TESTS"
}

declare -A SESSION_IN=() SESSION_OUT=() SESSION_PID=() SESSION_SENT=() SESSION_READ=()

session_open()
{
	local name=$1 folder=$2 base descriptor

	shift 2
	base=$(mktemp -u "${TMPDIR:-/tmp}/pg_vexec.session.XXXXXX")
	mkfifo -m 0600 "$base.in"
	: >"$base.out"
	(
		vx_use "$folder"
		exec psql -X -q -At -F ' ' "$@" <"$base.in" >"$base.out" 2>&1
	) &
	SESSION_PID[$name]=$!
	exec {descriptor}>"$base.in"
	rm -f "$base.in"
	vx_at_exit rm -f "$base.out"
	SESSION_IN[$name]=$descriptor
	SESSION_OUT[$name]=$base.out
	SESSION_SENT[$name]=0
	SESSION_READ[$name]=0
	session_send "$name" '\set VERBOSITY sqlstate'
}

session_send()
{
	# A psql that has lost its connection is gone.
	if kill -0 "${SESSION_PID[$1]}" 2>/dev/null; then
		printf '%s\n' "$2" >&"${SESSION_IN[$1]}" || true
	fi
}

session_answered()
{
	grep -q -x -e "$2" "${SESSION_OUT[$1]}" || ! kill -0 "${SESSION_PID[$1]}" 2>/dev/null
}

wait_for()
{
	local until=$((SECONDS + $1))

	shift
	while ! "$@"; do
		if [ $SECONDS -gt $until ]; then
			return 1
		fi
		sleep 0.01
	done
}

session_wait()
{
	local name=$1 mark

	mark="-- done $((++SESSION_SENT[$name]))"
	session_send "$name" "\\echo $mark"
	if ! wait_for "${2:-60}" session_answered "$name" "$mark"; then
		SESSION_TEXT="no answer in time"
		return
	fi
	# shellcheck disable=SC2034
	SESSION_TEXT=$(tail -n +$((SESSION_READ[$name] + 1)) "${SESSION_OUT[$name]}" | grep -v '^-- done ' || true)
	SESSION_READ[$name]=$(wc -l <"${SESSION_OUT[$name]}")
}

session_run()
{
	session_send "$1" "$2"
	session_wait "$1" "${3:-60}"
}

session_close()
{
	local descriptor=${SESSION_IN[$1]}

	exec {descriptor}>&-
	wait "${SESSION_PID[$1]}" || true
	unset "SESSION_IN[$1]"
}
