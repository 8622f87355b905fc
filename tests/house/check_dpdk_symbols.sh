#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_dpdk_symbols.sh CHECK: devtools/check-dpdk-symbols finds each kind of change between two DPDKs, and nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/drivers/net/devx" "$tree/lib" "$tree/old" "$tree/new"

# library DIRECTORY CLASS:NAME...: makes a librte_eal.so that exports each NAME with the version CLASS
library() {
	dir=$1
	shift
	: > "$dir/eal.c"
	: > "$dir/eal.map"
	for symbol; do
		echo "int ${symbol#*:}(void); int ${symbol#*:}(void) { return 0; }" >> "$dir/eal.c"
		echo "${symbol%:*} { global: ${symbol#*:}; };" >> "$dir/eal.map"
	done
	# one node for each version
	sed 's/ {.*//' "$dir/eal.map" | sort -u | while read -r class; do
		echo "$class { global: $(sed -n "s/^$class { global: \(.*\) };/\1/p" "$dir/eal.map" | tr '\n' ' ') };"
	done > "$dir/eal.nodes"
	cc -shared -fPIC -o "$dir/librte_eal.so" "$dir/eal.c" -Wl,--version-script="$dir/eal.nodes"
}
library "$tree/old" DPDK_23:rte_same DPDK_23:rte_gone DPDK_23:rte_replaced DPDK_23:rte_fell DPDK_23:rte_hidden \
	EXPERIMENTAL:rte_grew INTERNAL:rte_inner EXPERIMENTAL:rte_trial
library "$tree/new" DPDK_26:rte_same EXPERIMENTAL:rte_fell INTERNAL:rte_hidden DPDK_26:rte_grew INTERNAL:rte_inner \
	INTERNAL:rte_trial DPDK_26:rte_since

for f in same gone replaced fell hidden grew inner trial; do
	echo "int rte_$f(void); int use_$f(void); int use_$f(void) { return rte_$f(); }"
done > "$tree/driver.c"
cc -shared -fPIC -o "$tree/driver.so" "$tree/driver.c" -L "$tree/old" -lrte_eal
echo '#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0) /* in no driver */' > "$tree/lib/other.c"
cat > "$tree/drivers/net/devx/compat.h" <<'EOF'
/* rte_gone is only in a comment */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define devx_eth_replaced rte_since
static inline int devx_eth_more(void) { return rte_missing(1); }
#else
#define devx_eth_replaced rte_replaced
#endif
EOF

cat > "$tree/expected" <<'EOF'
rte_replaced (stable): gone; drivers/net/devx/compat.h uses another function since
rte_fell: was stable, is EXPERIMENTAL; add a condition to drivers/net/devx/compat.h
rte_gone (stable): gone; add a condition to drivers/net/devx/compat.h
rte_hidden: was stable, is INTERNAL; add a condition to drivers/net/devx/compat.h
rte_missing: gone; drivers/net/devx/compat.h uses it with newer versions
lib/other.c:1: a condition on DPDK's version; move it to drivers/net/devx/compat.h
8 symbols of DPDK that driver.so uses: 5 wrong
EOF
status=0
"$check" --tree "$tree" "$tree/driver.so" "$tree/new" > "$tree/out" || status=$?
[ $status -eq 1 ]
diff "$tree/expected" "$tree/out"

# The same DPDK has all of them. A directory without DPDK is an error.
rm "$tree/lib/other.c"
sed -i '/rte_missing/d; s/rte_since/rte_same/' "$tree/drivers/net/devx/compat.h"
"$check" --tree "$tree" "$tree/driver.so" "$tree/old" | grep -qx '8 symbols of DPDK that driver.so uses: 0 wrong'
status=0
"$check" --tree "$tree" "$tree/driver.so" "$tree" > "$tree/out" 2>&1 || status=$?
cat "$tree/out"
[ $status -eq 2 ] && [ "$(wc -l < "$tree/out")" -eq 1 ]
