"""Records the full-screen search as an SVG: a session in a terminal, of which each state that is to be seen is a frame."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

import pyte

from terminal import Terminal

ROOT = pathlib.Path(__file__).parents[2]
COLUMNS, ROWS = 100, 28
CELL, LINE = 8.4, 18
MARGIN, BAR = 14, 34
COLORS = {
    "default": "#d8dee9", "brightblack": "#7b8494", "black": "#3b4252", "red": "#e06c75", "green": "#98c379",
    "brown": "#e5c07b", "yellow": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd", "cyan": "#56b6c2", "white": "#eceff4",
}
BACKGROUND, FRAME = "#1f2430", "#161a22"


class Screen(pyte.Screen):
    """pyte has no faint text: it becomes grey."""

    def select_graphic_rendition(self, *attributes, **options):
        super().select_graphic_rendition(*[90 if attribute == 2 else attribute for attribute in attributes], **options)


def session(terminal, frame):
    """What is done; `frame` takes a picture that stays for some seconds."""
    terminal.wait("Type to search").wait("documents")
    terminal.settle()
    frame(1.2)
    for text in ["m", "mi", "mis", "miss", "missp"]:
        terminal.send(text[-1])
        terminal.wait(f"❯ {text}").settle(0.25)
        frame(0.18)
    terminal.wait("Tab missp")
    terminal.settle()
    frame(1.4)
    terminal.send("\t")
    terminal.wait(lambda t: t.lines[0].startswith("❯ misspelled ")).settle()
    frame(1.0)
    for letter in "words":
        terminal.send(letter)
        terminal.settle(0.25)
        frame(0.14)
    frame(1.2)
    for _ in range(2):
        terminal.send("\x1b[B")
        terminal.settle()
        frame(0.8)
    for _ in range(2):
        terminal.send("\x1bn")
        terminal.settle()
        frame(0.9)
    terminal.send("\x06")
    terminal.settle()
    frame(1.3)
    terminal.send(" ")
    terminal.wait("[x]").settle()
    frame(1.6)
    terminal.send("\x1b")
    terminal.settle()
    frame(1.8)


def runs(screen, row):
    """The texts of a row, each with its column and its look."""
    result = []
    cells = screen.buffer[row]
    for column in range(COLUMNS):
        cell = cells[column]
        look = (cell.fg, cell.bold, cell.reverse, cell.underscore)
        if cell.data == "":
            continue
        blank = cell.data == " " and not cell.reverse
        if result and result[-1][1] == look and result[-1][0] + len(result[-1][2]) == column and not (blank and result[-1][3]):
            result[-1][2].append(cell.data)
            result[-1][3] = blank
        elif not blank:
            result.append([column, look, [cell.data], blank])
    return result


def drawn(screen, row):
    parts = []
    for column, (color, bold, reverse, underscore), letters, _ in runs(screen, row):
        text = "".join(letters).rstrip() if not reverse else "".join(letters)
        if not text:
            continue
        if text == "│":
            # Without the gaps that fonts leave between lines.
            x = MARGIN + (column + 0.5) * CELL
            parts.append(f'<path d="M{x:.1f} 0v{LINE}" stroke="{COLORS["brightblack"]}"/>')
            continue
        fill = COLORS.get(color, "#" + color if len(color) == 6 else COLORS["default"])
        x, width = MARGIN + column * CELL, len(text) * CELL
        if reverse:
            parts.append(f'<rect x="{x:.1f}" y="3" width="{width:.1f}" height="{LINE}" fill="{fill}"/>')
            fill = BACKGROUND
        style = (' font-weight="bold"' if bold else "") + (' text-decoration="underline"' if underscore else "")
        fill = "" if fill == COLORS["default"] else f' fill="{fill}"'
        parts.append(f'<text x="{x:.1f}" y="16" textLength="{width:.1f}"{fill}{style}>{escape(text)}</text>')
    return "".join(parts)


def main(output):
    folder = pathlib.Path(tempfile.mkdtemp())
    home = folder / "home"
    try:
        library = home / "concordance"
        for pattern in ["*.md", "Sources/Concordance/Concordance.docc/*.md", "Sources/Concordance*/**/*.swift",
                        "Python/*.md", "Examples/Reminders/**/*.swift"]:
            for path in ROOT.glob(pattern):
                if ".build" in path.parts or path.name.endswith("Tables.swift"):
                    continue
                target = library / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)
        environment = {"CONCORD_DB": str(folder / "index.db"), "HOME": str(home)}
        subprocess.run(
            [os.environ["CONCORD"], "index", "--quiet", str(library)], check=True, env={**os.environ, **environment})
        frames, rows = [], {}
        with Terminal([os.environ["CONCORD"]], COLUMNS, ROWS, environment) as terminal:
            terminal.screen = Screen(COLUMNS, ROWS)
            terminal.stream = pyte.ByteStream(terminal.screen)

            def frame(seconds):
                shown = []
                for row in range(ROWS):
                    text = drawn(terminal.screen, row)
                    if text:
                        shown.append((row, rows.setdefault(text, len(rows))))
                cursor = terminal.screen.cursor
                frames.append((seconds, shown, None if cursor.hidden else (cursor.x, cursor.y)))

            session(terminal, frame)
    finally:
        shutil.rmtree(folder)
    pathlib.Path(output).write_text(svg(frames, rows))
    print(f"{output}: {len(frames)} frames, {os.path.getsize(output):,} bytes")


def svg(frames, rows):
    width, height = 2 * MARGIN + COLUMNS * CELL, BAR + ROWS * LINE + MARGIN
    total = sum(frame[0] for frame in frames)
    rules, groups, time = [], [], 0.0
    # Who wants nothing to move sees one frame.
    still = len(frames) - 4
    for number, (seconds, shown, cursor) in enumerate(frames):
        begin, end = 100 * time / total, 100 * (time + seconds) / total
        first = "visible" if number == 0 else "hidden"
        steps = f"0%{{visibility:{first}}}" + (f"{begin:.2f}%{{visibility:visible}}" if number else "")
        steps += f"{end:.2f}%{{visibility:hidden}}" if number + 1 < len(frames) else ""
        rules.append(f"@keyframes k{number}{{{steps}}}#f{number}{{animation:k{number} {total:.1f}s step-end infinite}}")
        uses = "".join(f'<use href="#r{row}" y="{BAR + y * LINE}"/>' for y, row in shown)
        if cursor:
            uses += (f'<rect x="{MARGIN + cursor[0] * CELL:.1f}" y="{BAR + cursor[1] * LINE + 3}" width="{CELL}" '
                     f'height="{LINE}" fill="#d8dee9" opacity=".6"/>')
        visibility = "" if number == still else ' visibility="hidden"'
        groups.append(f'<g id="f{number}"{visibility}>{uses}</g>')
        time += seconds
    # Nothing but the still frame is defined as visible, so that the rules alone move it.
    defs = "".join(f'<g id="r{number}">{text}</g>' for text, number in rows.items())
    dots = "".join(f'<circle cx="{18 + 18 * i}" cy="17" r="5.5" fill="{c}"/>' for i, c in enumerate(["#e06c75", "#e5c07b", "#98c379"]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-label="The full-screen search of concord in a terminal">'
        f"<style>text{{font-size:14px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        f"white-space:pre}}"
        f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}</style>"
        f'<defs>{defs}</defs><rect width="100%" height="100%" rx="9" fill="{BACKGROUND}"/>'
        f'<path d="M0 9a9 9 0 0 1 9-9h{width - 18:.0f}a9 9 0 0 1 9 9v19H0z" fill="{FRAME}"/>{dots}'
        f"<g fill=\"{COLORS['default']}\">{''.join(groups)}</g></svg>\n"
    )


if __name__ == "__main__":
    main(sys.argv[1])
