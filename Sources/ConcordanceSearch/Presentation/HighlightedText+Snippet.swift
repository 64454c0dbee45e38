import ConcordanceText

extension HighlightedText {
    /// The fragments of a text in order, with ellipses for what is left out between and around them.
    init(fragments: SnippetFragments, of text: String, options: SnippetOptions) {
        var text = text
        text.makeContiguousUTF8()
        let made =
            text.utf8.withContiguousStorageIfAvailable { utf8 in
                var composition = Composition(keepsLines: options.keepsLines, ellipsis: Array(options.ellipsis.utf8))
                composition.add(fragments.ranges, of: utf8, matches: fragments.matches[...])
                return composition
            } ?? Composition(keepsLines: false, ellipsis: [])
        self.init(String(decoding: made.bytes, as: UTF8.self), utf8Ranges: made.ranges)
    }
}

/// The bytes of a snippet while it is put together.
private struct Composition {
    let keepsLines: Bool
    let ellipsis: [UInt8]
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []

    init(keepsLines: Bool, ellipsis: [UInt8]) {
        self.keepsLines = keepsLines
        self.ellipsis = ellipsis
    }

    mutating func add(
        _ fragments: [Range<Int>], of utf8: UnsafeBufferPointer<UInt8>, matches: ArraySlice<Range<Int>>
    ) {
        var matches = matches
        for (index, fragment) in fragments.enumerated() {
            let isWhole = index == 0 && !utf8[..<fragment.lowerBound].contains { $0 > 0x20 }
            if !isWhole { bytes += index == 0 ? ellipsis : Self.space + ellipsis + Self.space }
            matches = matches.drop { $0.upperBound <= fragment.lowerBound }
            add(fragment, of: utf8, matches: matches)
        }
        if let last = fragments.last, utf8[last.upperBound...].contains(where: { $0 > 0x20 }) { bytes += ellipsis }
    }

    private static let space: [UInt8] = [0x20]

    private mutating func add(
        _ fragment: Range<Int>, of utf8: UnsafeBufferPointer<UInt8>, matches: ArraySlice<Range<Int>>
    ) {
        var position = fragment.lowerBound
        for match in matches.prefix(while: { $0.lowerBound < fragment.upperBound }) {
            append(utf8[position..<max(position, match.lowerBound)])
            let start = bytes.count
            append(utf8[max(position, match.lowerBound)..<min(match.upperBound, fragment.upperBound)])
            if bytes.count > start { ranges.append(start..<bytes.count) }
            position = max(position, min(match.upperBound, fragment.upperBound))
        }
        append(utf8[position..<fragment.upperBound])
    }

    private mutating func append(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        if keepsLines {
            bytes += text
            return
        }
        for byte in text {
            // White space and controls of ASCII; the bytes of all other characters are greater.
            if byte > 0x20 {
                bytes.append(byte)
            } else if let last = bytes.last, last != 0x20 {
                bytes.append(0x20)
            }
        }
    }
}
