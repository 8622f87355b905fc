#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the frames of a capture with those that scapy makes of their headers without checksums.

usage: pktgen-checksums.py CAPTURE COUNT

The capture must have COUNT frames. Each must have an IP header and the checksum of UDP or TCP.
"""
import sys

try:
    from scapy.all import IP, IPv6, TCP, UDP, Ether, rdpcap, raw
except ImportError as e:
    print(f"SKIP: {e}; install python3-scapy")
    sys.exit(77)


def find_mistake(frame):
    sent = raw(frame)
    again = Ether(sent)
    l4 = again[UDP] if UDP in again else again[TCP]
    if not l4.chksum:
        return "no checksum"
    del l4.chksum
    if IP in again:
        del again[IP].chksum
    elif IPv6 not in again:
        return "no IP header"
    return None if raw(again) == sent else f"{sent.hex()}: scapy makes {raw(again).hex()}"


def main():
    frames = rdpcap(sys.argv[1])
    mistakes = [m for m in map(find_mistake, frames) if m]
    print(*mistakes[:3], f"{len(frames)} frames, {len(mistakes)} mistakes", sep="\n")
    return bool(mistakes) or len(frames) != int(sys.argv[2])


sys.exit(main())
