# SPDX-License-Identifier: BSD-3-Clause
"""Functions use only functions and data of rooms below their own (needs --build-dir).

Reads the symbols of the object files of lib, drivers and apps in a build directory. doc/rooms.txt says which rooms
are below a room. Its lines form no cycle, so calls that follow them form no cycle between rooms.
"""
import collections
import json
import os
import re
import subprocess

from rules import rooms

NEEDS = ("build_dir",)
FOLDERS = ("lib/", "drivers/", "apps/")


def read_symbols(files, *options):
    """Returns {file: (defined names, used names)} of the symbols that are visible to other files."""
    out = subprocess.run(["nm", "--extern-only", "--print-file-name", *options, *files],
                         check=True, capture_output=True, text=True).stdout
    symbols = collections.defaultdict(lambda: (set(), set()))
    for line in out.splitlines():
        file, _, rest = line.rpartition(":")
        kind, name = rest.split()[-2:]
        symbols[file][kind in "Uwv"].add(name.split("@")[0])
    return symbols


def find_objects(build, tree):
    """Returns {object file: its source, relative to the tree}."""
    objects = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        folder = build.resolve() / entry["directory"]
        source = os.path.relpath(folder / entry["file"], tree.top)
        output = str(folder / entry["output"])
        # A precompiled header is not an object file.
        if output.endswith(".o") and source.startswith(FOLDERS) and os.path.exists(output):
            objects[output] = source
    return objects


def check_use(tree, user, name, definers, all_rooms):
    """Returns the mistake if `user` may use no definition of `name`, else None."""
    room = all_rooms.find(user)
    others = {all_rooms.find(d): d for d in definers}
    if None in (room, *others) or any(o == room or o in all_rooms.below[room] for o in others):
        return None
    other, definer = min(others.items())
    lines = tree.read(user).splitlines()
    n = next((n for n, line in enumerate(lines, 1) if re.search(rf"\b{re.escape(name)}\b", line)), 1)
    valid = " ".join(sorted(all_rooms.below[room])) or "none"
    return user, n, f"{room} uses {name} of {other} ({os.path.basename(definer)}), which is not below it (valid: {valid})"


def check(tree, args):
    all_rooms = rooms.Rooms(tree)
    yield from all_rooms.mistakes
    objects = find_objects(args.build_dir, tree)
    if not objects:
        yield str(args.build_dir), 0, f"no object files of {' '.join(FOLDERS)}; build this directory first"
        return
    symbols = read_symbols(objects)
    # The preload also defines functions of the C library, but their callers call the C library.
    libc = subprocess.run(["cc", "-print-file-name=libc.so.6"], check=True, capture_output=True, text=True).stdout.strip()
    foreign = set().union(*(defined for defined, _ in read_symbols([libc], "--dynamic").values()))
    definers = collections.defaultdict(set)
    for file, (defined, _) in symbols.items():
        for name in defined - foreign:
            definers[name].add(objects[file])
    found = {check_use(tree, objects[file], name, definers[name], all_rooms)
             for file, (_, used) in symbols.items() for name in used & definers.keys()}
    yield from sorted(found - {None})
