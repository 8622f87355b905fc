# SPDX-License-Identifier: BSD-3-Clause
# net_devx refuses a secondary DPDK process in one line, and the primary process continues. This test
# needs a guest, because DPDK processes share hugepages.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
testpmd_starts --proc-type=primary --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --
tell 'start tx_first 4'
timeout 30 dpdk-testpmd -l 0-1 --no-telemetry --proc-type=secondary --no-pci -d librte_net_devx.so -- \
	--num-procs=2 --proc-id=1 < /dev/null > /tmp/second 2>&1 || fail "the secondary process ended with $?: $(cat /tmp/second)"
cat /tmp/second
grep -q 'No probed ethernet devices' /tmp/second || fail "the secondary process has a port"
[ "$(grep -c 'net_devx0: ' /tmp/second)" -eq 1 ] || fail "net_devx printed more or less than one line about net_devx0"
grep 'net_devx0: secondary processes are not supported; use the port in the primary' /tmp/second ||
	fail "the line about net_devx0 does not say what to do"
tell stop
testpmd_ends
rx=$(sed -n 's/.*RX-packets: *\([0-9]*\).*/\1/p' /tmp/testpmd | tail -n 1)
[ "${rx:-0}" -gt 1000 ] || fail "the primary process received ${rx:-0} packets (valid: more than 1000)"
