# SPDX-License-Identifier: BSD-3-Clause
# What tests in the guest have in common; sourced by init and by them.

fail() { echo "FAIL: $*"; exit 1; }
skip() { echo "$*"; exit 77; }

# Where DPDK has no driver headers, net_devx was not built (devtools/dpdk-sdk says why).
needs_net_devx() {
	[ -e /run/guest/bin/librte_net_devx.so ] ||
		skip "net_devx was not built: no driver headers of this DPDK (devtools/dpdk-sdk)"
}

# prof_sel=0: without it the kernel fills its cache with 6000 mkeys at every start.
load_drivers() {
	modprobe mlx5_core prof_sel=0 && modprobe ib_uverbs && modprobe mlx5_ib &&
		wait_for 3 netdev && wait_for 5 test -c /dev/infiniband/uverbs0
}

# What modprobe takes along, and says about it, depends on its release: what counts is the end.
unload_drivers() {
	modprobe -r mlx5_ib
	! grep -q ^mlx5_core /proc/modules || modprobe -r mlx5_core
	! grep -q ^mlx5 /proc/modules
}

# The netdev of the adapter.
netdev() { basename "$(ls -d /sys/bus/pci/drivers/mlx5_core/*/net/* 2> /dev/null)" | grep .; }
pci() { basename "$(ls -d /sys/bus/pci/drivers/mlx5_core/*:* 2> /dev/null)" | grep .; }

# wait_for SECONDS COMMAND...
wait_for() {
	n=$(($1 * 10))
	shift
	until "$@" > /dev/null 2>&1; do
		n=$((n - 1))
		[ $n -gt 0 ] || return 1
		sleep 0.1
	done
}

# Nothing that the kernel is unhappy about since the line of dmesg that was the last.
kernel_is_happy() {
	if dmesg | grep -E 'WARNING:|BUG:|Call Trace|cmd_work_handler.*timeout|health compromised'; then
		return 1
	fi
}
