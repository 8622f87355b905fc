#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-captures.py PKTGEN

A job file replays two captures, each to a port of its own, beside a generated flow. The frames of all flows arrive. A
port that would receive two captures is refused. Standard library only.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile


def write_capture(path, frames, times=None):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for i, frame in enumerate(frames):
            file.write(struct.pack("<IIII", times[i] if times else i, 0, len(frame), len(frame)) + frame)


def make_flow(name, port, packets, path=None):
    flow = {"name": name, "tx_rx": {"choice": "port", "port": {"tx_name": port, "rx_names": [port]}},
            "duration": {"choice": "fixed_packets", "fixed_packets": {"packets": packets}}}
    if path:
        flow["devx_capture"] = {"file": path}
    return flow


def run(pktgen, flows):
    job = {"ports": [{"name": f"p{i}", "location": f"net_ring{i}"} for i in range(2)], "flows": flows,
           "devx_pktgen": {"drain": "10s"}}
    return subprocess.run([pktgen, "run", "--config", "-"], input=json.dumps(job), capture_output=True, text=True)


def main():
    pktgen = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.pcap", "b.pcap")]
        header = bytes.fromhex("020000000001020000000002 88b5")
        write_capture(paths[0], [header + bytes([1, i]) * 40 for i in range(50)])
        write_capture(paths[1], [header + bytes([2, i]) * (20 + i) for i in range(30)])
        flows = [make_flow("a", "p0", 500, paths[0]), make_flow("b", "p1", 300, paths[1]), make_flow("made", "p0", 1000)]

        done = run(pktgen, flows)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "OK: 1,800 sent, 1,800 received, 0 lost, 0 corrupted" in done.stdout, done.stdout
        assert f"{paths[0]}: 50 frames of at most 98 bytes" in done.stdout, done.stdout
        # The second capture has frames of 54 to 112 bytes, so the first 3 are padded to 60.
        assert f"{paths[1]}: 30 frames of at most 116 bytes" in done.stdout, done.stdout
        assert f"{paths[1]}: padded 3 frames" in done.stdout and f"{paths[0]}: padded" not in done.stdout, done.stdout

        # Two of ten packets are older than the one before; four have the same bytes, and two others.
        write_capture(paths[0], [header + bytes([i]) * 50 for i in (0, 1, 2, 3, 0, 0, 0, 1, 7, 8)], [9, 8, 10, 11, 12, 13, 12, 14, 15, 16])
        done = run(pktgen, [make_flow("a", "p0", 10, paths[0])])
        assert f"{paths[0]}: 2 packets are older than the one before" in done.stdout, done.stdout
        assert f"{paths[0]}: 6 frames have the same bytes as another frame" in done.stdout, done.stdout

        both = run(pktgen, [make_flow("a", "p0", 500, paths[0]), make_flow("b", "p0", 300, paths[1])])
        assert both.returncode == 2, both.stdout
        assert "port net_ring0 receives 2 captures (valid: at most 1); use a port for each" in both.stderr, both.stderr

        os.unlink(paths[1])
        missing = run(pktgen, flows)
        assert missing.returncode == 2, missing.stdout
        assert f"flows[1].devx_capture.file: {paths[1]}: No such file or directory" in missing.stderr, missing.stderr
    print("2 captures and a generated flow: 1800 frames; 2 refusals")


main()
