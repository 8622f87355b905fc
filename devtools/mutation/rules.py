# SPDX-License-Identifier: BSD-3-Clause
"""The changes that are possible on a line of a C file.

The places come from libclang (Debian's python3-clang): it knows the extent of each expression, the types, and which text
comes from a macro. Inside the arguments of a macro only constants change. Offsets are in bytes: a text is latin-1.
"""
import dataclasses
import re
import sys

try:
    from clang import cindex
except ImportError:  # another Python than Debian's, which looks elsewhere
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        from clang import cindex
    except ImportError:
        cindex = None

RULES = ("negated condition", "lost operand", "ignored result", "dropped statement", "dropped unlock or free", "swapped arguments",
         "off by one", "another constant", "another member", "weaker order")
RELEASE = re.compile(r"(\(void\))?\w*(unlock|free|close|destroy|release|unmap|dereg|put|return|detach|unref|cancel|disarm)\w*\s*\(")
BARRIER = re.compile(r"\b(rte_\w*mb|\w+_wmb|\w+_rmb|\w*fence\w*|\w*barrier\w*|udma_\w+)\s*\(")
ORDER = re.compile(r"__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)|memory_order_(?!relaxed)\w+")
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[1-9][0-9]*|0)([uUlL]*)")
NAME = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


@dataclasses.dataclass
class Change:
    """The text [start, end) of a file becomes @new. @forms: how both can stand behind a switch, the best one first: "value"
    (an expression), "place" (an expression that is assigned to, or whose address is taken), or "statement". Without a form the
    change needs a build of its own. @marks: offsets in the bodies of functions that use a change without a form."""
    rule: str
    start: int
    end: int
    new: str
    forms: tuple = ()
    marks: tuple = ()

    def switch(self, old, number, form):
        """Returns the text that does @old, or the change when the process has its @number."""
        on = f"mutant_on({number})"
        if form == "value":
            return f"({on} ? ({self.new}) : ({old}))"
        if form == "place":
            return f"(*({on} ? &({self.new}) : &({old})))"
        return f"{{ if ({on}) {{ {self.new} }} else {{ {old} }} }}"


