# SPDX-License-Identifier: BSD-3-Clause
# The drivers go and come three times without a warning; emu sees that they leave nothing.
. /run/guest/tests/lib.sh
began=$(now)
for i in 1 2 3; do
	unload_drivers || fail "unload $i: $(lsmod)"
	load_drivers || fail "load $i: $(dmesg | tail -n 3)"
done
echo "FIGURE: drivers out and in again in $(calc "($(now) - $began) / 3") s"
