"""A few hundred documents of a person who keeps notes, letters, manuals and programs, the same at every run."""

import datetime
import random

HOME = "/home/ada/Documents"

SUBJECTS = [
    ("timer", "timers", "A timer starts a unit when a moment has come or when a span of time has passed."),
    ("socket", "sockets", "A socket waits for connections and hands each of them to the program that serves it."),
    ("archive", "archives", "An archive holds files and folders in one file, with their names, dates and permissions."),
    ("journal", "journals", "The journal receives messages from programs and keeps them in the order of their arrival."),
    ("font", "fonts", "A font is found by its family, its weight and the characters that it has glyphs for."),
    ("locale", "locales", "A locale decides how dates, numbers and sorted lists are written for a region."),
    ("printer", "printers", "A printer receives pages through a queue, and the queue remembers what was refused."),
    ("keyboard", "keyboards", "A keyboard layout maps keys to characters, and dead keys to accents."),
    ("cache", "caches", "A cache keeps what was expensive to compute, until what it was computed from has changed."),
    ("certificate", "certificates", "A certificate says whose key this is, until when, and who vouches for it."),
    ("mirror", "mirrors", "A mirror holds a copy of an archive, and says when it was last brought up to date."),
    ("snapshot", "snapshots", "A snapshot shows a file system as it was at one moment, whatever happens afterwards."),
]

SENTENCES = [
    "Whoever receives a regular report reads the first page, so the result stands there.",
    "The regular expression is compiled once and applied to every line.",
    "When the index is updated, a search that is under way still sees the state that it began with.",
    "Settings in a person's own folder take precedence over those of the machine.",
    "If the file does not exist, it is created with permissions that let only its owner read it.",
    "The order of the options does not matter, except where one of them takes back another.",
    "A hash table answers whether a word was seen before, in constant time and with a little waste of memory.",
    "Messages that were not delivered within a day are returned to whoever sent them.",
    "Numbers are written with the separators of the locale, in columns that line up.",
    "See the section on limits for what happens when there is no more space on the disk.",
    "Names are compared without regard to case, and accents are folded.",
    "An interrupted transfer goes on where it stopped, as long as the file has not changed since.",
    "It is safe to run the program twice: the second run finds nothing to do.",
    "The weekly backup is kept for a month, the monthly one for a year.",
    "Every message has a sender, a date and a subject; everything else is optional.",
    "Errors go to standard error, with the line and the column where reading stopped.",
]

NOTES = [
    ("Weekly planning", "Hans Großmann will call about the walk on Sunday. We still need a second tent and the small stove."),
    ("Garden in spring", "Sow peas and spinach early, tomatoes only after the last frost. The compost has to be turned."),
    ("Reading list", "A history of maps, the letters of a lighthouse keeper, and an introduction to number theory."),
    ("Bread with walnuts", "Five hundred grams of flour, a little rye, walnuts, honey. Let it rise overnight in the cold."),
    ("Trip to the coast", "The train leaves at 7:42 and the ferry at noon. Keep the receipts: the office refunds them."),
    ("Piano lessons", "Practise the left hand alone, slowly, with the metronome. The Bach is nearly there."),
    ("House insurance", "The policy covers water damage up to the second floor. Report it within a week."),
    ("Ideas for the talk", "Begin with the question, show one figure, and leave ten minutes for discussion."),
    ("Bicycle repair", "New chain, new brake pads; the rear wheel has to be trued. Ask whether the old lamp can be kept."),
    ("Language course", "Irregular verbs until Tuesday, and a short text on a regular day in the market."),
]

PEOPLE = ["Hans Großmann", "Zoë Brontë", "Ilya Petrov", "Mei Tanaka", "Noor Haddad", "Tom Okafor", "Søren Lind", "Ana Sousa"]

