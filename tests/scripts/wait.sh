# SPDX-License-Identifier: BSD-3-Clause
# Functions for scripts that source this file.

WAIT_S=120 # ten times what the longest wait takes on a quiet machine

# wait_until COMMAND...: repeats COMMAND until it succeeds. Return: 1 after WAIT_S seconds. COMMAND may wait too.
wait_until()
{
	local wait_end

	wait_end=$(($(date +%s) + WAIT_S))
	until "$@"; do
		[ "$(date +%s)" -lt $wait_end ] || return 1
		sleep 0.02
	done
}

# blame_others WHY: ends the script because of a program of others, before ours had a part in it. devtools/test
# repeats the script once.
blame_others()
{
	echo "OTHERS: $*"
	exit 1
}
