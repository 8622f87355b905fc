# SPDX-License-Identifier: BSD-3-Clause
# Measures a firmware command through the kernel, and then the same program under devx-emu.
. /run/guest/tests/lib.sh
guest_round_trip "through kernel $(uname -r | cut -d . -f 1-2)" || fail "guest_round_trip ended with $?"
[ ! -e /run/guest/bin/devx-emu ] || devx-emu -- guest_round_trip "on emu in the guest" || fail "devx-emu -- guest_round_trip ended with $?"
