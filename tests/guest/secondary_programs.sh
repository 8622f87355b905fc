# SPDX-License-Identifier: BSD-3-Clause
# Programs of several processes on the guest's kernel: devx-pktgen monitor, and DPDK's multi-process examples.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
command -v dpdk-symmetric_mp > /dev/null || skip "dpdk-symmetric_mp: not built, because the sources of DPDK's examples were missing (devtools/dpdk-sdk)"

# is_sending: the generator prints that it sends
is_sending() { grep -q "sending:" /tmp/generator; }
timeout 400 devx-pktgen run --port net_devx0,ibdev=mlx5_0 --rate 1kpps --duration 300s --allow-monitor -v \
	-- -d librte_net_devx.so > /tmp/generator 2>&1 &
generator=$!
wait_until is_sending || fail "devx-pktgen does not send: $(cat /tmp/generator)"
devx-pktgen monitor --json --interval 500ms --count 3 > /tmp/monitor 2>&1 ||
	fail "devx-pktgen monitor ended with $?: $(cat /tmp/monitor)"
# The guest has no parser of JSON.
awk '
	function number(name) { return match($0, "\"" name "\": *[0-9.]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : -1 }
	!/^\{.*"record": *"monitor".*\}$/ || (n && (number("sent") <= sent || number("tx_packets") <= tx)) { exit 1 }
	{ sent = number("sent"); tx = number("tx_packets"); n++ }
	END { exit n != 3 }' /tmp/monitor || fail "the records of the monitor are wrong: $(cat /tmp/monitor)"
kill -TERM $generator # it ends sending and prints its report
wait $generator || echo "devx-pktgen ended with $?: the rate says something about the host only"
grep -q ' 0 lost, 0 duplicated, 0 reordered, 0 corrupted$' /tmp/generator ||
	fail "the monitor disturbed devx-pktgen: $(tail -n 5 /tmp/generator)"

export BELOW_EMU=yes MEMORY_MIB=192
bash /run/guest/scripts/secondary-null.sh none /run/guest/bin /run/guest/bin/dpdk-symmetric_mp /run/guest/bin/dpdk-mp_server \
	/run/guest/bin/dpdk-mp_client || fail "secondary-null.sh ended with status $?"
