# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-report.py [--killed] SCHEMA JSON CSV TEXT

Validates the JSON lines of devx-pktgen against the schema, and compares them with CSV (/dev/null: none)
and with the text for people. --killed: the final record and the text may be missing. Standard library only.
"""
import csv
import datetime
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
KEYWORDS = {"$ref", "$schema", "$defs", "title", "description", "type", "required", "properties", "items",
            "enum", "const", "minimum", "maximum", "oneOf", "additionalProperties"}


def find_mistakes(value, rule, root, path="record"):
    """Yields what differs from the schema. A member that the schema does not name is also a mistake."""
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
            elif rule.get("additionalProperties"):
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
    for record in records[1:]:
        for name in "frames_tx", "bytes_tx", "frames_rx", "bytes_rx":
            assert record["total"][name] == sum(f[name] for f in record["flows"]), f"total {name}"
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
    assert sum(q["frames_rx"] - q["unknown"] - q["requests"] - q["misdirected"] - q["other_run"] - q["unsent"] - q["fragments"] for q in queues) == total["frames_rx"], "received"
    if verifies:
        assert total["frames_rx"] == total["frames_tx"] - total["lost"] + total["duplicated"], "account"


def list_shown(final, text):
    """The flows that the result shows, in its order: all, or the ten worst of more than 32."""
    names = {f["name"]: f for f in final["flows"]}
    shown = re.findall(rf"^({'|'.join(map(re.escape, names))}): [0-9,]+ sent", text, re.M)
    short = len(names) > 32 and f"the 10 worst of {len(names):,} flows" in text
    assert len(set(shown)) == len(shown) == (10 if short else len(names)), shown
    return [names[n] for n in shown]


def check_summary(final, text):
    """The flows shown are the worst ones, and the rows of the distribution are those of the record."""
    def rank_flow(flow):
        share = flow["frames_tx_rate"] / flow["frames_tx_rate_offered"] if {"frames_tx_rate", "frames_tx_rate_offered"} <= flow.keys() else 1
        faults = sum(flow[n] for n in ("lost", "duplicated", "reordered", "corrupted"))
        return -faults, round(share, 6) if share < 0.99 else 1, -flow.get("latency", {}).get("maximum_ns", 0)
    shown = [rank_flow(f) for f in list_shown(final, text)]
    if len(shown) < len(final["flows"]):
        assert shown == sorted(map(rank_flow, final["flows"]))[:10], shown
    total = re.search(r"^all flows: .*$", text, re.M)
    assert bool(total) == (len(final["flows"]) > 1), total
    for n, word in re.findall(r"([0-9,]+) (lost|duplicated|reordered|corrupted)", total[0] if total else ""):
        assert int(n.replace(",", "")) == final["total"][word], (total[0], final["total"])
        flows = sum(f[word] > 0 for f in final["flows"])
        assert re.search(rf"^ +flows with packets .*{word}: {flows:,}(,|$)", text, re.M), (word, flows)
    rows = {"sent": "frames_tx", "received": "frames_rx", "lost": "lost", "corrupted": "corrupted", "sent per second": "frames_tx_rate",
            "received per second": "frames_rx_rate", "latency, p99": ("latency", "p99_ns"), "latency, max": ("latency", "maximum_ns"), "jitter, mean": ("jitter", "average_ns")}
    many = len(final["flows"]) > 32
    assert many == ("\ndistribution over flows:" in text), "distribution"
    for name, key in rows.items() if many else ():
        values = sorted(f[key[0]][key[1]] if isinstance(key, tuple) else f[key] for f in final["flows"] if (key[0] if isinstance(key, tuple) else key) in f)
        line = re.search(rf"^ +{name}  +(.*)$", text.partition("\ndistribution over flows:")[2], re.M)
        assert bool(line) == bool(values), (name, line)
        if line:
            cells = re.split(r" {2,}", line[1])
            assert int(cells[0].replace(",", "")) == len(values) and len(cells) == 7, (name, cells)
            for cell, percent in zip(cells[1:], (0, 10, 50, 90, 99, 100)):
                want = values[max((len(values) * percent + 99) // 100, 1) - 1]
                if re.fullmatch(r"[0-9,]+", cell):
                    assert int(cell.replace(",", "")) == want, (name, cells, want)
                else:
                    compare_quantity(cell, want, name)


def compare_text(final, text, verifies):
    def find(pattern, line_start):
        lines = [l for l in text.splitlines() if re.match(line_start, l)]
        assert lines, f"no line {line_start}"
        found = re.search(pattern, lines[-1])
        assert found, f"no {pattern} in {lines[-1]}"
        return [int(n.replace(",", "")) for n in found.groups()]

    words = {"sent": "frames_tx", "received": "frames_rx", "lost": "lost", "duplicated": "duplicated",
             "reordered": "reordered", "corrupted": "corrupted"}
    for flow in list_shown(final, text):
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
    flows = list_shown(final, text)
    assert len(times) == len(flows), "times of the flows"
    for flow, (make, send) in zip(flows, times):
        check("make", flow["make_cycles"], flow["frames_tx"], make)
        check("send", flow["send_cycles"], flow["frames_tx"], send)
    queues = [q for p in final["ports"] for q in p["queues"] if q["frames_rx"]]
    verified = re.findall(r"verify ([0-9.]+) ns per packet", text)
    assert len(verified) == len(queues), "times of the receive queues"
    for queue, verify in zip(queues, verified):
        check("verify", queue["verify_cycles"], queue["frames_rx"], verify)


def list_things(record):
    """Everything that has counters and rates: the total, each flow, port and queue."""
    return [record["total"], *record["flows"], *record["ports"], *(q for p in record["ports"] for q in p["queues"])]


def check_rates(records):
    """The rates of an interval are the differences of its counters. Fewer than 2 packets of a run have no rate."""
    for thing in [t for r in records if r["record"] == "final" for t in list_things(r)]:
        for side in "tx", "rx":
            frames, size = thing[f"frames_{side}_rate"] if f"frames_{side}_rate" in thing else None, thing[f"bytes_{side}"]
            assert (frames is None) == (f"bytes_{side}_rate" not in thing), thing
            assert frames is None or thing[f"frames_{side}"] > 1, thing
            assert frames is None or abs(thing[f"bytes_{side}_rate"] - frames * size / thing[f"frames_{side}"]) < 1e-6 * frames * size, thing
    intervals = [r for r in records if r["record"] == "interval"]
    for before, record in zip([None, *intervals], intervals):
        zero = [{}] * len(list_things(record))
        assert abs(record["time_s"] - (before["time_s"] if before else 0) - record["interval_s"]) < 1e-6, record
        for old, new in zip(list_things(before) if before else zero, list_things(record)):
            for name in "frames_tx", "bytes_tx", "frames_rx", "bytes_rx":
                want = (new[name] - old.get(name, 0)) / record["interval_s"]
                assert abs(new[f"{name}_rate"] - want) <= 1e-6 * want, (name, old, new)


def read_quantity(text):
    """Reads "5.51 us", "1.00 kpps" or "12.5 Mb/s": in ns or in units per second."""
    number, unit = re.match(r"([0-9.]+) (\S*)", text).groups()
    factors = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    return float(number) * factors.get(unit, {"k": 1e3, "M": 1e6, "G": 1e9}.get(unit[0], 1))


def compare_quantity(printed, value, what):
    assert abs(read_quantity(printed) - value) <= 0.006 * value + 0.5, f"{what}: {printed} and {value}"


def compare_histograms(final, text):
    """Each flow that is shown prints its times, with the numbers of the record."""
    flows = list_shown(final, text)
    names = {"latency": "latency", "jitter": "jitter", "gap between packets": "gap", "later than in the capture": "late"}
    keys = {"min": "minimum_ns", "mean": "average_ns", "max": "maximum_ns"}
    flow_names = "|".join(re.escape(f["name"]) for f in final["flows"])
    blocks = re.split(rf"^({flow_names}): [0-9,]+ sent.*$", text, flags=re.M)[1:]
    assert blocks[::2] == [f["name"] for f in flows], blocks[::2]
    for flow, block in zip(flows, blocks[1::2]):
        block = re.match(r"(?:\n +.*)*", block)[0]
        printed = {names[m[1]]: m[2] for m in re.finditer(r"^ +([a-z ]+): (min .*)$", block, re.M)}
        assert set(printed) == set(names.values()) & set(flow), f"{set(printed)} and {set(flow)}"
        for name, line in printed.items():
            for part in line.split(", "):
                word, quantity = part.split(" ", 1)
                compare_quantity(quantity, flow[name][keys.get(word, f"{word}_ns")], f"{name} {word}")
            assert len(line.split(", ")) == 8 and len(flow[name]) == 11, line
            for key in [k for k in flow[name] if "." in k]:
                assert flow[name][key] == flow[name][key.replace(".", "_")], f"{name}: {key} and its name without a dot"
        compare_times_of_day(flow, block)
        rate = re.search(r"rate: offered (.*), achieved (.*)", block)
        assert bool(rate) == ("frames_tx_rate_offered" in flow), block
        if rate:
            compare_quantity(rate[1], flow["frames_tx_rate_offered"], "offered")
            assert rate[2].startswith("unknown") == ("frames_tx_rate" not in flow), rate
            if "frames_tx_rate" in flow:
                compare_quantity(rate[2], flow["frames_tx_rate"], "achieved")


def compare_times_of_day(thing, block):
    """The lines of a flow, or of all flows, have the times of day of the record."""
    lines = dict(re.findall(r"^ +(sent|received): (first .*)$", block, re.M))
    for word, side in ("sent", "tx"), ("received", "rx"):
        assert (word in lines) == (f"timestamps_{side}" in thing) == (thing[f"frames_{side}"] > 0), (lines, thing)
        if word in lines:
            got = []
            for name in "first", "last":
                second, fraction = re.search(rf"{name} (\S+)\.(\d{{9}})Z", lines[word]).groups()
                second = datetime.datetime.fromisoformat(second + "+00:00").timestamp()
                got.append(int(second) * 10 ** 9 + int(fraction))
            times = thing[f"timestamps_{side}"]
            assert got == [times["first_timestamp_ns"], times["last_timestamp_ns"]] and got[0] <= got[1], (got, times)
            if f"frames_{side}_rate" in thing and got[1] - got[0] > 1e6:
                want = (thing[f"frames_{side}"] - 1) * 1e9 / (got[1] - got[0])
                assert abs(thing[f"frames_{side}_rate"] - want) < 1e-3 * want, (thing, want)


def compare_rest(final, text):
    """Rates of the queues, the clocks, CPU time and verdict."""
    for port in final["ports"]:
        for q in port["queues"]:
            row = re.search(rf"^ *{port['port']} +{q['queue']}  (.*)$", text, re.M)[1]
            rates = re.findall(r"(?:[0-9.]+|-) \S*(?:pps|b/s)", row)
            assert len(rates) == 4, row
            for printed, name, factor in zip(rates, ("frames_tx_rate", "bytes_tx_rate", "frames_rx_rate", "bytes_rx_rate"), (1, 8, 1, 8)):
                assert printed.startswith("-") == (name not in q), (row, q)
                if name in q:
                    compare_quantity(printed, q[name] * factor, name)
        rows = [l for l in text.splitlines() if re.match(rf" *{port['port']} +0  ", l)]
        drops = [(n, port["counters"][n]) for n in ("rx_missed_errors", "rx_errors", "rx_mbuf_allocation_errors", "tx_errors")]
        assert rows[-1].rpartition("b/s  ")[2] == (", ".join(f"{n} {v:,}" for n, v in drops if v) or "none"), (rows, drops)
        for q in port["queues"]:
            for name, end in ("unknown", "belongs? to no flow"), ("misdirected", "expects"), ("other_run", "of another run"), ("unsent", "did not send (?:it|them)"), ("fragments", "of IP packets"):
                found = re.search(rf"^port {port['port']}, receive queue {q['queue']}: (?:also )?received ([0-9,]+) (?:frame|fragment)s? .*{end}", text, re.M)
                assert (found and int(found[1].replace(",", ""))) == (q[name] or None), (name, q, found)
        clock, line = port.get("receive_clock"), re.search(rf"^port {port['port']}: receive time: (TSC|clock of the device), (?:up to|within) (.*?)(?: late.*)?$", text, re.M)
        assert bool(clock) == bool(line), (clock, line)
        if clock:
            assert (clock["source"] == "device") == (line[1] != "TSC"), line
            compare_quantity(line[2], clock["uncertainty_ns"], "uncertainty")
            assert ("unstamped" in clock) == (clock["source"] == "device"), clock
            for name, words in ("unstamped", "without a usable timestamp"), ("negative", "whose latency was negative"):
                found = re.search(rf"^port {port['port']}: ([0-9,]+) frames? {words}", text, re.M)
                assert (found and int(found[1].replace(",", ""))) == (clock.get(name) or None), (clock, found)
        same = port["counters"]["tx_good_packets"] == port["frames_tx"] + port.get("answers", {}).get("sent", 0)
        assert same != (f"port {port['port']}: sent packets, as the port counts them" in text), port
    cpu = re.search(r"^CPU time of (\d+) worker threads?: (?:not measured|([0-9.]+) s in ([0-9.]+) s)", text, re.M)
    assert int(cpu[1]) == final["workers"] and bool(cpu[2]) == (final["busy_s"] >= 0.1), cpu
    if cpu[2]:
        assert abs(float(cpu[2]) - final["cpu_s"]) < 0.001 and abs(float(cpu[3]) - final["busy_s"]) < 0.001, cpu
    verdict, total = final["verdict"], final["total"]
    line = re.search("^(?:OK|FAIL): (.*)$", text, re.M)[1]
    assert line.partition("; ")[2] == verdict["reason"], line
    if "not verified" not in line:
        words = {"sent": "frames_tx", "received": "frames_rx", "lost": "lost", "duplicated": "duplicated", "reordered": "reordered", "corrupted": "corrupted",
                 "changed": "changed"}
        got = {words[w]: int(n.replace(",", "")) for n, w in re.findall(r"([0-9,]+) (\w+)(?=, |;|$)", line.partition(";")[0])}
        assert got == {k: total[k] for k in got} and len(got) == 4 + 2 * bool(total["duplicated"] or total["reordered"]) + bool(total["changed"]), (line, total)


def compare_csv(records, rows):
    rows = iter(rows)
    for record in records[1:]:
        for kind, things in ("port", record["ports"]), ("flow", record["flows"]), ("total", [{**record["total"], "name": "all flows"}]):
            for thing in things:
                row = next(rows)
                assert row["stage"] == record.get("stage", "final") and row["kind"] == kind, row
                assert row["name"] == thing["name"], row
                for name in ("frames_tx", "bytes_tx", "frames_rx", "bytes_rx", "lost", "duplicated", "reordered",
                             "corrupted", "unreadable", "changed"):
                    assert row[name] == str(thing.get(name, "")), (name, row, thing)
                for name in "frames_tx_rate", "bytes_tx_rate", "frames_rx_rate", "bytes_rx_rate":
                    assert bool(row[name]) == (name in thing), (name, row, thing)
                    assert not row[name] or abs(float(row[name]) - thing[name]) < 0.001 + thing[name] * 1e-9, (name, row, thing)
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
    check_rates(records)
    if records[-1]["record"] == "final":
        with open(text_path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        compare_text(records[-1], text, records[0]["verifies"])
        compare_times(records[-1], text, records[0]["clock_hz"])
        compare_histograms(records[-1], text)
        if len(records[-1]["flows"]) > 1:
            compare_times_of_day(records[-1]["total"], re.search(r"^all flows:.*(?:\n +.*)*", text, re.M)[0])
        compare_rest(records[-1], text)
        check_sums(records[-1], records[0]["verifies"])
        if records[0]["verifies"]:
            check_summary(records[-1], text)
    if csv_path != "/dev/null":
        with open(csv_path, encoding="utf-8", newline="") as f:
            compare_csv(records, csv.DictReader(f))


if __name__ == "__main__":
    main()
