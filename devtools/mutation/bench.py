# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the tree with its build, and the stages of tests that the bugs of the lists meet."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# The stages that a bug meets, one after the other: folder whose bugs meet it, meson's names of its programs, its tests in the
# order in which they find most. A stage builds only its own programs: when a header of the driver has the bug, the tests
# of the first stages, which do not include it, are not built again.
STAGES = [
    ("lib/devx", ["devx_unit", "doorbell_cost_test", "devx_test", "devx_no_wc_test", "devx_mistake_test"],
     ["devx_order", "devx_order_arm64", "devx_unit", "devx_doorbell_cost", "devx", "devx_small", "devx_realtime", "devx_no_wc", "devx_mistakes"]),
    ("", ["rte_net_devx:shared_library", "differ_test"],
     ["differ", "differ_wqes", "differ_wqes_inline", "differ_tx_single", "differ_tx_inline"]),
    ("", ["pmd_test", "pmd_mistake_test"],
     ["pmd_burst", "pmd_control", "pmd_recovery", "pmd_small", "pmd_realtime", "pmd_no_wc", "pmd_jumbo", "pmd_mistakes"]),
]
SCRIPTS = ("", ["devx-pktgen:executable"], ["testpmd_forward", "testpmd_receive", "testpmd_queue-state", "pktgen_emu", "testpmd_refused"])
# The usual limits of tests are minutes, also of tests that take seconds; a bug may make a test hang.
TIMEOUT_MULTIPLIER = "0.3"
SKIPPED = 77  # exit status of a script that did not run
LIKELY_SECONDS = 20  # limit of the tests of a line '?'


def copy_tree(to):
    """Makes @to equal to the work tree. Unchanged files keep their time, so that ninja builds little."""
    names = subprocess.run(["git", "-C", TOP, "ls-files", "-z", "-co", "--exclude-standard"], check=True,
                           capture_output=True, text=True).stdout.split("\0")
    wanted = {n for n in names if n and (TOP / n).is_file()}
    for name in wanted:
        target = to / name
        if target.exists() and target.read_bytes() == (TOP / name).read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, target)
    for path in to.rglob("*"):
        if path.is_file() and str(path.relative_to(to)) not in wanted:
            path.unlink()


class Bench:
    """The copy of the tree, and its build."""

    def __init__(self, out):
        self.tree, self.out, self.log = out / "tree", out / "build", out / "log"
        self.dir = self.out / "gcc"
        self.tree.mkdir(parents=True, exist_ok=True)
        self.log.mkdir(exist_ok=True)

    def prepare(self):
        copy_tree(self.tree)
        if subprocess.run([self.tree / "devtools/deps", "check"], check=False).returncode:
            sys.exit(3)
        self.build("gcc")

    def build(self, config):
        """Builds the tree in a configuration of devtools/build. Returns the folder."""
        if subprocess.run([self.tree / "devtools/build", "--build-dir", self.out, config], check=False).returncode:
            sys.exit(3)
        return self.out / config

    def run(self, name, command):
        with open(self.log / f"{name}.log", "a", encoding="utf-8") as log:
            return subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False).returncode

    def test(self, name, tests):
        """Returns the name of the test that failed, with "(time)" if it took too long, or None."""
        self.run(name, ["meson", "test", "-C", self.dir, "--no-rebuild", "--maxfail", "1", "-t", TIMEOUT_MULTIPLIER, *tests])
        text = (self.dir / "meson-logs/testlog.txt").read_text(encoding="utf-8", errors="replace")
        failed = re.search(r"^ *\d+/\d+ .*?(\S+) +(FAIL|TIMEOUT|ERROR)\b", text, re.M)
        return failed and failed.group(1) + (" (time)" if failed.group(2) == "TIMEOUT" else "")

    def introspect(self, what):
        text = subprocess.run(["meson", "introspect", what, self.dir], check=True, capture_output=True, text=True).stdout
        return json.loads(text)

    def try_likely(self, name, test, case=None):
        """Runs the cases of a test that should catch the bug. Returns what fails, or None."""
        spec = next((t for t in self.introspect("--tests") if t["name"] == test), None)
        files = {t["id"]: t["filename"] for t in self.introspect("--targets")}
        if not spec:
            return None
        if self.run(name, ["ninja", "-C", self.dir, *(os.path.relpath(f, self.dir) for d in spec["depends"] for f in files[d])]):
            return "the compiler"
        command, what = spec["cmd"], test
        if case:
            command = [*(a for a in command if not a.startswith("--gtest_filter=")), f"--gtest_filter={case}"]
            what = f"{test}: {case}"
        path = self.log / f"{name}.log"
        with open(path, "a", encoding="utf-8") as log:
            log.write(f"{' '.join(command)}\n")
            log.flush()
            began = log.tell()
            with subprocess.Popen(command, cwd=self.dir, env={**os.environ, **spec["env"]}, stdout=log, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, start_new_session=True) as process:
                try:
                    failed = process.wait(LIKELY_SECONDS) not in (0, SKIPPED)
                except subprocess.TimeoutExpired:
                    failed, what = True, f"{what} (time)"
                    os.killpg(process.pid, signal.SIGKILL)
        if "] Running 0 tests" in path.read_text(encoding="utf-8", errors="replace")[began:]:
            print(f"[no case of {test} is like {case}]", end=" ", flush=True)
        return what if failed else None

    def try_stages(self, name, file, stages):
        """Returns what fails, or None."""
        for folder, targets, tests in stages:
            if not file.startswith(folder):
                continue
            if self.run(name, ["meson", "compile", "-C", self.dir, *targets]):
                return "the compiler"
            failed = self.test(name, tests)
            if failed:
                return failed
        return None

    def judge(self, bug, stages):
        """Returns "caught", "survived" or "equivalent", and by what or why."""
        path = self.tree / bug.file
        before = path.read_text(encoding="utf-8")
        (self.log / f"{bug.name}.log").unlink(missing_ok=True)
        try:
            path.write_text(bug.find(before), encoding="utf-8")
            failed = bug.likely and self.try_likely(bug.name, *bug.likely)
            failed = failed or self.try_stages(bug.name, bug.file, stages)
        finally:
            path.write_text(before, encoding="utf-8")
        if failed:
            return "caught", failed
        return ("equivalent", bug.equivalent) if bug.equivalent else ("survived", f"see {self.log / bug.name}.log")
