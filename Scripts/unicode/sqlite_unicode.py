#!/usr/bin/env python3
"""Makes SQLiteUnicodeTables.swift by asking the installed SQLite.

FTS5's unicode61 has Unicode tables of its own: which category it puts a code point in, what it folds the code point to
for each value of remove_diacritics, and which code points it takes for diacritics. All three show in the tokens that
it makes of one-character texts, which an fts5vocab table lists. Takes two minutes.

Usage: sqlite_unicode.py [OUTPUT]
"""

import pathlib
import sqlite3
import sys

from swift_tables import CODE_POINTS, Trie, array, write

# In the order of Unicode61Tokenizer.Categories. Number 0 is "in no category": unicode61 takes such code points for
# token characters whatever the categories option says. It accepts LC and Cn, and has no character in them.
CATEGORIES = "Cc Cf Cn Co Cs LC Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split()
EVERY_CATEGORY = "C* L* M* N* P* S* Z*"
LINE_SEPARATOR = "\u2028"  # the only character of category Zl

SCALARS = [c for c in range(1, CODE_POINTS) if not 0xD800 <= c < 0xE000]


def first_tokens(options, prefix=""):
    """For each code point, the first token of the text made of `prefix` and that code point; absent where none is."""
    db = sqlite3.connect(":memory:")
    db.execute(f"""CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize="unicode61 {options}")""")
    rows = ((c, prefix + chr(c)) for c in SCALARS)
    db.executemany("INSERT INTO texts(rowid, text) VALUES (?, ?)", rows)
    db.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab(texts, instance)")
    return {c: token or "" for c, token in db.execute('SELECT doc, term FROM tokens WHERE "offset" = 0')}


def main():
    output = pathlib.Path(__file__).parents[2] / "Sources/ConcordanceText/Unicode/SQLiteUnicodeTables.swift"
    if len(sys.argv) > 1:
        output = pathlib.Path(sys.argv[1])

    members = [set(first_tokens(f"categories '{name}' remove_diacritics 0")) for name in CATEGORIES]
    uncategorized = set.intersection(*members)
    category = {c: number for number, found in enumerate(members, 1) for c in found - uncategorized}

    folded = [first_tokens(f"categories '{EVERY_CATEGORY}' remove_diacritics {level}") for level in (0, 1, 2)]
    continued = first_tokens("categories 'Zl' remove_diacritics 0", prefix=LINE_SEPARATOR)
    diacritics = {
        c for c, token in continued.items() if len(token) == 2 and c not in uncategorized and c != ord(LINE_SEPARATOR)
    }

    classes = {(0, 0, 0, 0): 0}
    values = [0] * CODE_POINTS
    for c in SCALARS:
        tokens = [level[c] for level in folded]
        assert all(len(token) <= 1 for token in tokens)
        # The difference to what the code point is folded to; one that is removed is folded to zero.
        deltas = (ord(token) - c if token else -c for token in tokens)
        properties = category.get(c, 0) | (0x80 if c in diacritics else 0)
        values[c] = classes.setdefault((properties, *deltas), len(classes))
    # A NUL is no token character with any option, but it may be the first of a run of separators: category Cc.
    values[0] = values[1]

    columns = list(zip(*classes))
    write(
        output,
        [
            f"Made by Scripts/unicode/sqlite_unicode.py from SQLite {sqlite3.sqlite_version}; do not edit.",
            "Source of the data: the answers of FTS5's unicode61 tokenizer. SQLite is in the public domain.",
        ],
        "SQLiteUnicodeTables",
        Trie(values).swift()
        + [
            array("properties", columns[0], comment="By class: the category in bits 0 to 4; in bit 7 whether it is a diacritic."),
            array("caseFold", columns[1], "Int32", comment="By class: what folding adds to the code point, remove_diacritics=0."),
            array("simpleFold", columns[2], "Int32", comment="The same, remove_diacritics=1."),
            array("fullFold", columns[3], "Int32", comment="The same, remove_diacritics=2."),
        ],
        conformance=": CodePointTrie",
    )
    print(f"{output}: {len(classes)} classes, {len(category)} code points with a category, {len(diacritics)} diacritics")


if __name__ == "__main__":
    main()
