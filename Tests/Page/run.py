#!/usr/bin/env python3
"""Runs the tests of the page: all, or those whose names contain one of the arguments."""

import os
import pathlib
import sys
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


def main():
    wanted = sys.argv[1:]
    found = list(every(unittest.defaultTestLoader.discover(str(HERE))))
    if os.environ.get("CONCORD_URL"):
        found = [test for test in found if "AnyServer" in test.id()]
    tests = [test for test in found if not wanted or any(word in test.id() for word in wanted)]
    if not tests:
        sys.exit("No test has such a name.")
    try:
        result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(tests))
    finally:
        browser.quit_driver()
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
