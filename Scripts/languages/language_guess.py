#!/usr/bin/env python3
"""Makes Sources/ConcordanceText/Languages/LanguageGuessTables.swift: how usual sequences of three letters are in
each language, where several share a script; and prints how often the guess is wrong.

usage: Scripts/languages/language_guess.py LINGUA FOLDER [TEXTS]

LINGUA is the unpacked Python package lingua-language-detector 1.4.2 (`pip download --no-deps`; Apache License 2.0), with
frequencies of letters from the newspaper texts of Wortschatz Leipzig. What it lacks comes from texts: treebanks of
Universal Dependencies in FOLDER (see stop_words.py) for Hindi and Yiddish, and for Nepali sentences of Wikipedia in the
first FLORES collection (CC BY-SA 4.0), from the repository facebookresearch/flores in FOLDER. TEXTS has a file of sentences for each language, fr.txt and so on, to measure errors on: none of
them may be among the sources. It needs the Python package brotli.

A text is the sum over its sequences: words of two letters, and every three letters of a word. A sequence falls into one
of 4096 buckets by its hash; a bucket has a weight from 0 to 7 for each language, a step of 0.8 in the logarithm of the
probability that a sequence of a text in the language falls into it.
"""

import collections
import io
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import unicodedata

import brotli

ROOT = pathlib.Path(__file__).parents[2]
OUTPUT = ROOT / "Sources/ConcordanceText/Languages/LanguageGuessTables.swift"

# The languages by script, in the order of the table's columns; those that have a script for themselves need no table.
SCRIPTS = {
    "Latin": "ca cs da nl en eo et eu fi fr de hu id ga it lt no pl pt ro sr es sv tr vi".split(),
    "Cyrillic": "bg ru sr-Cyrl uk".split(),
    "Arabic": "ar fa".split(),
    "Hebrew": "he yi".split(),
    "Devanagari": "hi ne".split(),
}
# Models of lingua with other names: Bokmål and Nynorsk; Serbian is there in Cyrillic, and Croatian and Bosnian are
# close to it.
MODELS = {"no": ["nb", "nn"], "sr": ["hr", "bs"], "sr-Cyrl": ["sr"]}

BUCKETS = 4096
LEVELS = 8
FLOOR = 1e-5
STEP = 0.8
# What words of two letters count beside sequences of three.
PAIR_SHARE = 1 / 3


def ngrams(model, kind):
    data = json.loads(brotli.decompress((model / f"{kind}.json.br").read_bytes()))["ngrams"]
    result = {}
    for fraction, grams in data.items():
        above, below = fraction.split("/")
        for gram in grams.split(" "):
            result[gram] = int(above) / int(below)
    return result


def lingua_frequencies(folder, code):
    """The probability of each two and three letters, from the conditional ones that the package has."""
    sums = collections.Counter()
    names = MODELS.get(code, [code])
    for name in names:
        model = folder / "lingua/language-models" / name
        first, second, third = (ngrams(model, kind) for kind in ("unigrams", "bigrams", "trigrams"))
        for gram, share in second.items():
            sums[gram] += PAIR_SHARE * first.get(gram[0], 0) * share / len(names)
        for gram, share in third.items():
            sums[gram] += first.get(gram[0], 0) * second.get(gram[:2], 0) * share / len(names)
    return sums


def sequences(text):
    # Marks belong to their letters' word.
    for word in re.findall(r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963])+", fold(text)):
        if len(word) == 2:
            yield word
        for index in range(len(word) - 2):
            yield word[index : index + 3]


def fold(text):
    return unicodedata.normalize("NFKC", text.casefold())


def text_frequencies(texts):
    counts = collections.Counter(gram for text in texts for gram in sequences(text))
    total = sum(counts.values())
    return {gram: count / total for gram, count in counts.items()}


def treebank_texts(folder, treebank, file):
    repository = folder / f"UniversalDependencies+{treebank}" / "repo"
    plain = folder / treebank / file
    if plain.exists():
        content = plain.read_text(encoding="utf-8")
    else:
        content = subprocess.run(
            ["git", "--git-dir", repository, "show", f"HEAD:{file}"], capture_output=True, check=True
        ).stdout.decode("utf-8")
    return re.findall(r"^# text = (.*)$", content, re.MULTILINE)


def wikipedia_texts(folder, name):
    """Sentences of the first FLORES collection, from the repository facebookresearch/flores."""
    path = "previous_releases/floresv1/data/wikipedia_en_ne_si_test_sets.tgz"
    plain = folder / "flores" / path
    if plain.exists():
        content = plain.read_bytes()
    else:
        repository = folder / "facebookresearch+flores" / "repo"
        content = subprocess.run(
            ["git", "--git-dir", repository, "show", f"HEAD:{path}"], capture_output=True, check=True
        ).stdout
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        member = next(item for item in archive.getmembers() if pathlib.PurePath(item.name).name == name)
        return archive.extractfile(member).read().decode("utf-8").split("\n")


