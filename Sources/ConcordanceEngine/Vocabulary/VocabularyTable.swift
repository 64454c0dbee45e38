import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// What is in the index of a full-text table: the module `concordancevocab`, which is to tables of ours what `fts5vocab`
/// is to FTS5's (https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module), messages included.
///
///     CREATE VIRTUAL TABLE v USING concordancevocab(t, row)
///     CREATE VIRTUAL TABLE temp.v USING concordancevocab(main, t, instance)
final class VocabularyTable: VirtualTable {
    /// What a row stands for.
    enum Kind: String {
        /// A term: in how many rows it is, and how often.
        case row
        /// A term in a column.
        case column = "col"
        /// A term at a place.
        case instance
    }

    typealias Context = ExtensionRegistry

    static let moduleName = "concordancevocab"

    let connection: OpaquePointer
    let registry: ExtensionRegistry
    let kind: Kind
    private let schema: String
    private let table: String
    /// Whether the table is being looked for: if that asks this vocabulary, it is defined by itself.
    private var isSearching = false

    init(connecting request: VirtualTableRequest<ExtensionRegistry>) throws {
        connection = try request.database.sqliteConnection
        registry = request.context
        var arguments = request.arguments
        let namesSchema = arguments.count == 3 && request.databaseName == "temp"
        guard namesSchema || arguments.count == 2, let type = arguments.popLast()?.dequoted,
            let table = arguments.popLast()?.dequoted
        else { throw failure("wrong number of vtable arguments") }
        guard let kind = Kind(rawValue: type.lowercasedASCII) else {
            throw failure("fts5vocab: unknown table type: \(type.quotedDatabaseString)")
        }
        self.kind = kind
        self.table = table
        schema = arguments.first?.dequoted ?? request.databaseName
    }

    var declaration: String {
        switch kind {
        case .row: "CREATE TABLE vocab(term, doc, cnt)"
        case .column: "CREATE TABLE vocab(term, col, doc, cnt)"
        case .instance: "CREATE TABLE vocab(term, doc, col, offset)"
        }
    }

    // MARK: Plans

    /// What a plan takes as arguments, in this order.
    struct Plan: OptionSet {
        let rawValue: Int32

        /// `term = ?`.
        static let equal = Plan(rawValue: 1)
        /// `term >= ?`, or `>`, which SQLite checks again.
        static let lowerBound = Plan(rawValue: 2)
        /// `term <= ?`, or `<`.
        static let upperBound = Plan(rawValue: 4)
    }

    func bestIndex(_ index: inout VirtualTableIndex) throws {
        var equal: VirtualTableIndex.Constraint?
        var lower: VirtualTableIndex.Constraint?
        var upper: VirtualTableIndex.Constraint?
        for constraint in index.constraints where constraint.isUsable && constraint.column == 0 {
            switch constraint.comparison {
            case .equal: equal = constraint
            case .greater, .greaterOrEqual: lower = constraint
            case .less, .lessOrEqual: upper = constraint
            default: break
            }
        }
        var plan: Plan = []
        var cost = 1_000_000.0
        if let equal {
            plan = .equal
            index.take(equal)
            cost = 100
        } else {
            for (constraint, part) in [(lower, Plan.lowerBound), (upper, .upperBound)] {
                guard let constraint else { continue }
                plan.insert(part)
                index.take(constraint)
                cost /= 2
            }
        }
        index.estimatedCost = cost
        index.planNumber = plan.rawValue
        let order = index.orderBy
        if order.count == 1, let term = order.first, term.column == 0, !term.isDescending { index.isOrdered = true }
    }

    // MARK: The full-text table

    func makeCursor() throws -> VocabularyCursor {
        guard !isSearching else { throw failure("recursive definition for \(schema).\(table)") }
        isSearching = true
        defer { isSearching = false }
        guard let (source, lock) = try openTable() else { throw failure("no such fts5 table: \(schema).\(table)") }
        return try VocabularyCursor(self, source, lock)
    }

    /// A cursor of the full-text table, and the statement that it belongs to. While that runs, the table cannot be
    /// dropped. Nil where there is no table of ours of that name.
    private func openTable() throws -> (any AuxiliaryHost, KeptStatement)? {
        let name = table.quotedDatabaseIdentifier
        let from = "\(schema.quotedDatabaseIdentifier).\(name) AS t"
        let sql = "SELECT t.\(name) FROM \(from) WHERE t.\(name) MATCH '*id concordance'"
        let statement: KeptStatement
        do {
            statement = try KeptStatement(connection, sql, access: .anything)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_ERROR {
            return nil
        }
        guard try statement.step(), let source = registry.cursors[statement.int64(at: 0)] as? any AuxiliaryHost else {
            return nil
        }
        return (source, statement)
    }
}
