"""Servers that are slow, gone, wrong, or want a token; indexes that are empty or change."""

from browser import Keys, PageTest, mock


class TroubleTests(PageTest):
    def test_a_refusal_says_why_and_can_be_tried_again(self):
        self.mock.rules({"path": "/api/search", "status": 500, "title": "The index cannot be read", "detail": "Run concord check --repair.", "times": 1})
        self.open("/?q=regular")
        self.shows("#message", "The index cannot be read")
        self.shows("#message", "Run concord check --repair.")
        self.click("#message .primary")
        self.shows("#summary", "166 documents")
        self.assertFalse(self.is_shown("#message"))

    def test_an_answer_that_is_not_json(self):
        self.mock.rules({"path": "/api/search", "body": "<html>A login page</html>", "times": 1})
        self.open("/?q=regular")
        self.shows("#message", "The answer could not be read")
        self.mock.rules({"path": "/api/search", "body": "{\"hits\": 7}", "times": 1})
        self.click("#message .primary")
        self.shows("#message", "The answer could not be read")
        self.click("#message .primary")
        self.shows("#summary", "166 documents")

    def test_answers_with_holes(self):
        self.mock.rules({"path": "/api/search", "body": """{"query": "x", "hits": [{"id": 7, "table": "documents", "title": null, "snippet": null},
            {"id": "8", "table": "documents", "title": [{"text": ""}], "path": "/a", "modified": "nonsense", "language": "not a tag!", "fields": null}]}"""})
        self.open("/?q=x")
        self.assertEqual(self.titles(), ["Documents 7", "Documents 8"])

    def test_dropped_connections(self):
        self.open("/?q=regular")
        titles = self.titles()
        self.mock.rules({"path": "/api/", "drop": True})
        self.type(" expression")
        self.shows("#banner", "The server does not answer")
        self.assertEqual(self.titles(), titles, "what was found stays")
        self.mock.rules()
        self.wait(lambda: not self.is_shown("#banner"), "the server is found again")
        self.wait(lambda: self.titles() != titles, "the search goes on by itself")
        self.assertEqual(self.script("return document.querySelector('#query').value"), "regular expression")

    def test_a_list_that_is_read_stays_when_the_server_comes_back(self):
        self.open("/?q=regular")
        self.script("scrollTo(0, 2500)")
        self.wait(lambda: self.count(".hit") >= 40, "more results come")
        self.settled()
        self.mock.rules({"path": "/api/", "drop": True})
        self.script("scrollTo(0, document.documentElement.scrollHeight)")
        self.shows("#banner", "The server does not answer")
        place, shown = self.script("return scrollY"), self.count(".hit")
        self.mock.rules()
        self.wait(lambda: not self.is_shown("#banner"), "the server is found again")
        self.wait(lambda: self.count(".hit") > shown, "the list goes on")
        self.assertGreaterEqual(self.script("return scrollY"), place)

    def test_try_now(self):
        self.open("/?q=regular")
        self.mock.rules({"path": "/api/", "drop": True})
        self.type("x" + Keys.BACKSPACE + "ly")
        self.shows("#banner", "The server does not answer")
        self.mock.rules()
        self.script("document.querySelector('#banner button')?.click()")
        self.wait(lambda: not self.is_shown("#banner"), "the server is found again")

    def test_a_server_that_is_not_there_at_first(self):
        self.mock.rules({"path": "/api/", "drop": True})
        self.open("/?q=regular", wait=False)
        self.shows("#message", "The server does not answer")
        self.shows("#message", "concord serve")
        self.mock.rules()
        self.shows("#summary", "166 documents")

    def test_every_second_connection_dropped_and_200_ms(self):
        self.open()
        self.mock.rules({"path": "/api/search", "drop": True, "delay": 0.2, "times": 2}, {"path": "/api/", "delay": 0.2})
        for letter in "journal":
            self.type(letter)
        self.wait(lambda: self.titles() and all("journal" in text.lower() for text in self.texts(".hit mark")[:5]) and self.texts(".hit mark"),
                  "the results are right in the end")
        self.wait(lambda: self.address() == "/?q=journal", "the URL, too")

    def test_offline(self):
        self.open("/?q=regular")
        self.script("dispatchEvent(new Event('offline'))")
        self.assertTrue(self.is_shown("#banner"))
        self.script("dispatchEvent(new Event('online'))")
        self.wait(lambda: not self.is_shown("#banner"), "the note goes")

    def test_what_takes_long_is_shown_as_in_progress(self):
        self.open("/?q=regular")
        self.mock.rules({"path": "/api/search", "delay": 1})
        self.type("x")
        self.wait(lambda: self.script("return document.querySelector('#main').getAttribute('aria-busy')") == "true", "the list is busy")
        self.settled()


class TokenTests(PageTest):
    options = {"token": "s3cret & more"}

    def test_token(self):
        self.open("/?q=regular&f.kind=man", wait=False)
        self.wait(lambda: self.is_shown("#token"), "the token is asked for")
        self.assertEqual(self.focused(), "token-value")
        self.keys(Keys.ESCAPE)
        self.assertTrue(self.is_shown("#token"))
        self.find("#token-value").send_keys("wrong" + Keys.ENTER)
        self.shows("#token-error", "This is not the token of this server.")
        self.find("#token-value").clear()
        self.find("#token-value").send_keys("s3cret & more" + Keys.ENTER)
        self.shows("#summary", "31 documents")
        self.assertFalse(self.is_shown("#token"))
        self.assertEqual(self.address(), "/?q=regular&f.kind=man")
        self.wait(lambda: self.mock.command("log")["listeners"] == 1, "events are listened to")


