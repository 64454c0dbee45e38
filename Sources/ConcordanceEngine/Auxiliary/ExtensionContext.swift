import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// What `Fts5Context` is to an auxiliary function that is called for a cursor of ours: the cursor's row, counted and
/// located once a row, and the data that functions keep for the query.
///
/// The cursor owns it, tells it of each row, and outlives it.
final class ExtensionContext {
    unowned(unsafe) let host: any AuxiliaryHost
    /// The function that is running.
    @exclusivity(unchecked) private(set) var function: AuxiliaryFunction?
    @exclusivity(unchecked) private var data: [FunctionData] = []

    /// Where the phrases stand in the row; loaded when they are first asked for.
    let instances = RowInstances()
    @exclusivity(unchecked) private var hasInstances = false
    /// The columns that the phrases stand in, where the index has them without positions.
    let columns = RowInstances()
    @exclusivity(unchecked) private var hasColumns = false
    private var columnSizes: [Int32] = []
    /// The tokens that functions were given, which stay until the query ends, as those of FTS5.
    let tokens = GivenTokens()
    /// What phrases of the query have in all rows, where `matchinfo` asked.
    var phraseTotals: [Int: [PhraseTotal]] = [:]
    @exclusivity(unchecked) private var hasColumnSizes = false

    /// What a function keeps for the running query.
    private struct FunctionData {
        let function: AuxiliaryFunction
        var pointer: UnsafeMutableRawPointer?
        var destroy: ExtensionRegistry.Destructor?
    }

    init(host: any AuxiliaryHost) { self.host = host }

    deinit { reset() }

    /// The cursor moved to another row.
    @inline(__always)
    func rowDidChange() {
        hasInstances = false
        hasColumns = false
        hasColumnSizes = false
    }

    /// The cursor begins another query, or ends.
    func reset() {
        rowDidChange()
        tokens.removeAll()
        phraseTotals.removeAll()
        // A destructor may be anybody's code, so what it could see is gone by then.
        let data = data
        self.data = []
        for item in data { item.destroy?(item.pointer) }
    }

    /// Calls an auxiliary function for the row, which leaves its result or an error in `result`.
    func call(
        _ function: AuxiliaryFunction, _ arguments: UnsafeBufferPointer<OpaquePointer?>, into result: ResultContext
    ) {
        let caller = self.function
        self.function = function
        defer { self.function = caller }
        function.function(
            ExtensionFunctions.api, OpaquePointer(Unmanaged.passUnretained(self).toOpaque()), result.pointer,
            Int32(clamping: arguments.count), UnsafeMutablePointer(mutating: arguments.baseAddress))
    }

    /// The context behind the pointer that a function was given.
    @inline(__always)
    static func of(_ pointer: OpaquePointer) -> ExtensionContext {
        Unmanaged<ExtensionContext>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// What to return to a C function for a method that may throw: the error waits for the statement to throw it.
    @inline(__always)
    func code(_ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return SQLITE_OK
        } catch {
            Database.setPendingCallbackError(error, on: host.connection)
            return callbackCode(error)
        }
    }

    // MARK: The table

    var columnCount: Int { host.options.columns.count }

    /// How many rows the table has.
    ///
    /// - Throws: SQLITE_CORRUPT_VTAB where it has none, since then there is no row that a function could be called for.
    func rowCount() throws -> Int {
        let count = try host.snapshot.rowCount
        guard count > 0 else { throw corrupt("the index has no rows, and the content has") }
        return count
    }

    /// How many tokens the table has in a column, or, for a negative number, in all.
    func totalSize(ofColumn column: Int) throws -> Int64 {
        let totals = try host.snapshot.totalTokens
        if column < 0 { return totals.reduce(0, &+) }
        guard totals.indices.contains(column) else { throw ExtensionContext.outOfRange }
        return totals[column]
    }

    static let outOfRange = DatabaseError(
        resultCode: .SQLITE_RANGE, message: "column index out of range")

    // MARK: The row

