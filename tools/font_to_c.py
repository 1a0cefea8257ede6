#!/usr/bin/env python3
"""font_to_c.py NAME FONT.ttf OUT.c - the glyphs that src/draw/font.c draws, as a C table.

Reads the TrueType tables itself (cmap, hmtx, loca, glyf), so that neither building nor running
needs a font library. A glyph becomes its width and its outline: per contour `M x y`, then `L x y` or
`Q cx cy x y`, all relative to the point before and y downwards, as zigzag variable-length numbers;
the operation is in the lowest two bits of the first one.
"""
import struct
import sys

# What has one glyph a character and runs from left to right: other scripts need shaping, and get a
# box with their code point.
RANGES = [
    (0x20, 0x7E), (0xA0, 0x52F), (0x531, 0x58F), (0x10A0, 0x10FF), (0x1E00, 0x1FFF),
    (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x209C), (0x20A0, 0x20BF), (0x2100, 0x214F),
    (0x2150, 0x22FF), (0x2300, 0x232F), (0x2460, 0x24FF), (0x2500, 0x27BF), (0xFB00, 0xFB06),
    (0xFFFD, 0xFFFD),
]
LEFT_OUT = {0xAD}  # the soft hyphen is nothing to see
NAMED = {c: "\\%03o" % c for c in range(256)}
NAMED.update({c: chr(c) for c in range(32, 127) if chr(c) not in '"\\?'})


class Font:
    def __init__(self, data):
        self.data = data
        count = struct.unpack(">H", data[4:6])[0]
        self.tables = {}
        for i in range(count):
            tag, _, offset, length = struct.unpack(">4sIII", data[12 + 16 * i : 28 + 16 * i])
            self.tables[tag.decode()] = (offset, length)
        head = self.table("head")
        self.em = struct.unpack(">H", head[18:20])[0]
        long_loca = struct.unpack(">h", head[50:52])[0]
        glyphs = struct.unpack(">H", self.table("maxp")[4:6])[0]
        loca = self.table("loca")
        if long_loca:
            self.loca = struct.unpack(">%dI" % (glyphs + 1), loca[: 4 * glyphs + 4])
        else:
            self.loca = [2 * v for v in struct.unpack(">%dH" % (glyphs + 1), loca[: 2 * glyphs + 2])]
        self.glyf = self.table("glyf")
        metrics = struct.unpack(">H", self.table("hhea")[34:36])[0]
        hmtx = self.table("hmtx")
        self.widths = [struct.unpack(">H", hmtx[4 * i : 4 * i + 2])[0] for i in range(metrics)]
        self.cmap = self.read_cmap()

    def table(self, tag):
        offset, length = self.tables[tag]
        return self.data[offset : offset + length]

    def read_cmap(self):
        table = self.table("cmap")
        for i in range(struct.unpack(">H", table[2:4])[0]):
            platform, encoding, offset = struct.unpack(">HHI", table[4 + 8 * i : 12 + 8 * i])
            if (platform, encoding) == (3, 1):
                return self.read_segments(table[offset:])
        sys.exit("font_to_c.py: the font has no Unicode table")

    @staticmethod
    def read_segments(table):
        """Format 4: ranges of code points with a delta each, or a list of glyphs."""
        form, _, _, doubled = struct.unpack(">HHHH", table[:8])
        if form != 4:
            sys.exit("font_to_c.py: the Unicode table has format %d" % form)
        n = doubled // 2
        ends = struct.unpack(">%dH" % n, table[14 : 14 + 2 * n])
        starts = struct.unpack(">%dH" % n, table[16 + 2 * n : 16 + 4 * n])
        deltas = struct.unpack(">%dH" % n, table[16 + 4 * n : 16 + 6 * n])
        at = 16 + 6 * n
        offsets = struct.unpack(">%dH" % n, table[at : at + 2 * n])
        found = {}
        for i in range(n):
            for code in range(starts[i], ends[i] + 1):
                glyph = code
                if offsets[i]:
                    place = at + 2 * i + offsets[i] + 2 * (code - starts[i])
                    glyph = struct.unpack(">H", table[place : place + 2])[0]
                    if glyph == 0:
                        continue
                glyph = (glyph + deltas[i]) & 0xFFFF
                if glyph:
                    found[code] = glyph
        return found

    def width(self, glyph):
        return self.widths[min(glyph, len(self.widths) - 1)]

    def contours(self, glyph):
        """Lists of (x, y, on the curve)."""
        data = self.glyf[self.loca[glyph] : self.loca[glyph + 1]]
        if not data:
            return []
        count = struct.unpack(">h", data[:2])[0]
        return self.compound(data) if count < 0 else self.simple(data, count)

    def simple(self, data, count):
        ends = struct.unpack(">%dH" % count, data[10 : 10 + 2 * count])
        points = ends[-1] + 1
        at = 10 + 2 * count
        at += 2 + struct.unpack(">H", data[at : at + 2])[0]
        flags = []
        while len(flags) < points:
            flag = data[at]
            at += 1
            repeat = 1
            if flag & 8:
                repeat += data[at]
                at += 1
            flags += [flag] * repeat
        axes = []
        for short, same in ((2, 16), (4, 32)):
            value, values = 0, []
            for flag in flags[:points]:
                if flag & short:
                    value += data[at] if flag & same else -data[at]
                    at += 1
                elif not flag & same:
                    value += struct.unpack(">h", data[at : at + 2])[0]
                    at += 2
                values.append(value)
            axes.append(values)
        every = [(axes[0][i], axes[1][i], bool(flags[i] & 1)) for i in range(points)]
        starts = [0] + [end + 1 for end in ends[:-1]]
        return [every[a : b + 1] for a, b in zip(starts, ends)]

    def compound(self, data):
        found, at, more = [], 10, True
        while more:
            flags, glyph = struct.unpack(">HH", data[at : at + 4])
            at += 4
            dx, dy = struct.unpack(">hh" if flags & 1 else ">bb", data[at : at + (4 if flags & 1 else 2)])
            at += 4 if flags & 1 else 2
            a, b, c, d = 1.0, 0.0, 0.0, 1.0
            number = 1 if flags & 8 else 2 if flags & 0x40 else 4 if flags & 0x80 else 0
            scale = [v / 16384 for v in struct.unpack(">%dh" % number, data[at : at + 2 * number])]
            at += 2 * number
            if number == 1:
                a = d = scale[0]
            elif number == 2:
                a, d = scale
            elif number == 4:
                a, b, c, d = scale
            if not flags & 2:
                sys.exit("font_to_c.py: a part placed by points")
            for contour in self.contours(glyph):
                found.append([(round(a * x + c * y) + dx, round(b * x + d * y) + dy, on)
                              for x, y, on in contour])
            more = bool(flags & 0x20)
        return found


