#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes frames in tunnels, which scapy made, as C.

usage: tunnel_frames.py frames > tunnel_frames.h
       tunnel_frames.py lso > tunnel_lso.h

Scapy computes lengths, checksums and the headers of segments. So emu is not compared with itself.
"""
import struct
import sys

from scapy.all import ARP, Dot1Q, Ether, GRE, IP, IPv6, TCP, UDP, VXLAN, Raw, checksum, raw
from scapy.layers.inet import in4_chksum
from scapy.layers.inet6 import in6_chksum

GARBAGE = 0xdead
A = Ether(dst="ff:ff:ff:ff:ff:ff", src="02:00:00:00:00:01")
B = Ether(dst="02:00:00:00:00:aa", src="02:00:00:00:00:bb")
IP4, IP6 = IP(src="192.0.2.1", dst="192.0.2.2", id=7), IPv6(src="2001:db8::1", dst="2001:db8::2")
IN4, IN6 = IP(src="10.1.0.1", dst="10.1.0.2", id=0xfffe), IPv6(src="fd00::1", dst="fd00::2")
VX = UDP(sport=50000, dport=4789) / VXLAN(vni=0x123456, flags=8)
T = TCP(sport=1000, dport=2000, seq=0xfffffe00, flags="PAF")
U = UDP(sport=3000, dport=4000)


def pay(n):
    return Raw(bytes((7 * i + 1) & 0xff for i in range(n)))


FRAMES = [
    # name, tunnel, packet
    ("vxlan4_tcp4", "VXLAN", A / IP4 / VX / B / IN4 / T / pay(7)),
    ("vxlan6_udp6", "VXLAN", A / IP6 / VX / B / IN6 / U / pay(13)),
    ("vxlan4_tags", "VXLAN", A / Dot1Q(vlan=5) / IP4 / VX / B / Dot1Q(vlan=9, prio=3) / IN4 / U / pay(4)),
    ("vxlan4_arp", "VXLAN", A / IP4 / VX / B / ARP(psrc="10.1.0.1", pdst="10.1.0.2")),
    ("vxlan4_fragment", "VXLAN", A / IP4 / VX / B / IP(src="10.1.0.1", dst="10.1.0.2", flags="MF", proto=17) / pay(24)),
    ("gre4_tcp4", "GRE", A / IP4 / GRE(proto=0x0800) / IN4 / T / pay(5)),
    ("gre6_key_udp4", "GRE", A / IP6 / GRE(key_present=1, key=0xabcd1234, proto=0x6558) / B / IN4 / U / pay(2)),
    ("gre4_all_tcp6", "GRE", A / IP4 / GRE(chksum_present=1, key_present=1, key=0x55667788, seqnum_present=1,
                                        seqence_number=9, proto=0x86dd) / IN6 / T / pay(1)),
    ("ip4_in_ip4", "IP", A / IP4 / IN4 / T / pay(3)),
    ("ip6_in_ip4", "IP", A / IP(src="192.0.2.1", dst="192.0.2.2", id=7, proto=41) / IN6 / U / pay(9)),
    ("ip4_in_ip6", "IP", A / IPv6(src="2001:db8::1", dst="2001:db8::2", nh=4) / IN4 / T),
]


def layers(pkt):
    """The IP layers with their offsets: [(offset, layer)], outer first."""
    out, at, layer = [], 0, pkt
    while layer is not None and layer.name != "NoPayload":
        if isinstance(layer, (IP, IPv6)):
            out.append((at, layer))
        at += len(layer) - len(layer.payload)
        layer = layer.payload
    return out


def ip_sum(data, at, layer):
    return checksum(data[at:at + 20]) if isinstance(layer, IP) else None


def l4_sum(data, at, layer, l4_at, l4):
    body = data[l4_at:]
    proto = 17 if isinstance(l4, UDP) else 6
    total = (in4_chksum(proto, layer, body) if isinstance(layer, IP) else in6_chksum(proto, layer, body))
    return 0xffff if not total and proto == 17 else total


def fields(pkt):
    """Offsets of the checksums: outer IP, outer L4, inner IP, inner L4; 0: the packet has none."""
    at = [0, 0, 0, 0]
    for k, (off, layer) in enumerate(layers(pkt)[:2]):
        l4 = layer.payload
        head = 20 if isinstance(layer, IP) else 40
        if isinstance(layer, IP):
            at[2 * k] = off + 10
            if layer.flags.MF:
                continue
        if isinstance(l4, (UDP, TCP)):
            at[2 * k + 1] = off + head + (6 if isinstance(l4, UDP) else 16)
    return at


def insert(data, pkt, at, combo):
    """Computes the checksums whose bits are in @combo: inner ones first."""
    ips = layers(pkt)
    for k in (1, 0):
        if k >= len(ips):
            continue
        off, layer = ips[k]
        head = 20 if isinstance(layer, IP) else 40
        for j, make in ((0, lambda: ip_sum(data, off, layer)),
                        (1, lambda: l4_sum(data, off, layer, off + head, layer.payload))):
            f = at[2 * k + j]
            if f and combo >> (2 * k + j) & 1:
                data[f:f + 2] = b"\0\0"
                data[f:f + 2] = struct.pack(">H", make())


def c_bytes(data):
    text = "".join("\\x%02x" % b for b in data)
    return "\n".join('\t\t"%s"' % text[i:i + 80] for i in range(0, len(text), 80))


def offset_of(pkt, kind, n):
    """Offset of the n-th layer of a kind."""
    at, layer = 0, pkt
    while layer is not None and layer.name != "NoPayload":
        if isinstance(layer, kind):
            if not n:
                return at
            n -= 1
        at += len(layer) - len(layer.payload)
        layer = layer.payload
    return 0


def write_frame(name, tunnel, pkt):
    data = raw(pkt)
    pkt = Ether(data) if "in_ip" not in name and "gre" not in name else pkt.__class__(data)
    ips, at = layers(pkt), fields(pkt)
    has_inner = len(ips) > 1
    inner_ip = ips[1] if has_inner else (0, None)
    l4 = inner_ip[1].payload if has_inner else None
    if isinstance(inner_ip[1], IP) and inner_ip[1].flags.MF:
        l4 = None  # emu does not look behind the IP header of a fragment
    l4_off = inner_ip[0] + (20 if isinstance(inner_ip[1], IP) else 40) if has_inner else 0
    total = ips[0][1].len if isinstance(ips[0][1], IP) else ips[0][1].plen + 40
    packet = data[ips[0][0]:ips[0][0] + total]
    want = []
    for combo in range(16):
        d = bytearray(data)
        for f in at:
            if f:
                d[f:f + 2] = struct.pack(">H", GARBAGE)
        insert(d, pkt, at, combo)
        want.append([struct.unpack(">H", d[f:f + 2])[0] if f else 0 for f in at])
    print("\t{ .name = \"%s\", .tunnel = EMU_TUNNEL_%s, .bytes = %d," % (name, tunnel, len(data)))
    print("\t  .outer_l3 = %d, .inner_l2 = %d, .inner_l3 = %d, .inner_l4 = %d," % (
        ips[0][0], offset_of(pkt, Ether, 1), inner_ip[0], l4_off))
    print("\t  .inner_ip = %d, .inner_proto = %d, .sum = 0x%04x," % (
        inner_ip[1].version if has_inner else 0, 17 if isinstance(l4, UDP) else 6 if isinstance(l4, TCP) else 0,
        ~checksum(packet) & 0xffff))
    print("\t  .at = { %s }," % ", ".join(map(str, at)))
    print("\t  .want = {")
    for i in range(0, 16, 2):
        print("\t\t" + ", ".join("{ %s }" % ", ".join("0x%04x" % v for v in w) for w in want[i:i + 2]) + ",")
    print("\t  },\n\t  .data =\n%s },\n" % c_bytes(data))


LSO = [
    ("vxlan4_tcp4", A / IP4 / VX / B / IN4 / T),
    ("vxlan6_tcp6", A / IP6 / VX / B / IN6 / T),
    ("gre4_key_tcp4", A / IP4 / GRE(key_present=1, key=1, proto=0x6558) / B / IN4 / T),
    ("ip6_in_ip4", A / IP(src="192.0.2.1", dst="192.0.2.2", id=7, proto=41) / IN6 / T),
]
MSS, PAYLOAD = 1000, 2501
# cs_flags as bits outer L3, outer L4, inner L3, inner L4
SETS = [("linux", 0b1101), ("all", 0b1111)]


def write_lso(name, headers, combo_name, combo):
    whole = pay(PAYLOAD).load
    head = len(raw(headers))
    print("\t{ .name = \"%s_%s\", .header_bytes = %d," % (name, combo_name, head))
    print("\t  .cs_flags = %s," % " | ".join(n for i, n in enumerate(
        ("PRM_ETH_CS_L3", "PRM_ETH_CS_L4", "PRM_ETH_CS_INNER_L3", "PRM_ETH_CS_INNER_L4")) if combo >> i & 1))
    tcp = raw(headers)
    template = bytearray(tcp)
    at = fields(headers.__class__(tcp))
    for f in at:
        if f:
            template[f:f + 2] = struct.pack(">H", GARBAGE)
    print("\t  .headers =\n%s," % c_bytes(template))
    print("\t  .segments = {")
    for i in range((PAYLOAD + MSS - 1) // MSS):
        part = whole[i * MSS:(i + 1) * MSS]
        last = (i + 1) * MSS >= PAYLOAD
        seg = headers.copy() / Raw(part)
        for k, (_, layer) in enumerate(layers(seg)):
            if isinstance(layer, IP):
                layer.id = (layer.id + i) & 0xffff
        seg[TCP].seq = (seg[TCP].seq + i * MSS) & 0xffffffff
        seg[TCP].flags = "PAF" if last else "A"
        data = bytearray(raw(seg))
        parsed = seg.__class__(bytes(data))
        for f in at:
            if f:
                data[f:f + 2] = struct.pack(">H", GARBAGE)
        insert(data, parsed, at, combo)
        print("%s," % c_bytes(data[:head]))
    print("\t  } },\n")


HEAD = """/* SPDX-License-Identifier: BSD-3-Clause
 *
 * %s tunnel_frames.py wrote this file.
 */
