#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# headers.sh LIB HEADER...: every header below LIB compiles alone as C11, and each HEADER,
# which programs include, as C++17 too. CC and CXX say with what.
set -u
lib=$1
shift
n=0 bad=0

try() {
	n=$((n + 1))
	"$@" -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only "-I$lib" || bad=$((bad + 1))
}

for h in $(find "$lib" -name '*.h' | sort); do
	# shellcheck disable=SC2086
	try ${CC:-cc} -std=c11 -x c "$h"
done
for h; do
	# shellcheck disable=SC2086
	try ${CXX:-c++} -std=c++17 -x c++ "$lib/$h"
done
echo "$n compilations, $bad failed"
[ $bad -eq 0 ]
