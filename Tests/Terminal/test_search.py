"""The full-screen search of `concord`, in a terminal."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import termios
import unittest

from terminal import Terminal

CONCORD = os.environ["CONCORD"]
HOSTILE = "\x1b[31mred\x1b[0m \x1b]0;stolen\x07 \x9b2J \x1b[?1049l \x90q\x9c zebra \u202eoverride\u202c"
NAME = "evil\x1b[2Jname.txt"


class Searching(unittest.TestCase):
    """Terminals over one small index."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        docs = cls.folder / "docs"
        for name, text in {
            "guide.md": "# Gardening guide\n\n" + "".join(f"Line {n} about soil.\n\n" for n in range(200)) + "A rare tulip.\n",
            "notes.txt": "Notes\n" + "".join(f"Note {n} has a tulip in it.\n" for n in range(60)),
            "code/plant.c": "int tulip(void);\n/* waters every plant */\nint main(void) { return tulip(); }\n",
            "wide.txt": "漢字かな交じり文 orchid 👩‍👩‍👧‍👦 e\u0301te\u0301 हिन्दी\nsecond row\n",
            "hebrew.txt": "שלום עולם orchid שלום\n",
            "hostile.txt": HOSTILE + "\nafter the zebra\n",
            NAME: "a zebra with a strange name\n",
            **{f"many/{n}.txt": f"Item number {n} of the catalogue\n" for n in range(80)},
        }.items():
            path = docs / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        cls.index = str(cls.folder / "index.db")
        subprocess.run([CONCORD, "index", "--db", cls.index, str(docs)], check=True, capture_output=True)
        # What records how it was called.
        cls.editor = cls.folder / "vim"
        cls.editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {cls.folder}/called\necho EDITOR RUNS\nread answer\n')
        cls.editor.chmod(0o755)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def terminal(self, *arguments, columns=100, rows=30, **environment):
        variables = {"CONCORD_DB": self.index, "EDITOR": str(self.editor), "PAGER": "cat", "SWIFT_BACKTRACE": "enable=no", **environment}
        terminal = Terminal([CONCORD, *arguments], columns, rows, variables)
        self.addCleanup(terminal.close)
        return terminal

    def found(self, query, **options):
        """A terminal that shows what a query finds."""
        terminal = self.terminal(**options).wait("▌")
        terminal.send(query)
        return terminal

    def back(self, terminal):
        """Ends the editor, and waits until the search has the terminal again."""
        entered = terminal.raw.count(b"\x1b[?1049h")
        terminal.send("\n")
        terminal.wait(lambda t: t.raw.count(b"\x1b[?1049h") > entered and t.flags()[0] & termios.ICANON == 0)

    # Typing

    def test_results_while_typing(self):
        terminal = self.terminal().wait("87 documents")
        terminal.send("tul")
        terminal.wait("3 documents").wait("tulip")
        self.assertTrue(terminal.lines[0].startswith("❯ tul"))
        marked = [cell.data for row in range(3, 29) for cell in terminal.screen.buffer[row].values() if cell.fg == "brown" and cell.bold]
        self.assertIn("tulip", "".join(marked))
        terminal.send("\x7f\x7f\x7f")
        terminal.wait("87 documents")

    def test_fast_typing_shows_the_last_answer_only(self):
        terminal = self.terminal().wait("documents")
        for letter in "gardening guide":
            terminal.send(letter)
        terminal.wait("❯ gardening guide").wait(" 1 document ").wait("1 of 2 matches")
        terminal.settle()
        self.assertIn(" 1 document ", terminal.lines[0])

    def test_editing_in_the_middle_of_the_query(self):
        terminal = self.found("tlip").wait("❯ tlip")
        terminal.send("\x1b[D\x1b[D\x1b[Du")
        terminal.wait("❯ tulip").wait("3 documents")
        self.assertEqual(terminal.screen.cursor.x, 4)
        terminal.send("\x05 x\x17\x15")
        terminal.wait("Type to search")

    def words_are_read(self, terminal, shown):
        """The words of the index are read in the background; each key asks again."""
        def is_shown(terminal):
            if shown in terminal.lines[1]:
                return True
            terminal.send(" \x7f")
            terminal.settle(0.1)
            return shown in terminal.lines[1]
        terminal.wait(is_shown, shown)

    def test_completion(self):
        terminal = self.found("catalo").wait("catalogue")
        self.words_are_read(terminal, "Tab")
        terminal.send("\t")
        terminal.wait("❯ catalogue ")

    def test_did_you_mean(self):
        terminal = self.found("catalogeu number").wait("❯ catalogeu number")
        self.words_are_read(terminal, "did you mean")
        terminal.send("\t")
        terminal.wait("❯ catalogue number")

    def test_nothing_found(self):
        self.found("xyzzyplugh").wait("Nothing found.").wait("0 documents")

    def test_pasted_text_is_one_query(self):
        terminal = self.terminal().wait("documents")
        terminal.send("\x1b[200~gardening\nguide\x1b[31m\x1b[201~")
        terminal.wait("❯ gardening guide")

    # The list and the preview

    def test_moving_and_more_documents_than_a_page(self):
        terminal = self.found("catalogue").wait("80 documents")
        first = terminal.lines[3]
        self.assertTrue(first.startswith("▌"))
        terminal.send("\x1b[B")
        terminal.wait(lambda t: t.lines[3].startswith(" ") and t.lines[7].startswith("▌"))
        terminal.send("\x1b")
        terminal.wait("/ search")
        numbers = set()
        for _ in range(8):
            terminal.send("G")
            terminal.settle(0.1)
            numbers |= {line.split("number ")[1].split()[0] for line in terminal.lines if "Item number " in line}
        terminal.send("g")
        terminal.wait(lambda t: t.lines[3][:40] == first[:40])
        self.assertGreaterEqual(len(numbers), 18, "the ends of three pages")

    def test_matches_in_the_preview(self):
        terminal = self.found("rare tulip").wait("❯ rare tulip").wait("1 of 2 matches")
        terminal.wait("│ A rare tulip.")
        self.assertTrue(terminal.cells("│ A rare tulip.")[6].reverse, "the match stands out")
        terminal.send("\x15soil")
        terminal.wait("1 of 200 matches")
        terminal.send("\x1bn\x1bn")
        terminal.wait("3 of 200 matches")
        terminal.send("\x1bp")
        terminal.wait("2 of 200 matches")

    def test_keys_of_the_preview(self):
        terminal = self.found("gardening").wait("1 document")
        terminal.send("\x1b")
        terminal.wait("/ search")
        terminal.send("l")
        terminal.wait("← back")
        terminal.send("G")
        terminal.wait("A rare tulip.")
        terminal.send("g")
        terminal.wait("Line 0 about soil.")
        terminal.send("h/")
        terminal.wait("Tab complete")

    def test_help(self):
        terminal = self.terminal().wait("documents")
        terminal.send("?")
        terminal.wait("While typing")
        terminal.send("x")
        terminal.wait(lambda t: "While typing" not in t.text)
        self.assertIn("Type to search", terminal.lines[0])
        terminal.send("\x1bOP")
        terminal.wait("While typing")

    # Filters and order

    def test_filters(self):
        terminal = self.found("tulip").wait("3 documents")
        terminal.send("\x06")
        terminal.wait("[ ] Source code")
        while not terminal.lines[terminal.row_of("Source code")].startswith("▌"):
            terminal.send("j")
            terminal.settle(0.1)
        terminal.send(" ")
        terminal.wait("[x] Source code").wait(" 1 document ").wait("kind Source code")
        terminal.send("x")
        terminal.wait("3 documents")

    def test_sort(self):
        terminal = self.found("tulip").wait("3 documents")
        terminal.send("\x13")
        terminal.wait("newest first")
        terminal.send("\x13")
        terminal.wait("oldest first")
        terminal.send("\x13")
        terminal.wait(lambda t: "first" not in t.lines[0])

    # The mouse

    def test_mouse(self):
        terminal = self.found("catalogue").wait("80 documents")
        terminal.press(10, 7)
        terminal.wait(lambda t: t.lines[7].startswith("▌"))
        terminal.wheel(1, 10, 7)
        terminal.wait(lambda t: t.lines[11].startswith("▌"))
        terminal.press(10, 11)
        terminal.wait("EDITOR RUNS")
        self.back(terminal)
        terminal.wait("80 documents")

    def test_the_wheel_scrolls_the_preview(self):
        terminal = self.found("soil").wait("1 document").wait("│ Line 0 about")
        terminal.wheel(1, 80, 15)
        terminal.wheel(1, 80, 15)
        terminal.wait(lambda t: "│ Line 0 about" not in t.text)

    # Sizes

    def test_every_size(self):
        terminal = self.found("tulip").wait("3 documents")
        for columns, rows in [(40, 10), (20, 5), (1, 1), (200, 60), (60, 40), (100, 30)]:
            terminal.resize(columns, rows)
            terminal.settle(0.2)
        terminal.wait("3 documents").wait("▌")
        self.assertEqual(len(terminal.screen.display[0]), 100)

    def test_a_small_terminal(self):
        terminal = self.found("tulip", columns=40, rows=10)
        terminal.wait("❯ tulip").wait(lambda t: t.lines[0].endswith(" 3"))
        terminal.send("\x1b")
        terminal.wait("/ search")
        terminal.send("l")
        terminal.wait("← back").wait("matches")
        terminal.send("?")
        terminal.wait("choose a document")

    # Hostile documents

    def test_documents_cannot_speak_to_the_terminal(self):
        terminal = self.found("zebra").wait("2 documents").wait("strange name")
        terminal.send("\x1b[B")
        terminal.settle()
        for bad in [b"\x1b[31mred", b"\x1b]0;", b"\x9b2J", b"\x1b[?1049l ", "\u202e".encode(), b"\xc2\x9b", b"\x1b[2Jname"]:
            self.assertNotIn(bad, terminal.raw)
        self.assertNotEqual(terminal.screen.title, "stolen")
        self.assertIn("zebra", terminal.text)

    def test_wide_and_combined_characters_keep_their_columns(self):
        terminal = self.found("orchid").wait("2 documents").wait("漢")
        edges = {line.index("│") for line in terminal.screen.display[3:-1] if "│" in line}
        self.assertTrue(edges)
        for row in range(3, terminal.rows - 1):
            cells = terminal.screen.buffer[row]
            self.assertEqual(sum(1 for column in range(100) if cells[column].data == "│"), 1, f"row {row}\n{terminal.text}")

    # Other programs

    def called(self):
        return (self.folder / "called").read_text().split("\n")[:-1]

    def test_the_editor_opens_at_the_line(self):
        terminal = self.found("rare tulip").wait("1 of 2 matches")
        terminal.send("\r")
        terminal.wait("EDITOR RUNS")
        self.assertEqual(self.called(), ["+403", str(self.folder / "docs/guide.md")])
        self.assertTrue(terminal.flags()[0] & termios.ICANON, "the editor has the terminal as it was")
        self.back(terminal)
        terminal.send("\x15tulip")
        terminal.wait("3 documents")

    def test_an_editor_that_is_not_there(self):
        terminal = self.found("rare tulip", EDITOR="no-such-editor").wait("1 of 2 matches")
        terminal.send("\x0f")
        terminal.wait("no-such-editor is not installed")

    def test_the_pager_gets_the_text(self):
        terminal = self.found("after the zebra", PAGER=f"cat > {self.folder}/paged; true").wait("of 3 matches")
        terminal.send("\x16")
        path = self.folder / "paged"
        terminal.wait(lambda _: path.exists() and b"after the zebra" in path.read_bytes())
        self.assertNotIn(b"\x1b", path.read_bytes())

    # The end

    def check_restored(self, terminal, before):
        raw = terminal.raw
        self.assertGreater(raw.rindex(b"\x1b[?1049l"), raw.rindex(b"\x1b[?1049h"))
        self.assertGreater(raw.rindex(b"\x1b[?1000l"), raw.rindex(b"\x1b[?1000h"))
        self.assertGreater(raw.rindex(b"\x1b[?2004l"), raw.rindex(b"\x1b[?2004h"))
        self.assertFalse(terminal.screen.cursor.hidden)
        self.assertEqual(terminal.flags(), before)

    def started(self):
        terminal = self.terminal()
        before = terminal.flags()
        terminal.wait("documents")
        self.assertNotEqual(terminal.flags(), before)
        return terminal, before

    def test_quitting_restores_the_terminal(self):
        for keys in ["\x03", "\x04", "\x1bq"]:
            terminal, before = self.started()
            for key in keys:
                terminal.send(key)
                terminal.settle(0.1)
            self.assertEqual(terminal.wait_for_end(), 0)
            self.check_restored(terminal, before)

    def test_signals_restore_the_terminal(self):
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGABRT, signal.SIGSEGV]:
            terminal, before = self.started()
            os.kill(terminal.pid, number)
            status = terminal.wait_for_end()
            self.assertNotEqual(status, 0)
            self.check_restored(terminal, before)

    def test_stopped_and_continued(self):
        for how in ["key", "signal"]:
            terminal, before = self.started()
            terminal.send("\x1a") if how == "key" else os.kill(terminal.pid, signal.SIGTSTP)
            self.assertTrue(os.WIFSTOPPED(os.waitpid(terminal.pid, os.WUNTRACED)[1]))
            terminal.settle(0.1)
            self.check_restored(terminal, before)
            os.kill(terminal.pid, signal.SIGCONT)
            terminal.wait(lambda t: t.raw.count(b"\x1b[?1049h") >= 2)
            terminal.send("tulip")
            terminal.wait("❯ tulip").wait("3 documents")

    # Colours and terminals

    def test_no_color(self):
        terminal = self.found("tulip", NO_COLOR="1").wait("3 documents").wait("▌")
        self.assertIsNone(re.search(rb"\x1b\[[0-9;]*[349][0-7]m", terminal.raw))
        terminal.wait(lambda t: any(cell.underscore for line in t.screen.buffer.values() for cell in line.values()))

    def test_terminals_of_many_kinds(self):
        for name in ["xterm", "screen-256color", "tmux-256color", "linux", "vt100", "unknown-terminal-9"]:
            terminal = self.found("tulip", TERM=name).wait("3 documents").wait("▌")
            terminal.send("\x03")
            self.assertEqual(terminal.wait_for_end(), 0)

    def test_a_dumb_terminal_gets_prompts(self):
        terminal = self.terminal(TERM="dumb").wait("search:")
        terminal.send("rare tulip\n")
        terminal.wait("1. Gardening guide").wait("1 document")
        self.assertNotIn(b"\x1b", terminal.raw)
        terminal.send("\n")
        self.assertEqual(terminal.wait_for_end(), 0)

    # The index changes

    def test_new_documents_appear(self):
        terminal = self.found("hippopotamus").wait("Nothing found.")
        path = self.folder / "docs/late.txt"
        path.write_text("a hippopotamus\n")
        try:
            subprocess.run([CONCORD, "index", "--db", self.index], check=True, capture_output=True)
            terminal.wait(" 1 document ")
        finally:
            path.unlink()
            subprocess.run([CONCORD, "index", "--db", self.index], check=True, capture_output=True)
        terminal.wait("Nothing found.")


if __name__ == "__main__":
    unittest.main()
