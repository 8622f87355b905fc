# SPDX-License-Identifier: BSD-3-Clause
"""A newer DPDK still exports what net_devx uses (needs --dpdk DIR).

DIR has the librte_*.so of a newer DPDK. Compares them with --driver, a net_devx built with an older DPDK, by name and
class: stable (a version DPDK_*, whose number is ignored), EXPERIMENTAL or INTERNAL. A function or variable that is
gone or no longer stable is a mistake, unless a branch of compat.h for older versions uses it. Then the rule only
prints a line. The functions in the branches for newer versions must be exported. No other source of lib, drivers and
apps may have a condition on DPDK's version.
"""
import collections
import errno
import re
import subprocess

from rules.tree import strip_comments

NEEDS = ("dpdk",)
COMPAT = "drivers/net/devx/compat.h"

Symbol = collections.namedtuple("Symbol", "name is_needed kind")


def read_symbols(file):
    """Yields the symbols of DPDK's versions that a library needs or exports."""
    out = subprocess.run(["readelf", "--dyn-syms", "--wide", file], check=True, capture_output=True, text=True).stdout
    for section, name, version in re.findall(r" (UND|ABS|\d+) (\w+)@@?(DPDK_\d+|EXPERIMENTAL|INTERNAL)\b", out):
        yield Symbol(name, section == "UND", "stable" if version.startswith("DPDK_") else version)


def read_exports(folder):
    """Returns {name: its classes} of the libraries in a directory."""
    exports = collections.defaultdict(set)
    for file in {f.resolve() for f in folder.glob("librte_*.so") if f.exists()}:
        for symbol in read_symbols(file):
            if not symbol.is_needed:
                exports[symbol.name].add(symbol.kind)
    return exports


def read_compat(text):
    """Returns (names in the branches for newer versions, names in those for older versions)."""
    newer, older = set(), set()
    for block in re.findall(r"^#if RTE_VERSION >= .*?\n(.*?)^#endif", strip_comments(text), flags=re.S | re.M):
        since, _, before = block.partition("#else\n")
        newer |= set(re.findall(r"\brte_\w+(?=\()", since))
        newer |= set(re.findall(r"^#define \w+ (rte_\w+)$", since, flags=re.M))
        older |= set(re.findall(r"\brte_\w+", before))
    return newer, older


def check_symbols(driver, exports, newer, older):
    """Yields a mistake for each symbol that the driver needs and DPDK no longer has."""
    needed = sorted({s for s in read_symbols(driver) if s.is_needed})
    if not needed:
        yield str(driver), 0, "uses no symbol of DPDK (valid: librte_net_devx.so)"
    for symbol in needed:
        kinds = exports.get(symbol.name)
        if not kinds:
            problem = f"{symbol.name} ({symbol.kind}): gone"
        elif symbol.kind == "stable" and "stable" not in kinds:
            problem = f"{symbol.name}: was stable, is {'/'.join(sorted(kinds))}"
        else:
            continue
        if symbol.name in older:
            print(f"{problem}; {COMPAT} uses another function since")
        else:
            yield COMPAT, 1, f"{problem}; add a condition"
    for name in sorted(newer - exports.keys()):
        yield COMPAT, 1, f"{name}: gone; this file uses it with newer versions"


def check(tree, args):
    exports = read_exports(args.dpdk)
    if not exports:
        raise FileNotFoundError(errno.ENOENT, "no librte_*.so that exports symbols of DPDK", args.dpdk)
    if not args.driver.is_file():
        raise FileNotFoundError(errno.ENOENT, "no such file; build net_devx first (devtools/build gcc)", args.driver)
    yield from check_symbols(args.driver, exports, *read_compat(tree.read(COMPAT)))
    for file in tree.select(("lib", "drivers", "apps"), (".c", ".h")):
        for n, line in enumerate(file.lines, 1):
            if file.name != COMPAT and re.match(r"#\s*(if|elif)\b.*\bRTE_VER", line):
                yield file.name, n, f"a condition on DPDK's version; move it to {COMPAT}"
