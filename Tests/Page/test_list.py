"""The list: filters, order, and more of it."""

from browser import Keys, PageTest


class FilterTests(PageTest):
    def test_values_of_one_facet_widen_and_of_two_narrow(self):
        self.open("/?q=regular")
        self.click("[data-key='kind=man']")
        self.shows("#summary", "31 documents")
        self.click("[data-key='kind=pdf']")
        self.shows("#summary", "43 documents")
        self.click("[data-key='year=2026']")
        self.wait(lambda: "f.year=2026" in self.address(), "the year is in the URL")
        self.settled()
        self.assertEqual(self.texts(".chip"), ["Manual pages", "PDF", "2026"])
        self.assertLess(int(self.text("#summary").split()[0]), 43)
        kinds = set(self.script("return [...document.querySelectorAll('.hit > .icon use')].map((use) => use.getAttribute('href'))"))
        self.assertLessEqual(kinds, {"#kind-man", "#kind-pdf"})

    def test_the_focus_stays_in_the_filters(self):
        self.open("/?q=regular")
        self.script("document.querySelector(\"[data-key='kind=man']\").focus()")
        self.keys(Keys.SPACE)
        self.shows("#summary", "31 documents")
        self.assertEqual(self.script("return document.activeElement.dataset.key"), "kind=man")
        self.keys(Keys.SPACE)
        self.shows("#summary", "166 documents")

    def test_chips_take_filters_back(self):
        self.open("/?q=regular&f.kind=man&f.year=2026")
        self.click(".chip[aria-label='Remove the filter Kind: Manual pages']")
        self.wait(lambda: self.address() == "/?q=regular&f.year=2026", "one filter is left")
        self.settled()
        self.click("[data-key='kind=man']")
        self.wait(lambda: self.count(".chip") == 2, "two filters are there")
        self.click("#chips .link-button")
        self.shows("#summary", "166 documents")
        self.assertFalse(self.is_shown("#chips"))

    def test_a_filter_without_results_can_be_taken_back(self):
        self.open("/?q=quarterly&f.kind=man")
        self.shows("#message", "There may be something without the filters")
        self.assertTrue(self.find("[data-key='kind=man']").is_selected())
        self.click("#message .button")
        self.shows("#summary", "1 document")

    def test_long_facets_unfold(self):
        self.open()
        self.assertEqual(self.count("#facets fieldset:nth-of-type(2) input"), 7)
        self.click("[data-key='folder:more']")
        self.assertEqual(self.count("#facets fieldset:nth-of-type(2) input"), 20)
        self.assertEqual(self.script("return document.activeElement.dataset.key"), "folder:more")

    def test_order(self):
        self.open("/?q=regular")
        for order, reverse in (("newest", True), ("oldest", False)):
            self.script("const sort = document.querySelector('#sort'); sort.value = arguments[0]; sort.dispatchEvent(new Event('change'))", order)
            self.wait(lambda: f"sort={order}" in self.address(), "the order is in the URL")
            self.settled()
            dates = self.script("return [...document.querySelectorAll('.hit time')].map((time) => time.dateTime)")
            self.assertEqual(dates, sorted(dates, reverse=reverse))


class NarrowFilterTests(PageTest):
    size = (390, 844)
    touch = True

    def test_filters_are_a_sheet(self):
        self.open("/?q=regular")
        self.assertFalse(self.is_shown("#filters"))
        self.click("#show-filters")
        self.assertTrue(self.is_shown("#filters"))
        self.assertEqual(self.focused(), "hide-filters")
        self.assertTrue(self.script("return document.querySelector('#main').inert"))
        self.click("[data-key='kind=man']")
        self.shows("#filter-count", "1")
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.is_shown("#filters"))
        self.assertEqual(self.focused(), "show-filters")
        self.assertEqual(self.text("#summary"), "31 documents")
        self.assertFalse(self.script("return document.querySelector('#main').inert"))


class MoreTests(PageTest):
    def test_more_comes_while_scrolling_until_the_end(self):
        self.open("/?q=regular")
        for _ in range(20):
            if not self.is_shown("#more"):
                break
            before = self.count(".hit")
            self.script("scrollTo(0, document.documentElement.scrollHeight)")
            self.wait(lambda: self.count(".hit") > before or not self.is_shown("#more"), "more results come")
        self.assertEqual(self.count(".hit"), 166)
        ids = self.script("return [...document.querySelectorAll('.hit')].map((row) => row.dataset.id)")
        self.assertEqual(len(set(ids)), 166)

    def test_the_button_keeps_the_focus_until_the_end(self):
        self.open("/?q=regular")
        self.script("document.querySelector('#show-more').focus()")
        for _ in range(20):
            if not self.is_shown("#more"):
                break
            before = self.count(".hit")
            self.keys(Keys.ENTER)
            self.wait(lambda: self.count(".hit") > before, "more results come")
            self.settled()
            self.assertEqual(self.focused(), "show-more" if self.is_shown("#more") else "hit 165")
        self.assertEqual(self.count(".hit"), 166)

    def test_a_page_that_fails_can_be_asked_for_again(self):
        self.open("/?q=regular")
        before = self.count(".hit")
        self.mock.rules({"path": "/api/search", "status": 503, "title": "Busy", "detail": "Try again.", "times": 1})
        self.script("document.querySelector('#show-more').focus()")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.mock.log("/api/search")[-1]["parameters"].get("cursor"), "the next page is asked for")
        self.settled()
        self.assertGreaterEqual(self.count(".hit"), before)
        self.script("document.querySelector('#show-more').click()")
        self.wait(lambda: self.count(".hit") > before, "the page comes")


class NoObserverTests(PageTest):
    before = "window.IntersectionObserver = class { observe() {} unobserve() {} disconnect() {} };"

    def test_the_button_alone_suffices(self):
        self.open("/?q=regular")
        self.assertEqual(self.count(".hit"), 20)
        self.click("#show-more")
        self.wait(lambda: self.count(".hit") == 40, "the next page comes")


class DatabaseTests(PageTest):
    options = {"database": True}

    def test_tables(self):
        self.open("/?q=sea")
        self.assertEqual(self.texts("#tables a"), ["Books 140", "Authors 8"])
        self.assertEqual(self.text("#summary"), "63 rows")
        self.assertEqual(self.texts("#facets legend"), ["Language", "Year"])
        self.click("#tables a:nth-child(2)")
        self.shows("#summary", "8 rows")
        self.assertEqual(self.address(), "/?q=sea&table=authors")
        self.assertEqual(self.texts("#facets legend"), ["Born"])
        self.assertEqual(self.find("#tables a:nth-child(2)").get_attribute("aria-current"), "page")
        self.assertEqual(self.texts("#sort option"), ["Best match", "Born, ascending", "Born, descending"])

    def test_fields_columns_and_related_rows(self):
        self.open("/?q=sea")
        self.assertEqual(self.texts(".hit:first-child dt"), ["Author", "Year", "Language"])
        self.click(".hit-title")
        self.wait(lambda: self.count(".related td") > 0, "related rows are shown")
        self.assertEqual(self.texts(".column h3"), ["Title", "Author", "Year", "Body"])
        self.assertEqual(self.texts(".related th"), ["Name", "Born"])
        self.assertEqual(self.texts(".related td")[0], self.text("[data-column=author]"))
        self.assertFalse(self.is_shown(".open-place"))

    def test_an_order_by_a_column(self):
        self.open("/?q=sea&sort=-year")
        years = [int(text) for text in self.texts(".hit-fields div:nth-child(2) dd")]
        self.assertEqual(years, sorted(years, reverse=True))
