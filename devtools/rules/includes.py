# SPDX-License-Identifier: BSD-3-Clause
"""Every include follows doc/rooms.txt.

A room may include its own headers, those of the rooms in its line, and the headers in its line. Every other include is
a mistake, and so is every file outside of all rooms. Errors in doc/rooms.txt also are: a folder that does not exist,
and rooms that reach each other.
"""
import os
import re

from rules import rooms, tree as reader

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def find_include_folders(tree):
    """Returns the folders in include_directories() of the files meson.build, lib first."""
    found = {"lib": None}  # a dictionary keeps the order
    for build in tree.select(suffixes=(".build",)):
        for arguments in re.findall(r"include_directories\(([^)]*)\)", build.text):
            for name in re.findall(r"'([^']*)'", arguments):
                found[os.path.normpath(os.path.join(os.path.dirname(build.name), name))] = None
    return list(found)


def resolve_include(tree, folders, name):
    """Returns the file that the compiler includes, or None if that file is not in the tree."""
    paths = (os.path.normpath(f"{folder}/{name}") for folder in folders)
    return next((path for path in paths if path in tree.files), None)


def check_file(tree, file, all_rooms, include_folders):
    room = all_rooms.find(file.name)
    if not room:
        yield file.name, 1, f"no room of {rooms.PAGE} holds this file (valid: a folder in one of its lines)"
        return
    folder = os.path.dirname(file.name)
    # Several rigs of tests have the same name. A test is built with the rig in the nearest folder above it.
    above = [f for f in include_folders if f"{folder}/".startswith(f"{f}/")]
    # Two programs may have headers of the same name. tests/pktgen is built with those of apps/pktgen.
    tested = [f for f in include_folders if f"{folder}/".startswith(f"tests/{os.path.basename(f)}/")]
    include_folders = sorted(above, key=len, reverse=True) + tested + include_folders
    allowed = all_rooms.includes[room] | {room}
    for n, line in enumerate(file.lines, 1):
        if match := INCLUDE.match(line):
            header = resolve_include(tree, [folder] * (match[1] == '"') + include_folders, match[2])
            other = header and all_rooms.find(header)
            if other and other not in allowed and header not in all_rooms.headers[room]:
                valid = " ".join(sorted(all_rooms.includes[room] | all_rooms.headers[room])) or "none"
                yield file.name, n, f'{room} includes "{match[2]}" of {other} (valid: its own headers, and those of: {valid})'


def check(tree, _):
    all_rooms = rooms.Rooms(tree)
    yield from all_rooms.mistakes
    include_folders = find_include_folders(tree)
    for file in tree.select(suffixes=reader.C):
        yield from check_file(tree, file, all_rooms, include_folders)
