#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary.sh LAUNCHER DRIVER_DIR
#
# A primary testpmd sends on queue 0 of a port of net_devx. Secondary processes, one after the other,
# receive on queue 1 and send what they receive; kill -9 ends ten of them in a row under traffic, two more
# close the port. Then the primary still forwards, and its mempool lost at most what doc/net_devx.md says.
# With SUB_FUNCTION=yes the port is a sub-function of emu.
[ -z "${SUB_FUNCTION-}" ] || EMU_OPTIONS="--sf --wire loop"
. "$(dirname "$0")/secondary.bash"

# Secondary processes get a vdev port from the primary process, without --vdev. On emu the port is one on the PCI
# bus or the auxiliary bus: there they name its device, but not its driver, and net_mlx5 must not take it.
attach=(--no-pci -d librte_net_devx.so)
if [ -n "${SUB_FUNCTION-}" ]; then
	port=("${attach[@]}" -a auxiliary:mlx5_core.sf.4,driver=net_devx)
	attach+=(-a auxiliary:mlx5_core.sf.4)
	N_CLOSED=0 # testpmd leaves the close to EAL, whose auxiliary bus does not remove ports at the end of a process
elif [ "$1" != none ]; then
	port=(-d librte_net_devx.so -a 0000:c1:00.0,driver=net_devx)
	attach=(-d librte_net_devx.so -a 0000:c1:00.0)
fi

N_MBUFS=16384
CACHE=250 # mbufs; a cache holds up to 1.5 times as many
N_LCORES=2 # of a secondary process, each with a cache
BURST=64
TXD=64 # mbufs in a send ring; one burst may free all of them
N_KILLED=${N_KILLED:-10}
N_CLOSED=${N_CLOSED:-2}
ports=(--num-procs=2 --rxq=2 --txq=2 --rss-udp --txonly-multi-flow --total-num-mbufs=$N_MBUFS --mbcache=$CACHE --txd=$TXD)

# read_free: reads into $free how many mbufs the pool of the stopped port has
read_free() {
	primary_do "dump_mempool mb_pool_0"
	[[ $out == *common_pool_count* ]] || primary_do "dump mempool mb_pool_0" # DPDK 25.11
	free=$(awk -F= '/common_pool_count|cache_count\[/ { n += $2 } END { print n }' <<< "$out")
	[ "${free:-0}" -gt 0 ] || fail "testpmd prints no counts of its pool: $out"
}

secondary_begin() {
	start_program "secondary$n" dpdk-testpmd '--lcores=(2,3)@(0-1)' "${eal[@]}" --proc-type=secondary \
		--log-level=pmd.net.devx:info "${attach[@]}" -- "${ports[@]}" --proc-id=1 --forward-mode=io --stats-period=1
	wait_for "attached as secondary process $n in" "secondary$n"
	for _ in 1 2; do
		wait_for_growth rx_q1_packets
		wait_for_growth tx_q1_packets
	done
}

primary_begin "${ports[@]}" --proc-id=0 --forward-mode=txonly
primary_do "start"
for ((n = 1; n <= N_KILLED; n++)); do
	secondary_begin
	kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	wait_for "Tx queue 1: secondary process $n ended while it used the queue" primary
	wait_for "Rx queue 1: secondary process $n ended while it used the queue" primary
	wait_for_growth tx_q0_packets
	say "killed: $(grep -h -o 'secondary process .*' "$work/secondary$n.log")"
done
for ((; n <= N_KILLED + N_CLOSED; n++)); do
	secondary_begin
	kill -INT "$pid"
	wait "$pid" || fail "secondary process $n ended with status $?"
	wait_for_growth tx_q0_packets
	! grep -F "secondary process $n ended" "$work/primary.log" || fail "process $n closed the port, but this counts as no close"
done
read_xstat tx_recoveries
[ "$xstat" -eq $N_KILLED ] || fail "the send queue was reset $xstat times (valid: $N_KILLED, one per killed process)"
primary_do "stop"

say "== the primary process sets up queue 1 again, and process $n sends on it"
mkfifo "$work/commands"
start_program follower sh -c 'exec "$@" < "$0"' "$work/commands" dpdk-testpmd '--lcores=(2,3)@(0-1)' "${eal[@]}" \
	--proc-type=secondary --log-level=pmd.net.devx:info "${attach[@]}" -- "${ports[@]}" --proc-id=1 --forward-mode=txonly -i
exec 4> "$work/commands"
wait_for "attached as secondary process $n in" follower
primary_do "port 0 txq 1 stop"
primary_do "port 0 txq 1 setup"
primary_do "port 0 txq 1 start"
echo start >&4
wait_for_growth tx_q1_packets
echo quit >&4
exec 4>&-
wait "$pid" || fail "secondary process $n ended with status $?"

primary_do "set fwd io"
primary_do "start tx_first"
wait_for_growth rx_q0_packets
primary_do "stop"
primary_do "port stop 0"
read_free
cached=$(awk '/ended; its mempool caches had/ { n += $(NF - 4) } END { print n + 0 }' "$work/primary.log")
say "the mempool caches of the killed processes had $cached mbufs"
[ "$cached" -le $((N_KILLED * N_LCORES * CACHE * 3 / 2)) ] || fail "the caches cannot have had so many mbufs"
lost=$((N_MBUFS - free)) allowed=$((cached + N_KILLED * (BURST + TXD)))
say "$lost of $N_MBUFS mbufs lost by $N_KILLED killed processes (valid: at most $allowed)"
[ $lost -le $allowed ] || fail "too many mbufs are lost"
[ $lost -ge 0 ] || fail "the pool has mbufs twice"
primary_end
pass "$N_KILLED killed and $N_CLOSED closed secondary processes"