FOREIGN = [
    ("de", "Anleitung zum Wandern.md", "Anleitung zum Wandern im Herbst",
     "Wer im Herbst wandert, braucht feste Schuhe und eine warme Jacke. Hans Großmann kennt den Weg über die Höhe.\n\n"
     "Die Hütte ist bis Ende Oktober bewirtschaftet. Danach bleibt der Winterraum offen."),
    ("ar", "دليل المكتبة.txt", "دليل المكتبة العامة",
     "تفتح المكتبة أبوابها من التاسعة صباحا حتى السادسة مساء.\n\nيمكن استعارة خمسة كتب لمدة أربعة أسابيع، "
     "ويمكن تجديد الاستعارة عبر الموقع library.example مرة واحدة.\n\nThe catalogue is in English, too."),
    ("he", "מדריך לספרייה.txt", "מדריך לספרייה העירונית",
     "הספרייה פתוחה מתשע בבוקר עד שש בערב.\n\nאפשר לשאול חמישה ספרים לארבעה שבועות, ולהאריך פעם אחת באתר."),
    ("ja", "図書館案内.md", "図書館のご案内",
     "図書館は朝九時から夕方六時まで開いています。\n\n本は五冊まで、四週間借りることができます。"),
    ("ru", "Письмо из Твери.txt", "Письмо из Твери",
     "Дорогая Ада, спасибо за книги.\n\nЗима была долгая, но теперь река открыта, и мы ждём вас в мае."),
    ("fr", "Recette du cassoulet.md", "Recette du cassoulet",
     "Faire tremper les haricots la veille. Le lendemain, les cuire doucement avec l'ail et le thym.\n\n"
     "Servir très chaud, avec du pain."),
]


def document(number, path, title, body, kind, modified, language="en", page=None, similar=0):
    folder, _, name = path.rpartition("/")
    return {
        "id": str(number), "table": "documents", "title": title, "path": path, "name": name, "folder": folder, "kind": kind,
        "size": len(body.encode()), "modified": modified.strftime("%Y-%m-%dT%H:%M:%SZ"), "language": language, "body": body,
        "page": page, "similar": similar, "year": str(modified.year),
    }


def files():
    """The documents of source kind "files"."""
    chance = random.Random(7)
    documents = []

    def add(path, title, body, kind, **more):
        days = int(chance.random() ** 2 * 2600)
        modified = datetime.datetime(2026, 11, 20, 9, 30) - datetime.timedelta(days=days, minutes=chance.randrange(1440))
        documents.append(document(len(documents) + 1, path, title, body, kind, modified, **more))

    def paragraphs(count, *own):
        blocks = [" ".join(chance.sample(SENTENCES, chance.randrange(2, 5))) for _ in range(count)]
        for sentence in own:
            blocks.insert(chance.randrange(len(blocks) + 1), sentence)
        return "\n\n".join(blocks)

    for singular, plural, sentence in SUBJECTS:
        for section, kind_of in (("1", "command"), ("5", "configuration"), ("7", "overview")):
            name = {"1": f"{singular}ctl", "5": f"{singular}.conf", "7": plural}[section]
            add(f"/usr/share/man/man{section}/{name}.{section}.gz", f"{name}({section})",
                f"{name.upper()}({section})\n\nNAME\n       {name} - {kind_of} for {plural}\n\nDESCRIPTION\n       {sentence}\n\n"
                + "\n\n".join("       " + block for block in paragraphs(5, sentence).split("\n\n")), "man")
        add(f"/usr/share/doc/{plural}-tools/README.md", f"{plural.capitalize()}: where to begin",
            f"# {plural.capitalize()}: where to begin\n\n{sentence}\n\n" + paragraphs(6), "markdown")
        add(f"/usr/share/doc/{plural}-tools/manual/index.html", f"The {singular} handbook",
            f"The {singular} handbook\n\n{sentence}\n\n" + paragraphs(9, sentence, sentence), "html", similar=chance.choice([0, 0, 12, 3]))
        add(f"/usr/share/doc/{plural}-tools/NEWS", f"Changes in {plural}-tools",
            "\n".join(f"Version {major}.{minor}\n\n  * {chance.choice(SENTENCES)}\n  * {chance.choice(SENTENCES)}\n"
                      for major in (3, 2, 1) for minor in (2, 1, 0)), "text")
        add(f"{HOME}/Papers/A study of {plural}.pdf", f"A study of {plural}",
            "\f".join(f"A study of {plural}, page {page}\n\n" + paragraphs(4, sentence) for page in range(1, 5)), "pdf", page=2)
        for language, suffix, comment in (("python", "py", "#"), ("swift", "swift", "//"), ("c", "c", "//")):
            add(f"{HOME}/Programs/{plural}/{language}/{singular}.{suffix}", f"{singular}.{suffix}",
                f"{comment} {sentence}\n\n" + "\n\n".join(
                    f"{comment} {chance.choice(SENTENCES)}\n{'def' if suffix == 'py' else 'func'} {verb}_{singular}(name, limit):\n"
                    f"    return {singular}_table.{verb}(name, limit)" for verb in ("open", "read", "update", "close")), "code")
    for round_ in range(8):
        for title, text in NOTES:
            year = 2026 - round_
            add(f"{HOME}/Notes/{year}/{title}.md", f"{title}, {year}", f"# {title}, {year}\n\n{text}\n\n" + paragraphs(2), "markdown")
    for number in range(60):
        person = chance.choice(PEOPLE)
        title, text = chance.choice(NOTES)
        add(f"{HOME}/Mail/{chance.choice(['Inbox', 'Archive', 'Sent'])}/{1000 + number}.eml", f"Re: {title}",
            f"From: {person}\nTo: Ada\nSubject: Re: {title}\n\nDear Ada,\n\n{text}\n\n{paragraphs(1)}\n\n{person}", "mail")
    for language, name, title, body in FOREIGN:
        add(f"{HOME}/Fremdsprachen/{name}", title, body, "markdown" if name.endswith(".md") else "text", language=language)
    add(f"{HOME}/Papers/The long report.txt", "The long report",
        "\n\n".join(f"{number}. {paragraphs(1)} Nothing is as regular as the receipt of a quarterly figure."
                    for number in range(1, 1200)), "text")
    documents.extend(hostile(len(documents)))
    return documents


