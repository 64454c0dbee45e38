/// The letters that a stemmer's rules know, as one-byte codes, so that tables by letter are small. Codes from `count`
/// on are free for the other letters of a word.
struct StemAlphabet: ~Copyable {
    /// The most letters that a program may have. The remaining codes are for other letters of words.
    static let maximumCount = 224

    /// A letter in UTF-8: up to three bytes, the first one lowest, and their number in the highest byte.
    typealias Spelling = UInt32

    /// The number of codes in use, including 0, which is no letter's.
    let count: Int
    private let spellings: ConstantTable<Spelling>
    /// For each block of 64 letters, where its codes begin in `codes`.
    private let pages: ConstantTable<UInt16>
    private let codes: ConstantTable<UInt8>

    /// - Parameter letters: The letters of the codes from 1 on.
    init(_ letters: [UInt16]) {
        count = letters.count + 1
        spellings = ConstantTable([0] + letters.map { Self.spelling(UInt32($0)) })
        var pages = [UInt16](repeating: 0, count: 1024)
        // Pages without known letters share the first 64 codes, all 0; the next two blocks are always ASCII's.
        var codes = [UInt8](repeating: 0, count: 3 * 64)
        (pages[0], pages[1]) = (64, 128)
        for (index, letter) in letters.enumerated() {
            let page = Int(letter >> 6)
            if pages[page] == 0 {
                pages[page] = UInt16(codes.count)
                codes += [UInt8](repeating: 0, count: 64)
            }
            codes[Int(pages[page]) + Int(letter & 63)] = UInt8(index + 1)
        }
        self.pages = ConstantTable(pages)
        self.codes = ConstantTable(codes)
    }

    static func spelling(_ letter: UInt32) -> Spelling {
        let scalar = letter
        if scalar < 0x80 { return scalar | 1 << 24 }
        let last = 0x80 | scalar & 0x3F
        if scalar < 0x800 { return 0xC0 | scalar >> 6 | last << 8 | 2 << 24 }
        return 0xE0 | scalar >> 12 | (0x80 | scalar >> 6 & 0x3F) << 8 | last << 16 | 3 << 24
    }

    /// Where the alphabet's tables are; valid as long as it lives.
    struct Addresses: BitwiseCopyable {
        let pages: UnsafePointer<UInt16>
        let codes: UnsafePointer<UInt8>

        /// The code of a letter; 0 for one that the rules do not know.
        @inline(__always)
        func code(of letter: UInt32) -> UInt8 { codes[Int(pages[Int(letter >> 6)]) + Int(letter & 63)] }
    }

    var addresses: Addresses { Addresses(pages: pages.pointer, codes: codes.pointer) }

    /// Writes the spellings of the letters with codes to `target`, from its start.
    func copySpellings(to target: UnsafeMutablePointer<Spelling>) {
        target.update(from: spellings.pointer, count: count)
    }
}
