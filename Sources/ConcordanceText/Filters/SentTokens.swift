/// The few tokens that were sent at one position, so that none is sent twice.
struct SentTokens: ~Copyable {
    private var bytes = TokenBuffer()
    private var ends: [Int] = []

    mutating func removeAll() {
        bytes.count = 0
        ends.removeAll(keepingCapacity: true)
    }

    /// Adds a token; false if it is there already.
    mutating func insert(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 0
        for end in ends {
            let known = UnsafeBufferPointer(start: UnsafePointer(bytes.base) + start, count: end - start)
            if known.elementsEqual(token) { return false }
            start = end
        }
        if let base = token.baseAddress { bytes.append(base, count: token.count) }
        ends.append(bytes.count)
        return true
    }
}
