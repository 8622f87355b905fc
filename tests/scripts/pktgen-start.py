#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-start.py PKTGEN_FAULTY CAPTURE STEP_CLOCK EMU DRIVER_DIR

In each run, another call that devx-pktgen makes at its start fails (tests/pktgen/start_faults.c): memory, queues, ports. If
devx-pktgen needs the call, it ends with the documented status and one line, sends nothing and frees its memory. If not, the
run succeeds. DRIVER_DIR is empty without net_devx.
"""
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile

MET, NOT_MET, USAGE, ENVIRONMENT, REPORT = 0, 1, 2, 3, 4
N_FRAMES = 3  # of the capture


@dataclasses.dataclass
class Result:
    """The end of a run. @happened: whether the fault did; @line: of the error, or the verdict."""
    happened: int
    status: int
    out: str
    err: str
    line: str


class Program:
    def __init__(self, program, clock, emu, driver):
        self.program, self.emu, self.clock = program, emu, ["--cores", "1", "--", "-d", os.path.basename(clock)]
        self.env = {**os.environ, "PKTGEN_FAULT_LOG": "log", "LD_LIBRARY_PATH": f"{os.path.dirname(clock)}:{driver}"}
        # Memory that EAL leaves at exit is not the subject; start_faults.c counts that of devx-pktgen.
        self.env["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        self.n_runs = 0

    def run(self, fault, args, on_emu=False, env=None, n_kept=4, stdin=subprocess.DEVNULL):
        """Runs devx-pktgen. Expects the words of its end, and that only @n_kept objects are not freed: copy of the command line, headers of the options, size mixes."""
        self.n_runs += 1
        if os.path.exists("log"):
            os.unlink("log")
        command = [self.program, "run", *args, *([] if on_emu else self.clock)]
        launch = [self.emu, "--ports", "2", "--wire", "pair,pause=on", "--quiet", "--"] if on_emu else []
        for _ in range(3):  # DPDK itself sometimes ends a run (devtools/tally)
            done = subprocess.run(launch + command, stdin=stdin, capture_output=True, text=True, timeout=100, check=False,
                                  env={**self.env, "PKTGEN_FAULT": fault, **(env or {})})
            if not re.search(r"rte_service_init\(\) failed|Cannot get hugepage information", done.stderr):
                break
        what = f"{fault}: status {done.returncode}\n{done.stdout}{done.stderr}"
        assert os.path.exists("log"), f"{what}\nit did not end by itself"
        with open("log", encoding="utf-8") as file:
            happened, n_live = map(int, file.read().split())
        assert n_live <= n_kept, f"{what}\n{n_live} objects are not freed (valid: at most {n_kept})"
        verdict = re.search(r"^(OK|FAIL): .*", done.stderr if "--json -" in " ".join(args) else done.stdout, re.M)
        lines = [line for line in done.stderr.splitlines() if line.startswith("pktgen_faulty: ")]
        if done.returncode in (MET, NOT_MET):
            assert verdict and (verdict[1] == "OK") == (done.returncode == MET), what
            return Result(happened, done.returncode, done.stdout, done.stderr, verdict[0])
        assert len(lines) == 1 and (not verdict or done.returncode == REPORT), f"{what}\nnot one line, or it sent packets"
        return Result(happened, done.returncode, done.stdout, done.stderr, lines[0])

    def sweep(self, call, args, **more):
        """Lets the first, second, third... call fail. Returns the results."""
        results = []
        while True:
            result = self.run(f"{call}:{len(results) + 1}", args, **more)
            if not result.happened:
                assert results and result.status == MET, f"{call}: no call of it, or the run without a fault fails: {result}"
                return results
            results.append(result)

    def expect(self, call, args, *want, **more):
        """Expects the statuses and texts of a sweep."""
        results = self.sweep(call, args, **more)
        assert len(results) == len(want), f"{call}: {len(results)} calls (valid: {len(want)}): {results}"
        for i, (result, (status, text)) in enumerate(zip(results, want), 1):
            assert result.status == status and text in result.line, f"{call}:{i}: status {result.status} (valid: {status}): {result.line}"

    def says(self, fault, status, text, args, **more):
        """Expects a status, and a text that the run without the fault does not print."""
        result, good = self.run(fault, args, **more), self.run("none:1", args, **more)
        assert result.happened and result.status == status and text in result.out + result.err, f"{fault}: status {result.status} (valid: {status}), or no '{text}': {result}"
        assert text not in good.out + good.err, f"no fault, and '{text}'"


# The messages of a run without memory for something.
MEMORY = {
    (NOT_MET, "N sent, N received, N lost, N corrupted; the counters are incomplete: no memory to track every packet"),
    (USAGE, "job.json: flows: no memory for them"),
    (USAGE, "job.json: flows[N].devx_capture.file: few.pcap: no memory for N packets"),
    (USAGE, "job.json: flows[N].devx_capture.file: few.pcap: no memory for the interfaces"),
    (USAGE, "job.json: flows[N].devx_capture.file: few.pcap: no memory for it; free some memory"),
    (USAGE, "job.json: flows[N].devx_capture.file: few.pcap: no memory for packet N"),
    (USAGE, "job.json: flows[N].packet[N].udp.src_port.values: no memory for it"),
    (USAGE, "job.json: flows[N].packet[N]: no memory for the headers; free some memory"),
    (USAGE, "job.json: flows[N].packet[N].ipvN.src: no memory for the headers; free some memory"),
    (USAGE, "job.json: flows[N].packet[N].udp.checksum: no memory for the headers; free some memory"),
    (USAGE, "job.json: flows[N].packet[N].udp.src_port: no memory for the headers; free some memory"),
    (USAGE, "job.json: flows[N].size.weight_pairs.custom: no memory for the sizes; free some memory"),
    (USAGE, "job.json: no memory for it"),
    (USAGE, "job.json: ports[N].location: no memory for it"),
    (ENVIRONMENT, "N flows: no memory for their frames; free some memory"),
    (ENVIRONMENT, "no memory for the names of files; free some memory"),
    (ENVIRONMENT, "no memory for the report; free some memory"),
    (ENVIRONMENT, "no memory for the reports; free some memory"),
    (ENVIRONMENT, "no memory for the workers; free some memory"),
    (ENVIRONMENT, "no memory to account for the packets; free some memory"),
    (ENVIRONMENT, "port N, send queue N: no memory for its buffers; give EAL more memory (-- -m N)"),
    (ENVIRONMENT, "port net_ringN: no memory for N buffers of N bytes for receive queue N; give EAL more memory (-- -m N)"),
    (ENVIRONMENT, "port net_ringN: no memory for answers; give EAL more memory (-- -m N)"),
    (REPORT, "--csv c: no memory"),
    (REPORT, "--json j: no memory"),
    (REPORT, "--latency-log l: no memory"),
}


def make_job(program, capture):
    """Writes job.json: a flow of two sizes with a checksum of its payload, one of a capture, and one with a list of values."""
    with open(capture, "rb") as file, open("few.pcap", "wb") as few:
        few.write(file.read(24))
        for _ in range(N_FRAMES):
            head = file.read(16)
            few.write(head + file.read(int.from_bytes(head[8:12], "little")))

    def get_flow(*args):
        text = subprocess.run([program, "run", "--port", "net_ring0", *args, "--print-config"], check=True, capture_output=True, text=True).stdout
        return json.loads(text)
    job = get_flow("-n", "9", "--size", "100,110", "--packet", "ethernet/ipv4(src=10.0.0.1-10.0.0.9)/udp", "--checksums", "software")
    job["flows"] += get_flow("--pcap", "few.pcap")["flows"] + get_flow("-n", "9", "--rate", "1Mpps", "--packet", "ethernet/ipv4/udp(checksum=0,src_port=5;6;9)")["flows"]
    for i, flow in enumerate(job["flows"]):
        flow["name"] = f"flow {i}"
    with open("job.json", "w", encoding="utf-8") as file:
        json.dump(job, file)


def check_memory(program):
    """Each allocation fails once. The run goes on without some of them."""
    args = ["--config", "job.json", "--json", "j", "--csv", "c", "--latency-log", "l", "--address", "0=10.0.0.1/24"]
    found = set()
    for call in ("malloc", "calloc", "aligned_alloc", "strdup", "realloc", "asprintf", "open_memstream", "json_dumps",
                 "rte_pktmbuf_pool_create", "rte_ring_create"):
        for result in program.sweep(call, args):
            if result.status:
                found.add((result.status, re.sub(r"[0-9]+", "N", result.line.split(": ", 1)[1])))
    assert found == MEMORY, f"other messages: {found - MEMORY}; missing: {MEMORY - found}"


def check_lists(program):
    """A list of values is freed where another one replaces it, and where a flow of the other direction has its copy."""
    packet = "ethernet/ipv4(src=10.0.0.1;10.0.0.2,dst=10.0.0.3;10.0.0.5)/udp(src_port=5;6,src_port=7;8)"
    result = program.run("none:1", ["--port", "net_ring0", "--port", "net_ring1", "--both", "-n", "9", "--send-only", "--packet", packet],
                         n_kept=6)  # with the lists of the option
    assert "(src=10.0.0.3;10.0.0.5,dst=10.0.0.1;10.0.0.2)" in result.out and "dst_port=7;8" in result.out, result
    # Only the last of two packets is kept.
    both = [w for ip in ("10.0.0.1", "10.0.0.9") for w in ("--packet", f"ethernet/ipv4(src={ip};10.0.0.2)/udp")]
    result = program.run("none:1", ["--port", "net_ring0", "-n", "9", *both], n_kept=4)
    assert "ethernet(" in result.out and "src=10.0.0.9;10.0.0.2" in result.out and "10.0.0.1" not in result.out, result


def check_ports(program):
    ring = ["--port", "net_ring0", "-n", "9", "--drain", "60s"]
    stream = (ENVIRONMENT, "stream 0: no memory for its buffers; give EAL more memory (-- -m 1024)")
    limits, goes_on = (ENVIRONMENT, "port net_ring0: cannot read its limits: Input/output error"), (MET, "OK: 9 sent")
    hwloc = (ENVIRONMENT, "hwloc cannot read the CPUs of this machine")

    program.expect("rte_pktmbuf_pool_create", ring, (ENVIRONMENT, "for receive queue 0; give EAL more memory (-- -m 1024)"), stream)
    program.expect("rte_eth_dev_info_get", ring, limits, limits, goes_on)
    program.expect("rte_eth_dev_configure", ring, (ENVIRONMENT, "port net_ring0: cannot configure it: Input/output error"))
    program.expect("rte_eth_rx_queue_setup", ring, (ENVIRONMENT, "port net_ring0: cannot set up its receive queue 0: Input/output error"))
    program.expect("rte_eth_tx_queue_setup", ring, (ENVIRONMENT, "port net_ring0: cannot set up its send queue 0: Input/output error"))
    program.expect("rte_eth_dev_start", ring, (ENVIRONMENT, "port net_ring0: cannot start it: Input/output error"))
    program.expect("rte_eth_dev_get_mtu", ring, goes_on, goes_on)
    program.expect("hwloc_topology_init", ring, hwloc)
    program.expect("hwloc_topology_init", ["--config", "job.json"], hwloc)
    program.expect("hwloc_topology_load", ring, hwloc)
    program.expect("hwloc_bitmap_alloc", ring, goes_on)
    # The port is also found by the name of its device.
    program.expect("rte_eth_dev_get_port_by_name", ring, goes_on)
    program.expect("memfd_create", ring, goes_on)
    program.expect("pthread_getcpuclockid", ring, goes_on)
    # Answers come from another pool than the frames: then no queue may free its buffers to one pool.
    result = program.run("fast_free:1", ring)
    assert result.status == ENVIRONMENT and "cannot configure it" in result.line, result
    assert program.run("fast_free:1", [*ring, "--address", "0=10.0.0.1/8"]).status == MET, "fast free with answers"
    program.says("other_mtu:1", MET, "MTU 1400, link up", ring)
    mtu = program.run("rte_eth_dev_set_mtu:1", [*ring, "--mtu", "1500"])
    assert mtu.status == ENVIRONMENT and "--mtu 1500: port net_ring0: cannot set it: Input/output error" in mtu.line, mtu
    job = program.run("json_dumps:1", [*ring, "--print-config"])
    assert job.status == ENVIRONMENT and "no memory for the job" in job.line and not job.out, job
    program.says("rte_eth_promiscuous_enable:1", MET, "link up, 10 Gb/s\n", ring)
    program.says("no_speed:1", MET, "link up, unknown speed, promiscuous\n", ring)
    program.says("no_link:1", ENVIRONMENT, "port net_ring0: the link has been down for 5 s; check the cable", ring)
    assert program.run("no_link:1", ring).out.count("port 0: waiting for the link") == 5, "not a line in each second"
    program.says("no_speed:1", USAGE, "--rate in %: port net_ring0 does not report the speed of its link; give the rate in pps or bps",
                 [*ring, "--rate", "5%"])
    program.says("no_node:1", MET, "WARNING: port net_ring0: its NUMA node is unknown; its workers may be on another node", ring,
                 env={"HWLOC_SYNTHETIC": "node:2 core:1 pu:1"})


def check_pauses(program):
    """The sum of all counters of pause frames since the start. Here the 9 packets that the port sent count, and those that it received."""
    for fault, n in ("pauses:1", 18), ("none:1", None), ("rte_eth_xstats_get_names:2", None):
        result = program.run(fault, ["--port", "net_ring0", "-n", "9", "--json", "j"])
        with open("j", encoding="utf-8") as file:
            got = json.loads(file.readlines()[-1])["ports"][0].get("pause_frames_rx")
        assert result.status == MET and got == n, f"{fault}: {got} pause frames (valid: {n})"


def check_hugepages(program, path):
    """Hugepages that vanish before EAL takes them: devx-pktgen starts again with ordinary memory, in the same process, with the same reports."""
    again, ordinary = "another program took the free hugepages; starting again with --no-huge\n", "--no-huge given: EAL runs with --no-huge on "
    ring = ["--port", "net_ring0", "-n", "9"]
    job = subprocess.run([path, "run", *ring, "--print-config"], capture_output=True, text=True, check=True).stdout
    if sum(int(open(f"/sys/kernel/mm/hugepages/{d}/free_hugepages", encoding="utf-8").read()) for d in os.listdir("/sys/kernel/mm/hugepages")):
        print("not tried: hugepages that vanish, because some are free")
        return
    result = program.run("hugepages:1", [*ring, "--json", "j"])
    assert result.status == MET and result.out.startswith(again + ordinary), result.out
    with open("j", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    assert [r["record"] for r in (records[0], records[-1])] == ["start", "final"] and records[0]["command"][1:3] == ["run", "--no-huge"], records[0]
    result = program.run("hugepages:1", [*ring, "--json", "-"])
    assert result.status == MET and result.err.startswith(again + ordinary), result.err
    assert [json.loads(line)["record"] for line in result.out.splitlines()][::max(1, result.out.count("\n") - 1)] == ["start", "final"], result.out
    with open("job", "w", encoding="utf-8") as file:
        file.write("first line\n" + job)
    with open("job", encoding="utf-8") as file:
        os.lseek(file.fileno(), len("first line\n"), os.SEEK_SET)
        assert program.run("hugepages:1", ["--config", "-"], stdin=file).status == MET, "a job that stdin has"
    pipe, write = os.pipe()
    os.write(write, job.encode())
    os.close(write)
    result = program.run("hugepages:1", ["--config", "-"], stdin=pipe)
    os.close(pipe)
    assert result.status == ENVIRONMENT and "stdin is a pipe and cannot be read again; give --no-huge" in result.line, result.line


def check_emu(program):
    """Checks the calls that devx-pktgen makes only for a port with a clock."""
    two = ["--port", "net_devx0,ibdev=mlx5_0", "--port", "net_devx1,ibdev=mlx5_1", "-n", "9", "--drain", "60s"]
    for fault, why in ("rte_mbuf_dyn_rx_timestamp_register:1", "mbufs have no room for timestamps"), ("rte_eth_read_clock:1", "its clock cannot be read"):
        program.says(fault, USAGE, f"--timestamps device: port net_devx1,ibdev=mlx5_1: {why}; give --timestamps tsc or auto",
                     [*two, "--timestamps", "device"], on_emu=True)
        program.says(fault, MET, f"port 1: receive time: TSC ({why})", two, on_emu=True)


def main():
    path, capture, clock, emu = (os.path.realpath(a) for a in sys.argv[1:5])
    program = Program(path, clock, emu, sys.argv[5] and os.path.realpath(sys.argv[5]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_job(path, capture)
        check_memory(program)
        check_lists(program)
        check_ports(program)
        check_pauses(program)
        check_hugepages(program, path)
        if sys.argv[5]:
            check_emu(program)
    print(f"{program.n_runs} runs")


main()
