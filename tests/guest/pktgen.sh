# SPDX-License-Identifier: BSD-3-Clause
# devx-pktgen on net_devx accounts for every packet that it sends (--bring).
. /run/guest/tests/lib.sh
driver=$(ls /run/guest/bring/librte_net_devx.so* 2> /dev/null | head -n 1)
[ -n "$driver" ] && [ -x /run/guest/bring/devx-pktgen ] || skip "no net_devx and devx-pktgen in --bring"
dev=$(netdev) || fail "no netdev"
ip link set "$dev" up
timeout 100 /run/guest/bring/devx-pktgen run --port net_devx0,ibdev=mlx5_0 --count 20000 \
	--rate 10000 -v -- -d "$driver" || fail "devx-pktgen: $?"
kernel_is_happy
