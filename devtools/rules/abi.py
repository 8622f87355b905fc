# SPDX-License-Identifier: BSD-3-Clause
"""The library in --installed DIR has the ABI of lib/devx/libdevxio.abi (--write renews the file).

A program that runs with an older library of the same soname must run with the newer one. Functions may be added. Any
other change of a function or of its types breaks the ABI. It needs another soname and a line in CHANGELOG.md in the same
commit. The rule also finds commits that broke this rule, in the last ten changes of the file.

DIR has a library with debug information, and its headers. The file is for gcc of Debian 12 on x86-64; elsewhere, the rule is
skipped.
"""
import errno
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

from rules import Skip

NEEDS = ("installed",)
FILE = "lib/devx/libdevxio.abi"
RENEW = "run devtools/check abi --write --installed DIR"
RAISE = f"raise devxio_soversion in lib/devx/meson.build, say so in CHANGELOG.md, build, and {RENEW}"


def require_debian():
    release = platform.freedesktop_os_release().get("VERSION_CODENAME", "unknown")
    if (platform.machine(), release) != ("x86_64", "bookworm"):
        raise Skip(f"{FILE} is for Debian 12 (bookworm) on x86-64, this is {release} on {platform.machine()}")
    if not shutil.which("abidw") or not shutil.which("abidiff"):
        raise Skip("no abidw or abidiff; install the package abigail-tools (devtools/deps check)")


def dump_library(installed):
    """
    Returns the functions of a library, and the types that installed headers define or declare. Paths and line numbers
    would change with every commit.
    """
    require_debian()
    libraries = [p for p in installed.rglob("libdevxio.so.*") if not p.is_symlink()]
    folders = list(installed.rglob("include/devxio"))
    if not libraries or not folders:
        raise FileNotFoundError(errno.ENOENT, "no libdevxio.so.* or no include/devxio; install the library there", installed)
    headers = sorted(folders[0].rglob("*.h"))
    names = "|".join(str(h.relative_to(folders[0])).replace(".", r"\.") for h in headers)
    declared = {name for h in headers for name in re.findall(r"^struct (\w+);", h.read_text(encoding="utf-8"), flags=re.M)}
    with tempfile.NamedTemporaryFile("w") as private:
        private.write(f"[suppress_type]\n  source_location_not_regexp = ({names}|prm/values/[a-z]+\\.def)$\n"
                      f"  name_not_regexp = ^({'|'.join(sorted(declared))}|u?int[0-9]+_t|__u?int[0-9]+_t|size_t)$\n  drop = yes\n")
        private.flush()
        dump = subprocess.run(["abidw", "--suppressions", private.name, "--exported-interfaces-only", "--drop-undefined-syms",
                               "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
                               "--no-parameter-names", libraries[0]], check=True, capture_output=True, text=True).stdout
    if "<function-decl" not in dump:
        raise FileNotFoundError(errno.ENOENT, "no debug information", libraries[0])
    return dump


def find_soname(dump):
    return re.search(r"soname='([^']*)'", dump)[1]


def compare(old, new, *options):
    """Returns a report of the differences between two dumps, or an empty string."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("old", "new")]
        for path, text in zip(paths, (old, new)):
            path.write_text(text, encoding="utf-8")
        result = subprocess.run(["abidiff", *options, *paths], check=False, capture_output=True, text=True)
    return f"{result.stdout}{result.stderr}abidiff: exit status {result.returncode}" if result.returncode else ""


def find_break(old, new):
    """Returns a report of the changes that break programs built with `old`, or an empty string."""
    return compare(old, new, "--no-added-syms")


def run_git(tree, *arguments):
    return subprocess.run(["git", "-C", tree.top, *arguments], check=False, capture_output=True, text=True).stdout


def list_changes(tree):
    """Yields (name, dump before, dump after, changed files) of the working tree, and of the last commits."""
    if run_git(tree, "rev-parse", "--show-toplevel").strip() != str(tree.top):
        print(f"no git repository: does not check earlier changes of {FILE}")
        return
    yield "the working tree", run_git(tree, "show", f"HEAD:{FILE}"), tree.read(FILE), run_git(tree, "diff", "--name-only", "HEAD")
    for commit in run_git(tree, "log", "-n", "10", "--format=%h", "--", FILE).split():
        before, after = (run_git(tree, "show", f"{revision}:{FILE}") for revision in (f"{commit}^", commit))
        yield f"commit {commit}", before, after, run_git(tree, "show", "--format=", "--name-only", commit)


def write(tree, args):
    """Writes the file, unless the ABI breaks under the soname of HEAD, which the check then reports."""
    now, before = dump_library(args.installed), run_git(tree, "show", f"HEAD:{FILE}")
    if not before or find_soname(before) != find_soname(now) or not find_break(before, now):
        (tree.top / FILE).write_text(now, encoding="utf-8")


def check(tree, args):
    now, recorded = dump_library(args.installed), tree.read(FILE)
    if not recorded:
        yield FILE, 0, f"no such file; {RENEW}"
        return
    soname = find_soname(now)
    if report := compare(recorded, now):
        print(report)
        if not find_break(recorded, now):
            yield FILE, 1, f"{soname} has more functions than this file; {RENEW}"
        elif soname == find_soname(recorded):
            yield FILE, 1, f"the ABI of {soname} breaks; {RAISE}"
        else:
            yield FILE, 1, f"the soname is new: {soname}; {RENEW}"
    for name, before, after, files in list_changes(tree):
        if before and after and find_break(before, after):
            if find_soname(before) == find_soname(after):
                yield name, 0, f"breaks the ABI, but the soname stays {find_soname(after)}; {RAISE}"
            elif "CHANGELOG.md" not in files.split("\n"):
                yield name, 0, "changes the soname, but not CHANGELOG.md; say there what changed"
