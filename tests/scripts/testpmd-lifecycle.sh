#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# net_devx under stock dpdk-testpmd: started and stopped a hundred times, killed and started
# again, and given what it cannot take: every refusal is one clear line.
. "$(dirname "$0")/testpmd.bash"

run=("$emu" --wire loop -- dpdk-testpmd "${devx_eal[@]}" --vdev net_devx0,ibdev=mlx5_0)
pool=(--no-mlockall --total-num-mbufs=8192)

# expect_answer TEXT: testpmd answered the last command so
expect_answer() {
	[[ $out == *"$1"* ]] || { say "$out"; fail "no '$1' in the answer"; }
	say "  $(grep -F -m1 "$1" <<< "$out")"
}

# refused RC TEXT COMMAND...: it ends by itself and says so
refused() {
	local want=$1 text=$2 rc=0

	shift 2
	say "+ $*"
	LD_LIBRARY_PATH=$driver_dir timeout $WAIT_S "$@" < /dev/null > "$log" 2>&1 || rc=$?
	grep -aqF -- "$text" "$log" || fail "no line with '$text'"
	say "  $(grep -aF -m1 -- "$text" "$log")"
	case $want in
	any) ;;
	bad) [ $rc -ne 0 ] && [ $rc -lt 124 ] || fail "exit status $rc" ;;
	*) [ $rc -eq "$want" ] || fail "exit status $rc, not $want" ;;
	esac
}

say "== a hundred starts, with traffic"
pmd_begin "${run[@]}" -- -i --forward-mode=io "${pool[@]}"
for i in $(seq 100); do
	pmd_ask "port stop all"
	pmd_ask "port start all"
	[[ $out != *"Fail"* ]] || fail "start $i failed"
done
pmd_do "start tx_first 4"
pmd_run RX 100000 0
pmd_do "stop"
pmd_drain 0
[ "${stats[0.TX-packets]}" = "${stats[0.RX-packets]}" ] || fail "packets are missing"

say "== MTU"
pmd_do "port stop all"
pmd_do "port config mtu 0 67"
expect_answer "67"
pmd_do "port config mtu 0 1501"
expect_answer "1500"
pmd_do "port config mtu 0 65536"
expect_answer "ad arguments"
pmd_do "port config mtu 0 68"
pmd_do "port start all"
pmd_quit

say "== killed, and started again"
pmd_begin "${run[@]}" -- -i --forward-mode=io "${pool[@]}"
pmd_do "start tx_first 4"
pmd_run RX 100000 0
kill -KILL "$(testpmd_pid)"
exec 9>&- 8<&-
wait "$pmd_pid"
say "  killed, exit status $?"
pmd_pid=
pmd_begin "${run[@]}" -- -i --forward-mode=io "${pool[@]}"
pmd_do "start tx_first 4"
pmd_run RX 100000 0
pmd_quit

say "== rings"
# testpmd keeps 16 bits of a ring's size: 2^20 would be 0, its own default
for n in 3 65535; do
	refused bad "nb_rx_desc(=$n), should be: <= 32768, >= 64" \
		"${run[@]}" -- --forward-mode=io --rxd=$n "${pool[@]}"
	refused bad "nb_tx_desc(=$n), should be: <= 32768, >= 64" \
		"${run[@]}" -- --forward-mode=io --txd=$n "${pool[@]}"
done

say "== buffers smaller than a frame"
refused bad "a pool with a data room of at least" "${run[@]}" -- --forward-mode=io --mbuf-size=1024 \
	"${pool[@]}"

say "== arguments"
refused any "no RDMA device named" "$emu" --wire loop -- dpdk-testpmd "${devx_eal[@]}" \
	--vdev net_devx0 -- "${pool[@]}"
refused any "mlx5_0" "$emu" --wire loop -- dpdk-testpmd "${devx_eal[@]}" \
	--vdev net_devx0,ibdev=mlx5_7 -- "${pool[@]}"
refused any "CAP_NET_RAW" env DEVX_EMU_CAPS= "$emu" --wire loop -- dpdk-testpmd "${devx_eal[@]}" \
	--vdev net_devx0,ibdev=mlx5_0 -- "${pool[@]}"
# a sanitized driver loads only where the launcher has preloaded the sanitizer
grep -q asan_init "$driver_dir/librte_net_devx.so" ||
	refused any "no RDMA device on this machine" dpdk-testpmd "${devx_eal[@]}" \
		--vdev net_devx0,ibdev=mlx5_0 -- "${pool[@]}"

say "== no hugepages where they are asked for"
if [ "$(cat /proc/sys/vm/nr_hugepages)" = 0 ]; then
	refused bad "Cannot get hugepage information" "$emu" --wire loop -- dpdk-testpmd --no-shconf --no-telemetry --no-pci \
		-d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 -- "${pool[@]}"
fi
pass "the driver comes and goes, and refuses in one line"
