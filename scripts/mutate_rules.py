# SPDX-License-Identifier: Apache-2.0
"""Finds small changes of a C file by rules, with libclang (Debian's python3-clang). Each change is valid C."""
import collections
import hashlib
import re
import sys

try:
    from clang import cindex
except ImportError:  # Debian's modules, from a Python that is not Debian's
    sys.path.append("/usr/lib/python3/dist-packages")
    from clang import cindex

Kind = cindex.CursorKind
# `start` and `end` are offsets in bytes; `key` stays the same while the line and its function's name do.
Change = collections.namedtuple("Change", "key file function line rule start end new old_line new_line")

OPERATORS = {
    "comparison": {"<": (">", "<="), "<=": ("<", ">="), ">": ("<", ">="), ">=": (">", "<="), "==": ("!=",),
                   "!=": ("==",)},
    "arithmetic": {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "+=": ("-=",), "-=": ("+=",)},
    "logic": {"&&": ("||",), "||": ("&&",)},
}
RULES = ("comparison", "arithmetic", "logic", "constant", "call removed", "field exchanged", "branch", "early return",
         "arguments exchanged")
# A call that only releases something: without it the program leaks, which `make sanitize` finds.
RELEASES = re.compile(r"(^|_)(free|release|put|close|destroy)($|_)|^vkDestroy|^vkFree|^pclose$|^fclose$")


def text_of(source, cursor):
    return source[cursor.extent.start.offset:cursor.extent.end.offset].decode(errors="replace")


def plain(source, cursor):
    """Returns whether the cursor is written out in this file, and not by a macro."""
    text = text_of(source, cursor)
    tokens = next(iter(cursor.get_tokens()), None)
    return bool(text) and tokens is not None and tokens.extent.start.offset == cursor.extent.start.offset


def operators(source, cursor):
    left, right = list(cursor.get_children())
    start, end = left.extent.end.offset, right.extent.start.offset
    between = source[start:end].decode(errors="replace")
    for rule, table in OPERATORS.items():
        for new in table.get(between.strip(), ()):
            place = start + len(between) - len(between.lstrip())
            yield rule, place, place + len(between.strip()), new


def constants(source, cursor, parents):
    text = text_of(source, cursor)
    if not re.fullmatch(r"[0-9][0-9a-fA-FxX.]*([eE][+-]?[0-9]+)?[uUlLfF]*", text) or in_array_type(cursor, parents):
        return
    for new in (f"({text} + 1)", f"({text} - 1)"):
        yield "constant", cursor.extent.start.offset, cursor.extent.end.offset, new


def in_array_type(cursor, parents):
    """Returns whether the literal is the length of an array: longer and shorter ones rarely differ."""
    holder = next((p for p in reversed(parents) if p.kind in (Kind.VAR_DECL, Kind.FIELD_DECL, Kind.PARM_DECL)), None)
    if holder is None or "[" not in holder.type.spelling:
        return False
    return Kind.INIT_LIST_EXPR not in [p.kind for p in parents[parents.index(holder):]]


def field_beside(cursor):
    """Returns the name of the next (or previous) member of the same type, or None."""
    field = cursor.referenced
    if field is None or field.kind != Kind.FIELD_DECL:
        return None
    fields = [f for f in field.semantic_parent.get_children() if f.kind == Kind.FIELD_DECL and f.spelling]
    kind = field.type.get_canonical().spelling
    place = next((i for i, f in enumerate(fields) if f.spelling == field.spelling), None)
    beside = fields[place + 1:] + fields[:place][::-1] if place is not None else []
    return next((f.spelling for f in beside if f.type.get_canonical().spelling == kind), None)


def fields(source, cursor):
    name = cursor.spelling.encode()
    start = cursor.location.offset
    if cursor.kind == Kind.MEMBER_REF_EXPR:
        start = source.rfind(name, cursor.extent.start.offset, cursor.extent.end.offset)
    new = field_beside(cursor)
    if new and start >= 0 and source[start:start + len(name)] == name:
        yield "field exchanged", start, start + len(name), new


def branches(source, condition):
    text = text_of(source, condition)
    for new in (f"(({text}), 1)", f"(({text}), 0)"):
        yield "branch", condition.extent.start.offset, condition.extent.end.offset, new


