#!/usr/bin/env python3
"""Makes Sources/ConcordanceText/Filters/FoldingTables.swift from the Unicode Character Database.

Needs Debian's package unicode-data. Run from the root of the checkout: python3 Scripts/unicode/normalization.py
"""
import bz2
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

# Letters and digits that writers of a script use one for another.
scripts = {}
for line in records("UnicodeData.txt"):
    if line[2] == "Nd" and line[6] and int(line[0], 16) > 0x7F:
        scripts[int(line[0], 16)] = (0x30 + int(line[6]),)


def alike(letters, plain):
    for letter in letters:
        scripts[ord(letter)] = tuple(map(ord, plain))


# Arabic letters, in their seats and in the forms of Persian and Urdu; the hamza above and below that is left of them.
alike("\u0622\u0623\u0625\u0671\u0672\u0673\u0675", "\u0627")
alike("\u0624\u0676", "\u0648")
alike("\u0626\u0649\u0678\u06cc\u06cd\u06ce\u06d0\u06d2\u06d3", "\u064a")
alike("\u0629\u06c0\u06c1\u06c2\u06c3\u06d5", "\u0647")
alike("\u06a9\u06aa", "\u0643")
alike("\u0640\u0653\u0654\u0655", "")
# Geresh and gershayim.
alike("\u05f3\u05f4", "")
# In the scripts of India, which Unicode lays out alike: no nukta, candrabindu as anusvara, open vowels as closed ones.
for block in (0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B00, 0x0C00, 0x0C80):
    if block + 0x3C in names:
        scripts[block + 0x3C] = ()
    if block + 0x01 in names:
        scripts[block + 0x01] = (block + 0x02,)
for block in (0x0900, 0x0A80):
    scripts[block + 0x45] = scripts[block + 0x46] = (block + 0x47,)
    scripts[block + 0x49] = scripts[block + 0x4A] = (block + 0x4B,)
    scripts[block + 0x0D] = scripts[block + 0x0E] = (block + 0x0F,)
    scripts[block + 0x11] = scripts[block + 0x12] = (block + 0x13,)

def is_common(character):
    """Whether the character is one of the 6,763 of GB 2312, the standard of simplified Chinese."""
    try:
        return len(chr(character).encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False


# Traditional characters to simplified ones: the first that Unihan names. A simplified character often stands for
# several, so that some words meet that are different.
simplified = {}
# Other forms of a character, as in Hong Kong: those of one meaning by Hong Kong's list of glyphs or by two dictionaries, and
# those that Unicode would have unified.
other_forms = []
with bz2.open(f"{UNICODE_DATA}/Unihan_Variants.txt.bz2", "rt", encoding="utf-8") as file:
    for line in file:
        fields = line.split()
        if len(fields) < 3 or not fields[0].startswith("U+"):
            continue
        character = int(fields[0][2:], 16)
        variants = [(int(variant[2:], 16), sources) for variant, _, sources in (f.partition("<") for f in fields[2:])]
        if fields[1] == "kSimplifiedVariant":
            (first, _), (last, _) = variants[0], variants[-1]
            if first != character:
                simplified[character] = (first,)
            elif not is_common(character) and is_common(last):
                # It names itself, too, although it is no simplified character: 裡.
                simplified[character] = (last,)
        for variant, sources in variants:
            if fields[1] == "kZVariant" or fields[1] == "kSemanticVariant" and (
                "kHKGlyph" in sources or "," in sources
            ):
                other_forms.append((character, variant))

for character, variant in other_forms:
    (form,) = simplified.get(variant, (variant,))
    if character not in simplified and not is_common(character) and is_common(form) and 0x4E00 <= character <= 0x9FFF:
        simplified[character] = (form,)

# Old Japanese characters and the new ones that took their places in 1946 and 1949 (the lists of tōyō kanji and of their
# forms, which are public acts).
OLD_AND_NEW = """
亞亜 惡悪 壓圧 圍囲 爲為 醫医 壹壱 稻稲 飮飲 隱隠 營営 榮栄 衞衛 驛駅 圓円 鹽塩 緣縁 艷艶 應応 歐欧 毆殴 櫻桜 奧奥 橫横 溫温 穩穏
假仮 價価 畫画 會会 囘回 壞壊 懷懐 繪絵 槪概 擴拡 殼殻 覺覚 學学 嶽岳 樂楽 渴渇 勸勧 卷巻 寬寛 歡歓 觀観 關関 陷陥 巖巌 顏顔 歸帰
氣気 龜亀 僞偽 戲戯 犧犠 舊旧 據拠 擧挙 峽峡 挾挟 敎教 狹狭 鄕郷 堯尭 曉暁 區区 驅駆 勳勲 薰薫 徑径 惠恵 溪渓 經経 繼継 莖茎 螢蛍
輕軽 鷄鶏 藝芸 儉倹 劍剣 圈圏 檢検 權権 獻献 縣県 險険 顯顕 驗験 嚴厳 效効 廣広 恆恒 鑛鉱 號号 國国 黑黒 濟済 碎砕 齋斎 劑剤 册冊
雜雑 參参 慘惨 棧桟 蠶蚕 贊賛 殘残 絲糸 齒歯 兒児 辭辞 濕湿 實実 舍舎 寫写 釋釈 壽寿 收収 從従 澁渋 獸獣 縱縦 肅粛 處処 緖緒 敍叙
奬奨 將将 牀床 涉渉 燒焼 稱称 證証 乘乗 剩剰 壤壌 孃嬢 條条 淨浄 狀状 疊畳 穰穣 讓譲 釀醸 囑嘱 觸触 寢寝 愼慎 晉晋 眞真 盡尽 圖図
粹粋 醉酔 隨随 髓髄 數数 樞枢 瀨瀬 聲声 靜静 齊斉 攝摂 竊窃 專専 戰戦 淺浅 潛潜 纖繊 踐践 錢銭 禪禅 曾曽 雙双 壯壮 搜捜 插挿 爭争
總総 聰聡 莊荘 裝装 騷騒 增増 臟臓 藏蔵 屬属 續続 墮堕 體体 對対 帶帯 滯滞 臺台 瀧滝 擇択 澤沢 單単 擔担 膽胆 團団 彈弾 斷断 癡痴
遲遅 晝昼 蟲虫 鑄鋳 廳庁 聽聴 敕勅 鎭鎮 遞逓 鐵鉄 轉転 點点 傳伝 黨党 盜盗 燈灯 當当 鬪闘 德徳 獨独 讀読 屆届 貳弐 腦脳 霸覇 廢廃
拜拝 賣売 麥麦 發発 髮髪 拔抜 蠻蛮 祕秘 濱浜 甁瓶 拂払 佛仏 倂併 竝並 邊辺 變変 舖舗 寶宝 豐豊 沒没 萬万 滿満 默黙 彌弥 藥薬 譯訳
豫予 餘余 與与 譽誉 搖揺 樣様 謠謡 遙遥 瑤瑶 來来 賴頼 亂乱 覽覧 龍竜 兩両 獵猟 壘塁 勵励 禮礼 靈霊 齡齢 戀恋 爐炉 勞労 樓楼 祿禄
錄録 灣湾
"""
modern = {ord(pair[0]): (ord(pair[1]),) for pair in OLD_AND_NEW.split()}

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
                ("scripts", "Letters and digits that stand for one another.", mapping(scripts, pool)),
                ("simplified", "Traditional Chinese characters, simplified.", mapping(simplified, pool)),
                ("modern", "Old Japanese characters, and new.", mapping(modern, pool)),
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
