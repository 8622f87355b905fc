#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The telemetry of net_devx tells the truth about two ports of dpdk-testpmd, also while they stop and start.

Usage: testpmd-telemetry.py LAUNCHER DRIVER_DIR ENDPOINT REPORT

LAUNCHER is devx-emu. ENDPOINT is the endpoint file for DPDK's dpdk-telemetry-exporter.py, REPORT is devtools/report.
"""
import collections
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

LAUNCHER, DRIVER_DIR, ENDPOINT, REPORT = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:])
NAMES = ["/net_devx/" + n for n in ("caps", "commands", "history", "objects", "queues", "recovery")]
N_QUEUES = 2
N_RESTARTS = 10
N_ANSWERS = 100
N_JUNK = 3000
# These of DPDK use the number of a heap, zone or port without a check, so they end any program of DPDK (doc/net_devx.md).
UNCHECKED = {"/eal/heap_info", "/eal/memzone_info", "/ethdev/info"}
PATIENCE_S = 120  # ten times what the longest wait takes on a quiet machine


def fail(text):
    sys.exit("FAIL: " + text)


def expect(want, found, subject):
    if want != found:
        fail(f"{subject}: {found!r} (expected: {want!r})")


def wait_until(done, subject):
    """Waits until done() returns something true, and returns it."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := done()):
        if time.monotonic() > deadline:
            fail(f"{subject}: not within {PATIENCE_S} seconds")
        time.sleep(0.05)
    return found


class Telemetry:
    """A connection to telemetry, with the method that endpoint files of the exporter call."""

    def __init__(self, path):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.sock.settimeout(PATIENCE_S)
        self.sock.connect(str(path))
        self.room = json.loads(self.sock.recv(1024))["max_output_len"]

    def cmd(self, uri, arg=None):
        self.sock.send((uri if arg is None else f"{uri},{arg}").encode())
        return json.loads(self.sock.recv(self.room))[uri]


class Testpmd:
    """dpdk-testpmd with two ports of net_devx on emu."""

    def __init__(self, folder):
        self.log, self.trace = folder / "log", folder / "trace"
        env = dict(os.environ, RUNTIME_DIRECTORY=str(folder), LD_LIBRARY_PATH=DRIVER_DIR)
        command = [LAUNCHER, "--ports", "2", "--wire", "loop", "--trace", str(self.trace), "--", "dpdk-testpmd", "--no-huge",
                   "-m", "256", "--iova-mode=va", "--no-shconf", "-l", "0-1", "--no-pci", "-d", "librte_net_devx.so",
                   "--vdev", "net_devx0,ibdev=mlx5_0", "--vdev", "net_devx1,ibdev=mlx5_1", "--", "-i", "--no-mlockall",
                   f"--rxq={N_QUEUES}", f"--txq={N_QUEUES}", "--total-num-mbufs=8192", "--nb-cores=1"]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=log,
                                            stderr=subprocess.STDOUT)
        self.socket = folder / "dpdk/rte/dpdk_telemetry.v2"

    def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def is_alive(self):
        return self.process.poll() is None

    def quit(self):
        self.type("quit")
        return self.process.wait(PATIENCE_S)


def check_names(telemetry):
    expect(NAMES, sorted(n for n in telemetry.cmd("/") if n.startswith("/net_devx/")), "list of commands")
    for name in NAMES:
        if "Parameter" not in telemetry.cmd("/help", name)[name]:
            fail(f"{name}: the help names no parameter")


def check_parameters(telemetry):
    """Each bad parameter has an answer of one line."""
    for name in NAMES:
        for parameter, says in ((None, "port: missing (valid: 0, 1)"), ("2", "port: no such port"), ("x", "port: no such port"),
                                ("-1", "port: no such port"), ("99999999999", "port: no such port"),
                                ("0x", "port: no such port"), ("", "port: missing")):
            answer = telemetry.cmd(name, parameter)
            if list(answer) != ["error"] or not answer["error"].startswith(says):
                fail(f"{name},{parameter}: {answer} (expected: {says})")
    for name in NAMES:
        if name != "/net_devx/queues":
            expect({"error": "parameters: more than a port id; send only the port id"}, telemetry.cmd(name, "0,1"), name)
    for queue in ("rx,2", "tx,2", "ring,0", "rx", "rx,", "rx,-1", "rx,1,1", "zz,0", "1"):
        expect({"error": "queue: no such queue (valid: rx,0 to rx,1; tx,0 to tx,1)"},
               telemetry.cmd("/net_devx/queues", "0," + queue), "queue " + queue)


