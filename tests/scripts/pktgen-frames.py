#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the frames of devx-pktgen with those that scapy makes.

usage: pktgen-frames.py WRITE_FRAMES

Scapy computes lengths, checksums, protocol numbers and the place of each field, so devx-pktgen is not
compared with itself. Every byte in front of the payload must agree. A checksum that was ordered
"bad" must be the only difference.
"""
import struct
import subprocess
import sys

try:
    from scapy.all import (ARP, Dot1AD, Dot1Q, Ether, GRE, ICMP, IP, IPv6, Raw, SCTP, TCP, UDP, VXLAN,
                           IPOption, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop,
                           IPv6ExtHdrRouting, ICMPv6EchoRequest, PadN, SCTPChunkData, raw)
    from scapy.contrib.geneve import GENEVE, GeneveOptions
    from scapy.contrib.gtp import GTP_U_Header
    from scapy.contrib.mpls import MPLS
except ImportError as e:
    print(f"SKIP: {e}; install python3-scapy")
    sys.exit(77)

SIGNATURE = 18
A, B = "02:00:00:00:00:01", "02:00:00:00:00:02"
LAST = 0x88b5  # Ethernet type of a frame whose last header is Ethernet, VLAN or GRE


def eth(**k):
    return Ether(**{"src": A, "dst": B, **k})


def ip(**k):
    return IP(**{"src": "198.18.0.1", "dst": "198.19.0.1", "id": 0, **k})


def ip6(**k):
    return IPv6(**{"src": "2001:2::1", "dst": "2001:2::2", **k})


def udp(**k):
    return UDP(**{"sport": 49152, "dport": 9, **k})


def tcp(**k):
    return TCP(**{"sport": 49152, "dport": 9, "flags": 0, "window": 0, **k})


def addr(base, n):
    return f"{base}.{n}"


def pad6(cls, **k):
    return cls(options=[PadN(otype=1, optdata=bytes(4))], **k)


def routing(**k):
    return IPv6ExtHdrRouting(**{"type": 253, "segleft": 0, "addresses": [], "len": 0, **k})


def sctp(data, **k):
    """The chunk takes its length from its data, so it needs them."""
    return SCTP(sport=49152, dport=9, tag=1, chksum=None) / SCTPChunkData(
        **{"beginning": 1, "ending": 1, "tsn": 0, "stream_id": 0, "stream_seq": 0, "proto_id": 0, "data": data, **k})


VX = dict(sport=49152, dport=4789)
GT = dict(sport=49152, dport=2152)
GE = dict(sport=49152, dport=6081)

# Headers; sizes; frame n as scapy makes it (of SCTP: a function of its data, and the length of its headers).
CASES = [
    ("ethernet/ipv4(dont_fragment=1)/udp(checksum=0)", "64", lambda n: eth() / ip(flags="DF") / udp(chksum=0)),
    ("ethernet/ipv4/udp", "64-90", lambda n: eth() / ip() / udp()),
    ("ethernet(dst=ff:ff:ff:ff:ff:ff,ether_type=0x9000)", "64", lambda n: eth(dst="ff:ff:ff:ff:ff:ff", type=0x9000)),
    ("ethernet", "64", lambda n: eth(type=LAST)),
    ("ethernet(src=02:00:00:00:00:10-02:00:00:00:00:13)/ipv4/udp", "65",
     lambda n: eth(src=f"02:00:00:00:00:1{n % 4}") / ip() / udp()),
    ("ethernet/vlan(id=5,priority=3)/ipv4/udp", "70-76", lambda n: eth() / Dot1Q(vlan=5, prio=3) / ip() / udp()),
    ("ethernet(ether_type=0x88a8)/vlan(id=100-103)/vlan(id=4094-4090/2,cfi=1)/ipv4/tcp(ctl_syn=1)", "88-99",
     lambda n: eth() / Dot1AD(vlan=100 + n % 4) / Dot1Q(vlan=4094 - 2 * (n % 3), id=1) / ip() / tcp(flags="S")),
    ("ethernet/vlan(id=5)", "64", lambda n: eth() / Dot1Q(vlan=5, type=LAST)),
    ("ethernet/mpls(label=100-105)/mpls(label=1048575,traffic_class=5,time_to_live=7)/ipv4/udp", "76",
     lambda n: eth() / MPLS(label=100 + n % 6, s=0, ttl=64) / MPLS(label=1048575, cos=5, s=1, ttl=7) / ip() / udp()),
    ("ethernet/mpls/ipv6/udp", "101", lambda n: eth() / MPLS(label=16, s=1, ttl=64) / ip6() / udp()),
    ("ethernet/arp(operation=2,target_hardware_addr=02:00:00:00:00:09)", "64",
     lambda n: eth() / ARP(op=2, hwsrc=A, psrc="198.18.0.1", hwdst="02:00:00:00:00:09", pdst="198.19.0.1")),
    ("ethernet/ipv4(src=10.0.0.1-10.0.0.9/2,dst=10.1.0.1;10.1.0.7;10.1.0.3,time_to_live=9-3,dscp=46,ecn=1,"
     "identification=65530-65535)/udp(src_port=1000-1002)", "64-71",
     lambda n: eth() / ip(src=addr("10.0.0", 1 + 2 * (n % 5)), dst=addr("10.1.0", (1, 7, 3)[n % 3]), ttl=9 - n % 7,
                          tos=46 << 2 | 1, id=65530 + n % 6) / udp(sport=1000 + n % 3)),
    ("ethernet/ipv4(priority=200,reserved=1,options=94040000)/udp", "68-73",
     lambda n: eth() / ip(tos=200, flags="evil", options=[IPOption(bytes.fromhex("94040000"))]) / udp()),
    ("ethernet/ipv4(options=" + "01" * 40 + ")/tcp(options=" + "01" * 40 + ")", "160-167",
     lambda n: eth() / ip(options=[IPOption(b"\1") for _ in range(40)]) / tcp(options=[("NOP", None)] * 40)),
    ("ethernet/ipv4(more_fragments=1,fragment_offset=0-370/185,protocol=17)", "64-66",
     lambda n: eth() / ip(flags="MF", frag=185 * (n % 3), proto=17)),
    ("ethernet/ipv4(protocol=89,version=4)", "64", lambda n: eth() / ip(proto=89)),
    ("ethernet/ipv4(total_length=1000,header_length=7)/udp(length=3,checksum=0)", "64",
     lambda n: eth() / ip(len=1000, ihl=7) / udp(len=3, chksum=0)),
    ("ethernet/ipv4(header_checksum=0x1234)/udp(checksum=0x4321)", "64",
     lambda n: eth() / ip(chksum=0x1234) / udp(chksum=0x4321)),
    ("ethernet/ipv4/ipv4(src=10.9.9.9)/udp", "90-95", lambda n: eth() / ip() / ip(src="10.9.9.9") / udp()),
    ("ethernet/ipv6/udp", "84-95", lambda n: eth() / ip6() / udp()),
    ("ethernet/ipv6(src=2001:db8::fffe-2001:db8::1:1,traffic_class=171,flow_label=0xfffff,hop_limit=1)/"
     "tcp(src_port=65534;1,seq_num=4294967290-4294967295,ack_num=7,ctl_ack=1,ctl_psh=1,ecn_ns=1,ecn_cwr=1,window=99,"
     "urgent_pointer=5,options=020405b4)", "102-111",
     lambda n: eth() / ip6(src=("2001:db8::fffe", "2001:db8::ffff", "2001:db8::1:0", "2001:db8::1:1")[n % 4], tc=171,
                           fl=0xfffff, hlim=1)
     / tcp(sport=(65534, 1)[n % 2], seq=4294967290 + n % 6, ack=7, flags="APCN", window=99, urgptr=5,
           options=[("MSS", 1460)])),
    ("ethernet/ipv6/ipv6_hop_by_hop/ipv6_routing/ipv6_fragment(identification=5-7)/ipv6_destination/udp", "120-125",
     lambda n: eth() / ip6() / pad6(IPv6ExtHdrHopByHop) / routing() / IPv6ExtHdrFragment(id=5 + n % 3)
     / pad6(IPv6ExtHdrDestOpt) / udp()),
    ("ethernet/ipv6/ipv6_destination/icmpv6(sequence_number=9-12)", "100",
     lambda n: eth() / ip6() / pad6(IPv6ExtHdrDestOpt) / ICMPv6EchoRequest(seq=9 + n % 4)),
    ("ethernet/ipv6(next_header=59)", "90", lambda n: eth() / ip6(nh=59)),
    ("ethernet/ipv4/tcp(ctl_fin=1,ctl_rst=1,ctl_urg=1,ecn_echo=1)", "76-80",
     lambda n: eth() / ip() / tcp(flags="FRUE")),
    ("ethernet/ipv4/icmp(identifier=7,sequence_number=0-65535)", "64-69",
     lambda n: eth() / ip() / ICMP(id=7, seq=n)),
    ("ethernet/ipv6/icmpv6(type=129,code=1)", "84", lambda n: eth() / ip6() / ICMPv6EchoRequest(type=129, code=1)),
    ("ethernet/ipv4/sctp(tsn=4294967295,stream_id=3)", "90,94,98,602", (lambda n, data: eth() / ip() / sctp(
        data, tsn=4294967295, stream_id=3), 62)),
    ("ethernet/ipv6/sctp", "110", (lambda n, data: eth() / ip6() / sctp(data), 82)),
    ("ethernet/ipv4/udp/vxlan(vni=7-9)/ethernet(src=02:00:00:00:00:05,dst=02:00:00:00:00:06)/ipv4(src=10.0.0.1)/"
     "tcp(dst_port=80-82)", "130-141",
     lambda n: eth() / ip() / udp(**VX) / VXLAN(vni=7 + n % 3, flags=8) / eth(src="02:00:00:00:00:05",
                                                                            dst="02:00:00:00:00:06")
     / ip(src="10.0.0.1") / tcp(dport=80 + n % 3)),
    ("ethernet/ipv6/udp(checksum=0)/vxlan/ethernet/vlan(id=9)/ipv6/udp", "180-183",
     lambda n: eth() / ip6() / udp(chksum=0, **VX) / VXLAN(vni=0, flags=8) / eth() / Dot1Q(vlan=9) / ip6() / udp()),
    ("ethernet/ipv4/udp/geneve(vni=7-9)/ethernet(src=02:00:00:00:00:05)/ipv4/udp", "120-125",
     lambda n: eth() / ip() / udp(**GE) / GENEVE(vni=7 + n % 3) / eth(src="02:00:00:00:00:05") / ip() / udp()),
    ("ethernet/ipv6/udp/geneve(vni=0xffffff,critical=1,control=1,options=0102830111223344)/ipv6/tcp", "180-183",
     lambda n: eth() / ip6() / udp(**GE)
     / GENEVE(vni=0xffffff, critical=1, oam=1, proto=0x86dd, options=GeneveOptions(classid=0x102, type=0x83, data=b"\x11\x22\x33\x44"))
     / ip6() / tcp()),
    ("ethernet/ipv4/udp(checksum=0)/geneve/ipv4/udp", "100", lambda n: eth() / ip() / udp(chksum=0, **GE) / GENEVE(proto=0x800) / ip() / udp()),
    ("ethernet/ipv4/udp/geneve/mpls/ipv4/udp", "120",
     lambda n: eth() / ip() / udp(**GE) / GENEVE(proto=0x8847) / MPLS(label=16, s=1, ttl=64) / ip() / udp()),
    ("ethernet/ipv4/udp/geneve", "80", lambda n: eth() / ip() / udp(**GE) / GENEVE(proto=LAST)),
    ("ethernet/ipv4/nvgre(vsid=0x5000-0x5003,flow_id=9)/ethernet/ipv4/tcp", "120-123",
     lambda n: eth() / ip() / GRE(key_present=1, proto=0x6558, key=(0x5000 + n % 4) << 8 | 9) / eth() / ip() / tcp()),
    ("ethernet/ipv6/nvgre/ethernet/vlan(id=9)/ipv6/udp", "160",
     lambda n: eth() / ip6() / GRE(key_present=1, proto=0x6558, key=0x100000) / eth() / Dot1Q(vlan=9) / ip6() / udp()),
    ("ethernet/ipv4/gre/ipv4/tcp", "100-103", lambda n: eth() / ip() / GRE() / ip() / tcp()),
    ("ethernet/ipv4/gre(checksum_present=1,key=5-7,sequence_number=0-4294967295)/ipv6/udp", "140-147",
     lambda n: eth() / ip() / GRE(chksum_present=1, key_present=1, key=5 + n % 3, seqnum_present=1, sequence_number=n)
     / ip6() / udp()),
    ("ethernet/ipv6/gre(key_present=1)/ethernet/ipv4/udp", "131",
     lambda n: eth() / ip6() / GRE(key_present=1, key=0) / eth() / ip() / udp()),
    ("ethernet/ipv4/gre(checksum=bad)/ipv4/icmp", "101",
     lambda n: eth() / ip() / GRE(chksum_present=1) / ip() / ICMP()),
    ("ethernet/ipv4/gre/mpls/ipv4/udp", "110", lambda n: eth() / ip() / GRE(proto=0x8847) / MPLS(label=16, s=1, ttl=64)
     / ip() / udp()),
    ("ethernet/ipv4/gre", "64", lambda n: eth() / ip() / GRE(proto=LAST)),
    ("ethernet/ipv4/udp/gtpv1(teid=1-3)/ipv4/udp", "110-115",
     lambda n: eth() / ip() / udp(**GT) / GTP_U_Header(S=0, teid=1 + n % 3, gtp_type=255) / ip() / udp()),
    ("ethernet/ipv6/udp/gtpv1(sequence_number=5)/ipv6/tcp", "160-165",
     lambda n: eth() / ip6() / udp(**GT) / GTP_U_Header(S=1, seq=5, npdu=0, next_ex=0, gtp_type=255) / ip6() / tcp()),
    ("ethernet/ipv4/udp/gtpv1(pn_flag=1,s_flag=0,n_pdu_number=9)/ipv4/udp", "114",
     lambda n: eth() / ip() / udp(**GT) / GTP_U_Header(PN=1, npdu=9, seq=0, next_ex=0, gtp_type=255) / ip() / udp()),
    ("ethernet/ipv4(protocol=100-104,dst=0.0.0.0)", "64", lambda n: eth() / ip(proto=100 + n % 5, dst="0.0.0.0")),
    ("ethernet/ipv4(priority=0-255,dscp=5-9)/udp", "64", lambda n: eth() / ip(tos=(5 + n % 5) << 2 | n & 3) / udp()),
    ("ethernet/ipv6/tcp(ctl_syn=0-1,ctl_fin=1-0,ecn_ns=0-1,urgent_pointer=65535-65530)", "97",
     lambda n: eth() / ip6() / tcp(flags=(0x102, 1)[1 - n % 2], urgptr=65535 - n % 6)),
    # The inner headers begin at an odd distance from the start of the outer checksum.
    ("ethernet/ipv4/gre(checksum_present=1,protocol=0x6000)/custom(bytes=010203)/ipv4(src=10.0.0.1-10.0.0.9,"
     "identification=7-9,time_to_live=3-5,dst=mask:10.0.0.0/0.0.0.0)/tcp(src_port=255-258)", "120-127",
     lambda n: eth() / ip() / GRE(chksum_present=1, proto=0x6000) / Raw(b"\1\2\3")
     / ip(src=addr("10.0.0", 1 + n % 9), id=7 + n % 3, ttl=3 + n % 3, dst="10.0.0.0") / tcp(sport=255 + n % 4)),
    ("ethernet(ether_type=0x0800)/custom(bytes=010203)", "64", lambda n: eth(type=0x800) / Raw(b"\1\2\3")),
    ("ethernet/ipv4/udp/custom(bytes=0102030405)", "70-75", lambda n: eth() / ip() / udp() / Raw(b"\1\2\3\4\5")),
]

# Headers with a wrong checksum; size; the same with right ones; bytes that may differ.
BAD = [
    ("ethernet/ipv4(header_checksum=bad)/udp", "64", lambda n: eth() / ip() / udp(), {24, 25}),
    ("ethernet/ipv4/udp(checksum=bad)", "65", lambda n: eth() / ip() / udp(), {40, 41}),
    ("ethernet/ipv4/tcp(checksum=bad)", "76", lambda n: eth() / ip() / tcp(), {50, 51}),
    ("ethernet/ipv6/icmpv6(checksum=bad)", "84", lambda n: eth() / ip6() / ICMPv6EchoRequest(), {56, 57}),
    ("ethernet/ipv4/icmp(checksum=bad)", "64", lambda n: eth() / ip() / ICMP(), {36, 37}),
    ("ethernet/ipv4/sctp(checksum=bad)", "90", (lambda n, data: eth() / ip() / sctp(data), 62), {42, 43, 44, 45}),
]
BAD_TEXTS = {text: place for text, _, _, place in BAD}

# Random fields: headers; size; what scapy reads; the values that are valid.
RANDOM = [
    ("ethernet/ipv4(src=random:10.0.0.4-10.0.0.11)/udp", "64", lambda p: p[IP].src,
     {addr("10.0.0", n) for n in range(4, 12)}),
    ("ethernet/ipv4(dst=mask:10.0.0.1/0.0.3.0@5)/tcp", "77", lambda p: p[IP].dst,
     {f"10.0.{n}.1" for n in range(4)}),
    ("ethernet/ipv6(flow_label=random:0-3@9)/udp", "88", lambda p: p[IPv6].fl, {0, 1, 2, 3}),
]
# GRE with a wrong checksum has the place of its checksum here, because CASES has it too.
BAD_TEXTS["ethernet/ipv4/gre(checksum=bad)/ipv4/icmp"] = {38, 39}

FRAMES, FIRST, STRIDE = 24, 3, 5


def make_lines():
    lines = [f"{FRAMES} {first} {stride} {sizes} {text}"
             for first, stride in ((0, 1), (FIRST, STRIDE))
             for text, sizes, *_ in CASES + BAD]
    return lines + [f"200 0 1 {sizes} {text}" for text, sizes, *_ in RANDOM]


def read_frames(program):
    lines = "\n".join(make_lines()) + "\n"
    done = subprocess.run([program], input=lines.encode(), stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"FAIL: {program}: exit {done.returncode}")
    at = 0
    while at < len(done.stdout):
        n = struct.unpack_from("<I", done.stdout, at)[0]
        yield done.stdout[at + 4:at + 4 + n]
        at += 4 + n


def make_wanted(make, n, frame):
    """Returns the frame as scapy makes it, and the length of its headers."""
    if isinstance(make, tuple):
        make, headers = make
        return raw(make(n, frame[headers:])), headers
    headers = len(raw(make(n)))
    return raw(make(n) / Raw(frame[headers:])), headers


def check_payload(frame, headers, stream, seq):
    """Returns what is wrong with the payload: bytes that count up, and the signature."""
    filler = frame[headers:-SIGNATURE]
    if filler != bytes(i & 255 for i in range(len(filler))):
        return "the payload does not count up"
    number, high, low = struct.unpack_from(">IHI", frame, len(frame) - SIGNATURE)
    if (number, high << 32 | low) != (0xabc << 20 | stream, seq):
        return "the signature is wrong"
    return None


def compare(text, make, frame, n, stream, seq):
    want, headers = make_wanted(make, n, frame)
    wrong = {i for i in range(max(len(want), len(frame))) if want[i:i + 1] != frame[i:i + 1]}
    bad = BAD_TEXTS.get(text)
    if bad is None and wrong:
        return f"bytes {sorted(wrong)} differ:\n  frame {frame.hex()}\n  scapy {want.hex()}"
    if bad is not None and (not wrong or not wrong <= bad):
        return f"bytes {sorted(wrong)} differ, but only the checksum at {sorted(bad)} shall be wrong"
    return check_payload(frame, headers, stream, seq)


def check_fixed(frames):
    """Returns the number of cases that failed, and of all."""
    failed, stream = 0, 0
    for first, stride in ((0, 1), (FIRST, STRIDE)):
        for text, _, make, *_ in CASES + BAD:
            why = [compare(text, make, next(frames), first + seq * stride, stream, seq) for seq in range(FRAMES)]
            for seq, reason in enumerate(why):
                if reason:
                    print(f"FAIL: {text}: frame {seq}: {reason}")
                    failed += 1
                    break
            stream += 1
    return failed, stream


def check_random(frames):
    failed = 0
    for text, _, get, valid in RANDOM:
        seen = set()
        for _ in range(200):
            frame = next(frames)
            packet = Ether(frame)
            seen.add(get(packet))
            for layer in packet.layers():  # scapy computes again what is deleted
                for name in ("chksum", "len", "plen"):
                    if name in packet[layer].fields:
                        del packet[layer].fields[name]
            if raw(packet) != frame:
                print(f"FAIL: {text}: scapy makes {raw(packet).hex()} of {frame.hex()}")
                failed += 1
                break
        if seen != valid:
            print(f"FAIL: {text}: values {sorted(map(str, seen))}, not {sorted(map(str, valid))}")
            failed += 1
    return failed


def main():
    frames = read_frames(sys.argv[1])
    failed, n = check_fixed(frames)
    failed += check_random(frames)
    print(f"{n + len(RANDOM)} streams, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
