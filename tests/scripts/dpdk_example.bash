# SPDX-License-Identifier: BSD-3-Clause
#
# Runs one of DPDK's example programs on two net_devx ports whose wires are the TAPs emu0 and emu1, in
# namespaces of its own. To be sourced, by scripts that are called
#
#     script LAUNCHER DRIVER_DIR PROGRAM
#
# LAUNCHER is devx-emu, DRIVER_DIR has librte_net_devx.so, PROGRAM is the example. A script may set $program to
# another example, $ports to other ports of EAL (use_driver does), $lcores, $memory_mib, and $input, the file of its standard
# input.

set -u
here=$(realpath "$(dirname "$0")")
. "$here/lib.bash"
need ip iproute2
enter_namespaces -Urmn "$@"
emu=$(realpath "$1")
driver_dir=$(realpath "$2")
program=$(realpath "$3")

ports=(--no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --vdev net_devx1,ibdev=mlx5_1)
lcores=0
memory_mib=256
input=/dev/null
job=

make_work
prefix=$(basename "$work")
log=$work/log logs=("$work/log") ends_at_failure=yes
: > "$log"
cd "$work" || exit 3

# The command line of the example has the name of our folder.
find_example() { pgrep -f "^$program .*$prefix"; }
# devx-emu ends after the example.
cleanup() {
	local left

	left=$(find_example)
	[ -z "$left" ] || kill -KILL $left 2> /dev/null
	[ -z "$job" ] || wait "$job" 2> /dev/null
}

# use_driver DRIVER: sets $ports to the two ports of emu by their PCI addresses, with net_mlx5 or net_devx
use_driver() {
	case $1 in
	net_mlx5) ports=(-a 0000:c1:00.0 -a 0000:c1:00.1) ;;
	net_devx) ports=(-d librte_net_devx.so -a 0000:c1:00.0,driver=net_devx -a 0000:c1:00.1,driver=net_devx) ;;
	esac
	say "== $1"
}

for tap in emu0 emu1; do
	ip tuntap add dev $tap mode tap || fail "cannot make the TAP $tap"
	# otherwise the kernel sends frames of its own
	sysctl -qw net.ipv6.conf.$tap.disable_ipv6=1 2> /dev/null || :
	ip link set $tap up arp off
done

# example_begin TEXT ARG...: starts the example with its arguments; waits until it has printed TEXT
example_begin() {
	local text=$1

	shift
	example_launch "$text" --file-prefix="$prefix" --no-huge -m $memory_mib --iova-mode=va --no-shconf --no-telemetry \
		-l $lcores "${ports[@]}" -- "$@"
}

# example_launch TEXT ARG...: starts $program with its arguments below emu; waits until it has printed TEXT
example_launch() {
	: > "$log" # a script may start several examples
	LD_LIBRARY_PATH=$driver_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
		"$emu" --quiet --counters --ports 2 --wire 0=tap:emu0 --wire 1=tap:emu1 -- stdbuf -oL "$program" \
		"${@:2}" < "$input" > "$log" 2>&1 &
	job=$!
	wait_for "$1" 1
	pid=$(find_example)
	[ -n "$pid" ] || fail "the program runs no more"
}

# wait_for TEXT N: waits until the log has at least N lines with TEXT
wait_for() { wait_until has_printed "$@" || fail "no line '$1' (number $2) within $WAIT_S s"; }
has_printed() {
	has_lines "$1" "$2" "$log" && return
	kill -0 $job 2> /dev/null || fail "the program ended"
	return 1
}

# helper_end PID...: ends these background processes
helper_end() {
	kill "$@" 2> /dev/null
	wait "$@" 2> /dev/null
}

# example_end SIGNAL STATUS: ends the example by a signal and expects its exit status
example_end() {
	kill -"$1" "$pid"
	example_wait "$2"
}

# example_wait STATUS: waits for the end of the example and expects its exit status
example_wait() {
	local status=0

	wait $job || status=$?
	[ $status -eq "$1" ] || fail "the program ended with status $status"
}

# forward ARG...: sends frames into emu0 and expects all of them at emu1 (tap_frames.py)
forward() {
	python3 "$here/tap_frames.py" emu0 emu1 "$@" || fail "not all frames were forwarded"
}
