# SPDX-License-Identifier: BSD-3-Clause
"""Comments and pages mention only files, functions and sections that exist.

Reads the comments of C files, scripts and meson.build, and *.md:
  files      name.c, folder/name.h, lib/folder, devtools/name; * stands for anything
  functions  name(), and the first name of a kernel-doc comment
  sections   [text](page.md#section); page.md, "Section"; see *Section* of the same page
A file exists if the path of a file in the tree ends with the name. A function exists if code of the tree calls or
declares it; for a kernel-doc comment, code of the same file. devtools/foreign-names lists names of other projects.
"""
import fnmatch
import os
import re

from rules.tree import C, find_line

FOREIGN = "devtools/foreign-names"
FILE = re.compile(r"(?<![\w./<>*$}=-])((?:[\w.*-]+/)*[\w*-]+\.(?:cc?|h|def|sh|bash|md|py|supp|build|\[ch\])"
                  r"|(?:lib|drivers|apps|examples|tests|doc|devtools|\.ci)/[\w/-]*\w)(?![\w/*-]|\.\w)")
FUNCTION = re.compile(r"(?<![\w.>$-])([A-Za-z_]\w*)\(\)")
HEAD = re.compile(r"/\*\*\s*(?:\*\s*)?(?:(?:struct|enum|union)\s+)?(\w+)(?:\(\))? - ")
SECTION = re.compile(r'([\w./-]+\.md)`?,? "([^"]+)"')
SAME_PAGE = re.compile(r"[Ss]ee \*([^*]+)\*")
LINK = re.compile(r"\]\(([\w./-]*\.md)?#([\w-]+)\)")


def find_comments(file):
    """Returns [(line, text)] of the comments of a C file, a shell script, a Python program or a meson.build; a page is one."""
    if file.suffix in C:
        return file.comments
    if file.suffix == ".md":
        return [(1, file.text)]
    if file.text.startswith("#!") or file.suffix in (".sh", ".bash") or file.path.name == "meson.build":
        return [(n, line[m.start():]) for n, line in enumerate(file.lines, 1) if (m := re.search(r"(?:^|\s)#(?!!)", line))]
    return []


def find_sections(text):
    """Returns the headings of a page, and their #anchors."""
    headings = re.findall(r"^#+ +(.+?)\s*$", text, flags=re.M)
    return {*headings, *("#" + re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings)}


class Names:
    """The files, functions and sections of the tree, and the names of other projects."""

    def __init__(self, tree):
        self.paths = dict.fromkeys([*tree.files, *sorted(tree.folders)])
        self.endings = {}  # the last parts of a path: the first path that ends with them
        for path in self.paths:
            parts = path.split("/")
            for n in range(len(parts)):
                self.endings.setdefault("/".join(parts[n:]), path)
        self.functions = {m for f in tree.files.values() if f.suffix in C for m in re.findall(r"\b(\w+)\s*\(", f.code)}
        self.sections = {f.name: find_sections(f.text) for f in tree.files.values() if f.suffix == ".md"}
        self.foreign = {line.split()[0]: n for n, line in enumerate(tree.read(FOREIGN).splitlines(), 1)
                        if line.strip() and not line.startswith("#")}
        self.foreign_used = set()

    def is_foreign(self, name):
        patterns = [p for p in self.foreign if fnmatch.fnmatchcase(name, p)]
        self.foreign_used.update(patterns[:1])
        return patterns

    def find_file(self, mention, source):
        """Returns the tracked file or folder that a mention in `source` means, or None."""
        near = os.path.normpath(os.path.join(os.path.dirname(source), mention))
        if near in self.paths:
            return near
        if not re.search(r"[*[]", mention):
            return self.endings.get(mention)
        return next(iter(fnmatch.filter(self.endings, mention)), None)


def check_text(names, source, line, text):
    """Yields a mistake for each wrong file or function in one comment or page."""
    mentions = [(m, names.find_file(m[1], source), ": the tree has no such file") for m in FILE.finditer(text)]
    mentions += [(m, m[1] in names.functions, "(): no code of the tree calls or declares it") for m in FUNCTION.finditer(text)]
    for m, exists, problem in mentions:
        if not exists and not names.is_foreign(m[1]):
            yield line + find_line(text, m.start()) - 1, m[1] + problem


def check_sections(names, source, line, text):
    """Yields a mistake for each wrong section in one comment or paragraph. A mention may span two lines."""
    plain = re.sub(r"\s*\n[\s*#]*", " ", text)
    is_page = source in names.sections
    mentions = [(page, section, f'"{section}') for page, section in SECTION.findall(plain)]
    mentions += [(source, section, f"*{section}") for section in SAME_PAGE.findall(plain) if is_page]
    mentions += [(page or source, "#" + anchor, "#" + anchor) for page, anchor in LINK.findall(plain) if is_page]
    for page, section, mark in mentions:
        found = names.find_file(page, source)
        if found in names.sections and section not in names.sections[found]:
            n = next((i for i, part in enumerate(text.split("\n"), line) if mark.split()[0] in part), line)
            valid = ", ".join(sorted(s for s in names.sections[found] if s.startswith("#") == section.startswith("#")))
            yield n, f"{found} has no section {section} (valid: {valid})"


def check_file(names, file):
    for line, text in find_comments(file):
        yield from check_text(names, file.name, line, text)
        head = HEAD.match(text)
        if head and head[1] != "DOC" and not re.search(rf"\b{head[1]}\b", file.code):
            yield line, f"{head[1]}: this file declares no such thing"
        if file.suffix != ".md":
            yield from check_sections(names, file.name, line, text)
    if file.suffix == ".md":
        for m in re.finditer(r"(?:.+\n?)+", file.text):
            yield from check_sections(names, file.name, find_line(file.text, m.start()), m.group())


def check(tree, _):
    names = Names(tree)
    for file in tree.files.values():
        for line, problem in check_file(names, file):
            yield file.name, line, problem
    for pattern, line in names.foreign.items():
        if pattern not in names.foreign_used:
            yield FOREIGN, line, f"nothing mentions {pattern}; remove this line"
