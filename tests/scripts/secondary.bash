# SPDX-License-Identifier: BSD-3-Clause
#
# Runs several DPDK processes on one port of net_devx. To be sourced, by scripts that are called
#
#     script LAUNCHER DRIVER_DIR [FILE...]
#
# LAUNCHER is devx-emu, DRIVER_DIR has librte_net_devx.so, each FILE is for the script. A script sets
# TAPS before if it needs a network namespace with these TAPs, and then EMU_OPTIONS, the options of
# devx-emu instead of `--wire loop`. DPDK processes share hugepages: the script reserves some as root, in
# a mount namespace of its own, and returns them when it ends.
#
# In a guest, which has an adapter and hugepages, BELOW_EMU=yes; then LAUNCHER is not used. MEMORY_MIB is the
# memory of the primary process (default: 256).

set -u
. "$(dirname "$0")/lib.bash"
N_PAGES=320 # of 2 MiB
pages=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages

if [ -z "${BELOW_EMU-}" ]; then
	emu=$(realpath "$1") driver_dir=$(realpath "$2")
	[ "$(id -u)" = 0 ] || skip "only root can reserve hugepages"
	need dpdk-testpmd dpdk
	before=$(cat $pages 2> /dev/null) || skip "the kernel has no hugepages of 2 MiB"
	# a page that a process has just left may need a second attempt
	return_pages() {
		echo "$before" > $pages
		[ "$(cat $pages)" = "$before" ]
	}
	trap 'wait_until return_pages' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	echo $((before + N_PAGES)) > $pages 2> /dev/null
	[ "$(cat $pages)" -ge $((before + N_PAGES)) ] ||
		skip "the kernel cannot reserve $N_PAGES hugepages of 2 MiB"
	unshare -m true 2> /dev/null || skip "no mount namespaces for this user"
	files=()
	for file in "${@:3}"; do
		files+=("$(realpath "$file")")
	done
	[ -z "${TAPS-}" ] || [ -w /dev/net/tun ] || skip "no /dev/net/tun; load the kernel's module tun"
	export BELOW_EMU=yes TAPS
	unshare -m ${TAPS:+-n} bash -c '
		for tap in $TAPS; do
			ip tuntap add dev $tap mode tap || exit
			# otherwise the kernel sends frames of its own
			sysctl -qw net.ipv6.conf.$tap.disable_ipv6=1 2> /dev/null || :
			ip link set $tap up arp off || exit
		done
		exec "$@"' - "$emu" ${EMU_OPTIONS---wire loop} -- "$0" "$emu" "$driver_dir" "${files[@]}"
	exit $?
fi

driver_dir=$2
make_work
mkdir "$work/huge"
logs=("$work/*.log")
ends_at_failure=yes
children=()
primary=
cleanup() {
	if [ ${#failures[@]} -gt 0 ] && [ -n "$primary" ] && ! kill -0 "$primary" 2> /dev/null; then
		wait "$primary"
		say "the primary process ended with status $?"
	fi
	[ ${#children[@]} -eq 0 ] || kill -KILL "${children[@]}" 2> /dev/null
	wait
	umount "$work/huge" 2> /dev/null
}
mount -t hugetlbfs -o pagesize=2M none "$work/huge" || skip "cannot mount hugetlbfs"

# EAL keeps its sockets in the folder of the test. dpdk-dumpcap and others take no arguments of EAL:
# they find the primary process by the name "rte", and the driver because it is loaded already.
export RUNTIME_DIRECTORY=$work LD_LIBRARY_PATH=$driver_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# A process that is killed inside a change of a pool's ring blocks this pool for all others; lf_stack has no lock.
eal=(--no-telemetry --huge-dir="$work/huge" --iova-mode=va -m ${MEMORY_MIB:-256} --mbuf-pool-ops-name=lf_stack)
port=(--no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0)

# wait_for TEXT LOG [N]: waits until LOG has N lines with TEXT
wait_for() {
	wait_until has_lines "$1" "${3:-1}" "$work/$2.log" || fail "$2: no line '$1' (number ${3:-1}) within $WAIT_S s"
}

# start_program LOG PROGRAM ARG...: runs it in the background; $pid is its process
start_program() {
	local log=$work/$1.log

	shift
	: > "$log"
	stdbuf -oL "$@" > "$log" 2>&1 < /dev/null 3>&- &
	pid=$!
	children+=("$pid")
}

# primary_begin ARG...: starts the primary testpmd on lcore 0 and 1 with a pipe for its commands
primary_begin() {
	mkfifo "$work/in"
	stdbuf -oL dpdk-testpmd '--lcores=(0,1)@(0-1)' "${eal[@]}" --proc-type=primary "${port[@]}" -- -i "$@" \
		< "$work/in" > "$work/primary.log" 2>&1 &
	primary=$!
	children+=("$primary")
	exec 3> "$work/in"
	mark=0
	primary_do ""
}

# primary_do LINE: types a command; $out is what the primary printed until it was done
primary_do() {
	local at

	at=$(stat -c %s "$work/primary.log")
	mark=$((mark + 1))
	printf '%s\nmark%s\n' "$1" "$mark" >&3
	wait_until has_answer primary "$at" "$mark" || fail "the primary process does not answer to '$1' within $WAIT_S s"
}
# has_answer LOG AT MARK: testpmd has echoed the line of MARK, and says that it is no command. The line of an event may stand
# between the characters of the echo. $out is what LOG has after byte AT.
has_answer() {
	out=$(tail -c +$(($2 + 1)) "$work/$1.log")
	[[ $out =~ m.*a.*r.*k.*$3.*"Command not found" ]]
}

primary_end() {
	local status=0

	printf 'quit\n' >&3
	exec 3>&-
	wait "$primary" || status=$?
	[ $status -eq 0 ] || fail "the primary process ended with status $status"
	primary=
}

# read_stat NAME: reads a counter of the port, such as RX-packets, into $stat
read_stat() {
	primary_do "show port stats 0"
	stat=$(sed -n "s/.*$1: *\([0-9]*\).*/\1/p" <<< "$out" | head -n 1)
	[ -n "$stat" ] || fail "the primary process prints no $1"
}

# read_xstat NAME: reads an extended statistic of the port, such as tx_q1_packets, into $xstat
read_xstat() {
	primary_do "show port xstats 0"
	xstat=$(sed -n "s/^$1: *\([0-9]*\).*/\1/p" <<< "$out" | head -n 1)
	[ -n "$xstat" ] || fail "the primary process prints no $1"
}

# wait_for_growth XSTAT: waits until the counter grew
wait_for_growth() {
	local last

	read_xstat "$1"
	last=$xstat
	wait_until has_grown "$1" || fail "$1 stays at $last"
}
has_grown() {
	read_xstat "$1"
	[ "$xstat" -gt "$last" ]
}
