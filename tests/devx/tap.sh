#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tap.sh LAUNCHER TEST [OPTION...]: runs TEST on a port whose wire is a TAP, in a network namespace
# of its own.
set -u
launcher=$1
shift
unshare -Urn true 2> /dev/null || { echo "SKIP: this user may not create user and network namespaces"; exit 77; }
[ -c /dev/net/tun ] || { echo "SKIP: no /dev/net/tun; load the kernel module tun"; exit 77; }
exec unshare -Urn "$launcher" --wire tap:devx-tap -- "$@"
