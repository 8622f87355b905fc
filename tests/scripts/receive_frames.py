# SPDX-License-Identifier: BSD-3-Clause
"""receive_frames.py send NETDEV MAC LOG [TAG] | list LOG

send: sends a frame of each kind into NETDEV, the wire of a port whose address is MAC. The length of a frame is its
number. Then it sends a frame of 1400 bytes, to MAC and with the VLAN tag TAG. It waits until testpmd shows this frame in its
output LOG, N_LAST times. testpmd asks its queues in turn for 32 frames, so it has shown all other frames then.
list: prints a line for each of these frames that testpmd (set verbose 1, set fwd rxonly) shows in its output LOG:
its kind, its queue, its hash. A frame without a hash counts as hash 0: net_mlx5's vector function marks both alike.
"""
import re
import socket
import struct
import sys
import time

SOURCE = bytes.fromhex("020000000099")
FIRST_BYTES, LAST_BYTES, N_FLOWS, N_LAST = 100, 1400, 6, 10
WAIT_S = 120  # ten times what the longest wait takes on a quiet machine

DESTINATIONS = {"own": None, "listed": "020000000101", "foreign": "020000000103", "broadcast": "ffffffffffff",
                "ipv6 group": "333300000001", "group": "01005e000005", "other group": "01005e000006"}
TAGS = {"": b"", " vlan 0": b"\x81\x00\x00\x00", " vlan 7": b"\x81\x00\x00\x07", " vlan 8": b"\x81\x00\x00\x08"}


def make_ip4(protocol, flow, fragment=0):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 80, flow, fragment, 64, protocol, 0,
                         bytes([10, 0, flow, 1]), bytes([10, 9, 3 * flow, 2]))
    total = sum(struct.unpack(">10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    return b"\x08\x00" + header[:10] + struct.pack(">H", ~total & 0xFFFF) + header[12:]


def make_ip6(protocol, flow):
    return b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, 60, protocol, 64) + bytes([0xfd] * 14 + [flow, 1]) + \
        bytes([0xfd] * 14 + [7 * flow, 2])


def make_ports(flow):
    return struct.pack(">HHHHII", 1000 + flow, 2000 + 5 * flow, 60, 0, 0, 0x50000000) + bytes(40)


CONTENTS = {
    "IPv4/TCP": lambda flow: make_ip4(6, flow) + make_ports(flow),
    "IPv4/UDP": lambda flow: make_ip4(17, flow) + make_ports(flow),
    "IPv4/SCTP": lambda flow: make_ip4(132, flow) + make_ports(flow),
    "IPv4/ICMP": lambda flow: make_ip4(1, flow) + bytes(60),
    "IPv4/UDP, first fragment": lambda flow: make_ip4(17, flow, 0x2000) + make_ports(flow),
    "IPv4/TCP, later fragment": lambda flow: make_ip4(6, flow, 100) + make_ports(flow),
    "IPv6/TCP": lambda flow: make_ip6(6, flow) + make_ports(flow),
    "IPv6/UDP": lambda flow: make_ip6(17, flow) + make_ports(flow),
    "IPv6/SCTP": lambda flow: make_ip6(132, flow) + make_ports(flow),
    "ARP": lambda flow: b"\x08\x06" + bytes(60),
    "EtherType 88b5": lambda flow: b"\x88\xb5" + bytes(60),
}


def list_kinds():
    """Returns (name, destination, tag, content, flow) of each frame."""
    kinds = [(f"{d}{t} IPv4/UDP", d, t, "IPv4/UDP", 1) for d in DESTINATIONS for t in TAGS]
    kinds += [(f"{d}{t} {c} flow {flow}", d, t, c, flow)
              for d, t in (("own", ""), ("own", " vlan 7"), ("group", ""), ("broadcast", ""))
              for c in CONTENTS for flow in range(N_FLOWS)]
    return kinds


def count_last(log):
    return open(log, encoding="utf-8", errors="replace").read().count(f"length={LAST_BYTES} ")


def send(netdev, own, log, last_tag):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    s.bind((netdev, 0))
    own = bytes.fromhex(own.replace(":", ""))

    def send_one(destination, tag, content, length):
        to = bytes.fromhex(DESTINATIONS[destination]) if DESTINATIONS[destination] else own
        s.send((to + SOURCE + TAGS[tag] + content).ljust(length, b"\0"))

    for i, (_, destination, tag, content, flow) in enumerate(list_kinds()):
        send_one(destination, tag, CONTENTS[content](flow), FIRST_BYTES + i)
    shown = count_last(log)
    for i in range(1, N_LAST + 1):
        send_one("own", last_tag, CONTENTS["ARP"](0), LAST_BYTES)
        end = time.monotonic() + WAIT_S
        while count_last(log) < shown + i:
            if time.monotonic() > end:
                sys.exit(f"the last frame does not arrive within {WAIT_S} s")
            time.sleep(0.01)


def list_received(log):
    kinds, queue, lines = list_kinds(), None, []
    for line in open(log, encoding="utf-8", errors="replace"):
        header = re.search(r"port \d+/queue (\d+): received", line)
        if header:
            queue = int(header.group(1))
        if "src=02:00:00:00:00:99" not in line.lower():
            continue
        length = int(re.search(r"length=(\d+)", line).group(1))
        rss = re.search(r"RSS hash=(0x[0-9a-f]+)", line)
        if length != LAST_BYTES:
            lines.append(f"{kinds[length - FIRST_BYTES][0]}: queue {queue}, hash {rss.group(1) if rss else '0x0'}")
    print("\n".join(sorted(lines)))


if sys.argv[1] == "send":
    send(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5] if len(sys.argv) > 5 else "")
else:
    list_received(sys.argv[2])
