import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// What FTS5 tells an auxiliary function about the row, the query, and its matches in the row
/// (https://www.sqlite.org/fts5.html#custom_auxiliary_functions_api_reference).
///
/// A context is valid until the function, or the closure that received it, returns; any later use throws
/// `FTS5Error.auxiliaryContextExpired`. Columns and phrases are numbered from zero, phrases in the order of the query.
public final class FTS5AuxiliaryContext {
    private let api: UnsafePointer<Fts5ExtensionApi>
    private var fts: OpaquePointer?
    private let connection: OpaquePointer?

    init(_ api: UnsafePointer<Fts5ExtensionApi>, _ fts: OpaquePointer, connection: OpaquePointer?) {
        self.api = api
        self.fts = fts
        self.connection = connection
    }

    func expire() { fts = nil }

    /// A place where a phrase of the query matches.
    public struct Instance: Hashable, Sendable {
        /// The number of the phrase in the query.
        public var phrase: Int
        /// The number of the column in the table.
        public var column: Int
        /// The number of the phrase's first token in the column, from zero.
        public var offset: Int
    }

    // MARK: The table

    /// The number of columns of the table.
    public var columnCount: Int {
        get throws { Int(api.pointee.xColumnCount?(try valid()) ?? 0) }
    }

    /// The number of rows of the table.
    public var rowCount: Int64 {
        get throws {
            var count: Int64 = 0
            try check(api.pointee.xRowCount?(try valid(), &count))
            return count
        }
    }

    /// Returns the number of tokens of the table in a column or, for nil, in all columns.
    public func totalTokenCount(column: Int? = nil) throws -> Int64 {
        var count: Int64 = 0
        try check(api.pointee.xColumnTotalSize?(try valid(), try number(of: column), &count))
        return count
    }

    // MARK: The row

    /// The rowid of the row.
    public var rowID: Int64 {
        get throws { api.pointee.xRowid?(try valid()) ?? 0 }
    }

    /// Returns the number of tokens of the row in a column or, for nil, in all columns.
    public func tokenCount(column: Int? = nil) throws -> Int {
        var count: Int32 = 0
        try check(api.pointee.xColumnSize?(try valid(), try number(of: column), &count))
        return Int(count)
    }

