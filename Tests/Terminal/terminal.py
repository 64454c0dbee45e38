"""A program in a pseudo-terminal, with an emulator (pyte) that keeps what a person would see."""
import errno
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import pyte


class Terminal:
    """`wait` pumps the program's output into the emulator until something holds; nothing here sleeps for a fixed time."""

    PATIENCE = 60

    def __init__(self, command, columns=100, rows=30, environment=None, cwd=None):
        self.columns, self.rows = columns, rows
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            if cwd:
                os.chdir(cwd)
            base = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
            os.execvpe(command[0], command, {**base, **(environment or {})})
        self.modes = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)

    # What is shown

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines)

    def row_of(self, text):
        """The first row that shows a text."""
        return next(row for row, line in enumerate(self.lines) if text in line)

    def cells(self, text):
        """The cells of the first place where a text is shown."""
        row = self.row_of(text)
        column = self.screen.display[row].index(text)
        return [self.screen.buffer[row][column + index] for index in range(len(text))]

    # What is done

    def send(self, text):
        os.write(self.fd, text if isinstance(text, bytes) else text.encode())

    def press(self, column, row):
        """The first button, on a cell counted from 0."""
        self.send(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

    def wheel(self, direction, column, row):
        self.send(f"\x1b[<{64 if direction < 0 else 65};{column + 1};{row + 1}M")

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def pump(self, seconds=0.05):
        """Reads what the program has written; False when it has closed the terminal."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError as error:
            if error.errno == errno.EIO:
                return False
            raise
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    @property
    def is_between_frames(self):
        """Whether the program has painted to the end what it has begun to paint."""
        return self.raw.count(b"\x1b[?2026h") == self.raw.count(b"\x1b[?2026l")

    def wait(self, condition, what=None):
        """Waits until the screen, painted to the end, shows a text, or a function of this terminal holds."""
        holds = (lambda _: condition in self.text) if isinstance(condition, str) else condition
        end = time.monotonic() + self.PATIENCE
        while not (self.is_between_frames and holds(self)):
            assert time.monotonic() < end, f"did not come: {what or condition}\n{self.text}"
            if not self.pump():
                assert holds(self), f"ended before: {what or condition}\n{self.text}"
                return self
        return self

    def settle(self, seconds=0.3):
        """Reads until nothing has come for a moment: for what must not come, never for what must."""
        last = time.monotonic()
        while time.monotonic() - last < seconds:
            before = len(self.raw)
            if not self.pump():
                break
            if len(self.raw) != before:
                last = time.monotonic()
        return self

    def wait_for_end(self):
        """The exit status as of `os.waitpid`, when the program has ended."""
        end = time.monotonic() + self.PATIENCE
        while self.status is None:
            self.pump()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
            assert time.monotonic() < end, f"does not end\n{self.text}"
        while select.select([self.fd], [], [], 0)[0] and self.pump(0):
            pass
        return self.status

    def flags(self):
        """The modes of the terminal: local flags, input flags."""
        modes = termios.tcgetattr(self.fd)
        return modes[3], modes[0]
