# SPDX-License-Identifier: BSD-3-Clause
"""doc/prm-notes.md lists the assumptions about hardware that the sources tag (--write renews the list).

Tags: PRM-MISSING (no source says it), PRM-CONTRADICTION (two sources differ), PRM-WRONG (hardware is known to differ
from its documentation).
"""
import collections
import re

from rules.tree import find_line

PAGE = "doc/prm-notes.md"
BEGIN, END = "<!-- devtools/check prm_notes writes from here -->", "<!-- to here -->"
TAG = re.compile(r"PRM-(MISSING|CONTRADICTION|WRONG): ")

Tag = collections.namedtuple("Tag", "kind file line text")


def find_tags(tree):
    """Yields each tag. Its text ends with its paragraph, or at the next tag."""
    for file in tree.select(("lib", "drivers", "apps"), (".c", ".h", ".def")):
        for line, comment in file.comments:
            matches = list(TAG.finditer(comment))
            for m, following in zip(matches, [*matches[1:], None]):
                rest = comment[m.end():following and following.start()].removesuffix("*/")
                text = re.split(r"\n[\s*]*\n", rest)[0]
                text = " ".join(re.sub(r"\n\s*\* ?", "\n", text).split())
                yield Tag(m[1], file.name, line + find_line(comment, m.start()) - 1, text)


def renew(tree):
    """Returns the page with the current list."""
    tags, rows = list(find_tags(tree)), []
    for kind in ("MISSING", "CONTRADICTION", "WRONG"):
        found = [f"- {tag.text} — `{tag.file}`" for tag in tags if tag.kind == kind]
        rows += [f"### PRM-{kind}", "", *found, ""] if found else []
    before, _, rest = tree.read(PAGE).partition(BEGIN)
    return "\n".join([before + BEGIN, "", *rows, END + rest.partition(END)[2]])


def check(tree, _):
    if tree.read(PAGE) != renew(tree):
        yield PAGE, 1, "the list differs from the tags in the sources; run devtools/check prm_notes --write"


def write(tree, _):
    (tree.top / PAGE).write_text(renew(tree), encoding="utf-8")
