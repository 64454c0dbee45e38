#!/usr/bin/env python3
"""Makes Sources/ConcordanceText/Filters/FoldingTables.swift from the Unicode Character Database.

Needs Debian's package unicode-data. Run from the root of the checkout: python3 Scripts/unicode/normalization.py
"""
import re

from packed_tables import UNICODE_DATA, Pool, digits, mapping, range_set, ranges, write

OUTPUT = "Sources/ConcordanceText/Filters/FoldingTables.swift"


def records(name):
    """The fields of each line of a UCD file, comments left out."""
    with open(f"{UNICODE_DATA}/{name}", encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]


def points(field):
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


names, classes, categories, canonical, compatible, width = {}, {}, {}, {}, {}, {}
for field in records("UnicodeData.txt"):
    point = int(field[0], 16)
    names[point], categories[point] = field[1], field[2]
    if field[3] != "0":
        classes[point] = int(field[3])
    if field[5]:
        tag, _, rest = field[5].rpartition("> ")
        sequence = tuple(int(part, 16) for part in rest.split())
        if tag:
            compatible[point] = sequence
            if tag in ("<wide", "<narrow"):
                width[point] = sequence
        else:
            canonical[point] = sequence


def expand(sequence, *tables):
    """The full decomposition of a sequence; marks are put in order by whoever uses it."""
    result = []
    for point in sequence:
        for table in tables:
            if point in table:
                result += expand(table[point], *tables)
                break
        else:
            result.append(point)
    return tuple(result)


full_canonical = {p: expand(s, canonical) for p, s in canonical.items()}
full_compatible = {p: expand((p,), canonical, compatible) for p in {**canonical, **compatible}}
full_compatible = {p: s for p, s in full_compatible.items() if full_canonical.get(p) != s}

excluded = set()
for field in records("DerivedNormalizationProps.txt"):
    if field[1] == "Full_Composition_Exclusion":
        excluded.update(points(field[0]))
pairs = {s: p for p, s in canonical.items() if len(s) == 2 and p not in excluded}
# The second character of a pair, or of a Hangul syllable, may join what stands before it.
seconds = {s[1] for s in pairs} | set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))

case = {}
for field in records("CaseFolding.txt"):
    if field[1] in ("C", "F"):
        case[int(field[0], 16)] = tuple(int(part, 16) for part in field[2].split())

ignorable = set()
for field in records("DerivedCoreProperties.txt"):
    if field[1] == "Default_Ignorable_Code_Point":
        ignorable.update(points(field[0]))

# Marks that writers leave out without writing another letter: Latin, Greek and Cyrillic accents, Hebrew points,
# Arabic and Syriac vowel signs. Vowel signs of Indic and Thai, and the voicing marks of kana, are letters in all but
# name and stay. U+0640 is the Arabic tatweel, which only stretches a line.
mark_blocks = [
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670),
    (0x06D6, 0x06ED), (0x0711, 0x0711), (0x0730, 0x074A), (0x0898, 0x089F), (0x08CA, 0x08FF), (0x1AB0, 0x1ACE),
    (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0xFE20, 0xFE2F),
]  # fmt: skip
marks = {p for first, last in mark_blocks for p in range(first, last + 1) if categories.get(p) in ("Mn", "Me")}
marks |= {0x0640}

# Latin-ASCII: letters by what their names say, and those whose names do not say it.
NAMED = {
    "SHARP S": "ss", "ETH": "d", "INSULAR D": "d", "THORN": "th", "ENG": "n", "SCHWA": "e", "ESH": "sh", "EZH": "zh",
    "YOGH": "y", "WYNN": "w", "HWAIR": "hv", "KRA": "q", "GAMMA": "g", "IOTA": "i", "UPSILON": "u", "ALPHA": "a",
    "DELTA": "d", "BETA": "b", "CHI": "x", "PHI": "f", "OMEGA": "o", "LAMBDA": "l", "RAMS HORN": "o", "BIDENTAL": "",
    "TONE TWO": "", "TONE FIVE": "", "TONE SIX": "", "GLOTTAL STOP": "", "DEZH DIGRAPH": "dzh", "TESH DIGRAPH": "tsh",
    "FENG DIGRAPH": "fng", "LEZH": "lzh", "OI": "oi", "GHA": "gh", "MIDDLE-WELSH LL": "ll", "MIDDLE-WELSH V": "v",
    "VISIGOTHIC Z": "z", "VEND": "v", "CON": "con", "RUM": "rum", "TUM": "tum", "UM": "um", "ET": "et", "IS": "is",
    "US": "us", "HENG": "h", "TRESILLO": "", "CUATRILLO": "", "SALTILLO": "'", "SINOLOGICAL DOT": "", "UO": "uo",
    "EGYPTOLOGICAL ALEF": "", "EGYPTOLOGICAL AIN": "", "EGYPTOLOGICAL YOD": "y", "BROKEN L": "l", "STIRRUP R": "r",
    "SAKHA YAT": "", "IOTIFIED E": "e", "U BAR": "u", "MIDDLE SCOTS S": "s", "SIGMOID S": "s", "OLD POLISH O": "o",
}  # fmt: skip
ADJECTIVES = {
    "TURNED", "REVERSED", "INVERTED", "SIDEWAYS", "OPEN", "CLOSED", "BARRED", "STRETCHED", "LONG", "HALF", "TAILLESS",
    "BLACKLETTER", "SMALL", "CAPITAL", "SCRIPT", "DOTLESS", "INSULAR", "AFRICAN", "BROKEN", "LETTER", "LIGATURE",
    "DIGRAPH", "TOP", "BOTTOM", "DIAERESIZED", "ANGLICANA", "DOUBLE", "VOLAPUK", "REVERSED-SCHWA", "CROSS-TAILED",
    "FLATTENED", "BASELINE", "MODIFIER",
}  # fmt: skip


