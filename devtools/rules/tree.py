# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of the tree for the rules, each once."""
import functools
import pathlib
import re
import subprocess

C = {".c", ".h", ".cc", ".def"}
SOURCES = ("lib", "drivers", "apps", "examples", "tests")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", flags=re.S)


def blank_lines(match):
    """Returns the line breaks of a match. In place of the match, they keep the numbers of later lines."""
    return "\n" * match.group().count("\n")


def find_line(text, position):
    return text.count("\n", 0, position) + 1


def strip_comments(text):
    """Returns a text in C without comments, with the same lines."""
    return TOKEN.sub(lambda m: blank_lines(m) if m.group().startswith("/") else m.group(), text)


class File:
    """A file of the tree. `name` is its path in the tree. A binary file has an empty text."""

    def __init__(self, tree, name):
        self.name = name
        self.path = tree / name
        self.suffix = self.path.suffix

    @functools.cached_property
    def raw(self):
        return self.path.read_bytes()

    @functools.cached_property
    def text(self):
        return "" if b"\0" in self.raw else self.raw.decode(errors="replace")

    @functools.cached_property
    def lines(self):
        return self.text.splitlines()

    @functools.cached_property
    def tokens(self):
        """[(line, text)] of the comments, strings and characters of a file in C."""
        return [(find_line(self.text, m.start()), m.group()) for m in TOKEN.finditer(self.text)]

    @functools.cached_property
    def comments(self):
        """[(line, text)] of the comments of a file in C."""
        return [(line, token) for line, token in self.tokens if token.startswith("/")]

    @functools.cached_property
    def code(self):
        """The text of a file in C without comments, with empty strings, and with the same lines."""
        return TOKEN.sub(lambda m: ("" if m.group().startswith("/") else '""') + blank_lines(m), self.text)


class Tree:
    """The files that git tracks or would track; without git, all files outside of builds."""

    def __init__(self, top):
        self.top = top
        self.files = {name: File(top, name) for name in self._list_names() if (top / name).is_file()}

    def _list_names(self):
        try:
            out = subprocess.run(["git", "-C", self.top, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                 check=True, capture_output=True).stdout
            names = filter(None, out.decode().split("\0"))
        except (OSError, subprocess.CalledProcessError):
            names = (str(p.relative_to(self.top)) for p in self.top.rglob("*"))
            names = (n for n in names if not re.match(r"build|\.git(?:/|$)", n))
        return sorted(names, key=lambda n: n.split("/"))

    @functools.cached_property
    def folders(self):
        """Every folder with a file below it, and "." for the tree itself."""
        return {str(p) for name in self.files for p in pathlib.PurePosixPath(name).parents}

    def select(self, folders=SOURCES, suffixes=(".c", ".h", ".cc")):
        """Returns the files in these folders with these suffixes, folder by folder."""
        return [f for folder in folders for f in self.files.values() if f.name.startswith(f"{folder}/") and f.suffix in suffixes]

    def read(self, name):
        """Returns the text of a file, or an empty string if the tree has no such file."""
        return self.files[name].text if name in self.files else ""
