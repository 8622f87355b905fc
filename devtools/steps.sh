# SPDX-License-Identifier: BSD-3-Clause
#
# For the scripts beside it: run long commands, never silent for over two seconds.

child= reporter=
trap 'kill $child $reporter 2> /dev/null || :; exit 130' INT
trap 'kill $child $reporter 2> /dev/null || :; exit 143' TERM

# run COMMAND...: so that a signal to this script ends COMMAND at once. Returns its status.
run() {
	"$@" < /dev/null &
	child=$!
	status=0
	wait $child || status=$?
	child=
	return $status
}

# report LOG: until $child ends, says every two seconds for how long and what LOG ends with
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

# step LABEL LOG COMMAND...: runs COMMAND with its output in LOG, and says every two seconds
# for how long and what it printed last. Prints the end of LOG if COMMAND fails, and returns
# its status. With `progress` set to the name of a function, that function reports instead: it
# gets LOG and the process id of COMMAND, and prints lines of its own until COMMAND ends.
step() {
	label=$1 log=$2
	shift 2
	mkdir -p "$(dirname "$log")"
	echo "== $label"
	"$@" > "$log" 2>&1 < /dev/null &
	child=$!
	if [ -n "${progress-}" ]; then
		$progress "$log" $child &
		reporter=$!
	else
		report "$log"
	fi
	status=0
	wait $child || status=$?
	child=
	[ -z "$reporter" ] || { kill $reporter 2> /dev/null; wait $reporter || :; } 2> /dev/null
	reporter=
	[ $status -eq 0 ] || {
		echo "== $label failed with status $status; the end of $log:"
		tail -n 40 "$log" | sed 's/^/   | /'
	}
	return $status
}
