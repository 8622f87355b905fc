# SPDX-License-Identifier: BSD-3-Clause
"""Files have the form that CONTRIBUTING.md asks for, and so do the commits of --commits BASE..HEAD.

A file has an SPDX line, at most 100 columns, and no whitespace at the end of a line. It has no mark of unfinished
work, and no path of one machine. A program has no web address. A subject has the form `area: imperative`, at most 60
columns and no full stop.
"""
import re
import subprocess

from rules.tree import C, find_line

COLUMNS = 100
SUBJECT_COLUMNS = 60
# The marks are split, so that the rule finds none in this file.
MARKS = "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"])
# {pattern: problem} of patterns that no line may have: in all files, programs, programs and C files, C files
IN_FILES = {r"[^\S\n]$": "whitespace at the end; remove it",
            r"(?<![\w.<$}])/(?:work|home|root|Users)/|\.\./" + "shared": "a path of one machine; use an argument or a variable"}
# Valid: addresses of this host, and of the documentation ranges (RFC 5737, RFC 3849).
IN_PROGRAMS = {"http" + r"s?://(?!127\.|localhost|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|\[2001:db8:)":
               "a web address in a program (valid: addresses of this host and of documentation)"}
IN_CODE = {rf"\b(?:{MARKS})\b": "a mark of unfinished work; finish it"}
# A line of a macro that has only a backslash is empty.
IN_C = {r"^ {8}(?![ \t]*\\$)": "indented with spaces (valid: tabs)", " \t": "a space before a tab"}
# A folder that is an area, and the part of its path that is the prefix
AREA = re.compile(r"drivers/(\w+/\w+)|apps/(\w+)|((?:lib|tests)/\w+|debian|devtools|doc|examples|tests)")


def check_file(file):
    """Yields (line, problem)."""
    if b"\0" in file.raw:
        return
    try:
        text = file.raw.decode()
    except UnicodeDecodeError as e:
        yield 1, f"not UTF-8 at byte {e.start}"
        return
    is_c = file.suffix in C
    is_program = file.name.startswith(("devtools/", ".ci/")) or text.startswith("#!") or \
        file.name.endswith((".sh", ".py", "meson.build", "meson_options.txt"))
    if (is_c or is_program) and "SPDX-License-Identifier" not in "".join(text.splitlines(True)[:3]):
        yield 1, "no SPDX line (valid: in one of the first three lines)"
    forbidden = IN_FILES | (IN_PROGRAMS if is_program else {}) | (IN_CODE if is_program or is_c else {}) | (IN_C if is_c else {})
    for pattern, problem in forbidden.items():
        for m in re.finditer(pattern, text, flags=re.M):
            yield find_line(text, m.start()), problem
    for n, line in enumerate(text.split("\n") if is_c else (), 1):
        if len(line.expandtabs(8)) > COLUMNS:
            yield n, f"{len(line.expandtabs(8))} columns (valid: at most {COLUMNS})"
    if text and not text.endswith("\n"):
        yield find_line(text, len(text)), "no newline at the end"


def list_areas(tree):
    """Returns the valid prefixes of a subject: the areas of CONTRIBUTING.md ("Commits")."""
    areas = {"build", *(m[m.lastindex] for folder in tree.folders if (m := AREA.fullmatch(folder)))}
    # A library and its program are one area: lib/emu and apps/emu.
    return areas - {f"lib/{area}" for area in areas}


def check_subject(subject, areas):
    match = re.match(r"((?:[^ :]+, )*[^ :]+): \S", subject)
    if not match:
        yield f"the subject has no `area: imperative`: {subject}"
    for area in match[1].split(", ") if match else ():
        if area not in areas:
            yield f"no such area: {area} (valid: {', '.join(sorted(areas))})"
    if len(subject) > SUBJECT_COLUMNS:
        yield f"a subject of {len(subject)} columns (valid: at most {SUBJECT_COLUMNS}): {subject}"
    if subject.endswith("."):
        yield f"the subject ends with a full stop: {subject}"


def check(tree, args):
    for file in tree.files.values():
        for line, problem in check_file(file) if not file.path.is_symlink() else ():
            yield file.name, line, problem
    if args.commits:
        log = subprocess.run(["git", "-C", tree.top, "log", "--no-merges", "--format=%h %s", args.commits],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        for commit, _, subject in (line.partition(" ") for line in log.splitlines()):
            for problem in check_subject(subject, list_areas(tree)):
                yield f"commit {commit}", 0, problem
