#!/usr/bin/env python3
"""Runs the tests in terminals: all, or those whose names contain one of the arguments."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))


def every(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from every(test)
        else:
            yield test


found = list(every(unittest.defaultTestLoader.discover(str(HERE))))
tests = [test for test in found if not sys.argv[1:] or any(word in test.id() for word in sys.argv[1:])]
if not tests:
    sys.exit("No test has such a name.")
result = unittest.TextTestRunner(verbosity=1).run(unittest.TestSuite(tests))
for test, reason in result.skipped:
    print(f"SKIPPED {test.id()}: {reason}")
sys.exit(not result.wasSuccessful())
