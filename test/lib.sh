# shellcheck shell=bash
# Shell library of the test and benchmark scripts.  Source it from a bash script that has
# "set -euo pipefail":   . "$(dirname "$0")/lib.sh"
#
# Variables set here
#   VX_ROOT    the checkout
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
# Interrupted scripts: vx_run's command is ended with the script.

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
