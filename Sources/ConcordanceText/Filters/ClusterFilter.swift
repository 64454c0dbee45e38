/// Makes Thai, Lao, Khmer and Burmese text searchable without a dictionary, which finding its words would take.
///
/// The tokenizer `words` makes a token of each letter with its marks: a cluster. Adjacent clusters, or clusters with
/// only a zero-width space between them, are one run. In documents each cluster of a run is a position: the pair that
/// begins there and, colocated, the cluster alone; in queries the pair, so that a query of any length is a phrase of pairs.
/// The last cluster of a run is asked for alone if the run is only one, or if another token follows.
package final class ClusterFilter: TokenFilter {
    /// The last cluster, which waits for the next.
    @exclusivity(unchecked) private var last = TokenBuffer()
    @exclusivity(unchecked) private var lastCount = 0
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private var end = -1
    /// Where the next cluster of the run begins.
    @exclusivity(unchecked) private var reach = -1
    /// The length of U+200B in bytes. Other characters of three bytes do not end a run either, which does no harm.
    private static let zeroWidthSpace = 3
    /// Whether a cluster of the current run has been sent.
    @exclusivity(unchecked) private var hasSent = false

    /// A filter for text in these scripts; other text passes unchanged.
    package override init() {}

    package override func begin() {
        lastCount = 0
        end = -1
        reach = -1
        hasSent = false
    }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let isInRun = !flags.contains(.colocated) && Self.takes(token)
        var code: Int32 = 0
        let gap = start - reach
        let continues = lastCount > 0 && (gap == 0 || gap == Self.zeroWidthSpace)
        if isInRun, Self.isSign(token) {
            if continues { reach = end }
            return 0
        }
        var token = token
        if isInRun, continues, Self.beginsWithMark(token) {
            // Once folded, SARA AM is a mark and a letter, and the mark belongs to the cluster before.
            if let base = token.baseAddress { last.append(base, count: Self.markLength) }
            lastCount = last.count
            token = UnsafeBufferPointer(rebasing: token[Self.markLength...])
            if token.isEmpty {
                reach = end
                return 0
            }
        }
        if isInRun, continues {
            code = sendPair(with: token, end: end)
        } else {
            code = flush(isFollowed: !flags.contains(.colocated))
        }
        if code != 0 { return code }
        guard isInRun, let base = token.baseAddress else { return emit(token, flags: flags, start: start, end: end) }
        last.count = 0
        last.append(base, count: token.count)
        lastCount = token.count
        self.start = start
        self.end = end
        reach = end
        return 0
    }

    package override func finish() -> Int32 { flush(isFollowed: false) }

    private func sendPair(with token: UnsafeBufferPointer<UInt8>, end: Int) -> Int32 {
        if let base = token.baseAddress { last.append(base, count: token.count) }
        hasSent = true
        let code = emit(last.contents, flags: [], start: start, end: end)
        if code != 0 || isQuery { return code }
        let single = UnsafeBufferPointer(rebasing: last.contents[..<lastCount])
        return emit(single, flags: .colocated, start: start, end: self.end)
    }

    /// Ends the run.
    ///
    /// - Parameter isFollowed: Whether another token follows, at a position of its own.
    private func flush(isFollowed: Bool) -> Int32 {
        defer {
            lastCount = 0
            hasSent = false
        }
        if lastCount == 0 || isQuery && hasSent && !isFollowed { return 0 }
        return emit(last.contents, flags: [], start: start, end: end)
    }

    private static let markLength = 3

    /// Whether a token begins with U+0E4D or U+0ECD.
    private static func beginsWithMark(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        token.count >= markLength && token[0] == 0xE0 && (token[1] == 0xB9 || token[1] == 0xBB) && token[2] == 0x8D
    }

    /// Whether a token is a sign that abbreviates a word or repeats it (some people put a space before it): U+0E2F,
    /// U+0E46, U+0EAF, U+0EC6, U+17D7. These are left out.
    private static func isSign(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        guard token.count == 3 else { return false }
        switch (token[0], token[1], token[2]) {
        case (0xE0, 0xB8, 0xAF), (0xE0, 0xB9, 0x86), (0xE0, 0xBA, 0xAF), (0xE0, 0xBB, 0x86), (0xE1, 0x9F, 0x97):
            return true
        default: return false
        }
    }

    /// Whether a token begins with a letter of these scripts.
    private static func takes(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        // U+0E00 to U+0EFF, U+1000 to U+109F, U+1780 to U+17FF, U+A9E0 to U+A9FF, U+AA60 to U+AA7F.
        guard token.count >= 3, token[0] >= 0xE0 else { return false }
        switch (token[0], token[1]) {
        case (0xE0, 0xB8...0xBB), (0xE1, 0x80...0x81), (0xE1, 0x9E...0x9F): return true
        case (0xE1, 0x82): return token[2] < 0xA0
        case (0xEA, 0xA7), (0xEA, 0xA9): return token[2] >= 0xA0
        default: return false
        }
    }
}
