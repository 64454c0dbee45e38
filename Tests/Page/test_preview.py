"""The document beside the list."""

import json
import re

from browser import Keys, PageTest


class PreviewTests(PageTest):
    def test_matches_are_marked_and_counted(self):
        self.open("/?q=regular&f.kind=pdf")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        self.assertEqual({text.lower() for text in self.texts(".preview-body mark")}, {"regular"})
        self.assertEqual(self.text("#match-place"), f"1 of {self.count('.preview-body mark')}")
        self.assertEqual(self.texts(".page-end"), ["Page 2", "Page 3", "Page 4"])
        self.click("[aria-label='Next match (n)']")
        self.shows("#match-place", "2 of ")
        box = self.script("return document.querySelector('mark.is-now').getBoundingClientRect().toJSON()")
        frame = self.script("return document.querySelector('.preview-body').getBoundingClientRect().toJSON()")
        self.assertTrue(frame["top"] <= box["top"] and box["bottom"] <= frame["bottom"], (box, frame))

    def test_the_passage_with_most_words_is_shown_first(self):
        text = "\n".join(["one regular line"] * 40 + ["here is a regular expression, which was asked for"] + ["one expression"] * 40)
        runs = [{"text": piece, "marked": piece in ("regular", "expression")} for piece in re.split("(regular|expression)", text)]
        self.mock.rules({"path": "/api/document", "body": json.dumps({
            "id": "1", "table": "documents", "title": [{"text": "x"}], "path": "/x", "name": "x", "folder": "/", "kind": "text",
            "columns": [{"name": "body", "runs": runs, "isTruncated": False}], "matches": 82, "next": None, "related": []})})
        self.open("/?q=regular+expression&doc=1")
        self.shows("#match-place", "41 of 82")
        self.assertTrue(self.script("return document.querySelector('mark.is-now').nextSibling.nextSibling.textContent === 'expression'"))

    def test_a_long_text_comes_in_pieces(self):
        self.open("/?q=quarterly")
        self.click(".hit-title")
        self.shows("#match-place", "1 of 1,199")
        first = len(self.text(".preview-body"))
        self.script("document.querySelector('.preview-body').scrollTop = 1e9")
        self.wait(lambda: len(self.text(".preview-body")) > first, "the text goes on")
        for _ in range(20):
            if not self.is_shown(".text-end"):
                break
            length = len(self.text(".preview-body"))
            self.script("document.querySelector('.preview-body').scrollTop = 1e9")
            self.wait(lambda: len(self.text(".preview-body")) > length or not self.is_shown(".text-end"), "the text goes on")
        self.shows(".preview-body", "1199. ")
        self.assertEqual(self.count(".preview-body mark"), 1199)

    def test_the_way_to_the_last_match_fetches_what_is_missing(self):
        self.open("/?q=quarterly")
        self.click(".hit-title")
        self.shows("#match-place", "1 of 1,199")
        loaded = self.count(".preview-body mark")
        self.assertLess(loaded, 1199)
        self.script("for (let at = 1; at < arguments[0]; at += 1) document.querySelector(\"[aria-label='Next match (n)']\").click()", loaded)
        self.shows("#match-place", f"{loaded:,} of")
        self.script("document.querySelector(\"[aria-label='Next match (n)']\").click()")
        self.shows("#match-place", f"{loaded + 1:,} of")

    def test_typing_marks_again_and_keeps_the_place(self):
        self.open("/?q=regular")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        place = self.text(".preview-place")
        self.keys("/", Keys.CONTROL + "a", "s", "u", "b", "j", "e", "c", "t")
        self.wait(lambda: {text.lower() for text in self.texts(".preview-body mark")} == {"subject"}, "other words are marked")
        self.assertEqual(self.text(".preview-place"), place)
        self.assertEqual(self.focused(), "query")

    def test_the_document_before_stays_until_the_next_is_there(self):
        self.open("/?q=regular")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        before = self.text(".preview-place")
        self.mock.rules({"path": "/api/document", "delay": 0.3})
        self.click(".hit:nth-child(3) .hit-title")
        self.assertEqual(self.text(".preview-place"), before)
        self.wait(lambda: self.text(".preview-place") != before, "the next document is shown")

    def test_a_document_that_is_gone(self):
        self.open("/?q=regular")
        self.mock.rules({"path": "/api/document", "status": 404, "title": "Not in the index", "detail": "Search again.", "times": 1})
        self.click(".hit-title")
        self.shows("#preview", "Not in the index")
        self.shows("#preview", "Search again.")
        self.click("#preview .primary")
        self.shows("#match-place", "1 of ")

    def test_opening_that_is_refused_says_why(self):
        self.open("/?q=regular")
        self.click(".hit-title")
        self.mock.rules({"path": "/api/open", "status": 403, "title": "Not allowed", "detail": "The server runs with --no-open."})
        self.click(".open-place button")
        self.shows("#toast", "Not allowed. The server runs with --no-open.")

    def test_without_a_server_that_opens_there_is_a_link(self):
        self.mock.command("state", {"canOpen": False})
        self.open("/?q=font")
        self.click(".hit-title")
        self.wait(lambda: self.count(".open-place a") == 1, "the link is shown")
        self.assertTrue(self.find(".open-place a").get_attribute("href").startswith("file:///"))
        self.assertEqual(self.count(".open-place button"), 0)

    def test_addresses_of_other_kinds_are_not_links(self):
        self.mock.command("state", {"canOpen": False})
        self.mock.rules({"path": "/api/document", "body": """{"id": "1", "table": "documents", "title": [{"text": "x"}], "path": "/x", "name": "x",
            "folder": "/", "kind": "text", "columns": [], "matches": 0, "next": null, "fileURL": "javascript:window.attacked=1", "related": []}"""})
        self.open("/?q=font&doc=1")
        self.shows("#preview-title", "x")
        self.assertEqual(self.count(".open-place a"), 0)

    def test_letters_of_equal_width(self):
        self.open("/?q=regular&f.kind=markdown")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        button = "[aria-label='Letters of equal width']"
        self.assertEqual(self.find(button).get_attribute("aria-pressed"), "false")
        self.click(button)
        self.assertIn("mono", self.script("return getComputedStyle(document.querySelector('.text')).fontFamily").lower())
        self.click(".hit:nth-child(2) .hit-title")
        self.wait(lambda: self.count(".hit:nth-child(2).is-open") == 1, "the next document is open")
        self.assertEqual(self.find(button).get_attribute("aria-pressed"), "true")

    def test_writing_from_right_to_left(self):
        self.open("/?q=%D8%A7%D9%84%D9%85%D9%83%D8%AA%D8%A8%D8%A9")
        self.click(".hit-title")
        self.shows("#preview", "library.example")
        self.assertEqual(self.script("return getComputedStyle(document.querySelector('.hit-title')).direction"), "rtl")
        self.assertEqual(self.script("return getComputedStyle(document.querySelector('.text')).direction"), "rtl")
        self.assertEqual(self.find(".preview-body").get_attribute("lang"), "ar")
        # Each paragraph has its own direction.
        starts = self.script("""
            const walker = document.createTreeWalker(document.querySelector(".text"), NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf("The catalogue");
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + 3);
                return range.getBoundingClientRect().left - document.querySelector(".text").getBoundingClientRect().left;
            }""")
        self.assertLess(starts, 5)


