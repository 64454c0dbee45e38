/// Makes the keys under which a dictionary keeps words: folded, so that case, accents and letters such as ß and ø make
/// no difference.
struct SpellingKey {
    /// Nobody misspells longer words or wants them completed. The walks over a dictionary keep one bit of a machine
    /// word per character, and need room for two edits.
    static let maximumLength = 60

    private var folder = ScalarFolder([.common, .latin])
    /// The last key.
    private(set) var bytes: [UInt8] = []
    /// Its characters.
    private(set) var scalars: [UInt32] = []

    /// Makes the key of a word; false if it is empty or too long.
    mutating func make(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        scalars.removeAll(keepingCapacity: true)
        // A longer word can fold to a short enough key only if nearly all of it is removed.
        guard word.count <= Self.maximumLength * 8 else { return false }
        var isASCII = true
        for byte in word {
            if byte >= 0x80 { isASCII = false }
            let letter = byte &- 0x41 < 26 ? byte | 0x20 : byte
            bytes.append(letter)
            scalars.append(UInt32(letter))
        }
        if !isASCII { fold(word) }
        return !scalars.isEmpty && scalars.count <= Self.maximumLength
    }

    private mutating func fold(_ word: UnsafeBufferPointer<UInt8>) {
        folder.scalars.removeAll(keepingCapacity: true)
        var index = 0
        while index < word.count {
            let (scalar, length) = UTF8Scalars.decode(word, at: index)
            // A byte that belongs to no character is read as U+FFFD, as Swift's strings read it.
            folder.scalars.append(scalar < UTF8Scalars.invalidBase ? scalar : 0xFFFD)
            index += length
        }
        folder.fold()
        bytes.removeAll(keepingCapacity: true)
        scalars = folder.scalars
        var encoded: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &encoded) { buffer in
            guard let target = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            for scalar in scalars {
                let length = UTF8Scalars.encode(scalar, to: target)
                bytes.append(contentsOf: buffer[..<length])
            }
        }
    }

    /// Makes the key of a string.
    mutating func make(_ word: String) -> Bool {
        var word = word
        return word.withUTF8 { make($0) }
    }
}
