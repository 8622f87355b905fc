#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-changes.sh PKTGEN LAUNCHER DRIVER_DIR SOURCE
#
# devx-pktgen measures devices that change headers, which others wrote: a bridge, a router and NAT of Linux, its VXLAN device,
# and Open vSwitch. The ports are those of net_devx on emu, and their wires are the TAPs t0 and t1. Every packet counts, whatever
# was changed, and the report names each change.
set -u
pktgen=$(realpath "${1:?}") emu=$(realpath "${2:?}") driver=$(realpath "${3:?}") source=$(realpath "${4:?}")
. "$(dirname "$0")/pktgen.bash"
. "$(dirname "$0")/openvswitch.bash"

need ip iproute2
need nft nftables
need_taps
if [ "${5:-}" != inside ]; then
	exec unshare -Urn "$0" "$pktgen" "$emu" "$driver" "$source" inside
fi
enter_work
export LD_LIBRARY_PATH="$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
PATH=$(dirname "$pktgen"):$(dirname "$emu"):/usr/sbin:/sbin:$PATH

# quiet NETDEV...: no frame of the kernel's own leaves these netdevs
quiet() { for netdev; do echo 1 > "/proc/sys/net/ipv6/conf/$netdev/disable_ipv6"; done; }

for n in 0 1; do
	ip tuntap add dev t$n mode tap || skip "cannot make a TAP here"
	quiet t$n
	ip link set t$n up
done

# The ports have the addresses of the TAPs, which a bridge takes for its own. So the frames have others.
hosts=(--src-mac 02:00:00:00:00:aa --dst-mac 02:00:00:00:00:bb)
packet() { echo "ethernet(src=02:00:00:00:00:aa,dst=02:00:00:00:00:${2:-bb})/$1"; }

frames=(--port net_devx0,ibdev=mlx5_0 --port net_devx1,ibdev=mlx5_1 -n 200 --drain 10s)

# measure STATUS CHANGES ARG...: sends 200 packets from port 0 to port 1. All arrive, with these changes: "ipv4.src 10.0.0.1>10.0.0.2"
# in 200 packets, "+vlan" for an added header, "-vlan" for a removed one.
measure() {
	local status=0

	echo "+ devx-pktgen run ${*:3}" | cat -v
	timeout $WAIT_S "$emu" --ports 2 --wire 0=tap:t0 --wire 1=tap:t1 -- "$pktgen" run "${frames[@]}" \
		--cores 1 --json run.json "${@:3}" \
		-- -d librte_net_devx.so > out 2> err || status=$?
	[ $status -eq "$1" ] || { fail "exit status $status (valid: $1)"; return; }
	grep -q "^devx-emu: 0 protocol mistakes" err || fail "protocol mistakes"
	python3 - "$2" << 'END' || fail "other results than these"
import json, sys
flow = json.loads(open("run.json").readlines()[-1])["flows"][0]
marks = {"added": "+", "removed": "-"}
got = []
for c in flow.get("changes", []):
    name = marks.get(c["kind"], "") + c.get("header", c["kind"]) + (f"[{c['place']}]" if c.get("place") else "")
    if c["kind"] == "field":
        name += f".{c['field']}"
    if "sent" in c:
        name += f" {c['sent']}>{c['received']}"
    got.append(name)
    assert c["frames"] == 200, c
counters = {n: flow[n] for n in ("frames_tx", "frames_rx", "lost", "duplicated", "reordered", "corrupted")}
assert ", ".join(got) == sys.argv[1], got
assert list(counters.values()) == [200, 200, 0, 0, 0, 0], counters
assert flow["changed"] == (200 if got else 0), flow["changed"]
assert flow["latency"]["frames"] == 200, flow["latency"]
END
	echo "  ${2:-as expected}"
}

# listed STATUS CHANGES EGRESS: the same with a job file that lists the headers of arriving frames, and values of some fields:
# "ethernet vlan.id=5 ipv4 udp"
listed() {
	"$pktgen" run "${frames[@]}" "${hosts[@]}" --print-config | python3 -c '
import json, sys
job = json.load(sys.stdin)
egress = job["flows"][0]["egress_packet"] = []
for word in sys.argv[1:]:
    name, _, field = word.partition(".")
    key, _, value = field.partition("=")
    egress.append({"choice": name, name: {key: {"choice": "value", "value": int(value)}} if key else {}})
json.dump(job, sys.stdout)' $3 > job.json
	local frames=(--config job.json)

	echo "  arriving frames should have: $3"
	measure "$1" "$2"
}

