#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-rewrite.py PKTGEN

devx-pktgen rewrites the addresses of a capture. Scapy, which this project did not write, makes the capture, and once more with
the new addresses; it computes all checksums anew. Both must be equal byte for byte.
"""
import os
import subprocess
import sys
import tempfile

try:
    from scapy.all import (ARP, Dot1AD, Dot1Q, Ether, ICMP, ICMPv6EchoRequest, IP, IPOption_NOP, IPv6, IPv6ExtHdrDestOpt,
                           IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting, Raw, TCP, UDP, rdpcap, wrpcap)
    from scapy.contrib.mpls import MPLS
    from scapy.layers.sctp import SCTP
except ImportError:
    print("SKIP: no scapy (python3-scapy)")
    sys.exit(77)

FLAGS = ["--rewrite-src-mac", "02:00:00:00:00:0a", "--rewrite-dst-mac", "33:33:00:00:00:01", "--rewrite-ip", "10.0.0.0/8=198.0.0.0/8",
         "--rewrite-ip", "192.168.4.0/22=172.16.252.0/22", "--rewrite-ip", "203.0.113.9=1.2.3.4", "--rewrite-ip", "2001:db8::/33=2001:2:8000::/33"]
OLD_MACS = {"src": "02:00:00:00:00:01", "dst": "02:00:00:00:00:02"}
NEW_MACS = {"src": "02:00:00:00:00:0a", "dst": "33:33:00:00:00:01"}
# The new address for each old one.
IP4 = {"10.1.2.3": "198.1.2.3", "192.168.7.255": "172.16.255.255", "192.168.8.1": "192.168.8.1", "203.0.113.9": "1.2.3.4",
       "203.0.113.8": "203.0.113.8"}
IP6 = {"2001:db8:7fff::1": "2001:2:ffff::1", "2001:db8:8000::1": "2001:db8:8000::1", "fe80::1": "fe80::1"}


def make_frames(macs, ip4, ip6):
    """Makes every case. @ip4 and @ip6 give the address for an old one."""
    frames = []

    def add(layers):
        frames.append(Ether(**macs) / layers)

    for a in IP4:
        for b in IP4:
            def ip(a=a, b=b, **more):
                return IP(src=ip4[a], dst=ip4[b], **more)

            add(ip() / UDP(sport=7) / Raw(b"abc"))
            add(ip() / UDP(chksum=0) / Raw(b"none"))
            add(ip(options=[IPOption_NOP()] * 4) / TCP(flags="S") / Raw(b"odd"))
            add(ip() / ICMP() / Raw(b"ping"))
            add(ip() / SCTP() / Raw(b"1234"))
            add(Dot1Q(vlan=5) / ip() / UDP() / Raw(b"vlan"))
            add(Dot1AD(vlan=5) / Dot1Q(vlan=6) / ip() / TCP())
            add(MPLS(label=5, s=0) / MPLS(label=6, s=1) / ip() / UDP())
            add(ip(flags="MF") / UDP(len=4000) / Raw(b"first fragment of a long packet"))
            add(ARP(psrc=ip4[a], pdst=ip4[b], hwsrc="02:00:00:00:00:77"))
    for frag in 1, 185:
        add(IP(src=ip4["10.1.2.3"], dst=ip4["192.168.7.255"], frag=frag, proto=17) / Raw(b"\xff" * 60))
    for a in IP6:
        for b in IP6:
            base = IPv6(src=ip6[a], dst=ip6[b])
            add(base / UDP() / Raw(b"abc"))
            add(base / TCP() / Raw(b"tcp"))
            add(base / ICMPv6EchoRequest(data=b"ping"))
            add(base / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt() / UDP() / Raw(b"options"))
            add(base / IPv6ExtHdrRouting(segleft=0, addresses=["2001:db8::77"]) / UDP() / Raw(b"arrived"))
            add(base / IPv6ExtHdrFragment(offset=9, m=1, nh=17) / Raw(b"\xee" * 40))
            add(MPLS(label=5, s=1) / base / TCP())
    # Before or after, the UDP checksum is computed as 0: all ones stand in its place (RFC 768).
    for addresses in dict(zip(IP4, IP4)), IP4:
        probe = bytes(IP(src=addresses["10.1.2.3"], dst=addresses["203.0.113.9"]) / UDP(sport=0) / Raw(b"zero"))
        sport = int.from_bytes(probe[26:28], "big")
        add(IP(src=ip4["10.1.2.3"], dst=ip4["203.0.113.9"]) / UDP(sport=sport) / Raw(b"zero"))
    # Not IP, or damaged: the MAC addresses change alone.
    add(Raw(b"\x45" * 50))
    frames.append(Ether(**macs, type=0x800) / Raw(b"\x45\x00short"))
    frames.append(Ether(**macs, type=0x86dd) / Raw(b"\x60short"))
    frames.append(Ether(**macs, type=0x8847) / Raw(b"\x00" * 46))
    return [bytes(f).ljust(60, b"\0") for f in frames]


def run(pktgen, source, to, *flags):
    if os.path.exists(to):
        os.remove(to)
    result = subprocess.run([pktgen, "run", "--port", f"net_pcap0,tx_pcap={to}", "--send-only", "--pcap", source, *flags],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return [bytes(f) for f in rdpcap(to)], result.stdout


def break_checksums(frames, more):
    """Adds a number to each checksum of an IPv4 header behind Ethernet; it is computed mod 65535."""
    broken = []
    for f in frames:
        if f[12:14] == b"\x08\0" and f[14] >> 4 == 4 and f[14] & 15 > 4:
            f = f[:24] + ((int.from_bytes(f[24:26], "big") + more) % 65535).to_bytes(2, "big") + f[26:]
        broken.append(f)
    return broken


def main():
    pktgen = sys.argv[1]
    same4, same6 = {a: a for a in IP4}, {a: a for a in IP6}
    old, new = make_frames(OLD_MACS, same4, same6), make_frames(NEW_MACS, IP4, IP6)
    assert len(old) == len(new) and sum(f[40:42] == b"\xff\xff" for f in old) and sum(f[40:42] == b"\xff\xff" for f in new)
    with tempfile.TemporaryDirectory() as folder:
        source, to = f"{folder}/in.pcap", f"{folder}/out.pcap"
        for name, frames, want in ("right", old, new), ("wrong", break_checksums(old, 77), break_checksums(new, 77)):
            wrpcap(source, [Ether(f) for f in frames])
            got, text = run(pktgen, source, to, *FLAGS)
            assert f"rewrote addresses of {len(old)} of {len(old)} frames" in text, text
            assert len(got) == len(want)
            differ = [i for i, (g, w) in enumerate(zip(got, want)) if g != w]
            assert not differ, f"{name} checksums: {Ether(frames[differ[0]])!r}\n{Ether(got[differ[0]])!r}\n{Ether(want[differ[0]])!r}"
        got, text = run(pktgen, source, to, "--rewrite-ip", "9.0.0.0/8=8.0.0.0/8")
        assert "rewrote addresses of 0 of" in text and got == break_checksums(old, 77)
    print(f"{len(old)} frames")


main()
