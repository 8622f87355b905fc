#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""exports.py: prints the version script of a shared library, which exports what its headers declare.

  exports.py NODE PREFIX HEADER...

NODE is the name of the version, such as DEVXIO_0. The script exports each function of a HEADER whose
name begins with PREFIX, except inline functions. The linker hides all other names.
"""
import pathlib
import re
import sys


def remove_braces(text):
    """Returns the text with each pair of braces and its contents replaced by a ;."""
    kept, depth = [], 0
    for c in text:
        depth += c == "{"
        if depth == 0:
            kept.append(c)
        if c == "}":
            depth -= 1
            if depth == 0:
                kept.append(";")
    return "".join(kept)


def find_functions(text, prefix):
    """Yields the name of each declared function that is not static."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif$", "", text, flags=re.M | re.S) # extern "C"
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    for statement in remove_braces(text).split(";"):
        match = re.search(rf"\b({prefix}\w*)\s*\(", statement)
        if match and not re.search(r"\b(?:static|typedef)\b", statement):
            yield match.group(1)


def main():
    node, prefix, *headers = sys.argv[1:]
    names = set()
    for header in headers:
        names.update(find_functions(pathlib.Path(header).read_text(encoding="utf-8"), prefix))
    print(f"{node} {{\nglobal:")
    for name in sorted(names):
        print(f"\t{name};")
    print("local:\n\t*;\n};")


if __name__ == "__main__":
    main()
