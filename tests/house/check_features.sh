#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_features.sh CHECK: devtools/check-features finds each kind of mistake in the feature table, and
# nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
features=$tree/doc/nics/features driver=$tree/drivers/net/devx
mkdir -p "$features" "$driver/attach" "$driver/port" "$driver/queue" "$tree/tests" "$tree/build/meson-info"

printf 'TEST(rss, a_key)\nTEST_F_EACH(rss,\n\ttables, struct row, rows)\nTEST(mtu, grows)\n' > "$tree/tests/a_test.c"
echo 'int main(void);' > "$tree/tests/tool.c"
cat > "$tree/build/meson-info/intro-targets.json" <<EOF
[{ "filename": ["$tree/build/tests/a_test"], "target_sources": [{ "sources": ["$tree/tests/a_test.c"] }, {}] },
 { "filename": ["$tree/build/tool"], "target_sources": [{ "sources": ["$tree/tests/tool.c"] }] }]
EOF
cat > "$tree/build/meson-info/intro-tests.json" <<'EOF'
[{ "name": "a", "cmd": ["/bin/env", "--", "tests/a_test", "--gtest_filter=-mtu.*"] },
 { "name": "a_mtu", "cmd": ["tests/a_test", "--gtest_filter=mtu.*:rss.tables/*"] },
 { "name": "script", "cmd": ["/bin/script.sh", "tool"] }]
EOF
touch "$driver/port/devx_info.c" "$driver/queue/devx_rxq_offloads.c"
echo 'offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;' > "$driver/queue/devx_txq_offloads.c"

# put_ops NAME...: the operations of the driver
put_ops() {
	{ echo 'const struct eth_dev_ops devx_eth_ops = {'; printf '\t.%s = f,\n' "$@"; echo '};'; } > "$driver/attach/devx_ethdev.c"
}

# put_rows ROW...: the rows of devx.ini; standard input has those of tests.md
put_rows() {
	{ printf '; comment\n[Features]\n'; printf '%s\n' "$@"; } > "$features/devx.ini"
	{ printf '# Tests\n\n| row | test | limit |\n|---|---|---|\n'; cat; } > "$features/tests.md"
}

# expect STATUS: the check exits with STATUS, and prints the lines of standard input before its last line
expect() {
	sort > "$tree/expected"
	status=0
	"$check" --tree "$tree" "$tree/build" > "$tree/out" || status=$?
	cat "$tree/out"
	[ $status -eq "$1" ]
	sed '$d' "$tree/out" | sort | diff "$tree/expected" -
}

put_ops dev_start rss_hash_update rss_hash_conf_get reta_update reta_query
put_rows 'Fast mbuf free       = Y' 'RSS key update       = Y' 'RSS reta update = P' 'VMDq =' 'Usage doc = Y' <<'EOF'
| Fast mbuf free | `a`: `rss.a_key`, `rss.tables` | |
| RSS key update | `a`: `rss.a_key` | |
| RSS reta update | `a_mtu`: `rss.tables` | up to 4 |
| Usage doc | `script` | |
EOF
expect 0 < /dev/null

put_ops dev_start rss_hash_update rss_hash_conf_get reta_update reta_query mtu_set new_operation
put_rows 'Flying = Y' 'RSS reta update = Y' 'RSS key update = X' 'Fast mbuf free = P' 'Usage doc = Y' 'Usage doc = Y' \
	'Link status' 'ARMv8 = Y' 'Flow control = Y' <<'EOF'
| Flying | `a`: `rss.a_key` | |
| RSS reta update | `a`: `mtu.grows` | |
| RSS key update | `a`: `rss.no_key` | |
| Fast mbuf free | `a` | |
| Usage doc | `script`: `rss.a_key` | up to 4 |
| Design doc | `no_script` | |
| Flow control | script | |
| ARMv8 | `script` | |
EOF
expect 1 <<'EOF'
doc/nics/features/devx.ini:10: ARMv8: no build of the tree is for it; leave the row empty
doc/nics/features/devx.ini:10: ARMv8: is out of DPDK's order
doc/nics/features/devx.ini:11: Flow control: doc/nics/features/tests.md names no test
doc/nics/features/devx.ini:11: Flow control: is out of DPDK's order
doc/nics/features/devx.ini:11: Flow control: the driver lacks flow_ctrl_get
doc/nics/features/devx.ini:11: Flow control: the driver lacks flow_ctrl_set
doc/nics/features/devx.ini:3: Flying: DPDK's default.ini has no such row
doc/nics/features/devx.ini:5: RSS key update: is out of DPDK's order
doc/nics/features/devx.ini:5: RSS key update: value X is invalid (valid: Y, P)
doc/nics/features/devx.ini:6: Fast mbuf free: is out of DPDK's order
doc/nics/features/devx.ini:8: a second row Usage doc
doc/nics/features/devx.ini:9: no row of the section [Features] (valid: NAME = Y, NAME = P)
doc/nics/features/tests.md:10: Design doc: doc/nics/features/devx.ini has no such row
doc/nics/features/tests.md:10: Design doc: the build has no test no_script
doc/nics/features/tests.md:11: Flow control: no test (valid: one line, `TEST: CASE, CASE`)
doc/nics/features/tests.md:6: RSS reta update: the filter of test a leaves case mtu.grows out
doc/nics/features/tests.md:7: RSS key update: test a has no case rss.no_key
doc/nics/features/tests.md:8: Fast mbuf free: test a needs a case (`SUITE.NAME`)
doc/nics/features/tests.md:8: Fast mbuf free: value P and no limit (valid: Y)
doc/nics/features/tests.md:9: Usage doc: test script has no cases
doc/nics/features/tests.md:9: Usage doc: value Y and a limit (valid: P)
drivers/net/devx/attach/devx_ethdev.c: mtu_set: doc/nics/features/devx.ini has no row MTU update
drivers/net/devx/attach/devx_ethdev.c: new_operation: no row is known for it; add it to OP_ROWS or OFFLOAD_ROWS of devtools/check-features
EOF

# The names in the script are those of DPDK's default.ini.
printf '[Features]\nTSO =\nUsage doc =\n\n[rte_flow items]\neth =\n' > "$tree/default.ini"
"$check" --default-ini "$tree/default.ini"
printf '[Features]\nTSO =\nFlying =\n' > "$tree/default.ini"
! "$check" --default-ini "$tree/default.ini"
