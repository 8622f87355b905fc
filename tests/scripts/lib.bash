# SPDX-License-Identifier: BSD-3-Clause
#
# Functions for scripts of bash that source this file:
#
#     . "$(dirname "$0")/lib.bash"
#     make_work
#     expect 0 "Usage:" "$program" --help
#     pass
#
# wait.sh has those that scripts of sh need too, on this machine and in a guest.

. "$(dirname "${BASH_SOURCE[0]}")/wait.sh"

failures=() # a line for each failed check
logs=() # the files that fail prints; a name may be a pattern
ends_at_failure= # if it is set, the first failure ends the script

say() { printf '%s\n' "$*"; }

# make_work: makes the empty folder $work. The end of the script calls cleanup, if the script has a function of this name.
# Then it kills the background processes that are left, and removes the folder.
make_work()
{
	work=$(mktemp -d) || exit 1
	logs=("$work/out")
	trap end_work EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

end_work()
{
	local left

	! declare -F cleanup > /dev/null || cleanup
	left=$(jobs -pr; jobs -ps)
	[ -z "$left" ] || { kill -KILL $left || :; wait; } 2> /dev/null
	rm -rf "$work"
}

# fail WHY: prints the last lines of each file in $logs, and WHY. The script goes on, but cannot pass any more.
fail()
{
	local log

	for log in ${logs[@]}; do # a pattern matches the files that exist now
		[ -s "$log" ] || continue
		say "---- last lines of ${log##*/} ----"
		tail -n 100 "$log" | sed '$a\' # which ends the last line
	done
	say "FAIL: $*"
	failures+=("FAIL: $*")
	[ -z "$ends_at_failure" ] || exit 1
}

# pass [TEXT]: ends the script, with status 0 if no check failed. Otherwise it repeats all failures, for a log that was cut.
pass()
{
	if [ ${#failures[@]} -gt 0 ]; then
		printf '%s\n' "---- all failures ----" "${failures[@]}"
		exit 1
	fi
	say "PASS${1:+: $*}"
	exit 0
}

# skip WHY: ends the script. devtools/tally counts it as skipped, and prints WHY. A script with a failed check fails instead.
skip()
{
	[ ${#failures[@]} -eq 0 ] || pass
	say "SKIP: $*"
	exit 77
}

# need PROGRAM PACKAGE: skips the script if PROGRAM is not installed
need() { command -v "$1" > /dev/null || skip "no $1; install $2"; }

# need_taps: skips the script if it cannot make namespaces of its own, and TAPs in them
need_taps()
{
	unshare -Urn true 2> /dev/null || skip "no user namespaces for this user (sysctl kernel.unprivileged_userns_clone=1)"
	[ -w /dev/net/tun ] || skip "no /dev/net/tun; load the kernel's module tun"
}

# enter_namespaces OPTION ARG...: runs the script again with each ARG, in namespaces of its own (OPTION of unshare), in which
# it may make TAPs. In these namespaces, it does nothing.
enter_namespaces()
{
	[ -z "${IN_NAMESPACE-}" ] || return 0
	need_taps
	IN_NAMESPACE=yes exec unshare "$1" "$0" "${@:2}"
}

# expect STATUS TEXT COMMAND...: COMMAND ends with STATUS and prints TEXT. Its output is in $work/out.
expect()
{
	local status=0

	"${@:3}" > "$work/out" 2>&1 || status=$?
	[ $status -eq "$1" ] || fail "exit status $status (valid: $1): ${*:3}"
	[ -z "$2" ] || says "$2"
}

# says TEXT: the output of the last expect has TEXT
says() { grep -qF -- "$1" "$work/out" || fail "the output has no '$1'"; }

# has_lines TEXT N FILE: FILE has at least N lines with TEXT
has_lines() { [ "$(grep -cF -- "$1" "$3")" -ge "$2" ]; }
