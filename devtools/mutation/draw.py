# SPDX-License-Identifier: BSD-3-Clause
"""Draws random lines and changes. The same seed, sources and compiler give the same changes."""
import concurrent.futures
import dataclasses
import multiprocessing
import os
import random
import re
import shutil
import signal

from mutation import rules, switch
from mutation.compile import Compiler

# Name of an area, and its folders. Left out: the rows of .def files (Linux' headers and tests judge each one when they compile),
# examples, and man pages.
AREAS = {
    "driver": ["drivers/net/devx"],
    "devx": ["lib/devx", "lib/prm"],
    "pktgen": ["apps/pktgen", "apps/cli", "apps/eal"],
    "emu": ["lib/emu", "apps/emu"],
    "bench": ["apps/bench"],
}
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)


@dataclasses.dataclass
class Bug:
    """A change of a line. @form: its form behind a switch, or None. @number: number of the switch, from 1 on."""
    name: str
    line: int
    area: str
    change: rules.Change
    old: str
    form: str
    number: int = 0

    def describe(self):
        short = [" ".join(t.split()) for t in (self.old, self.change.new)]
        # A change inside of a long expression: shows only what differs.
        while min(map(len, short)) > 60 and short[0][:20] == short[1][:20]:
            short = [t[20:] for t in short]
        short = [t if len(t) <= 90 else t[:87] + "..." for t in short]
        return f"{self.name}:{self.line}  {self.change.rule}  {short[0]}  ->  {short[1]}"


def is_known_area(area, tree):
    return area in AREAS or any(area.startswith(f) for fs in AREAS.values() for f in fs) and (tree / area).exists()


def list_lines(tree, area=None):
    """Returns [(file, line, area)] of all lines with code."""
    lines = []
    for name, folders in AREAS.items():
        for folder in folders:
            for path in sorted((tree / folder).rglob("*.[ch]")):
                file = str(path.relative_to(tree))
                if "/pch/" in file or area and area != name and file != area and not file.startswith(area.rstrip("/") + "/"):
                    continue
                text = COMMENT.sub(lambda m: "\n" * m[0].count("\n") if m[0][0] == "/" else m[0], path.read_text(encoding="latin-1"))
                lines += [(file, n, name) for n, t in enumerate(text.split("\n"), 1) if re.search(r"\w", t) and t.strip()[0] != "#"]
    return lines


class Drawer:
    """Judges draws in one process, which has its own copy of the tree, @tree. @build was made from @built."""

    def __init__(self, build, built, tree, area):
        self.header = built.parent / "mutant_switch.h"
        self.compiler = Compiler(build, built, tree, tree.parent)
        self.tree, self.lines = tree, list_lines(tree, area)

    def draw(self, seed):
        """Returns a Bug, or the reason why this draw gives none."""
        dice = random.Random(seed)
        name, line, area = dice.choice(self.lines)
        readers = self.compiler.list_readers(name)
        if not readers:
            return "not compiled"
        source = rules.Source(self.tree / name, self.compiler.get_clang_arguments(readers[0]), self.tree / readers[0])
        found = rules.Finder(source, line).find()
        if not found:
            return "no rule fits"
        rule = dice.choice(sorted({c.rule for c in found}))
        change = dice.choice([c for c in found if c.rule == rule])
        return self.judge(name, line, area, source, change, readers)

    def judge(self, name, line, area, source, change, readers):
        text, why = source.text, "same machine code"
        new = text[:change.start] + change.new + text[change.end:]
        for reader in readers:
            code = self.compiler.with_text(name, new, lambda r=reader: self.compiler.make_object(r, "-w"))
            if code is None:
                return "does not compile"
            if code != self.compiler.get_object(reader):
                break
        else:
            return why
        bug = Bug(name, line, area, change, text[change.start:change.end], None, 1)
        for form in change.forms:
            bug.form = form
            if self.compiler.with_text(name, switch.render(text, [bug], self.header), lambda: self.compiler.make_object(reader)):
                break
        else:
            bug.form = None
            change.marks = rules.find_marks(source, source.find_top(line), change)
        return bug


drawer = None  # of this process


def start_process(counter, build, built, area):
    global drawer  # pylint: disable=global-statement
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
    with counter.get_lock():
        counter.value += 1
        place = built.parent / f"draw-{counter.value}/tree"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(built, place)
    drawer = Drawer(build, built, place, area)


def draw_one(seed):
    return drawer.draw(seed)


def draw_bugs(build, built, n, seed, area, tell):
    """Returns n bugs, and {reason: number of draws without a bug}. No two bugs overlap."""
    bugs, refused, i = [], {}, 0
    counter = multiprocessing.Value("i", 0)
    pool = concurrent.futures.ProcessPoolExecutor(os.cpu_count(), initializer=start_process, initargs=(counter, build, built, area))
    try:
        while len(bugs) < n and i < 100 * n + 1000:
            want = max(4, n - len(bugs))
            for bug in pool.map(draw_one, [f"{seed}/{k}" for k in range(i, i + want)]):
                if isinstance(bug, Bug) and any(switch.is_near(bug, b) for b in bugs):
                    bug = "too near to another bug"
                if not isinstance(bug, Bug):
                    refused[bug] = refused.get(bug, 0) + 1
                elif len(bugs) < n:
                    bug.number = len(bugs) + 1
                    bugs.append(bug)
                tell(len(bugs), refused)
            i += want
    finally:
        pool.shutdown(cancel_futures=True)
    return bugs, refused
