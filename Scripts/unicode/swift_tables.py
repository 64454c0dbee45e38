"""Writes tables of numbers as Swift source: shared by the generators in this folder."""

import textwrap

CODE_POINTS = 0x110000


class Trie:
    """A map from code points to small numbers in three stages.

    The value of code point c is stage3[stage2[stage1[c >> 10] << 6 | c >> 4 & 63] << 4 | c & 15]: stage 1 has an entry
    per 1024 code points, a block of stage 2 an entry per 16, a block of stage 3 one per code point. Equal blocks are
    kept once. Code points behind the end of stage 1 have the value 0.
    """

    def __init__(self, values):
        assert len(values) == CODE_POINTS
        last = max((c for c, value in enumerate(values) if value), default=0)
        values = values[: (last | 1023) + 1]
        leaves, self.stage3 = self._blocks(values, 16)
        self.stage1, self.stage2 = self._blocks(leaves, 64)

    @staticmethod
    def _blocks(values, size):
        """The numbers of the blocks that `values` falls into, and the blocks one after another."""
        numbers, blocks = {}, []
        indices = []
        for start in range(0, len(values), size):
            block = tuple(values[start : start + size])
            if block not in numbers:
                numbers[block] = len(numbers)
                blocks.extend(block)
            indices.append(numbers[block])
        return indices, blocks

    def swift(self):
        return [array(f"stage{n}", stage) for n, stage in enumerate((self.stage1, self.stage2, self.stage3), 1)]


def element_type(numbers):
    low, high = min(numbers), max(numbers)
    for type, bits in (("UInt8", 8), ("UInt16", 16), ("UInt32", 32)):
        if low >= 0 and high < 1 << bits:
            return type
    assert -(1 << 31) <= low and high < 1 << 31
    return "Int32"


def array(name, numbers, type=None, comment=None):
    """A static array; in an optimized build it is data of the binary, with nothing to run before its first use."""
    lines = [f"    /// {comment}"] if comment else []
    lines += ["    // swift-format-ignore", f"    static let {name}: [{type or element_type(numbers)}] = ["]
    lines += textwrap.wrap(", ".join(map(str, numbers)), 112, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return "\n".join(lines + ["    ]"])


def write(path, header, name, members, conformance=""):
    """Writes one enum that holds the tables."""
    comment = "\n".join(f"// {line}".rstrip() for line in header)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{comment}\n\nenum {name}{conformance} {{\n" + "\n\n".join(members) + "\n}\n")
