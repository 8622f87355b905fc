# SPDX-License-Identifier: BSD-3-Clause
# needs --no-write-combining: the kernel's own test finds no write combining, so mlx5_ib refuses BlueFlame
# UARs, and the driver uses non-cached ones.
. /run/guest/tests/lib.sh
kernel_may_say 'Write combining is not supported'
dev=$(netdev) || fail "no netdev of mlx5_core"
ip link set "$dev" up
devx_no_wc_test || fail "devx_no_wc_test ended with $?"
dmesg | grep 'Write combining'
[ ! -e /run/guest/bin/pmd_test ] || pmd_test --gtest_filter='no_write_combining.*' || fail "pmd_test ended with $?"
ibv_devinfo -v > /tmp/devinfo || fail "ibv_devinfo ended with $?"