echo "== a bridge changes nothing"
ip link add br0 type bridge
quiet br0
ip link set br0 up
ip link set t0 master br0
ip link set t1 master br0
measure 0 "" "${hosts[@]}"
listed 0 "" "ethernet ipv4 udp"
listed 1 "-vlan" "ethernet vlan ipv4 udp"
ip link del br0

echo "== a device that pads frames, as one that removes a tag does: this script plays it"
python3 - > pad.log << 'END' &
import socket
ports = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) for _ in range(2)]
for n, port in enumerate(ports):
    port.bind((f"t{n}", 3))
print("ready", flush=True)
while True:
    frame, address = ports[0].recvfrom(2048)
    if address[2] != socket.PACKET_OUTGOING:
        ports[1].send(frame + bytes(12))
END
padder=$!
wait_until test -s pad.log || fail "the device does not start"
measure 1 "padding 0 bytes>12 bytes" "${hosts[@]}"
kill $padder
wait $padder 2> /dev/null

echo "== a router of Linux, which remarks and translates"
for n in 0 1; do
	ip address add 10.0.$n.254/24 dev t$n
done
echo 1 > /proc/sys/net/ipv4/ip_forward
routed=(--address 0=10.0.0.1/24 --address 1=10.0.1.1/24 --gateway 0=10.0.0.254 --gateway 1=10.0.1.254)
measure 0 "" "${routed[@]}"
mac_of() { ip -o link show "$1" | sed 's/.*ether \([^ ]*\) .*/\1/'; }
macs="ethernet.dst $(mac_of t0)>$(mac_of t1), ethernet.src $(mac_of t0)>$(mac_of t1)"
measure 1 "$macs, ipv4.time_to_live 64>63" "${routed[@]}" --expect same
nft add table ip t
nft 'add chain ip t remark { type filter hook forward priority 0; }'
nft add rule ip t remark ip dscp set ef
measure 1 "ipv4.dscp 0>46" "${routed[@]}"
measure 0 "" "${routed[@]}" --expect routed-dscp
nft flush chain ip t remark
nft 'add chain ip t nat { type nat hook postrouting priority srcnat; }'
nft add rule ip t nat oifname t1 udp sport 49152 snat to 10.0.1.254:2000
measure 1 "ipv4.src 10.0.0.1>10.0.1.254, udp.src_port 49152>2000" "${routed[@]}"
nft delete table ip t

echo "== a router with a smaller MTU: fragments are counted, and their packets are lost"
ip route change 10.0.1.0/24 dev t1 mtu lock 600
echo "+ devx-pktgen run --size 1000"
timeout $WAIT_S "$emu" --ports 2 --wire 0=tap:t0 --wire 1=tap:t1 -- "$pktgen" run --port net_devx0,ibdev=mlx5_0 \
	--port net_devx1,ibdev=mlx5_1 --cores 1 -n 200 --drain 10s "${routed[@]}" --size 1000 --packet ethernet/ipv4/udp \
	-- -d librte_net_devx.so > out 2> err
[ $? -eq 1 ] || fail "another exit status than 1"
grep -q "^flow 0: 200 sent, 0 received, 200 lost" out || fail "the account"
grep -q "^port 1, receive queue 0: also received 400 fragments of IP packets" out || fail "does not count the fragments"
grep -q "^FAIL: .*; port 1 received 400 fragments of IP packets; look at the MTU" out || fail "no reason for the loss"
ip route change 10.0.1.0/24 dev t1

echo "== VXLAN of Linux: encapsulation, and decapsulation"
ip neigh add 10.0.1.9 lladdr 02:00:00:00:00:99 dev t1
ip link add vxlan0 type vxlan id 7 local 10.0.1.254 remote 10.0.1.9 dev t1 dstport 4789
ip link add br0 type bridge
quiet vxlan0 br0
ip link set br0 up
ip link set vxlan0 up
ip link set t0 master br0
ip link set vxlan0 master br0
measure 0 "+ethernet, +ipv4, +udp, +vxlan" "${hosts[@]}" --expect any
ip link set t0 nomaster
ip link del vxlan0
ip link add vxlan0 type vxlan id 7 local 10.0.0.254 dev t0 dstport 4789
quiet vxlan0
ip link set vxlan0 up master br0
ip link set t1 master br0
measure 0 "-ethernet, -ipv4, -udp, -vxlan" --expect any --size 150 --packet \
	"ethernet(src=02:00:00:00:00:aa,dst=$(mac_of t0))/ipv4(src=10.0.0.1,dst=10.0.0.254)/udp/vxlan(vni=7)/$(packet ipv4/udp)"
