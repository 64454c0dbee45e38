"""A browser without a window, and the page in it as the tests see it.

Nothing here waits for time to pass: whatever takes time is waited for by what can be seen of it.
"""

import json
import os
import pathlib
import sys
import unittest
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(pathlib.Path(__file__).parent / "mock"))
import server as mock

ROOT = pathlib.Path(__file__).parents[2]
PAGE = mock.PAGE
SCREENSHOTS = ROOT / ".build/page-screenshots"
#: How long a condition may take before the test fails: far more than it should.
PATIENCE = 15

# What the page must not do is noted from its first moment on.
WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective + " " + event.blockedURI));
window.failures = [];
addEventListener("error", (event) => window.failures.push(String(event.message)));
addEventListener("unhandledrejection", (event) => window.failures.push(String(event.reason)));
"""

_driver = None


def driver():
    """The one browser of the run."""
    global _driver
    if _driver is None:
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CONCORD_CHROMIUM", "/usr/bin/chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1440,900",
                         "--hide-scrollbars", "--disable-extensions", "--no-first-run"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB,en"})
        _driver = webdriver.Chrome(options=options, service=Service(os.environ.get("CONCORD_CHROMEDRIVER", "/usr/bin/chromedriver")))
        _driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    return _driver


def quit_driver():
    global _driver
    if _driver is not None:
        _driver.quit()
        _driver = None


class Mock:
    """A mock server, and what tests tell it."""

    def __init__(self, **options):
        self.server, self.url = mock.start(**options)

    def command(self, name, content=None):
        body = None if content is None and name == "log" else json.dumps(content).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/mock/{name}", data=body)) as answer:
            return json.loads(answer.read())

    def rules(self, *rules):
        self.command("rules", list(rules))

    def log(self, path="/api/"):
        return [entry for entry in self.command("log")["log"] if entry["path"].startswith(path)]


class PageTest(unittest.TestCase):
    """A test with a page on a mock server of its own kind."""

    options = {}
    size = (1440, 900)
    media = {}
    touch = False
    #: Scripts that run before those of the page.
    before = None

    @classmethod
    def setUpClass(cls):
        cls.mock = Mock(**cls.options)

    @classmethod
    def tearDownClass(cls):
        mock.stop(cls.mock.server)

    def setUp(self):
        self.driver = driver()
        self.base = self.mock.url
        self.mock.command("reset", {})
        self.resize(*self.size)
        self.emulate(**self.media)
        identifier = None
        if self.before:
            identifier = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": self.before})["identifier"]
        self.addCleanup(self.leave, identifier)

    def leave(self, identifier):
        try:
            if self.driver.current_url.startswith("http"):
                failures, violations = self.script("return [window.failures, window.violations]")
                self.driver.execute_script("localStorage.clear(); sessionStorage.clear()")
                self.driver.delete_all_cookies()
                self.assertEqual(failures or [], [], "no script of the page fails")
                self.assertEqual(violations or [], [], "the content security policy is kept")
        finally:
            if identifier:
                self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})
            self.driver.get("about:blank")

    # What a person does

    def open(self, path="/", wait=True):
        self.driver.get(self.base + path)
        if wait:
            self.settled()

    def resize(self, width, height, scale=1):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 640})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": self.touch})

    def emulate(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})

    def type(self, text):
        self.find("#query").send_keys(text)

    def keys(self, *keys):
        """Presses keys, or one with Control held, wherever the focus is."""
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            if key.startswith(Keys.CONTROL):
                actions.key_down(Keys.CONTROL).send_keys(key[1:]).key_up(Keys.CONTROL)
            else:
                actions.send_keys(key)
        actions.perform()

    def click(self, selector):
        def clicked():
            # The page may draw it again between the look and the click.
            found = self.driver.find_elements("css selector", selector)
            if found:
                found[0].click()
            return bool(found)

        self.wait(clicked, f"{selector} is there")

    # What a person sees

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def script(self, source, *arguments):
        return self.driver.execute_script(source, *arguments)

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? null", selector)

    def texts(self, selector):
        return self.script("return [...document.querySelectorAll(arguments[0])].map((node) => node.innerText)", selector)

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def is_shown(self, selector):
        return self.script("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)

    def titles(self):
        return self.texts(".hit-title")

    def focused(self):
        """What has the focus: an id, or the title of a result."""
        return self.script("""
            const node = document.activeElement;
            return node.matches(".hit-title") ? `hit ${[...document.querySelectorAll(".hit-title")].indexOf(node)}`
                : node.id || node.getAttribute("aria-label") || node.className || node.tagName""")

    def address(self):
        return self.script("return location.pathname + location.search")

    # Waiting

    def wait(self, condition, what):
        def holds(_):
            try:
                return condition()
            except StaleElementReferenceException:
                return False

        try:
            return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(holds)
        except TimeoutException:
            name = f"failed-{self.id().split('.')[-1]}.png"
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(str(SCREENSHOTS / name))
            raise AssertionError(f"not within {PATIENCE} s: {what() if callable(what) else what}; see {SCREENSHOTS / name}") from None

    def settled(self):
        """Waits until the page has shown an answer, and asks nothing."""
        self.wait(lambda: self.script(
            "return document.querySelector('#skeleton')?.hidden === true && !document.querySelector('[aria-busy]')"), "the page is at rest")

    def shows(self, selector, text):
        self.wait(lambda: text in (self.text(selector) or ""), lambda: f"{selector} shows {text!r}, not {self.text(selector)!r}")

    def screenshot(self, name):
        # Two frames, so that what was just changed is drawn.
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))


__all__ = ["Keys", "Mock", "PAGE", "PageTest", "SCREENSHOTS", "driver", "mock", "quit_driver"]
