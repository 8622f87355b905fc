# SPDX-License-Identifier: BSD-3-Clause
# The test program of net_devx passes on a real kernel. Tests that need emu's controls skip themselves.
. /run/guest/tests/lib.sh
[ -e /run/guest/bin/pmd_test ] ||
	skip "net_devx: not built, because the driver headers of DPDK were missing (devtools/dpdk-sdk)"
begin_own
# Tests of the module of the port read it, and emu has no register MCIA.
kernel_may_say 'ACCESS_REG(0x805) op_mod(0x1) failed'
# Left out: tests that have a script of their own (restart.sh, no_write_combining.sh). Groups whose tests all need emu's
# controls. Groups whose calls are refused before a command reaches the device. Long groups about the driver alone.
not_here='port.a_hundred_starts*:no_write_combining.*'
not_here="$not_here:tx_caps.*:removal.*:slow_firmware.*:cq_error.*:port_stop.*:sweep.*:rss_recovery.*:tx_random.*"
not_here="$not_here:cq_poll.*:withheld_event.*:args.bad_value*:rss_refused.*:prepare.*:tx_run.bursts*:rx_ring.*"
own pmd_test "--gtest_filter=-$not_here"
own env PMD_TEST_HUGEPAGES=1 pmd_test --gtest_filter=ring_memory.*:memory_event.*
end_own
