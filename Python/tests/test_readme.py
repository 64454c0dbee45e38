"""What PyPI shows: its code, run as it stands there, prints what stands there."""

import contextlib
import importlib.metadata
import io
import os
import re
import unittest

from support import FolderTestCase


class ReadMe(FolderTestCase):
    def test_its_code_prints_what_it_says(self):
        text = importlib.metadata.metadata("sqlite-concordance").get_payload()
        blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 1)
        folder = os.getcwd()
        os.chdir(self.folder)
        try:
            scope = {}
            for code, expected in blocks:
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    exec(compile(code, "README.md", "exec"), scope)
                self.assertEqual(output.getvalue(), expected)
        finally:
            scope["db"].close()
            os.chdir(folder)


if __name__ == "__main__":
    unittest.main()
