import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// A token of a model's document.
struct ModelToken: Hashable {
    var text: String
    var isColocated = false
}

/// A document of a model: the tokens of each column.
typealias ModelDocument = [[ModelToken]]

/// An index driven by hand the way that SQLite drives a virtual table, and what it must hold.
final class IndexHarness {
    let folder: TemporaryFolder
    let db: Database
    let index: InvertedIndex
    let shape: IndexShape

    /// What this connection must see.
    var documents: [Int64: ModelDocument] = [:]
    /// What the others must see.
    private(set) var committed: [Int64: ModelDocument] = [:]

    /// Another connection has committed.
    func adopt(_ documents: [Int64: ModelDocument]) {
        self.documents = documents
        committed = documents
    }

    private var savepoints: [(isKnown: Bool, documents: [Int64: ModelDocument])] = []
    private(set) var isInTransaction = false
    private var hasBegun = false

    static let prepare = "CREATE TABLE IF NOT EXISTS t_data(id INTEGER PRIMARY KEY, block BLOB)"

    /// Opens the index in a file, or creates it there.
    init(in folder: TemporaryFolder, shape: IndexShape, documents: [Int64: ModelDocument] = [:]) throws {
        self.shape = shape
        self.folder = folder
        db = try Database(path: folder["index.db"])
        try db.execute(sql: "PRAGMA synchronous = OFF")
        let isNew = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = 't_data'") == 0
        if isNew { try db.execute(sql: Self.prepare) }
        let store = try BlockStore(database: db, schema: "main", table: "t")
        if isNew { try InvertedIndex.create(store: store, shape: shape) }
        index = InvertedIndex(store: store, shape: shape)
        self.documents = documents
        committed = documents
    }

    // MARK: Transactions

    func begin() throws {
        try db.execute(sql: "BEGIN IMMEDIATE")
        isInTransaction = true
        hasBegun = false
        savepoints = []
    }

    func commit() throws {
        if hasBegun { try index.sync() }
        try db.execute(sql: "COMMIT")
        if hasBegun { index.commit() }
        isInTransaction = false
        committed = documents
    }

    func rollback() throws {
        // SQLite may have rolled back by itself.
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        if hasBegun { index.rollback() }
        isInTransaction = false
        documents = committed
    }

    var savepointCount: Int { savepoints.count }

    func savepoint() throws {
        // SQLite tells the table before the savepoint begins.
        if hasBegun { try index.savepoint(savepoints.count, isByStatement: false) }
        try db.execute(sql: "SAVEPOINT s\(savepoints.count)")
        savepoints.append((hasBegun, documents))
    }

    func release(_ number: Int) throws {
        if hasBegun { index.release(number) }
        try db.execute(sql: "RELEASE s\(number)")
        savepoints.removeSubrange(number...)
    }

    func rollback(to number: Int) throws {
        try db.execute(sql: "ROLLBACK TO s\(number)")
        // SQLite does not tell a table about savepoints before its `begin`, but it does tell it about going back to
        // one.
        if hasBegun { index.rollback(to: number) }
        savepoints.removeSubrange((number + 1)...)
        documents = savepoints[number].documents
    }

    /// Begins the table's part of the transaction, as SQLite does with the first change; it tells the table the
    /// innermost savepoint that is open then.
    private func touch() throws {
        guard !hasBegun else { return }
        hasBegun = true
        if let last = savepoints.indices.last { try index.savepoint(last, isByStatement: false) }
    }

    /// A statement by itself is a transaction.
    private func statement(_ body: () throws -> Void) throws {
        let isAlone = !isInTransaction
        if isAlone { try begin() }
        try touch()
        try body()
        if isAlone { try commit() }
    }

    // MARK: Rows

    static func fill(_ document: ModelDocument) -> (DocumentBuilder) -> Void {
        { builder in
            for (column, tokens) in document.enumerated() {
                for token in tokens {
                    Array(token.text.utf8).withUnsafeBufferPointer {
                        builder.add($0, column: column, isColocated: token.isColocated)
                    }
                }
            }
        }
    }

    func insert(_ rowID: Int64, _ document: ModelDocument) throws {
        try statement {
            try index.insert(rowID, Self.fill(document))
            documents[rowID] = document
        }
    }

    func delete(_ rowID: Int64, text: ModelDocument?) throws {
        try statement {
            let existed = try index.delete(rowID, oldText: text.map(Self.fill))
            #expect(existed == (documents[rowID] != nil))
            documents[rowID] = nil
        }
    }

    func deleteAll() throws {
        try statement {
            try index.deleteAll()
            documents = [:]
        }
    }

    func flush() throws {
        try statement { try index.flush() }
    }

    func merge(pages: Int) throws -> Bool {
        var hasWorked = false
        try statement { hasWorked = try index.merge(pages: pages) }
        return hasWorked
    }

    func optimize() throws {
        try statement { try index.optimize() }
    }

    /// What is wrong with the rowids that the index has, pending ones and those that are being encoded included; nil if they
    /// are correct.
    func differenceOfRowIDs() throws -> String? {
        for rowID in Int64(-3)...12 where try index.contains(rowID) != (documents[rowID] != nil) {
            return "row \(rowID) \(documents[rowID] == nil ? "exists" : "does not exist")"
        }
        let maximum = try index.maximumRowID()
        return maximum == documents.keys.max() ? nil : "the largest rowid is \(maximum.map(String.init) ?? "missing")"
    }