def hostile(after):
    """Documents that try to be more than text: what they hold may be shown, and may do nothing."""
    moment = datetime.datetime(2019, 2, 3, 4, 5, 6)
    attack = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>'
    texts = [
        (f"/srv/hostile/{attack.replace('/', '∕')}.html", f"hostile title {attack}",
         f"hostile text {attack} &lt;b&gt;bold&lt;/b&gt; {{{{7*7}}}} ${{window.attacked=1}} javascript:window.attacked=1"),
        ("/srv/hostile/\" onmouseover=\"window.attacked=1\" x=\".txt", "\"><svg onload=window.attacked=1>",
         "hostile </textarea></title></style><svg/onload=window.attacked=1>"),
        ("/srv/hostile/invoice\u202efdp.exe", "hostile \u202eoverride\u202c of direction", "hostile \u202etext\u202c with \u0000\u0007\u001b[31m control characters"),
        ("/srv/hostile/" + "a very long name without end " * 8 + ".txt", "hostile " + "unbreakable" * 40, "hostile " + "x" * 4000),
        ("/srv/hostile/?q=a&f.kind=man#x%2e%2e.txt", "hostile ?#&=%00 name", "hostile name of a URL"),
    ]
    return [document(after + 1 + number, path, title, body, "html" if path.endswith("html") else "text", moment)
            for number, (path, title, body) in enumerate(texts)]


def books():
    """The tables of source kind "database": books, and their authors."""
    chance = random.Random(11)
    authors = [{"id": str(number + 1), "table": "authors", "title": name, "born": str(1900 + chance.randrange(90)),
                "body": f"{name} wrote about {chance.choice(SUBJECTS)[1]} and lived by the sea."} for number, name in enumerate(PEOPLE)]
    rows = []
    for number in range(140):
        author = chance.choice(authors)
        singular, plural, sentence = chance.choice(SUBJECTS)
        title = chance.choice([f"On {plural}", f"The {singular} and the sea", f"A short history of {plural}", f"Letters about a {singular}"])
        rows.append({"id": str(number + 1), "table": "books", "title": title, "author": author["title"], "authorID": author["id"],
                     "year": str(chance.randrange(1950, 2026)), "language": chance.choice(["en", "de", "fr"]),
                     "body": sentence + " " + " ".join(chance.sample(SENTENCES, 4))})
    return {"books": rows, "authors": authors}
