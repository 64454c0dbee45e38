/// The letters that the rules of a stemmer know, as codes of one byte, so that what depends on a letter is looked up in
/// small tables. Codes from `count` on are free for the other letters of a word.
struct StemAlphabet: ~Copyable {
    /// The most letters of a program: codes are left for those of words.
    static let maximumCount = 224

    /// How a letter is written: up to three bytes of UTF-8, the first lowest, and their number in the highest byte.
    typealias Spelling = UInt32

    /// The number of codes that are given, with 0, which stands for no letter.
    let count: Int
    private let spellings: ConstantTable<Spelling>
    /// For 64 letters in turn, where their codes begin in `codes`.
    private let pages: ConstantTable<UInt16>
    private let codes: ConstantTable<UInt8>

    /// - Parameter letters: The letters of the codes from 1 on.
    init(_ letters: [UInt16]) {
        count = letters.count + 1
        spellings = ConstantTable([0] + letters.map { Self.spelling(UInt32($0)) })
        var pages = [UInt16](repeating: 0, count: 1024)
        // No letter of the first page here is known; ASCII has the next two in any case.
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

    /// Where tables of the alphabet are; good as long as it lives.
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
