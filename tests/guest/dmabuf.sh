# SPDX-License-Identifier: BSD-3-Clause
# The kernel registers memory and a dma-buf as memory regions, by UMR on its own QP; DEVX registers the
# dma-buf as a umem. Then lib/devx and net_devx move frames in a dma-buf. Linux 7, and 6.12 from some release on, accept
# the memory region only with RoCE. So each boot tests one of the two ways of lib/devx.
. /run/guest/tests/lib.sh
echo 'module mlx5_ib +p' 2> /dev/null > /proc/dynamic_debug/control
guest_dmabuf || fail "guest_dmabuf ended with $?: $(dmesg | grep mlx5_ib | tail -n 5)"

# 6.12.107 does not need RoCE; 6.12.117 does, and nobody tried the releases between them.
needs_roce() { uname -r | awk -F '[.+-]' '{ exit !($1 >= 7 || $1 == 6 && $2 == 12 && $3 >= 117) }'; }
way='a memory region'
! needs_roce || [ -e /sys/class/infiniband/mlx5_0/ports/1/gids/0 ] || way='a umem with an mkey'
ip link set "$(netdev)" up
moved() { # moved PROGRAM: runs its tests of dma-bufs
	[ -e /run/guest/bin/"$1" ] || return 0
	timeout 100 "$1" --gtest_filter='dmabuf.*move*:dmabuf.*clone*:dmabuf.is*:dmabuf.data*' > /tmp/dmabuf 2>&1 || fail "$1 ended with $?: $(cat /tmp/dmabuf)"
	grep -q '^\[  PASSED  \] [1-9]' /tmp/dmabuf || fail "$1 ran no test of dma-bufs: $(cat /tmp/dmabuf)"
	cat /tmp/dmabuf
}
moved devx_test
grep -q "registered as $way$" /tmp/dmabuf || fail "lib/devx did not register the dma-buf as $way"
moved pmd_test
echo "FIGURE: dma-buf: registered as $way"
