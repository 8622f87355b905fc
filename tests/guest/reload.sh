# SPDX-License-Identifier: BSD-3-Clause
# Unloads and loads the drivers three times; the kernel logs no warning, and emu counts no object that
# the drivers left.
. /run/guest/tests/lib.sh
began=$(now)
for i in 1 2 3; do
	unload_drivers || fail "round $i: cannot unload the drivers: $(lsmod)"
	load_drivers || fail "round $i: cannot load the drivers: $(dmesg | tail -n 3)"
done
echo "FIGURE: unloading and loading the drivers takes $(calc "($(now) - $began) / 3") s"