def ascii_by_name(name):
    """What a Latin letter's name says it is in ASCII, in small letters; None where it says nothing."""
    base = re.sub(r" WITH .*", "", name.removeprefix("MODIFIER ").removeprefix("LATIN "))
    while True:
        for key, value in NAMED.items():
            if base == key or base == "LETTER " + key:
                return value or None
        word, _, rest = base.partition(" ")
        if word in ADJECTIVES and rest:
            base = rest
            continue
        base = re.sub(r" (DIGRAPH|ROTUNDA|SYMBOL)$", "", base)
        break
    return base.lower() if re.fullmatch(r"[A-Z]{1,2}", base) else None


latin = {}
for field in records("Scripts.txt"):
    if field[1] != "Latin":
        continue
    for point in points(field[0]):
        if point < 0x80 or point in full_canonical and all(p < 0x80 or p in marks for p in full_canonical[point]):
            continue
        plain = "".join(chr(p) for p in full_compatible.get(point, ()) if p not in marks)
        if not plain or not plain.isascii():
            plain = ascii_by_name(names.get(point, ""))
            if plain and " CAPITAL " in names[point] and "SMALL CAPITAL" not in names[point]:
                plain = plain.upper()
        if plain and point not in full_canonical:
            latin[point] = tuple(plain.encode())
# A capital whose own name says nothing is the capital of what its small letter is.
for point, folded in case.items():
    if point not in latin and point not in full_compatible and len(folded) == 1 and folded[0] in latin:
        latin[point] = tuple(bytes(latin[folded[0]]).upper())
# Signs that keyboards lack and that stand in words, or between their parts.
for signs, plain in (
    ("\u2018\u2019\u201b\u2032\u02bc\u02bb\u02b9\u02bd\u02be\u02bf\uff07\ua78c", "'"),
    ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d", "-"),
    ("\u201c\u201d\u201e\u201f\u2033", '"'),
    ("\u2044\u2215", "/"),
    ("\uff3f", "_"),
):
    for sign in signs:
        latin[ord(sign)] = tuple(plain.encode())

pool = Pool()
write(
    OUTPUT,
    "normalization.py",
    [
        (
            "FoldingTables",
            "The data behind `Folding`; `PackedMapping`, `PackedRanges` and `PackedPairs` read them.",
            [
                ("canonical", "Full canonical decompositions.", mapping(full_canonical, pool)),
                ("compatible", "Full compatibility decompositions that are not canonical.", mapping(full_compatible, pool)),
                ("width", "Decompositions of half-width and full-width forms.", mapping(width, pool)),
                ("caseFolding", "CaseFolding.txt, statuses C and F.", mapping(case, pool)),
                ("latin", "Latin letters, and signs beside them, in ASCII.", mapping(latin, pool)),
                (
                    "compositions",
                    "Pairs and their primary composite, four digits each.",
                    "".join(digits(a, 4) + digits(b, 4) + digits(c, 4) for (a, b), c in sorted(pairs.items())),
                ),
                ("joining", "Characters that may compose with what stands before them.", range_set(seconds)),
                (
                    "combiningClasses",
                    "First and last character (four digits each) and their class (two).",
                    "".join(
                        digits(first, 4) + digits(last, 4) + digits(value, 2)
                        for first, last, value in sorted(
                            (first, last, value)
                            for value in set(classes.values())
                            for first, last in ranges(p for p in classes if classes[p] == value)
                        )
                    ),
                ),
                ("marks", "Marks that removing diacritics removes.", range_set(marks)),
                ("ignorable", "Default_Ignorable_Code_Point.", range_set(ignorable)),
                # Written last: the mappings above fill it.
                ("pool", "What the mappings map to, four digits a character.", pool.text()),
            ],
        )
    ],
)
print(len(full_canonical), len(full_compatible), len(width), len(case), len(latin), len(pairs), len(pool.points))
