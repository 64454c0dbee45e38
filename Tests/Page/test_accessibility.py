"""What a screen reader is told, in which order the keyboard goes, and whether colours can be read.

Deque's axe checks each state by the rules of WCAG 2.1, levels A and AA, where its package is installed; contrast in both themes.
"""

import pathlib

from browser import Keys, PageTest

try:
    import axe_core_python

    AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
except (ImportError, OSError):
    AXE = None


class AxeTests(PageTest):
    themes = ("light", "dark")

    def check(self, state):
        self.wait(lambda: not self.script("return document.getAnimations().some((one) => one.effect.getTiming().iterations !== Infinity)"), "nothing moves")
        self.script(AXE)
        found = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }).then((result) =>
                done(result.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")}: ${node.failureSummary}`))))""")
        self.assertFalse(found, f"{state}:\n" + "\n".join(found))

    def setUp(self):
        if AXE is None:
            self.skipTest("axe-core-python is not installed")
        super().setUp()

    def in_each_theme(self, state, prepare):
        for theme in self.themes:
            with self.subTest(theme=theme, state=state):
                self.mock.command("reset", {})
                self.emulate(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
                prepare()
                self.check(f"{state}, {theme}")

    def test_results(self):
        self.in_each_theme("results", lambda: self.open("/?q=regular&f.kind=man&f.kind=text"))

    def test_document(self):
        def prepare():
            self.open("/?q=regular")
            self.click(".hit-title")
            self.shows("#match-place", "1 of ")
        self.in_each_theme("document", prepare)

    def test_misspelled_with_completions(self):
        def prepare():
            self.open()
            self.type("recieve reg")
            self.shows("#corrections", "Showing")
            self.wait(lambda: self.count("#completions li") > 0, "completions are there")
            self.keys(Keys.ARROW_DOWN)
        self.in_each_theme("completions", prepare)

    def test_nothing_found_and_trouble(self):
        self.in_each_theme("nothing", lambda: self.open("/?q=zzzqqq"))

        def prepare():
            self.mock.rules({"path": "/api/search", "status": 500, "title": "Broken", "detail": "Mend it."})
            self.open("/?q=x")
            self.script("document.querySelector('#banner').hidden = false; document.querySelector('#banner').textContent = 'The server does not answer'")
        self.in_each_theme("trouble", prepare)

    def test_help(self):
        def prepare():
            self.open()
            self.click("#show-help")
        self.in_each_theme("help", prepare)


class PhoneAxeTests(AxeTests):
    size = (390, 844)
    test_help = None


class EmptyAxeTests(AxeTests):
    options = {"empty": True}
    test_help = test_document = test_misspelled_with_completions = test_nothing_found_and_trouble = None

    def test_results(self):
        self.in_each_theme("first run", lambda: self.open())


class DatabaseAxeTests(AxeTests):
    options = {"database": True}
    test_help = test_misspelled_with_completions = test_nothing_found_and_trouble = test_results = None

    def test_document(self):
        def prepare():
            self.open("/?q=sea")
            self.click(".hit-title")
            self.wait(lambda: self.count(".related td") > 0, "related rows are shown")
        self.in_each_theme("rows", prepare)


class OrderTests(PageTest):
    def open_with_document(self, path):
        """Opens the page with a document and without a click, so that Tab begins where the page does."""
        self.open(path)
        self.open(f"{path}&doc={self.script('return document.querySelector(`.hit`).dataset.id')}")
        self.shows("#match-place", "1 of ")

    def test_tab_goes_from_field_to_filters_to_list_to_document(self):
        self.open_with_document("/?q=regular")
        seen = []
        for _ in range(70):
            self.keys(Keys.TAB)
            place = self.script("""
                const node = document.activeElement;
                return ["bar", "filters", "main", "preview"].find((id) => node.closest("#" + id)) ?? node.className""")
            if not seen or seen[-1] != place:
                seen.append(place)
            if place == "preview":
                break
        self.assertEqual(seen, ["skip", "bar", "filters", "main", "preview"])

    def test_everything_with_the_focus_shows_it(self):
        self.open_with_document("/?q=regular&f.kind=man")
        for _ in range(80):
            self.keys(Keys.TAB)
            if self.focused() == "BODY":
                break
            shown = self.script("""
                const node = document.activeElement;
                const visible = (one) => { const style = getComputedStyle(one); return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none"; };
                return [node.outerHTML.slice(0, 90), visible(node) || visible(node.closest(".hit") ?? node)]""")
            self.assertTrue(shown[1], shown[0])

    def test_the_skip_link_leads_to_the_results(self):
        self.open("/?q=regular")
        self.script("document.activeElement.blur(); document.body.focus()")
        self.keys(Keys.TAB)
        self.assertEqual(self.focused(), "skip")
        self.keys(Keys.ENTER)
        self.assertEqual(self.focused(), "hits")
        self.keys("j")
        self.assertEqual(self.focused(), "hit 0")

    def test_roles_and_names(self):
        self.open("/?q=regular")
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if "role" in node and not node.get("ignored")}
        roles = {role for role, _ in named}
        for expected in (("combobox", "Search the documents"), ("complementary", "Filters"), ("list", "Results"), ("search", ""),
                         ("group", "Matches"), ("button", "Next match (n)"), ("button", "Help"), ("listbox", "Completions")):
            if expected[0] != "listbox":
                self.assertIn(expected, named)
        self.assertIn("main", roles)
        self.assertEqual([name for role, name in named if role in ("button", "link", "checkbox", "combobox", "textbox", "dialog") and not name], [])


class LiveRegionTests(PageTest):
    def test_counts_are_announced(self):
        self.open()
        self.type("font")
        self.wait(lambda: self.text("#announcement") == "10 documents found", "the count is said")
        self.type("qqqq")
        self.wait(lambda: self.text("#announcement") == "Nothing found", "that there is nothing is said")
        region = self.find("#announcement")
        self.assertEqual((region.get_attribute("role"), region.get_attribute("aria-live")), ("status", "polite"))

    def test_one_sentence_for_a_word(self):
        self.open()
        self.wait(lambda: self.text("#announcement") == "272 documents found", "the first count is said")
        self.script("""window.said = []; new MutationObserver(() => window.said.push(document.querySelector("#announcement").textContent))
            .observe(document.querySelector("#announcement"), { childList: true, characterData: true, subtree: true })""")
        for letter in "regular":
            self.type(letter)
        self.wait(lambda: "166 documents found" in self.script("return window.said"), "the count is said")
        self.assertEqual(len(self.script("return window.said")), 1)


