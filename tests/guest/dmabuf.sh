# SPDX-License-Identifier: BSD-3-Clause
# The kernel registers memory and a dma-buf as memory regions, by UMR on its own QP; DEVX registers the
# dma-buf as a umem.
. /run/guest/tests/lib.sh
echo 'module mlx5_ib +p' 2> /dev/null > /proc/dynamic_debug/control
guest_dmabuf || fail "guest_dmabuf ended with $?: $(dmesg | grep mlx5_ib | tail -n 5)"
