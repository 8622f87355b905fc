#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-pace.py PKTGEN STEP_CLOCK

Rates and ramps of devx-pktgen on net_null, from 1 pps to 95 % of the most that its send loop reaches. Three flows share the rate of
their port. 1,000 flows leave evenly. STEP_CLOCK (tests/pktgen/step_clock.c) moves by one step with each read, so that no other program can slow a run down. At
each look of the controller, the packets are those of the rate to the last one.
"""
import json
import os
import subprocess
import sys

BURST = 64  # packets that a sender makes at once
READS_OF_BURST = 3  # reads of the clock in a poll that sends a burst


def run(pktgen, clock, *flags, step_ns=1000, job=None):
    """Returns the interval records and the final one."""
    env = {**os.environ, "PKTGEN_STEP_NS": str(step_ns), "LD_LIBRARY_PATH": os.path.dirname(clock)}
    ports = ["--config", "-"] if job else ["--port", "net_null0", "--send-only"]
    out = subprocess.run([pktgen, "run", *ports, "--cores", "1", "--json", "-", *flags, "--", "-d", os.path.basename(clock)], env=env,
                         input=job, capture_output=True, text=True, timeout=300, check=False)
    records = [json.loads(line) for line in out.stdout.splitlines()]
    assert out.returncode == 0 and records and records[-1]["record"] == "final", out.stderr
    return [r for r in records if r["record"] == "interval"], records[-1]


def check_counts(name, records, compute_count, slack=1):
    """compute_count gives the packets of so many seconds. The sender holds back at most what one poll earns."""
    assert len(records) >= 2, "fewer than 2 intervals"
    for record in records:
        sent, want = sum(f["frames_tx"] for f in record["flows"]), compute_count(record["time_s"])
        assert want - slack <= sent <= want + 1, f"{name}: second {record['time_s']}: {sent} packets sent, {want} asked"
    print(f"{name}: {sent} packets in {record['time_s']:.6f} s", flush=True)


def check_rate(pktgen, clock, rate, seconds, step_ns):
    intervals, final = run(pktgen, clock, "--rate", f"{rate}pps", "-t", f"{seconds}s", "--interval", f"{seconds / 4}s", step_ns=step_ns)
    earned = rate * READS_OF_BURST * step_ns / 1e9  # tokens of one poll
    # A new bucket holds the tokens of one frame: the first packet leaves at once.
    check_counts(f"{rate} pps", intervals, lambda s: rate * min(s, seconds) + 1, 1 + earned)
    assert abs(final["flows"][0]["frames_tx"] - rate * seconds) <= 1 + earned, final
    assert final["verdict"]["passed"], final["verdict"]


def check_ramp(pktgen, clock, first, last):
    """A rate that changes in 2 s, and stays: the packets are the integral of the rate at each interval."""
    intervals, final = run(pktgen, clock, "--rate", f"{last}pps", "--ramp", f"{first}pps/2s", "-t", "3s", "--interval", "400ms")

    def integrate(seconds):
        ramp = min(seconds, 2)
        return 1 + first * ramp + (last - first) / 4 * ramp ** 2 + last * (seconds - ramp)

    check_counts(f"{first} to {last} pps", [r for r in intervals if r["stage"] == "sending"], integrate, 2)
    for record in intervals:
        now = first + (last - first) * min(record["time_s"], 2) / 2
        assert abs(record["flows"][0]["frames_tx_rate_offered"] - now) < 1e-6 * now, record
    mean = ((first + last) / 2 * 2 + last) / 3
    assert abs(final["flows"][0]["frames_tx_rate_offered"] - mean) < 1e-5 * mean, final


def check_port_rate(pktgen, clock):
    """Three flows share the rate of their port: no packet per second is lost by rounding."""
    job = json.loads(subprocess.run([pktgen, "run", "--port", "net_null0", "--send-only", "-t", "2s", "--print-config"], check=True,
                                    capture_output=True).stdout)
    job["ports"][0]["devx_rate"] = {"choice": "pps", "pps": 10001}
    job["flows"] = [{**job["flows"][0], "name": str(i)} for i in range(3)]
    intervals, final = run(pktgen, clock, "--interval", "500ms", job=json.dumps(job))
    asked = sum(f["frames_tx_rate_offered"] for f in final["flows"])
    assert abs(asked - 10001) < 0.001, asked
    check_counts("three flows on a port of 10001 pps", intervals, lambda s: 10001 * min(s, 2) + 3, 3)


def check_spread(pktgen, clock, port_rate):
    """1,000 flows, with a rate each or with that of their port: 20 packets leave in each slot of 10 ms."""
    job = json.loads(subprocess.run([pktgen, "run", "--port", "net_null0", "--send-only", "-t", "1s", "--rate", "2pps", "--print-config"],
                                    check=True, capture_output=True).stdout)
    flow = job["flows"][0]
    if port_rate:
        del flow["rate"]
        job["ports"][0]["devx_rate"] = {"choice": "pps", "pps": 2000}
    job["flows"] = [{**flow, "name": str(i)} for i in range(1000)]
    intervals, final = run(pktgen, clock, "--interval", "10ms", step_ns=100, job=json.dumps(job))
    sent = [0] + [r["ports"][0]["frames_tx"] for r in intervals if r["time_s"] < 1.001]
    slots = [after - before for before, after in zip(sent, sent[1:])]
    assert len(slots) >= 99 and all(17 <= n <= 23 for n in slots), slots
    assert all(f["frames_tx"] == 2 for f in final["flows"]), "another number of packets than that of the rate"
    gap = final["ports"][0]["gap"]
    assert gap["frames"] == 1999 and abs(gap["average_ns"] - 500000) < 1000 and gap["maximum_ns"] < 1000000, gap
    print(f"1000 flows: {min(slots)} to {max(slots)} packets in 10 ms", flush=True)


def main():
    pktgen, clock = sys.argv[1], os.path.realpath(sys.argv[2])
    for rate, seconds, step_ns in (1, 4, 1000), (1000, 2, 1000), (1000000, 0.4, 100):
        check_rate(pktgen, clock, rate, seconds, step_ns)
    # 95 % of what the loop reaches, if each poll sends a whole burst.
    check_rate(pktgen, clock, int(0.95 * BURST / READS_OF_BURST * 1e9 / 100), 0.04, 100)
    check_ramp(pktgen, clock, 1000, 200000)
    check_ramp(pktgen, clock, 50000, 5000)
    check_port_rate(pktgen, clock)
    check_spread(pktgen, clock, False)
    check_spread(pktgen, clock, True)


main()
