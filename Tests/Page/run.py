#!/usr/bin/env python3
"""Runs the tests of the page: all, or those whose names contain one of the arguments."""

import os
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import browser


def every(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from every(test)
        else:
            yield test


class TimedResult(unittest.TextTestResult):
    """Says how long the slowest tests took, so that the run stays short."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.times = []

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.times.append((time.monotonic() - self.began, test.id()))

    def printErrors(self):
        super().printErrors()
        for seconds, name in sorted(self.times, reverse=True)[:5]:
            self.stream.writeln(f"{seconds:6.1f} s  {name}")


def main():
    wanted = sys.argv[1:]
    found = list(every(unittest.defaultTestLoader.discover(str(HERE))))
    if os.environ.get("CONCORD_URL"):
        found = [test for test in found if "AnyServer" in test.id()]
    tests = [test for test in found if not wanted or any(word in test.id() for word in wanted)]
    if not tests:
        sys.exit("No test has such a name.")
    failed = run(tests)
    if failed:
        # A browser that starves on a busy machine drops events. What fails twice fails.
        print(f"\nOnce more, in a new browser: {', '.join(failed)}", flush=True)
        if len(failed) > 5 or run(list(unittest.defaultTestLoader.loadTestsFromNames(failed))):
            sys.exit(1)
        print(f"\nFailed once and passed once: {', '.join(failed)}", flush=True)


def run(tests):
    """Runs tests in a browser of their own. Returns the names of those that fail."""
    try:
        result = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult).run(unittest.TestSuite(tests))
    finally:
        browser.quit_driver()
    return [test.id() for test, _ in result.failures + result.errors]


if __name__ == "__main__":
    main()
