# SPDX-License-Identifier: BSD-3-Clause
"""The numbers in lib/prm/values have the names of Linux (needs --linux DIR: its include/linux/mlx5).

Linux has each name that a row gives to it (an older Linux may lack the names of XV rows). A row without a name has a
PRM- tag in the comment before its enumeration. No row occurs twice. The rule is skipped if only the headers of a
newer Linux differ (linux_release.NEWEST).

With --named, prints those rows of ours that the headers in DIR name. The compiler compares them:
tests/prm/linux_values_test.c. Before the rows, prints the enumerations of headers that compile only in a kernel.
"""
import collections
import re

import linux_release
from rules import Skip
from rules.tree import find_line, strip_comments

NEEDS = ("linux",)
# tests/prm/linux_values_test.c includes the headers of INCLUDED, and the enumerations of those of TAKEN.
INCLUDED = ("mlx5_ifc.h", "device.h", "qp.h")
TAKEN = ("cq.h", "driver.h", "port.h", "vport.h", "mlx5_ifc_vdpa.h")
NAMED = ("V", "XV", "ALSO")  # kinds of rows with names of Linux

Row = collections.namedtuple("Row", "kind args line")
Values = collections.namedtuple("Values", "name file rows has_tag")


def split_arguments(text):
    """Splits text at the commas outside of parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [" ".join(p.split()) for p in parts]


def read_values(tree):
    """Yields the enumerations of lib/prm/values, in the order of the files."""
    for file in tree.select(("lib/prm/values",), (".def",)):
        plain = strip_comments(file.text)
        for begin in re.finditer(r"^VALUES\((\w+)\)(.*?)^END\(\1\)", plain, flags=re.S | re.M):
            rows = [Row(m[1], split_arguments(m[2]), find_line(plain, begin.start(2) + m.start(1)))
                    for m in re.finditer(r"^\s*([A-Z]+)\((.*?)\)$", begin[2], flags=re.S | re.M)]
            has_tag = re.search(rf"PRM-(?:(?!\*/).)*\*/ *\nVALUES\({begin[1]}\)", file.text, flags=re.S)
            yield Values(begin[1], file, rows, has_tag)


def read_headers(folder):
    """Returns [(header, names, text)] of the enumerations of Linux' headers."""
    texts = ((header, strip_comments((folder / header).read_text(encoding="utf-8"))) for header in INCLUDED + TAKEN)
    return [(header, {m[1] for entry in split_arguments(body) if (m := re.match(r"(\w+)", entry))}, body)
            for header, text in texts for body in re.findall(r"^enum(?:\s+\w+)?\s*\{([^{}]*)\};", text, flags=re.S | re.M)]


def find_names(row):
    """Returns the names that a row gives to Linux. The names may be part of an expression."""
    return re.findall(r"\b[A-Z]\w*_\w+\b", row.args[-1]) if row.kind in NAMED else []


def print_named(tree, folder):
    known = read_headers(folder)
    values = list(read_values(tree))
    there = set().union(*(names for _, names, _ in known))
    included = set().union(*(names for header, names, _ in known if header in INCLUDED))
    wanted = {name for v in values for row in v.rows for name in find_names(row)} - included
    print("/* " + "Made by devtools/check prm_values --named. */")
    for header, names, body in known:
        if header in TAKEN and wanted & names:
            print(f"enum {{ /* {header} */{body.rstrip()}\n}};")
    for name, file, rows, _ in values:
        print(f"VALUES({name})")
        for row in rows:
            if find_names(row) and set(find_names(row)) <= there:
                print(f'#line {row.line} "{file.path}"\n{row.kind}({", ".join(row.args)})')
        print(f"END({name})")


def check(tree, args):
    there = set().union(*(names for _, names, _ in read_headers(args.linux)))
    wrong, absent, seen = [], [], {}
    for values in read_values(tree):
        for row in values.rows:
            where, name = (values.file.name, row.line), row.args[0]
            lacks = [n for n in find_names(row) if n not in there]
            if lacks and row.kind != "XV":
                absent.append((*where, f"{name}: Linux has no {', '.join(lacks)}"))
            if row.kind in NAMED and not find_names(row):
                wrong.append((*where, f"{name}: the row has no name of Linux"))
            if row.kind == "N" and not values.has_tag:
                wrong.append((*where, f"{name}: no PRM- tag says where the value comes from"))
            if row.kind != "ALSO" and seen.setdefault(name, where) != where:
                wrong.append((*where, f"{name}: a second row of this name"))
    if not seen:
        wrong.append(("lib/prm/values", 0, "no rows"))
    # A mistake in our own files is a failure with every Linux.
    yield from wrong
    newer = linux_release.find_newer(args.linux)
    if not newer:
        yield from absent
    elif absent and not wrong:
        for file, line, problem in absent:
            print(f"new with Linux {newer}: {file}:{line}: {problem}")
        raise Skip(linux_release.explain(absent, newer))
