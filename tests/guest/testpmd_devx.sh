# SPDX-License-Identifier: BSD-3-Clause
# net_devx forwards packets over the loop, on the guest's rdma-core and kernel.
. /run/guest/tests/lib.sh
needs_net_devx
forward net_devx --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
