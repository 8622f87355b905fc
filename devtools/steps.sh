# SPDX-License-Identifier: BSD-3-Clause
#
# For the other scripts of this folder: the output directory, and long commands that report
# every two seconds.

child= reporter=
trap 'echo "${0##*/}: interrupted" >&2; stop 130' INT
trap 'stop 143' TERM

# kill_tree PID...: ends processes and all that they started. meson leaves ninja behind when it ends.
kill_tree() {
	for pid; do
		# shellcheck disable=SC2046
		set -- $(cat "/proc/$pid/task/$pid/children" 2> /dev/null)
		kill "$pid" 2> /dev/null || :
		kill_tree "$@"
	done
}

# stop STATUS: ends the commands of this script, and then the script. Another signal ends the script at once.
stop() {
	trap - INT TERM
	# shellcheck disable=SC2086
	kill_tree $child $reporter
	wait
	exit $1
}

# run COMMAND...: runs COMMAND so that a signal to this script ends COMMAND at once. Returns the
# status of COMMAND.
run() {
	"$@" < /dev/null &
	child=$!
	status=0
	wait $child || status=$?
	child=
	return $status
}

# use_output WHO DIR: makes DIR if it does not exist, and sets out to its absolute path. WHO is the
# script's name in messages.
use_output() {
	mkdir -p "$2" 2> /dev/null && [ -w "$2" ] ||
		{ echo "$1: cannot write $2; pass --build-dir DIR" >&2; exit 3; }
	out=$(cd "$2" && pwd)
	use_cache "$1" "$out"
}

# use_cache WHO DIR: moves the cache of the scripts to DIR/cache if nobody can write the usual one, for
# example because HOME is read-only.
use_cache() {
	cache=${XDG_CACHE_HOME:-${HOME:-/dev/null}/.cache}/net-devx
	! { mkdir -p "$cache" && [ -w "$cache" ]; } 2> /dev/null || return 0
	mkdir -p "$2/cache" 2> /dev/null || { echo "$1: cannot write $cache; set XDG_CACHE_HOME" >&2; exit 3; }
	XDG_CACHE_HOME=$(cd "$2/cache" && pwd)
	export XDG_CACHE_HOME
}

# lock_output WHO NAME: waits until no other script builds or tests in $out/NAME. The lock ends with
# this script, because the commands that step starts close descriptor 9.
lock_output() {
	exec 9> "$out/$2.lock"
	flock -n 9 || {
		echo "$1: another script uses $out/$2; waiting until it ends"
		run flock 9
	}
}

# report LOG: every two seconds, until $child ends, prints the elapsed seconds and the last line of LOG
report() {
	start=$(date +%s) said=0
	while sleep 0.5; kill -0 $child 2> /dev/null; do
		s=$(($(date +%s) - start))
		[ $s -ge $((said + 2)) ] || continue
		said=$s
		printf '   %3d s  %s\n' $s "$(tail -c 400 "$1" | tr '\r' '\n' |
			sed -n 's/[^[:print:]]//g; s/^ *//; /./h; ${x;p;}' | cut -c 1-84)"
	done
}

# step LABEL LOG COMMAND...: runs COMMAND with its output in LOG, and calls report meanwhile. Prints
# the end of LOG if COMMAND fails, and returns the status of COMMAND. If `progress` is set to the name of a
# function, that function reports instead: it gets LOG and the process id of COMMAND, and
# prints lines of its own until COMMAND ends. If COMMAND fails and the disk is full, step prints only
# a line that says so, and returns 3.
step() {
	label=$1 log=$2
	shift 2
	mkdir -p "$(dirname "$log")"
	echo "== $label"
	"$@" > "$log" 2>&1 < /dev/null 9>&- &
	child=$!
	if [ -n "${progress-}" ]; then
		$progress "$log" $child 9>&- &
		reporter=$!
	else
		report "$log"
	fi
	status=0
	wait $child || status=$?
	child=
	[ -z "$reporter" ] || { kill $reporter 2> /dev/null; wait $reporter || :; } 2> /dev/null
	reporter=
	[ $status -ne 0 ] || return 0
	# LOG is often on the full disk, and lacks the reason then.
	if [ "$(df --output=avail "$log" | tail -n 1)" -eq 0 ] || grep -q 'No space left on device' "$log"; then
		echo "== $label failed: the disk is full; make room, and run this again"
		return 3
	fi
	echo "== $label failed with status $status; the end of $log:"
	tail -n 40 "$log" | sed 's/^/   | /'
	return $status
}
