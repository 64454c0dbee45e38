#!/usr/bin/env python3
"""Makes Sources/ConcordCommand/Terminal/WideCharacterTables.swift from the Unicode Character Database.

Needs Debian's package unicode-data. Run from the root of the checkout: python3 Scripts/unicode/character_width.py
"""
from packed_tables import UNICODE_DATA

OUTPUT = "Sources/ConcordCommand/Terminal/WideCharacterTables.swift"
HEADER = """\
// Made by Scripts/unicode/character_width.py from the Unicode Character Database 15.0.0; do not edit.
// Copyright © 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
// https://www.unicode.org/copyright.html (SPDX: Unicode-DFS-2016).

/// The characters that take two columns: East_Asian_Width W or F (UAX #11), which all of Emoji_Presentation are.
enum WideCharacterTables {
    /// The first and the last character of each range, in order.
    // swift-format-ignore
    static let ranges: [UInt32] = [
"""

wide = []
with open(f"{UNICODE_DATA}/EastAsianWidth.txt", encoding="utf-8") as file:
    for line in file:
        line = line.split("#")[0].strip()
        if not line:
            continue
        points, value = line.split(";")
        if value.strip() not in "WF":
            continue
        first, _, last = points.strip().partition("..")
        first, last = int(first, 16), int(last or first, 16)
        if wide and wide[-1][1] + 1 == first:
            wide[-1][1] = last
        else:
            wide.append([first, last])

words = [f"0x{point:X}" for pair in wide for point in pair]
with open(OUTPUT, "w", encoding="utf-8") as file:
    file.write(HEADER)
    for start in range(0, len(words), 12):
        file.write("        " + ", ".join(words[start : start + 12]) + ",\n")
    file.write("    ]\n}\n")
