#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutants.py DEVTOOLS: random bugs of devtools/mutants, on a small program.

Each rule finds its change; a seed gives the same bugs again; a change without effect is left out; a program with all changes
does only the one of its number, and the tests that reach it decide.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from mutation import draw, rules, switch, trial  # pylint: disable=wrong-import-position

SMALL = """\
#include <stdio.h>
#include <stdlib.h>
enum color { COLOR_RED, COLOR_BLUE };
struct pair { int left, right; };
#define DOUBLE(x) ((x) * 2)
static const int table[] = { 7, 9 };
static int seen;
static int subtract(int a, int b)
{
	return a - b;
}
static int measure(struct pair *p)
{
	int rc;
	if (p->left == 4)
		seen++;
	rc = subtract(p->left, p->right);
	p->left = DOUBLE(3);
	p->right = rc;
	if (rc && seen)
		return subtract(COLOR_RED, 1);
	__atomic_store_n(&seen, 2, __ATOMIC_SEQ_CST);
	return 0 * rc;
}
int main(void)
{
	struct pair *p = malloc(sizeof(*p));
	p->left = 4;
	p->right = 1;
	for (unsigned i = 0; i < 2; i++) {
		int result = measure(p);
		printf("%d %d %d %d\\n", result, p->left, p->right, table[i]);
	}
	free(p);
	return 0;
}
"""
RIGHT = "-1 6 3 7|-1 6 3 9|"
# Text on the line, rule, what it becomes; what the program prints with it, if that is known
CHANGES = [
    ("if (p->left == 4)", "negated condition", "!(p->left == 4)", "0 6 3 7|-1 6 3 9|"),
    ("if (rc && seen)", "lost operand", "seen", None),
    ("rc = subtract", "ignored result", "(void)subtract(p->left, p->right);", None),
    ("return subtract", "ignored result", "(void)(subtract(COLOR_RED, 1)); return 0;", "0 6 3 7|0 6 3 9|"),
    ("seen++;", "dropped statement", ";", "0 6 3 7|-1 6 3 9|"),
    ("free(p);", "dropped unlock or free", ";", RIGHT),
    ("rc = subtract", "swapped arguments", "subtract(p->right, p->left)", "-1 6 -3 7|-1 6 -9 9|"),
    ("DOUBLE(3)", "off by one", "4", "-1 8 3 7|-1 8 5 9|"),
    ("i < 2", "off by one", "i <= 2", None),
    ("return subtract", "another constant", "COLOR_BLUE", "0 6 3 7|0 6 3 9|"),
    ("table[] =", "another constant", "14", "-1 6 3 14|-1 6 3 9|"),
    ("p->left = DOUBLE", "another member", "p->right", "-1 4 3 7|-1 4 1 9|"),
    ("__ATOMIC_SEQ_CST", "weaker order", "__ATOMIC_RELAXED", RIGHT),
]
failed = []


def expect(want, got, what):
    if want != got:
        failed.append(what)
        print(f"FAILED: {what}: wanted {want!r}, got {got!r}")


def find_line(text):
    return next(n for n, line in enumerate(SMALL.split("\n"), 1) if text in line)


def make_tree(out):
    """Makes a tree with the program, and a build directory that knows its command. Returns the Drawer."""
    for tree in out / "tree", out / "draw/tree":
        (tree / "lib/devx").mkdir(parents=True)
        (tree / "lib/devx/small.c").write_text(SMALL, encoding="utf-8")
    build = out / "build/gcc"
    build.mkdir(parents=True)
    command = "gcc -Wall -Wextra -Werror -O2 -o small.o -c ../../tree/lib/devx/small.c"
    (build / "compile_commands.json").write_text(json.dumps([{"command": command, "file": "../../tree/lib/devx/small.c"}]), encoding="utf-8")
    switch.write_header(out / "mutant_switch.h")
    return draw.Drawer(build, out / "tree", out / "draw/tree", None)


def run_program(out, text, **env):
    (out / "run.c").write_text(text, encoding="utf-8")
    subprocess.run(["gcc", "-O2", "-w", "-o", out / "run", out / "run.c"], check=True)
    return subprocess.run([out / "run"], env={**os.environ, **env}, capture_output=True, text=True, check=False).stdout.replace("\n", "|")


