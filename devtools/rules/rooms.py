# SPDX-License-Identifier: BSD-3-Clause
"""Reads doc/rooms.txt for the rules includes and calls: which folder may use which."""
import fnmatch
import os
import re

PAGE = "doc/rooms.txt"


class Rooms:
    """
    The lines of doc/rooms.txt. A room is a folder, and has one line:

        room: rooms whose headers it may include (rooms that it may only call)

    A file belongs to the nearest room above it. A name with * stands for every room that it
    matches. A name that ends with .h stands for this header alone, of a room that the line does
    not name. `mistakes` holds the errors in the file itself.
    """

    def __init__(self, tree):
        self.mistakes = []
        self.lines = {}      # room: line in the page
        self.includes = {}   # room: rooms whose headers it may include
        self.headers = {}    # room: single headers of other rooms that it may include
        self.calls = {}      # room: rooms that it may call: those of `includes`, and those in parentheses
        self.below = {}      # room: rooms that it reaches by calls of calls
        rows = self._read(tree)
        for room, (included, called) in rows.items():
            self.headers[room] = {name for name in included if name.endswith(".h")}
            for name in sorted(self.headers[room] - tree.files.keys()):
                self._mistake(self.lines[room], f"{name}: no such header")
            self.includes[room] = self._expand(room, included - self.headers[room])
            self.calls[room] = self.includes[room] | self._expand(room, called)
        for room in self.calls:
            self.below[room] = self._reach(room)
        self._check_order()

    def _mistake(self, line, text):
        self.mistakes.append((PAGE, line, text))

    def _read(self, tree):
        rows = {}
        for n, line in enumerate(tree.read(PAGE).splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            match = re.fullmatch(r"([\w./-]+):([^()]*)(?:\(([^()]*)\))?\s*", line)
            if not match:
                self._mistake(n, f"not a room: '{line}' (valid: `room: rooms it includes (rooms it only calls)`)")
                continue
            room, included, called = match.groups(default="")
            if room in rows:
                self._mistake(n, f"{room}: a second line for this room; merge the two")
            if room not in tree.folders:
                self._mistake(n, f"{room}: no such folder")
            rows[room] = set(included.split()), set(called.split())
            self.lines[room] = n
        if not rows:
            self._mistake(1, "no rooms")
        return rows

    def _expand(self, room, names):
        """Returns the rooms that match `names`, without `room` itself."""
        rooms = set()
        for name in sorted(names):
            matches = set(fnmatch.filter(self.lines, name))
            if not matches:
                self._mistake(self.lines[room], f"{name}: no such room")
            rooms |= matches - {room}
        return rooms

    def _reach(self, room):
        reached, found = set(), self.calls[room]
        while found:
            reached |= found
            found = set().union(*(self.calls[other] for other in found)) - reached
        return reached

    def _check_order(self):
        """Adds one mistake for each cycle of rooms."""
        known = set()
        for room in self.calls:
            if room in self.below[room] and room not in known:
                cycle = sorted(r for r in self.below[room] if room in self.below[r])
                known.update(cycle)
                self._mistake(self.lines[room], f"these rooms reach each other: {', '.join(cycle)}")

    def find(self, path):
        """Returns the room of a file, or None. `path` is relative to the tree."""
        folder = os.path.dirname(path)
        while folder and folder not in self.calls:
            folder = os.path.dirname(folder)
        return folder or None
