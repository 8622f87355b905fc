# SPDX-License-Identifier: BSD-3-Clause
"""The bugs of tests/mutants/*.txt: reads and checks them. Its README.md has the format."""
import fnmatch
import sys

from mutation.bench import SCRIPTS, STAGES, TOP


class Bug:
    """name, group (its class), file, old and new text of the line; after: a line before it, or None; equivalent: why no test
    can catch it, or None; likely: test and filter that should catch it, or None"""

    def __init__(self, name, group):
        self.name, self.group, self.file, self.old, self.new = name, group, "", None, None
        self.after = self.equivalent = self.likely = None

    def is_like(self, pattern):
        return fnmatch.fnmatch(self.name, pattern) or fnmatch.fnmatch(self.group, pattern)

    def find(self, text):
        """Returns the text with the bug, or None if the line does not occur exactly once, or not after the line @after."""
        lines = text.split("\n")
        first = 0
        if self.after:
            starts = [i for i, line in enumerate(lines) if line.strip() == self.after]
            if len(starts) != 1:
                return None
            first = starts[0]
        found = [i for i, line in enumerate(lines) if i >= first and line.strip() == self.old]
        if not found or (len(found) > 1 and not self.after):
            return None
        indent = lines[found[0]][:len(lines[found[0]]) - len(lines[found[0]].lstrip())]
        lines[found[0]] = indent + self.new
        return "\n".join(lines)


def read_bugs():
    bugs, group = [], ""
    for path in sorted((TOP / "tests/mutants").glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            where = f"{path.relative_to(TOP)}:{number}"
            if not line or line.startswith("#"):
                continue
            kind, text = line[0], line[2:].strip()
            if kind == "=":
                group = text
            elif kind == "*":
                name, _, file = text.partition(" ")
                bugs.append(Bug(name, group))
                bugs[-1].file = file.strip()
            elif kind == "@" and bugs:
                bugs[-1].after = text
            elif kind == "-" and bugs:
                bugs[-1].old = text
            elif kind == "+" and bugs:
                bugs[-1].new = text
            elif kind == "!" and bugs:
                bugs[-1].equivalent = text
            elif kind == "?" and bugs:
                bugs[-1].likely = text.split()
            else:
                sys.exit(f"mutants: {where}: a line begins with '{kind}' (valid: = * @ - + ? ! #)")
    return bugs


def check_bugs(bugs):
    """Returns whether each bug has a name of its own, fits one line, and names likely tests that exist."""
    tests = {t for _, _, stage in [*STAGES, SCRIPTS] for t in stage}
    names, good = set(), True
    for bug in bugs:
        why = None
        path = TOP / bug.file
        if bug.name in names:
            why = "another bug has this name"
        elif bug.old is None or bug.new is None:
            why = "lacks the line '-' or the line '+'"
        elif not path.is_file():
            why = f"no file {bug.file}"
        elif bug.find(path.read_text(encoding="utf-8")) is None:
            why = f"{bug.file} does not have exactly one line '{bug.old}'"
        elif bug.likely is not None and (not 1 <= len(bug.likely) <= 2 or bug.likely[0] not in tests):
            why = "the line '?' is not TEST [FILTER] with a test of the stages in devtools/mutants"
        names.add(bug.name)
        if why:
            print(f"mutants: {bug.name}: {why}", file=sys.stderr)
            good = False
    return good
