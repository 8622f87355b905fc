# SPDX-License-Identifier: BSD-3-Clause
"""The name of a function has more than one word.

A name is a verb and a noun. One word is enough for main() and for an operation of a table in the same file (.poll =
poll). It is also enough for a function of the C library that the file replaces.
"""
import re

from rules.tree import blank_lines, find_line

# Functions of the C library that the preload or a test replaces; open64 counts as open.
LIBRARY = {"access", "calloc", "close", "creat", "dup", "fcntl", "fopen", "free", "freopen", "fstat", "fstatat", "ftw", "getcwd",
           "getwd", "glob", "ioctl", "lstat", "malloc", "mmap", "mremap", "munmap", "nftw", "open", "openat", "poll", "read",
           "readlink", "readlinkat", "readv", "realloc", "realpath", "sendmsg", "sendto", "sigaction", "signal", "socket",
           "ssignal", "stat", "statx", "strdup", "truncate", "write", "writev"}
IGNORED = re.compile(r"^#(?:\\\n|[^\n])*"
                     r"|__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)[ \t]*", flags=re.M)
# A definition begins in the first column: return type, name, arguments, opening brace.
DEFINITION = re.compile(r"^((?:\w[\w \t*]*[\s*])?)([a-z]+[0-9]*)\s*\(([^;{}]*?)\)\s*\{", flags=re.M)
NO_FUNCTION = {"if", "for", "while", "switch", "return", "sizeof"}


def find_functions(file):
    """Yields (line, name, visible to other files) of the functions of one word that a file defines."""
    code = IGNORED.sub(blank_lines, file.code)
    for m in DEFINITION.finditer(code):
        if m[1] and m[2] not in NO_FUNCTION:
            yield find_line(code, m.start(2)), m[2], "static" not in m[1].split()


def is_operation(name, text):
    return re.search(rf"\.\w+\s*=\s*&?{name}\s*[,}}]", text)


def check(tree, _):
    for file in tree.select():
        for line, name, visible in find_functions(file):
            if name != "main" and not (visible and name.rstrip("0123456789") in LIBRARY) and not is_operation(name, file.text):
                yield file.name, line, f"{name}() is one word (valid: verb_noun(), main(), an operation of a table in this file)"
