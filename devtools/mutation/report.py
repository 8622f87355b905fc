# SPDX-License-Identifier: BSD-3-Clause
"""Random bugs from the draw to the table."""
import concurrent.futures
import subprocess
import sys
import time

from mutation import draw, switch
from mutation.bench import Bench
from mutation.trial import Trial

AIM = 90  # percent
MAX_BUGS = switch.MAX_BUGS


class Progress:
    """Prints at most one line in 10 seconds, and a line at the end of each step."""

    def __init__(self):
        self.start = self.said = time.monotonic()

    def tell(self, text, now=False):
        if now or time.monotonic() - self.said >= 10:
            self.said = time.monotonic()
            print(f"{self.said - self.start:6.0f} s  {text}", flush=True)


class RandomRun:
    def __init__(self, out, n, seed, area, with_long, sanitize, limit):
        self.n, self.seed, self.area, self.with_long, self.sanitize, self.limit = n, seed, area, with_long, sanitize, limit
        self.bench, self.header = Bench(out), out / "mutant_switch.h"
        self.progress, self.texts, self.bugs, self.results, self.refused, self.trial, self.left_out = Progress(), {}, [], {}, {}, None, []
        self.logs = out / f"random-{seed}"
        self.logs.mkdir(exist_ok=True)
        for old in self.logs.iterdir():
            old.unlink()

    def go(self):
        """Returns whether all bugs were judged."""
        try:
            self.bench.prepare()
            self.draw()
            self.build()
            self.trial = Trial(self.bench.dir, self.logs, self.with_long, self.limit)
            self.progress.tell(f"{len(self.trial.tests)} tests without a bug", now=True)
            self.trial.learn_all([b.number for b in self.bugs], lambda n, of: self.progress.tell(f"{n} of {of} tests"))
            self.progress.tell(f"{len(self.trial.tests)} tests pass; bugs behind switches", now=True)
            self.judge_switched(self.trial, self.bugs)
            if self.sanitize:
                self.judge_sanitized()
            for bug in self.bugs:
                if not bug.form:
                    self.judge_alone(bug)
            return True
        except KeyboardInterrupt:
            return False
        finally:
            if self.trial:
                self.trial.stop.set()
            for name, text in self.texts.items():
                (self.bench.tree / name).write_text(text, encoding="latin-1")

    def draw(self):
        def tell(n, refused):
            self.refused = refused
            self.progress.tell(f"drew {n} of {self.n} bugs; {sum(refused.values())} draws gave none")
        switch.write_header(self.header)  # a draw compiles each change behind its switch
        self.bugs, self.refused = draw.draw_bugs(self.bench.dir, self.bench.tree, self.n, self.seed, self.area, tell)
        if len(self.bugs) < self.n:
            print(f"mutants: only {len(self.bugs)} bugs found in this area", file=sys.stderr)

    def write(self, name, alone=None):
        text = switch.render(self.texts[name], [b for b in self.bugs if b.name == name], self.header, alone)
        (self.bench.tree / name).write_text(text, encoding="latin-1")

    def build(self):
        main = "tests/ct/ct_main.cc"
        self.texts = {name: (self.bench.tree / name).read_text(encoding="latin-1") for name in {main, *(b.name for b in self.bugs)}}
        hooked = switch.add_case_hook(self.texts[main], self.header)
        if not hooked:
            sys.exit(f"mutants: {main} changed: CASE_HOOK of devtools/mutation/switch.py is not there once")
        (self.bench.tree / main).write_text(hooked, encoding="latin-1")
        for name in self.texts.keys() - {main}:
            self.write(name)
        self.progress.tell("building all bugs that a switch can hold", now=True)
        if self.ninja("build"):
            print(f"mutants: the build with switches failed; see {self.logs}/build.log", file=sys.stderr)
            sys.exit(3)

    def ninja(self, name):
        with open(self.logs / f"{name}.log", "w", encoding="utf-8") as log, \
                subprocess.Popen(["ninja", "-C", self.bench.dir], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL) as process:
            while process.poll() is None:
                time.sleep(0.5)
                self.progress.tell(f"builds ({name})")
        return process.returncode

    def judge_sanitized(self):
        """Repeats the tests of survivors in a build that also notices leaks, undefined behaviour and use of freed memory."""
        survivors = [b for b in self.bugs if b.form and b.number in self.results and not self.results[b.number][0]]
        self.progress.tell(f"{len(survivors)} survivors in a build with sanitizers", now=True)
        trial = Trial(self.bench.build("gcc-sanitize"), self.logs, self.with_long, self.limit,
                      {t for b in survivors for t in self.results[b.number][1]})
        trial.learn_all([b.number for b in survivors], lambda n, of: self.progress.tell(f"{n} of {of} tests"))
        self.left_out = [(f"{name}, with sanitizers", why) for name, why in trial.left_out]
        self.judge_switched(trial, survivors)

    def judge_switched(self, trial, bugs):
        with concurrent.futures.ThreadPoolExecutor(trial.n_jobs) as pool:
            jobs = {pool.submit(trial.judge, b): b for b in bugs if b.form}
            try:
                for done in concurrent.futures.as_completed(jobs):
                    self.note(jobs[done], *done.result())
            except KeyboardInterrupt:
                trial.stop.set()
                self.trial.stop.set()
                pool.shutdown(cancel_futures=True)
                raise

    def judge_alone(self, bug):
        """Builds and tests a change that no switch can hold."""
        self.write(bug.name, bug)
        if self.ninja(f"bug-{bug.number}"):
            found = "the compiler", [], []
        else:
            found = self.trial.judge(bug)
        self.write(bug.name)
        self.note(bug, *found)

    def note(self, bug, caught, ran, left):
        if self.trial.stop.is_set():
            return
        self.results[bug.number] = caught, ran, left
        how = f"caught by {caught}" if caught else f"SURVIVED {len(ran)} of {len(ran) + len(left)} tests" if ran else "SURVIVED: no test runs it"
        self.progress.tell(f"[{len(self.results)}/{len(self.bugs)}] {bug.describe()}: {how}", now=True)

    def list_lines(self):
        """Returns the lines of the result."""
        judged = [b for b in self.bugs if b.number in self.results]
        lines = ["", f"{'area':24} bugs caught survived  rate"]
        for keys in (get_room, lambda b: b.area, lambda b: "all"):
            groups = sorted({keys(b) for b in judged})
            for group in groups:
                found = [bool(self.results[b.number][0]) for b in judged if keys(b) == group]
                lines.append(f"{group:24} {len(found):4} {sum(found):6} {len(found) - sum(found):8} {100 * sum(found) / len(found):4.0f}%")
            lines.append("")
        lines.append("survivors:")
        for bug in sorted(judged, key=lambda b: (b.name, b.line)):
            caught, ran, left = self.results[bug.number]
            if not caught:
                more = f"; not run for lack of time: {', '.join(left)}" if left else ""
                lines.append(f"{bug.describe()}  [{', '.join(ran) or 'no test runs it'}{more}]")
        why = ", ".join(f"{n} {reason}" for reason, n in sorted(self.refused.items()))
        lines += ["", f"seed {self.seed}: {len(self.bugs)} bugs drawn, {len(judged)} judged, {sum(not b.form for b in judged)} of them in a "
                  f"build of their own; draws that gave no bug: {why or 'none'}"]
        if self.trial:
            lines.append(f"ran: {len(self.trial.tests)} tests{' of the quick suite' if not self.with_long else ''}, of which each bug met those that reach it; left out: " +
                         (", ".join(f"{name} ({why})" for name, why in sorted(self.trial.left_out + self.left_out)) or "none"))
        lines.append(f"took {(time.monotonic() - self.progress.start) / 60:.0f} minutes; logs of failed tests: {self.logs}")
        return lines

    def get_rate(self):
        return 100 * sum(bool(r[0]) for r in self.results.values()) / max(1, len(self.results))


def get_room(bug):
    """Returns the folder below that of the area, for the table."""
    folder = next(f for f in draw.AREAS[bug.area] if bug.name.startswith(f + "/"))
    inner = bug.name[len(folder) + 1:].split("/")
    return f"{folder}/{inner[0]}" if len(inner) > 1 else folder


def run_random(out, n, seed, area, with_long, sanitize, limit):
    """Returns the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    run = RandomRun(out, n, seed, area, with_long, sanitize, limit)
    complete = run.go()
    lines = "\n".join(run.list_lines())
    print(lines)
    (run.logs / "result.txt").write_text(lines + "\n", encoding="utf-8")
    if not complete:
        return 130
    return 0 if run.get_rate() >= AIM else 1
