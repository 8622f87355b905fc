# SPDX-License-Identifier: BSD-3-Clause
# DPDK's tools and ends of processes beside a port of net_devx on the guest's kernel: tests/scripts/secondary-tools.sh.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
export BELOW_EMU=yes MEMORY_MIB=192
bash /run/guest/scripts/secondary-tools.sh none /run/guest/bin /run/guest/bin/pmd_other_layout.so ||
	fail "secondary-tools.sh ended with $?"
