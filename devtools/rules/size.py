# SPDX-License-Identifier: BSD-3-Clause
"""No function is longer than 80 lines, and no source file longer than its folder allows.

Split a function or file that is too long; do not squeeze it. With --long, also prints the functions of more than 50
lines, which may need a split.
"""
import re

MAX_FUNCTION = 80
LONG_FUNCTION = 50
MAX_FILE = {"lib": 250, "drivers": 400, "apps": 400, "tests": 400, "examples": 400}


def find_functions(lines):
    """Yields (first line, name, number of lines) of each body whose brace has a line of its own."""
    start, head = None, ""
    for n, line in enumerate(lines, 1):
        if start is None:
            if line == "{":
                start = n
            elif line and not line[0].isspace():
                head = line
        elif line in ("}", "};"):  # the end of a function, or of FIXTURE(name)
            name = re.search(r"(\w+)\s*\(", head)
            # The name of a test is in its arguments: TEST(suite, name)
            yield start, head.rstrip() if head.startswith("TEST") or not name else name[1], n - start + 1
            start = None


def check(tree, args):
    for file in tree.select(MAX_FILE):
        folder = file.name.partition("/")[0]
        if len(file.lines) > MAX_FILE[folder]:
            yield file.name, 1, f"{len(file.lines)} lines (valid: at most {MAX_FILE[folder]} in {folder}/)"
        for start, name, length in find_functions(file.lines):
            if length > MAX_FUNCTION:
                yield file.name, start, f"{name}: {length} lines (valid: at most {MAX_FUNCTION})"
            elif length > LONG_FUNCTION and args.long:
                print(f"{file.name}:{start}: {name}: {length} lines")
