#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench-programs.py DEVX-BENCH

The case pktgen of devx-bench with programs of known results in place of devx-pktgen and dpdk-testpmd: how it starts them, the figures
that it computes from their reports, and what it says if they fail. bench-pktgen.py runs the real ones.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

PKTGEN = """#!/bin/sh
echo "$*" >> args
for word in "$@"; do
	[ "$last" != --json ] || cp report "$word"
	[ "$last" != --config ] || cp "$word" job
	last=$word
done
echo "pktgen has ended"
exit "$(cat status)"
"""
TESTPMD = """#!/bin/sh
echo "$*" >> testpmd-args
echo "Press enter to exit"
read line || exit 9
echo "  CPU cycles/packet=12.50 (total cycles=2500 / total TX packets=200)"
exit "$(cat testpmd-status)"
"""
FLOW = {"make_cycles": 3000, "send_cycles": 2000, "frames_tx_rate_offered": 3e6, "gap": {"p99_ns": 777}}
FINAL = {"record": "final", "total": {"frames_tx": 1000, "frames_tx_rate": 5e6, "frames_rx": 500},
         "flows": [FLOW, {**FLOW, "make_cycles": 1000, "frames_tx_rate_offered": 1e6, "gap": {"p99_ns": 1}}],
         "ports": [{"queues": [{"verify_cycles": 600}, {"verify_cycles": 400}]}]}


class Bench:
    def __init__(self, folder, program):
        self.path = os.path.join(folder, "devx-bench")
        self.env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        shutil.copy(program, self.path)
        for name, text in ("devx-pktgen", PKTGEN), ("dpdk-testpmd", TESTPMD):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o755)

    def run(self, point, final=FINAL, status=0, testpmd=0):
        """Runs a point. Returns its rows, and the command lines of devx-pktgen."""
        for name, text in ("status", status), ("testpmd-status", testpmd), ("args", ""), ("testpmd-args", ""):
            with open(name, "w", encoding="utf-8") as file:
                file.write(str(text))
        with open("report", "w", encoding="utf-8") as file:
            for record in [{"record": "start", "clock_hz": 1000000000}, {"record": "interval"}, final]:
                file.write(json.dumps(record) + "\n")
        done = subprocess.run([self.path, "pktgen", "--quiet", "--json", "-", "--time-limit", "1us", "--filter", point], env=self.env, stdout=subprocess.PIPE, check=True)
        with open("args", encoding="utf-8") as file:
            lines = file.read().splitlines()
        return json.loads(done.stdout)["rows"], [" ".join("FILE" if "/" in w else w for w in line.split()) for line in lines]


def expect(row, values, missing=""):
    got = {name: value["median"] for name, value in row["values"].items()}
    assert row["missing"] == missing, (row["missing"], missing)
    assert got.keys() == values.keys() and all(abs(got[n] - values[n]) < 1e-6 * max(1, values[n]) for n in values), f"{got} (valid: {values})"


def check_loops(bench):
    """A worker at 1 GHz has 200 cycles for each of 5 million packets per second, and two have 400."""
    rows, args = bench.run("pktgen/send/traffic=one_flow/cores=1")
    assert args == ["run --no-huge --json FILE --cores 1 --port net_null0 --duration 200ms --send-only"] * 3, args
    expect(rows[0], {"cycles_per_packet": 200, "make_cycles_per_packet": 4, "send_cycles_per_packet": 4, "ratio_to_testpmd": 200 / 12.5})
    expect(rows[1], {"cycles_per_packet": 12.5})
    assert [row["driver"] for row in rows] == ["devx-pktgen", "testpmd txonly"] and rows[0]["keys"] == {"traffic": "one_flow", "cores": "1"}, rows
    with open("testpmd-args", encoding="utf-8") as file:
        line = file.readline()
    for word in ("--vdev net_null0,size=60", "--forward-mode=txonly", "--flowgen-flows=1 ", "--nb-cores=1", "--txpkts=60", "--no-huge", "--lcores (0-1)@("):
        assert word in line, f"no {word} in {line}"
    rows, args = bench.run("pktgen/send/traffic=imix/cores=2")
    assert args[0].endswith("--cores 2 --port net_null0 --duration 200ms --send-only --size imix"), args
    expect(rows[0], {"cycles_per_packet": 400, "make_cycles_per_packet": 4, "send_cycles_per_packet": 4})
    assert len(rows) == 1, rows
    rows, args = bench.run("pktgen/receive/traffic=1000000_tuples/cores=1")
    assert args[0].endswith("--cores 1 --port net_ring0 --duration 200ms --src-ip 10.0.0.0-10.15.66.63"), args
    expect(rows[0], {"cycles_per_packet": 2, "ratio_to_testpmd": 2 / 12.5})
    assert rows[1]["driver"] == "testpmd rxonly", rows


