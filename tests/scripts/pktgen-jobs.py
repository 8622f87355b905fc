#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-jobs.py PKTGEN CAPTURE

Job files of devx-pktgen, key by key: units of rates and times, defaults, settings that the command line replaces. A value of each
wrong type goes to each place. Devx-pktgen prints the job that it has read (--print-config).
"""
import copy
import ipaddress
import json
import os
import re
import subprocess
import sys
import tempfile

FULL = ["--rate", "5kpps", "--ramp", "1kpps/2s", "-n", "40", "--delay", "1ms", "--address", "0=10.0.0.1/8", "--gateway", "0=10.0.0.2", "--address",
        "1=2001:db8::1/64", "--address", "0=vlan7.5:10.5.0.1/24", "--gateway", "0=vlan7.5:10.5.0.2", "--cores", "1-1", "--queues", "0=2:3", "--mtu", "900", "--rx-ring", "512", "--tx-ring", "256", "--drain", "7ms", "--sender",
        "mbuf", "--checksums", "software", "--timestamps", "tsc", "--size", "100-140/4", "--packet",
        "ethernet/ipv4(src=random:10.0.0.1-10.0.0.9)/udp(checksum=bad,src_port=5-9,dst_port=5;6)"]
N_FRAMES = 272  # of the capture
WRONG = [-1, "no such", [], {"no_such": 1}, None, 1e30]

# (keys of a rate, what devx-pktgen prints); null: the default of OTG
RATES = [({"pps": 5}, {"pps": 5}), ({"pps": 0.5}, {"pps": 0.5}), ({"pps": 1.66666666666}, {"pps": 1.666667}), ({"bps": 8000}, {"bps": 8000}), ({"kbps": 5}, {"bps": 5000}), ({"mbps": 5}, {"bps": 5e6}),
         ({"gbps": 0.5}, {"bps": 5e8}), ({"percentage": 0.5}, {"percentage": 0.5}), ({"percentage": 0.0001}, {"percentage": 0.0001}), ({"devx_line_bps": 7000}, {"devx_line_bps": 7000}),
         ({"pps": None}, {"pps": 1000}), ({"bps": None}, {"bps": 1e9}), ({"kbps": None}, {"bps": 1e9}), ({"mbps": None}, {"bps": 1e9}),
         ({"gbps": None}, {"bps": 1e9}), ({"percentage": None}, {"percentage": 100}), ({"devx_line_bps": None}, {"devx_line_bps": 1e9}), ({}, {"pps": 1000})]
# (option, key, value in the file, text of the option, what is printed then)
SETTINGS = [("drain", "drain", "7ms", "9.0005ms", "9000.5us"), ("sender", "sender", "mbuf", "ring", "ring"), ("checksums", "checksums", "port", "auto", "auto"),
            ("timestamps", "timestamps", "tsc", "device", "device"), ("mtu", "mtu", 900, "1400", 1400), ("rx-ring", "rx_ring", 512, "256", 256),
            ("tx-ring", "tx_ring", 512, "128", 128), ("cores", "cores", "1-1", "3", "3")]


def make_field(header, field, value):
    return {"choice": header, header: {field: value}}


ETHERNET, IPV4 = ({"choice": name} for name in ("ethernet", "ipv4"))
# (headers of arriving frames, reason of the refusal)
EGRESS_REFUSALS = [
    (5, ": "), ([5], "[0]: must be an object"), ([IPV4], "[0]: ipv4: "), ([ETHERNET, {"choice": "ospf"}], "[1]: ospf: unknown header"),
    ([ETHERNET, make_field("custom", "bytes", "00ff")], ": custom: arriving frames are read by the numbers of their protocols, and custom has none"),
    ([ETHERNET, IPV4, {"choice": "nvgre"}, ETHERNET], ": nvgre: arriving frames have it as gre with a key"),
    ([ETHERNET, make_field("ipv4", "devx_options", "01010101")], ": ipv4: options are not compared; leave out devx_options"),
    ([ETHERNET, make_field("ipv4", "header_checksum", {"choice": "generated", "generated": "bad"})], ": ipv4.header_checksum: a wrong checksum counts as corrupted"),
    ([ETHERNET, make_field("vlan", "id", {"choice": "values", "values": [5, 6]})], ": vlan.id: has several values (valid: one value); leave it out for any value"),
    ([ETHERNET, make_field("vlan", "id", {"choice": "value", "value": 5, "metric_tags": []})], "[1].vlan.id.metric_tags: ")]


class Program:
    def __init__(self, path, capture):
        self.path, self.capture, self.n_frames = path, capture, N_FRAMES

    def run(self, args, job=None):
        text = None if job is None else job if isinstance(job, str) else json.dumps(job)
        return subprocess.run([self.path, "run", *args, "--print-config"], input=text, capture_output=True, text=True, check=False)

    def read(self, job, *args):
        """Returns the job that devx-pktgen makes of a job file."""
        done = self.run(["--config", "-", *args], job)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refuses(self, job, text):
        done = self.run(["--config", "-"], job)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and text in done.stderr, f"no '{text}': {done.stderr}"


def list_places(value, path=()):
    """Yields the path of each value of a job."""
    if path:
        yield path
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from list_places(child, (*path, key))


def set_place(job, path, value):
    for key in path[:-1]:
        job = job[key]
    job[path[-1]] = value


def format_place(path):
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)[1:]


def check_types(program, job):
    """A value of a wrong type is refused in one line, which names a place; another value is read and printed."""
    n = 0
    for path in list_places(job):
        for value in WRONG:
            changed = copy.deepcopy(job)
            set_place(changed, path, value)
            done = program.run(["--config", "-"], changed)
            what = f"{format_place(path)} = {value}: status {done.returncode}: {done.stderr}"
            if not done.returncode:
                again = program.run(["--config", "-"], done.stdout)
                assert again.stdout == done.stdout, f"{what}: the printed job reads as another one"
                continue
            assert done.returncode == 2 and done.stderr.count("\n") == 1, what
            assert re.match(r"devx-pktgen: stdin: (ports|devices|flows|devx_pktgen|the key|no )", done.stderr) or "send_only" in done.stderr, what
            n += 1
    return n


def check_refusals(program, job):
    """Mistakes of values that have the right type, and of several keys together."""
    def change(path, value):
        changed = copy.deepcopy(job)
        set_place(changed, path, value)
        return changed

    flow, packet = ("flows", 0), ("flows", 0, "packet")
    text = json.dumps(job)
    program.refuses(change(("flows",), [job["flows"][0]] * 2), "flows[1]: flow 0: another flow has this name")
    program.refuses(change((*flow, "tx_rx", "port", "rx_names"), ["port 0", "port 1"]), "flows[0].tx_rx.port.rx_names: must be an array with the name of 1 port")
    program.refuses(change((*flow, "devx_expect"), "nat"), "flows[0].devx_expect: nat: unknown (valid: default, same, routed, routed-dscp, any)")
    no_ip = change(packet, [{"choice": "ethernet"}])
    no_ip["flows"][0]["devx_expect"] = "routed"
    program.refuses(no_ip, "flows[0]: devx_expect: routed; the frames have no IP header")
    program.refuses(change((*flow, "devx_ramp", "from"), {"choice": "bps", "bps": 5}), "flows[0]: devx_ramp: its unit differs from that of the rate of the flow")
    program.refuses(change((*flow, "devx_capture"), {"file": program.capture}), "flows[0]: has devx_capture, and packet, size or devx_expect")
    program.refuses(change((*flow, "name"), "x" * 64), "flows[0].name: has 64 characters (valid: 1 to 63)")
    program.refuses(change((*flow, "name"), ""), "flows[0].name: has 0 characters (valid: 1 to 63)")
    program.refuses(change((*flow, "rate"), {"choice": "pps", "pps": 0}), "flows[0].rate.pps: is 0 (valid: above 0)")
    program.refuses(change((*flow, "duration"), {"choice": "burst", "burst": {"packets": 1 << 20, "bursts": 1 << 30, "inter_burst_gap": {"choice": "nanoseconds", "nanoseconds": 5}}}),
                    "flows[0].duration.burst: has too many packets (valid: at most 2^42)")
    bursts = {"choice": "burst", "burst": {"packets": 5, "bursts": 8, "inter_burst_gap": {"choice": "nanoseconds", "nanoseconds": 5}}}
    program.refuses(change((*flow, "duration"), bursts), "flows[0]: devx_ramp and burst: gaps between bursts cannot ramp")
    for egress, why in EGRESS_REFUSALS:
        program.refuses(change((*flow, "egress_packet"), egress), "flows[0].egress_packet" + why)
    egress = [{"choice": "ethernet", "ethernet": {}}, {"choice": "vlan", "vlan": {"id": {"choice": "value", "value": 5}}}]
    made = program.read(change((*flow, "egress_packet"), egress))
    assert made["flows"][0]["egress_packet"] == egress and "egress_packet" not in program.read(change((*flow, "egress_packet"), []))["flows"][0], made
    egress_flow = {**job["flows"][0], "egress_packet": egress}
    program.refuses({**job, "flows": [{**egress_flow, "devx_expect": "any"}]}, "flows[0]: has egress_packet and devx_expect; choose one")
    program.refuses({**job, "flows": [{**{k: v for k, v in egress_flow.items() if k not in ("packet", "size", "rate", "devx_ramp")},
                                       "devx_capture": {"file": program.capture}}]}, "flows[0]: has egress_packet and devx_capture; choose one")
    program.refuses(change((*packet, 0), 5), "flows[0].packet[0]: must be an object")
    program.refuses(change((*packet, 0, "ethernet"), []), "flows[0].packet[0].ethernet: must be an object")
    program.refuses(change((*packet, 0, "ipv4"), {}), "flows[0].packet[0].ipv4: the choice is ethernet")
    program.refuses(change((*packet, 1, "ipv4", "options"), {}), "flows[0].packet[1].ipv4.options: this feature of OTG is not supported")
    program.refuses(change((*packet, 2, "udp", "dst_port", "values"), []), "flows[0].packet[2].udp.dst_port.values: is empty (valid: at least 1 value)")
    program.refuses(change((*packet, 1, "ipv4", "src"), {"choice": "random", "random": {"min": "10.0.0.9", "max": "10.0.0.1", "seed": 1, "count": 9}}),
                    "flows[0].packet[1].ipv4.src.random: max is below min")
    program.refuses(change((*flow, "size"), {"choice": "weight_pairs", "weight_pairs": {"choice": "custom", "custom": []}}), "is empty")
    program.refuses({**job, "flows": [{**{k: v for k, v in job["flows"][0].items() if k not in ("packet", "size", "rate", "devx_ramp")}, "duration": bursts,
                                       "devx_capture": {"file": program.capture, "original_timing_speed": 1}}]},
                    "flows[0]: devx_capture and burst: a capture with its own times has no bursts; choose one")
    address = ("devices", 0, "ethernets", 0, "ipv4_addresses", 0)
    program.refuses(change((*address, "address"), "10.0.0.1/8"), "ipv4_addresses[0].address: 10.0.0.1/8: must have no prefix")
    program.refuses(change((*address, "address"), "2001:db8::1"), "ipv4_addresses[0].address: 2001:db8::1: is an address of the other version of IP")
    tags = ("devices", 0, "ethernets", 1, "vlans")
    program.refuses(change((*tags, 0, "id"), 0), "devices[0].ethernets[1].vlans[0].id: is 0 (valid: 1 to 4094)")
    program.refuses(change((*tags, 0, "priority"), 8), "vlans[0].priority: is 8 (valid: 0 to 7)")
    program.refuses(change((*tags, 0, "tpid"), "x9100"), "vlans[0].tpid: x9100: unknown (valid: x8100, x88A8)")
    program.refuses(change(tags, [{"name": "a"}] * 3), "vlans: has 3 elements (valid: at most 2)")
    program.refuses(change((*address, "prefix"), 33), "ipv4_addresses[0].prefix: is 33 (valid: 1 to 32)")
    program.refuses(change(address[:-1], [job["devices"][0]["ethernets"][0]["ipv4_addresses"][0]] * 9), "has 9 elements (valid: at most 8)")
    twice = copy.deepcopy(job)
    twice["devices"] += [copy.deepcopy(twice["devices"][0])]
    program.refuses(twice, "the port already has a gateway for this version of IP; give only one")
    program.refuses(change(("devices", 0, "ethernets", 0, "connection", "port_name"), "port 7"), "port_name: port 7: no port has this name")
    rated = copy.deepcopy(job)
    rated["ports"][0]["devx_rate"] = {"choice": "pps", "pps": 5}
    program.refuses(rated, "flow 0")
    program.refuses(text + " " * (65 << 20), "is longer than 64 MiB")


def check_values(program, job):
    """Each unit and default."""
    flow = {"name": "f", "tx_rx": job["flows"][0]["tx_rx"]}
    plain = {"ports": job["ports"][:2], "flows": [flow]}
    got = program.read(plain)
    assert "rate" not in got["flows"][0] and got["flows"][0]["size"] == {"choice": "fixed", "fixed": 64}, got
    settings = {"drain": "500000us", "send_only": False, "sender": "auto", "checksums": "auto", "timestamps": "auto", "rx_ring": 1024, "tx_ring": 1024}
    assert settings.items() <= got["devx_pktgen"].items() and got["devx_pktgen"].keys() - settings.keys() <= {"cores", "mtu"}, got["devx_pktgen"]
    for rate, want in RATES:
        choice = {"choice": next(iter(rate)), **rate} if rate else {}
        got = program.read({**plain, "flows": [{**flow, "rate": choice}]})["flows"][0]["rate"]
        assert got == {"choice": next(iter(want)), **want}, f"{rate}: {got}"
    for key, factor in ("nanoseconds", 1), ("microseconds", 1000):
        time = {"choice": key, key: 5}
        got = program.read({**plain, "flows": [{**flow, "duration": {"choice": "fixed_seconds", "fixed_seconds": {"seconds": 1.5, "delay": time}}}]})
        delay = {"choice": "nanoseconds", "nanoseconds": 5 * factor}
        assert got["flows"][0]["duration"] == {"choice": "fixed_seconds", "fixed_seconds": {"seconds": 1.5, "delay": delay}}, got
        burst = {"packets": 5, "bursts": 8, "inter_burst_gap": time}
        got = program.read({**plain, "flows": [{**flow, "duration": {"choice": "burst", "burst": burst}}]})["flows"][0]["duration"]
        assert got == {"choice": "burst", "burst": {**burst, "inter_burst_gap": delay}}, got
    sizes = [({}, {"fixed": 64}), ({"choice": "increment", "increment": {"end": 99}}, {"increment": {"start": 64, "end": 99, "step": 1}}),
             ({"choice": "random", "random": None}, {"random": {"min": 64, "max": 1518}}),
             ({"choice": "increment", "increment": None}, {"increment": {"start": 64, "end": 1518, "step": 1}})]
    for size, want in sizes:
        got = program.read({**plain, "flows": [{**flow, "size": size}]})["flows"][0]["size"]
        assert got == {"choice": next(iter(want)), **want}, f"{size}: {got}"
    ethernet = {"name": "e", "connection": {"choice": "port_name", "port_name": "port 1"}, "ipv4_addresses": [{"name": "a", "address": "10.0.0.1"}],
                "ipv6_addresses": [{"name": "b", "address": "2001:db8::1", "gateway": "2001:db8::2"}]}
    got = program.read({**plain, "devices": [{"name": "d", "ethernets": [ethernet]}]})["devices"][0]["ethernets"][0]
    assert got["connection"]["port_name"] == "port 1" and got["ipv4_addresses"][0]["prefix"] == 24 and got["ipv6_addresses"][0]["prefix"] == 64, got
    assert "vlans" not in got, got
    tags = [{"name": "outer", "id": 7, "tpid": "x88A8", "priority": 3}, {"name": "inner"}]
    got = program.read({**plain, "devices": [{"name": "d", "ethernets": [ethernet, {**ethernet, "vlans": tags}]}]})["devices"][0]["ethernets"]
    want = [{"name": "tag 0", "tpid": "x88A8", "priority": 3, "id": 7}, {"name": "tag 1", "tpid": "x8100", "priority": 0, "id": 1}]
    assert len(got) == 2 and got[1]["name"] == "port 1 vlan7.1" and got[1]["vlans"] == want, got
    for key in "ipv4_addresses", "ipv6_addresses":
        assert [{k: v for k, v in a.items() if k != "name"} for a in got[0][key]] == [{k: v for k, v in a.items() if k != "name"} for a in got[1][key]], got
    got = got[0]
    assert "gateway" not in got["ipv4_addresses"][0] and got["ipv6_addresses"][0]["gateway"] == "2001:db8::2", got


def check_settings(program, job):
    """An option of the command line replaces the setting of the file, and no other one."""
    for _, key, value, _, _ in SETTINGS:
        job["devx_pktgen"][key] = value
    before = program.read(job)
    for option, key, _, text, want in SETTINGS:
        got = program.read(job, f"--{option}", text)
        assert got["devx_pktgen"][key] == want, f"--{option}: {got['devx_pktgen'][key]}"
        got["devx_pktgen"][key] = before["devx_pktgen"][key]
        assert got == before, f"--{option} changes more than {key}"
    assert program.read({k: v for k, v in job.items() if k != "devices"}, "--send-only")["devx_pktgen"]["send_only"]
    assert program.read(job, "--queues", "0=4:5")["ports"][0]["devx_queues"] == {"tx": 4, "rx": 5}


def check_amounts(program):
    """How much a command line sends that says nothing, or in part, about it."""
    pcap, n = ["--pcap", program.capture], program.n_frames
    rows = [("run", [], {"seconds": 10}), ("demo", [], {"packets": 10000000}), ("run", pcap, {"packets": n}), ("run", [*pcap, "--loops", "3"], {"packets": 3 * n}),
            ("demo", pcap, {"packets": (1000000 // n + 1) * n}), ("run", [*pcap, "-t", "2s"], {"seconds": 2}), ("run", ["-n", "7"], {"packets": 7}),
            ("run", [*pcap, "-n", "5"], {"packets": 5})]
    for command, args, want in rows:
        done = subprocess.run([program.path, command, "--port", "net_ring0", *args, "--print-config"], capture_output=True, text=True, check=True)
        duration = json.loads(done.stdout)["flows"][0]["duration"]
        assert duration[duration["choice"]] == want, f"{command} {args}: {duration}"


def check_limits(program):
    """The smallest and the largest number of each option, and those next to them."""
    ring, pcap = ["--port", "net_ring0"], ["--pcap", program.capture]
    rings = [w for i in range(32) for w in ("--port", f"net_ring{i}")]
    burst = [*ring, "--burst-gap", "1ms", "--burst"]
    ramp = [*ring, "--rate", "1Mpps", "--ramp"]
    rows = [([*ring, "--mtu"], "68", "65535", "67", "65536"), ([*ring, "--rx-ring"], "1", "65535", "0", "65536"), ([*ring, "--tx-ring"], "1", "65535", "0", "65536"),
            ([*ring, "--count"], "1", str(1 << 42), "0", str((1 << 42) + 1)), ([*ring, *pcap, "--loops"], "1", str((1 << 42) // program.n_frames), "0", str((1 << 42) + 1)),
            (burst, "1", str(1 << 42), "0", str((1 << 42) + 1)), ([*ring, *pcap, "--timing", "original", "--speed"], "0.001", "1000", "0.00099", "1000.1"),
            (ramp, "0.000001pps/0.001us", "10Gpps/8784h", "0pps/1s", "max/1s"), (ramp, "1pps/1s", "0" * 27 + "1pps/1s", "1pps", "0" * 28 + "1pps/1s"),
            ([*ring, "--json", "j", "--interval"], "10ms", "8784h", "9999us", "8785h"), ([*ring, "--size"], "64", "10000", "63", "10001"),
            ([*rings, "--address"], "0=10.0.0.1", "31=10.0.0.1", "-1=10.0.0.1", "32=10.0.0.1"), ([*ring, "--cores"], "1", "127", "0", "128"), ([*rings, "--queues"], "1:64", "31=64:1", "1:65", "32=1:1")]
    for args, least, most, below, above in rows:
        for value, status in (least, 0), (most, 0), (below, 2), (above, 2):
            done = program.run([*args, value])
            assert done.returncode == status, f"{args[-1]} {value}: status {done.returncode}: {done.stderr}"
    for n, status in (32, 0), (33, 2), (34, 2):
        assert program.run([w for i in range(n) for w in ("--port", f"net_ring{i}")]).returncode == status, f"{n} ports"
    for n, status in (16, 0), (17, 2):
        done = program.run([*ring, *pcap, *(w for i in range(n) for w in ("--rewrite-ip", f"10.{i}.0.0/16=11.{i}.0.0/16"))])
        assert done.returncode == status, f"{n} networks"


def check_addresses(program):
    """The first address of the port, of the version of IP of the packet, is that of a flow; the other way it is its destination."""
    ports = [w for i in range(2) for w in ("--port", f"net_ring{i}", "--address", f"{i}=10.0.{i}.1/24", "--address", f"{i}=2001:db8:{i}::1/64",
                                           "--address", f"{i}=10.0.{i}.2/24")]
    for name, format_ip in ("ipv4", "10.0.{}.1".format), ("ipv6", "2001:db8:{}::1".format):
        job = json.loads(program.run([*ports, "--both", "--packet", f"ethernet/{name}/udp", "--size", "100"]).stdout)
        for i, flow in enumerate(job["flows"]):
            got = flow["packet"][1][name]
            assert [ipaddress.ip_address(got[f]["value"]) for f in ("src", "dst")] == [ipaddress.ip_address(format_ip(n)) for n in (i, 1 - i)], got
    for flags, want in (["-n", "40", "--burst", "5", "--burst-gap", "1ms"], 40), (["-n", "40"], 40):
        duration = json.loads(program.run([*ports, *flags]).stdout)["flows"][0]["duration"]
        got = duration[duration["choice"]]
        assert got.get("bursts", 1) * got["packets"] == want, duration


def main():
    program = Program(*(os.path.realpath(a) for a in sys.argv[1:3]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        job = json.loads(program.run(["--port", "net_ring0", "--port", "net_ring1", *FULL]).stdout)
        n = check_types(program, job)
        check_refusals(program, job)
        check_values(program, job)
        check_settings(program, copy.deepcopy(job))
        check_addresses(program)
        check_limits(program)
        check_amounts(program)
    print(f"{n} values refused")


main()
