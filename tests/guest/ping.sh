# SPDX-License-Identifier: BSD-3-Clause
# The guest pings the host over the netdev and loses no packet (needs --wire tap:NAME).
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
ip link set "$dev" up
ip addr replace 10.98.0.2/24 dev "$dev"
wait_for 10 ping -c 1 -W 1 10.98.0.1 || fail "ping: no answer from 10.98.0.1 within 10 s: $(ip addr; ip -s link)"
ping -c 20 -i 0.05 -s 1400 10.98.0.1 | tee /tmp/ping
grep -q ' 0% packet loss' /tmp/ping || fail "ping lost packets"
