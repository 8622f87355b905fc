# SPDX-License-Identifier: BSD-3-Clause
"""Runs the compiler of the build on one file: does a change compile, and does it give other machine code?"""
import json
import pathlib
import shlex
import subprocess


class Compiler:
    """The commands of a build directory, for files of @tree, which is a copy of @built, the tree of the build."""

    def __init__(self, build, built, tree, scratch):
        self.build, self.tree, self.scratch = pathlib.Path(build), pathlib.Path(tree), pathlib.Path(scratch)
        self.built = str(built)
        self.commands = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8")):
            path = (self.build / entry["file"]).resolve()
            if path.is_relative_to(built) and path.suffix == ".c":
                self.commands.setdefault(str(path.relative_to(built)), shlex.split(entry["command"]))
        self.objects = {}

    def list_readers(self, name):
        """Returns the .c files that the change of a file reaches: itself, or the nearest ones that include the header."""
        if name.endswith(".c"):
            return [name] if name in self.commands else []
        folder = name.rpartition("/")[0]
        readers = [n for n in self.read_includes().get(name, ()) if n in self.commands and not n.startswith("tests/")]
        return sorted(readers, key=lambda n: (not n.startswith(folder + "/"), n))[:3]

    def read_includes(self):
        """Returns {header: .c files of the build that include it}, from ninja."""
        if not hasattr(self, "includes"):
            self.includes = {}
            text = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
            prefix = "../../tree/"
            for block in text.split("\n\n"):
                names = [w.strip()[len(prefix):] for w in block.split("\n")[1:] if w.strip().startswith(prefix)]
                for header in names[1:] if names and names[0].endswith(".c") else ():
                    self.includes.setdefault(header, set()).add(names[0])
        return self.includes

    def get_arguments(self, name):
        """Returns the compiler and the options for a .c file of the tree, without its name and those of its outputs."""
        words, kept = iter(self.commands[name]), []
        for word in words:
            if word in ("-o", "-c", "-MQ", "-MF"):
                next(words)
            elif word != "-MD":
                kept.append(word.replace("../../tree", str(self.tree)))
        return kept

    def get_clang_arguments(self, name):
        """Returns the options for libclang, which cannot read the precompiled headers of gcc."""
        words, kept = iter(self.get_arguments(name)[1:]), [f"-working-directory={self.build}"]
        for word in words:
            if word == "-include":
                header = next(words)
                kept += [] if header.endswith("pch.h") else [word, header]
            elif word not in ("-fpch-preprocess", "-Winvalid-pch"):
                kept.append(word)
        return kept

    def make_object(self, name, *options):
        """Returns the bytes of the object file without debug information, or None if the file does not compile."""
        out = self.scratch / "one.o"
        command = [*self.get_arguments(name), *options, "-c", str(self.tree / name), "-o", str(out)]
        if subprocess.run(command, cwd=self.build, capture_output=True, check=False).returncode:
            return None
        subprocess.run(["objcopy", "--strip-debug", str(out)], check=True)
        return out.read_bytes()

    def get_object(self, name):
        """Returns the object file without a change."""
        if name not in self.objects:
            self.objects[name] = self.make_object(name, "-w")
        return self.objects[name]

    def with_text(self, name, text, call):
        """Returns call() while the file has this text."""
        path = self.tree / name
        before = path.read_bytes()
        try:
            path.write_text(text, encoding="latin-1", newline="")
            return call()
        finally:
            path.write_bytes(before)
