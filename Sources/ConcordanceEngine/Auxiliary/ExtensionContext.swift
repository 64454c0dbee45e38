import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// What `Fts5Context` is for an auxiliary function that is called for a cursor of ours: the cursor's row, counted and
/// located at most once, and the data that functions keep for the query.
///
/// The cursor owns it, notifies it of each row, and outlives it.
final class ExtensionContext {
    unowned(unsafe) let host: any AuxiliaryHost
    /// The function that is running.
    @exclusivity(unchecked) private(set) var function: AuxiliaryFunction?
    @exclusivity(unchecked) private var data: [FunctionData] = []

    /// Where the phrases occur in the row; loaded when first needed.
    let instances = RowInstances()
    @exclusivity(unchecked) private var hasInstances = false
    /// The columns in which the phrases occur, if the index stores columns without positions.
    let columns = RowInstances()
    @exclusivity(unchecked) private var hasColumns = false
    private var columnSizes: [Int32] = []
    /// The tokens that functions have received, which stay until the query ends, as those of FTS5 do.
    let tokens = GivenTokens()
    /// The hits of the query's phrases in all rows, if `matchinfo` asked for them.
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
        // A destructor may be any code, so everything that it could see is gone by then.
        let data = data
        self.data = []
        for item in data { item.destroy?(item.pointer) }
    }

    /// Calls an auxiliary function for the row, which puts its value or an error into `result`.
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

    /// The context behind the pointer that a function received.
    @inline(__always)
    static func of(_ pointer: OpaquePointer) -> ExtensionContext {
        Unmanaged<ExtensionContext>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// The code that a C function gets from a method that may throw. The error is kept, and the statement throws it.
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
    /// - Throws: SQLITE_CORRUPT_VTAB if it has none, as then there is no row for which a function could be called.
    func rowCount() throws -> Int {
        let count = try host.snapshot.rowCount
        guard count > 0 else { throw corrupt("the content has rows, but the index has none") }
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

    /// As in FTS5, the sizes are 0 in a scan, whose rows need not be in the index, and unknown, -1, if the table stores
    /// neither sizes nor texts.
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
    /// - Throws: SQLITE_CORRUPT_VTAB if the index has none.
    func indexedDocument() throws -> DocumentReference {
        guard let document = try host.findDocument() else {
            throw corrupt("row \(try host.rowID()) is in the content, but not in the index")
        }
        return document
    }

    /// The text of a column; nil for NULL, in a table without content, and for a column that does not exist.
    func text(ofColumn column: Int) throws -> UnsafeBufferPointer<UInt8>? {
        guard host.options.hasTexts, host.options.columns.indices.contains(column) else { return nil }
        return try host.columnText(column)
    }

    // MARK: The query and its matches

    /// The phrases of the query; none in a scan.
    var phrases: [QueryPhrase] { host.query?.expression.phrases ?? [] }

    var phraseCount: Int { host.query?.expression.phrases.count ?? 0 }

    /// How many tokens a phrase has; 0 for a phrase that does not exist.
    func size(ofPhrase phrase: Int) -> Int {
        guard let phrases = host.query?.expression.phrases, phrases.indices.contains(phrase) else { return 0 }
        return phrases[phrase].terms.count
    }

    /// Loads the `instances` of the row.
    func loadInstances() throws {
        if hasInstances { return }
        try InstanceFinder(self).find(into: instances)
        hasInstances = true
    }

    /// Loads the `columns` of the row, one position each.
    func loadColumns() throws {
        if hasColumns { return }
        try InstanceFinder(self).findColumns(into: columns)
        hasColumns = true
    }

    // MARK: Data of functions

    /// Replaces the data that the running function keeps, and destroys the previous data.
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

    /// The data that the running function keeps. With `clearing`, the function becomes responsible for destroying it.
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
