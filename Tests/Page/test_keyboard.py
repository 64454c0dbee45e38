"""The keyboard all the way: every job can be done without a mouse."""

from browser import Keys, PageTest


class KeyboardTests(PageTest):
    def test_slash_goes_to_the_field(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur()")
        self.keys("/")
        self.assertEqual(self.focused(), "query")
        self.assertEqual(self.script("const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd)"), "regular")
        self.keys("/")
        self.assertEqual(self.script("return document.querySelector('#query').value"), "/")

    def test_enter_leads_to_the_first_result(self):
        self.open()
        self.mock.rules({"path": "/api/search", "delay": 0.2})
        self.type("regular" + Keys.ENTER)
        self.wait(lambda: self.focused() == "hit 0", "the first result has the focus")
        self.assertEqual(self.text("#summary"), "166 documents")

    def test_arrows_and_letters_move(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur()")
        for keys, expected in (("j", "hit 0"), (Keys.ARROW_DOWN, "hit 1"), ("j", "hit 2"), ("k", "hit 1"), (Keys.ARROW_UP, "hit 0"), ("k", "query")):
            self.keys(keys)
            self.assertEqual(self.focused(), expected, f"after {keys!r}")
        self.keys(Keys.ARROW_DOWN)
        self.assertEqual(self.focused(), "hit 0")

    def test_moving_down_shows_what_has_the_focus_and_fetches_more(self):
        self.open("/?q=regular")
        self.keys("j")
        for _ in range(45):
            self.keys("j")
            self.settled()
        self.assertEqual(self.focused(), "hit 45")
        box = self.script("return document.activeElement.closest('.hit').getBoundingClientRect().toJSON()")
        self.assertGreaterEqual(box["top"], self.script("return document.querySelector('#bar').offsetHeight"))
        self.assertLessEqual(box["bottom"], self.script("return innerHeight"))

    def test_enter_opens_and_escape_steps_back(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur()")
        self.keys("j", "j", Keys.ENTER)
        self.wait(lambda: self.count(".preview-body mark") > 0, "the document is shown")
        self.assertEqual(self.focused(), "hit 1")
        self.keys(Keys.ENTER)
        self.assertEqual(self.focused(), "Text")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.focused(), "hit 1")
        self.assertTrue(self.is_shown("#preview"))
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.is_shown("#preview"))
        self.assertEqual(self.focused(), "hit 1")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.focused(), "query")
        self.keys(Keys.ESCAPE)
        self.shows("#summary", "272 documents")

    def test_the_document_follows_the_list(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur()")
        self.keys("j", Keys.ENTER)
        self.wait(lambda: self.is_shown("#preview-title"), "the document is shown")
        self.keys("j", "j", "j")
        # Titles repeat; paths do not.
        self.wait(lambda: self.script("""return document.querySelector('.preview-place .path')?.title
            === document.querySelectorAll('.hit')[3].querySelector('.path').title"""), "the fourth document is shown")
        self.assertEqual(self.focused(), "hit 3")
        self.wait(lambda: "doc=" in self.address() and self.script(
            "return new URLSearchParams(location.search).get('doc') === document.querySelectorAll('.hit')[3].dataset.id"), "the URL follows")

    def test_matches(self):
        self.open("/?q=regular&f.kind=man")
        self.script("document.activeElement.blur()")
        self.keys("j", Keys.ENTER)
        self.shows("#match-place", "1 of ")
        total = int(self.text("#match-place").split()[-1])
        self.assertGreater(total, 1)
        self.keys("n")
        self.assertEqual(self.text("#match-place"), f"2 of {total}")
        self.assertEqual(self.count("mark.is-now"), 1)
        self.keys("N", "N")
        self.assertEqual(self.text("#match-place"), f"{total} of {total}")
        self.keys("n")
        self.assertEqual(self.text("#match-place"), f"1 of {total}")

    def test_open_and_copy(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur()")
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.keys("j", "j", "o")
        second = self.script("return document.querySelectorAll('.hit')[1].dataset.id")
        self.wait(lambda: self.mock.command("log")["opened"] == [second], "the file is opened")
        self.shows("#toast", "Opened")
        self.keys("c")
        self.shows("#toast", "Path copied")

    def test_help(self):
        self.open()
        self.script("document.activeElement.blur()")
        self.keys("?")
        self.assertTrue(self.is_shown("#help"))
        self.keys("?")
        self.assertFalse(self.is_shown("#help"))
        self.click("#show-help")
        self.assertTrue(self.is_shown("#help"))
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.is_shown("#help"))
        self.assertEqual(self.focused(), "show-help")

    def test_letters_with_modifiers_are_the_browsers(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur(); window.prevented = 0; addEventListener('keydown', (event) => window.prevented += event.defaultPrevented)")
        self.script("""for (const key of ["j", "o", "c", "/", "n"]) for (const modifier of ["ctrlKey", "metaKey", "altKey"])
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, [modifier]: true, bubbles: true, cancelable: true }))""")
        self.assertEqual(self.script("return window.prevented"), 0)
        self.keys(Keys.CONTROL + "k")
        self.assertEqual(self.focused(), "query")
