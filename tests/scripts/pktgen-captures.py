#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-captures.py PKTGEN

A job file replays two captures, each to a port of its own, beside a generated flow. The frames of all flows arrive. A
port that would receive two captures is refused. Of a pcapng file with several interfaces, the frames of Ethernet are
sent, or those of one interface. Files that cannot be read have a cure in their message. Standard library only.
"""
import gzip
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


def make_block(kind, body):
    body += bytes(-len(body) % 4)
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


def make_interface(link, snap, name):
    return make_block(1, struct.pack("<HHIHH", link, 0, snap, 2, len(name)) + name.encode() + bytes(-len(name) % 4))


def write_pcapng(path, interfaces, packets):
    """Writes packets (interface, frame), one each millisecond."""
    with open(path, "wb") as file:
        file.write(make_block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
        for interface in interfaces:
            file.write(make_interface(*interface))
        for i, (interface, frame) in enumerate(packets):
            file.write(make_block(6, struct.pack("<IIIII", interface, 0, 1000 * i, len(frame), len(frame)) + frame))


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


def check_interfaces(pktgen, path):
    """Runs with a file of three interfaces, of which one has another link type."""
    frames = [bytes.fromhex("020000000001020000000002 88b5") + bytes([i]) * 50 for i in range(30)]
    write_pcapng(path, [(1, 65535, "eth0"), (113, 0, "any"), (1, 262144, "eth1")], [(i % 3, f) for i, f in enumerate(frames)])
    options = [pktgen, "run", "--port", "net_ring0"]

    def start(*more, stdin=None):
        return subprocess.run(options + list(more), stdin=stdin, capture_output=True, text=True)

    def refuse(fact, *more, stdin=None):
        done = start(*more, stdin=stdin)
        assert done.returncode == 2 and fact in done.stderr and done.stderr.count("\n") == 1, done

    done = start("--pcap", path)
    assert "OK: 20 sent, 20 received, 0 lost, 0 corrupted" in done.stdout and not done.stderr, done
    assert f"{path}: interface 1 (any, LINUX_SLL) is not Ethernet; packets that are not sent: 10\n" in done.stdout, done
    assert done.stdout.count("packets that are not sent") == 1, done

    with open(path, "rb") as file:
        done = start("--pcap", "-", "--interface", "eth1", "--json", path + ".json", stdin=file)
    assert "OK: 10 sent, 10 received, 0 lost, 0 corrupted" in done.stdout, done
    assert "capture -, interface eth1: 10 frames of at most 68 bytes, 10 packets" in done.stdout, done
    assert "-: interface 0 (eth0, EN10MB) is not chosen; packets that are not sent: 10\n" in done.stdout, done
    assert done.stdout.count("packets that are not sent") == 2, done
    with open(path + ".json") as file:
        flow = json.loads(file.readline())["flows"][0]
    assert flow["pcap"] == "-" and flow["interface"] == "eth1" and flow["count"] == 10, flow

    many = path + ".many"
    write_pcapng(many, [(1, 65535, "eth0")] + [(113, 0, f"any{i}") for i in range(9)], list(enumerate(frames[:10])))
    done = start("--pcap", many)
    assert "OK: 1 sent, 1 received, 0 lost, 0 corrupted" in done.stdout, done
    assert done.stdout.count("is not Ethernet; packets that are not sent: 1\n") == 8, done
    assert f"{many}: packets of 1 more interface are not sent\n" in done.stdout, done

    # The job file of this command line has the interface. Two flows may replay two interfaces of one file.
    printed = start("--pcap", path, "--interface", "2", "--print-config")
    job = json.loads(printed.stdout)
    assert job["flows"][0]["devx_capture"] == {"file": path, "interface": "2"}, job
    job["ports"].append({"name": "second", "location": "net_ring1"})
    job["flows"].append(make_flow("b", "second", 10, path))
    job["flows"][1]["devx_capture"]["interface"] = "eth0"
    done = subprocess.run([pktgen, "run", "--config", "-"], input=json.dumps(job), capture_output=True, text=True)
    assert "OK: 20 sent, 20 received, 0 lost, 0 corrupted" in done.stdout, done
    job["flows"][1]["devx_capture"]["interface"] = "eth9"
    done = subprocess.run([pktgen, "run", "--config", "-"], input=json.dumps(job), capture_output=True, text=True)
    assert f"flows[1].devx_capture.file: {path}: no interface eth9 in the file (valid: interface 0 (eth0, " in done.stderr, done

    refuse("no interface 3 in the file (valid: interface 0 (eth0, EN10MB), interface 1", "--pcap", path, "--interface", "3")
    refuse("link type is LINUX_SLL (113)", "--pcap", path, "--interface", "any")
    refuse("--interface: no capture; give --pcap FILE", "--interface", "0")
    refuse("--interface and --config: the job file has", "--interface", "0", "--config", "-")
    refuse(f"--pcap {path}: the second capture, after b.pcap (valid: one); join them: mergecap -a -w NEW b.pcap {path}",
           "--pcap", "b.pcap", "--pcap", path)
    refuse("--json y: given before, as x (valid: once); leave one out", "--json", "x", "--json", "y")
    with open(path, "rb") as plain, gzip.open(path + ".gz", "wb") as packed:
        packed.write(plain.read())
    refuse(f"{path}.gz: is compressed with gzip (valid: pcap, pcapng); unpack it: gzip -dc {path}.gz | devx-pktgen run --pcap - ...",
           "--pcap", path + ".gz")
    with open(path + ".gz", "rb") as file:
        refuse("-: is compressed with gzip (valid: pcap, pcapng); unpack it: gzip -dc FILE |", "--pcap", "-", stdin=file)
    os.mkfifo(path + ".fifo")
    refuse(f"is a device or pipe (valid: a capture file, pcap or pcapng); give --pcap - < {path}.fifo", "--pcap", path + ".fifo")


def check_longer(pktgen, path):
    """Runs with a capture whose packets have bytes that the wire did not have."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for i in range(3):
            frame = bytes.fromhex("020000000001020000000002 88b5") + bytes([i]) * 86
            file.write(struct.pack("<IIII", i, 0, len(frame), len(frame) - 4 * i) + frame)
    done = subprocess.run([pktgen, "run", "--port", "net_ring0", "--pcap", path], capture_output=True, text=True)
    assert "OK: 3 sent, 3 received, 0 lost, 0 corrupted" in done.stdout, done
    assert (f"{path}: packets with more bytes in the file than on the wire: 2 (the first is packet 2, with 100 and 96 bytes); "
            "all bytes of the file are sent\n") in done.stdout, done


def main():
    pktgen = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        check_interfaces(pktgen, os.path.join(folder, "three.pcapng"))
        check_longer(pktgen, os.path.join(folder, "longer.pcap"))
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
