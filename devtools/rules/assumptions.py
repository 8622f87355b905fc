# SPDX-License-Identifier: BSD-3-Clause
"""Each tagged assumption has a check on an adapter, or a reason against one.

Compares the rows of tests/on_adapter/assumptions.def with the tags that doc/prm-notes.md lists. A row belongs to the
tag of its file whose text begins with the text of the row. Each tag without a row, each row without a tag, and each
row or tag that fits two others is a mistake.
"""
import ast

from rules import prm_notes
from rules.tree import strip_comments

TABLE = "tests/on_adapter/assumptions.def"
NAMES_OF_TEXT = {"CHECK": (1, 2), "REASON": (0, 1)}  # positions of file and text


def read_rows(tree):
    """Yields (line, file, text) of each row. A row is a call with strings, in C and in Python."""
    for statement in ast.parse(strip_comments(tree.read(TABLE))).body:
        call = statement.value
        at, of = NAMES_OF_TEXT[call.func.id]
        yield call.lineno, call.args[at].value, call.args[of].value


def check(tree, _):
    rows = list(read_rows(tree))
    tags = list(prm_notes.find_tags(tree))
    fits = {row: [tag for tag in tags if tag.file == row[1] and tag.text.startswith(row[2])] for row in rows}
    for (line, file, text), found in fits.items():
        if not found:
            yield TABLE, line, f"{file}: no tag begins with '{text}'; change or remove the row"
        elif len(found) > 1:
            yield TABLE, line, f"{file}: {len(found)} tags begin with '{text}'; make the text longer"
    for tag in tags:
        lines = [row[0] for row in rows if tag in fits[row]]
        if not lines:
            yield tag.file, tag.line, f"'{tag.text[:60]}...' has no row in {TABLE}; add CHECK or REASON"
        elif len(lines) > 1:
            yield TABLE, lines[1], f"lines {', '.join(map(str, lines))} are for the same tag; remove one"
