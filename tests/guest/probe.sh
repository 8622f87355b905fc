# SPDX-License-Identifier: BSD-3-Clause
# mlx5_core and mlx5_ib probe: a netdev and a uverbs device are there.
. /run/guest/tests/lib.sh
cat /run/guest/out/load.log
netdev || fail "no netdev: $(dmesg | grep mlx5 | tail -n 3)"
[ -c /dev/infiniband/uverbs0 ] || fail "no uverbs device: $(dmesg | grep mlx5 | tail -n 3)"
read -r began ready < /run/guest/out/ready
echo "FIGURE: drivers ready $ready s after the kernel's start, $(calc "$ready - $began") s after they were asked for"
