import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("The integrity check")
struct IntegrityCheckTests {
    private static let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [1])

    private static func document(_ text: String) -> ModelDocument {
        [text.split(separator: " ").map { ModelToken(text: String($0)) }]
    }

    private static func harness() throws -> IndexHarness {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        try harness.begin()
        for rowID in Int64(1)...40 { try harness.insert(rowID, document("common word\(rowID) w\(rowID % 3)")) }
        try harness.commit()
        try harness.delete(3, text: document("common word3 w0"))
        try harness.insert(50, document("common other"))
        return harness
    }

    private static func problem(_ harness: IndexHarness, texts: [Int64: ModelDocument] = [:]) -> String? {
        do {
            // Another connection, which has nothing in its cache.
            let other = try IndexHarness(in: harness.folder, shape: harness.shape)
            let check = try IntegrityCheck(other.index)
            try check.run()
            for (rowID, document) in texts { try check.compare(rowID, IndexHarness.fill(document)) }
            if !texts.isEmpty { try check.finishComparison() }
            return nil
        } catch {
            guard (error as? DatabaseError)?.extendedResultCode == .SQLITE_CORRUPT_VTAB else { return "\(error)" }
            return (error as? DatabaseError)?.message ?? ""
        }
    }

    @Test
    func `finds nothing wrong with a sound index`() throws {
        let harness = try Self.harness()
        #expect(Self.problem(harness, texts: harness.documents) == nil)
    }

    /// What is done to the index, and the end of the sentence that says so.
    enum Damage: String, CaseIterable {
        case strayRow = "belongs to no segment"
        case rowBeforeSegments = "belongs to nothing"
        case missingPage = "is missing"
        case totals = "the manifest says"
        case droppedSegment = "should be in"
        case missingTombstones = "removed documents, not"
        case twice = "is indexed twice"
        case wrongAdjustment = "rows, and is in"
        case wrongPrefix = "is not the union of its terms"
        case missingPrefix = "terms, not"
        case positionBehindEnd = "has a position after the end of its column"
    }

    @Test(arguments: Damage.allCases)
    func `finds damage that every checksum passes`(damage: Damage) throws {
        let harness = try Self.harness()
        try Self.inflict(damage, on: harness)
        let problem = Self.problem(harness)
        #expect(problem?.contains(damage.rawValue) == true, "\(damage): \(problem ?? "nothing")")
    }

    private static func inflict(_ damage: Damage, on harness: IndexHarness) throws {
        let index = harness.index
        let store = index.store
        func write(_ id: Int64, _ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try store.write(id, $0) } }
        let first = try #require(try index.manifest().segments.first)
        try harness.begin()
        switch damage {
        case .strayRow: try write(BlockStore.id(segment: 900, stream: 1, page: 1), [1, 2])
        case .rowBeforeSegments: try write(77, [1, 2])
        case .missingPage: try store.delete(BlockStore.ids(ofSegment: first.info.id))
        case .totals: try change(index) { $0.totalTokens[0] += 1 }
        case .droppedSegment:
            // The one that has only adjustments.
            let dropped = try #require(try index.manifest().segments.first { $0.info.documentCount == 0 })
            try store.delete(BlockStore.ids(ofSegment: dropped.info.id))
            try change(index) { $0.segments.removeAll { $0 == dropped } }
        case .missingTombstones:
            try store.delete(BlockStore.ids(ofSegment: first.info.id, stream: Deletions.stream))
        case .twice: try add(to: index, rowID: 5)
        case .wrongAdjustment: try add(to: index, adjustment: -1)
        case .wrongPrefix: try add(to: index, prefix: "t")
        case .missingPrefix: try add(to: index, prefix: nil)
        case .positionBehindEnd: try add(to: index, offset: 9)
        }
        try harness.commit()
    }

    private static func change(_ index: InvertedIndex, _ body: (inout Manifest) throws -> Void) throws {
        try index.beginWriting()
        try index.write { try index.change(body) }
        index.commit()
    }

    /// Adds a segment of one row with the one word "stray", which has something wrong with it.
    private static func add(
        to index: InvertedIndex, rowID: Int64 = 99, adjustment: Int = 0, prefix: String? = "s", offset: UInt32 = 0
    ) throws {
        try change(index) { manifest in
            let id = try index.makeSegmentID()
            let writer = SegmentWriter(id: id, shape: shape, store: index.store)
            try withUnsafePointer(to: 1) {
                try writer.addDocument(
                    rowID: rowID, columnLengths: UnsafeBufferPointer(start: $0, count: 1), fingerprint: 0)
            }
            Array("\0stray".utf8).withUnsafeBufferPointer { writer.beginTerm($0) }
            try writer.addPosting(document: 0) { columns, differences in
                columns.append(ColumnFrequency(column: 0, count: 1))
                differences.append(offset)
            }
            try writer.endTerm(adjustment: adjustment)
            if let prefix {
                ([1] + Array(prefix.utf8)).withUnsafeBufferPointer { writer.beginTerm($0) }
                try writer.addPosting(document: 0) { columns, _ in
                    columns.append(ColumnFrequency(column: 0, count: 1))
                }
                try writer.endTerm(adjustment: 0)
            }
            manifest.segments.append(Manifest.Entry(info: try writer.finish(), stamp: 1))
            manifest.nextSegment = id + 1
            manifest.rowCount += 1
            manifest.totalTokens[0] += 1
        }
    }

    @Test(arguments: [1, 7, 40, PrefixCheck.windowLimit])
    func `lists of prefixes are checked in windows of documents`(limit: Int) throws {
        func check(_ harness: IndexHarness) throws {
            for live in try harness.index.snapshot().segments {
                try PrefixCheck(live.segment, list: 0, limit: limit).run()
            }
        }
        try check(Self.harness())
        for damage in [Damage.wrongPrefix, .missingPrefix] {
            let harness = try Self.harness()
            try Self.inflict(damage, on: harness)
            #expect(throws: DatabaseError.self) { try check(harness) }
        }
    }

    /// The first character of one may be the beginning of that of another.
    @Test func `terms that are not UTF-8 are in the lists of their prefixes`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, tokenize=ascii, prefix='1 2');
                INSERT INTO t VALUES (CAST(X'C3A97820C3A9A97820C3A9C37820C3A9A9C378' AS TEXT));
                INSERT INTO t(t) VALUES ('integrity-check')
                """)
    }

    @Test
    func `finds that the texts have changed`() throws {
        let harness = try Self.harness()
        let changes: [(Int64, ModelDocument?)] = [
            (7, Self.document("common word8 w1")), (7, Self.document("w1 word7 common")), (7, nil),
            (90, Self.document("common")),
        ]
        for (rowID, document) in changes {
            var texts = harness.documents
            texts[rowID] = document
            #expect(Self.problem(harness, texts: texts) != nil, "row \(rowID): \(String(describing: document))")
        }
    }

    @Test
    func `damage to any byte of the manifest is reported`() throws {
        let harness = try Self.harness()
        let block = try #require(try harness.index.store.uncachedBlock(Manifest.rowID))
        let sound = Array(block.bytes)
        for offset in sound.indices {
            for value in [0, 1, 127, 128, 255] as [UInt8] where sound[offset] != value {
                var bytes = sound
                bytes[offset] = value
                // Either it is not a manifest, or it belongs to another index.
                let manifest = try? bytes.withUnsafeBytes { try Manifest($0, shape: Self.shape) }
                guard let manifest else { continue }
                #expect(manifest.encode(shape: Self.shape).count <= sound.count + 16, "byte \(offset)")
            }
            let cut = Array(sound[..<offset])
            #expect(throws: DatabaseError.self) { try cut.withUnsafeBytes { try Manifest($0, shape: Self.shape) } }
        }
    }

    @Test
    func `a manifest that claims more bytes than possible is damage`() throws {
        let harness = try Self.harness()
        var manifest = try harness.index.manifest()
        #expect(manifest.segments.count > 1)
        for size in [SegmentInfo.maximumByteCount, SegmentInfo.maximumByteCount + 1, .max] {
            for index in manifest.segments.indices { manifest.segments[index].info.byteCount = size }
            try manifest.encode(shape: Self.shape).withUnsafeBytes { try harness.index.store.write(Manifest.rowID, $0) }
            let other = InvertedIndex(store: harness.index.store, shape: Self.shape)
            #expect(throws: DatabaseError.self, "\(size) bytes") { try other.manifest() }
        }
    }

    /// A bitmap of the removed documents of each of them would take 256 GB in all.
    @Test
    func `a small file asks for little memory, however many documents its manifest claims`() throws {
        let harness = try Self.harness()
        let store = harness.index.store
        for bytes in [100, 6 * SegmentInfo.maximumDocumentCount] {
            var manifest = try harness.index.manifest()
            manifest.segments = (UInt32(1)...1000).map { id in
                let info = SegmentInfo(
                    id: id, documentCount: SegmentInfo.maximumDocumentCount, minimumRowID: 1,
                    maximumRowID: Int64(SegmentInfo.maximumDocumentCount), byteCount: bytes, level: 0)
                return Manifest.Entry(info: info, stamp: 1, deletedCount: 1, deletionStamp: 1)
            }
            manifest.nextSegment = 1001
            manifest.rowCount = manifest.segments.reduce(0) { $0 + $1.liveCount }
            try manifest.encode(shape: Self.shape).withUnsafeBytes { try store.write(Manifest.rowID, $0) }
            let other = InvertedIndex(store: store, shape: Self.shape)
            let error = #expect(throws: DatabaseError.self, "\(bytes) bytes") { try other.manifest() }
            #expect(error?.extendedResultCode == .SQLITE_CORRUPT_VTAB, "\(bytes) bytes")
        }
    }

    @Test
    func `an index may be as large as its database and no larger`() throws {
        let harness = try Self.harness()
        try harness.db.execute(sql: "CREATE TABLE other(x); INSERT INTO other VALUES (zeroblob(3000000))")
        let size = try #require(
            try Int.fetchOne(
                harness.db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"))
        try harness.index.store.checkSize(size)
        #expect(throws: DatabaseError.self) { try harness.index.store.checkSize(size + 1) }
    }

    /// Each length used to be asked for by itself, which reads all columns before it.
    @Test func `a table of many columns is checked in time in proportion to them`() throws {
        let shape = IndexShape(columnCount: 2000, hasPositions: true, prefixes: [])
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        let empty = ModelDocument(repeating: [], count: 2000)
        let seconds = try ProcessorTime.seconds {
            try harness.begin()
            for rowID in Int64(1)...120 {
                var document = empty
                document[Int(rowID) * 16] = [ModelToken(text: "one")]
                try harness.insert(rowID, document)
            }
            try harness.commit()
            #expect(Self.problem(harness, texts: harness.documents) == nil)
            try harness.begin()
            for rowID in Int64(1)...100 { try harness.delete(rowID, text: harness.documents[rowID]) }
            try harness.commit()
            #expect(Self.problem(harness, texts: harness.documents) == nil)
        }
        #expect(seconds < 60)
    }
}
