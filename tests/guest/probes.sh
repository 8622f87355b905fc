# SPDX-License-Identifier: BSD-3-Clause
# The kernel answers the probes (tests/probes) as recorded.
. /run/guest/tests/lib.sh
command -v devx-probes > /dev/null || skip "devx-probes: not built"
answers=/run/guest/out/probes.txt
kernel_may_say 'CREATE_FLOW_GROUP(0x933) .* failed, status bad parameter'
kernel_may_say 'match_value differs from match_criteria'
kernel_may_say 'Invalid rate: [0-9]*, should be'
kernel_may_say 'Max number of 127 rates reached'
kernel_may_say 'Failed configuring rate limit'
kernel_may_say 'changed security contexts after opening file descriptor'
kernel_may_say 'SET_PP_RATE_LIMIT(0x780) .* failed, status bad parameter'
devx-probes > $answers || fail "devx-probes ended with $?"
setpriv --bounding-set -net_raw --inh-caps -net_raw devx-probes no-net-raw >> $answers ||
	fail "devx-probes no-net-raw ended with $?"
sh /run/guest/tests/compare /run/guest/tests/answers.txt "$(uname -r)" < $answers > /tmp/compared
case $? in
0) sed '$s/^/FIGURE: /' /tmp/compared ;;
77) cat /tmp/compared; exit 77 ;;
*) cat /tmp/compared; fail "the kernel's answers differ from the recorded answers" ;;
esac