    /// Returns the text of a column; empty for NULL and in contentless tables.
    public func text(column: Int) throws -> String {
        try withText(column: column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the text of a column as bytes, which are valid until it returns.
    public func withText<Value>(column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value) throws -> Value {
        var text: UnsafePointer<CChar>?
        var count: Int32 = 0
        try check(api.pointee.xColumnText?(try valid(), try number(of: column), &text, &count))
        guard let text, count > 0 else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        return try text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            try body(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    /// Calls `body` with each token that the table's tokenizer finds in `text`; stops at the first error and throws it.
    public func forEachToken(in text: UnsafeBufferPointer<UInt8>, _ body: (Token) throws -> Void) throws {
        let tokenizer = TableTokenizer(api, try valid())
        try tokenizer.forEachToken(in: text, for: .auxiliary, body)
        try check(tokenizer.code)
    }

    /// Returns the tokens that the table's tokenizer finds in `text`.
    public func tokens(in text: String) throws -> [TokenCopy] {
        var tokens: [TokenCopy] = []
        var text = text
        try text.withUTF8 { utf8 in
            try forEachToken(in: utf8) { token in
                tokens.append(
                    TokenCopy(
                        token.text, range: token.range, position: token.position, isColocated: token.isColocated))
            }
        }
        return tokens
    }

    // MARK: The query and its matches

    /// The number of phrases of the query; a single token is a phrase of one.
    public var phraseCount: Int {
        get throws { Int(api.pointee.xPhraseCount?(try valid()) ?? 0) }
    }

    /// Returns the number of tokens of a phrase of the query.
    public func phraseSize(_ phrase: Int) throws -> Int {
        Int(api.pointee.xPhraseSize?(try valid(), try number(ofPhrase: phrase)) ?? 0)
    }

    /// The number of places in the row where a phrase of the query matches.
    public var instanceCount: Int {
        get throws {
            var count: Int32 = 0
            try check(api.pointee.xInstCount?(try valid(), &count))
            return Int(count)
        }
    }

    /// Returns the match with that number, in the order of columns and offsets.
    public func instance(_ index: Int) throws -> Instance {
        guard index >= 0, index < (try instanceCount) else {
            throw FTS5Error.indexOutOfRange("match", index: index)
        }
        var phrase: Int32 = 0
        var column: Int32 = 0
        var offset: Int32 = 0
        try check(api.pointee.xInst?(try valid(), Int32(clamping: index), &phrase, &column, &offset))
        return Instance(phrase: Int(phrase), column: Int(column), offset: Int(offset))
    }

    /// Calls `body` with each place in the row where a phrase matches, which is faster than `instance(_:)`.
    public func forEachPosition(ofPhrase phrase: Int, _ body: (_ column: Int, _ offset: Int) throws -> Void) throws {
        var iterator = Fts5PhraseIter()
        var column: Int32 = 0
        var offset: Int32 = 0
        try check(
            api.pointee.xPhraseFirst?(try valid(), try number(ofPhrase: phrase), &iterator, &column, &offset))
        while column >= 0 {
            try body(Int(column), Int(offset))
            api.pointee.xPhraseNext?(try valid(), &iterator, &column, &offset)
        }
    }

    /// Returns the columns of the row in which a phrase matches.
    public func columns(withPhrase phrase: Int) throws -> [Int] {
        var columns: [Int] = []
        var iterator = Fts5PhraseIter()
        var column: Int32 = 0
        try check(api.pointee.xPhraseFirstColumn?(try valid(), try number(ofPhrase: phrase), &iterator, &column))
        while column >= 0 {
            columns.append(Int(column))
            api.pointee.xPhraseNextColumn?(try valid(), &iterator, &column)
        }
        return columns
    }

    /// Calls `body` with the context of each row of the table that matches a phrase of the query, until it returns
    /// false. In that context, the phrase is the only one, number zero.
    public func forEachRow(
        matchingPhrase phrase: Int, _ body: (FTS5AuxiliaryContext) throws -> Bool
    ) throws {
        try withoutActuallyEscaping(body) { body in
            var visit = Visit(body: body, connection: connection)
            let code = try withUnsafeMutablePointer(to: &visit) { visit in
                api.pointee.xQueryPhrase?(try valid(), try number(ofPhrase: phrase), visit) { api, fts, visit in
                    guard let api, let fts, let visit else { return SQLITE_MISUSE }
                    return visit.assumingMemoryBound(to: Visit.self).pointee.receive(api, fts)
                }
            }
            if let error = visit.error { throw error }
            try check(code)
        }
    }

    private struct Visit {
        let body: (FTS5AuxiliaryContext) throws -> Bool
        let connection: OpaquePointer?
        var error: (any Error)?

        mutating func receive(_ api: UnsafePointer<Fts5ExtensionApi>, _ fts: OpaquePointer) -> Int32 {
            let context = FTS5AuxiliaryContext(api, fts, connection: connection)
            defer { context.expire() }
            do {
                return try body(context) ? SQLITE_OK : SQLITE_DONE
            } catch {
                self.error = error
                return SQLITE_ERROR
            }
        }
    }

    // MARK: The function's own data

    /// Returns the value that `create` returned when the function was called for the first row of the running query, so
    /// its cost is paid once per query.
    public func auxiliaryData<Value>(_ type: Value.Type = Value.self, create: () throws -> Value) throws -> Value {
        if let pointer = api.pointee.xGetAuxdata?(try valid(), 0),
            let value = Unmanaged<DataBox>.fromOpaque(pointer).takeUnretainedValue().value as? Value
        {
            return value
        }
        let value = try create()
        try setAuxiliaryData(value)
        return value
    }

    /// Replaces the value that `auxiliaryData(_:create:)` returns for the next rows of the running query.
    public func setAuxiliaryData<Value>(_ value: Value) throws {
        let fts = try valid()
        try check(
            api.pointee.xSetAuxdata?(fts, Unmanaged.passRetained(DataBox(value)).toOpaque()) {
                if let box = $0 { Unmanaged<DataBox>.fromOpaque(box).release() }
            })
    }

    private final class DataBox {
        let value: Any

        init(_ value: Any) { self.value = value }
    }

    // MARK: Checks

    private func valid() throws(FTS5Error) -> OpaquePointer {
        guard let fts else { throw .auxiliaryContextExpired }
        return fts
    }

    /// FTS5's number of a column: -1 for all.
    private func number(of column: Int?) throws -> Int32 {
        guard let column else { return -1 }
        guard column >= 0, column < (try columnCount) else {
            throw FTS5Error.indexOutOfRange("column", index: column)
        }
        return Int32(clamping: column)
    }

    /// For a phrase that does not exist, FTS5 itself would read beyond its array.
    private func number(ofPhrase phrase: Int) throws -> Int32 {
        guard phrase >= 0, phrase < (try phraseCount) else {
            throw FTS5Error.indexOutOfRange("phrase", index: phrase)
        }
        return Int32(clamping: phrase)
    }

    /// Throws the error that a tokenizer threw meanwhile, or SQLite's error. A missing function means that SQLite is
    /// too old.
    private func check(_ code: Int32?) throws {
        guard let code else {
            throw FTS5Error.unsupported(feature: "this part of the auxiliary function API", requires: "a later SQLite")
        }
        if code == SQLITE_OK { return }
        guard let connection else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        throw try Database.from(connection).error(code)
    }
}

/// The tokenizer of the table that an auxiliary function is called for.
private final class TableTokenizer: Tokenizer {
    private let api: UnsafePointer<Fts5ExtensionApi>
    private let fts: OpaquePointer
    private(set) var code: Int32 = SQLITE_OK

    init(_ api: UnsafePointer<Fts5ExtensionApi>, _ fts: OpaquePointer) {
        self.api = api
        self.fts = fts
    }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        guard text.count > 0 else { return SQLITE_OK }
        code = text.withMemoryRebound(to: CChar.self) {
            api.pointee.xTokenize?(
                fts, $0.baseAddress, Int32(clamping: $0.count), sink.context, sink.callback) ?? SQLITE_MISUSE
        }
        return code
    }
}
