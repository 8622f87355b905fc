# SPDX-License-Identifier: BSD-3-Clause
"""A unit below 60 lines has a reason in doc/small-units.txt; otherwise it belongs to the file that uses it.

A unit is a .c file with its header: that of the same name in its folder, or the installed one in lib/devx/include/devx.
Each line of the list is "reason: unit unit ...". A unit that has grown or was removed must leave the list.
"""
import collections

LIST = "doc/small-units.txt"
FOLDERS = ("lib", "drivers", "apps")
FEWEST_LINES = 60


def count_units(tree):
    """Returns the number of lines of each unit, by its path without suffix."""
    units = collections.Counter()
    for file in tree.select(FOLDERS):
        units[file.name.rpartition(".")[0]] += len(file.lines)
    for stem in list(units):
        folder, _, name = stem.rpartition("/")
        header = f"lib/devx/include/devx/{name}"
        if folder.startswith("lib/devx/") and stem != header and header in units:
            units[stem] += units.pop(header)
    return units


def check(tree, _):
    units, listed = count_units(tree), {}
    for n, line in enumerate(tree.read(LIST).splitlines(), 1):
        if line and not line.startswith("#"):
            listed |= {unit: n for unit in line.partition(": ")[2].split()}
    for unit, lines in units.items():
        if lines < FEWEST_LINES and unit not in listed:
            yield LIST, 1, f"{unit}: {lines} lines, and no reason (valid: at least {FEWEST_LINES}; or merge it with its user)"
    for unit, n in listed.items():
        if units[unit] == 0 or units[unit] >= FEWEST_LINES:
            yield LIST, n, f"{unit}: {units[unit] or 'no'} lines; remove it from the list"
