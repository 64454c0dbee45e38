import CConcordanceSQLite

/// A row that matches, as FTS5 presents it to an auxiliary function
/// (https://www.sqlite.org/fts5.html#custom_auxiliary_functions_api_reference).
///
/// The same as `FTS5AuxiliaryContext`, for code that runs once per row and knows what it asks for: it does not check
/// the numbers of phrases and columns, and allocates nothing. It must not outlive the call that it was passed to.
struct MatchedRow {
    let api: UnsafePointer<Fts5ExtensionApi>
    let fts: OpaquePointer

    /// A call of FTS5 that failed.
    struct Failure: Error {
        var code: Int32
    }

    @inline(__always)
    private func check(_ code: Int32?) throws(Failure) {
        if let code, code == SQLITE_OK { return }
        throw Failure(code: code ?? SQLITE_MISUSE)
    }

    var phraseCount: Int { Int(api.pointee.xPhraseCount?(fts) ?? 0) }

    var columnCount: Int { Int(api.pointee.xColumnCount?(fts) ?? 0) }

    /// The number of tokens of a phrase.
    func size(ofPhrase phrase: Int) -> Int32 { api.pointee.xPhraseSize?(fts, Int32(truncatingIfNeeded: phrase)) ?? 0 }

    /// The number of rows of the table.
    func rowCount() throws(Failure) -> Int64 {
        var count: Int64 = 0
        try check(api.pointee.xRowCount?(fts, &count))
        return count
    }

    /// The number of tokens of the table in a column or, by default, in all columns.
    func totalTokenCount(ofColumn column: Int = -1) throws(Failure) -> Int64 {
        var count: Int64 = 0
        try check(api.pointee.xColumnTotalSize?(fts, Int32(truncatingIfNeeded: column), &count))
        return count
    }

    /// The number of tokens of the row in a column or, by default, in all columns.
    @inline(__always)
    func tokenCount(ofColumn column: Int = -1) throws(Failure) -> Int32 {
        var count: Int32 = 0
        try check(api.pointee.xColumnSize?(fts, Int32(truncatingIfNeeded: column), &count))
        return count
    }

    /// The number of rows of the table that match a phrase.
    func documentFrequency(ofPhrase phrase: Int) throws(Failure) -> Int64 {
        var count: Int64 = 0
        try check(
            api.pointee.xQueryPhrase?(fts, Int32(truncatingIfNeeded: phrase), &count) { _, _, count in
                count?.assumingMemoryBound(to: Int64.self).pointee += 1
                return SQLITE_OK
            })
        return count
    }

    /// A number that stands for the places in the whole table where a phrase matches: it is the same for phrases that
    /// match at the same places.
    func signature(ofPhrase phrase: Int) throws(Failure) -> UInt64 {
        var signature = PlaceHash()
        try check(
            api.pointee.xQueryPhrase?(fts, Int32(truncatingIfNeeded: phrase), &signature) { api, fts, signature in
                guard let api, let fts, let hash = signature?.assumingMemoryBound(to: PlaceHash.self) else {
                    return SQLITE_MISUSE
                }
                let row = MatchedRow(api: api, fts: fts)
                hash.pointee.combine(UInt64(bitPattern: api.pointee.xRowid?(fts) ?? 0))
                do throws(Failure) {
                    try row.forEachPosition(ofPhrase: 0) { column, offset in
                        hash.pointee.combine(
                            UInt64(UInt32(bitPattern: column)) << 32 | UInt64(UInt32(bitPattern: offset)))
                    }
                    return SQLITE_OK
                } catch {
                    return error.code
                }
            })
        return signature.value
    }

    /// Calls `body` with the column and the offset of each place where a phrase matches, in order.
    @inline(__always)
    func forEachPosition(ofPhrase phrase: Int, _ body: (_ column: Int32, _ offset: Int32) -> Void) throws(Failure) {
        var iterator = Fts5PhraseIter()
        var column: Int32 = 0
        var offset: Int32 = 0
        try check(
            api.pointee.xPhraseFirst?(fts, Int32(truncatingIfNeeded: phrase), &iterator, &column, &offset))
        guard let next = api.pointee.xPhraseNext else { throw Failure(code: SQLITE_MISUSE) }
        while column >= 0 {
            body(column, offset)
            next(fts, &iterator, &column, &offset)
        }
    }

    /// Calls `body` with each place in the row where a phrase matches, in the order of columns, offsets and phrases.
    @inline(__always)
    func forEachInstance(_ body: (_ phrase: Int, _ column: Int32, _ offset: Int32) -> Void) throws(Failure) {
        var count: Int32 = 0
        try check(api.pointee.xInstCount?(fts, &count))
        guard let instance = api.pointee.xInst else { throw Failure(code: SQLITE_MISUSE) }
        var index: Int32 = 0
        while index < count {
            var phrase: Int32 = 0
            var column: Int32 = 0
            var offset: Int32 = 0
            try check(instance(fts, index, &phrase, &column, &offset))
            body(Int(phrase), column, offset)
            index += 1
        }
    }
}

/// FNV-1a over 64-bit words (Fowler, Noll, Vo: The FNV Non-Cryptographic Hash Algorithm), with the bits mixed.
private struct PlaceHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ word: UInt64) {
        value = (value ^ word) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }
}
