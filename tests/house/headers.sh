#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# headers.sh LIB: every header below LIB compiles alone, as C11, with the compiler $CC.
set -u
n=0 bad=0
for h in $(find "$1" -name '*.h' | sort); do
	n=$((n + 1))
	# shellcheck disable=SC2086
	${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only "-I$1" -x c "$h" ||
		bad=$((bad + 1))
done
echo "$n headers, $bad do not compile alone"
[ $n -gt 0 ] && [ $bad -eq 0 ]
