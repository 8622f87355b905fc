# SPDX-License-Identifier: BSD-3-Clause
"""Comments, messages and pages follow the rules of CONTRIBUTING.md ("Plain English") that a program can check.

  - A comment or docstring does not start with What, Where, who, whose, whoever, nor, of, so or that which
    (start with what acts).
  - A sentence of a comment, docstring or page has at most 25 words (make two sentences).
  - A DOC comment of a header has at most 15 lines of text (make a page in doc/).
  - Comments, messages and pages do not have the phrases of HABITS, which has plain words for them.
  - A message does not have "there is no", "there are 2" or "that there" (write "no such X", "valid: ...").

Lists, tables, pictures, code and here-documents are exempt.
"""
import re

from rules.tree import C, blank_lines, find_line

FOLDERS = ("lib/", "drivers/", "apps/", "examples/", "tests/", "devtools/", "debian/", "doc/", "README.md", "CONTRIBUTING.md")
LONGEST_SENTENCE = 25  # words
LONGEST_HEADER_COMMENT = 15  # lines of text

OPENING = re.compile(r"(What|Where|[Ww]ho|[Ww]hose|[Ww]hoever|[Nn]or|[Oo]f|[Ss]o|[Tt]hat which)\s")
# Phrases that native readers stumble over, and plain words for them.
HABITS = ((re.compile(r"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!longer\b|more\b|such\b|other)\w+"), "is not a ..., no such ..."),
          (re.compile(r"\bone of both\b", flags=re.I), "one of the two, choose one"),
          (re.compile(r", to{2}\b(?! (?:long|short|large|small|many|few|much|old|new|late|early|far|big|slow|fast|deep|narrow))"), "also, as well"),
          (re.compile(r"\bfor eve[r]\b", flags=re.I), "forever, without end"))
MESSAGE = re.compile(r"\bthere (?:is|are|was|were) (?:no|not|none|\d)|\bthat there\b", flags=re.I)
# A line that matches is a picture, a list, a table or code. It ends the sentence before it.
NO_PROSE = re.compile(r"\s{4}|\t|\s*[|+\-*]|\s*@\w+:|.*\S {3,}\S|.*[-=>]{3}|.*\|.*\||\s*\d+\.\s|.*\w+\(.*;")
DOCSTRING = re.compile(r'^[ \t]*"""(.*?)"""', flags=re.S | re.M)
# A here-document is a file of its own, often with mistakes on purpose.
HERE_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w+)\1\n.*?^\t*\2$", flags=re.S | re.M)


def split_sentences(text):
    """Yields (line in text, sentence) of the prose in text."""
    paragraph, start = [], 0
    for n, line in enumerate([*text.splitlines(), ""]):
        prose = line.strip() and not NO_PROSE.match(line)
        if prose:
            start = start if paragraph else n
            paragraph.append(line.strip())
            continue
        joined = " ".join(paragraph)
        line_of = start
        for sentence in re.split(r"(?<=[.!?:;])[)\"]?\s+", joined):
            yield line_of, sentence
            line_of = start + int(len(joined[:joined.find(sentence) + len(sentence)]) / (len(joined) + 1) * len(paragraph))
        paragraph = []


def find_long_sentences(text, first_line):
    for line, sentence in split_sentences(text):
        words = [w for w in re.sub(r"`[^`]*`", "code", sentence).split() if re.search(r"\w", w)]
        if len(words) > LONGEST_SENTENCE:
            yield first_line + line, f"a sentence of {len(words)} words (valid: {LONGEST_SENTENCE}): {sentence[:60]}..."


def find_habits(text, first_line):
    for n, row in enumerate(re.sub(r"`[^`]*`", "code", text).splitlines()):
        for pattern, plain in HABITS:
            if found := pattern.search(row):
                yield first_line + n, f"{found[0].strip(', ')!r} (valid: {plain}): {row.strip()[:60]}"


def find_messages(line, tokens):
    for token in tokens:
        yield from find_habits(token, line)
        if MESSAGE.search(token):
            yield line, f"a message says 'there is' (valid: no such X; valid: ...): {token[:60]}"


def strip_stars(comment):
    """Returns the text of a comment in C without its stars."""
    body = re.sub(r"^/\*+|\*+/$|^//", "", comment)
    return "\n".join(re.sub(r"^\s*\* ?", "", line) for line in body.split("\n"))


def check_comment(text, line, in_header):
    body = re.sub(r"^SPDX-License-Identifier:[^\n]*\s*", "", text.strip())
    body = re.sub(r"^(DOC: [^\n]*|(?:struct |enum |union )?[\w/, ()]+ - )\s*", "", body)
    if opening := OPENING.match(body):
        yield line, f"a comment opens with '{opening[1]}' (valid: what acts): {body[:60]!r}"
    yield from find_habits(text, line)
    yield from find_long_sentences(text, line)
    n = sum(bool(row.strip()) for row in text.splitlines())
    if in_header and "DOC:" in text and n > LONGEST_HEADER_COMMENT:
        yield line, f"a header comment of {n} lines (valid: {LONGEST_HEADER_COMMENT}; make a page in doc/)"


def check_c(file):
    for line, token in file.tokens:
        if token.startswith("/"):
            yield from check_comment(strip_stars(token), line, file.suffix == ".h")
        elif token.startswith('"'):
            yield from find_messages(line, [token])


def check_script(text):
    """Checks runs of lines that begin with #, docstrings, and the quoted texts of all other lines."""
    text = HERE_DOCUMENT.sub(blank_lines, text)
    comments = [(m.start(), re.sub(r"^[ \t]*#!?:? ?", "", m.group(), flags=re.M))
                for m in re.finditer(r"(?:^[ \t]*# ?.*\n)+", text, flags=re.M)]
    comments += [(m.start(), m[1]) for m in DOCSTRING.finditer(text)]
    for start, body in comments:
        yield from check_comment(body, find_line(text, start), False)
    for n, line in enumerate(DOCSTRING.sub(blank_lines, text).splitlines(), 1):
        if not line.lstrip().startswith("#"):
            yield from find_messages(n, re.findall(r"\"[^\"]*\"|'[^']*'", line))


def check(tree, _):
    for file in tree.files.values():
        found = []
        if file.name.startswith(FOLDERS):
            if file.suffix in C:
                found = check_c(file)
            elif file.suffix == ".md":
                text = re.sub(r"^```.*?^```", blank_lines, file.text, flags=re.S | re.M)
                found = [*find_long_sentences(text, 1), *find_habits(text, 1)]
            elif file.suffix in (".sh", ".py", ".build") or file.text.startswith("#!"):
                found = check_script(file.text)
        for line, problem in found:
            yield file.name, line, problem
