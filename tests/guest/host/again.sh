# SPDX-License-Identifier: BSD-3-Clause
# Runs in the guest of tests/guest/host/lifecycle. Each boot ends in another way that does not stop the
# adapter first.
. /run/guest/tests/lib.sh
say() { echo "again: $*" > /dev/console; }
give_up() { say "FAIL: $*"; tail -n 20 /tmp/testpmd /run/guest/out/load.log > /dev/console; dmesg | tail -n 20 > /dev/console; sleep 600; }

# traffic: starts dpdk-testpmd with net_mlx5, which forwards packets over the loop without end
traffic() {
	ip link set "$(netdev)" up || give_up "boot $boot: cannot set the netdev up"
	dpdk-testpmd -l 0-1 -a "$(pci)" --no-telemetry -- --forward-mode=io --total-num-mbufs=8192 \
		--stats-period=1 --tx-first > /tmp/testpmd 2>&1 &
	testpmd=$!
	wait_until grep -q 'RX-packets: [1-9]' /tmp/testpmd || give_up "boot $boot: no traffic within $WAIT_S s"
}

read -r boot < /dev/vdb
boot=$((boot + 1))
echo $boot > /dev/vdb
sync
[ -c /dev/infiniband/uverbs0 ] || give_up "boot $boot: no /dev/infiniband/uverbs0"
kernel_logged_nothing || kernel_is_new || give_up "boot $boot: the kernel logged a warning"
traffic
say "boot $boot: traffic"
case $boot in
1)	sleep 1 # then reset the machine
	echo b > /proc/sysrq-trigger ;;
2)	sleep 1 # then reset the function without its driver, and then the machine
	echo 1 > /sys/bus/pci/devices/"$(pci)"/reset || give_up "boot $boot: cannot reset the function"
	sleep 2
	say "boot $boot: the function was reset"
	echo b > /proc/sysrq-trigger ;;
3)	sleep 600 ;; # lifecycle kills QEMU
esac
kill $testpmd
wait_until grep -q Bye /tmp/testpmd || give_up "boot $boot: testpmd did not end within $WAIT_S s"
unload_drivers || give_up "boot $boot: cannot unload the drivers"
kernel_logged_nothing || kernel_is_new || give_up "boot $boot: the kernel logged a warning"
say "boot $boot: done"
sleep 600
