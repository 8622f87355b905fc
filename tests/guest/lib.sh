# SPDX-License-Identifier: BSD-3-Clause
# Functions for the tests in the guest. The tests and tests/guest/boot source this file.

exec 4>&1 # fail prints here, also from a command of wait_until

# fail MESSAGE: ends the test, and the testpmd that it started, which would take frames of the next tests
fail() {
	if [ -n "${testpmd:-}" ] && kill "$testpmd" 2> /dev/null; then
		wait "$testpmd"
	fi
	echo "FAIL: $*" >&4
	exit 1
}
skip() { echo "$*"; exit 77; }

# needs_net_devx: skips the test if net_devx was not built. Puts the dpdk-testpmd of the DPDK that
# net_devx was built with first in PATH; a root of trixie or forky has two (devtools/root-dpdk).
needs_net_devx() {
	driver=/run/guest/bin/librte_net_devx.so
	[ -e $driver ] || skip "net_devx: not built, because the driver headers of DPDK were missing (devtools/dpdk-sdk)"
	! ldd $driver | grep -q /opt/dpdk-22.11/ || PATH=/opt/dpdk-22.11/bin:$PATH
}

# kernel_is_new: succeeds if nobody has recorded the answers of this kernel (tests/probes). Then `new` is the
# beginning of a line that says so: what this kernel does in another way is not a failure.
kernel_is_new() {
	release=$(uname -r | sed 's/[^0-9.].*//')
	new="new with Linux $release (tests/probes/record --kernel $release records it):"
	grep -s '^probe ' /run/guest/tests/answers.txt | tr -s ' ' '\n' > /tmp/recorded &&
		! grep -qxF "$release" /tmp/recorded
}

# prof_sel=0: with the default profile the kernel makes 6000 mkeys at every start.
load_drivers() {
	modprobe mlx5_core prof_sel=0 && modprobe ib_uverbs && modprobe mlx5_ib &&
		wait_until netdev && wait_until test -c /dev/infiniband/uverbs0
}

# The status of modprobe -r, and which modules it unloads too, depend on its release. Therefore this
# function looks at the modules that are left.
unload_drivers() {
	modprobe -r mlx5_ib
	! grep -q ^mlx5_core /proc/modules || modprobe -r mlx5_core
	! grep -q ^mlx5 /proc/modules
}

# netdev, pci: print the name of the adapter's netdev, and its PCI address
netdev() { basename "$(ls -d /sys/bus/pci/drivers/mlx5_core/*/net/* 2> /dev/null)" | grep .; }
pci() { basename "$(ls -d /sys/bus/pci/drivers/mlx5_core/*:* 2> /dev/null)" | grep .; }

WAIT_S=120 # ten times what the longest wait takes in a guest on a quiet machine

# wait_until COMMAND...: repeats COMMAND until it succeeds. Return: 1 after WAIT_S seconds. COMMAND may wait too.
wait_until() {
	local wait_end

	wait_end=$(($(date +%s) + WAIT_S))
	until "$@" > /dev/null 2>&1; do
		[ "$(date +%s)" -lt $wait_end ] || return 1
		sleep 0.1
	done
}

# ping_each N ADDRESS [BYTES]: N echo requests have replies. Each ping sends one request: after a reply, ping waits for the
# next one for two round trips only, which a busy machine exceeds.
ping_each() {
	for i in $(seq "$1"); do
		ping -c 1 -W $WAIT_S -s "${3:-56}" "$2" || return
	done
}

now() { cut -d ' ' -f 1 /proc/uptime; }
calc() { awk "BEGIN { printf \"%.2f\", $1 }"; }

# The limits are ten times what testpmd needs in a guest of a quiet machine.
# testpmd_starts ARGUMENTS starts dpdk-testpmd, tell COMMAND types one line and waits for the prompt,
# testpmd_ends quits.
# testpmd writes its prompt by characters, and another thread may write the line of an event between them.
prompts() { tr -d '\n' < /tmp/testpmd | sed 's/Port [0-9]*: [a-z ]* event//g' | grep -o 'testpmd> ' | wc -l; }
prompted() { [ "$(prompts)" -gt "$1" ]; }
testpmd_starts() {
	rm -f /tmp/tell /tmp/testpmd
	mkfifo /tmp/tell
	timeout 400 stdbuf -oL dpdk-testpmd -l 0-1 --no-telemetry "$@" -i --forward-mode=io \
		--total-num-mbufs=8192 < /tmp/tell > /tmp/testpmd 2>&1 &
	testpmd=$!
	exec 3> /tmp/tell
	wait_until prompted 0 || fail "testpmd: no prompt within $WAIT_S s: $(cat /tmp/testpmd)"
}
tell() {
	before=$(prompts)
	echo "$1" >&3
	wait_until prompted "$before" || fail "testpmd: no prompt within $WAIT_S s after '$1': $(cat /tmp/testpmd)"
}
testpmd_ends() {
	echo quit >&3
	exec 3>&-
	wait $testpmd || fail "testpmd ended with $?: $(cat /tmp/testpmd)"
	testpmd=
	cat /tmp/testpmd
}

