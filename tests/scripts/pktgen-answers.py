#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-answers.py PKTGEN STEP_CLOCK

devx-pktgen answers the requests of a capture, and counts each kind: in the text, in the JSON record, and in the capture that it writes.
Gateways whose answers are in a capture get the frames of the flows. It counts frames of another run apart. net_pcap plays the ports; this script computes each frame itself.
"""
import ipaddress
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

HOST = bytes.fromhex("020000000009")
ALL = b"\xff" * 6


def compute_sum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def pack_ip(text):
    return ipaddress.ip_address(text).packed


def make_arp(opcode, to_mac, from_mac, from_ip, target_mac, target_ip):
    return to_mac + from_mac + struct.pack("!HHHBBH", 0x806, 1, 0x800, 6, 4, opcode) + from_mac + pack_ip(from_ip) + target_mac + pack_ip(target_ip)


def make_ping4(mac, source, to):
    message = struct.pack("!BBHHH", 8, 0, 0, 4711, 1) + b"data"
    message = message[:2] + struct.pack("!H", compute_sum(message)) + message[4:]
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(message), 7, 0, 64, 1, 0) + pack_ip(source) + pack_ip(to)
    header = header[:10] + struct.pack("!H", compute_sum(header)) + header[12:]
    return mac + HOST + b"\x08\x00" + header + message


def make_icmp6(mac, source, to, message, hop_limit=255):
    pseudo = pack_ip(source) + pack_ip(to) + struct.pack("!II", len(message), 58)
    message = message[:2] + struct.pack("!H", compute_sum(pseudo + message)) + message[4:]
    return mac + HOST + struct.pack("!HIHBB", 0x86DD, 6 << 28, len(message), 58, hop_limit) + pack_ip(source) + pack_ip(to) + message


def make_solicitation(mac, source, target):
    return make_icmp6(mac, source, target, struct.pack("!BBHI", 135, 0, 0, 0) + pack_ip(target) + b"\1\1" + HOST)


def make_advertisement(mac, source, to, source_mac):
    return make_icmp6(mac, source, to, struct.pack("!BBHI", 136, 0, 0, 0x60000000) + pack_ip(source) + b"\2\1" + source_mac)


def make_ping6(mac, source, to):
    return make_icmp6(mac, source, to, struct.pack("!BBHHH", 128, 0, 0, 5, 1) + b"more data", 64)


def write_capture(name, frames):
    with open(name, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for frame in frames:
            file.write(struct.pack("<4I", 0, 0, len(frame), len(frame)) + frame)


def read_capture(name):
    with open(name, "rb") as file:
        data = file.read()
    at, frames = 24, []
    while at < len(data):
        n = struct.unpack_from("<I", data, at + 8)[0]
        frames.append(data[at + 16:at + 16 + n])
        at += 16 + n
    return frames


class Program:
    def __init__(self, program, clock):
        self.program, self.clock = program, ["--cores", "1", "--", "-d", os.path.basename(clock)]
        self.env = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(clock)}

    def run(self, n_ports, *args, status=1, clock=True):
        """Runs on ports that receive in0.pcap... and write out0.pcap... Returns stdout, stderr and the records."""
        ports = [w for i in range(n_ports) for w in ("--port", f"net_pcap{i},rx_pcap=in{i}.pcap,tx_pcap=out{i}.pcap")]
        for _ in range(3):  # DPDK itself sometimes ends a run (devtools/tally)
            done = subprocess.run([self.program, "run", *ports, "-n", "1", "--json", "j", *args, *(self.clock if clock else ["--cores", "1"])], env=self.env,
                                  capture_output=True, text=True, timeout=100, check=False)
            if not re.search(r"rte_service_init\(\) failed|Cannot get hugepage information", done.stderr):
                break
        assert done.returncode == status, f"status {done.returncode}\n{done.stdout}{done.stderr}"
        with open("j", encoding="utf-8") as file:
            return done.stdout, done.stderr, [json.loads(line) for line in file]


def check_kinds(program, mac):
    """devx-pktgen counts and answers each kind of request. It counts requests for other hosts as unknown frames."""
    host = ["--address", "0=10.0.0.1/24", "--address", "0=2001:db8::1/64"]
    requests = [make_arp(1, ALL, HOST, "10.0.0.9", bytes(6), "10.0.0.1")] * 3 + [make_ping4(mac, "10.0.0.9", "10.0.0.1")] * 2
    requests += [make_solicitation(mac, "2001:db8::9", "2001:db8::1")] * 4 + [make_ping6(mac, "2001:db8::9", "2001:db8::1")] * 3
    others = [make_arp(1, ALL, HOST, "10.0.0.9", bytes(6), "10.0.0.2"), make_ping4(mac, "10.0.0.9", "10.0.0.2")]
    write_capture("in0.pcap", requests + others)
    out, _, records = program.run(1, *host)
    assert "port 0: answered 3 ARP requests, 4 neighbour solicitations, 5 pings\n" in out, out
    assert f"also received {len(others)} frames that belong to no flow" in out, out
    port = records[-1]["ports"][0]
    assert port["answers"] == {"arp": 3, "neighbour_discovery": 4, "ping": 5, "sent": 12, "dropped": 0}, port
    assert (port["queues"][0]["requests"], port["queues"][0]["unknown"]) == (12, 2), port
    frames = read_capture("out0.pcap")
    answers = [f for f in frames if f[:6] == HOST]
    assert len(frames) == 13 and len(answers) == 12 and all(f[6:12] == mac for f in answers), frames
    arp = make_arp(2, HOST, mac, "10.0.0.1", HOST, "10.0.0.9")
    assert [f[:len(arp)] for f in answers[:3]] == [arp] * 3, answers[0]
    assert [f[20:22] for f in answers[3:5]] == [b"\0\0"] * 2 and all(f[34:36] == b"\0\0" and f[42:46] == b"data" for f in answers[3:5]), answers[3]
    assert [f[54] for f in answers[5:]] == [136] * 4 + [129] * 3, answers[5:]
    for frame in answers[5:]:
        pseudo = frame[22:54] + struct.pack("!II", len(frame) - 54, 58)
        assert compute_sum(pseudo + frame[54:]) == 0, "ICMPv6 checksum"


def check_singular(program):
    """One frame of a kind is not several."""
    write_capture("in0.pcap", [make_arp(1, ALL, HOST, "10.0.0.9", bytes(6), "10.0.0.1"), make_arp(1, ALL, HOST, "10.0.0.9", bytes(6), "10.0.0.2")])
    out, _, _ = program.run(1, "--address", "0=10.0.0.1/24")
    for text in (", 1 packet, as fast", "also received 1 frame that belongs to no flow\n", "answered 1 ARP request, 0 neighbour solicitations, 0 pings\n",
                 "FAIL: 1 sent, 0 received, 1 lost, 0 corrupted; port 0 received 1 frame that belongs to no flow;"):
        assert text in out, f"no '{text}': {out}"


def check_dropped(program):
    """More requests at once than answers can wait: the rest is dropped, and counted."""
    n = 300
    write_capture("in0.pcap", [make_arp(1, ALL, HOST, "10.0.0.9", bytes(6), "10.0.0.1")] * n)
    out, _, records = program.run(1, "--address", "0=10.0.0.1/24")
    answers = records[-1]["ports"][0]["answers"]
    assert answers["dropped"] > 0 and answers["arp"] == answers["sent"] == n - answers["dropped"], answers
    assert f"port 0: answered {answers['arp']} ARP requests, 0 neighbour solicitations, 0 pings; dropped {answers['dropped']} answers\n" in out, out
    assert len(read_capture("out0.pcap")) == answers["sent"] + 1, "frames"


def check_gateways(program, macs):
    """The frames of a flow go to the gateway of its port. No port counts the answers that it sent before the run."""
    args, gateways = ["--both", "--packet", "ethernet/ipv6/udp", "--size", "100"], []
    for i, mac in enumerate(macs):
        gateways.append(bytes((2, 0, 0, 0, 1, i)))
        frames = [make_arp(1, ALL, HOST, f"10.0.{i}.9", bytes(6), f"10.0.{i}.1"), make_arp(2, mac, gateways[i], f"10.0.{i}.254", mac, f"10.0.{i}.1")]
        if i:
            frames.append(make_advertisement(mac, f"2001:db8:{i}::fe", f"2001:db8:{i}::1", gateways[i]))
        write_capture(f"in{i}.pcap", frames)
        args += ["--address", f"{i}=10.0.{i}.1/24", "--gateway", f"{i}=10.0.{i}.254", "--address", f"{i}=2001:db8:{i}::1/64"]
    out, _, records = program.run(2, *args, "--gateway", "1=2001:db8:1::fe")
    for line in ("port 0: gateway 10.0.0.254 has MAC address 02:00:00:00:01:00", "port 1: gateway 10.0.1.254 has MAC address 02:00:00:00:01:01",
                 "port 1: gateway 2001:db8:1::fe has MAC address 02:00:00:00:01:01"):
        assert f"{line}\n" in out, out
    for i, port in enumerate(records[-1]["ports"]):
        assert set(port["answers"].values()) == {0}, port
        sent = read_capture(f"out{i}.pcap")[-1]
        # Port 0 has no gateway of IPv6: its frame goes to the other port itself.
        assert sent[:12] == (gateways[1] if i else macs[1]) + macs[i] and sent[22:38] == pack_ip(f"2001:db8:{i}::1") and sent[38:54] == pack_ip(f"2001:db8:{1 - i}::1"), sent
    write_capture("in0.pcap", [])
    out, err, _ = program.run(1, "--address", "0=2001:db8::1/64", "--gateway", "0=2001:db8::fe", status=3, clock=False)
    assert re.findall(r"gateway 2001:db8::fe has not answered; asking again \((\d) of 3\)", out) == ["2", "3"], out
    assert "port 0 (net_pcap0,rx_pcap=in0.pcap,tx_pcap=out0.pcap): gateway 2001:db8::fe did not answer 3 neighbour solicitations; check" in err, err
    assert len(read_capture("out0.pcap")) == 3, "requests"


def add_tags(frame, *ids):
    return frame[:12] + b"".join(struct.pack("!HH", 0x8100, i) for i in ids) + frame[12:]


def check_vlans(program, macs):
    """An address in a VLAN answers there alone, and resolves its gateway there. A flow takes address and gateway of its VLAN."""
    mac, gateway = macs[0], bytes((2, 0, 0, 0, 1, 5))
    arp = make_arp(1, ALL, HOST, "10.5.0.9", bytes(6), "10.5.0.1")
    ping6 = make_ping6(mac, "2001:db8::9", "2001:db8::1")
    any_vlan = make_ping4(mac, "10.0.0.9", "10.0.0.1")
    asked = [add_tags(arp, 5), add_tags(ping6, 7, 8), any_vlan, add_tags(any_vlan, 9)]
    write_capture("in0.pcap", asked + [arp, add_tags(arp, 6), add_tags(arp, 5, 5), ping6, add_tags(ping6, 7), add_tags(ping6, 8, 7)])
    host = ["--address", "0=10.0.0.1/24", "--address", "0=vlan5:10.5.0.1/24", "--address", "0=vlan7.8:2001:db8::1/64"]
    _, _, records = program.run(1, *host)
    port = records[-1]["ports"][0]
    assert port["answers"] == {"arp": 1, "neighbour_discovery": 0, "ping": 3, "sent": 4, "dropped": 0} and port["queues"][0]["unknown"] == 6, port
    answers = [f[12:22] for f in read_capture("out0.pcap") if f[:6] == HOST]
    assert answers == [f[12:22] for f in (add_tags(arp, 5), add_tags(ping6, 7, 8), any_vlan, add_tags(any_vlan, 9))], answers
    # The gateway of the VLAN answers in the VLAN. Another host with its address answers in another one.
    reply = make_arp(2, mac, gateway, "10.5.0.254", mac, "10.5.0.1")
    write_capture("in0.pcap", [make_arp(2, mac, HOST, "10.5.0.254", mac, "10.5.0.1"), add_tags(reply, 5), make_arp(2, mac, HOST, "10.0.0.254", mac, "10.0.0.1")])
    write_capture("in1.pcap", [])
    host += ["--gateway", "0=vlan5:10.5.0.254", "--gateway", "0=10.0.0.254", "--address", "1=vlan5:10.6.0.1/24"]
    out, _, records = program.run(2, *host, "--size", "68", "--packet", "ethernet/vlan(id=5)/ipv4/udp")
    assert "port 0: gateway vlan5:10.5.0.254 has MAC address 02:00:00:00:01:05\n" in out, out
    assert "port 0: gateway 10.0.0.254 has MAC address 02:00:00:00:00:09\n" in out, out
    frames = read_capture("out0.pcap")
    requests = {f[12:18] for f in frames if f[:6] == ALL}
    assert requests == {struct.pack("!3H", 0x8100, 5, 0x806), struct.pack("!3H", 0x806, 1, 0x800)}, requests
    assert frames[-1][:16] == gateway + mac + struct.pack("!HH", 0x8100, 5) and frames[-1][30:38] == pack_ip("10.5.0.1") + pack_ip("10.6.0.1"), frames[-1]
    program.run(2, *host)
    frames = read_capture("out0.pcap")
    assert frames[-1][:14] == HOST + mac + b"\x08\x00" and frames[-1][26:34] == pack_ip("10.0.0.1") + pack_ip("10.6.0.1"), frames[-1]
    # Frames outside the VLAN of their port are lost in most networks.
    _, err, _ = program.run(2, "--address", "0=vlan5:10.5.0.1/24")
    assert "WARNING: flow 0: sends without VLAN tag, but port 0 has its address in vlan5; give the frames the VLAN of the port" in err, err
    _, err, _ = program.run(2, "--address", "0=vlan5.6:10.5.0.1/24", "--size", "68", "--packet", "ethernet/vlan(id=6)/ipv4/udp")
    assert "WARNING: flow 0: sends in vlan6, but port 0 has its address in vlan5.6; give" in err, err
    for packet in ("ethernet/vlan(id=5)/ipv4/udp", "ethernet/vlan(id=6-7)/ipv4/udp", "ethernet/ipv6/udp", "ethernet/vlan/arp"):
        _, err, _ = program.run(2, "--address", "0=vlan5:10.5.0.1/24", "--size", "100", "--packet", packet)
        assert "WARNING" not in err, err
    write_capture("in0.pcap", [reply])
    _, err, _ = program.run(1, "--address", "0=vlan5:10.5.0.1/24", "--gateway", "0=vlan5:10.5.0.254", status=3, clock=False)
    assert "gateway vlan5:10.5.0.254 did not answer 3 ARP requests; check the address, the cable and the VLAN\n" in err, err


def check_other_run(program):
    """Frames of another run are not duplicates or damaged frames of this one, although their headers are equal."""
    _, _, records = program.run(1, "--run", "7")
    assert records[0]["run"] == 7, records[0]
    signed = [f for f in read_capture("out0.pcap") if f[-18:-14] == struct.pack("!I", 7 << 20)]
    assert len(signed) == 1, signed
    write_capture("in0.pcap", signed * 3)
    out, _, records = program.run(1, "--run", "8")
    assert "also received 3 frames of another run of devx-pktgen; the last one is of run 7\n" in out, out
    queue, flow = records[-1]["ports"][0]["queues"][0], records[-1]["flows"][0]
    assert (queue["other_run"], queue["unknown"], flow["frames_rx"]) == (3, 0, 0), records[-1]
    write_capture("in0.pcap", [])
    program.run(1, "--run", "5")
    write_capture("signed.pcap", signed * 3 + [f for f in read_capture("out0.pcap") if f[-18:-14] == struct.pack("!I", 5 << 20)] * 3)
    out, _, records = program.run(1, "--pcap", "signed.pcap")
    assert "signed.pcap: 6 frames have the signature of runs 5, 7 of devx-pktgen\n" in out, out
    _, err, _ = program.run(1, "--pcap", "signed.pcap", "--run", "7", status=2)
    assert "--run 7: a capture has frames with the signature of this run" in err, err
    assert 1 <= records[0]["run"] <= 4095 and records[0]["run"] not in (5, 7), records[0]


def main():
    program = Program(*(os.path.realpath(a) for a in sys.argv[1:3]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i in range(2):
            write_capture(f"in{i}.pcap", [])
        macs = [bytes.fromhex(p["mac"].replace(":", "")) for p in program.run(2)[2][0]["ports"]]
        check_other_run(program)
        check_kinds(program, macs[0])
        check_singular(program)
        check_dropped(program)
        check_gateways(program, macs)
        check_vlans(program, macs)


main()