class Source:
    """A parsed file: its text, and clang's tree. @reads: the file to parse; a header may need a .c that includes it."""

    def __init__(self, path, arguments, reads=None):
        self.path = str(path)
        with open(path, encoding="latin-1", newline="") as file:
            self.text = file.read()
        self.unit = cindex.Index.create().parse(str(reads or path), arguments,
                                                options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        kinds = cindex.CursorKind
        self.tops, self.macros, self.defined = [], [], {}
        for top in self.unit.cursor.get_children():
            here = top.location.file and top.location.file.name == self.path
            if top.kind == kinds.MACRO_DEFINITION:
                self.defined[top.spelling] = top
            elif here and top.kind == kinds.MACRO_INSTANTIATION:
                self.macros.append((top.extent.start.offset, top.extent.end.offset))
            elif here and top.kind in (kinds.FUNCTION_DECL, kinds.VAR_DECL):
                self.tops.append(top)

    def find_top(self, line):
        """Returns the function or variable whose definition has this line, or None."""
        return next((t for t in self.tops if t.extent.start.line <= line <= t.extent.end.line), None)

    def cut(self, cursor):
        return self.text[cursor.extent.start.offset:cursor.extent.end.offset]

    def see_through(self, cursor):
        """Returns "clear" if all of the cursor's text is its own, "whole" if it is a macro with its arguments, and "inside" if it
        is a part of a macro."""
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        for a, b in self.macros:
            if (a, b) == (start, end):
                return "whole"
            if start < b and a < end and not (start <= a and b <= end):
                return "inside"
        return "clear"


def get_statement_end(text, end):
    """Returns the offset after the next ';', or None."""
    match = re.compile(r"\s*;").match(text, end)
    return match and match.end()


def is_statement(kinds, parent, index):
    """Returns whether child @index of @parent is in the place of a statement."""
    if parent.kind in (kinds.COMPOUND_STMT, kinds.LABEL_STMT, kinds.DEFAULT_STMT):
        return True
    return index > 0 and parent.kind in (kinds.IF_STMT, kinds.WHILE_STMT, kinds.CASE_STMT)


def strip_casts(cursor, kinds):
    while cursor.kind in (kinds.UNEXPOSED_EXPR, kinds.PAREN_EXPR):
        inner = list(cursor.get_children())
        if len(inner) != 1:
            break
        cursor = inner[0]
    return cursor


def has_call(cursor):
    return any(c.kind == cindex.CursorKind.CALL_EXPR for c in cursor.walk_preorder())


class Finder:
    """Finds the changes of one line. Each method appends changes of one kind of place."""

    def __init__(self, source, line):
        self.s, self.line, self.found = source, line, []
        self.kinds = cindex.CursorKind
        self.top = source.find_top(line)

    def add(self, rule, start, end, new, *forms):
        old = self.s.text[start:end]
        if old.strip() != new.strip() and "\n#" not in old:
            self.found.append(Change(rule, start, end, new, forms))

    def add_at(self, rule, cursor, new, *forms):
        self.add(rule, cursor.extent.start.offset, cursor.extent.end.offset, new, *forms)

    def find(self):
        if self.top and self.top.kind == self.kinds.FUNCTION_DECL and self.top.is_definition():
            self.visit(self.top)
        if self.top:
            self.find_constants()
        unique = {(c.rule, c.start, c.end, c.new): c for c in self.found}
        return sorted(unique.values(), key=lambda c: (RULES.index(c.rule), c.start, c.end, c.new))

    def visit(self, parent, within=None):
        for i, cursor in enumerate(parent.get_children()):
            extent = cursor.extent
            if extent.start.line > self.line or extent.end.line < self.line:
                continue
            key = extent.start.offset, extent.end.offset
            how = self.s.see_through(cursor)
            if extent.start.line == self.line and how != "inside" and key != within:
                self.look_at(cursor, parent, i, how == "clear")
            # All parts of a macro have the extent of the macro, so only the outermost part counts.
            if how == "clear":
                self.visit(cursor)

    def look_at(self, cursor, parent, index, clear):
        kinds = self.kinds
        if parent.kind in (kinds.IF_STMT, kinds.WHILE_STMT, kinds.CONDITIONAL_OPERATOR) and index == 0:
            self.change_condition(cursor)
        if is_statement(kinds, parent, index):
            self.change_statement(cursor, clear)
        if cursor.kind == kinds.RETURN_STMT and clear:
            self.change_return(cursor)
        if not clear:
            return
        if cursor.kind == kinds.VAR_DECL:
            self.change_initial(cursor)
        elif cursor.kind == kinds.BINARY_OPERATOR:
            self.change_operator(cursor)
        elif cursor.kind == kinds.CONDITIONAL_OPERATOR:
            self.change_choice(cursor)
        elif cursor.kind == kinds.CALL_EXPR:
            self.change_call(cursor)
        elif cursor.kind == kinds.MEMBER_REF_EXPR:
            self.change_member(cursor)

    def change_condition(self, cursor):
        old = self.s.cut(cursor)
        self.add_at("negated condition", cursor, f"!({old})", "value")
        if has_call(cursor):
            self.add_at("ignored result", cursor, f"(({old}), 0)", "value")

    def change_statement(self, cursor, clear):
        kinds = self.kinds
        start, end = cursor.extent.start.offset, get_statement_end(self.s.text, cursor.extent.end.offset)
        if end is None:
            return
        old = self.s.text[start:end]
        moves = (kinds.BREAK_STMT, kinds.CONTINUE_STMT, kinds.GOTO_STMT)
        acts = (kinds.CALL_EXPR, kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR, kinds.UNARY_OPERATOR, kinds.CSTYLE_CAST_EXPR)
        if cursor.kind in acts or not clear and cursor.kind.is_expression():
            if BARRIER.search(old):
                self.add("weaker order", start, end, ";")
            elif RELEASE.match(old) and cursor.kind != kinds.BINARY_OPERATOR:
                self.add("dropped unlock or free", start, end, ";", "statement")
            elif not re.match(r"\(void\)\s*\w+;|RTE_SET_USED", old):
                self.add("dropped statement", start, end, ";", "statement")
        elif cursor.kind in moves:
            self.add("dropped statement", start, end, ";", "statement")
        if clear and cursor.kind == kinds.BINARY_OPERATOR:
            left, right = list(cursor.get_children())
            if self.get_operator(left, right) == "=" and strip_casts(right, kinds).kind == kinds.CALL_EXPR:
                self.add("ignored result", start, end, f"(void){self.s.cut(right)};", "statement")

    def change_return(self, cursor):
        inner = list(cursor.get_children())
        end = get_statement_end(self.s.text, cursor.extent.end.offset)
        ints = (cindex.TypeKind.INT, cindex.TypeKind.BOOL)
        if inner and end and has_call(inner[0]) and self.top.result_type.get_canonical().kind in ints:
            self.add("ignored result", cursor.extent.start.offset, end, f"(void)({self.s.cut(inner[0])}); return 0;", "statement")

    def change_initial(self, cursor):
        inner = [c for c in cursor.get_children() if c.kind.is_expression()]
        if inner and strip_casts(inner[-1], self.kinds).kind == self.kinds.CALL_EXPR:
            kind = cursor.type.get_canonical().kind
            if kind in (cindex.TypeKind.INT, cindex.TypeKind.BOOL):
                self.add_at("ignored result", inner[-1], f"((void){self.s.cut(inner[-1])}, 0)", "value")

    def get_operator(self, left, right):
        return self.s.text[left.extent.end.offset:right.extent.start.offset].strip()

    def change_operator(self, cursor):
        left, right = list(cursor.get_children())
        operator, a, b = self.get_operator(left, right), self.s.cut(left), self.s.cut(right)
        if operator in ("&&", "||", "|"):
            self.add_at("lost operand", cursor, a, "value")
            self.add_at("lost operand", cursor, b, "value")
        elif operator in COMPARED:
            self.add_at("off by one", cursor, f"{a} {COMPARED[operator]} {b}", "value")
        elif operator in ("==", "!="):
            self.add_at("negated condition", cursor, f"{a} {'!=' if operator == '==' else '=='} {b}", "value")
        elif operator in ("+", "-", "*", "/", "<<", ">>", "&"):
            self.add_at("lost operand", cursor, a, "value")

    def change_choice(self, cursor):
        parts = list(cursor.get_children())
        for part in parts[1:] if len(parts) == 3 else ():
            self.add_at("lost operand", cursor, self.s.cut(part), "value")

    def change_call(self, cursor):
        # calloc(n, bytes) does the same if its arguments are swapped.
        arguments = list(cursor.get_arguments()) if cursor.spelling != "calloc" else []
        for a, b in zip(arguments, arguments[1:]):
            if any(self.s.see_through(c) == "inside" for c in (a, b)):
                continue
            kinds = [strip_casts(c, self.kinds).type.get_canonical() for c in (a, b)]
            numbers = all(cindex.TypeKind.BOOL.value <= k.kind.value <= cindex.TypeKind.INT128.value for k in kinds)
            start, end = a.extent.start.offset, b.extent.end.offset
            if (numbers or kinds[0].spelling == kinds[1].spelling) and start < end:
                whole, begin = self.s.cut(cursor), cursor.extent.start.offset
                middle = self.s.text[a.extent.end.offset:b.extent.start.offset]
                new = whole[:start - begin] + self.s.cut(b) + middle + self.s.cut(a) + whole[end - begin:]
                self.add_at("swapped arguments", cursor, new, "value")

    def change_member(self, cursor):
        field, old = cursor.referenced, self.s.cut(cursor)
        if not field or field.kind != self.kinds.FIELD_DECL or not old.endswith(cursor.spelling):
            return
        kind = field.type.get_canonical().spelling
        for other in field.semantic_parent.get_children():
            if other.kind == self.kinds.FIELD_DECL and other.spelling != field.spelling and other.spelling \
                    and other.type.get_canonical().spelling == kind:
                self.add_at("another member", cursor, old[:-len(cursor.spelling)] + other.spelling, "place", "value")

    def find_constants(self):
        """Changes the numbers and names of constants, also in the arguments of macros."""
        lines = self.s.text.split("\n")
        offset = sum(len(text) + 1 for text in lines[:self.line - 1])
        text = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*.*?(\*/|$)|//.*', lambda m: " " * len(m[0]), lines[self.line - 1])
        if text.lstrip().startswith(("#", "*")):
            return
        for match in re.finditer(r"[A-Za-z_0-9.]+", text):
            word, start, end = match[0], offset + match.start(), offset + match.end()
            number = NUMBER.fullmatch(word)
            if number:
                n, tail = int(number[1], 0), number[2]
                near, far = {n + 1, n - 1} - {-1}, {0, 2 * n} - {n - 1, n, n + 1}
                for rule, others in ("off by one", near), ("another constant", far):
                    for other in others:
                        self.add(rule, start, end, f"{other}{tail}", "value")
            elif word in ("true", "false"):
                self.add("another constant", start, end, "false" if word == "true" else "true", "value")
            elif ORDER.fullmatch(word):
                self.add("weaker order", start, end, "__ATOMIC_RELAXED" if word[0] == "_" else "memory_order_relaxed")
            elif NAME.fullmatch(word) and not text[match.end():].lstrip().startswith("("):
                for other in self.find_siblings(word):
                    self.add("another constant", start, end, other, "value")

    def find_siblings(self, name):
        """Returns the other constants of the enum, or the macros with the same beginning in the same file."""
        for top in self.s.unit.cursor.get_children():
            if top.kind == self.kinds.ENUM_DECL:
                names = [c.spelling for c in top.get_children()]
                if name in names:
                    return [n for n in names if n != name]
        macro = self.s.defined.get(name)
        if not macro or not macro.location.file:
            return []
        stem, file = name.rpartition("_")[0] + "_", macro.location.file.name
        return [n for n, m in self.s.defined.items() if n != name and n.startswith(stem) and m.location.file
                and m.location.file.name == file and not is_function_like(m)]


def is_function_like(macro):
    tokens = list(macro.get_tokens())[:2]
    return len(tokens) < 2 or tokens[1].spelling == "(" and tokens[1].extent.start.offset == tokens[0].extent.end.offset


def find_marks(source, top, change):
    """Returns offsets behind the '{' of the functions that run when the change has an effect: that of the line, or those that
    use the variable of the line. Empty: not known."""
    kinds = cindex.CursorKind

    def get_body(function):
        body = [c for c in function.get_children() if c.kind == kinds.COMPOUND_STMT]
        return body and body[0].extent.start.offset + 1

    if top.kind == kinds.FUNCTION_DECL:
        body = get_body(top)
        return (body,) if body and change.start >= body else ()
    if top.storage_class != cindex.StorageClass.STATIC:
        return ()
    users = [t for t in source.tops if t.kind == kinds.FUNCTION_DECL and t.is_definition() and get_body(t)]
    word = re.compile(rf"\b{re.escape(top.spelling)}\b")
    other_tables = [t for t in source.tops if t.kind == kinds.VAR_DECL and t != top and word.search(source.cut(t))]
    marks = tuple(get_body(t) for t in users if word.search(source.cut(t)))
    return () if other_tables else marks
