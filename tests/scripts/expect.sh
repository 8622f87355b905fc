# SPDX-License-Identifier: BSD-3-Clause
# A function for scripts that source this file. They set out, a file for the output of a command, and
# end with the status $failed.
failed=0

# expect STATUS TEXT COMMAND...: COMMAND ends with STATUS and prints TEXT
expect()
{
	want=$1 text=$2
	shift 2
	"$@" >"$out" 2>&1
	got=$?
	[ $got -eq "$want" ] && grep -qF -- "$text" "$out" && return
	echo "FAILED: exit $got, wanted $want and \"$text\": $*"
	cat "$out"
	failed=1
}
