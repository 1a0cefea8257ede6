#!/usr/bin/env python3
"""code_rules.py FILE... - the rules of style.md that a program can check, as file:line: message.

Banned functions, the allocator's one door, function length and complexity, goto, static state,
header openings, line width. Relies on clang-format having been run: a function's body is what stands
between a "{" and a "}" in the first column.
"""
import re
import sys

LENGTH_MAX = 70
COMPLEXITY_MAX = 15
COLUMNS_MAX = 100
TAB = 8

BANNED = re.compile(r"\b(strcpy|strcat|sprintf|gets|atoi|strtok|alloca|system|popen|localtime)\s*\(")
ALLOCATOR = re.compile(r"\b(malloc|calloc|realloc|reallocarray|aligned_alloc|free)\s*\(")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
BRANCH = re.compile(r"\b(?:if|for|while)\b|&&|\|\||\?")
# Labels that lead to the same statement are one way through the function.
CASES = re.compile(r"(?:\bcase\b[^:;{}?]*:\s*)+")
PREPROCESSOR_IF = re.compile(r"^[ \t]*#[ \t]*(?:if|elif)", re.M)
MUTABLE_STATIC = re.compile(r"^\t+static\s+(?!const\b|inline\b)(?!.*\bconst\b)", re.M)


def blank(match):
    """Keeps the line count, so that positions stay true; a string stays a string."""
    text = match.group(0)
    if text[0] in "\"'":
        return text[0] + text[0]
    return re.sub(r"[^\n]", " ", text)


def function_name(lines, start):
    """The identifier before the first parenthesis of the header that ends above line `start`."""
    first = start - 1
    while first > 0 and lines[first - 1].strip() and not lines[first - 1].startswith(("}", "#")) \
            and not lines[first - 1].rstrip().endswith((";", "}")):
        first -= 1
    header = " ".join(lines[first:start])
    found = re.search(r"(\w+)\s*\(", header)
    return found.group(1) if found else "?"


def check_functions(lines, complain):
    start = None
    for number, line in enumerate(lines):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start is not None:
            body = "\n".join(lines[start : number + 1])
            name = function_name(lines, start)
            length = number - start - 1
            if length > LENGTH_MAX:
                complain(start, f"{name} has {length} lines; {LENGTH_MAX} are allowed")
            complexity = 1 + len(BRANCH.findall(body)) + len(CASES.findall(body))
            complexity += len(PREPROCESSOR_IF.findall(body))
            if complexity > COMPLEXITY_MAX:
                complain(start, f"{name} has complexity {complexity}; {COMPLEXITY_MAX} is allowed")
            for found in MUTABLE_STATIC.finditer(body):
                complain(start + body.count("\n", 0, found.start()), f"{name} keeps static state")
            start = None


def check_file(path, report):
    def complain(line, message):
        report.append(f"{path}:{line + 1}: {message}")

    with open(path, encoding="utf-8") as file:
        text = file.read()
    for number, line in enumerate(text.split("\n")):
        if len(line.expandtabs(TAB)) > COLUMNS_MAX:
            complain(number, f"longer than {COLUMNS_MAX} columns")
        if re.search(r"\b(?:TODO|FIXME|XXX)\b(?!.*issue \d)", line):
            complain(number, "a TODO names its issue (\"TODO, issue 7: ...\")")
    # Public and internal headers explain themselves first.
    if path.endswith(".h") and not text.startswith("/* " + path.rsplit("/", 1)[-1] + " - "):
        complain(0, "a header opens with /* its name - what it is for")

    lines = TOKEN.sub(blank, text).split("\n")
    may_allocate = path.startswith(("src/base/", "tests/faults/"))
    for number, line in enumerate(lines):
        if line.lstrip().startswith("#"):
            continue
        for found in BANNED.finditer(line):
            complain(number, f"{found.group(1)} is banned")
        if not may_allocate and ALLOCATOR.search(line):
            name = ALLOCATOR.search(line).group(1)
            complain(number, f"{name}: only src/base talks to the allocator (use base/mem.h)")
        found = re.search(r"\bgoto\s+(\w+)", line)
        if found and found.group(1) != "out":
            complain(number, "goto goes forward to out, nowhere else")
        if "__cleanup__" in line or "attribute__((cleanup" in line:
            complain(number, "one idiom for cleanup is enough: goto out")
    if path.endswith(".c"):
        check_functions(lines, complain)


def main():
    report = []
    for path in sys.argv[1:]:
        check_file(path, report)
    print("\n".join(report), end="\n" if report else "")
    return 1 if report else 0


sys.exit(main())
