# SPDX-License-Identifier: BSD-3-Clause
# Secondary DPDK processes of net_devx on the guest's kernel, rdma-core and hugepages: tests/scripts/secondary.sh.
# It kills ten of them on Linux 6.12, and three on others, because each takes some seconds.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
export BELOW_EMU=yes MEMORY_MIB=192 N_KILLED=3 N_CLOSED=1
case $(uname -r) in 6.12.*) N_KILLED=10 ;; esac
bash /run/guest/scripts/secondary.sh none /run/guest/bin || fail "secondary.sh ended with $?"
