"""What `concord` prints for shells and for readers of manual pages, in these themselves."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from terminal import Terminal

CONCORD = os.environ["CONCORD"]
# What is typed, then Tab; what has to be offered, and what not.
CASES = [
    ("concord ", ["index", "search", "completions", "help"], ["--kind"]),
    ("concord se", ["search", "serve"], ["index"]),
    ("concord search --", ["--kind", "--limit", "--json"], ["--follow", "alpha.txt"]),
    ("concord search --kind ", ["markdown", "mail"], ["alpha.txt", "newest"]),
    ("concord search -k ma", ["markdown", "mail", "man"], ["text"]),
    ("concord search --sort ", ["relevance", "newest", "oldest"], []),
    ("concord index --engine ", ["concordance", "fts5"], []),
    ("concord index ", ["alpha.txt", "beta"], []),
    ("concord search --folder ", ["beta"], ["alpha.txt"]),
    ("concord completions ", ["bash", "zsh", "fish"], []),
    ("concord help ", ["index", "man"], []),
]


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        (cls.folder / "alpha.txt").write_text("x")
        (cls.folder / "beta").mkdir()
        (cls.folder / "bee").mkdir()
        cls.path = f"{pathlib.Path(CONCORD).parent}:{os.environ['PATH']}"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def script(self, shell):
        return subprocess.run([CONCORD, "completions", shell], check=True, capture_output=True, text=True).stdout

    def check(self, typed, offered, wanted, unwanted):
        words = {word.rstrip("/") for word in offered}
        for word in wanted:
            self.assertIn(word, words, f"{typed!r}: {offered}")
        for word in unwanted:
            self.assertNotIn(word, words, f"{typed!r}: {offered}")

    def test_bash(self):
        path = self.folder / ".bash"
        path.write_text(self.script("bash"))
        subprocess.run(["bash", "-n", path], check=True)
        for typed, wanted, unwanted in CASES:
            words = typed.split(" ")
            asked = f"""
                source {path}
                COMP_WORDS=({' '.join(repr(word) for word in words)}) COMP_CWORD={len(words) - 1}
                _concord; printf '%s\\n' "${{COMPREPLY[@]}}"
                """
            offered = subprocess.run(
                ["bash", "-c", asked], check=True, capture_output=True, text=True, cwd=self.folder).stdout.split("\n")
            self.check(typed, offered, wanted, unwanted)

    def test_bash_at_the_prompt(self):
        (self.folder / ".bash").write_text(self.script("bash"))
        terminal = Terminal(
            ["bash", "--norc", "-i"], 100, 30, {"PATH": self.path, "PS1": "ready> "}, cwd=self.folder)
        self.addCleanup(terminal.close)
        terminal.wait("ready>").send("source .bash; clear\n")
        terminal.wait(lambda t: t.lines[0] == "ready>")
        terminal.send("concord search --kind=markd\t")
        terminal.wait("--kind=markdown")

    def test_fish(self):
        if not shutil.which("fish"):
            self.skipTest("there is no fish")
        path = self.folder / ".fish"
        path.write_text(self.script("fish"))
        for typed, wanted, unwanted in CASES:
            result = subprocess.run(
                ["fish", "--no-config", "-c", f"source {path}; complete -C {typed!r}"], capture_output=True, text=True,
                cwd=self.folder, env={**os.environ, "PATH": self.path, "HOME": str(self.folder)})
            self.assertEqual(result.stderr, "")
            self.check(typed, [line.split("\t")[0] for line in result.stdout.split("\n")], wanted, unwanted)

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("there is no zsh")
        (self.folder / "functions").mkdir(exist_ok=True)
        (self.folder / "functions/_concord").write_text(self.script("zsh"))
        (self.folder / ".zshrc").write_text(
            "fpath=(functions $fpath)\nautoload -Uz compinit\ncompinit -u\nzstyle ':completion:*' menu no\n"
            "setopt no_beep list_ambiguous\nPROMPT='ready> '\n")
        environment = {"PATH": self.path, "HOME": str(self.folder), "ZDOTDIR": str(self.folder)}
        for typed, wanted, unwanted in CASES:
            # Control-D lists what may follow.
            terminal = Terminal(["zsh", "-i"], 120, 50, environment, cwd=self.folder)
            self.addCleanup(terminal.close)
            terminal.wait("ready>").settle(0.1)
            terminal.send(typed + "\x04")
            terminal.wait(lambda t: all(word in t.text.replace(typed, "", 1) for word in wanted), f"{typed!r} {wanted}")
            offered = " ".join(terminal.settle(0.2).lines[1:]).replace("/", "").split()
            self.check(typed, offered, [], unwanted)

    def test_other_shells(self):
        result = subprocess.run([CONCORD, "completions", "tcsh"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("bash, zsh, fish", result.stderr)


class ManualPage(unittest.TestCase):
    def setUp(self):
        self.page = subprocess.run([CONCORD, "man"], check=True, capture_output=True, text=True).stdout

    def test_readers_find_no_fault_in_it(self):
        if not shutil.which("mandoc"):
            self.skipTest("there is no mandoc")
        result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=self.page, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_it_says_what_the_help_says(self):
        if not shutil.which("mandoc"):
            self.skipTest("there is no mandoc")
        text = subprocess.run(
            ["mandoc", "-T", "utf8"], input=self.page, capture_output=True, text=True, check=True).stdout
        plain = subprocess.run(["col", "-bx"], input=text, capture_output=True, text=True, check=True).stdout
        flat = " ".join(plain.split())
        for command in ["index", "search", "serve", "tokenize", "info", "check", "remove", "completions", "man"]:
            for line in subprocess.run(
                [CONCORD, "help", command], check=True, capture_output=True, text=True).stdout.split("\n"):
                words = line.split()
                if words and words[0].startswith("-"):
                    self.assertIn(next(word for word in words if word.startswith("--")), flat)
        self.assertIn("documents by their words", flat)
        self.assertIn("CONCORD_DB", flat)


if __name__ == "__main__":
    unittest.main()
