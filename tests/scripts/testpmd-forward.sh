#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Stock dpdk-testpmd forwards on net_devx, over a loop and over a pair of ports: everything
# that was sent is received, nothing is dropped, and emu saw no protocol mistake.
. "$(dirname "$0")/testpmd.bash"
N_PACKETS=1000000 # of each port: counters of 16 bits wrap 15 times

say "== loop: one port, its wire comes back to it"
pmd_begin "$emu" --wire loop -- dpdk-testpmd "${devx_eal[@]}" --vdev net_devx0,ibdev=mlx5_0 -- \
	"${interactive[@]}" --forward-mode=io --total-num-mbufs=8192
pmd_do "start tx_first 8"
pmd_run RX $N_PACKETS 0
pmd_do "stop"
pmd_drain 0
expect_equal 0 0
pmd_quit

say "== pair: two ports, each other's wire"
pmd_begin "$emu" --ports 2 --wire pair -- dpdk-testpmd "${devx_eal[@]}" \
	--vdev net_devx0,ibdev=mlx5_0 --vdev net_devx1,ibdev=mlx5_1 -- \
	"${interactive[@]}" --forward-mode=io --total-num-mbufs=8192
pmd_do "start tx_first 8"
pmd_run RX $N_PACKETS 0 1
pmd_do "stop"
pmd_drain 0 1
expect_equal 0 1
expect_equal 1 0
pmd_quit
pass "every packet that was sent was received, $N_PACKETS and more by each port"