    /// What is wrong with the connection's view; nil if it is correct.
    func difference() throws -> String? {
        if let difference = try IndexModel(documents, shape: shape).difference(from: index.snapshot()) {
            return difference
        }
        do {
            let check = try IntegrityCheck(index)
            try check.run()
            for (rowID, document) in documents { try check.compare(rowID, Self.fill(document)) }
            try check.finishComparison()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return error.description
        }
        return nil
    }
}

/// What an index must say about documents, computed by the simplest means.
struct IndexModel {
    let shape: IndexShape
    let documents: [Int64: ModelDocument]
    /// Keys of the dictionary, rows, and the places where the term stands, ascending; of a prefix, those of each term.
    private(set) var postings: [[UInt8]: [Int64: [Position]]] = [:]
    private(set) var lengths: [Int64: [UInt32]] = [:]

    init(_ documents: [Int64: ModelDocument], shape: IndexShape) {
        self.shape = shape
        self.documents = documents
        for (rowID, document) in documents {
            lengths[rowID] = Array(repeating: 0, count: shape.columnCount)
            for (column, tokens) in document.enumerated() {
                var length: UInt32 = 0
                for token in tokens {
                    if !token.isColocated || length == 0 { length += 1 }
                    add(Array(token.text.utf8), rowID, Position(column: UInt32(column), offset: length - 1))
                }
                lengths[rowID]?[column] = length
            }
        }
    }

    private mutating func add(_ token: [UInt8], _ rowID: Int64, _ position: Position) {
        var keys = [[0] + token]
        for (list, characters) in shape.prefixes.enumerated() {
            let text = String(decoding: token, as: UTF8.self).unicodeScalars
            if text.count >= characters {
                keys.append([UInt8(1 + list)] + Array(String(String.UnicodeScalarView(text.prefix(characters))).utf8))
            }
        }
        guard postings[keys[0]]?[rowID]?.last != position else { return }
        for key in keys { postings[key, default: [:]][rowID, default: []].append(position) }
    }

    func difference(from snapshot: Snapshot) throws -> String? {
        guard snapshot.rowCount == documents.count else { return "\(snapshot.rowCount) rows, not \(documents.count)" }
        for column in 0..<shape.columnCount {
            let total = lengths.values.reduce(0) { $0 + Int64($1[column]) }
            guard snapshot.totalTokens[column] == total else {
                return "\(snapshot.totalTokens[column]) tokens in column \(column), not \(total)"
            }
        }
        return try differenceOfRows(snapshot) ?? differenceOfTerms(snapshot)
    }

    private func differenceOfRows(_ snapshot: Snapshot) throws -> String? {
        for rowID in documents.keys {
            guard let reference = try snapshot.find(rowID: rowID) else { return "row \(rowID) is missing" }
            guard try snapshot.rowID(reference) == rowID else { return "row \(rowID) has another rowid" }
            let segment = snapshot.segments[reference.segment].segment
            for column in 0..<shape.columnCount {
                let length = try segment.columnLength(at: Int(reference.document), column: column)
                if length != lengths[rowID]?[column] { return "row \(rowID) has \(length) tokens in column \(column)" }
            }
        }
        return nil
    }

    private func differenceOfTerms(_ snapshot: Snapshot) throws -> String? {
        var frequencies: [[UInt8]: Int] = [:]
        var found: [[UInt8]: [Int64: [Position]]] = [:]
        var columns: [[UInt8]: [Int64: [ColumnFrequency]]] = [:]
        for live in snapshot.segments {
            let cursor = try live.segment.makeTermCursor(from: [])
            while try cursor.next() {
                frequencies[cursor.key, default: 0] += try live.liveCount(cursor.entry)
                guard cursor.entry.count > 0 else { continue }
                var postings = try live.segment.postings(cursor.entry)
                while try postings.next() != PostingsCursor.exhausted {
                    guard !live.deletions.isDeleted(postings.document) else { continue }
                    let rowID = try live.segment.rowID(at: Int(postings.document))
                    var positions: [Position] = []
                    if shape.hasPositions, cursor.key[0] == 0 {
                        positions = try positionArray { try postings.readPositions(into: $0) }
                    }
                    found[cursor.key, default: [:]][rowID] = positions
                    var counts: [ColumnFrequency] = []
                    try postings.forEachColumn { counts.append(ColumnFrequency(column: $0, count: $1)) }
                    columns[cursor.key, default: [:]][rowID] = counts
                }
            }
        }
        // Runs of a transaction may have no lists yet.
        let hasLists = snapshot.segments.allSatisfy(\.segment.hasLists)
        for (key, rows) in postings where hasLists || key[0] == 0 {
            let name = "\(key[0]) \(String(decoding: key.dropFirst(), as: UTF8.self))"
            guard frequencies[key] == rows.count else {
                return "\(name) should be in \(frequencies[key] ?? 0) rows, and is in \(rows.count)"
            }
            guard let others = found[key], Set(others.keys) == Set(rows.keys) else { return "\(name): other rows" }
            for (rowID, positions) in rows {
                if shape.hasPositions, key[0] == 0, others[rowID] != positions {
                    return "\(name), row \(rowID): \(others[rowID] ?? []), not \(positions)"
                }
                let counts = Dictionary(grouping: positions, by: \.column).sorted { $0.key < $1.key }
                    .map { ColumnFrequency(column: $0.key, count: UInt32($0.value.count)) }
                if columns[key]?[rowID] != counts { return "\(name), row \(rowID): other frequencies" }
            }
        }
        for (key, frequency) in frequencies where postings[key] == nil && frequency != 0 && (hasLists || key[0] == 0) {
            return "\(key) is in no row, and should be in \(frequency)"
        }
        return nil
    }
}
