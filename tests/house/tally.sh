#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tally.sh TALLY: devtools/tally names the tests to repeat, counts them as flaky if they pass then, and sums up the parts.
set -eu
tally=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
logs=$out/gcc/meson-logs
mkdir -p "$logs" "$out/guest" "$out/guest-again"

# ran NAME RESULT STATUS OUTPUT: one line of meson's log
ran() { printf '{"name": "net-devx / %s", "result": "%s", "returncode": %s, "stdout": "%s"}\n' "$@"; }
{
	ran good OK 0 ''
	ran late TIMEOUT -15 'waits for a packet'
	ran ovs FAIL 1 'OTHERS: ovsdb-server did not start'
	ran eal FAIL 1 'EAL: rte_service_init() failed'
	ran late_with_report TIMEOUT -15 'ERROR: AddressSanitizer: heap-use-after-free'
	ran crash FAIL -11 'OTHERS: dpdk-testpmd ended'
	ran mistake FAIL 125 'OTHERS: testpmd ended; devx-emu: 2 protocol mistakes'
	ran lost FAIL 1 'OTHERS: devx-pktgen: 100 sent, 3 lost'
	ran differ_rx TIMEOUT -15 ''
	ran wrong FAIL 1 'FAILED: wanted 3'
} > "$logs/gcc.json"

failed=0
expect() { [ "$1" = "$2" ] || { echo "FAILED: wanted '$1', got '$2'"; failed=1; }; }
expect 'late ovs eal' "$(echo $("$tally" --again "$out/gcc" gcc))"

# sums JOURNAL...: the sum of these lines; the whole output is in $out/said
sums() {
	printf '%s\n' "$@" > "$out/journal"
	"$tally" "$out" "$out/journal" > "$out/said" && status=0 || status=$?
	tail -n 1 "$out/said"
}
expect '1 passed, 9 failed, 0 skipped' "$(sums 'part gcc' 'build gcc gcc' 'took 90')"

# Two tests pass when they are repeated; the third one fails again.
{ ran late OK 0 ''; ran ovs OK 0 ''; ran eal FAIL 1 'EAL: rte_service_init() failed'; } > "$logs/gcc-again.json"
printf 'PASS probe\nLATE unplug\nSKIP probes: new with Linux 9.9: 3 answers\n' > "$out/guest/results"
rm -r "$out/guest-again"
expect '4 passed, 8 failed, 1 skipped' "$(sums 'part gcc' 'build gcc gcc' 'took 90' 'part guest' 'results guest' 'took 30')"
grep -q '^flaky: gcc late (its first output: .*/gcc.txt)$' "$out/said" || expect 'a line of the flaky test' "$(cat "$out/said")"
grep -Eq '^gcc +1\.5 +3 +7 +0$' "$out/said" || expect 'a row of the table' "$(cat "$out/said")"
sed '1,/^all /d' "$out/said" | grep -q '^FAILED gcc wrong' || expect 'failures below the table' "$(cat "$out/said")"
grep -Eq '^all +2\.0 +4 +8 +1$' "$out/said" || expect 'the last row of the table' "$(cat "$out/said")"

# The third one is a failure, although each test passed in the end.
mkdir "$out/guest-again"
printf 'PASS unplug\n' > "$out/guest-again/results"
sed -i '/late_with\|crash\|mistake\|lost\|differ\|wrong\|eal/d' "$logs/gcc.json"
expect '5 passed, 1 failed, 1 skipped' "$(sums 'part gcc' 'build gcc gcc' 'took 90' 'part guest' 'results guest' 'took 30')"
grep -q '^FAILED 3 tests are flaky' "$out/said" || expect 'too many flaky tests' "$(cat "$out/said")"

# A test may print control characters, which XML does not have.
printf '<testsuites><testsuite name="net-devx.unit.cq"><testcase name="flips"/><system-out>a\033[31m</system-out></testsuite></testsuites>' \
	> "$logs/gcc.junit.xml"
printf '{"name": "net-devx / unit", "result": "OK", "returncode": 0, "stdout": ""}\n' > "$logs/gcc.json"
rm "$logs/gcc-again.json"
expect '1 passed, 0 failed, 0 skipped' "$(sums 'part gcc' 'build gcc gcc' 'took 90')"

# Events without a log: a build that failed, a program that passed, and a root that the mirror lacks.
expect '1 passed, 1 failed, 1 skipped' "$(sums 'part a' 'failed a: the build gcc' 'took 1' 'part b' 'passed demo' 'skipped c: why' 'took 1')"
exit $failed
