#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tap.sh LAUNCHER TEST [OPTION...]: runs TEST on a port whose wire is a TAP, in a network namespace
# of its own, with the profile TAP_PROFILE of emu. With TWO_PORTS=yes a second port has a TAP as well: devx-tap1.
set -u
. "$(dirname "$0")/../scripts/lib.bash"
need_taps
# Without IPv6 the kernel sends no frames of its own when a test sets the TAP up.
exec unshare -Urn sh -c 'echo 1 2> /dev/null > /proc/sys/net/ipv6/conf/default/disable_ipv6; exec "$@"' - \
	"$1" --profile "${TAP_PROFILE-cx6dx}" --wire tap:devx-tap ${TWO_PORTS:+--ports 2 --wire 1=tap:devx-tap1} -- "${@:2}"
