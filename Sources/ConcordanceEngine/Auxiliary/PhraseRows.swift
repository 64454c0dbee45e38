import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceText

/// The rows of a table that match one phrase of a query, with its columns and `^`: what `xQueryPhrase` visits.
struct PhraseRows {
    private let host: PhraseHost
    private let matches: MatchCursor

    /// - Throws: SQLITE_RANGE for a phrase that the query does not have.
    init(_ context: ExtensionContext, phrase: Int) throws {
        let phrases = context.phrases
        guard phrases.indices.contains(phrase) else { throw ExtensionContext.outOfRange }
        let query = try BoundQuery(QueryExpression(phrases[phrase]), snapshot: try context.host.snapshot)
        host = PhraseHost(context.host, query: query, snapshot: try context.host.snapshot)
        matches = try query.makeMatches(descending: false, rowIDs: .min ... .max)
    }

    /// Calls `body` with the extension API and a context for each row, in the order of rowids, until it returns anything
    /// but SQLITE_OK.
    ///
    /// - Returns: What it returned; SQLITE_OK for SQLITE_DONE, which ends it without an error.
    func forEach(_ body: (UnsafePointer<Fts5ExtensionApi>, OpaquePointer) -> Int32) throws -> Int32 {
        let context = ExtensionContext(host: host)
        defer { withExtendedLifetime(host) { context.reset() } }
        let pointer = OpaquePointer(Unmanaged.passUnretained(context).toOpaque())
        while try matches.next() {
            host.document = matches.document
            host.row = matches.rowID
            context.rowDidChange()
            let code = body(ExtensionFunctions.api, pointer)
            if code != SQLITE_OK { return code == SQLITE_DONE ? SQLITE_OK : code }
        }
        return SQLITE_OK
    }
}

extension QueryExpression {
    /// The phrase alone.
    init(_ phrase: QueryPhrase) {
        let group = NearGroup(phrases: [0], distance: 0, columns: phrase.columns)
        self.init(root: phrase.terms.isEmpty ? nil : .near(group), phrases: [phrase])
    }
}

/// A row of a table, found by a query other than its cursor's.
private final class PhraseHost: AuxiliaryHost {
    private let table: any AuxiliaryHost
    let query: BoundQuery?
    let snapshot: Snapshot
    var document = DocumentReference(segment: 0, document: 0)
    var row: Int64 = 0
    private var texts: (any RowTexts)?

    init(_ table: any AuxiliaryHost, query: BoundQuery, snapshot: Snapshot) {
        self.table = table
        self.query = query
        self.snapshot = snapshot
    }

    var connection: OpaquePointer { table.connection }
    var options: TableOptions { table.options }
    var tokenizer: any Tokenizer { table.tokenizer }

    func rowID() throws -> Int64 { row }

    func findDocument() throws -> DocumentReference? { document }

    func columnText(_ column: Int) throws -> UnsafeBufferPointer<UInt8>? {
        let texts = try texts ?? table.makeRowTexts()
        self.texts = texts
        return try texts.text(ofColumn: column, rowID: row)
    }

    func makeRowTexts() throws -> any RowTexts { try table.makeRowTexts() }

    /// For rows of a phrase only callbacks of functions are called, not the functions.
    func score(with scorer: DocumentScorer, inPlaceOf function: AuxiliaryFunction) {}
}
