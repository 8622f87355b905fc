# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests that reach a change, until one fails.

Each test runs once without a change, and leaves marks at the places that it reaches (switch.py). Only tests that reach a change
can notice it, and in a test program only cases that do. A test that fails without a change is left out.
"""
import concurrent.futures
import dataclasses
import itertools
import json
import os
import re
import signal
import subprocess
import threading
import time

from mutation import switch
from mutation.bench import SKIPPED

# Words in the commands of the tests that belong to an area. They run first.
NEAR = {"driver": ("tests/pmd/",), "devx": ("tests/devx/", "tests/prm/"), "pktgen": ("tests/pktgen/", "/pktgen-"),
        "emu": ("tests/emu/", "tests/uverbs/"), "bench": ("tests/bench/", "/bench-")}
# A test runs in namespaces of its own: a process that it leaves behind ends with it, and a wrong kill() hits nothing else. Each
# has its own process numbers and its own /run/dpdk, because DPDK names files and sockets by the number of the process.
ALONE = ["unshare", "-pf", "--mount-proc", "--kill-child", "sh", "-c",
         'mkdir -p /run/dpdk && mount -t tmpfs dpdk /run/dpdk && echo "$0" > /proc/sys/kernel/ns_last_pid || exit 99; "$@"; exit $?']
# Failures because of another project's program, as in devtools/tally: the test runs once more.
OTHERS = re.compile(r"^OTHERS: |^EAL: .*rte_service_init\(\) failed|EAL: Cannot get hugepage information", re.M)
HANG = 6  # times the usual time of a test
HANG_MORE = 20  # seconds
LOG_MAX = 64 << 20  # bytes; a test that prints more has failed
FIRST_LIMIT = 600  # seconds, of the run without a change


@dataclasses.dataclass
class Test:
    """A test of meson's. @seconds: of its run without a change; @cases: [(name, seconds)] of a program of GoogleTest, in order;
    @reached: {number of a bug: cases that reached it}; @is_long: of the suite long. @lock: two runs of one test at once could disturb each other."""
    name: str
    command: list
    env: dict
    folder: str
    is_long: bool = False
    seconds: float = 0.0
    cases: list = dataclasses.field(default_factory=list)
    reached: dict = dataclasses.field(default_factory=dict)
    lock: object = dataclasses.field(default_factory=threading.Lock)

    def choose_cases(self, number):
        """Returns the names of the cases that reach a change, or None for the whole test, and the seconds that they take."""
        cases = self.reached.get(number)
        if not cases or not self.cases or cases[0] == 0 or cases[-1] > len(self.cases):
            return None, self.seconds
        start = max(0.0, self.seconds - sum(s for _, s in self.cases))
        chosen = [self.cases[i - 1] for i in cases]
        return [name for name, _ in chosen], start + sum(s for _, s in chosen)


def read_cases(text):
    """Returns [(name, seconds)] of the cases in the output of a GoogleTest program; empty for no or several programs."""
    if len(re.findall(r"^\[=+\] Running ", text, re.M)) != 1:
        return []
    seconds = {m[1]: int(m[2]) / 1000 for m in re.finditer(r"^\[ +\w+ +\] (\S+?),? .*?\((\d+) ms\)$", text, re.M)}
    return [(name, seconds.get(name, 0.0)) for name in re.findall(r"^\[ RUN +\] (\S+)$", text, re.M)]


class Trial:
    def __init__(self, build, logs, with_long=False, limit=None, only=None, n_jobs=os.cpu_count()):
        self.build, self.logs, self.limit, self.n_jobs = build, logs, limit, n_jobs
        self.stop = threading.Event()
        self.numbers = itertools.count(100000, 1000)
        self.can_be_alone = not subprocess.run([*ALONE, "100000", "true"], capture_output=True, check=False).returncode
        text = subprocess.run(["meson", "introspect", "--tests", build], check=True, capture_output=True, text=True).stdout
        self.tests = [Test(t["name"], t["cmd"], t["env"], t["workdir"] or str(build), any("long" in s for s in t["suite"])) for t in json.loads(text)
                      if not {"house", "" if with_long else "long"} & {s.partition(":")[2] or s for s in t["suite"]} and t["is_parallel"]
                      and (only is None or t["name"] in only)]
        self.left_out = []

    def run(self, test, log, limit, env, names=None):
        """Returns the exit status, or "time" or "output" if the test took too long or printed too much."""
        command = list(test.command)
        if names:
            flags = log.with_suffix(".flags")
            flags.write_text(f"--gtest_filter={':'.join(names)}\n", encoding="utf-8")
            command = [*(a for a in command if not a.startswith("--gtest_filter=")), f"--gtest_flagfile={flags}"]
        if self.can_be_alone:
            command = [*ALONE, str(next(self.numbers) % 4000000), *command]
        with open(log, "w", encoding="utf-8") as out, \
                subprocess.Popen(command, cwd=test.folder, env={**os.environ, **test.env, **env}, stdout=out,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True) as process:
            began, result = time.monotonic(), None
            while process.poll() is None and result is None:
                try:
                    process.wait(0.2)
                except subprocess.TimeoutExpired:
                    if time.monotonic() - began > limit or self.stop.is_set():
                        result = "time"
                    elif log.stat().st_size > LOG_MAX:
                        result = "output"
            if result:
                os.killpg(process.pid, signal.SIGKILL)
        return result or process.returncode

    def learn(self, test, numbers):
        """Runs a test without a change. Returns None, or the reason to leave it out."""
        trace, log = self.logs / f"{test.name}.trace", self.logs / f"{test.name}.log"
        switch.make_trace(trace)
        began = time.monotonic()
        status = self.run(test, log, FIRST_LIMIT, {"MUTANT_TRACE": str(trace)})
        test.seconds = time.monotonic() - began
        test.cases = read_cases(log.read_text(encoding="utf-8", errors="replace"))
        test.reached = switch.read_trace(trace, numbers)
        trace.unlink()
        if status:
            return "skipped" if status == SKIPPED else f"fails without a change, see {log}"
        log.unlink()
        return None

    def learn_all(self, numbers, tell):
        """Runs all tests without a change, and keeps those that pass."""
        kept = []
        with concurrent.futures.ThreadPoolExecutor(self.n_jobs) as pool:
            jobs = {pool.submit(self.learn, t, numbers): t for t in self.tests}
            try:
                for done in concurrent.futures.as_completed(jobs):
                    if done.result():
                        self.left_out.append((jobs[done].name, done.result()))
                    else:
                        kept.append(jobs[done])
                    tell(len(kept) + len(self.left_out), len(self.tests))
            except KeyboardInterrupt:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
        self.tests = sorted(kept, key=lambda t: t.name)

    def order_tests(self, bug):
        """Returns the tests that can notice the bug: those of its area first, and short ones first."""
        def is_far(test):
            return not any(w in " ".join(test.command) for w in NEAR[bug.area])
        tests = self.tests if not bug.form and not bug.change.marks else [t for t in self.tests if bug.number in t.reached]
        return sorted(tests, key=lambda t: (t.is_long, is_far(t), t.choose_cases(bug.number)[1]))

    def try_test(self, bug, test):
        """Returns what noticed the bug, or None. The caller holds the lock of the test."""
        names, seconds = test.choose_cases(bug.number)
        log = self.logs / f"bug-{bug.number}-{test.name}.log"
        caught = self.find_failure(test, log, bug.number, seconds, names)
        # Single cases can fail without the bug, and so can any test on a busy machine. A build of its own has no switch.
        if caught and bug.form and self.find_failure(test, log.with_suffix(".without"), 0, seconds, names):
            return names and self.find_failure(test, log, bug.number, test.seconds, None)
        return caught

    def find_failure(self, test, log, number, seconds, names):
        """Runs a test with a bug (0: without). Returns the test and the case that failed, or None."""
        env = {"MUTANT": str(number), "GTEST_FAIL_FAST": "1"}
        for _ in range(2):
            status = self.run(test, log, HANG * seconds + HANG_MORE, env, names)
            text = log.read_text(encoding="utf-8", errors="replace")
            if status == 0 or not OTHERS.search(text):
                break
        if status in (0, SKIPPED) or self.stop.is_set():
            log.unlink()
            return None
        # If a case crashed, it is the last one that began.
        cases = re.findall(r"^\[ +FAILED +\] (\S+?)(?:,|$)", text, re.M)[:1] or re.findall(r"^\[ RUN +\] (\S+)$", text, re.M)[-1:]
        return " ".join([test.name, *cases, *([f"({status})"] if isinstance(status, str) else [])])

    def judge(self, bug):
        """Returns what noticed the bug, or None; the names of the tests that ran, and of those that the limit of time left out."""
        left, ran, seconds = self.order_tests(bug), [], 0
        while left and not self.stop.is_set() and (self.limit is None or seconds < self.limit):
            test = next((t for t in left if t.lock.acquire(blocking=False)), None)
            if not test:
                test = left[0]
                test.lock.acquire()
            try:
                left.remove(test)
                ran.append(test.name)
                seconds += test.choose_cases(bug.number)[1]
                caught = self.try_test(bug, test)
            finally:
                test.lock.release()
            if caught:
                return caught, ran, []
        return None, ran, [t.name for t in left]
