#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# nat.sh COMMAND...: runs COMMAND beside a router that translates addresses, in network namespaces of its own
#
#     port 0 -- TAP lan -- 10.0.0.254  Linux, nftables  198.51.100.1 -- TAP wan -- port 1
#
# The router replaces the source address of what goes from lan to wan by 198.51.100.1. COMMAND connects its ports to
# the TAPs lan and wan. It needs ip (iproute2) and nft (nftables), and no privileges.
set -e
if [ "$1" != inside ]; then
	exec unshare -Urn "$0" inside "$@"
fi
shift
for side in lan:10.0.0.254 wan:198.51.100.1; do
	tap=${side%:*}
	ip tuntap add dev "$tap" mode tap
	echo 1 > "/proc/sys/net/ipv6/conf/$tap/disable_ipv6"
	ip address add "${side#*:}/24" dev "$tap"
	ip link set "$tap" up
done
echo 1 > /proc/sys/net/ipv4/ip_forward
nft add table ip nat
nft 'add chain ip nat out { type nat hook postrouting priority srcnat; }'
nft add rule ip nat out oifname wan masquerade
exec "$@"
