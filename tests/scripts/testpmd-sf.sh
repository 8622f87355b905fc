#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ports that are sub-functions: -a auxiliary:mlx5_core.sf.N,driver=net_devx. Without this argument stock net_mlx5 takes
# the device, in the same process too. Ports come and go while testpmd runs, also when both drivers take turns with
# a device.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"

first=mlx5_core.sf.4 second=mlx5_core.sf.5 # ports of emu
adapter=("$emu" --sf --ports 2 --wire loop --netdev emu --)
forward=("${interactive[@]}" --forward-mode=io --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64)

# refused TEXT EMU_ARGS... -- EAL_ARGS...: one line of the port says TEXT, and no port appears
refused() {
	local text=$1 options=()

	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	say "+ refused: $*"
	LD_LIBRARY_PATH=$driver_dir timeout $WAIT_S "$emu" --sf "${options[@]}" -- "${wrapper[@]}" dpdk-testpmd "${eal[@]}" --no-pci \
		-d librte_net_devx.so "$@" -- --no-mlockall --total-num-mbufs=4096 < /dev/null > "$log" 2>&1
	grep -aqF -- "$text" "$log" || fail "no line with '$text'"
	[ "$(grep -acE "^(mlx5_core.sf.[0-9]*|net_devx1)[: ]" "$log")" -eq 1 ] || fail "net_devx prints more than one line, or none"
	say "  $(grep -aF -m1 -- "$text" "$log")"
	grep -q '^devx-emu: 0 protocol mistakes' "$log" || fail "protocol mistakes"
}

say "== rdma-core finds the sub-functions"
devices=$("${adapter[@]}" ibv_devices) || fail "ibv_devices: $devices"
[[ $devices == *mlx5_0*mlx5_1* ]] || fail "ibv_devices shows no device of a sub-function: $devices"

say "== one sub-function with each driver; net_devx behind net_mlx5 in the order of the plugins"
# by path: a machine may have the drivers of two releases of DPDK
mlx5=$(ls "$(dirname "$eal_library")/dpdk/pmds-$dpdk_abi".*/librte_net_mlx5.so* | head -n 1)
[ -n "$mlx5" ] || fail "no librte_net_mlx5.so for $eal_library"
pmd_begin "${adapter[@]}" sh -c 'ip link set emu0 up promisc on; ip link set emu1 up promisc on; exec "$@"' - \
	dpdk-testpmd "${eal[@]}" --no-pci -d "$mlx5" -d librte_net_devx.so -a "auxiliary:$first" \
	-a "auxiliary:$second,driver=net_devx,uar=nc" -- "${forward[@]}"
pmd_expect_driver 0 mlx5_auxiliary
pmd_expect_driver 1 net_devx
[[ $out == *"Device name: $second"* ]] || fail "the port has not the name of its device: $out"
pmd_exchange 0 1

say "== the drivers take turns with the device"
for driver in mlx5_auxiliary net_devx; do
	pmd_do "port stop 1"
	pmd_do "port close 1"
	pmd_do "device detach auxiliary:$second"
	[[ $out == *"is detached"* ]] || fail "not detached: $out"
	case $driver in
	net_devx) pmd_do "port attach auxiliary:$second,driver=net_devx" ;;
	*) pmd_do "port attach auxiliary:$second" ;;
	esac
	[[ $out == *"Port 1 is attached"* ]] || fail "not attached: $out"
	pmd_do "port start 1"
	pmd_expect_driver 1 $driver
	pmd_exchange 0 1
done
say "== a device that is attached already, and one that is not there"
pmd_do "port attach auxiliary:$second,driver=net_devx"
[[ $out != *"is attached."* ]] || fail "attached twice: $out"
pmd_do "port attach auxiliary:mlx5_core.sf.99,driver=net_devx"
[[ $out == *"Cannot find device (mlx5_core.sf.99)"* ]] || fail "EAL has no line for an unknown device: $out"
[[ $out != *"is attached."* ]] || fail "attached without a device: $out"
pmd_exchange 0 1
pmd_quit

say "== bad input"
wrapper=()
refused "link layer: InfiniBand is unsupported (valid: Ethernet)" --profile ib -- -a "auxiliary:$first,driver=net_devx"
refused "mlx5_core.sf.99: no such sub-function (valid: a name in /sys/bus/auxiliary/devices)" \
	-- -a auxiliary:mlx5_core.sf.99,driver=net_devx
refused "the RDMA device is already in use by port $first of this process (valid: one port per device)" \
	-- -a "auxiliary:$first,driver=net_devx" --vdev net_devx1,ibdev=mlx5_0
# made up before the program starts: a sub-function whose enable_rdma is false
wrapper=(sh -c 'mkdir "$SYSFS_PATH/bus/auxiliary/devices/mlx5_core.sf.7"; exec "$@"' -)
refused "the sub-function has no RDMA device; enable it: \`devlink dev param set auxiliary/mlx5_core.sf.7 name enable_rdma" \
	-- -a auxiliary:mlx5_core.sf.7,driver=net_devx
pass "net_devx takes the sub-functions that name it, and no other"
