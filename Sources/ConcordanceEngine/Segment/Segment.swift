/// A segment, open: immutable documents with dense numbers in the order of their rowids, and the index of their terms.
///
/// It holds the sparse index of its dictionary, and the pages of rowids and lengths that were asked for; other pages come
/// from the store's cache.
final class Segment {
    let info: SegmentInfo
    /// That of the index, without prefixes if the segment has no lists of them.
    let shape: IndexShape
    let documentCount: Int
    let reader: SegmentReader
    /// Rowids, lengths and fingerprints.
    let documents: DocumentTable
    private var loadedIndex: DictionaryIndex?
    private var loadedGroups: DictionaryGroups?
    private var filter: KeyFilter?
    /// How many keys were looked up without the filter.
    private var lookupCount = 0
    /// The keys that were looked up last, since a query asks for each of its terms more than once.
    private var recent: [(key: [UInt8], entry: TermEntry?)] = []
    private var oldestRecent = 0
    private static let recentCapacity = 8
    /// Decoders that nothing uses: to make one costs as much as to rank the rows of a rare word.
    private var spareDecoders: [PostingsDecoder] = []
    private static let spareCapacity = 4

    /// - Throws: `corrupt` where the segment's header does not agree with `info`.
    convenience init(_ info: SegmentInfo, shape: IndexShape, store: BlockStore) throws {
        let reader = try SegmentReader(id: info.id, documentCount: info.documentCount, shape: shape, store: store)
        self.init(reader, info: info, shape: shape)
    }

    init(_ reader: SegmentReader, info: SegmentInfo, shape: IndexShape) {
        self.info = info
        self.reader = reader
        self.shape = info.hasLists ? shape : shape.withoutPrefixes
        documentCount = info.documentCount
        documents = DocumentTable(reader, columnCount: shape.columnCount)
    }

    /// Whether tokens share places, so that a place of one term may be one of another.
    var hasColocatedTokens: Bool { reader.hasColocatedTokens }

    /// Whether it has the prefix lists of the index.
    var hasLists: Bool { info.hasLists }

    // MARK: - Terms

    /// The entry of a key; nil if the segment has none. Cost: one page of the dictionary; none for most keys that
    /// a small segment does not have.
    func find(_ key: UnsafeBufferPointer<UInt8>) throws -> TermEntry? {
        if let filter {
            if !filter.mayContain(key) { return nil }
        } else {
            lookupCount += 1
            // A filter costs as much as a few look-ups. If the dictionary is damaged, there is none, and keys in other pages
            // are still found.
            let pageCount = reader.count(.dictionary)
            if lookupCount == 2 * pageCount, pageCount <= KeyFilter.largestPageCount { filter = try? KeyFilter(self) }
        }
        for known in recent where known.key.elementsEqual(key) { return known.entry }
        let entry = try search(key)
        if recent.count < Self.recentCapacity {
            recent.append((Array(key), entry))
        } else {
            recent[oldestRecent] = (Array(key), entry)
            oldestRecent = (oldestRecent + 1) % Self.recentCapacity
        }
        return entry
    }

    private func search(_ key: UnsafeBufferPointer<UInt8>) throws -> TermEntry? {
        guard reader.count(.dictionary) > 0 else { return nil }
        var (page, owner) = try dictionaryPage(dictionaryPage(for: key))
        defer { withExtendedLifetime(owner) {} }
        // How many bytes of the key the entry before, which is less, begins with.
        var matched = 0
        while !page.isAtEnd {
            let (shared, suffix) = try page.readKey()
            if shared < matched { return nil }
            if shared == matched {
                var length = 0
                let limit = min(suffix.count, key.count &- matched)
                while length < limit, suffix[length] == key[matched &+ length] { length &+= 1 }
                matched &+= length
                if length == suffix.count {
                    if matched == key.count { return try page.readEntry() }
                } else if matched == key.count || suffix[length] > key[matched] {
                    return nil
                }
            }
            try page.skipEntry()
        }
        return nil
    }

