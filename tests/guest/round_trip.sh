# SPDX-License-Identifier: BSD-3-Clause
# A firmware command's way to the adapter and back; beside it the same program on emu alone.
. /run/guest/tests/lib.sh
guest_round_trip "through kernel $(uname -r | cut -d . -f 1-2)" || fail "round_trip"
[ ! -e /run/guest/bin/devx-emu ] || devx-emu -- guest_round_trip "on emu in the guest" || fail "devx-emu: $?"
