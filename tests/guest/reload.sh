# SPDX-License-Identifier: BSD-3-Clause
# The drivers go and come three times without a warning.
. /run/guest/tests/lib.sh
for i in 1 2 3; do
	unload_drivers || fail "unload $i: $(lsmod)"
	load_drivers || fail "load $i: $(dmesg | tail -n 3)"
done
kernel_is_happy
