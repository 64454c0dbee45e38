"""What holds for every server of the API: run against the mock, or against the server whose URL CONCORD_URL gives."""

import os
import re

from browser import PageTest, Keys


class AnyServerTests(PageTest):
    url = os.environ.get("CONCORD_URL")

    @classmethod
    def setUpClass(cls):
        if not cls.url:
            super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        if not cls.url:
            super().tearDownClass()

    def setUp(self):
        if self.url:
            self.mock = type("NoMock", (), {"url": self.url.rstrip("/"), "command": lambda *_: None})()
        super().setUp()

    def word(self):
        """A word of some letters in the title of a document that is listed first."""
        self.open()
        self.assertGreater(self.count(".hit"), 0, "the index has documents")
        words = re.findall(r"[A-Za-z]{5,}", " ".join(self.titles()))
        self.assertTrue(words, "titles have words")
        return words[0].lower()

    def test_typing_finds_and_marks(self):
        word = self.word()
        for letter in word:
            self.type(letter)
        self.wait(lambda: self.script("return new URLSearchParams(location.search).get('q')") == word, "the word is in the URL")
        self.settled()
        self.assertGreater(self.count(".hit"), 0)
        self.assertGreater(self.count(".hit mark"), 0)
        self.assertRegex(self.text("#summary"), r"^(More than )?[\d,]+ (documents?|rows?)$")
        self.assertRegex(self.text("#time"), r"^[\d.,]+ ms$")

    def test_keys_lead_to_a_marked_document(self):
        word = self.word()
        self.type(word + Keys.ENTER)
        self.wait(lambda: self.focused() == "hit 0", "the first result has the focus")
        self.settled()
        self.keys(Keys.ENTER)
        self.wait(lambda: self.count(".preview-body") == 1, "the document is shown")
        self.assertTrue(self.text("#preview-title"))
        self.assertTrue(self.text(".preview-body").strip())
        self.assertRegex(self.text("#match-place"), r"^(\d[\d,]* of \d[\d,]*\+?|No matches( yet)?)$")
        self.keys("n", "N", Keys.ESCAPE)
        self.assertFalse(self.is_shown("#preview"))

    def test_filters(self):
        self.open()
        boxes = self.script("return [...document.querySelectorAll('#facets input')].map((box) => box.dataset.key)")
        if not boxes:
            self.skipTest("this index has no facets")
        self.script("document.querySelector('#facets input').click()")
        self.wait(lambda: "f." in self.address(), "the filter is in the URL")
        self.settled()
        self.assertEqual(self.count(".chip"), 1)
        self.assertGreater(self.count(".hit"), 0)
        self.assertTrue(self.script("return document.querySelector(`[data-key=\"${CSS.escape(arguments[0])}\"]`).checked", boxes[0]))
        self.click(".chip")
        self.wait(lambda: self.count(".chip") == 0, "the filter is gone")

    def test_every_order(self):
        self.open()
        for order in self.script("return [...document.querySelector('#sort').options].map((option) => option.value)"):
            self.open(f"/?sort={order}")
            self.assertGreater(self.count(".hit"), 0, order)

    def test_more_comes(self):
        self.open()
        if not self.is_shown("#more"):
            self.skipTest("this index has one page of documents")
        before = self.count(".hit")
        self.script("scrollTo(0, document.documentElement.scrollHeight)")
        self.wait(lambda: self.count(".hit") > before, "more results come")
        ids = self.script("return [...document.querySelectorAll('.hit')].map((row) => row.dataset.id)")
        self.assertEqual(len(ids), len(set(ids)))

    def test_any_text_is_a_query(self):
        for text in ("\"", "(", "-", "a OR", "title:", "*", "NEAR(", "'; DROP TABLE documents; --", "\\", "x" * 900, "😀", "المكتبة"):
            self.open("/")
            self.script("const field = document.querySelector('#query'); field.value = arguments[0]; field.dispatchEvent(new InputEvent('input', { bubbles: true }))", text)
            self.wait(lambda: self.script("return document.title").startswith(text[:20].strip()), "the text is taken")
            self.settled()
            self.assertFalse(self.is_shown(".message.failure"), f"{text!r}: {self.text('#message')}")

    def test_completions(self):
        word = self.word()
        self.type(word[:3])
        self.settled()
        self.wait(lambda: self.count("#completions li") > 0, "completions are there")
        self.keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.script("return document.querySelector('#query').value").lower().startswith(word[:3]), "the completion is taken")
        self.settled()
        self.assertGreater(self.count(".hit"), 0)

    def test_a_document_that_is_not_there(self):
        self.open("/?doc=999999999")
        self.wait(lambda: self.count("#preview .failure") == 1, "the page says that it is not there")

    def test_from_key_to_picture(self):
        word = self.word()
        for letter in word + " " + word[:2]:
            before = self.script("return performance.getEntriesByName('concord:key-to-paint').length")
            self.type(letter)
            self.wait(lambda: self.script("return performance.getEntriesByName('concord:key-to-paint').length") > before, "the key is painted")
        pairs = self.script("""return performance.getEntriesByName("concord:key-to-paint").map((entry) => [entry.duration, entry.detail.server])""")
        own = sorted(whole - server for whole, server in pairs)
        whole = sorted(whole for whole, _ in pairs)
        print(f"\n  from key to picture: median {whole[len(whole) // 2]:.1f} ms, most {whole[-1]:.1f} ms; "
              f"without the server: median {own[len(own) // 2]:.1f} ms, most {own[-1]:.1f} ms ({len(own)} keys)")
