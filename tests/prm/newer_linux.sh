#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# newer_linux.sh PRM-ROWS CHECK HEADERS: a name that Linux has changed is a failure with headers that lib/prm
# was compared with. With the headers of a newer release it is skipped.
set -eu
rows=$1 check=$2 headers=$3
. "$(dirname "$0")/../scripts/lib.bash"
make_work
ends_at_failure=yes

# headers_of RELEASE: makes changed headers of that release, and sets dir to their directory
headers_of() {
	dir=$work/linux-headers-$1-common/include/linux/mlx5
	mkdir -p "$dir"
	cp "$headers"/*.h "$dir"
	sed -i 's/\blog_max_cq_sz\b/log_max_cq_entries/' "$dir/mlx5_ifc.h"
	sed -i 's/\bMLX5_CAP_ETHERNET_OFFLOADS\b/MLX5_CAP_ETHERNET/' "$dir/device.h"
}

# ends STATUS LINE COMMAND...: COMMAND ends with STATUS and prints a line with LINE
ends() {
	expect "$1" "" "${@:3}"
	grep -q "$2" "$work/out" || fail "no line '$2': ${*:3}"
}
headers_of 6.1
ends 1 '^cmd_hca_cap: .*log_max_cq_sz' "$rows" --check "$dir/mlx5_ifc.h"
ends 1 ': Linux has no MLX5_CAP_ETHERNET_OFFLOADS' "$check" prm_values --linux "$dir"
ends 0 '^$' "$rows" --newer "$dir/mlx5_ifc.h"
headers_of 99.0
ends 77 '^new with Linux 99.0: cmd_hca_cap: .*log_max_cq_sz' "$rows" --check "$dir/mlx5_ifc.h"
ends 77 '^SKIP: prm_values: new with Linux 99.0: 1 differences' "$check" prm_values --linux "$dir"
ends 0 '^99.0$' "$rows" --newer "$dir/mlx5_ifc.h"
