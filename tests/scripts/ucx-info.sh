#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# ucx-info.sh DEVX-EMU
#
# UCX, unmodified, finds the device of each port with access(), opens it, and names it as a memory domain. Its transports
# need a GID, which only RoCE has.
emu=$1
. "$(dirname "$0")/lib.bash"
need ucx_info ucx-utils
make_work

# domains: the memory domains that UCX made of RDMA devices
domains() { awk '/^# Memory domain: / { domain = $4 } /^# +Component: ib$/ { print domain }' "$work/out" | sort | tr '\n' ' '; }

expect 0 "devx-emu: 0 protocol mistakes" "$emu" -- ucx_info -d
[ "$(domains)" = "mlx5_0 " ] || fail "memory domains: '$(domains)' (valid: mlx5_0)"
expect 0 "devx-emu: 0 protocol mistakes" "$emu" --ports 2 -- ucx_info -d
[ "$(domains)" = "mlx5_0 mlx5_1 " ] || fail "memory domains: '$(domains)' (valid: mlx5_0 mlx5_1)"
pass
