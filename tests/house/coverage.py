#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py COVERAGE: the table of devtools/coverage from a small result of gcovr, its list of lines, and what it refuses."""
import json
import pathlib
import subprocess
import sys
import tempfile

failed = []


def make_line(number, count, *branches):
    return {"line_number": number, "count": count, "gcovr/noncode": False, "branches": [{"count": b} for b in branches]}


FILES = [
    {"file": "lib/devx/queue/cq.c", "lines": [make_line(1, 0), make_line(2, 7, 3, 4), make_line(3, 1), make_line(4, 1, 0, 9)]},
    {"file": "lib/devx/core/dev.c", "lines": [make_line(1, 2), {**make_line(2, 0), "gcovr/noncode": True}]},
    {"file": "lib/emu/uverbs/base/front.c", "lines": [make_line(1, 1)]},
    {"file": "apps/emu/main.c", "lines": [make_line(1, 0), make_line(2, 1)]},
    {"file": "lib/prm/prm.h", "lines": [make_line(1, 0)]},  # of no area
]
TABLE = """\
                 lines, %  missed branches, %  missed
lib/devx             80.0       1        75.0       1
  lib/devx/core     100.0       0       100.0       0
  lib/devx/queue     75.0       1        75.0       1
lib/emu             100.0       0       100.0       0
  lib/emu/uverbs    100.0       0       100.0       0
apps                 50.0       1       100.0       0
  apps/emu           50.0       1       100.0       0
all                  75.0       2        75.0       1
goal: 97 % of the lines, 88 % of the branches
"""


def expect(status, text, *args):
    """Runs COVERAGE. @text: all of its output, or a part of its only line if the status is 2."""
    got = subprocess.run([sys.argv[1], *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    same = text in got.stdout and got.stdout.count("\n") == 1 if status == 2 else got.stdout == text
    if got.returncode != status or not same:
        failed.append(args)
        print(f"FAILED: {' '.join(args)}: wanted {status}:\n{text}got {got.returncode}:\n{got.stdout}")


with tempfile.TemporaryDirectory() as work:
    out = ["--build-dir", work]
    expect(2, "coverage.json: no such file; run devtools/coverage first", *out, "--last")
    result = pathlib.Path(work) / "coverage.json"
    result.write_text(json.dumps({"files": FILES}), encoding="utf-8")
    expect(1, TABLE, *out, "--last")
    first = "/* SPDX-License-Identifier: BSD-3-Clause */"
    expect(0, f"lib/devx/queue/cq.c:1: {first}\n", *out, "--missed", "lib/devx")
    expect(0, f"lib/devx/queue/cq.c:1: {first}\n", *out, "--missed", "lib/devx/queue/cq.c")
    expect(0, "", *out, "--missed", "lib/emu/")
    expect(2, "--missed lib/de: no source there (valid: ", *out, "--missed", "lib/de")
    expect(2, "--all: has no effect with --last or --missed", *out, "--all", "--last")
    expect(2, "unrecognized arguments: --al", *out, "--al")
    FILES[:] = [f for f in FILES if "core" in f["file"]]
    result.write_text(json.dumps({"files": FILES}), encoding="utf-8")
    expect(0, """\
                lines, %  missed branches, %  missed
lib/devx           100.0       0       100.0       0
  lib/devx/core    100.0       0       100.0       0
all                100.0       0       100.0       0
goal: 97 % of the lines, 88 % of the branches
""", *out, "--last")
sys.exit(bool(failed))