def number(value):
    """Zigzag, seven bits a byte, the highest says that more follow."""
    value = value * 2 if value >= 0 else -value * 2 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def operation(code, first):
    """The first number of an operation carries its code."""
    return number(first * 4 + code)


END, MOVE, LINE, CURVE = 0, 1, 2, 3


def encode(contours):
    out, at = bytearray(), [0, 0]

    def go(code, *points):
        for i, (x, y) in enumerate(points):
            dx, dy = x - at[0], y - at[1]
            out.extend(operation(code, dx) if i == 0 else number(dx))
            out.extend(number(dy))
            at[0], at[1] = x, y

    for contour in contours:
        points = [(x, -y, on) for x, y, on in contour]
        if len(points) < 2:
            continue
        full = []  # implied points between two controls made explicit
        for i, (x, y, on) in enumerate(points):
            px, py, before = points[i - 1]
            if not on and not before:
                full.append(((px + x) // 2, (py + y) // 2, True))
            full.append((x, y, on))
        first = next(i for i, p in enumerate(full) if p[2])
        full = full[first:] + full[: first + 1]
        go(MOVE, full[0][:2])
        control = None
        for i, (x, y, on) in enumerate(full[1:]):
            if not on:
                control = (x, y)
            elif control:
                go(CURVE, control, (x, y))
                control = None
            elif i + 2 < len(full):  # the last line is the closing one
                go(LINE, (x, y))
    out.extend(operation(END, 0))
    return bytes(out)


def literal(data):
    lines, line = [], ""
    for byte in data:
        line += NAMED[byte]
        if len(line) > 88:
            lines.append('\t"%s"' % line)
            line = ""
    lines.append('\t"%s"' % line)
    return "\n".join(lines)


def main(name, path, out):
    with open(path, "rb") as file:
        font = Font(file.read())
    codes = [c for first, last in RANGES for c in range(first, last + 1)
             if c in font.cmap and c not in LEFT_OUT]
    outlines, rows, known = bytearray(), [], {}
    for code in codes:
        glyph = font.cmap[code]
        if glyph not in known:
            known[glyph] = len(outlines)
            outlines.extend(encode(font.contours(glyph)))
        rows.append("\t{0x%04X, %d, %d}," % (code, font.width(glyph), known[glyph]))
    with open(out, "w", encoding="ascii") as file:
        file.write("/* Made by tools/font_to_c.py of DejaVu; its licence: src/draw/dejavu-licence.txt. */\n"
                   '#include "draw/font_table.h"\n\n'
                   "static const struct tn_font_row rows[] = {\n%s\n};\n\n"
                   "static const char outlines[] =\n%s;\n\n"
                   "const struct tn_font_table tn_font_%s = {rows, sizeof(rows) / sizeof(rows[0]),\n"
                   "\t%d, outlines, sizeof(outlines) - 1};\n"
                   % ("\n".join(rows), literal(outlines), name, font.em))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n", 1)[0])
    main(*sys.argv[1:])