def check_commands(telemetry, trace):
    """The numbers of commands are those in the trace of emu."""
    for port in range(2):
        ours = telemetry.cmd("/net_devx/commands", port)
        lines = [line for line in trace.read_text().splitlines() if f" port {port} " in line]
        seen = collections.Counter(word.upper() for line in lines for word in re.findall(r" ((?:create|modify)_\w+) ", line))
        for command in ("CREATE_CQ", "CREATE_RQ", "CREATE_SQ", "MODIFY_RQ", "MODIFY_SQ", "CREATE_TIS"):
            expect(seen[command], ours["by_opcode"].get(command, 0), f"port {port}: {command}")
        expect(ours["commands"], sum(ours["by_opcode"].values()), f"port {port}: sum of the commands")
        expect(0, ours["failed"], f"port {port}: failed commands")
        expect(N_QUEUES, ours["by_opcode"]["CREATE_SQ"], f"port {port}: SQs")


def check_history(telemetry):
    """The newest commands are in the order of their numbers and times, and the last number is that of the account."""
    for port in range(2):
        history, n = telemetry.cmd("/net_devx/history", port), telemetry.cmd("/net_devx/commands", port)["commands"]
        expect([str(i) for i in range(max(0, n - 100), n)], list(history), f"port {port}: numbers of the commands")
        lines = list(history.values())
        expect(sorted(lines), lines, f"port {port}: times of the commands")
        wrong = [line for line in lines if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z [A-Z_]+: OK", line)]
        expect([], wrong, f"port {port}: commands")


def check_started(telemetry):
    for port in range(2):
        caps = telemetry.cmd("/net_devx/caps", port)
        expect(f"mlx5_{port}", caps["device"]["ibdev"], "ibdev")
        queues = telemetry.cmd("/net_devx/queues", port)
        for side in ("rx", "tx"):
            expect(N_QUEUES, queues[side]["running"], f"port {port}: running {side} queues")
            expect(N_QUEUES, sum(queues[side].values()), f"port {port}: {side} queues")
        objects = telemetry.cmd("/net_devx/objects", port)
        expect((2 * N_QUEUES, N_QUEUES, N_QUEUES, 0), (objects["cq"], objects["rq"], objects["sq"], objects["stuck"]),
               f"port {port}: CQs, RQs, SQs, stuck objects")


def count_packets(telemetry, side):
    return sum(telemetry.cmd("/net_devx/queues", f"{port},{side},{i}")["packets"] for port in range(2) for i in range(N_QUEUES))


def check_traffic(telemetry, testpmd):
    testpmd.type("set fwd io")
    testpmd.type("start tx_first")
    for side in ("tx", "rx"):
        wait_until(lambda s=side: count_packets(telemetry, s) > 1000, f"{side} packets")
    for line in ("stop", "set fwd rxonly", "start"):
        testpmd.type(line)
    # testpmd may still forward while it reads "stop": the counts are equal from the end of the traffic on
    wait_until(lambda: 0 < count_returned(telemetry) == count_packets(telemetry, "rx"), "the return of all packets, in ethdev and in the queues")
    testpmd.type("stop")


def count_returned(telemetry):
    """Returns the packets that ethdev counts, once the ports have received all that they sent; else 0."""
    stats = [telemetry.cmd("/ethdev/stats", port) for port in range(2)]
    received = sum(s["ipackets"] for s in stats)
    return received if received == sum(s["opackets"] for s in stats) else 0


def check_rate(telemetry, testpmd):
    testpmd.type("set port 0 queue 1 rate 100")
    wait_until(lambda: telemetry.cmd("/net_devx/objects", 0)["rate_limit"] == 1, "the rate limit")
    expect(100, telemetry.cmd("/net_devx/queues", "0,tx,1")["rate_limit_mbps"], "rate of the queue")
    expect(0, telemetry.cmd("/net_devx/queues", "0,tx,0")["rate_limit_mbps"], "rate of the other queue")
    expect(0, telemetry.cmd("/net_devx/objects", 1)["rate_limit"], "rate limits of the other port")


def check_stopped(telemetry, testpmd):
    testpmd.type("port stop 0")
    wait_until(lambda: telemetry.cmd("/net_devx/queues", 0) == {"started": 0}, "the stop")
    expect({"error": "queue: the port is stopped; start it"}, telemetry.cmd("/net_devx/queues", "0,rx,0"), "stopped queue")
    expect(0, telemetry.cmd("/net_devx/objects", 0)["cq"], "CQs of a stopped port")
    stopped = telemetry.cmd("/net_devx/recovery", 0)
    expect({"started": 0} | {name: 0 for name in stopped if name.startswith("device_")}, stopped, "stopped port")
    expect(True, "device_recoveries" in stopped, "stopped port counts recoveries of the device")
    expect(1, telemetry.cmd("/net_devx/queues", 1)["started"], "the other port")
    testpmd.type("port start 0")
    wait_until(lambda: telemetry.cmd("/net_devx/queues", 0)["started"], "the start")


def check_endpoint(telemetry):
    """Runs the endpoint file as the exporter does, and compares some of its metrics with telemetry."""
    spec = importlib.util.spec_from_file_location("net_devx", ENDPOINT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    info, found = module.info(), {}
    for name, value, labels in module.metrics(telemetry):
        key = (name, tuple(sorted(labels.items())))
        if key in found or name not in info or not isinstance(value, int) or "port" not in labels:
            fail(f"{ENDPOINT}: metric {name} {labels} {value}: twice, unknown, no number or without a port")
        found[key] = value
    expect(set(info), {name for name, _ in found}, "names of the metrics")
    for name, (text, kind) in info.items():
        if not text or kind not in ("counter", "gauge"):
            fail(f"{ENDPOINT}: {name}: no text, or a type other than counter and gauge")
    for port in range(2):
        by_opcode = telemetry.cmd("/net_devx/commands", port)["by_opcode"]
        expect(by_opcode["CREATE_CQ"], found["commands", (("command", "CREATE_CQ"), ("port", port))], "metric commands")
        expect(N_QUEUES, found["queues", (("port", port), ("side", "rx"), ("state", "running"))], "metric queues")
    exporter = shutil.which("dpdk-telemetry-exporter.py") # from DPDK 23.11 on
    if exporter:
        subprocess.run([exporter, "--load-path", os.path.dirname(ENDPOINT), "--endpoint", "net_devx", "--list"], check=True)


def run_report(folder, *arguments):
    """Runs the report where telemetry's sockets are below a folder. Returns (exit status, stdout, stderr)."""
    done = subprocess.run([REPORT, *arguments], env=dict(os.environ, RUNTIME_DIRECTORY=str(folder), SECRET_OF_MINE="hunter2"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False)
    return done.returncode, done.stdout, done.stderr


def check_report(testpmd):
    """The report has the parts of both ports and no secrets; bad input gets one line."""
    folder = testpmd.log.parent
    file = folder / "report.txt"
    status, out, err = run_report(folder, "--output", str(file))
    expect((0, ""), (status, err), "report")
    text = file.read_text()
    expect(f"{file}: {text.count(chr(10))} lines\n", out, "line of the report")
    for part in ("## Versions\n", "\nkernel: ", "\nrdma-core: ", "\nDPDK: ", "\n## Program with DPDK ", "\n  ibdev: mlx5_1\n",
                 "\n  packet_pacing: 1\n", "\n### port 1, xstats\n", "\nrx_out_of_buffer: 0\n", "\n### port 0, rx queue 1\n",
                 "\n### port 1, tx queue 0\n", "\n  CREATE_SQ: ", "Z CREATE_SQ: OK\n", "\n### port 0, recovery\n"):
        if part not in text:
            fail(f"report: lacks {part!r}:\n{text[:2000]}")
    for secret in ("02:de:c5:00:00:0", "hunter2", "dpdk-testpmd", str(folder), socket.gethostname()):
        if secret.lower() in text.lower():
            fail(f"report: has {secret!r}")
    expect(0o600, file.stat().st_mode & 0o777, "mode of the report")
    expect((1, "", f"devx-report: {file}: File exists; choose a new file with --output\n"),
           run_report(folder, "--output", str(file)), "report into an old file")
    if not any(pathlib.Path(d, "device/vendor").exists() for d in pathlib.Path("/sys/class/infiniband").glob("*")):
        nothing = ("devx-report: no mlx5 device on this machine and no running program with net_devx; run it on the machine "
                   "with the problem, as the user of the program\n")
        expect((1, "", nothing), run_report(folder / "nowhere", "--output", str(folder / "none")), "report without an adapter")
        expect(False, (folder / "none").exists(), "a report without an adapter exists")


def make_junk(rng):
    """Returns parameters that no person would send, or nearly right ones."""
    number = rng.choice([0, 1, 2, 31, 32, 255, 256, 65535, 65536, 99999, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 63, 1 << 64])
    text = bytes(rng.choice(b"rtxing,0123456789-") for _ in range(rng.randrange(20)))
    return rng.choice([b"", b",%d" % number, b",-%d" % number, b",0x%x" % number, b",0," + text, b",1," + text, b"," * rng.randrange(900),
                       b"," + b"9" * rng.randrange(900), b"," + rng.randbytes(rng.randrange(900))])


def send_junk(other, seed, is_over, n_asked, wrong):
    """Sends junk to all commands until is_over(). Each command must answer, those of net_devx with a value.

    Counts the right answers in n_asked[seed]. Appends the first wrong answer to wrong, and ends."""
    rng, names = random.Random(seed), sorted(set(other.cmd("/")) - UNCHECKED)
    while not is_over():
        name, junk = rng.choice(names + 5 * NAMES), make_junk(rng)
        try:
            other.sock.send(name.encode() + junk)
            answer = other.sock.recv(other.room)
            is_right = answer and (name not in NAMES or json.loads(answer)[name])
        except (OSError, ValueError, KeyError) as error:
            is_right, answer = False, error
        if not is_right:
            wrong.append(f"{name}{junk}: {answer}")
            return
        n_asked[seed] += 1


def check_restarts(telemetry, testpmd):
    """Telemetry is asked without a pause while ports stop, start, close and leave, and gets junk while they stop and start."""
    stop, asked, wrong = threading.Event(), collections.Counter(), []

    def ask():
        other = Telemetry(testpmd.socket)
        while not stop.is_set():
            for name in NAMES:
                for parameter in ("0", "1", "0,rx,1", "1,tx,0") if name == "/net_devx/queues" else ("0", "1"):
                    answer = other.cmd(name, parameter)
                    asked["error" in (answer or {})] += 1
                    if not answer:
                        wrong.append(f"{name},{parameter}: {answer}")

    thread = threading.Thread(target=ask)
    thread.start()
    n, n_junk = 0, [0] * 3

    def is_junk_over():
        return wrong or min(n_junk) >= N_JUNK or not testpmd.is_alive()
    junk = [threading.Thread(target=send_junk, args=(Telemetry(testpmd.socket), i, is_junk_over, n_junk, wrong)) for i in range(len(n_junk))]
    for j in junk:
        j.start()

    def has_restarted():
        return not testpmd.is_alive() or telemetry.cmd("/net_devx/commands", 1)["by_opcode"]["CREATE_SQ"] == (1 + n) * N_QUEUES
    while testpmd.is_alive() and thread.is_alive() and (n < N_RESTARTS or asked[False] < N_ANSWERS or any(j.is_alive() for j in junk)):
        n += 1
        for line in ("port stop all", "port start all"):
            testpmd.type(line)
        wait_until(has_restarted, "restart")
    if wrong or not is_junk_over() or not testpmd.is_alive(): # ports that close are not for junk: DPDK does not lock them
        fail(f"junk from three clients: {n_junk} answers, wrong: {wrong[:3]}, testpmd alive: {testpmd.is_alive()}")
    for line in ("port stop 1", "port close 1"):
        testpmd.type(line)
    wait_until(lambda: not testpmd.is_alive() or "error" in telemetry.cmd("/net_devx/caps", 1), "the close")
    stop.set()
    thread.join()
    if wrong or not testpmd.is_alive() or asked[False] < N_ANSWERS:
        fail(f"during restarts: {asked[False]} answers, no answer to: {wrong[:3]}, testpmd alive: {testpmd.is_alive()}")
    print(f"{asked[False]} answers and {asked[True]} errors while the ports restarted")
    expect({"error": "port: no such port of net_devx (valid: 0); send /net_devx/caps,PORT"},
           telemetry.cmd("/net_devx/caps", 1), "closed port")
    for line in ("port stop 0", "port close 0"):
        testpmd.type(line)
    wait_until(lambda: "error" in telemetry.cmd("/net_devx/caps", 0), "the close")
    expect({"error": "port: this process has no port of net_devx"}, telemetry.cmd("/net_devx/caps", 0), "no port")


def main():
    if not shutil.which("dpdk-testpmd"):
        print("SKIP: no dpdk-testpmd; install dpdk")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        testpmd = Testpmd(pathlib.Path(name))
        try:
            wait_until(lambda: testpmd.socket.exists() or not testpmd.is_alive(), "the telemetry socket")
            telemetry = Telemetry(testpmd.socket)
            # before the prompt, testpmd waits for the links, which sends commands
            wait_until(lambda: "testpmd> " in testpmd.log.read_text(errors="replace") or not testpmd.is_alive(), "the prompt")
            wait_until(lambda: telemetry.cmd("/net_devx/queues", 1).get("started"), "the start")
            check_names(telemetry)
            check_parameters(telemetry)
            check_started(telemetry)
            check_commands(telemetry, testpmd.trace)
            check_history(telemetry)
            check_traffic(telemetry, testpmd)
            check_rate(telemetry, testpmd)
            check_stopped(telemetry, testpmd)
            check_endpoint(telemetry)
            check_report(testpmd)
            check_restarts(telemetry, testpmd)
            expect(0, testpmd.quit(), "exit status of testpmd")
        finally:
            testpmd.process.kill()
            testpmd.process.wait()
            print(testpmd.log.read_text(errors="replace")[-2000:])
    print("PASS: telemetry of two ports")


if __name__ == "__main__":
    main()
