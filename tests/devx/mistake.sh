#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mistake.sh LAUNCHER TEST: TEST passes, and LAUNCHER ends in 125 because of what TEST did.
set -u
out=$("$1" -- "$2" 2>&1)
rc=$?
printf '%s\n' "$out"
case $out in
*'[  FAILED  ]'*) exit 1 ;;
*'[  PASSED  ]'*) ;;
*) echo "the test did not come to its end"; exit 1 ;;
esac
[ $rc -eq 125 ] && exit 0
echo "the launcher ended in $rc; it must be 125 after a driver's mistakes"
exit 1
