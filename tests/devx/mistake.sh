#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mistake.sh LAUNCHER TEST: expects that TEST passes and LAUNCHER exits with 125 (TEST makes mistakes).
set -u
out=$("$1" -- "$2" 2>&1)
rc=$?
printf '%s\n' "$out"
case $out in
*'[  FAILED  ]'*) exit 1 ;;
*'[  PASSED  ]'*) ;;
*) echo "the test did not run to its end"; exit 1 ;;
esac
[ $rc -eq 125 ] && exit 0
echo "exit status of the launcher: $rc (valid: 125, because the test makes driver mistakes)"
exit 1
