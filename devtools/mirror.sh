# SPDX-License-Identifier: BSD-3-Clause
#
# For devtools/root and devtools/deps: tells a package that Debian's mirror lacks from a fault of this machine.

# keep_log LOG COMMAND...: runs COMMAND with its output on stderr and in LOG. Returns 1 if COMMAND fails. After Ctrl-C
# it waits until COMMAND has ended.
keep_log() {
	log=$1
	shift
	rm -f "$log.failed"
	{ trap : INT TERM; "$@" 2>&1 || : > "$log.failed"; } | tee -i "$log" >&2
	[ ! -e "$log.failed" ]
}

# list_lacking LOG: prints the packages that the mirror lacks, if apt failed because of them: unknown names,
# dependencies that cannot be installed, and files that are in the index only. Prints nothing if the mirror does not
# answer, or the disk is full.
list_lacking() {
	! grep -q 'No space left on device' "$1" || return 0
	sed -n "s/^E: Unable to locate package //p
		s/^E: Package '\(.*\)' has no installation candidate/\1/p
		s/^E: No packages found.*/linux-image-cloud-amd64/p
		s/^E: Failed to fetch \([^ ]*\) .*\(404 .*Not Found\|Mirror sync in progress\).*/\1/p
		s/^ [^ ]* : \(Pre-\)\{0,1\}Depends: \([^ ]*\).* but .*/\2/p" "$1" | sort -u | head -n 3 | tr '\n' ' '
}
