#!/usr/bin/env python3
"""Makes Sources/ConcordanceText/Filters/ReadingTables.swift from the Unihan database: pinyin, and on readings.

Pinyin without tones, up to three readings a character, the most usual first: kHanyuPinlu (by frequency), kMandarin,
kXHC1983 and kTGHZ2013, else kHanyuPinyin. On readings: the first kJapaneseOn of characters with kJoyoKanji.

Needs Debian's package unicode-data. Run from the root of the checkout: python3 Scripts/unicode/readings.py
"""
import bz2
import re
import unicodedata

from packed_tables import UNICODE_DATA, digits, write

OUTPUT = "Sources/ConcordanceText/Filters/ReadingTables.swift"
FIRST, LAST = 0x4E00, 0x9FFF


def unihan(name):
    fields = {}
    with bz2.open(f"{UNICODE_DATA}/{name}.txt.bz2", "rt", encoding="utf-8") as file:
        for line in file:
            if line.startswith("U+"):
                point, field, value = line.rstrip("\n").split("\t", 2)
                fields.setdefault(field, {})[int(point[2:], 16)] = value
    return fields


def toneless(syllable):
    """The letters of a syllable; ü is u, as those type it who have no ü."""
    plain = "".join(c for c in unicodedata.normalize("NFD", syllable.lower()) if not unicodedata.combining(c))
    return plain if re.fullmatch("[a-z]+", plain) and re.search("[aeiou]", plain) else None


readings = unihan("Unihan_Readings")
pinyin = {}
for field, pattern in (
    ("kHanyuPinlu", r"([^\s(]+)\("),
    ("kMandarin", r"(\S+)"),
    ("kXHC1983", r"[:,]([^\s,]+)"),
    ("kTGHZ2013", r"[:,]([^\s,]+)"),
    ("kHanyuPinyin", r"[:,]([^\s,]+)"),
):
    for point, value in readings[field].items():
        # The large dictionary has every reading a character ever had; it counts where no other speaks.
        if field == "kHanyuPinyin" and point in pinyin:
            continue
        known = pinyin.setdefault(point, [])
        for syllable in map(toneless, re.findall(pattern, value)):
            if syllable and syllable not in known and len(known) < 3:
                known.append(syllable)
pinyin = {point: syllables for point, syllables in pinyin.items() if syllables}
syllables = sorted({syllable for known in pinyin.values() for syllable in known})
number = {syllable: index + 1 for index, syllable in enumerate(syllables)}
assert len(syllables) < 64 * 64 and max(map(len, syllables)) <= 6

joyo = unihan("Unihan_OtherMappings")["kJoyoKanji"]
on = {p: readings["kJapaneseOn"][p].split()[0].lower() for p in joyo if p in readings["kJapaneseOn"]}
on_names = sorted(set(on.values()))

write(
    OUTPUT,
    "readings.py",
    [
        (
            "ReadingTables",
            "How Chinese characters are read; `HanReadings` reads it.",
            [
                ("syllables", "Pinyin syllables, six bytes each, padded with dots.", "".join(s.ljust(6, ".") for s in syllables)),
                (
                    "unified",
                    "The first reading of U+4E00 to U+9FFF: two digits each, a syllable's number from one; zero is none.",
                    "".join(digits(number[pinyin[p][0]] if p in pinyin else 0, 2) for p in range(FIRST, LAST + 1)),
                ),
                (
                    "others",
                    "The first reading of all other characters: code point (four digits), syllable (two).",
                    "".join(
                        digits(p, 4) + digits(number[s[0]], 2)
                        for p, s in sorted(pinyin.items())
                        if not FIRST <= p <= LAST
                    ),
                ),
                (
                    "further",
                    "Second and third readings: code point (four digits), two syllables (two each; zero is none).",
                    "".join(
                        digits(p, 4) + digits(number[s[1]], 2) + digits(number[s[2]] if len(s) > 2 else 0, 2)
                        for p, s in sorted(pinyin.items())
                        if len(s) > 1
                    ),
                ),
                ("onNames", "On readings, six bytes each, padded with dots.", "".join(s.ljust(6, ".") for s in on_names)),
                (
                    "on",
                    "On readings of the common kanji: code point (four digits), reading (two).",
                    "".join(digits(p, 4) + digits(on_names.index(s), 2) for p, s in sorted(on.items())),
                ),
            ],
        )
    ],
)
print(len(pinyin), len(syllables), len(on), len(on_names))