class SheetTests(PageTest):
    size = (390, 844)
    touch = True

    def test_the_document_is_a_sheet(self):
        self.open("/?q=regular")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        self.wait(lambda: not self.script("return document.querySelector('#preview').getAnimations().length"), "the sheet has arrived")
        box = self.script("return document.querySelector('#preview').getBoundingClientRect().toJSON()")
        self.assertEqual((box["left"], box["top"], box["width"], box["height"]), (0, 0, 390, 844))
        self.assertTrue(self.script("return document.querySelector('#main').inert && document.querySelector('#bar').inert"))
        self.assertTrue(self.script("return document.querySelector('#preview').contains(document.activeElement)"))
        self.click("[aria-label='Back to the list']")
        self.assertFalse(self.is_shown("#preview"))
        self.assertEqual(self.focused(), "hit 0")
        self.assertFalse(self.script("return document.querySelector('#main').inert"))
        self.wait(lambda: self.address() == "/?q=regular", "the URL is that of the list")
        self.driver.back()
        self.assertFalse(self.is_shown("#preview"))

    def test_back_closes_it(self):
        self.open("/?q=regular")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        self.driver.back()
        self.wait(lambda: not self.is_shown("#preview"), "the sheet is closed")
        self.assertFalse(self.script("return document.querySelector('#main').inert"))
