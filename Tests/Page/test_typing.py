"""Results while typing: at once, in the order of the questions, without a flash."""

import statistics

from browser import Keys, PageTest

# Counts the moments in which the list has no results.
COUNT_EMPTY = """
    window.emptied = 0;
    new MutationObserver(() => { if (!document.querySelector(".hit")) window.emptied += 1; })
        .observe(document.getElementById("hits"), { childList: true });
"""


class TypingTests(PageTest):
    def test_finds_at_every_key(self):
        self.open()
        self.assertEqual(self.text("#summary"), "272 documents")
        self.type("font")
        self.shows("#summary", "10 documents")
        self.assertTrue(all("font" in title.lower() or "font" in snippet.lower()
                            for title, snippet in zip(self.titles(), self.texts(".hit-snippet"))))
        self.assertGreater(self.count(".hit-title mark"), 0)
        self.type("x")
        self.wait(lambda: "fontx" in [entry["parameters"]["q"][0] for entry in self.mock.log("/api/search")], "the whole word is asked for")

    def test_results_stay_until_the_next_are_there(self):
        self.open("/?q=regular")
        self.script(COUNT_EMPTY)
        self.mock.rules({"path": "/api/search", "delay": 0.2})
        for letter in " exp":
            self.type(letter)
        self.shows("#summary", "documents")
        self.wait(lambda: self.address() == "/?q=regular+exp", "the query is in the URL")
        self.settled()
        self.assertEqual(self.script("return window.emptied"), 0)

    def test_an_empty_field_lists_the_newest(self):
        self.open("/?q=font")
        self.click("#query")
        self.keys(Keys.CONTROL + "a", Keys.DELETE)
        self.shows("#summary", "272 documents")
        self.assertEqual(self.text("#time"), "")
        self.assertEqual(self.script("return document.querySelector('#sort').value"), "newest")

    def test_the_button_clears_the_field(self):
        self.open("/?q=font")
        self.click("#clear")
        self.shows("#summary", "272 documents")
        self.assertEqual(self.focused(), "query")
        self.assertFalse(self.is_shown("#clear"))

    def test_misspelled_words(self):
        self.open()
        self.type("recieve")
        self.shows("#corrections", "Showing receives for recieve")
        self.assertEqual(self.text("#corrections s"), "recieve")
        self.click("#corrections a")
        self.wait(lambda: self.address() == "/?q=receives", "the correction is searched for")
        self.settled()
        self.assertEqual(self.text("#corrections"), "")

    def test_did_you_mean(self):
        self.mock.rules({"path": "/api/search", "q": "x", "body": """{"query": "x", "total": {"value": 0, "isExact": true}, "hits": [],
            "correction": {"query": "fonts", "runs": [{"text": "fonts", "marked": true}]}, "replaced": [], "cursor": null, "facets": []}"""})
        self.open("/?q=x")
        self.shows("#corrections", "Did you mean fonts?")
        self.click("#corrections a")
        self.shows("#summary", "documents")
        self.assertEqual(self.address(), "/?q=fonts")

    def test_a_correction_that_completes_is_not_shown(self):
        self.mock.rules({"path": "/api/search", "q": "fon", "body": """{"query": "fon", "total": {"value": 0, "isExact": true}, "hits": [],
            "correction": {"query": "FONT", "runs": [{"text": "FONT", "marked": true}]}, "replaced": [], "cursor": null, "facets": []}"""})
        self.open("/?q=fon")
        self.assertEqual(self.text("#corrections"), "")

    def test_nothing_found(self):
        self.open("/?q=zzzzqqq")
        self.shows("#message", "Nothing found for “zzzzqqq”")
        self.assertEqual(self.count(".hit"), 0)
        self.assertFalse(self.is_shown("#head"))

    def test_a_total_that_is_not_exact(self):
        self.mock.rules({"path": "/api/search", "body": """{"query": "", "total": {"value": 1000, "isExact": false}, "hits": [],
            "correction": null, "replaced": [], "cursor": null, "facets": []}"""})
        self.open()
        self.assertEqual(self.script("return document.querySelector('#summary').textContent"), "More than 1,000 documents")

    def test_from_key_to_picture(self):
        """Prints the time that the page itself takes. It depends on the machine, so the test only asserts that it is known."""
        self.open()
        for word in ("regular", "expression", "timer", "the journal receives", "weekly"):
            for letter in word:
                before = self.script("return performance.getEntriesByName('concord:key-to-paint').length")
                self.type(letter)
                self.wait(lambda: self.script("return performance.getEntriesByName('concord:key-to-paint').length") > before, "the key is painted")
            self.keys(Keys.CONTROL + "a", Keys.DELETE)
            self.settled()
        measured = self.script("""return performance.getEntriesByName("concord:key-to-paint")
            .map((entry) => [entry.duration - entry.detail.server, entry.detail.server])""")
        own, server = sorted(pair[0] for pair in measured), [pair[1] for pair in measured]
        print(f"\n  from key to picture, without the server: median {statistics.median(own):.1f} ms, "
              f"95 % {own[int(len(own) * 0.95)]:.1f} ms, most {own[-1]:.1f} ms; the mock takes {statistics.median(server):.1f} ms ({len(own)} keys)")
        self.assertGreater(len(own), 30)


