# SPDX-License-Identifier: BSD-3-Clause
# The guest pings the host over the netdev and loses no packet (needs --wire tap:NAME).
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
ip link set "$dev" up
ip addr replace 10.98.0.2/24 dev "$dev"
wait_until ping -c 1 -W 1 10.98.0.1 || fail "ping: no answer from 10.98.0.1 within $WAIT_S s: $(ip addr; ip -s link)"
ping_each 20 10.98.0.1 1400 || fail "ping: no reply within $WAIT_S s"
