#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-pace.py PKTGEN SHARE

The rate of devx-pktgen on net_null, from 1 pps to SHARE % of what its send loop reaches there: in each second it is that of --rate,
within 1 % or one packet. So do ramps, and flows that share the rate of their port. The highest rate is measured anew for each try, before and after it. A try is not judged if its worker had
less than 95 % of a CPU, or if the highest rate changed by more than 5 %: other programs slowed the CPU down. Eight tries for each.
"""
import json
import subprocess
import sys

TRIES, SECONDS = 8, 2.2


def run(pktgen, *flags):
    """Returns the interval records and the final one."""
    out = subprocess.run([pktgen, "run", "--port", "net_null0", "--send-only", "--json", "-", *flags],
                         capture_output=True, text=True, check=False)
    records = [json.loads(line) for line in out.stdout.splitlines()]
    assert records and records[-1]["record"] == "final", out.stderr
    return [r for r in records if r["record"] == "interval"], records[-1]


def find_fault(intervals, rate):
    """Returns the first second whose rate is wrong, as text; None: all are right."""
    before = {"time_s": 0, "frames_tx": 1}  # the first packet leaves at once
    for record in intervals:
        now = {"time_s": record["time_s"], "frames_tx": record["flows"][0]["frames_tx"]}
        asked = rate * (now["time_s"] - before["time_s"])
        sent = now["frames_tx"] - before["frames_tx"]
        if abs(sent - asked) > 1 + asked / 100:
            return f"second {now['time_s']:.3f}: {sent} packets sent, {asked:.1f} asked"
        before = now
    return None


def measure_most(pktgen):
    """Returns the packets per second that the send loop reaches without a limit."""
    _, final = run(pktgen, "-t", "500ms")
    return final["total"]["frames_tx"] / 0.5


def try_rate(pktgen, rate):
    """Returns the fault of one run, or None, and the share of a CPU that its worker had."""
    intervals, final = run(pktgen, "--rate", f"{rate}pps", "-t", f"{SECONDS}s", "--interval", "1s")
    assert len(intervals) >= 2, "fewer than 2 intervals"
    return find_fault(intervals, rate), final["cpu_s"] / final["busy_s"] if final.get("busy_s") else 1


def check_rate(pktgen, find_rate):
    """find_rate gives the rate of a run from the highest rate."""
    judged, rate, fault = False, 0, "no run"
    before = measure_most(pktgen)
    for _ in range(TRIES):
        rate = int(find_rate(before))
        fault, cpu = try_rate(pktgen, rate)
        after = measure_most(pktgen)
        print(f"{rate} pps: {fault or 'right'}, {100 * cpu:.0f} % of a CPU, highest rate {before:.0f} and {after:.0f} pps", flush=True)
        if not fault:
            return
        judged |= cpu >= 0.95 and abs(after - before) <= 0.05 * before
        before = after
    assert not judged, f"--rate {rate}pps: {fault}"
    print(f"{rate} pps: not judged: other programs slowed the CPU down in each try")


def check_ramp(pktgen, first, last):
    """A rate that changes in 2 s, and stays: the packets are the integral of the rate at each interval."""
    fault = "no interval"
    for _ in range(TRIES):
        intervals, final = run(pktgen, "--rate", f"{last}pps", "--ramp", f"{first}pps/2s", "-t", "3s", "--interval", "400ms")
        fault = None if len(intervals) >= 6 else "too few intervals"
        for record in intervals:
            s, flow = record["time_s"], record["flows"][0]
            in_ramp = min(s, 2)
            want = first * in_ramp + (last - first) / 4 * in_ramp ** 2 + last * (s - in_ramp)
            if abs(flow["frames_tx"] - want) > 1 + want / 100:
                fault = fault or f"second {s:.3f}: {flow['frames_tx']} packets sent, {want:.1f} asked"
            now = first + (last - first) * in_ramp / 2
            assert abs(flow["frames_tx_rate_offered"] - now) < 1 + now / 1000, flow
        mean = ((first + last) / 2 * 2 + last) / 3
        assert abs(final["flows"][0]["frames_tx_rate_offered"] - mean) < mean / 100, final
        print(f"{first} to {last} pps: {fault or 'right'}")
        if not fault:
            return
    raise AssertionError(f"--ramp {first}pps/2s --rate {last}pps: {fault}")


def check_port_rate(pktgen):
    """Three flows share the rate of their port: no packet per second is lost by rounding."""
    port = ["--port", "net_null0", "--send-only", "-t", f"{SECONDS}s"]
    job = json.loads(subprocess.run([pktgen, "run", *port, "--print-config"], check=True, capture_output=True).stdout)
    job["ports"][0]["devx_rate"] = {"choice": "pps", "pps": 10001}
    job["flows"] = [{**job["flows"][0], "name": str(i)} for i in range(3)]
    for _ in range(TRIES):
        out = subprocess.run([pktgen, "run", "--config", "-", "--json", "-", "--interval", "1s"], input=json.dumps(job),
                             capture_output=True, text=True, check=False).stdout
        records = [json.loads(line) for line in out.splitlines()]
        asked = sum(f["frames_tx_rate_offered"] for f in records[-1]["flows"])
        assert abs(asked - 10001) < 0.001, asked
        sums = [(r["time_s"], sum(f["frames_tx"] for f in r["flows"])) for r in records if r["record"] == "interval"]
        faults = [(s, sent) for s, sent in sums if abs(sent - 10001 * s) > 3 + s * 100]
        print(f"three flows on a port of 10001 pps: {'wrong' if faults else 'right'}")
        if not faults:
            return
    raise AssertionError(f"devx_rate: {faults[0][1]} packets after {faults[0][0]} s")


def main():
    pktgen, share = sys.argv[1], int(sys.argv[2]) / 100
    for rate in 1, 1000, 1000000:
        check_rate(pktgen, lambda _, rate=rate: rate)
    check_rate(pktgen, lambda most: most * share)
    check_ramp(pktgen, 1000, 200000)
    check_ramp(pktgen, 50000, 5000)
    check_port_rate(pktgen)


main()
