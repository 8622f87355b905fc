# SPDX-License-Identifier: BSD-3-Clause
# Each function of libc that takes a path says of the device what looks.txt has. emu-looks.sh compares emu with it.
. /run/guest/tests/lib.sh
looks > /tmp/looks || fail "looks ended with $?"
diff /run/guest/tests/looks.txt /tmp/looks || fail "the calls above differ: < is looks.txt, > is this kernel"