class EmptyTests(PageTest):
    options = {"empty": True}

    def test_first_run(self):
        self.open()
        self.shows("#message", "Nothing is indexed yet")
        self.assertEqual(self.texts("#message code"), ["concord index ~/Documents", "concord index", "concord search something you remember"])
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.click("[aria-label='Copy the command concord index ~/Documents']")
        self.shows("#toast", "Command copied")
        self.assertFalse(self.is_shown("#filters"))

    def test_it_fills_as_documents_arrive(self):
        self.open()
        self.shows("#message", "Nothing is indexed yet")
        self.wait(lambda: self.mock.command("log")["listeners"] == 1, "events are listened to")
        self.mock.command("state", {"state": "indexing", "progress": {"read": 0, "total": 0, "path": None}})
        self.shows("#message", "Reading your documents")
        self.mock.command("add", {"path": "/home/ada/Documents/First.txt", "title": "The first document", "body": "One."})
        self.wait(lambda: self.titles() == ["The first document"], "the document appears")
        self.assertFalse(self.is_shown("#message"))
        self.assertTrue(self.is_shown("#filters"))


class LiveTests(PageTest):
    def listening(self):
        self.wait(lambda: self.mock.command("log")["listeners"] == 1, "events are listened to")

    def test_progress(self):
        self.open("/?q=font")
        self.listening()
        self.mock.command("state", {"state": "indexing", "progress": {"read": 1200, "total": 4000, "path": "/home/ada/Documents/Notes/2024/Garden.md"}})
        self.shows("#activity", "Indexing 1,200 of 4,000")
        self.assertEqual(self.script("const bar = document.querySelector('#progress'); return bar.value / bar.max"), 0.3)
        self.mock.command("progress", {"read": 2000, "total": 4000, "path": "/home/ada/Documents/Notes/2024/House.md"})
        self.shows("#activity", "Indexing 2,000 of 4,000")
        self.assertEqual(self.script("const bar = document.querySelector('#progress'); return bar.value / bar.max"), 0.5)
        self.mock.command("progress", {"read": 2100, "total": None, "path": ""})
        self.shows("#activity", "2,100 files read")
        self.mock.command("state", {"state": "ready", "progress": None, "isFollowed": True})
        self.wait(lambda: not self.is_shown("#activity") and not self.is_shown("#progress"), "the bar goes")
        self.shows("#about", "Follows its folders")
        self.mock.command("state", {"state": "interrupted", "isFollowed": False})
        self.shows("#about", "Indexing was interrupted")

    def test_a_change_keeps_place_and_focus(self):
        self.open("/?sort=newest")
        self.listening()
        self.script("document.querySelectorAll('.hit-title')[9].focus()")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.is_shown("#preview-title"), "the document is shown")
        self.script("scrollTo(0, 900)")
        title = self.script("return document.activeElement.textContent")
        top = self.script("return document.activeElement.getBoundingClientRect().top")
        shown = self.text(".preview-place")
        self.mock.command("add", {"path": "/home/ada/Documents/New.txt", "title": "Something new", "body": "Regular news."})
        self.wait(lambda: self.titles()[0] == "Something new", "the new document is there")
        self.assertEqual(self.script("return document.activeElement.textContent"), title)
        self.assertAlmostEqual(self.script("return document.activeElement.getBoundingClientRect().top"), top, delta=2)
        self.assertEqual(self.text(".preview-place"), shown)
        self.assertEqual(self.count(".hit.is-open"), 1)
        self.assertEqual(self.text("#summary"), "273 documents")

    def test_a_change_leaves_selected_text_alone(self):
        self.open("/?q=font")
        self.listening()
        self.click(".hit-title")
        self.shows("#match-place", "1 of ")
        self.script("getSelection().selectAllChildren(document.querySelector('.text'))")
        selected = self.script("return String(getSelection())")
        self.assertTrue(selected)
        asked = len(self.mock.log("/api/document"))
        self.mock.command("add", {"path": "/home/ada/Documents/New.txt", "title": "Something else", "body": "News."})
        self.wait(lambda: len(self.mock.log("/api/document")) > asked, "the document is asked for again")
        self.settled()
        self.assertEqual(self.script("return String(getSelection())"), selected)

    def test_events_are_taken_up_again(self):
        self.open("/?q=font")
        self.listening()
        self.mock.rules({"path": "/api/status", "status": 503, "title": "Busy", "detail": "Try again."})
        self.mock.command("hang-up", {})
        self.wait(lambda: self.mock.command("log")["listeners"] == 0, "the stream has ended")
        self.mock.command("add", {"path": "/home/ada/Documents/Font.txt", "title": "A new font", "body": "A font."})
        self.mock.rules()
        self.wait(lambda: "A new font" in self.titles(), "what changed meanwhile is seen")
        self.listening()
        self.mock.command("add", {"path": "/home/ada/Documents/Font 2.txt", "title": "Another new font", "body": "A font."})
        self.wait(lambda: "Another new font" in self.titles(), "changes are seen")
        self.assertFalse(self.is_shown("#banner"))


class RestartTests(PageTest):
    def test_a_server_that_is_started_again(self):
        self.open("/?q=font")
        port = self.mock.server.server_address[1]
        mock.stop(self.mock.server)
        self.type("s")
        self.shows("#banner", "The server does not answer")
        self.mock.server, _ = mock.start(port=port)
        self.wait(lambda: not self.is_shown("#banner") and all("fonts" in text.lower() for text in self.texts(".hit mark")) and self.titles(),
                  "the page goes on by itself")
