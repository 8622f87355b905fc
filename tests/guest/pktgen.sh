# SPDX-License-Identifier: BSD-3-Clause
# devx-pktgen on net_devx accounts for every packet that it sends.
. /run/guest/tests/lib.sh
needs_net_devx
dev=$(netdev) || fail "no netdev"
ip link set "$dev" up
timeout 100 devx-pktgen run --port net_devx0,ibdev=mlx5_0 --count 20000 \
	--rate 10000 -v -- -d librte_net_devx.so || fail "devx-pktgen: $?"
kernel_is_happy
