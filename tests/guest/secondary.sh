# SPDX-License-Identifier: BSD-3-Clause
# Secondary DPDK processes of net_devx on the guest's kernel, rdma-core and hugepages: tests/scripts/secondary.sh
# with fewer processes, and secondary-tools.sh.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
export BELOW_EMU=yes MEMORY_MIB=192 N_KILLED=2 N_CLOSED=1
bash /run/guest/scripts/secondary.sh none /run/guest/bin || fail "secondary.sh ended with $?"
bash /run/guest/scripts/secondary-tools.sh none /run/guest/bin /run/guest/bin/pmd_other_layout.so ||
	fail "secondary-tools.sh ended with $?"
