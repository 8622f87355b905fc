# SPDX-License-Identifier: BSD-3-Clause
# The project's own test programs pass on a real kernel. Tests that need emu's controls skip themselves.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 # the kernel's own frames would come back over the loop
ip link set "$dev" up
passed=0 skipped=0 failed=''

has_objects() { [ "$(objects)" = "$1" ]; }
count() { sed -n "s/^\[  $1 *\] \([0-9]*\) test.*/\1/p" /tmp/own | head -n 1; }
own() {
	echo "---- $*"
	before=$(objects)
	timeout 400 "$@" > /tmp/own 2>&1 || failed="$failed $1"
	cat /tmp/own
	p=$(count PASSED) s=$(count SKIPPED)
	passed=$((passed + ${p:-0})) skipped=$((skipped + ${s:-0}))
	# the kernel destroys some objects later, on its workqueues
	wait_until has_objects "$before" || { echo "objects are left: before $before, after $(objects)"; failed="$failed $1:objects"; }
}
modprobe tun
# uverbs_test sends bad flow rules on purpose.
kernel_may_say 'match_value differs from match_criteria'
kernel_may_say 'already exists with different flow tag'
# devx_test fills the table of rate limits.
kernel_may_say 'Max number of 127 rates reached'
# uverbs_ethtool_test reads the module of the port, and emu has no register MCIA.
kernel_may_say 'ACCESS_REG(0x805) op_mod(0x1) failed'
devx-loopback mlx5_0 || fail "devx-loopback ended with $?" # the kernel makes objects of its own for the first user
own devx_unit
own devx_netdev_test
own uverbs_test
own uverbs_ethtool_test
own devx_netdev_ethtool_test
own devx_test
own setpriv --bounding-set -ipc_lock --inh-caps -ipc_lock devx_memlock_test
# Left out: tests that have a script of their own (restart.sh, no_write_combining.sh). Groups whose tests all need emu's
# controls. Groups whose calls are refused before a command reaches the device. Long groups about the driver alone.
not_here='port.a_hundred_starts*:no_write_combining.*'
not_here="$not_here:tx_caps.*:removal.*:slow_firmware.*:cq_error.*:port_stop.*:sweep.*:rss_recovery.*:tx_random.*"
not_here="$not_here:args.bad_value*:rss_refused.*:prepare.*:tx_run.bursts*:rx_ring.*"
[ ! -e /run/guest/bin/pmd_test ] || own pmd_test "--gtest_filter=-$not_here"
[ ! -e /run/guest/bin/pmd_test ] || own env PMD_TEST_HUGEPAGES=1 pmd_test --gtest_filter=ring_memory.*:memory_event.*
# devx_tap_test changes the MTU of the netdev named devx-tap.
rename() { ip link set "$1" down && ip link set "$1" name "$2" && ip link set "$2" up; }
rename "$dev" devx-tap || fail "cannot rename the netdev to devx-tap"
own devx_tap_test
rename devx-tap "$dev" && ip link set "$dev" mtu 1500
echo "FIGURE: own tests: $passed passed, $skipped skipped"
[ -z "$failed" ] || fail "failed, or left objects:$failed"
