"""Writes Swift tables whose data are string literals of base-64 digits, read in place by PackedTable.

A digit is one of the 64 characters from "0" (0x30) to "o" (0x6F), so that its value is its byte minus 0x30. String
literals compile at once where long array literals take seconds, and lie in read-only memory that processes share.
"""

UNICODE_DATA = "/usr/share/unicode"
LICENCE = (
    "Derived from the Unicode Character Database, version 15.0.0 (Debian package unicode-data 15.0.0-1).\n"
    "Copyright 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in\n"
    "https://www.unicode.org/copyright.html; licence: Unicode-DFS-2016. The data are modified: reduced and repacked."
)


def digits(value, width):
    """`value` as `width` base-64 digits, the most significant first."""
    if value < 0 or value >= 64**width:
        raise ValueError(f"{value} needs more than {width} digits")
    return "".join(chr(0x30 + (value >> (6 * i) & 63)) for i in reversed(range(width)))


def literal(text):
    """A static string literal on lines of 111 characters."""
    lines = [text[i : i + 111] for i in range(0, len(text), 111)] or [""]
    return '#"""\n' + "\\#\n".join("        " + line for line in lines) + '\n        """#'


def ranges(points):
    """Sorted code points as (first, last) pairs."""
    result = []
    for point in sorted(points):
        if result and result[-1][1] == point - 1:
            result[-1][1] = point
        else:
            result.append([point, point])
    return [tuple(pair) for pair in result]


class Pool:
    """Sequences of code points, each stored once; a sequence may lie inside another."""

    def __init__(self):
        self.points = []
        self.places = {}

    def place(self, sequence):
        sequence = tuple(sequence)
        if sequence not in self.places:
            self.places[sequence] = len(self.points)
            self.points.extend(sequence)
        return self.places[sequence]

    def text(self):
        return "".join(digits(point, 4) for point in self.points)


def mapping(table, pool):
    """Records of 8 digits for PackedMapping: code point (4), place in the pool (3), length (1)."""
    return "".join(
        digits(key, 4) + digits(pool.place(value), 3) + digits(len(value), 1) for key, value in sorted(table.items())
    )


def range_set(points):
    """Records of 8 digits for PackedRanges: first code point (4), last (4)."""
    return "".join(digits(first, 4) + digits(last, 4) for first, last in ranges(points))


def write(path, generator, sections):
    """A Swift file with one enum of static strings: sections are (enum name, its comment, [(name, comment, text)])."""
    out = [f"// Made by Scripts/unicode/{generator}; do not edit.", "//"]
    out += ["// " + line for line in LICENCE.split("\n")]
    for enum, comment, strings in sections:
        out += ["", f"/// {comment}", f"enum {enum} {{"]
        for index, (name, note, text) in enumerate(strings):
            if index:
                out.append("")
            out += [f"    /// {note}", f"    static let {name}: StaticString =", "        " + literal(text)]
        out.append("}")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(out) + "\n")
