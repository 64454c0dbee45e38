"""How it looks: dark and light, wide and narrow, without shifts; and pictures of every state, to be looked at."""

from browser import Mock, PageTest, mock


class AppearanceTests(PageTest):
    def colour(self, selector="body", name="color"):
        return self.script("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)

    def test_dark_and_light_follow_the_system(self):
        self.emulate(prefers_color_scheme="light")
        self.open()
        light = self.colour("html", "backgroundColor"), self.colour()
        self.emulate(prefers_color_scheme="dark")
        dark = self.colour("html", "backgroundColor"), self.colour()
        self.assertEqual((light[0], dark[0]), ("rgb(250, 248, 244)", "rgb(23, 21, 19)"))
        self.assertNotEqual(light[1], dark[1])

    def test_a_chosen_theme_is_kept(self):
        self.emulate(prefers_color_scheme="light")
        self.open()
        self.click("#theme")
        self.click("#theme")
        self.assertEqual(self.find("#theme").get_attribute("aria-label"), "Appearance: dark")
        self.assertEqual(self.colour("html", "backgroundColor"), "rgb(23, 21, 19)")
        self.driver.refresh()
        self.settled()
        self.assertEqual(self.colour("html", "backgroundColor"), "rgb(23, 21, 19)")
        self.click("#theme")
        self.assertEqual(self.colour("html", "backgroundColor"), "rgb(250, 248, 244)")

    def test_motion_is_left_out_if_it_is_not_wanted(self):
        self.emulate(prefers_reduced_motion="reduce")
        self.open("/?q=regular")
        self.click(".hit-title")
        self.assertEqual(self.colour("#preview", "animationDuration"), "0.001s")

    def test_nothing_shifts_while_typing(self):
        self.open()
        self.script("""window.shifts = [];
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push([entry.value,
                entry.sources.map((source) => source.node?.id || source.node?.className || source.node?.nodeName)])))
                .observe({ type: "layout-shift" });""")
        top = self.script("return document.querySelector('.head').getBoundingClientRect().top")
        for letter in "regular exp":
            self.type(letter)
            self.settled()
            self.assertEqual(self.script("return document.querySelector('.head').getBoundingClientRect().top"), top)
        box = self.script("return document.querySelector('#query').getBoundingClientRect().toJSON()")
        self.script("document.querySelector('.hit-title').click()")
        self.wait(lambda: self.is_shown("#preview-title"), "the document is shown")
        self.assertEqual(self.script("return document.querySelector('#query').getBoundingClientRect().toJSON()"), box)
        # Results that give way to others are not a shift; what stays (the bar, the head, the filters) must not move.
        moved = {name for _, names in self.script("return window.shifts") for name in names}
        self.assertFalse(moved & {"bar", "query", "head", "summary", "filters", "search"}, moved)

    def test_every_width(self):
        for width in (320, 390, 640, 768, 899, 900, 1024, 1199, 1200, 1440, 1920):
            self.resize(width, 800)
            self.open("/?q=regular&f.kind=man&f.year=2026&f.folder=/usr/share/man/man5")
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, "the list")
            self.script("document.querySelector('.hit-title').click()")
            self.shows("#match-place", "1 of ")
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, "the document")

    def test_large_letters(self):
        self.open("/?q=regular")
        self.script("document.documentElement.classList.add('large'); document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].insertRule('html.large { font-size: 200% }')")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 1440)
        field, strip = (self.script("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", one) for one in ("#query", ".strip"))
        self.assertLessEqual(field["bottom"], strip["top"] + 1)


class Screenshots(PageTest):
    """Pictures of every state, under .build/page-screenshots."""

    themes = ("light", "dark")

    def each(self, name, prepare, size=(1440, 900), scale=1):
        for theme in self.themes:
            self.mock.command("reset", {})
            self.resize(*size, scale=scale)
            self.emulate(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
            prepare()
            self.screenshot(f"{name}-{theme}")

    def document(self, path="/?q=regular", shown="#match-place"):
        self.open(path)
        self.click(".hit-title")
        self.wait(lambda: self.is_shown(shown), "the document is shown")

    def typed(self, text):
        self.open()
        self.type(text)
        self.wait(lambda: self.script("return new URLSearchParams(location.search).get('q')") == text, "the text is in the URL")
        self.settled()

    def test_wide(self):
        self.each("start", lambda: self.open())
        self.each("document", lambda: self.document())
        self.each("filters", lambda: self.document("/?q=regular&f.kind=man&f.year=2026&f.year=2025"))
        self.each("misspelled", lambda: self.typed("recieve"))
        self.each("completions", lambda: self.typed("the re"))
        self.each("nothing", lambda: self.open("/?q=zzzqqq"))
        self.each("hostile", lambda: self.document("/?q=hostile"))
        self.each("right-to-left", lambda: self.document("/?q=%D8%A7%D9%84%D9%85%D9%83%D8%AA%D8%A8%D8%A9"))
        self.each("tablet", lambda: self.document(), size=(1024, 768))

    def test_trouble(self):
        def refused():
            self.mock.rules({"path": "/api/search", "status": 500, "title": "The index cannot be read", "detail": "Its file is damaged. “concord check --repair” mends it."})
            self.open("/?q=regular")

        def gone():
            self.open("/?q=regular")
            self.mock.rules({"path": "/api/", "drop": True})
            self.type("ly")
            self.shows("#banner", "The server does not answer")

        def loading():
            self.mock.rules({"path": "/api/search", "delay": 2})
            self.open("/?q=regular", wait=False)
            self.wait(lambda: self.script("return getComputedStyle(document.querySelector('#skeleton')).opacity") == "1", "the skeleton is shown")

        def indexing():
            self.open("/?q=font")
            self.wait(lambda: self.mock.command("log")["listeners"] >= 1, "events are listened to")
            self.mock.command("state", {"state": "indexing", "progress": {"read": 120, "total": 400, "path": "/home/ada/Documents/Notes/Garden.md"}})
            self.shows("#activity", "Indexing")

        def helped():
            self.open("/?q=font")
            self.click("#show-help")

        for name, prepare in (("error", refused), ("gone", gone), ("loading", loading), ("indexing", indexing), ("help", helped)):
            self.each(name, prepare)

    def test_phone(self):
        def sheet():
            self.open("/?q=regular&f.kind=man")
            self.click("#show-filters")

        phone = {"size": (390, 844), "scale": 2}
        self.each("phone", lambda: self.typed("regu"), **phone)
        self.each("phone-document", lambda: self.document(), **phone)
        self.each("phone-filters", sheet, **phone)

    def test_other_servers(self):
        for name, options in (("first-run", {"empty": True}), ("database", {"database": True}), ("token", {"token": "secret"})):
            other = Mock(**options)
            self.addCleanup(mock.stop, other.server)
            self.base = other.url
            for theme in self.themes:
                self.resize(1440, 900)
                self.emulate(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
                if name == "database":
                    self.document("/?q=sea", ".related td")
                else:
                    self.open(wait=False)
                    self.wait(lambda: self.is_shown("#token" if name == "token" else "#message h2"), "the page says what to do")
                self.screenshot(f"{name}-{theme}")
