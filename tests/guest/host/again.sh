# SPDX-License-Identifier: BSD-3-Clause
# In the guest: what ends a kernel without a word to its adapter, one thing a boot (lifecycle).
. /run/guest/tests/lib.sh
say() { echo "again: $*" > /dev/console; }
give_up() { say "FAIL: $*"; tail -n 20 /tmp/testpmd /run/guest/out/load.log > /dev/console; dmesg | tail -n 20 > /dev/console; sleep 600; }

# Packets round and round, by DPDK's own driver.
traffic() {
	ip link set "$(netdev)" up || give_up "boot $boot: no netdev"
	dpdk-testpmd -l 0-1 -a "$(pci)" --no-telemetry -- --forward-mode=io --total-num-mbufs=8192 \
		--stats-period=1 --tx-first > /tmp/testpmd 2>&1 &
	testpmd=$!
	wait_for 60 grep -q 'RX-packets: [1-9]' /tmp/testpmd || give_up "boot $boot: no traffic"
}

read -r boot < /dev/vdb
boot=$((boot + 1))
echo $boot > /dev/vdb
sync
[ -c /dev/infiniband/uverbs0 ] || give_up "boot $boot: no uverbs device"
kernel_is_happy || give_up "boot $boot: the kernel complains"
traffic
say "boot $boot: traffic"
case $boot in
1)	sleep 1 # the machine is reset
	echo b > /proc/sysrq-trigger ;;
2)	sleep 1 # the function is reset, behind the driver's back; then the machine
	echo 1 > /sys/bus/pci/devices/"$(pci)"/reset || give_up "no reset of the function"
	sleep 2
	say "boot $boot: the function was reset"
	echo b > /proc/sysrq-trigger ;;
3)	sleep 600 ;; # until QEMU is killed
esac
kill $testpmd
wait_for 20 grep -q Bye /tmp/testpmd || give_up "boot $boot: testpmd does not end"
unload_drivers || give_up "boot $boot: the drivers do not go"
kernel_is_happy || give_up "boot $boot: the kernel complains"
say "boot $boot: done"
sleep 600