for netdev in br0 vxlan0; do
	ip link del $netdev
done

echo "== the example of the guide"
guide=$(sed -n 's/^\$ \(doc\/examples\/nat.sh .*\)/\1/p' "$source/doc/pktgen.md")
[ "$(wc -l <<< "$guide")" = 1 ] || fail "the guide has other commands: $guide"
echo "+ $guide"
(cd "$source" && timeout $WAIT_S bash -c "$guide") > out 2>&1 || fail "the command of the guide ends with $?"
sed -n '/^\$ doc\/examples\/nat.sh/,/^```$/{/^flow 0: .*received/p;/changed in/p;/^OK/p}' "$source/doc/pktgen.md" > want
[ -s want ] || fail "the guide shows no result"
sed -E -i 's/([0-9a-f]{2}:){5}[0-9a-f]{2}/MAC/g' out
grep -Fx -f want out | diff want - || fail "the guide shows another result"

command -v ovs-vswitchd > /dev/null && command -v ovsdb-server > /dev/null ||
	skip "no Open vSwitch; install openvswitch-switch. All else passed"
echo "== Open vSwitch, with the datapath in user space"
vswitchd_begin
vsctl add-br bridge -- set bridge bridge datapath_type=netdev fail-mode=secure \
	-- add-port bridge t0 -- set interface t0 ofport_request=1 -- add-port bridge t1 -- set interface t1 ofport_request=2
for n in 0 1; do
	[ "$(vsctl get interface t$n error)" = "[]" ] || skip "Open vSwitch cannot use a TAP: $(vsctl get interface t$n error)"
done

# switch FLOW...: replaces the rules of the switch
switch() {
	ovs-ofctl del-flows "$work/bridge.mgmt" || fail "ovs-ofctl del-flows"
	for flow; do
		ovs-ofctl -O OpenFlow13 add-flow "$work/bridge.mgmt" "$flow" || fail "ovs-ofctl add-flow $flow"
	done
}
vsctl set bridge bridge protocols=OpenFlow10,OpenFlow13

switch in_port=1,actions=push_vlan:0x8100,set_field:4101-\>vlan_vid,output:2
measure 1 "+vlan" "${hosts[@]}"
listed 0 "" "ethernet vlan.id=5 ipv4.time_to_live=64 udp"
listed 1 "vlan.id 6>5" "ethernet vlan.id=6 ipv4 udp"
listed 1 "+vlan" "ethernet ipv4 udp"
switch in_port=1,actions=push_vlan:0x88a8,set_field:4105-\>vlan_vid,output:2
measure 0 "+vlan" --packet "$(packet 'vlan(id=5)/ipv4/udp')" --size 100 --expect any
switch in_port=1,vlan_tci=0x1000/0x1000,actions=pop_vlan,output:2
measure 0 "-vlan" --packet "$(packet 'vlan(id=5)/ipv6/tcp')" --size 200 --expect any
switch in_port=1,actions=push_mpls:0x8847,set_field:3000-\>mpls_label,output:2
measure 0 "+mpls" "${hosts[@]}" --expect any --size 64-300
switch in_port=1,ip,actions=set_field:46-\>ip_dscp,dec_ttl,output:2
measure 1 "ipv4.dscp 0>46" "${hosts[@]}" --expect routed
switch "in_port=1,ip,actions=ct(commit,nat(src=203.0.113.9:1025),table=1)" table=1,actions=output:2
measure 0 "ipv4.src 198.18.0.1>203.0.113.9, udp.src_port 49152>1025" --packet "$(packet 'ipv4/udp')" --expect any

echo "== a device that cuts frames: the report says so"
switch "in_port=1,actions=output(port=2,max_len=100)"
timeout $WAIT_S "$emu" --ports 2 --wire 0=tap:t0 --wire 1=tap:t1 -- "$pktgen" run --port net_devx0,ibdev=mlx5_0 \
	--port net_devx1,ibdev=mlx5_1 --cores 1 -n 200 --drain 10s "${hosts[@]}" --size 300 \
	-- -d librte_net_devx.so > out 2> err
[ $? -eq 1 ] || fail "another exit status than 1"
grep -q "^flow 0: 200 sent, 200 received, 0 lost, 0 duplicated, 0 reordered, 200 corrupted" out || fail "the account"
grep -q "^ *200 corrupted packets are shorter than sent" out || fail "no word of what happened"
pass
