#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pktgen-guide.py PKTGEN EMU DRIVER_DIR SOURCE STEP_CLOCK

Runs the commands of doc/pktgen.md: each line that begins with "$ " in a block ```console. The lines below it are the output that
the guide shows, in this order. A number there stands for any number, and its unit for any unit; "..." for any lines. A command must
end with status 0. devx-pktgen keeps time with STEP_CLOCK (tests/pktgen/step_clock.c), so that no rate depends on the machine. Also checks that the page and --help have the same options.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

NUMBER = r"\d(?:[\d.,]*\d)?(?: [kMG]?(?:pps|b/s)| [num]?s\b)?"
LIMIT_S = 100


def read_steps(text):
    """Returns pairs of a command and the lines that it shall print."""
    steps = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
    return steps


def make_pattern(lines):
    """Returns the pattern of a whole output."""
    pattern = ""
    for line in lines:
        if line == "...":
            pattern += r"(?:[^\n]*\n)*?"
            continue
        pattern += NUMBER.join(re.escape(t) for t in re.split(NUMBER, line)) + r" *\n"
    return pattern


def run_step(command, lines):
    print(f"$ {command}", flush=True)
    result = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            timeout=LIMIT_S, check=False)
    assert result.returncode == 0, f"status {result.returncode}\n{result.stdout}"
    assert re.fullmatch(make_pattern(lines), result.stdout), f"other output than the guide shows:\n{result.stdout}"


def check_options(pktgen, text):
    """Each option of --help is in the page, and the reverse. Options of other programs, and of EAL, do not count."""
    shown = subprocess.run([pktgen, "--help"], capture_output=True, text=True, check=True).stdout
    usual = {"help", "usage", "version"}
    known = usual | set(re.findall(r"^ +(?:-\w, )?--([a-z][a-z0-9-]*)", shown, re.MULTILINE))
    ours = re.sub(r"devx-emu [^\n]*? -- |`-- [^`]*`", "", text)
    ours = re.sub(r"(?:devx-emu|tcpdump|devtools/\S+|testpmd) [^\n`]*", "", ours)
    named = set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", ours))
    assert named <= known, f"not an option of devx-pktgen: {sorted(named - known)}"
    assert known - usual <= named, f"the page does not name: {sorted(known - usual - named)}"
    return len(known)


def make_stepped(pktgen, clock):
    """Makes a program devx-pktgen in this folder, which loads the clock. Several workers would move it for each other, and the clock of a device does not fit to it."""
    options = f'--cores 1 --timestamps tsc -- -d {os.path.basename(clock)}'
    with open("devx-pktgen", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {shlex.quote(pktgen)} "$@" {options}\n')
    os.chmod("devx-pktgen", 0o755)


def main():
    pktgen, emu, driver, source, clock = (os.path.abspath(a) for a in sys.argv[1:])
    with open(f"{source}/doc/pktgen.md", encoding="utf-8") as file:
        text = file.read()
    n_options = check_options(pktgen, text)
    steps = read_steps(text)
    assert len(steps) >= 5, "the guide has lost its commands"
    os.environ["LD_LIBRARY_PATH"] = f"{driver}:{os.path.dirname(clock)}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["PATH"] = f"{folder}:{os.path.dirname(emu)}:{os.environ['PATH']}"
        make_stepped(pktgen, clock)
        for name in "doc", "tests":
            os.symlink(f"{source}/{name}", name)
        for command, lines in steps:
            run_step(command, lines)
    print(f"{len(steps)} commands, {n_options} options")


main()
