#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""faults.py CHECK [RULE...]: devtools/check finds each fault of the table faults.txt, and nothing else.

A case of the table has a line `=== RULE: TITLE`, files after lines `--- PATH`, and commands after `$ `. The commands run in
the folder of the files, where `check` means CHECK. The lines after a command are all that it prints, without the summary,
and its exit status in brackets unless that is 0. With RULE, runs the cases of these rules. A rule without a case is a
failure.
"""
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).with_name("faults.txt")


def read_cases():
    """Yields (rule, title, steps). A step is a marker, the rest of its line, and the lines that follow."""
    for case in re.split(r"^=== ", TABLE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = case.partition("\n")
        steps = re.findall(r"^(--- |\$ )(.*)\n((?:(?!--- |\$ ).*\n)*)", body.rstrip() + "\n", flags=re.M)
        yield *head.split(": ", 1), steps


def run_command(check, command, tree):
    result = subprocess.run(["sh", "-c", f'check() {{ "{check}" --tree . "$@"; }}; {command}'], cwd=tree, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = re.sub(r"^\d+ mistakes? in \d+ files; .*\n", "", result.stdout, flags=re.M)
    return output + (f"[{result.returncode}]\n" if result.returncode else "")


def run_case(check, steps):
    """Returns the lines that the first command with another output should not print, and those that it should."""
    with tempfile.TemporaryDirectory() as tree:
        for marker, head, lines in steps:
            if marker == "--- ":
                path = pathlib.Path(tree, head)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(lines, encoding="utf-8")
                continue
            found = run_command(check, head, tree)
            if found.endswith("[77]\n"):
                print(found)
                sys.exit(77)
            if found != lines:
                return ["$ " + head, *difflib.unified_diff(lines.splitlines(), found.splitlines(), "expected", "found", lineterm="")]
    return []


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    check, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    n, failed, cases = 0, 0, list(read_cases())
    for rule, title, steps in cases:
        if not wanted or rule in wanted:
            n += 1
            if wrong := run_case(check, steps):
                failed += 1
                print(f"FAILED: {rule}: {title}", *wrong, sep="\n")
    listed = subprocess.run([check, "--list"], check=True, capture_output=True, text=True).stdout
    untested = {line.split()[0] for line in listed.splitlines()} - {rule for rule, *_ in cases}
    for rule in sorted(untested):
        print(f"FAILED: {TABLE.name} has no case of the rule {rule}; add one")
    print(f"{n} cases: {failed} failed")
    return 1 if failed or untested or not n else 0


if __name__ == "__main__":
    sys.exit(main())