def check_jobs(bench):
    """Many flows come from a job file; they differ in their source port."""
    _, args = bench.run("pktgen/send/traffic=1000_flows/cores=2")
    assert args[0].endswith("--cores 2 --config FILE"), args
    with open("job", encoding="utf-8") as file:
        job = json.load(file)
    ports = [f["packet"][2]["udp"]["src_port"]["value"] for f in job["flows"]]
    assert ports == list(range(1024, 2024)) and job["ports"][0]["location"] == "net_null0" and job["devx_pktgen"] == {"send_only": True}, job["ports"]
    assert job["flows"][0]["duration"] == {"choice": "fixed_seconds", "fixed_seconds": {"seconds": 0.2}}, job["flows"][0]
    rows, args = bench.run("pktgen/memory/flows=16/verify=yes")
    with open("job", encoding="utf-8") as file:
        job = json.load(file)
    assert len(job["flows"]) == 16 and job["ports"][0]["location"] == "net_ring0" and not job["devx_pktgen"]["send_only"], job
    assert job["flows"][15]["duration"] == {"choice": "fixed_packets", "fixed_packets": {"packets": 1}}, job["flows"][15]
    values = {name: value["median"] for name, value in rows[0]["values"].items()}
    # Three runs with one flow come before those with 16. A shell takes some MiB, and no more for more flows.
    assert len(args) == 6 and values.keys() == {"peak_memory", "memory_per_flow"} and 0.5 < values["peak_memory"] < 64, (args, values)
    assert abs(values["memory_per_flow"]) < 1 << 16 and rows[0]["keys"] == {"flows": "16", "verify": "yes"}, rows


def check_pace(bench):
    """A run at a rate may miss it: the report says by how much."""
    for status in 0, 1:
        rows, args = bench.run("pktgen/pace/rate=1kpps", status=status)
        assert args == ["run --no-huge --json FILE --cores 1 --port net_null0 --duration 200ms --send-only --rate 1kpps"] * 3, args
        expect(rows[0], {"rate_error": 250000, "gap_p99": 777})


def check_failures(bench):
    rows, _ = bench.run("pktgen/pace/rate=1kpps", status=3)
    expect(rows[0], {}, "devx-pktgen, status 3: pktgen has ended")
    rows, args = bench.run("pktgen/send/traffic=one_flow/cores=1", status=3)
    expect(rows[0], {}, "devx-pktgen, status 3: pktgen has ended")
    assert len(rows) == len(args) == 1, rows
    rows, _ = bench.run("pktgen/send/traffic=one_flow/cores=1", status=1)
    expect(rows[0], {}, "devx-pktgen, status 1: pktgen has ended")
    for total in {"frames_tx": 0, "frames_tx_rate": 5e6}, {"frames_tx": 9, "frames_tx_rate": 0}:
        rows, _ = bench.run("pktgen/pace/rate=1kpps", final={**FINAL, "total": total})
        expect(rows[0], {}, "devx-pktgen, status 0: pktgen has ended")
    rows, _ = bench.run("pktgen/send/traffic=one_flow/cores=1", testpmd=5)
    expect(rows[0], {"cycles_per_packet": 200, "make_cycles_per_packet": 4, "send_cycles_per_packet": 4})
    expect(rows[1], {}, "dpdk-testpmd, status 5:   CPU cycles/packet=12.50 (total cycles=2500 / total TX packets=200)")
    os.unlink("devx-pktgen")
    bench.env["PATH"] = "/nowhere"
    rows, _ = bench.run("pktgen/pace/rate=1kpps")
    expect(rows[0], {}, "devx-pktgen, status 127: devx-pktgen: cannot run it: No such file or directory")


def main():
    program = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        bench = Bench(folder, program)
        check_loops(bench)
        check_jobs(bench)
        check_pace(bench)
        check_failures(bench)


main()
