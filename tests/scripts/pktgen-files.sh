#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-files.sh PKTGEN CAPTURE
#
# Checks that devx-pktgen overwrites no file by accident: neither an input, nor one of its outputs by another, nor the report
# of an earlier run if it sends nothing. It uses ports that every DPDK has (net_ring, net_pcap).
set -u
pktgen=$(realpath "${1:?usage: $0 PKTGEN CAPTURE}")
capture=$(realpath "${2:?usage: $0 PKTGEN CAPTURE}")

. "$(dirname "$0")/pktgen.bash"
enter_work

ring=(run --port net_ring0)
mkdir folder
cp "$capture" a.pcap
ln -s ../a.pcap folder/link
ln a.pcap hard
"$pktgen" "${ring[@]}" --count 10 --print-config > job.json || fail "--print-config"
cat > captures.json <<- 'END'
	{"ports": [{"name": "p", "location": "net_ring0"}],
	 "flows": [{"name": "f", "tx_rx": {"port": {"tx_name": "p", "rx_name": "p"}}, "devx_capture": {"file": "a.pcap"}}]}
END
sha256sum a.pcap job.json captures.json > sums

# spared OTHER PATH ARG...: no report may go to PATH, because it is the same file as OTHER, which the message names
spared() {
	refused 2 "$1 and --json $2: both are the same file" "$3" --json "$2" "${@:4}"
	sha256sum --quiet -c sums || fail "an input has changed"
}

echo "== an output that is an input"
for path in a.pcap ./a.pcap folder/link hard "$work/a.pcap"; do
	spared "--pcap a.pcap" $path "${ring[@]}" --pcap a.pcap
	spared "devx_capture a.pcap" $path run --config captures.json
done
spared "--config job.json" folder/../job.json run --config job.json
spared "net_pcap0,rx_pcap=a.pcap" hard run --port net_pcap0,tx_pcap=sent.pcap,rx_pcap=a.pcap
spared "net_pcap0,rx_pcap=a.pcap" hard run -- --vdev net_pcap0,tx_pcap=sent.pcap,rx_pcap=a.pcap
spared "net_pcap0,rx_pcap=a.pcap" hard run -- --vdev=net_pcap0,tx_pcap=sent.pcap,rx_pcap=a.pcap
refused 2 "--pcap a.pcap and --csv hard: both are the same file, which the output would change; give another output" \
	"${ring[@]}" --pcap a.pcap --csv hard
refused 2 "net_pcap0,rx_pcap=a.pcap and --latency-log hard: both are" run --port net_pcap0,tx_pcap=sent.pcap,rx_pcap=a.pcap \
	--latency-log hard
refused 2 "--pcap a.pcap and net_pcap0,tx_pcap=hard: both are" run --send-only --port net_pcap0,tx_pcap=hard --pcap a.pcap
refused 2 "net_pcap0,rx_pcap=hard and net_pcap0,tx_pcap=a.pcap: both are" run --port net_pcap0,tx_pcap=a.pcap,rx_pcap=hard
sha256sum --quiet -c sums || fail "an input has changed"
echo "+ long paths"
long=$(printf "%0200d/" 1 2)
mkdir -p "$long"
ln -s "$work/a.pcap" "${long}a"
spared "--pcap ${long}a" "./${long}a" "${ring[@]}" --pcap "${long}a"
echo "+ stdin is the input, and stdout appends to it"
timeout $WAIT_S "$pktgen" "${ring[@]}" --pcap - --json hard < a.pcap > out 2> err
[ $? -eq 2 ] && grep -q -- "--pcap - and --json hard: both are the same file" err || fail "stdin"
timeout $WAIT_S "$pktgen" run --config job.json --print-config 2> err >> job.json
[ $? -eq 2 ] && grep -q -- "--config job.json and stdout: both are the same file" err || fail "stdout"
timeout $WAIT_S "$pktgen" "${ring[@]}" --pcap a.pcap 2>> a.pcap > out
[ $? -eq 2 ] || fail "stderr"
tail -n 1 a.pcap | grep -aq -- "--pcap a.pcap and stderr: both are the same file" || fail "stderr" # where else could it be
cp "$capture" a.pcap
sha256sum --quiet -c sums || fail "an input has changed"

echo "== two outputs that are one file"
for second in both ./both folder/../both; do
	refused 2 "--json both and --csv $second: both are the same file; give each output a file of its own" \
		"${ring[@]}" --json both --csv $second
	[ ! -e both ] || fail "a refused run left a file"
done
ln -s both dangling
refused 2 "--csv dangling and --latency-log both: both are" "${ring[@]}" --csv dangling --latency-log both
rm -f both dangling
refused 2 "net_pcap0,tx_pcap=x and net_pcap1,tx_pcap=./x: both are" run --send-only --port net_pcap0,tx_pcap=x --port net_pcap1,tx_pcap=./x
[ ! -e x ] || fail "the port has created its file"
echo "+ stdout and stderr"
timeout $WAIT_S "$pktgen" "${ring[@]}" --json text > text 2> err
[ $? -eq 2 ] && grep -q -- "--json text and stdout: both are the same file" err || fail "stdout"
timeout $WAIT_S "$pktgen" "${ring[@]}" --csv text > out 2> text
[ $? -eq 2 ] && grep -q -- "--csv text and stderr: both are the same file" text || fail "stderr"
echo "+ stderr closed: no report gets its descriptor"
timeout $WAIT_S "$pktgen" "${ring[@]}" --count 10 --json text --csv rows > out 2>&- || fail "stderr closed: exit $?"
grep -q '"record":"final"' text && grep -q "^final,.*,10," rows && grep -q "^OK: 10 sent" out || fail "stderr closed: no reports"
timeout $WAIT_S "$pktgen" "${ring[@]}" --count 10 --json - > text 2>&- < /dev/null || fail "stderr closed, --json -: exit $?"
grep -q '"record":"final"' text || fail "stderr closed: no records"
rm -f rows

echo "== what is allowed: /dev/null several times, stdout and stderr in one file, an input used twice"
run_it 0 "$pktgen" "${ring[@]}" --count 10 --json /dev/null --csv /dev/null --latency-log /dev/null
timeout $WAIT_S "$pktgen" "${ring[@]}" --count 10 --json - > text 2>&1 || fail "records and text in one file"
grep -q '"record":"final"' text && grep -q "^OK: 10 sent" text || fail "records and text in one file"
run_it 1 "$pktgen" run --port net_pcap0,tx_pcap=x,rx_pcap=a.pcap --pcap a.pcap

echo "== a run that sends nothing keeps the earlier report, and leaves no new file"
echo "earlier" | tee old.json > old.csv
refused 3 "no driver claims" run --port net_frob0 --json old.json --csv old.csv --latency-log new.hlog
refused 4 "cannot create the file: Is a directory" "${ring[@]}" --json old.json --csv folder
[ "$(cat old.json old.csv)" = earlier$'\n'earlier ] || fail "the earlier reports are gone"
[ ! -e new.hlog ] || fail "a new file"
run_it 0 "$pktgen" "${ring[@]}" --count 10 --json old.json --csv old.csv --latency-log new.hlog
! grep -q earlier old.json old.csv || fail "the earlier reports are still there"
[ -s new.hlog ] || fail "no log"

pass