def removed(source, statement):
    end = source.find(b";", statement.extent.end.offset)
    if source[statement.extent.end.offset:end].strip() == b"" and not RELEASES.search(statement.spelling):
        yield "call removed", statement.extent.start.offset, end, "(void)0"


def arguments(source, cursor):
    given = list(cursor.get_arguments())
    for one, two in zip(given, given[1:]):
        if not plain(source, one) or not plain(source, two):
            continue
        first, second = text_of(source, one), text_of(source, two)
        if one.type.get_canonical().spelling == two.type.get_canonical().spelling and first != second:
            between = source[one.extent.end.offset:two.extent.start.offset].decode()
            yield "arguments exchanged", one.extent.start.offset, two.extent.end.offset, second + between + first


def early_returns(source, cursor):
    body = next((c for c in cursor.get_children() if c.kind == Kind.COMPOUND_STMT), None)
    kind = cursor.result_type.get_canonical()
    start = body.extent.start.offset + 1
    if source[start - 1:start] != b"{":  # a macro writes the body
        return
    if kind.kind == cindex.TypeKind.VOID:
        values = ("",)
    elif kind.kind == cindex.TypeKind.RECORD:
        values = (f" ({cursor.result_type.spelling}){{0}}",)
    else:
        values = (" 0", " 1") if kind.kind == cindex.TypeKind.BOOL else (" 0",)
    for value in values:
        yield "early return", start, start, f" return{value};"


def rules_at(source, cursor, parents):
    """Yields (rule, start, end, new) for one cursor."""
    children = list(cursor.get_children())
    if cursor.kind == Kind.FUNCTION_DECL and cursor.is_definition():
        yield from early_returns(source, cursor)
    if cursor.kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
        yield from operators(source, cursor)
    if cursor.kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL):
        yield from constants(source, cursor, parents)
    if cursor.kind == Kind.MEMBER_REF_EXPR:
        yield from fields(source, cursor)
    if cursor.kind == Kind.MEMBER_REF and parents and Kind.INIT_LIST_EXPR in [p.kind for p in parents]:
        yield from fields(source, cursor)
    if cursor.kind in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR) and children and plain(source, children[0]):
        yield from branches(source, children[0])
    if cursor.kind in (Kind.COMPOUND_STMT, Kind.IF_STMT, Kind.FOR_STMT):
        for child in children[0 if cursor.kind == Kind.COMPOUND_STMT else 1:]:
            if child.kind == Kind.CALL_EXPR and plain(source, child):
                yield from removed(source, child)
    if cursor.kind == Kind.CALL_EXPR:
        yield from arguments(source, cursor)


def walk(source, name, cursor, parents, function):
    for child in cursor.get_children():
        place = child.location
        if not parents and (place.file is None or place.file.name != name):
            continue
        within = child.spelling if child.kind in (Kind.FUNCTION_DECL, Kind.VAR_DECL) and not parents else function
        if child.kind == Kind.FUNCTION_DECL or plain(source, child):
            for change in rules_at(source, child, parents):
                yield within, *change
        yield from walk(source, name, child, parents + [child], within)


def line_at(source, offset):
    return source[source.rfind(b"\n", 0, offset) + 1:source.find(b"\n", offset)].decode(errors="replace").strip()


def changes(path, name, flags):
    """Returns the changes of the file `path`, which is called `name` in keys, compiled with these flags."""
    source = path.read_bytes()
    options = cindex.TranslationUnit.PARSE_NONE
    unit = cindex.Index.create().parse(str(path), args=flags, options=options)
    errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if errors:
        raise ValueError(f"{name}: {errors[0]}")
    seen, found = collections.Counter(), []
    for function, rule, start, end, new in walk(source, str(path), unit.cursor, [], ""):
        after = source[:start] + new.encode() + source[end:]
        old_line, new_line = line_at(source, start), line_at(after, start)
        identity = f"{name}:{function}:{rule}:{old_line}:{new_line}"
        seen[identity] += 1
        key = hashlib.sha256(f"{identity}:{seen[identity]}".encode()).hexdigest()[:12]
        line = source.count(b"\n", 0, start) + 1
        found.append(Change(key, name, function, line, rule, start, end, new, old_line, new_line))
    return found


def applied(source, change):
    return source[:change.start] + change.new.encode() + source[change.end:]
