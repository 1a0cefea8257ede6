#!/usr/bin/env python3
"""man_page.py PAGE.md VERSION OUT - a page of docs/man as a manual page (man(7)).

Knows what those pages use: "# name(1)", a sentence, an indented synopsis, "##" headings, paragraphs with
**bold** and `code`, indented and fenced blocks, tables (a tagged paragraph a row). Anything else is
an error, so that no page comes out half.
"""
import re
import sys


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def inline(text):
    """`code` and **bold** both become bold; everything else is escaped."""
    out = []
    for part in re.split(r"(`[^`]+`|\*\*[^*]+\*\*)", text):
        if part.startswith("`"):
            out.append("\\fB" + escape(part[1:-1]).removeprefix("\\&") + "\\fR")
        elif part.startswith("**"):
            out.append("\\fB" + escape(part[2:-2]).removeprefix("\\&") + "\\fR")
        else:
            out.append(escape(part).removeprefix("\\&") if out else escape(part))
    return "".join(out)


def cells(row):
    """The cells of a table row; a | inside `code` is no border."""
    row = row.strip().removeprefix("|").removesuffix("|")
    return [cell.replace("\0", "|").strip()
            for cell in re.sub(r"`[^`]*`", lambda m: m.group().replace("|", "\0"), row).split("|")]


def block(lines):
    return [".nf", ".RS 4", *(escape(line) or "\\&" for line in lines), ".RE", ".fi"]


def table(rows):
    out = []
    for row in rows[2:]:
        first, *rest = cells(row)
        out += [".TP", inline(first), "; ".join(inline(cell) for cell in rest if cell) or "\\&"]
    return out


class Page:
    def __init__(self, text, version):
        self.lines = text.split("\n")
        self.at = 0
        self.version = version
        self.out = []

    def take(self, accept):
        start = self.at
        while self.at < len(self.lines) and accept(self.lines[self.at]):
            self.at += 1
        return self.lines[start:self.at]

    def head(self):
        title = re.fullmatch(r"# ([a-z-]+)\((\d)\)", self.lines[0])
        if not title:
            raise SystemExit("the first line is not \"# name(1)\"")
        self.at = 1
        self.take(lambda line: not line)
        sentence = " ".join(self.take(bool))
        name, section = title.groups()
        self.out += [f'.TH {name.upper()} {section} "" "Tenon {self.version}" "Tenon Manual"',
                     ".SH NAME", escape(name) + " \\- " + inline(sentence.rstrip(".")), ".SH SYNOPSIS"]
        self.take(lambda line: not line)
        if not self.lines[self.at].startswith("    "):
            raise SystemExit("after the sentence comes the synopsis, indented by four")
        self.out += block(line[4:] for line in self.take(lambda line: line.startswith("    ")))
        self.out.append(".SH DESCRIPTION")

    def part(self):
        line = self.lines[self.at]
        if not line:
            self.at += 1
        elif line.startswith("## "):
            self.at += 1
            self.out.append(".SH " + escape(line[3:].upper()))
        elif line.startswith("```"):
            self.at += 1
            self.out += block(self.take(lambda line: not line.startswith("```")))
            self.at += 1
        elif line.startswith("    "):
            self.out += block(line[4:] for line in self.take(lambda line: line.startswith("    ")))
        elif line.startswith("|"):
            self.out += table(self.take(lambda line: line.startswith("|")))
        elif line[0] in "#->*" and not line.startswith("**"):
            raise SystemExit(f"line {self.at + 1}: man_page.py does not know this: {line}")
        else:
            text = self.take(lambda line: line and not re.match(r"    |\||```|## ", line))
            self.out += [".PP", inline(" ".join(text))]

    def convert(self):
        self.head()
        while self.at < len(self.lines):
            self.part()
        return "\n".join(self.out) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = Page(file.read(), sys.argv[2])
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(page.convert())


main()
