#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A port of net_devx by its PCI address: -a ADDRESS,driver=net_devx. Without this argument stock net_mlx5 takes
# the device, in the same process too. The order in which EAL loads the drivers plays no part. Ports come and go
# while testpmd runs, also when both drivers take turns with a device.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"

first=0000:c1:00.0 second=0000:c1:00.1 # addresses of the ports of emu
adapter=("$emu" --ports 2 --wire loop --netdev emu --)
forward=("${interactive[@]}" --forward-mode=io --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64)

# begin EAL_ARGS...
begin() {
	pmd_begin "${adapter[@]}" sh -c 'ip link set emu0 up promisc on; ip link set emu1 up promisc on; exec "$@"' - \
		dpdk-testpmd "${eal[@]}" "$@" -- "${forward[@]}"
}

# refused TEXT EAL_ARGS...: one line of the port says TEXT, and no port appears
refused() {
	local text=$1

	shift
	say "+ refused: $*"
	LD_LIBRARY_PATH=$driver_dir timeout $WAIT_S "${adapter[@]}" dpdk-testpmd "${eal[@]}" "$@" -- --no-mlockall --total-num-mbufs=4096 \
		< /dev/null > "$log" 2>&1
	grep -aqF -- "$text" "$log" || fail "no line with '$text'"
	[ "$(grep -acE "^($first|net_devx1)[: ]" "$log")" -eq 1 ] || fail "net_devx prints more than one line, or none"
	say "  $(grep -aF -m1 -- "$text" "$log")"
	grep -q '^devx-emu: 0 protocol mistakes' "$log" || fail "protocol mistakes"
}

say "== one device with each driver"
begin -d librte_net_devx.so -a "$first" -a "$second,driver=net_devx,uar=nc"
pmd_expect_driver 0 mlx5_pci
pmd_expect_driver 1 net_devx
[[ $out == *"Device name: $second"* ]] || fail "the port has not the name of its device: $out"
pmd_exchange 0 1
pmd_quit

say "== net_devx behind net_mlx5 in the order of the plugins"
# by path: a machine may have the drivers of two releases of DPDK
mlx5=$(ls "$(dirname "$eal_library")/dpdk/pmds-$dpdk_abi".*/librte_net_mlx5.so* | head -n 1)
[ -n "$mlx5" ] || fail "no librte_net_mlx5.so for $eal_library"
begin -d "$mlx5" -d librte_net_devx.so -a "$first,driver=net_devx"
pmd_expect_driver 0 net_devx
pmd_exchange 0

say "== the drivers take turns with the device"
for driver in mlx5_pci net_devx mlx5_pci net_devx; do
	pmd_do "port stop 0"
	pmd_do "port close 0"
	pmd_do "device detach $first"
	[[ $out == *"is detached"* ]] || fail "not detached: $out"
	case $driver in
	net_devx) pmd_do "port attach $first,driver=net_devx" ;;
	*) pmd_do "port attach $first" ;;
	esac
	[[ $out == *"Port 0 is attached"* ]] || fail "not attached: $out"
	pmd_do "port start 0"
	pmd_expect_driver 0 $driver
	pmd_exchange 0
done
say "== twenty ports, one after the other"
for i in $(seq 20); do
	pmd_ask "port stop 0"
	pmd_ask "port detach 0"
	[[ $out == *"is detached"* ]] || fail "$i: not detached: $out"
	pmd_ask "port attach $first,driver=net_devx"
	[[ $out == *"Port 0 is attached"* ]] || fail "$i: not attached: $out"
	pmd_ask "port start 0"
done
pmd_exchange 0
say "== a device that is attached already, and one that is not there"
pmd_do "port attach $first,driver=net_devx"
[[ $out != *"is attached."* ]] || fail "attached twice: $out"
pmd_do "port attach 0000:ff:00.0,driver=net_devx"
[[ $out != *"is attached."* ]] || fail "attached without a device: $out"
pmd_exchange 0
pmd_quit

say "== bad input"
refused "$first: arguments: 'driver=net_devx,ibdev=mlx5_0' is invalid (valid: driver=net_devx uar=auto|" \
	-d librte_net_devx.so -a "$first,driver=net_devx,ibdev=mlx5_0"
refused "$first: argument uar: 'wc' is invalid (valid: auto, bf, nc, nc_dedicated)" \
	-d librte_net_devx.so -a "$first,uar=wc,driver=net_devx"
refused "the RDMA device is already in use by port $first of this process (valid: one port per device)" \
	-d librte_net_devx.so -a "$first,driver=net_devx" --vdev "net_devx1,pci=$first"
pass "net_devx takes the PCI devices that name it, and no other"
