/// The keys of a segment's dictionary: `[0] + term` for a term, `[1 + i] + prefix` for a list of prefixes.
enum PrefixKey {
    /// How many bytes the first `characters` characters of a token have; nil if it has fewer.
    ///
    /// As in FTS5: a byte from C0 on begins a character that continues with the bytes 80 to BF after it, any other byte
    /// is one, and a token that ends with such a first byte does not count it.
    static func byteCount(of token: UnsafeBufferPointer<UInt8>, characters: Int) -> Int? {
        var offset = 0
        for _ in 0..<characters {
            guard offset < token.count else { return nil }
            let isLead = token[offset] >= 0xC0
            offset += 1
            guard isLead else { continue }
            guard offset < token.count else { return nil }
            while offset < token.count, token[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }
}