def frequencies(lingua, folder, code):
    if code == "hi":
        return text_frequencies(treebank_texts(folder, "UD_Hindi-PUD", "hi_pud-ud-test.conllu")[:500])
    if code == "yi":
        return text_frequencies(treebank_texts(folder, "UD_Yiddish-YiTB", "yi_yitb-ud-train.conllu"))
    if code == "ne":
        return text_frequencies(wikipedia_texts(folder, "wikipedia.dev.ne-en.ne"))
    return lingua_frequencies(lingua, code)


def bucket(gram):
    """FNV-1a over the letters, 32 bits."""
    hash = 2166136261
    for letter in gram:
        hash = ((hash ^ ord(letter)) * 16777619) & 0xFFFFFFFF
    return (hash ^ hash >> 15) % BUCKETS


def weights(shares):
    sums = [0.0] * BUCKETS
    for gram, share in shares.items():
        gram = fold(gram)
        if len(gram) in (2, 3):
            sums[bucket(gram)] += share
    levels = (round((math.log(max(total, 1e-9)) - math.log(FLOOR)) / STEP) for total in sums)
    return [min(LEVELS - 1, max(0, level)) for level in levels]


def measure(table, texts):
    """Prints how many texts of three lengths are taken for another language of the same script."""
    for name, lowest, highest in (("15 to 45", 15, 45), ("60 to 140", 60, 140), ("300 and more", 300, 10**9)):
        wrong, count, mistakes = 0, 0, collections.Counter()
        for script, codes in SCRIPTS.items():
            for code in codes:
                path = texts / f"{code}.txt"
                if not path.exists():
                    continue
                lines = path.read_text(encoding="utf-8").split("\n")
                random.Random(1).shuffle(lines)
                if lowest == 300:
                    lines = [" ".join(lines[index : index + 4]) for index in range(0, len(lines), 4)]
                lines = [line for line in lines if lowest <= len(line) <= highest][:300]
                for line in lines:
                    buckets = [bucket(gram) for gram in sequences(line)]
                    guess = max(codes, key=lambda other: sum(table[script, other][place] for place in buckets))
                    count += 1
                    if guess != code:
                        wrong += 1
                        mistakes[code, guess] += 1
        most = ", ".join(f"{code} for {guess} {number}" for (code, guess), number in mistakes.most_common(6))
        print(f"{name} characters: {wrong} of {count} wrong, {100 * wrong / max(count, 1):.2f} %; {most}")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    lingua, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    codes = sorted({code for codes in SCRIPTS.values() for code in codes})
    columns = {code: weights(frequencies(lingua, folder, code)) for code in codes}
    rows = []
    for place in range(BUCKETS):
        values = [columns[code][place] for code in codes] + [0] * (len(codes) % 2)
        rows.append("".join(chr(0x30 + 8 * values[i] + values[i + 1]) for i in range(0, len(values), 2)))
    text = "".join(rows)
    lines = [
        "// Made by Scripts/languages/language_guess.py; do not edit.",
        "//",
        "// From the frequencies of letters in lingua-language-detector 1.4.2 (Apache License 2.0), the treebanks UD Hindi-PUD",
        "// (CC BY-SA 3.0) and UD Yiddish-YiTB (CC BY-SA 4.0), and the first FLORES collection (CC BY-SA 4.0).",
        "",
        "/// How usual sequences of letters are, by language; `LanguageGuesser` reads it.",
        "enum LanguageGuessTables {",
        "    /// The languages of the columns.",
        "    static let codes =",
        f'        "{" ".join(codes)}"',
        "",
        "    /// The number of buckets.",
        f"    static let buckets = {BUCKETS}",
        "",
        "    /// The number of digits of a row.",
        f"    static let width = {len(rows[0])}",
        "",
        f"    /// A row of base-64 digits a bucket: in each the weights of two languages, from 0 to {LEVELS - 1}.",
        "    static let weights: StaticString =",
        '        #"""',
        "\\#\n".join("        " + text[index : index + 108] for index in range(0, len(text), 108)),
        '        """#',
        "}",
    ]
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="ascii")
    if len(sys.argv) == 4:
        table = {(script, code): columns[code] for script, codes in SCRIPTS.items() for code in codes}
        measure(table, pathlib.Path(sys.argv[3]))


if __name__ == "__main__":
    main()
