#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tap.sh LAUNCHER TEST [OPTION...]: runs TEST on a port whose wire is a TAP, in a network namespace
# of its own.
set -u
. "$(dirname "$0")/../scripts/lib.bash"
need_taps
exec unshare -Urn "$1" --wire tap:devx-tap -- "${@:2}"
