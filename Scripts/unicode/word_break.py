#!/usr/bin/env python3
"""Makes WordBreakTables.swift from the Unicode Character Database (Debian: apt install unicode-data).

Usage: word_break.py [OUTPUT]
"""

import pathlib
import re
import sys
import unicodedata

from swift_tables import CODE_POINTS, Trie, write

UCD = pathlib.Path("/usr/share/unicode")

# In the order of WordBreakProperty in Swift.
PROPERTIES = (
    "Other CR LF Newline Extend ZWJ Format Regional_Indicator Katakana Hebrew_Letter ALetter Single_Quote "
    "Double_Quote MidNumLet MidLetter MidNum Numeric ExtendNumLet WSegSpace"
).split()
PICTOGRAPHIC = 0x20
WORD = 0x40
EMOJI = 0x80


def ranges(file, wanted=None):
    """The lines of a UCD file: first and last code point, and the property."""
    for line in (UCD / file).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) >= 2 and wanted in (None, fields[1]):
            first, _, last = fields[0].partition("..")
            yield int(first, 16), int(last or first, 16), fields[1]


def main():
    output = pathlib.Path(__file__).parents[2] / "Sources/ConcordanceText/Unicode/WordBreakTables.swift"
    if len(sys.argv) > 1:
        output = pathlib.Path(sys.argv[1])
    first_line = (UCD / "auxiliary/WordBreakProperty.txt").open(encoding="utf-8").readline()
    version = re.search(r"-([0-9.]+)\.txt", first_line).group(1)

    values = [0] * CODE_POINTS
    for first, last, property in ranges("auxiliary/WordBreakProperty.txt"):
        for c in range(first, last + 1):
            values[c] = PROPERTIES.index(property)

    alphabetic = set()
    for first, last, _ in ranges("DerivedCoreProperties.txt", "Alphabetic"):
        alphabetic.update(range(first, last + 1))
    for first, last, category in ranges("extracted/DerivedGeneralCategory.txt"):
        for c in range(first, last + 1):
            if category[0] in "LN" or (category[0] != "M" and c in alphabetic):
                values[c] |= WORD

    # Tailored, so that what looks like a word is one, as once it is folded: CO₂ like CO2, 25㎡ like 25m2, ㍿ like 株式会社.
    for c in range(0x2080, 0x208A):
        values[c] = values[c] & ~0x1F | PROPERTIES.index("Numeric")
    for c in range(0x3371, 0x33E0):
        text = unicodedata.normalize("NFKC", chr(c))
        if text.isalnum():
            values[c] |= WORD
            if text.isascii():
                values[c] |= PROPERTIES.index("ALetter")

    for first, last, _ in ranges("emoji/emoji-data.txt", "Extended_Pictographic"):
        for c in range(first, last + 1):
            values[c] |= PICTOGRAPHIC
    for first, last, _ in ranges("emoji/emoji-data.txt", "Emoji_Presentation"):
        for c in range(first, last + 1):
            if PROPERTIES[values[c] & 0x1F] != "Regional_Indicator":
                values[c] |= EMOJI

    ignored = [PROPERTIES.index(name) for name in ("Extend", "Format", "ZWJ")]
    assert not any(value & PICTOGRAPHIC and value & 0x1F in ignored for value in values), "WordBreaker relies on it"

    write(
        output,
        [
            f"Made by Scripts/unicode/word_break.py from the Unicode Character Database {version}; do not edit.",
            "Copyright © 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in",
            "https://www.unicode.org/copyright.html (SPDX: Unicode-DFS-2016).",
            "",
            "A value is a word break property in bits 0 to 4, in the order of WordBreakProperty; bit 5 says that the",
            "character is an Extended_Pictographic, bit 6 that it is a letter or a number (general category L or N, or",
            "Alphabetic and no mark), bit 7 that it is an Emoji_Presentation and no regional indicator. Subscript digits are",
            "Numeric, and squared abbreviations letters.",
        ],
        "WordBreakTables",
        Trie(values).swift(),
        conformance=": CodePointTrie",
    )
    print(f"{output}: Unicode {version}, {len(set(values))} different values")


if __name__ == "__main__":
    main()
