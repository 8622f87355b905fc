#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# DPDK's net_mlx5 with features that the other scripts do not use: rules that count, the
# formats of compressed CQEs, and hairpin queues, which emu refuses.
# Usage: testpmd-mlx5-features.sh DEVX-EMU none
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"

# begin DEVARGS OPTIONS...: net_mlx5 on a loop
begin() {
	local port=0000:c1:00.0$1

	shift
	pmd_begin "$emu" --wire loop --netdev emu -- sh -c 'ip link set emu0 up promisc on; exec "$@"' - \
		dpdk-testpmd "${eal[@]}" -a "$port" -- "${interactive[@]}" --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64 "$@"
}
# forward: sends packets in a circle, and expects all of them back
forward() {
	pmd_do "start tx_first 4"
	pmd_run RX 10000 0
	pmd_do "stop"
	pmd_drain 0
	expect_equal 0 0
}
# query_hits RULE: sets $hits
query_hits() {
	pmd_do "flow query 0 $1 count"
	[[ $out =~ hits:\ ([0-9]+) ]] || fail "rule $1 has no count: $out"
	hits=${BASH_REMATCH[1]}
}

# Each frame comes back with swapped ports, so the rules get the frames in turn.
begin "" --forward-mode=5tswap --tx-udp=1000,1001
for port in 1000 1001; do
	pmd_do "flow create 0 ingress pattern eth / ipv4 / udp dst is $port / end actions queue index 0 / count / end"
	[[ $out == *"Flow rule #"*" created"* ]] || fail "net_mlx5 refuses a rule with count: $out"
done
forward
query_hits 0; first=$hits
query_hits 1
[ "$first" -gt 0 ] && [ "$hits" -gt 0 ] && [ $((first + hits)) -eq "${stats[0.RX-packets]}" ] ||
	fail "the rules counted $first and $hits of ${stats[0.RX-packets]} packets"
pmd_quit

for format in 0 1 2 3 4; do
	begin ",rxq_cqe_comp_en=$format" --forward-mode=io
	forward
	pmd_quit
done

# net_mlx5 of DPDK 22.11 creates hairpin queues whatever the capabilities are. Asking is not a mistake.
LD_LIBRARY_PATH=$driver_dir timeout $WAIT_S "$emu" --netdev emu --trace "$work/trace" -- dpdk-testpmd "${eal[@]}" \
	-a 0000:c1:00.0 -- --no-mlockall --total-num-mbufs=4096 --hairpinq=1 < /dev/null > "$log" 2>&1
grep -q '^devx-emu: 0 protocol mistakes' "$log" || fail "protocol mistakes"
[ "$dpdk_abi" -gt 23 ] || grep -q 'create_sq .*BAD_PARAM .*ctx.hairpin: emu does not model this field' "$work/trace" ||
	fail "emu does not refuse a hairpin queue"
pass "net_mlx5: rules count; a port starts with each format of compressed CQEs; hairpin queues are refused"
