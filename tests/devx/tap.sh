#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tap.sh LAUNCHER TEST: TEST on a port whose wire is a TAP, in a namespace of its own.
set -u
unshare -Urn true 2> /dev/null || { echo "SKIP: no user and network namespaces here"; exit 77; }
[ -c /dev/net/tun ] || { echo "SKIP: no /dev/net/tun here"; exit 77; }
exec unshare -Urn "$1" --wire tap:devx-tap -- "$2"
