# SPDX-License-Identifier: BSD-3-Clause
# DPDK's own net_mlx5 forwards over the wire's loop: what it sends it receives.
. /run/guest/tests/lib.sh
forward net_mlx5 -a "$(pci)"
