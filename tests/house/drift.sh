#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# drift.sh TALLY: devtools/tally skips a failed test of DPDK's own driver only with a DPDK that nobody recorded, and only
# without a fault of our own programs.
set -eu
tally=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
build=$out/gcc
mkdir -p "$build/meson-info" "$build/meson-logs"
printf 'part gcc\nbuild gcc gcc\ntook 60\n' > "$out/journal"

# ran NAME STATUS OUTPUT: one test of the build
ran() { printf '{"name": "net-devx / %s", "result": "FAIL", "returncode": %s, "stdout": "%s"}\n' "$1" "$2" "$3"; }
{
	ran testpmd_mlx5 1 'FAILED: port 0 does not start'
	ran pktgen_mlx5 1 'devx-emu: 2 protocol mistakes'
	ran bench_mlx5 -11 'a signal'
	ran testpmd_devx 1 'FAILED: port 0 does not start'
} > "$build/meson-logs/gcc.json"

# counts LAST-LINE DPDK RDMA-CORE: tally ends with LAST-LINE for these releases
counts() {
	printf '[{"name": "libdpdk", "version": "%s"}, {"name": "libibverbs", "version": "1.18.%s"}]\n' "$2" "$3" \
		> "$build/meson-info/intro-dependencies.json"
	"$tally" "$out" "$out/journal" > "$build/out" || :
	cat "$build/out"
	[ "$(tail -n 1 "$build/out")" = "$1" ]
}
counts '0 passed, 4 failed, 0 skipped' 25.11.4 65.0
counts '0 passed, 3 failed, 1 skipped' 99.11.0 65.0
grep -q '^skipped: new with DPDK 99.11.0: FAILED: port 0 does not start; .*testpmd_mlx5$' "$build/out"
counts '0 passed, 3 failed, 1 skipped' 99.11.0 99.0
grep -q '^skipped: new with DPDK 99.11.0, rdma-core 99.0: ' "$build/out"
