extension SQLiteUnicodeTables {
    /// The character folded as SQLite does with `remove_diacritics=0`: to lower case.
    @inline(__always)
    static func caseFolded(_ scalar: UInt32) -> UInt32 { fold(scalar, by: caseFold) }

    /// The character folded as SQLite does with `remove_diacritics=2`: to lower case, without diacritics; zero if the
    /// character is itself a diacritic.
    @inline(__always)
    static func fullyFolded(_ scalar: UInt32) -> UInt32 { fold(scalar, by: fullFold) }

    @inline(__always)
    private static func fold(_ scalar: UInt32, by deltas: [Int32]) -> UInt32 {
        scalar < 0x80
            ? UInt32(ASCII.lowercased(UInt8(truncatingIfNeeded: scalar)))
            : scalar &+ UInt32(bitPattern: deltas[value(of: scalar)])
    }
}
