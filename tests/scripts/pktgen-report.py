# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-report.py [--killed] SCHEMA JSON CSV TEXT

Validates the JSON lines of devx-pktgen against the schema, and compares them with CSV (/dev/null: none)
and with the text for people. --killed: the final record and the text may be missing. Standard library only.
"""
import csv
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
KEYWORDS = {"$ref", "$schema", "$defs", "title", "description", "type", "required", "properties", "items",
            "enum", "const", "minimum", "maximum", "oneOf", "additionalProperties"}


def find_mistakes(value, rule, root, path="record"):
    """Yields what differs from the schema. A member that the schema does not name is a mistake, too."""
    assert rule.keys() <= KEYWORDS, f"this validator does not know {rule.keys() - KEYWORDS}"
    if "$ref" in rule:
        yield from find_mistakes(value, root["$defs"][rule["$ref"].split("/")[-1]], root, path)
    if "oneOf" in rule:
        bad = [list(find_mistakes(value, r, root, path)) for r in rule["oneOf"]]
        if sum(not b for b in bad) != 1:
            yield min(bad, key=len)[0] if all(bad) else f"{path}: several rules fit"
    if "const" in rule and value != rule["const"]:
        yield f"{path}: is {value}, not {rule['const']}"
    if "enum" in rule and value not in rule["enum"]:
        yield f"{path}: is {value}, not one of {rule['enum']}"
    kind = rule.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if isinstance(value, TYPES[k])), kind[0])
    if kind and (not isinstance(value, TYPES[kind]) or isinstance(value, bool) != (kind == "boolean")):
        yield f"{path}: is not of type {kind}: {value}"
        return
    if "minimum" in rule and value < rule["minimum"]:
        yield f"{path}: {value} is below {rule['minimum']}"
    if "maximum" in rule and value > rule["maximum"]:
        yield f"{path}: {value} is above {rule['maximum']}"
    for name in rule.get("required", []):
        if name not in value:
            yield f"{path}: no {name}"
    if "properties" in rule:
        for name, member in value.items():
            if name in rule["properties"]:
                yield from find_mistakes(member, rule["properties"][name], root, f"{path}.{name}")
            elif "additionalProperties" in rule:
                yield from find_mistakes(member, rule["additionalProperties"], root, f"{path}.{name}")
            else:
                yield f"{path}: the schema does not name {name}"
    for i, item in enumerate(value if "items" in rule else []):
        yield from find_mistakes(item, rule["items"], root, f"{path}[{i}]")


def check_order(records, killed):
    kinds = [r["record"] for r in records]
    assert kinds[0] == "start" and "start" not in kinds[1:], "start"
    assert killed or kinds[-1] == "final", "the last record is not final"
    assert kinds.count("final") == (kinds[-1] == "final"), "final"
    for before, after in zip(records[1:], records[2:]):
        assert before["time_s"] <= after["time_s"], "time"
        for name in "frames_tx", "bytes_tx", "frames_rx", "bytes_rx":
            for a, b in zip(before["flows"] + before["ports"], after["flows"] + after["ports"]):
                assert a[name] <= b[name], f"{name} counts down"


def check_sums(final, verifies):
    total = final["total"]
    for name in "frames_tx", "bytes_tx", "frames_rx", "bytes_rx", "lost", "duplicated", "reordered", "corrupted":
        assert total[name] == sum(f[name] for f in final["flows"]), f"total {name}"
    for port in final["ports"]:
        for name in "frames_tx", "bytes_tx", "frames_rx", "bytes_rx":
            assert port[name] == sum(q[name] for q in port["queues"]), f"port {name}"
    assert total["frames_tx"] == sum(p["frames_tx"] for p in final["ports"]), "sent"
    queues = [q for p in final["ports"] for q in p["queues"]]
    assert sum(q["frames_rx"] - q["unknown"] - q["requests"] - q["misdirected"] for q in queues) == total["frames_rx"], "received"
    if verifies:
        assert total["frames_rx"] == total["frames_tx"] - total["lost"] + total["duplicated"], "account"


def compare_text(final, text, verifies):
    def find(pattern, line_start):
        lines = [l for l in text.splitlines() if re.match(line_start, l)]
        assert lines, f"no line {line_start}"
        found = re.search(pattern, lines[-1])
        assert found, f"no {pattern} in {lines[-1]}"
        return [int(n.replace(",", "")) for n in found.groups()]

    words = {"sent": "frames_tx", "received": "frames_rx", "lost": "lost", "duplicated": "duplicated",
             "reordered": "reordered", "corrupted": "corrupted"}
    for flow in final["flows"]:
        for word in words if verifies else ["sent"]:
            assert find(rf"([0-9,]+) {word}", f"{flow['name']}: .* sent") == [flow[words[word]]], word
    for port in final["ports"]:
        for q in port["queues"]:
            got = find(r"([0-9,]+) +([0-9,]+) +\S+ \S*pps +\S+ \S*b/s +([0-9,]+) +([0-9,]+)",
                       f" *{port['port']} +{q['queue']}  ")
            assert got == [q[n] for n in ("frames_tx", "bytes_tx", "frames_rx", "bytes_rx")], got
    assert re.search("^OK: " if final["verdict"]["passed"] else "^FAIL: ", text, re.M), "verdict"


def compare_times(final, text, clock_hz):
    def check(name, cycles, packets, printed):
        assert not packets or abs(cycles / packets / clock_hz * 1e9 - float(printed)) < 0.06, (name, cycles, printed)

    times = re.findall(r"make(?: and sign)? ([0-9.]+) ns, send ([0-9.]+) ns", text)
    assert len(times) == len(final["flows"]), "times of the flows"
    for flow, (make, send) in zip(final["flows"], times):
        check("make", flow["make_cycles"], flow["frames_tx"], make)
        check("send", flow["send_cycles"], flow["frames_tx"], send)
    queues = [q for p in final["ports"] for q in p["queues"] if q["frames_rx"]]
    verified = re.findall(r"verify ([0-9.]+) ns per packet", text)
    assert len(verified) == len(queues), "times of the receive queues"
    for queue, verify in zip(queues, verified):
        check("verify", queue["verify_cycles"], queue["frames_rx"], verify)


def compare_csv(records, rows):
    rows = iter(rows)
    for record in records[1:]:
        for kind in "port", "flow":
            for thing in record[kind + "s"]:
                row = next(rows)
                assert row["stage"] == record.get("stage", "final") and row["kind"] == kind, row
                assert row["name"] == thing["name"], row
                for name in ("frames_tx", "bytes_tx", "frames_rx", "bytes_rx", "lost", "duplicated", "reordered",
                             "corrupted", "unreadable"):
                    assert row[name] == str(thing.get(name, "")), (name, row, thing)
                for name in "frames_tx_rate", "bytes_tx_rate", "frames_rx_rate", "bytes_rx_rate":
                    assert abs(float(row[name]) - thing[name]) < 0.001 + thing[name] * 1e-9, (name, row, thing)
    assert next(rows, None) is None, "CSV has more rows"


def main():
    killed = sys.argv[1] == "--killed"
    schema, json_path, csv_path, text_path = sys.argv[1 + killed:]
    with open(schema, encoding="utf-8") as f:
        schema = json.load(f)
    with open(json_path, encoding="utf-8") as f:
        records = [json.loads(line) for line in f]
    for record in records:
        for mistake in find_mistakes(record, schema, schema):
            sys.exit(f"{json_path}: {mistake}")
    check_order(records, killed)
    if records[-1]["record"] == "final":
        with open(text_path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        compare_text(records[-1], text, records[0]["verifies"])
        compare_times(records[-1], text, records[0]["clock_hz"])
        check_sums(records[-1], records[0]["verifies"])
    if csv_path != "/dev/null":
        with open(csv_path, encoding="utf-8", newline="") as f:
            compare_csv(records, csv.DictReader(f))


if __name__ == "__main__":
    main()
