# SPDX-License-Identifier: BSD-3-Clause
# DPDK's own net_mlx5 forwards packets over the loop.
. /run/guest/tests/lib.sh
forward net_mlx5 -a "$(pci)"