    /// How many tokens the row has in a column, or, for a negative number, in all.
    func size(ofColumn column: Int) throws -> Int32 {
        if !hasColumnSizes {
            try loadColumnSizes()
            hasColumnSizes = true
        }
        if column < 0 { return columnSizes.reduce(0, &+) }
        guard columnSizes.indices.contains(column) else { throw ExtensionContext.outOfRange }
        return columnSizes[column]
    }

    /// As in FTS5, the sizes are 0 in a scan, whose rows the index need not have, and not known, -1, where the table
    /// stores neither them nor texts.
    private func loadColumnSizes() throws {
        let options = host.options
        guard host.query != nil else {
            columnSizes = options.columns.map { _ in 0 }
            return
        }
        guard options.storesColumnSizes || options.content != .none else {
            columnSizes = options.columns.map { $0.isIndexed ? -1 : 0 }
            return
        }
        let document = try indexedDocument()
        let segment = try host.snapshot.segments[document.segment].segment
        columnSizes.removeAll(keepingCapacity: true)
        for column in 0..<options.columns.count {
            let length = try segment.columnLength(at: Int(document.document), column: column)
            columnSizes.append(Int32(clamping: length))
        }
    }

    /// How many tokens the row has in all columns, in one step.
    func length() throws -> Int32 {
        let options = host.options
        guard host.query != nil, options.storesColumnSizes || options.content != .none else {
            return try size(ofColumn: -1)
        }
        let document = try indexedDocument()
        return Int32(
            clamping: try host.snapshot.segments[document.segment].segment.length(at: Int(document.document)))
    }

    /// The document of the row.
    ///
    /// - Throws: SQLITE_CORRUPT_VTAB where the index has none.
    func indexedDocument() throws -> DocumentReference {
        guard let document = try host.findDocument() else {
            throw corrupt("the content has row \(try host.rowID()), and the index has not")
        }
        return document
    }

    /// The text of a column; nil for NULL, without content, and for a column that there is not.
    func text(ofColumn column: Int) throws -> UnsafeBufferPointer<UInt8>? {
        guard host.options.hasTexts, host.options.columns.indices.contains(column) else { return nil }
        return try host.columnText(column)
    }

    // MARK: The query and its matches

    /// The phrases of the query; none in a scan.
    var phrases: [QueryPhrase] { host.query?.expression.phrases ?? [] }

    var phraseCount: Int { host.query?.expression.phrases.count ?? 0 }

    /// How many tokens a phrase has; 0 for one that there is not.
    func size(ofPhrase phrase: Int) -> Int {
        guard let phrases = host.query?.expression.phrases, phrases.indices.contains(phrase) else { return 0 }
        return phrases[phrase].terms.count
    }

    /// Makes `instances` those of the row.
    func loadInstances() throws {
        if hasInstances { return }
        try InstanceFinder(self).find(into: instances)
        hasInstances = true
    }

    /// Makes `columns` those of the row, one position each.
    func loadColumns() throws {
        if hasColumns { return }
        try InstanceFinder(self).findColumns(into: columns)
        hasColumns = true
    }

    // MARK: Data of functions

    /// Replaces what the running function keeps, and destroys what it kept.
    func setData(_ pointer: UnsafeMutableRawPointer?, destroy: ExtensionRegistry.Destructor?) {
        guard let function else {
            destroy?(pointer)
            return
        }
        let new = FunctionData(function: function, pointer: pointer, destroy: destroy)
        if let index = data.firstIndex(where: { $0.function === function }) {
            let old = data[index]
            data[index] = new
            old.destroy?(old.pointer)
        } else {
            data.append(new)
        }
    }

    /// What the running function keeps; from then on its own to destroy where `clearing`.
    @inline(__always)
    func data(clearing: Bool) -> UnsafeMutableRawPointer? {
        guard let index = data.firstIndex(where: { $0.function === function }) else { return nil }
        let pointer = data[index].pointer
        if clearing {
            data[index].pointer = nil
            data[index].destroy = nil
        }
        return pointer
    }
}
