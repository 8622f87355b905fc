# SPDX-License-Identifier: BSD-3-Clause
"""Puts many changes into a copy of the tree, each behind a number.

A process executes only the change whose number is in its environment variable MUTANT. If MUTANT_TRACE names a file, each place
that the process reaches leaves a mark there: in the row of its number, the bit of the running case of the test program.
"""
import struct

ROW = 1024  # bytes; so at most 8192 cases
HEADER = r"""/* Written by devtools/mutants. */
#ifndef MUTANT_SWITCH_H
#define MUTANT_SWITCH_H
#include <sys/syscall.h>
#ifdef __cplusplus
#include <cstdlib>
#include <unistd.h>
#else
char *getenv(const char *);
long syscall(long, ...);
#endif
static int mutant_number __attribute__((unused));
static unsigned char *mutant_trace;

/* System calls by number: the preload of emu replaces the functions. Each file has its own copy of all this. */
__attribute__((constructor(101))) static void mutant_read_environment(void)
{
	const char *number = getenv("MUTANT"), *trace = getenv("MUTANT_TRACE");

	for (; number && *number; number++)
		mutant_number = mutant_number * 10 + (*number - '0');
	if (trace) {
		const long fd = syscall(SYS_openat, -100, trace, 2);
		const long map = fd < 0 ? -1 : syscall(SYS_mmap, 0L, (long)@BYTES@, 3L, 1L, fd, 0L);

		if (fd >= 0)
			syscall(SYS_close, fd);
		if (map != -1)
			mutant_trace = (unsigned char *)map;
	}
}

static inline __attribute__((unused)) int mutant_on(int number)
{
	if (__builtin_expect(mutant_trace != 0, 0)) {
		const unsigned int n = *(volatile unsigned int *)mutant_trace, at = n < @CASES@ ? n : @CASES@ - 1;

		__atomic_fetch_or(mutant_trace + (unsigned long)number * @ROW@ + at / 8, (unsigned char)(1 << at % 8), __ATOMIC_RELAXED);
	}
	return mutant_number == number;
}

static inline __attribute__((unused)) void mutant_next_case(void)
{
	if (mutant_trace)
		++*(unsigned int *)mutant_trace;
}
#endif
"""
QUIET = ("unused-variable", "unused-but-set-variable", "unused-but-set-parameter", "unused-value", "unused-function", "unused-label",
         "unused-parameter", "parentheses", "implicit-fallthrough", "maybe-uninitialized", "uninitialized", "sign-compare", "type-limits",
         "bool-compare", "bool-operation", "int-in-bool-context", "nonnull", "array-bounds", "stringop-overflow", "format",
         "format-truncation", "empty-body", "switch", "return-type", "dangling-else", "missing-prototypes", "shift-count-overflow",
         "logical-op", "tautological-compare", "address", "enum-conversion", "extra", "overflow", "div-by-zero", "duplicate-decl-specifier")
CASE_HOOK = "void SetUp() override {"
MAX_BUGS = 2000


def write_header(path):
    text = HEADER.replace("@BYTES@", str((MAX_BUGS + 1) * ROW)).replace("@CASES@", str(8 * ROW)).replace("@ROW@", str(ROW))
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def render(text, bugs, header, alone=None):
    """Returns the text of a file with its @bugs behind switches of @header. Applies the change @alone, which has no form."""
    edits = []
    for bug in bugs:
        change = bug.change
        if bug.form:
            edits.append((change.start, change.end, change.switch(text[change.start:change.end], bug.number, bug.form)))
        else:
            edits += [(mark, mark, f" (void)mutant_on({bug.number});") for mark in change.marks]
            if bug is alone:
                edits.append((change.start, change.end, change.new))
    for start, end, new in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        text = text[:start] + new + text[end:]
    quiet = "".join(f'#pragma GCC diagnostic ignored "-W{w}"\n' for w in QUIET)
    return f'#include "{header}"\n{quiet}#line 1\n{text}'


def is_near(a, b):
    """Returns whether the texts of two bugs touch."""
    return a.name == b.name and a.change.start <= b.change.end and b.change.start <= a.change.end


def add_case_hook(text, header):
    """Returns the text of ct_main.cc with a counter of cases, or None."""
    if text.count(CASE_HOOK) != 1 or text.count("#include <memory>") != 1:
        return None
    text = text.replace("#include <memory>", f'#include <memory>\n#include "{header}"')
    return text.replace(CASE_HOOK, f"{CASE_HOOK} mutant_next_case();")


def read_trace(path, numbers):
    """Returns {number: cases that reached it}. Case 0 is the code before the first case, or a program without cases."""
    data, reached = path.read_bytes(), {}
    for n in numbers:
        row = data[n * ROW:(n + 1) * ROW]
        cases = [8 * i + b for i, byte in enumerate(row) if byte for b in range(8) if byte >> b & 1]
        if cases:
            reached[n] = cases
    return reached


def make_trace(path):
    path.write_bytes(struct.pack("I", 0))
    with open(path, "r+b") as file:
        file.truncate((MAX_BUGS + 1) * ROW)