def check_rules(out, drawer):
    """Each change exists, and behind a switch the program does it with its number only. Returns the bugs."""
    path, bugs = drawer.tree / "lib/devx/small.c", []
    source = rules.Source(path, [])
    expect(set(rules.RULES), {rule for _, rule, _, _ in CHANGES}, "each rule has a case")
    for text, rule, new, output in CHANGES:
        found = [c for c in rules.Finder(source, find_line(text)).find() if c.rule == rule and c.new == new]
        expect(1, len(found), f"changes '{rule}' of '{text}' to '{new}'")
        for change in found:
            bug = drawer.judge("lib/devx/small.c", find_line(text), "devx", source, change, ["lib/devx/small.c"])
            if isinstance(bug, draw.Bug):
                bug.number = len(bugs) + 1
                bugs.append(bug)
                alone = switch.render(SMALL, [bug], out / "mutant_switch.h", bug)
                expect(RIGHT, run_program(out, alone) if bug.form else RIGHT, f"{rule} '{text}' switched off")
                if output:
                    expect(output, run_program(out, alone, MUTANT=str(bug.number)), f"{rule} '{text}'")
            else:
                expect("__ATOMIC_SEQ_CST", text, f"{bug}: only this case may have no effect")
    return bugs


def check_draw(drawer):
    draws = [[drawer.draw(f"{seed}/{k}") for k in range(12)] for seed in ("a", "a", "b")]
    expect(draws[0], draws[1], "the same seed again")
    expect(False, draws[0] == draws[2], "another seed gives the same")
    source = rules.Source(drawer.tree / "lib/devx/small.c", [])
    line = find_line("return 0 * rc")
    without_effect = [c for c in rules.Finder(source, line).find() if c.rule == "lost operand" and c.new == "0"]
    expect(["same machine code"], [drawer.judge("lib/devx/small.c", line, "devx", source, c, ["lib/devx/small.c"]) for c in without_effect],
           "a change without effect")


def check_trial(out, bugs):
    """A test catches a bug that it reaches, and does not run for one that it does not reach."""
    project = out / "project"
    project.mkdir()
    apart = []
    for bug in bugs:
        if bug.form and not any(switch.is_near(bug, b) for b in apart):
            apart.append(bug)
    (project / "small.c").write_text(switch.render(SMALL, apart, out / "mutant_switch.h"), encoding="utf-8")
    (project / "test.sh").write_text(f'#!/bin/sh\n[ "$("$1" | tr "\\n" "|")" = "{RIGHT}" ]\n', encoding="utf-8")
    (project / "test.sh").chmod(0o755)
    (project / "meson.build").write_text("project('small', 'c')\nsmall = executable('small', 'small.c')\n"
                                         "test('prints', find_program('test.sh'), args: small)\n"
                                         "test('breaks', find_program('false'))\n"
                                         "test('idle', find_program('true'))\n", encoding="utf-8")
    for command in ["meson", "setup", out / "small", project], ["ninja", "-C", out / "small"]:
        subprocess.run(command, check=True, capture_output=True)
    (out / "logs").mkdir()
    run = trial.Trial(out / "small", out / "logs")
    run.learn_all([b.number for b in apart], lambda *_: None)
    expect(["idle", "prints"], [t.name for t in run.tests], "tests that pass without a bug")
    expect(["breaks"], [name for name, _ in run.left_out], "tests that are left out")
    by_rule = {b.change.rule: run.judge(b) for b in apart}
    expect(("prints", ["prints"], []), by_rule["negated condition"], "a bug that the test sees")
    expect((None, ["prints"], []), by_rule["dropped unlock or free"], "a bug that no test sees")


def check_cases():
    text = ("[==========] Running 2 tests from 1 test suite.\n[ RUN      ] cq.wraps\n[       OK ] cq.wraps (20 ms)\n"
            "[ RUN      ] cq.ends/all\n[       OK ] cq.ends/all (500 ms)\n")
    test = trial.Test("cq", [], {}, "", False, 1.0, trial.read_cases(text), {1: [2], 2: [0, 1]})
    expect([("cq.wraps", 0.02), ("cq.ends/all", 0.5)], test.cases, "cases of a program")
    expect(["cq.ends/all"], test.choose_cases(1)[0], "cases that reach a bug")
    expect((None, 1.0), test.choose_cases(2), "a bug that runs before the first case")
    expect([], trial.read_cases(text + text), "a script that runs two programs")


def main():
    top = pathlib.Path(sys.argv[1]).parent
    expect(True, switch.add_case_hook((top / "tests/ct/ct_main.cc").read_text(encoding="utf-8"), "x.h") is not None, "ct_main.cc has the hook")
    expect(True, len({area for _, _, area in draw.list_lines(top)}) == len(draw.AREAS), "each area has lines")
    check_cases()
    if not rules.cindex:
        print("SKIP: no clang for Python; install python3-clang")
        return 77
    out = pathlib.Path(tempfile.mkdtemp())
    try:
        drawer = make_tree(out)
        bugs = check_rules(out, drawer)
        check_draw(drawer)
        check_trial(out, bugs)
    finally:
        shutil.rmtree(out)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