class OrderTests(PageTest):
    # Requests that cannot be taken back, so that late answers do arrive.
    before = "const send = window.fetch; window.fetch = (address, options) => send(address, { ...options, signal: undefined });"

    def note_answers(self):
        """Makes the page note which requests are answered, after it has seen the answers itself."""
        self.script("""
            window.answered = [];
            const send = window.fetch;
            window.fetch = (...all) => send(...all).then((answer) => {
                const read = answer.text.bind(answer);
                answer.text = () => read().then((text) => { setTimeout(() => window.answered.push(String(all[0]))); return text; });
                return answer;
            });""")

    def test_late_completions_are_dropped(self):
        self.open()
        self.mock.rules({"path": "/api/suggest", "q": "re", "delay": 0.7})
        self.note_answers()
        self.type("re")
        self.wait(lambda: "re" in [entry["parameters"]["q"][0] for entry in self.mock.log("/api/suggest")], "the first question is asked")
        self.type("g")
        options = "return [...document.querySelectorAll('#completions li')].map((option) => option.getAttribute('aria-label'))"
        self.wait(lambda: "regular" in self.script(options), "completions are there")
        self.wait(lambda: self.script("return answered.some((url) => url.includes('suggest?q=re&'))"), "the late answer came")
        self.assertTrue(all(option.startswith("reg") for option in self.script(options)), self.script(options))

    def test_late_answers_are_dropped(self):
        self.open()
        self.mock.rules({"path": "/api/search", "q": "fon", "delay": 1.0}, {"path": "/api/suggest", "q": "fon", "delay": 1.0})
        self.note_answers()
        self.type("fon")
        self.wait(lambda: "fon" in [entry["parameters"]["q"][0] for entry in self.mock.log("/api/search")], "the first question is asked")
        self.type("ts")
        self.shows("#summary", "documents")
        self.wait(lambda: self.script("return answered.some((url) => url.includes('q=fon&') && url.includes('search'))"), "the late answer came")
        self.assertTrue(self.script("return answered.findIndex((url) => url.includes('q=fonts')) < answered.findIndex((url) => url.includes('search?q=fon&'))"))
        self.assertEqual(self.script("return document.querySelector('#query').value"), "fonts")
        self.assertTrue(all("fonts" in text.lower() for text in self.texts(".hit mark")), self.texts(".hit mark"))


class CompletionTests(PageTest):
    def test_combobox(self):
        self.open()
        self.type("reg")
        self.wait(lambda: "regular" in self.offered(), "completions are there")
        field = self.find("#query")
        self.assertEqual(field.get_attribute("aria-expanded"), "true")
        self.assertIsNone(field.get_attribute("aria-activedescendant"))
        self.keys(Keys.ARROW_DOWN)
        active = field.get_attribute("aria-activedescendant")
        self.assertEqual(self.find(f"#{active}").get_attribute("aria-selected"), "true")
        self.assertEqual(self.focused(), "query")
        first = self.text(f"#{active}")
        self.keys(Keys.ARROW_RIGHT)
        second = self.text(f"#{field.get_attribute('aria-activedescendant')}")
        self.assertNotEqual(first, second)
        self.keys(Keys.ESCAPE)
        self.assertIsNone(field.get_attribute("aria-activedescendant"))
        self.assertEqual(field.get_attribute("value"), "reg")
        self.keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.address() == f"/?q={first}", "the completion is searched for")
        self.assertEqual(self.focused(), "query")
        self.settled()
        self.assertEqual(field.get_attribute("aria-expanded"), "false")

    def test_down_leads_through_the_completions_to_the_results(self):
        self.open()
        self.type("reg")
        self.wait(lambda: self.offered(), "completions are there")
        self.settled()
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertEqual(self.focused(), "hit 0")

    def test_a_click_chooses(self):
        self.open()
        self.type("weekly backu")
        self.wait(lambda: "weekly backup" in self.offered(), "completions are there")
        self.click("#completions [role=option]")
        self.wait(lambda: self.address() == "/?q=weekly+backup", "the completion is searched for")

    def offered(self):
        return self.script("return [...document.querySelectorAll('#completions [role=option]')].map((option) => option.getAttribute('aria-label'))")
