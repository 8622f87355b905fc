# SPDX-License-Identifier: BSD-3-Clause
"""Every C file has the format of clang-format 14 (--fix formats the files; skipped without clang-format 14).

With --passed FILE, skips the files that an earlier run found formatted: FILE keeps a digest of each. Releases of
clang-format format differently with the same settings, so this rule uses only release 14 (Debian 12).
"""
import hashlib
import re
import subprocess

from rules import Skip

RELEASE = "14"
# A second pass may change a file again. A file that still changes after these passes will change forever.
MAX_PASSES = 5


def find_clang_format():
    why = "clang-format is not installed"
    for program in (f"clang-format-{RELEASE}", "clang-format"):
        try:
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        match = re.search(r"version (\d+)", version)
        if match and match[1] == RELEASE:
            return program
        why = f"clang-format: the installed release is {match[1] if match else 'unknown'}"
    raise Skip(f"{why} (valid: {RELEASE}, as in Debian 12)")


def find_unformatted(program, tree, names):
    """Returns {file: line of the first change that clang-format would make}."""
    found = {}
    for start in range(0, len(names), 100):
        result = subprocess.run([program, "--dry-run", "--style=file", *names[start:start + 100]],
                                cwd=tree.top, capture_output=True, text=True, check=False)
        for name, line in re.findall(r"^(.+?):(\d+):\d+: (?:warning|error): code should be clang-formatted",
                                     result.stderr, flags=re.M):
            found.setdefault(name, int(line))
        if result.returncode:
            raise SystemExit(result.stderr)
    return found


def list_names(tree):
    return [file.name for file in tree.select(suffixes=(".c", ".h"))]


def fix(tree, _):
    program, found = find_clang_format(), list_names(tree)
    for _ in range(MAX_PASSES):
        found = list(find_unformatted(program, tree, found))
        if found:
            subprocess.run([program, "-i", "--style=file", *found], cwd=tree.top, check=True)


def check(tree, args):
    program, names = find_clang_format(), list_names(tree)
    settings = RELEASE + tree.read(".clang-format")
    digests = {name: hashlib.sha256(f"{settings}{name}".encode() + tree.files[name].raw).hexdigest() for name in names}
    passed = args.passed.read_text(encoding="utf-8").split() if args.passed and args.passed.exists() else []
    found = find_unformatted(program, tree, [n for n in names if digests[n] not in set(passed)])
    if args.passed:
        args.passed.write_text("\n".join(digests[n] for n in names if n not in found), encoding="utf-8")
    advice = "put `/* clang-format off */` around the lines that change in every pass" if args.fix else "run devtools/check format --fix"
    for name, line in sorted(found.items()):
        yield name, line, f"not formatted as clang-format {RELEASE} does; {advice}"
