# SPDX-License-Identifier: BSD-3-Clause
# needs a boot of its own, with --profile cx6dx,port_events=0,cq_error_events=0: the masks of the device withhold
# PORT_CHANGE and CQ_ERROR from users. The kernel refuses these subscriptions. net_devx still sees each change of
# the link, and names each event once.
. /run/guest/tests/lib.sh
needs_net_devx
begin_own
own uverbs_test --gtest_filter='event.kernel_compares_*'
own pmd_test --gtest_filter='port_event.*:traffic.*'
testpmd_starts --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --
tell 'port stop 0'
tell 'port start 0'
testpmd_ends
for event in PORT_CHANGE CQ_ERROR; do
	[ "$(grep -c "events: the device withholds $event from users" /tmp/testpmd)" = 1 ] ||
		fail "not one line about $event: $(grep -i event /tmp/testpmd)"
done
end_own
