#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-job-schema.py PKTGEN SCHEMA SOURCE

The schema of job files and the reader of devx-pktgen agree: jobs that devx-pktgen prints, and the examples, fit the
schema; jobs that the schema refuses, devx-pktgen refuses; the schema names all headers. Standard library only.
"""
import glob
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ["--size imix --sport 1-1000 -n 5k", "--size random:64-200 --rate 9.5Mbps -t 300ms --both", "--size 64-1518/4",
         "--packet ethernet/vlan(id=5-9)/ipv6(src=mask:2001:2::/::ff@3)/udp(checksum=bad) --size 100",
         "--packet ethernet/ipv4(src=9.9.9.9;1.1.1.1,options=94040000)/icmp(identifier=random:1-5) --size 100 --mtu 900",
         "--packet ethernet/custom(bytes=0a0b) --rate 40% --sender mbuf --checksums software --timestamps tsc", "--dst-ip 10.0.0.9-10.0.0.1/2 -n 5 -t 1s",
         "--burst 32 --burst-gap 5ms --delay 20ms -n 640 --rate 1Gbps-line", "--delay 1s -t 2s", "--rate 20% --ramp 1%/90s",
         "--rate 1kpps --ramp 2.5kpps/1500ms -n 500", "--pcap CAPTURE --loops 3 --rate 5kpps",
         "--pcap CAPTURE --timing original --speed 2.5", "--pcap CAPTURE --rewrite-src-mac 02:00:00:00:00:05",
         "--pcap CAPTURE --rewrite-ip 10.0.0.0/8=11.0.0.0/8 --rewrite-ip 2001:db8::1=2001:db8::2", "--address 0=10.0.0.1/8 --address 0=2001:db8::1/64 --gateway 0=10.0.0.254 --both",
         "--address 0=vlan5:10.0.0.1/8 --address 0=vlan9.5:10.0.0.1/8 --address 0=10.0.0.1/8 --address 1=vlan5:2001:db8::1/64 --gateway 0=vlan9.5:10.0.0.254",
         "--send-only --drain 2s --rx-ring 512", "--burst 5 --burst-gap 1s -t 9s",
         "--cores 3 --queues 1:1 --queues 1=4:2", "--cores 2-5,8", "--cores 3-3", "--cores 8,2"]

# Each is one change of the example that the schema and the reader must refuse.
MISTAKES = [("flows.0.rate.mbps", "20"), ("flows.0.rate.mpps", 5), ("flows.1.size.fixed", 63), ("flows.0.name", 5),
            ("flows.0.tx_rx.port.tx_names", []), ("ports.0.speed", 100), ("devx_pktgen.drian", "5ms"),
            ("flows.0.packet.1.vlan.id.value", [5]), ("flows.0.packet.0.choice", "ethernt"), ("lags", []),
            ("flows.1.duration.fixed_packets.packets", 0), ("devx_pktgen.sender", "rings"), ("devx_rewrite", {"ip": [{"from": "10.0.0.1"}]}),
            ("flows.0.devx_ramp", {"from": {"pps": 5}}), ("ports.0.devx_rate", {"pps": "5"}),
            ("ports.0.devx_queues", {"tx": 1}), ("ports.0.devx_queues", {"tx": 1, "rx": 65}), ("devx_pktgen.cores", 4),
            ("devices", [{"name": "d", "ethernets": [{"name": "e", "connection": {"port_name": "left"}, "mac": "02::"}]}]),
            ("devices", [{"name": "d", "ethernets": [{"name": "e", "connection": {"port_name": "left"}, "vlans": [{"name": "v", "id": 4095}]}]}])]


# Headers in the forms of OTG, which the schema and the reader must accept; and headers with a name that both must refuse.
FORMS = [{"ipv4": {"priority": {"choice": "raw", "raw": {"choice": "value", "value": 9}}}}, {"icmp": {"choice": "echo", "echo": {"type": {"value": 0}}}},
         {"ipv4": {"priority": {"choice": "dscp", "dscp": {"phb": {"choice": "values", "values": [1, 2]}, "ecn": {"value": 1}}}}},
         {"ipv4": {"priority": {"value": 5}, "header_checksum": {"generated": "bad"}, "devx_options": "94040000"}}, {"ethernet": {"dst": {"choice": "auto", "auto": "auto"}}}]
UNKNOWN = [{"ipv4": {"ttl": {"value": 9}}}, {"ipv4": {"priority": {"tos": {"value": 9}}}}, {"ipv4": {"priority": {"dscp": {"pbh": {"value": 9}}}}},
           {"icmp": {"echo": {"sequence": {"value": 9}}}}, {"ethernet": {"dst": {"values": ["02::"], "step": 1}}}, {"ethernet": {"devx_options": "00"}}]

sys.dont_write_bytecode = True


def find_open(rule, path="schema"):
    """Yields the objects of a schema that allow keys which it does not name."""
    if rule.get("type") == "object" and rule.get("additionalProperties") is not False:
        yield path
    for key in "properties", "$defs":
        for name, child in rule.get(key, {}).items():
            yield from find_open(child, f"{path}.{name}")
    if "items" in rule:
        yield from find_open(rule["items"], f"{path}[]")


def check_headers(pktgen, schema, find_mistakes):
    """The schema names each field of a header, also those inside other keys."""
    flow = {"name": "f", "tx_rx": {"port": {"tx_name": "a", "rx_name": "a"}}, "size": {"fixed": 500}}
    before = {"ethernet": [], "ipv4": [{}], "icmp": [{}, {"choice": "ipv4"}]}
    for headers, status in (FORMS, 0), (UNKNOWN, 2):
        for header in headers:
            name = next(iter(header))
            job = {"ports": [{"name": "a", "location": "net_ring0"}], "flows": [{**flow, "packet": [*before[name], {"choice": name, **header}]}]}
            run = subprocess.run([pktgen, "run", "--config", "-", "--print-config"], input=json.dumps(job), capture_output=True, text=True)
            assert run.returncode == status, f"{header}: status {run.returncode}: {run.stderr}"
            mistakes = list(find_mistakes(job, schema, schema))
            assert bool(mistakes) == (status != 0), f"{header}: the schema finds {mistakes}"


def load_validator(source):
    spec = importlib.util.spec_from_file_location("report", f"{source}/tests/scripts/pktgen-report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.find_mistakes


def read_headers(source):
    """Returns the names of the headers."""
    tables = open(f"{source}/apps/pktgen/packet/header_tables.c").read()
    return set(re.findall(r'\{ "([a-z0-9_]+)", \d+, \d+, (?:true|false)', tables)) | {"custom"}


def change(job, path, value):
    *inner, last = path.split(".")
    for name in inner:
        job = job[int(name) if name.isdigit() else name]
    job[last] = value


def print_config(pktgen, flags, job=None):
    return subprocess.run([pktgen, "run", *flags, "--print-config"], input=job, check=True, capture_output=True, text=True).stdout


def main():
    pktgen, schema_path, source = sys.argv[1:]
    schema = json.load(open(schema_path))
    find_mistakes = load_validator(source)
    capture = f"{source}/tests/captures/protocols.pcap"
    headers = schema["properties"]["flows"]["items"]["properties"]["packet"]["items"]["properties"]
    assert headers.keys() == read_headers(source) | {"choice"} and set(headers["choice"]["enum"]) == read_headers(source), "headers"

    assert not list(find_open(schema)), f"these objects allow any key: {list(find_open(schema))}"
    check_headers(pktgen, schema, find_mistakes)

    for flags in FLAGS:
        text = print_config(pktgen, ["--port", "net_ring0", "--port", "net_ring1", *flags.replace("CAPTURE", capture).split()])
        assert print_config(pktgen, ["--config", "-"], text) == text, f"another job than that of {flags}"
        sorted_keys = print_config(pktgen, ["--config", "-"], json.dumps(json.loads(text), sort_keys=True))
        assert json.loads(sorted_keys) == json.loads(text), f"another job than that of {flags} with sorted keys"
        mistakes = list(find_mistakes(json.loads(text), schema, schema, flags))
        assert not mistakes, mistakes
    examples = glob.glob(f"{source}/doc/examples/*.json")
    assert examples
    for path in examples:
        mistakes = list(find_mistakes(json.load(open(path)), schema, schema, path))
        assert not mistakes, mistakes

    job = json.loads(print_config(pktgen, ["--port", "net_ring0", "--pcap", capture, "--timing", "original"]))
    job["flows"][0]["rate"] = {"choice": "pps", "pps": 5}
    run = subprocess.run([pktgen, "run", "--config", "-"], input=json.dumps(job), capture_output=True, text=True)
    assert run.returncode == 2 and "flows[0]: devx_capture: a capture with its own times has no rate" in run.stderr, run.stderr

    with tempfile.TemporaryDirectory() as folder:
        for path, value in MISTAKES:
            job = json.load(open(f"{source}/doc/examples/three-flows.json"))
            change(job, path, value)
            assert list(find_mistakes(job, schema, schema)), f"the schema accepts {path} = {value}"
            with open(os.path.join(folder, "job.json"), "w") as file:
                json.dump(job, file)
            run = subprocess.run([pktgen, "run", "--config", file.name, "--print-config"], capture_output=True, text=True)
            assert run.returncode == 2 and run.stderr.count("\n") == 1, f"devx-pktgen accepts {path} = {value}"
    print(f"{len(headers) - 1} headers, {len(FLAGS) + len(examples)} jobs, {len(MISTAKES)} mistakes")


main()
