# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the script that sources this file with "$@" again, in a user and a network namespace of its own, in which it
# may make TAPs.
if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -Urn true 2> /dev/null ||
		{ echo "SKIP: no user namespaces for this user (sysctl kernel.unprivileged_userns_clone=1)"; exit 77; }
	[ -w /dev/net/tun ] || { echo "SKIP: no /dev/net/tun; load the kernel's module tun"; exit 77; }
	IN_NAMESPACE=yes exec unshare -Urn "$0" "$@"
fi
