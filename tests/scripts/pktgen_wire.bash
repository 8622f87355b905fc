# SPDX-License-Identifier: BSD-3-Clause
#
# Functions for scripts that run devx-pktgen on two emulated ports, as pktgen-emu.sh. To be sourced; the arguments of the script
# are PKTGEN LAUNCHER net_mlx5|DRIVER_DIR COUNTERS CAPTURE STEP_CLOCK. COUNTERS is a plugin that prints the faults that emu
# injected. The account of devx-pktgen must have the same numbers. With STEP_CLOCK (tests/pktgen/step_clock.c) no run
# ends before emu has delivered all frames, on a busy machine too.

pktgen=$(realpath "${1:?}") emu=$(realpath "${2:?}") driver=${3:?}
counters=$(realpath "${4:?}") capture=$(realpath "${5:?}") clock=$(realpath "${6:?}")
. "$(dirname "$0")/pktgen.bash"

root=$(dirname "$capture")/../..
libraries=$(dirname "$counters"):$(dirname "$clock")
plugins=(-d "$(basename "$counters")") step=(-d "$(basename "$clock")")
launch=("$emu" --ports 2) program=("$pktgen") run=(demo)
send=(run --port net_devx0,ibdev=mlx5_0 --port net_devx1,ibdev=mlx5_1 --send-only)
if [ "$driver" = net_mlx5 ]; then
	# net_mlx5 needs netdevs, and receives frames only if they are up and promiscuous.
	need_taps
	need ip iproute2
	launch=(unshare -Urn "$emu" --ports 2 --netdev emu)
	program=(sh -c 'ip link set emu0 up promisc on && ip link set emu1 up promisc on && exec "$@"' - "$pktgen")
	run=(run --port 0000:c1:00.0 --port 0000:c1:00.1)
	send=("${run[@]}" --send-only)
else
	libraries+=:$(realpath "$driver")
fi

enter_work
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# on_wire WIRE RC ARGS...: runs devx-pktgen on two ports with that wire; expects status RC
on_wire() {
	local rc=0

	echo "+ devx-emu --ports 2 --wire $1 -- devx-pktgen ${*:3}" | cat -v
	timeout 120 "${launch[@]}" --wire "$1" -- "${program[@]}" "${@:3}" -- \
		"${plugins[@]}" "${step[@]}" > out 2> err || rc=$?
	[ $rc -eq "$2" ] || fail "exit $rc, not $2"
	grep -q "^devx-emu: 0 protocol mistakes" err || fail "protocol mistakes"
	# A port that stopped took packets that it never sent.
	! grep -q "as the port counts them" out || grep -q "a port accepted no frame" out ||
		fail "the port counts other packets"
}

# number LINE WORD: prints 12345 if a line of the output begins with LINE and has "12,345 WORD"
number() { sed -n "/^$1/s/.*[ :]\([0-9,]*\) $2.*/\1/p" out | head -1 | tr -d ,; }

# same WIRE ARGS...: expects that the account has the numbers of faults that the wire injected. A damaged byte of a header
# that no checksum covers, as a MAC address, looks like the change of a device.
same() {
	on_wire "$1" 1 "${@:2}"
	for what in lost:dropped duplicated:duplicated reordered:reordered corrupted:corrupted; do
		local got=$(number "flow 0" ${what%:*}) want=$(number "wire 0" ${what#*:}) changed=$(number FAIL changed)

		[ ${what%:*} != corrupted ] || got=$((${got:-0} + ${changed:-0}))

		[ "${got:-none}" = "${want:-nothing}" ] ||
			fail "${what%:*}: devx-pktgen counts $got, the wire $want"
	done
	echo "  $(grep '^flow 0: .* sent' out)"
}

clean=pair,pause=on
