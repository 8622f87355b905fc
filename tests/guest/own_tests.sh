# SPDX-License-Identifier: BSD-3-Clause
# The test programs of lib/emu and lib/devx pass on a real kernel. Tests that need emu's controls skip themselves.
. /run/guest/tests/lib.sh
begin_own
modprobe tun
# uverbs_test sends bad flow rules on purpose.
kernel_may_say 'match_value differs from match_criteria'
kernel_may_say 'already exists with different flow tag'
# devx_test fills the table of rate limits.
kernel_may_say 'Max number of 127 rates reached'
# uverbs_ethtool_test reads the module of the port, and emu has no register MCIA.
kernel_may_say 'ACCESS_REG(0x805) op_mod(0x1) failed'
# The kernel makes its EQ of page faults at the first memory region of a dma-buf, and keeps it.
devx_test --gtest_filter='dmabuf.is_registered*' > /tmp/own 2>&1 || fail "devx_test ended with $?: $(cat /tmp/own)"
own devx_unit
own devx_netdev_test
own uverbs_test
own uverbs_ethtool_test
own devx_netdev_ethtool_test
own devx_test
own setpriv --bounding-set -ipc_lock --inh-caps -ipc_lock devx_memlock_test
# devx_tap_test changes the MTU of the netdev named devx-tap.
rename() { ip link set "$1" down && ip link set "$1" name "$2" && ip link set "$2" up; }
rename "$dev" devx-tap || fail "cannot rename the netdev to devx-tap"
own devx_tap_test
rename devx-tap "$dev" && ip link set "$dev" mtu 1500
end_own
