# SPDX-License-Identifier: BSD-3-Clause
# mlx5_core and mlx5_ib probe the adapter and make a netdev and a uverbs device.
. /run/guest/tests/lib.sh
cat /run/guest/out/load.log
netdev || fail "no netdev of mlx5_core: $(dmesg | grep mlx5 | tail -n 3)"
[ -c /dev/infiniband/uverbs0 ] || fail "no /dev/infiniband/uverbs0: $(dmesg | grep mlx5 | tail -n 3)"
read -r began ready < /run/guest/out/ready
echo "FIGURE: drivers ready $ready s after the start of the kernel, $(calc "$ready - $began") s after modprobe"
