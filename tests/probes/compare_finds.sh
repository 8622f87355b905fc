#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# compare_finds.sh COMPARE: a kernel that answers otherwise fails if its release has a column, and is skipped if not.
set -eu
compare=$1
. "$(dirname "$0")/../scripts/lib.bash"
make_work
ends_at_failure=yes
cat > "$work/answers" <<'EOF'
# a comment
probe    6.12.107  6.12.117  7.2.12
open a   ok        EINVAL    ENOENT
open b   ok
open c   -         ok
EOF

# ends STATUS LAST-LINE KERNEL ANSWER...: KERNEL gives these answers to open a, b and c; a - is none
ends() {
	printf 'open a  %s\nopen b  %s\nopen c  %s\n' "${@:4}" | grep -v -e '-$' > "$work/run" || :
	expect "$1" "" "$compare" "$work/answers" "$3" < "$work/run"
	tail -n 1 "$work/out" | grep -q "^$2" || fail "$3: not '$2'"
}
ends 0 '2 probes, 2 agree with Linux 6.12.107' 6.12.107+deb13-cloud-amd64 ok ok -
ends 0 '3 probes, 3 agree with Linux 6.12.117' 6.12.117 EINVAL ok ok
ends 1 '3 probes, 2 agree with Linux 6.12.117' 6.12.117+deb13 ENOENT ok ok
ends 1 '2 probes, 2 agree' 6.12.117 EINVAL ok -
ends 1 '0 probes' 6.12.130 - - -

# The nearest release: of the same series, or else of the next one
ends 0 '3 probes, 3 agree with Linux 6.12.117' 6.12.130+deb13 EINVAL ok ok
ends 0 '3 probes, 3 agree with Linux 7.2.12' 7.2.3 ENOENT ok ok
ends 0 '3 probes, 3 agree with Linux 7.2.12' 7.3 ENOENT ok ok
ends 77 'new with Linux 6.12.130: 2 answers .* tests/probes/record --kernel 6.12.130' 6.12.130 EPERM ok EPERM
grep -qx 'new with Linux 6.12.130: open a: answers EPERM, recorded is EINVAL' "$work/out"

# A mistake in the table is a failure with every kernel.
echo 'open b   ok' >> "$work/answers"
ends 1 '3 probes' 6.12.130 EINVAL ok ok
