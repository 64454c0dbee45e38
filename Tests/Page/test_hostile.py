"""Documents, names and queries that try to be more than text."""

import urllib.parse

from browser import PAGE, PageTest, mock

#: What the page itself puts into the list and the preview.
OWN = {"LI", "DIV", "A", "MARK", "P", "SPAN", "TIME", "svg", "use", "DL", "DT", "DD", "HEADER", "H2", "H3", "BUTTON", "OUTPUT", "SECTION", "OL"}


class HostileTests(PageTest):
    def nothing_ran(self):
        self.assertIsNone(self.script("return window.attacked ?? null"))
        names = set(self.script("return [...document.querySelectorAll('#hits *, #preview *')].map((node) => node.nodeName)"))
        self.assertLessEqual(names, OWN)
        handlers = self.script("""return [...document.querySelectorAll("body *")].flatMap((node) => [...node.attributes])
            .filter((attribute) => /^on/i.test(attribute.name) || attribute.name === "style" || /javascript:/i.test(attribute.value))
            .map((attribute) => attribute.name + "=" + attribute.value)""")
        self.assertEqual(handlers, [])

    def test_every_hostile_document(self):
        documents = [document for document in mock.corpus.files() if "hostile" in document["folder"] + document["path"]]
        self.assertEqual(len(documents), 5)
        self.open("/?q=hostile")
        self.assertEqual(self.count(".hit"), 5)
        self.nothing_ran()
        for place in range(5):
            self.script("document.querySelectorAll('.hit-title')[arguments[0]].click()", place)
            identifier = self.script("return document.querySelectorAll('.hit')[arguments[0]].dataset.id", place)
            self.wait(lambda: self.script("return new URLSearchParams(location.search).get('doc')") == identifier
                      and self.count(".preview-body") == 1 and not self.count("[aria-busy]"), "the document is shown")
            document = next(document for document in documents if document["id"] == identifier)
            self.assertEqual(self.script("return document.querySelector('.text').textContent"), document["body"])
            self.nothing_ran()

    def test_nothing_is_wider_than_the_page(self):
        for width in (1440, 1024, 390):
            self.resize(width, 844)
            self.open("/?q=hostile")
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
            for place in range(5):
                self.script("document.querySelectorAll('.hit-title')[arguments[0]].click()", place)
                self.wait(lambda: self.count(".preview-body") == 1, "the document is shown")
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)

    def test_control_characters_of_names_can_be_seen(self):
        self.open("/?q=override")
        path = self.script("return document.querySelector('.path').textContent")
        self.assertEqual(path, "/srv/hostile/invoice\ufffdfdp.exe")
        self.assertNotIn("\u202e", self.script("return document.querySelector('.hit').textContent"))

    def test_hostile_queries(self):
        for query in ("<img src=x onerror=window.attacked=1>", "\"><script>window.attacked=1</script>", "javascript:window.attacked=1", "{{7*7}}${7*7}",
                      "\u202eabc", "'\"`--;DROP TABLE", "x" * 990):
            self.open(f"/?q={urllib.parse.quote(query)}")
            self.assertIn(self.script("return document.querySelector('#message bdi')?.textContent ?? null"), (query, None))
            self.assertEqual(self.script("return document.querySelector('#query').value"), query)
            self.nothing_ran()

    def test_hostile_filters_in_a_link(self):
        attack = "<img src=x onerror=window.attacked=1>"
        self.open(f"/?q=font&f.kind={urllib.parse.quote(attack)}&f.{urllib.parse.quote(attack)}=x&sort={urllib.parse.quote(attack)}"
                  f"&table={urllib.parse.quote(attack)}&doc={urllib.parse.quote(attack)}")
        self.nothing_ran()

    def test_hostile_answers(self):
        attack = "<img src=x onerror=window.attacked=1>"
        status = {"source": {"kind": "files", "name": attack, "path": attack}, "version": attack, "state": "indexing",
                  "progress": {"read": 1, "total": 2, "path": "/" + attack}}
        self.mock.command("state", status)
        self.mock.rules({"path": "/api/suggest", "body": '{"completions": [{"text": "%s", "runs": [{"text": "%s", "marked": true}]}]}' % (attack, attack)},
                        {"path": "/api/search", "q": "font", "status": 400, "title": attack, "detail": attack})
        self.open()
        self.type("font")
        self.shows("#completions", attack)
        self.shows("#message", attack)
        self.nothing_ran()

    def test_the_sources_parse_no_html(self):
        """What is not in the sources cannot be reached by any document."""
        for file in PAGE.iterdir():
            text = file.read_text()
            if file.suffix == ".js":
                for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "srcdoc", ".style"):
                    self.assertNotIn(word, text, file.name)
            if file.suffix == ".html":
                for word in (" style=", "<style", " onclick", "javascript:"):
                    self.assertNotIn(word, text.lower(), file.name)
            self.assertNotRegex(text.replace("http://www.w3.org/", ""), r"https?://", file.name)

    def test_the_page_is_small(self):
        self.assertLess(sum(file.stat().st_size for file in PAGE.iterdir()), 150_000)
