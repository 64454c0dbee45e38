import ConcordanceSQLite

/// Checks everything that an index has written, and throws SQLITE_CORRUPT_VTAB with a sentence about the first thing
/// that is wrong.
///
/// `run` checks the structure: each row of `<t>_data` belongs to something and is not damaged; documents, terms and
/// postings decode and are in order; counts and totals are right; the rows that a term claims to be in are as many as
/// are found; prefix lists are the unions of their terms. `compare` and `finishComparison` check that the index is that
/// of the table's texts. Memory: some megabytes, and the block cache.
final class IntegrityCheck {
    let index: InvertedIndex
    let snapshot: Snapshot
    private(set) var manifest: Manifest

    /// Of all live postings, by `run`.
    var checksum = DocumentChecksum()
    private var textChecksum = DocumentChecksum()
    private var textCount = 0
    private let builder: DocumentBuilder
    private let terms = PendingTerms()

    /// Checks the index as it is now, pending rows included.
    init(_ index: InvertedIndex) throws {
        self.index = index
        snapshot = try index.snapshot()
        manifest = try index.manifest()
        builder = DocumentBuilder(columnCount: index.shape.columnCount, terms: terms)
    }

    /// Checks the structure.
    func run() throws {
        try checkRows()
        for live in snapshot.segments { try checkDocuments(of: live) }
        try checkTotals()
        try checkRowIDs()
        try checkTerms()
        for live in snapshot.segments {
            for list in live.segment.shape.prefixes.indices { try PrefixCheck(live.segment, list: list).run() }
        }
    }

    // MARK: - Texts

    /// Compares a row of the table, the tokens of which `fill` gives; after `run`.
    func compare(_ rowID: Int64, _ fill: (DocumentBuilder) throws -> Void) throws {
        guard let reference = try snapshot.find(rowID: rowID) else { throw corrupt("row \(rowID) is not in the index") }
        let segment = snapshot.segments[reference.segment].segment
        let document = Int(reference.document)
        builder.beginComparison(
            DocumentChecksum.Document(
                rowID: rowID, hasPositions: index.shape.hasPositions, checksum: textChecksum))
        try fill(builder)
        guard let compared = builder.endComparison() else { return assertionFailure("the end of no comparison") }
        textChecksum = compared
        textCount += 1
        guard builder.fingerprint == (try segment.fingerprint(at: document)) else {
            throw corrupt("row \(rowID) is indexed with a different text")
        }
        try segment.withColumnLengths { lengths in
            try segment.columnLengths(at: document, into: lengths)
            for column in lengths.indices where builder.length(ofColumn: column) != lengths[column] {
                throw corrupt("row \(rowID) is indexed with a different length of column \(column)")
            }
        }
        guard try snapshot.segments[reference.segment].values.has(builder.values.bytes, ofDocument: document) else {
            throw corrupt("row \(rowID) is indexed with different stored values")
        }
    }

    /// Checks that all rows were compared, and that the postings are those of their texts.
    func finishComparison() throws {
        guard textCount == snapshot.rowCount else {
            throw corrupt("the index has \(snapshot.rowCount) rows, the table \(textCount)")
        }
        guard textChecksum == checksum else { throw corrupt("the index has postings that are not in the texts") }
    }

    // MARK: - Rows of the data table

    private func checkRows() throws {
        let owners = try Set(manifest.segments.map(\.info.id)).union(manifest.garbage).union(
            index.segmentsUnderConstruction)
        var sizes: [UInt32: Int] = [:]
        var hasManifest = false
        try index.store.forEachRow { id, bytes in
            if id == Manifest.rowID {
                hasManifest = true
                return
            }
            guard id >= BlockStore.ids(ofSegment: 1).lowerBound else { throw corrupt("row \(id) belongs to nothing") }
            let segment = UInt32(truncatingIfNeeded: id >> 32)
            guard owners.contains(segment) else { throw corrupt("row \(id) belongs to no segment") }
            if UInt8(truncatingIfNeeded: id >> 28) & 0xF != Deletions.stream {
                sizes[segment, default: 0] += bytes.count
            }
        }
        guard hasManifest else { throw corrupt("the index has no manifest") }
        for entry in manifest.segments where sizes[entry.info.id] != entry.info.byteCount {
            throw corrupt(
                "segment \(entry.info.id) has \(sizes[entry.info.id] ?? 0) bytes, not \(entry.info.byteCount)")
        }
    }

    // MARK: - Documents

    private func checkDocuments(of live: LiveSegment) throws {
        let segment = live.segment
        let info = live.entry.info
        // A page of values is checked as it is read.
        for page in 0..<live.values.pageCount {
            for column in index.shape.valueColumns.indices { _ = try live.values.page(page, column: column) }
        }
        var previous: Int64?
        for document in 0..<segment.documentCount {
            let rowID = try segment.rowID(at: document)
            if let previous, previous >= rowID { throw corrupt("the rowids of segment \(info.id) are not in order") }
            guard rowID >= info.minimumRowID, rowID <= info.maximumRowID else {
                throw corrupt("row \(rowID) is outside the rowids of segment \(info.id)")
            }
            guard try segment.document(withRowID: rowID) == document else {
                throw corrupt("row \(rowID) is not found in segment \(info.id)")
            }
            previous = rowID
            // They add up to the row's length, or are too long, which throws.
            try segment.withColumnLengths { try segment.columnLengths(at: document, into: $0) }
            _ = try segment.fingerprint(at: document)
        }
    }

    private func checkTotals() throws {
        var totals = [Int64](repeating: 0, count: index.shape.columnCount)
        for live in snapshot.segments {
            try live.segment.withColumnLengths { lengths in
                for document in 0..<live.segment.documentCount where !live.isDeleted(document) {
                    try live.segment.columnLengths(at: document, into: lengths)
                    for column in totals.indices { totals[column] &+= Int64(lengths[column]) }
                }
            }
        }
        guard totals == snapshot.totalTokens else {
            throw corrupt("the rows have \(totals) tokens, the manifest says \(snapshot.totalTokens)")
        }
    }

    /// A row is in one segment only, apart from removed documents.
    private func checkRowIDs() throws {
        var sources: [LiveRows] = []
        for live in snapshot.segments {
            var rows = LiveRows(live)
            if try rows.next() { sources.append(rows) }
        }
        var previous: Int64?
        var count = 0
        while let least = sources.indices.min(by: { sources[$0].rowID < sources[$1].rowID }) {
            let rowID = sources[least].rowID
            guard rowID != previous else { throw corrupt("row \(rowID) is indexed twice") }
            previous = rowID
            if try !sources[least].next() { sources.remove(at: least) }
            count += 1
            if count % 65_536 == 0 { try index.store.checkInterruption() }
        }
    }

    /// The rows of a segment that have not been removed.
    private struct LiveRows {
        private let live: LiveSegment
        private var document = -1
        private(set) var rowID: Int64 = 0

        init(_ live: LiveSegment) { self.live = live }

        /// Moves to the next row; false if there is none.
        mutating func next() throws -> Bool {
            repeat { document += 1 } while document < live.segment.documentCount && live.isDeleted(document)
            guard document < live.segment.documentCount else { return false }
            rowID = try live.segment.rowID(at: document)
            return true
        }
    }
}

extension LiveSegment {
    fileprivate func isDeleted(_ document: Int) -> Bool { deletions.isDeleted(UInt32(truncatingIfNeeded: document)) }
}
