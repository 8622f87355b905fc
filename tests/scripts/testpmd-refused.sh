#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# net_devx refuses a device that it cannot drive at probe, with one line that names the cause. Stock
# net_mlx5 and ibv_devinfo show that emu plays such devices as they expect them: net_mlx5 refuses an InfiniBand
# port as well, and writes packet headers into WQEs on a device that needs them.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"
need ibv_devinfo ibverbs-utils

# probe PROFILE EAL_ARGS...: runs testpmd, which finds no port; its output goes to $log
probe() {
	local profile=$1

	shift
	say "+ profile $profile: dpdk-testpmd $*"
	LD_LIBRARY_PATH=$driver_dir timeout $WAIT_S "$emu" --profile "$profile" --netdev emu -- \
		dpdk-testpmd "${eal[@]}" "$@" -- --no-mlockall --total-num-mbufs=4096 < /dev/null > "$log" 2>&1
	grep -q '^devx-emu: 0 protocol mistakes' "$log" || fail "protocol mistakes"
}

# expect_line TEXT: the driver printed this line, and no other
expect_line() {
	say "$(grep '^net_devx0 ' "$log")"
	grep -qF "$1" "$log" || fail "no line has: $1"
	[ "$(grep -c '^net_devx0 ' "$log")" -eq 1 ] || fail "net_devx prints more than one line"
}

devinfo=$("$emu" --profile ib -- ibv_devinfo 2>&1)
grep -q 'link_layer:.*InfiniBand' <<< "$devinfo" || fail "ibv_devinfo shows no InfiniBand port: $devinfo"
probe ib -a 0000:c1:00.0
grep -q 'not configured in Ethernet mode' "$log" || fail "net_mlx5 does not see an InfiniBand port"

# forward PROFILE: net_mlx5 sends packets over a loop and receives each of them
forward() {
	pmd_begin "$emu" --profile "$1" --netdev emu --wire loop --trace "$work/trace" -- \
		sh -c 'ip link set emu0 up promisc on; exec "$@"' - dpdk-testpmd "${eal[@]}" -a 0000:c1:00.0 -- \
		"${interactive[@]}" --forward-mode=io --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64
	pmd_do "start tx_first 8"
	pmd_run RX 100000 0
	pmd_do "stop"
	pmd_drain 0
	expect_equal 0 0
	pmd_quit
	grep -q '^devx-emu: 0 protocol mistakes' "$log" || fail "net_mlx5 makes protocol mistakes with profile $1"
}
forward inline
grep -q ' create_sq .*min_wqe_inline_mode=0x1' "$work/trace" || fail "net_mlx5 does not see that headers are needed"
[ "$driver_dir" != none ] || pass "net_mlx5 refuses an InfiniBand port"
probe ib --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
expect_line "link layer: InfiniBand is unsupported (valid: Ethernet)"

probe inline --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
expect_line "packet headers inside WQEs are unsupported, but this device needs them (capability wqe_inline_mode 1, \
min_wqe_inline_mode of the port 1)"
pass "probe refuses devices by name"