# printed NAME: prints the last value that testpmd printed under this name
printed() { sed -n "s/.*$1: *\([0-9]*\).*/\1/p" /tmp/testpmd | tail -n 1; }

# has_received N: the port has received more than N packets
has_received() {
	tell 'show port stats 0'
	sent=$(printed TX-packets) received=$(printed RX-packets)
	[ "$received" -gt "$1" ]
}
has_received_all() { has_received 0 && [ "$received" -ge "$sent" ]; }

# receive_rest: receives the frames that are in flight when forwarding stops. Sets sent and received to the port's
# counters, which the test compares.
receive_rest() {
	tell 'set fwd rxonly'
	tell start
	wait_until has_received_all
	tell stop
}

# forward NAME EAL-ARGUMENT...: testpmd forwards 128 frames round the loop until it has received N_PACKETS, and
# loses none: the queues of both drivers have at least 256 entries.
N_PACKETS=50000
forward() {
	name=$1
	shift
	dev=$(netdev) || fail "no netdev"
	ip link set "$dev" up
	testpmd_starts "$@" --
	began=$(now)
	tell 'start tx_first 4'
	wait_until has_received $N_PACKETS || fail "testpmd did not receive $N_PACKETS packets within $WAIT_S s"
	rate=$(calc "$received / ($(now) - $began) / 1e6")
	tell stop
	receive_rest
	testpmd_ends
	dropped=$(grep '[RT]X-dropped: *[1-9]' /tmp/testpmd | sort -u)
	[ -z "$dropped" ] || fail "testpmd dropped frames (TX: its send queue was full):" $dropped
	[ "$received" -eq "$sent" ] || fail "testpmd sent $sent frames and received $received"
	echo "FIGURE: $name forwards $rate Mpps"
}

# objects: prints the number of firmware objects of each type, then the RDMA resources of users. The
# number is the kernel's count of CREATE and ALLOC commands minus its count of DESTROY and DEALLOC
# commands. Leaves out mkeys, because the kernel keeps the mkeys of freed regions for later use.
objects() {
	(cd /sys/kernel/debug/mlx5/"$(pci)"/commands && grep . ./*/n ./*/failed) | awk -F '[/:]' '
		{ n[$2] += ($3 == "n" ? $4 : -$4) }
		END {
			for (c in n) {
				d = c
				if ((sub(/^CREATE_/, "DESTROY_", d) || sub(/^ALLOC_/, "DEALLOC_", d)) &&
				    d in n && n[c] != n[d] && c != "CREATE_MKEY")
					print substr(c, index(c, "_") + 1), n[c] - n[d]
			}
		}' | sort | tr '\n' ' '
	rdma resource show mlx5_0
}

# kernel_logged_nothing: fails and prints the warnings that the kernel logged since the test began.
# tests/guest/boot calls it after every test. It ignores warnings that a ConnectX gets too:
#
#   S-tagged	promiscuous mode while the adapter strips VLAN tags
#   hrtimer, hogged	the host of the guest was busy
#
# kernel_may_say PATTERN: the test calls this first if it makes the kernel log a warning on purpose.
kernel_may_say() { echo "$1" >> /tmp/may_say; }
kernel_logged_nothing() {
	touch /tmp/may_say
	! dmesg -l emerg,alert,crit,err,warn | grep -v -e 'S-tagged traffic will be dropped' \
		-e 'hrtimer: interrupt took' -e 'workqueue: .* hogged CPU' -f /tmp/may_say
}

# begin_own, own PROGRAM..., end_own: run test programs of this project, and expect that they leave no object
begin_own() {
	dev=$(netdev) || fail "no netdev of mlx5_core"
	ip link set "$dev" up
	passed=0 skipped=0 failed=''
	devx-loopback mlx5_0 || fail "devx-loopback ended with $?" # the kernel makes objects of its own for the first user
}
own() {
	local before

	echo "---- $*"
	before=$(objects)
	timeout 1200 "$@" > /tmp/own 2>&1 || failed="$failed $*($?)"
	cat /tmp/own
	passed=$((passed + $(count_own PASSED))) skipped=$((skipped + $(count_own SKIPPED)))
	# the kernel destroys some objects later, on its workqueues
	wait_until has_objects "$before" || { echo "objects are left: before $before, after $(objects)"; failed="$failed $1:objects"; }
}
has_objects() { [ "$(objects)" = "$1" ]; }
count_own() { sed -n "s/^\[  $1 *\] \([0-9]*\) test.*/\1/p" /tmp/own | head -n 1 | grep . || echo 0; }
end_own() {
	echo "FIGURE: own tests: $passed passed, $skipped skipped"
	[ -z "$failed" ] || fail "failed, or left objects:$failed"
}
