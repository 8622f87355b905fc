#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""public_values.py: prints the prm/values.h that is installed.

  public_values.py VALUES.def... -- HEADER...

The installed header has only the enumerations that a public HEADER mentions, in code or in a comment.
It may mention `enum prm_<name>` or one of its values. In the source tree every value is visible.
"""
import pathlib
import re
import sys

HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_VALUES_H
#define PRM_VALUES_H

/**
 * DOC: Values of firmware fields
 *
 * Only values that the headers of this library mention.
 */"""


def read_text(name):
    return pathlib.Path(name).read_text(encoding="utf-8")


def main():
    at = sys.argv.index("--")
    defs = "".join(read_text(name) for name in sys.argv[1:at])
    headers = "".join(read_text(name) for name in sys.argv[at + 1:])
    rows = dict(re.findall(r"^VALUES\((\w+)\)\n(.*?)^END", defs, flags=re.M | re.S))
    words = set(re.findall(r"\bPRM_\w+|\benum prm_\w+", headers))
    print(HEAD)
    for name in sorted(rows):
        values = re.findall(r"^\s(?:V|XV|R|N)\((\w+),\s*([^,)]+)", rows[name], flags=re.M)
        if words.isdisjoint([f"enum prm_{name}", *(value for value, _ in values)]):
            continue
        print(f"\nenum prm_{name} {{")
        for value, number in values:
            print(f"\t{value} = {number},")
        print("};")
    print("\n#endif")


if __name__ == "__main__":
    main()