#ifndef %s
#define %s
"""

FRAMES_HEAD = """
#include "emu/packet/parse.h"

enum { TUNNEL_GARBAGE = 0x%04x };

/** struct tunnel_frame - a frame whose checksums are all right */
struct tunnel_frame {
	const char *name;
	uint8_t tunnel, inner_ip, inner_proto; /* inner_proto 0: no whole TCP or UDP header */
	uint16_t bytes, outer_l3, inner_l2, inner_l3, inner_l4, sum;
	uint16_t at[4];       /* offsets of the checksums: outer IP, L4, inner IP, L4; 0: none */
	uint16_t want[16][4]; /* checksums by requested ones (bit i: at[i]), others are garbage */
	const char *data;
};

/* clang-format off */
static const struct tunnel_frame tunnel_frames[] = {""" % GARBAGE

LSO_HEAD = """
#include <stdint.h>

#include "prm/wqe.h"

enum { TUNNEL_LSO_MSS = %d, TUNNEL_LSO_PAYLOAD = %d };

/** struct tunnel_lso - headers of an LSO WQE, and the headers of its segments */
struct tunnel_lso {
	const char *name;
	uint16_t header_bytes;
	uint8_t cs_flags;
	const char *headers, *segments[3];
};

/* clang-format off */
static const struct tunnel_lso tunnel_lsos[] = {""" % (MSS, PAYLOAD)

if sys.argv[1:] == ["frames"]:
    print(HEAD % ("Frames in tunnels.", "TUNNEL_FRAMES_H", "TUNNEL_FRAMES_H") + FRAMES_HEAD)
    for f in FRAMES:
        write_frame(*f)
elif sys.argv[1:] == ["lso"]:
    print(HEAD % ("LSO WQEs in tunnels.", "TUNNEL_LSO_H", "TUNNEL_LSO_H") + LSO_HEAD)
    for n, h in LSO:
        for s in SETS:
            write_lso(n, h, *s)
else:
    sys.exit(__doc__)
print("};\n/* clang-format on */\n\n#endif")
