"""Everything is in the URL: links can be sent, and the browser's buttons lead back and forth."""

import urllib.parse

from browser import Keys, PageTest


class AddressTests(PageTest):
    def at(self, path):
        self.wait(lambda: self.address() == path, f"the URL is {path}, not {self.address()}")

    def test_typing_is_one_entry(self):
        self.open()
        self.script("""window.entries = 0;
            const push = history.pushState.bind(history);
            history.pushState = (...all) => { window.entries += 1; push(...all); };""")
        for letter in "regular":
            self.type(letter)
        self.at("/?q=regular")
        self.assertEqual(self.script("return window.entries"), 1)
        self.driver.back()
        self.shows("#summary", "272 documents")
        self.assertEqual(self.script("return document.querySelector('#query').value"), "")

    def test_each_step_can_be_taken_back(self):
        self.open()
        self.type("regular" + Keys.ENTER)
        self.at("/?q=regular")
        self.wait(lambda: self.focused() == "hit 0", "results are there")
        self.click("[data-key='kind=man']")
        self.at("/?q=regular&f.kind=man")
        self.shows("#summary", "31 documents")
        self.script("const sort = document.querySelector('#sort'); sort.value = 'oldest'; sort.dispatchEvent(new Event('change'))")
        self.at("/?q=regular&sort=oldest&f.kind=man")
        self.settled()
        self.click(".hit-title")
        self.wait(lambda: self.is_shown("#preview-title"), "the document is shown")
        self.assertIn("&doc=", self.address())
        steps = [("/?q=regular&sort=oldest&f.kind=man", "31 documents"), ("/?q=regular&f.kind=man", "31 documents"),
                 ("/?q=regular", "166 documents"), ("/", "272 documents")]
        for path, summary in steps:
            self.driver.back()
            self.at(path)
            self.shows("#summary", summary)
            self.assertFalse(self.is_shown("#preview"))
        for path, summary in reversed(steps[:-1]):
            self.driver.forward()
            self.at(path)
            self.shows("#summary", summary)
        self.driver.forward()
        self.wait(lambda: self.is_shown("#preview-title"), "the document is shown again")

    def test_a_query_after_enter_is_an_entry_of_its_own(self):
        self.open()
        self.type("font" + Keys.ENTER)
        self.wait(lambda: self.focused() == "hit 0", "results are there")
        self.keys("/", Keys.CONTROL + "a", "s", "o", "c", "k", "e", "t")
        self.at("/?q=socket")
        self.driver.back()
        self.at("/?q=font")
        self.assertEqual(self.script("return document.querySelector('#query').value"), "font")

    def test_a_link_opens_the_same_state(self):
        self.open("/?q=regular&sort=newest&f.kind=man&f.kind=pdf")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        address, titles, text = self.address(), self.titles(), self.text(".preview-body")
        self.driver.get("about:blank")
        self.driver.get(self.base + address)
        self.shows("#match-place", "1 of ")
        self.settled()
        self.assertEqual(self.titles(), titles)
        self.assertEqual(self.text(".preview-body"), text)
        self.assertEqual(self.texts(".chip"), ["Manual pages", "PDF"])
        self.assertEqual(self.script("return document.querySelector('#sort').value"), "newest")

    def test_titles_are_links_to_the_same_state(self):
        self.open("/?q=regular&f.kind=man")
        link = self.find(".hit-title")
        url = urllib.parse.urlsplit(link.get_attribute("href"))
        identifier = self.script("return document.querySelector('.hit').dataset.id")
        self.assertEqual(url.query, f"q=regular&f.kind=man&doc={identifier}")

    def test_any_text_goes_through_the_url(self):
        for text in ("a&b=c#d", "100% + 1", "\"quoted\" -x", "Großmann ß", "المكتبة", "x?y/z\\"):
            self.open(f"/?q={urllib.parse.quote_plus(text)}")
            self.assertEqual(self.script("return document.querySelector('#query').value"), text)
            self.assertEqual(self.mock.log("/api/search")[-1]["parameters"]["q"], [text])
            self.assertEqual(self.script("return document.title"), f"{text} – Concord")

    def test_unknown_parameters_do_no_harm(self):
        self.open("/?q=regular&nonsense=1&f.=x&f.colour=blue&sort=strange&doc=999999")
        self.shows("#preview", "Not in the index")
        self.shows("#message", "There is no facet colour")
        self.click("#message .button:last-child")
        self.shows("#summary", "166 documents")
        self.assertEqual(self.address(), "/?q=regular&doc=999999")

    def test_back_returns_to_the_place_in_the_list(self):
        self.open("/?q=the")
        self.script("window.scrollTo(0, 3000)")
        self.wait(lambda: self.count(".hit") >= 40, "more results come")
        self.settled()
        self.script("window.scrollTo(0, 4200)")
        place = self.script("return scrollY")
        self.assertGreater(place, 3000)
        self.wait(lambda: self.script("return new Promise((done) => requestAnimationFrame(() => done(true)))"), "a frame is drawn")
        self.script("document.querySelector('#home').click()")
        self.shows("#summary", "272 documents")
        self.wait(lambda: self.script("return scrollY") == 0, "the page begins at its top")
        self.driver.back()
        self.wait(lambda: abs(self.script("return scrollY") - place) < 2, "the list is where it was")

    def test_reload_keeps_everything(self):
        self.open("/?q=regular&f.kind=man")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        address = self.address()
        self.driver.refresh()
        self.shows("#match-place", "1 of ")
        self.assertEqual(self.address(), address)