    /// A cursor before the first term whose key is not less than `key`.
    func makeTermCursor(from key: [UInt8] = []) throws -> TermCursor {
        let page = try key.withUnsafeBufferPointer { try dictionaryPage(for: $0) }
        return try TermCursor(self, page: page, from: key)
    }

    private func dictionaryPage(for key: UnsafeBufferPointer<UInt8>) throws -> Int { try index().page(for: key) }

    /// Which page of the dictionary a key is in.
    func index() throws -> DictionaryIndex {
        if let loadedIndex { return loadedIndex }
        let index = try DictionaryIndex(reader)
        loadedIndex = index
        return index
    }

    /// The groups of terms of the dictionary. Cost: the first time, the whole dictionary.
    func groups() throws -> DictionaryGroups {
        if let loadedGroups { return loadedGroups }
        let groups = try DictionaryGroups(self)
        loadedGroups = groups
        return groups
    }

    /// A page of the dictionary, and what keeps its bytes alive.
    ///
    /// - Parameter offset: Where its reader begins.
    func dictionaryPage(_ number: Int, from offset: Int = 0) throws -> (page: DictionaryPage, owner: Block) {
        let page = try reader.page(.dictionary, number)
        return (
            DictionaryPage(page.bytes, number: number, shape: shape, documentCount: documentCount, from: offset),
            page.block
        )
    }

    /// A cursor before the first posting of a term.
    ///
    /// - Parameter kept: A cursor of this segment, which is opened again without an allocation; nil for a new one.
    func postings(_ entry: TermEntry, reusing kept: PostingsCursor? = nil) throws -> PostingsCursor {
        guard var cursor = kept else { return try PostingsCursor(self, entry) }
        cursor.open(entry)
        return cursor
    }

    /// A decoder, to be given back when nothing uses it any more.
    func takeDecoder() -> PostingsDecoder { spareDecoders.popLast() ?? PostingsDecoder(self) }

    func giveBack(_ decoder: PostingsDecoder) {
        guard spareDecoders.count < Self.spareCapacity else { return }
        decoder.close()
        spareDecoders.append(decoder)
    }

    // MARK: - Documents

    var allDocuments: Range<UInt32> { 0..<UInt32(truncatingIfNeeded: documentCount) }

    /// The rowid of a document. Cost: constant.
    @inline(__always)
    func rowID(at document: Int) throws -> Int64 { try documents.rowID(at: document) }

    /// The document of a row; nil if the segment has none. Cost: a binary search.
    func document(withRowID rowID: Int64) throws -> Int? {
        let document = try firstDocument(atOrAfter: rowID)
        return try document < documentCount && self.rowID(at: document) == rowID ? document : nil
    }

    /// The first document with a rowid that is not less; `documentCount` if there is none.
    func firstDocument(atOrAfter rowID: Int64) throws -> Int {
        try (0..<documentCount).partitionPoint { try self.rowID(at: $0) < rowID }
    }

    /// The first document with a greater rowid; `documentCount` if there is none.
    func firstDocument(after rowID: Int64) throws -> Int {
        rowID == .max ? documentCount : try firstDocument(atOrAfter: rowID + 1)
    }

    /// Tokens of all columns. Cost: constant.
    @inline(__always)
    func length(at document: Int) throws -> UInt32 { try documents.length(at: document) }

    /// Tokens of one column. Cost: constant if the page is the last one again; for the last column, the others.
    func columnLength(at document: Int, column: Int) throws -> UInt32 {
        try documents.columnLength(at: document, column: column)
    }

    /// Calls `body` with room for the lengths of all columns of a document.
    func withColumnLengths<Result>(_ body: (UnsafeMutableBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: shape.columnCount) { lengths in
            lengths.initialize(repeating: 0)
            return try body(lengths)
        }
    }

    /// Tokens of each column; `result` has room for all columns.
    func columnLengths(at document: Int, into result: UnsafeMutableBufferPointer<UInt32>) throws {
        try documents.columnLengths(at: document, into: result)
    }

    /// The hash of the document's tokens, by which a text that claims to be its is verified.
    func fingerprint(at document: Int) throws -> UInt32 { try documents.fingerprint(at: document) }
}
