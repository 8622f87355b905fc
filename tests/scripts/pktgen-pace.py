#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-pace.py PKTGEN SHARE

The rate of devx-pktgen on net_null, from 1 pps to SHARE % of what its send loop reaches there: in each second it is that of --rate,
within 1 % or one packet. The highest rate is measured anew for each try, before and after it. A try is not judged if its worker had
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


def main():
    pktgen, share = sys.argv[1], int(sys.argv[2]) / 100
    for rate in 1, 1000, 1000000:
        check_rate(pktgen, lambda _, rate=rate: rate)
    check_rate(pktgen, lambda most: most * share)


main()
