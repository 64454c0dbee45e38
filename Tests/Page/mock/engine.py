"""A search that is good enough to draw a page with: words, prefixes, misspellings, facets, cursors, snippets."""

import re
import unicodedata

WORD = re.compile(r"\w+", re.UNICODE)
FACETS = {"kind": "Kind", "folder": "Folder", "year": "Year", "language": "Language"}
KINDS = {"man": "Manual pages", "markdown": "Markdown", "html": "Web pages", "text": "Text", "pdf": "PDF", "code": "Source code",
         "mail": "Mail"}


def fold(word):
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def words(text):
    return [fold(match.group()) for match in WORD.finditer(text)]


def distance(one, other, limit):
    """The edits that make one word of the other, up to `limit`."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    row = list(range(len(other) + 1))
    before = row
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(other, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, row = row, current
    return row[-1]


def runs(text, wanted):
    """The text as runs, those words marked that `wanted` accepts."""
    result, at = [], 0
    for match in WORD.finditer(text):
        if wanted(fold(match.group())):
            if match.start() > at:
                result.append({"text": text[at:match.start()]})
            result.append({"text": match.group(), "marked": True})
            at = match.end()
    if at < len(text):
        result.append({"text": text[at:]})
    return result


class Engine:
    def __init__(self, documents, facets):
        self.documents = documents
        self.facets = facets
        self.byID = {document["id"]: document for document in documents}
        self.vocabulary = {}
        self.texts = {}
        self.version = 1
        for document in documents:
            self.learn(document)

    def learn(self, document):
        found = set(words(document["title"])) | set(words(document["body"])) | set(words(document.get("name", "")))
        self.texts[document["id"]] = found
        for word in found:
            self.vocabulary[word] = self.vocabulary.get(word, 0) + 1

    def add(self, document):
        self.documents.insert(0, document)
        self.byID[document["id"]] = document
        self.learn(document)
        self.version += 1

    def terms(self, query):
        """For each word typed the words that it stands for, and what was taken for something else."""
        typed = words(query)
        terms, replaced = [], []
        for place, word in enumerate(typed):
            if word in self.vocabulary and place < len(typed) - 1:
                terms.append({word})
                continue
            found = {known for known in self.vocabulary if known.startswith(word)} if place == len(typed) - 1 else set()
            if word in self.vocabulary:
                found.add(word)
            if not found:
                near = sorted((distance(word, known, 2), known) for known in self.vocabulary if known[:1] == word[:1])
                found = {known for edits, known in near if edits <= min(2, len(word) // 3)}
                if found:
                    replaced.append({"typed": word, "found": sorted(found)[:4]})
            terms.append(found)
        return terms, replaced

    def search(self, query, filters, sort, offset, limit):
        terms, replaced = self.terms(query)
        matching = []
        for document in self.documents:
            texts = self.texts[document["id"]]
            if all(term & texts for term in terms):
                title = set(words(document["title"]))
                score = sum(3.0 if term & title else 1.0 for term in terms) + 1 / (1 + len(document["body"]))
                matching.append((score, document))
        facets = [self.facet(name, [document for _, document in matching if self.passes(document, filters, but=name)],
                             filters.get(name, [])) for name in self.facets]
        matching = [(score, document) for score, document in matching if self.passes(document, filters)]
        if sort == "newest" or (sort == "relevance" and not terms):
            matching.sort(key=lambda pair: pair[1].get("modified", pair[1].get("year", "")), reverse=True)
        elif sort == "oldest":
            matching.sort(key=lambda pair: pair[1].get("modified", ""))
        elif sort.lstrip("-") in ("year", "born"):
            matching.sort(key=lambda pair: pair[1].get(sort.lstrip("-"), ""), reverse=sort.startswith("-"))
        else:
            matching.sort(key=lambda pair: -pair[0])
        wanted = self.wanted(terms)
        correction = None
        if replaced:
            better = fold(query)
            for word in replaced:
                better = better.replace(word["typed"], word["found"][0])
            correction = {"query": better, "runs": runs(better, lambda word: word in {entry["found"][0] for entry in replaced})}
        return {
            "total": len(matching), "replaced": replaced, "correction": correction, "facets": facets,
            "hits": [self.hit(document, score, wanted) for score, document in matching[offset:offset + limit]],
        }

    @staticmethod
    def wanted(terms):
        every = set().union(*terms) if terms else set()
        return lambda word: word in every

    @staticmethod
    def passes(document, filters, but=None):
        return all(name == but or document.get(name) in values for name, values in filters.items())

    def facet(self, name, documents, selected):
        counts = {}
        for document in documents:
            counts[document.get(name)] = counts.get(document.get(name), 0) + 1
        values = sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))
        if name == "year":
            values.sort(key=lambda pair: pair[0], reverse=True)
        return {"name": name, "label": FACETS.get(name, name.capitalize()), "more": len(values) > 20, "values": [
            {"value": value, "label": KINDS.get(value, value) if name == "kind" else value, "count": count,
             "selected": value in selected} for value, count in values[:20]]}

    def hit(self, document, score, wanted):
        body = document["body"]
        place = next((match.start() for match in WORD.finditer(body) if wanted(fold(match.group()))), None)
        start = 0 if place is None else max(0, body.rfind("\n", 0, place) + 1 if place - body.rfind("\n", 0, place) < 90 else place - 70)
        extract = " ".join(body[start:start + 260].split())
        files = document["table"] == "documents"
        return {
            "id": document["id"], "table": document["table"], "title": runs(document["title"], wanted),
            "path": document.get("path"), "name": document.get("name"), "folder": document.get("folder"),
            "kind": document.get("kind"), "size": document.get("size"), "modified": document.get("modified"),
            "line": body.count("\n", 0, place) + 1 if place and document.get("kind") in ("text", "code") else None,
            "page": document.get("page"), "language": document.get("language"),
            "snippet": ([{"text": "… "}] if start else []) + runs(extract, wanted) + [{"text": " …"}], "score": score,
            "similar": document.get("similar", 0),
            "fields": [] if files else [{"name": name, "runs": runs(document[name], wanted)}
                                        for name in ("author", "year", "language", "born") if name in document],
        }

    def suggest(self, query, limit):
        typed = words(query)
        if not typed or not re.search(r"\w$", query):
            return []
        last = typed[-1]
        head = query[:len(query) - len(WORD.findall(query)[-1])]
        found = sorted(((count, word) for word, count in self.vocabulary.items() if word.startswith(last) and word != last),
                       key=lambda pair: (-pair[0], pair[1]))[:limit]
        return [{"text": head + word, "count": count, "runs": [{"text": head + word[:len(last)]}, {"text": word[len(last):], "marked": True}]}
                for count, word in found]
