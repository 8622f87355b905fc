#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# soak.sh LAUNCHER DRIVER_DIR SOAK_TEST SOAK_PEER
#
# Runs SOAK_TEST (soak_test.c) for $SOAK_SECONDS seconds (default: 60). SOAK_PEER is its secondary process, and a client
# repeats each telemetry command.
EMU_OPTIONS=${EMU_OPTIONS---wire loop,drop=0.001}
. "$(dirname "$0")/secondary.bash"
test=$3 peer=$4

export SOAK_SECONDS=${SOAK_SECONDS:-60}
export PMD_TEST_EAL="--huge-dir=$work/huge -m ${MEMORY_MIB:-256} --mbuf-pool-ops-name=lf_stack"
export SOAK_PEER="exec $peer 2 rig '--lcores=2@(0-1)' ${eal[*]} --proc-type=secondary --no-pci -d librte_net_devx.so > $work/peer.log 2>&1"

python3 - "$work/dpdk/rte/dpdk_telemetry.v2" > "$work/telemetry.log" 2>&1 <<'END' &
import itertools, json, socket, sys, time

answers = 0
sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
for _ in range(600):
    if not sock.connect_ex(sys.argv[1]):
        break
    time.sleep(0.1)
else:
    sys.exit("no socket within 60 s")
room = json.loads(sock.recv(1024))["max_output_len"]
sock.send(b"/")
try:
    for command in itertools.cycle(json.loads(sock.recv(room))["/"]):
        sock.send(f"{command},0".encode())
        answer = sock.recv(room)
        if not answer:
            break
        json.loads(answer)
        answers += 1
        time.sleep(0.01)
except OSError:  # the process has ended
    pass
print(answers)
END
reader=$!
children+=("$reader")
status=0
"$test" &
primary=$!
children+=("$primary")
wait "$primary" || status=$?
primary=
[ $status -eq 0 ] || kill "$reader"
wait "$reader"
answers=$(cat "$work/telemetry.log")
[ $status -eq 0 ] || fail "the run ended with status $status"
[[ $answers =~ ^[0-9]+$ && $answers -gt 0 ]] || fail "telemetry: $answers"
pass "$answers answers of telemetry"
