#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""headers.py LIB PASSED: every header below LIB compiles alone, as C11, with the compiler $CC.

PASSED is a file that this program writes: the headers that compiled, and for each of them the files that
the compiler read, with a digest of their contents and of the compiler. A header is compiled again
only if its digest is another one.
"""
import functools
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

OPTIONS = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I.", "-Idevx/include", "-x", "c"]
BEGIN = time.time()


@functools.cache
def digest_file(path):
    """Returns "" for a file that does not exist, and for a file that changes while this program runs."""
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest() if os.stat(path).st_mtime < BEGIN else ""
    except OSError:
        return ""


def compute_digest(compiler, files):
    """Returns the digest of a header that includes `files`, or "" if it must be compiled again next time."""
    digests = [digest_file(f) for f in files]
    return hashlib.sha256("\n".join([compiler, *digests]).encode()).hexdigest() if digests and all(digests) else ""


def compile_header(command, header):
    """Returns the files that the compiler read, or an empty list if the header does not compile."""
    result = subprocess.run([*command, *OPTIONS, "-MD", "-MF", "-", header], stdout=subprocess.PIPE, text=True, check=False)
    # The files are a rule of make: header.o: FILE FILE ...
    return shlex.split(result.stdout.replace("\\\n", ""))[1:] if result.returncode == 0 else []


def main():
    passed = pathlib.Path(sys.argv[2]).absolute()
    os.chdir(sys.argv[1]) # the files have the same names when the tree is moved
    os.environ["CCACHE_DISABLE"] = "1" # ccache keeps no results of -fsyntax-only, but doubles its time
    command = shlex.split(os.environ.get("CC", "cc"))
    version = subprocess.run([*command, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    compiler = "\n".join([*command, *OPTIONS, version])
    try:
        known = json.loads(passed.read_text(encoding="utf-8"))
    except (OSError, ValueError): # the first run, or a run that was cut off
        known = {}

    headers = sorted(str(p) for p in pathlib.Path().rglob("*.h"))
    good, n_compiled, n_bad = {}, 0, 0
    for header in headers:
        digest, files = known.get(header, ("", []))
        if not digest or digest != compute_digest(compiler, files):
            n_compiled += 1
            files = compile_header(command, header)
            n_bad += not files
        good[header] = compute_digest(compiler, files), files
    passed.write_text(json.dumps(good), encoding="utf-8")
    print(f"{len(headers)} headers, {n_compiled} compiled, {n_bad} do not compile alone")
    return 0 if headers and not n_bad else 1


if __name__ == "__main__":
    sys.exit(main())
