import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// How many rows that match a query have which value of a VALUE column, the most frequent first:
///
///     SELECT value, count FROM concordance_facets('books', 'gardening', 'year')
///
/// Without a query, or with NULL, all rows are counted. A fourth argument counts ranges of values, in their order, empty ones
/// included; it is a JSON array of bounds, each the beginning of a range that ends before the next:
///
///     SELECT value, count FROM concordance_facets('books', 'gardening', 'year', '[1990, 2000, 2010]')
///
/// A fifth argument names the database of the table, as an attached one; without it, it is the first that has the table.
final class FacetTable: VirtualTable {
    static let kind = VirtualTableKind.eponymousOnly
    static let moduleName = "concordance_facets"

    typealias Context = ExtensionRegistry

    let declaration =
        "CREATE TABLE facets(value, count INTEGER, name HIDDEN, query HIDDEN, field HIDDEN, bounds HIDDEN, schema HIDDEN)"
    fileprivate let connection: OpaquePointer
    fileprivate let registry: ExtensionRegistry

    /// The columns of the arguments.
    fileprivate static let arguments = 2...6

    init(connecting request: VirtualTableRequest<ExtensionRegistry>) throws {
        connection = try request.database.sqliteConnection
        registry = request.context
    }

    /// The plan's number tells which arguments it takes, bit by bit.
    func bestIndex(_ index: inout VirtualTableIndex) throws {
        var taken: Int32 = 0
        for column in Self.arguments {
            let given = index.constraints.filter { $0.column == column && $0.comparison == .equal }
            if given.isEmpty { continue }
            guard let usable = given.first(where: \.isUsable) else {
                index.estimatedCost = 1e50
                return
            }
            index.take(usable, omit: true)
            taken |= 1 << Int32(column - Self.arguments.lowerBound)
        }
        index.planNumber = taken
        index.estimatedCost = 1000
    }

    func makeCursor() throws -> FacetCursor { FacetCursor(self) }
}

/// The values of a facet.
final class FacetCursor: VirtualTableCursor {
    private let table: FacetTable
    private var facets: [FacetCounter.Facet] = []
    private var position = 0

    init(_ table: FacetTable) { self.table = table }

    var isAtEnd: Bool { position >= facets.count }

    func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {
        facets = []
        position = 0
        var next = 0
        let values = (0..<FacetTable.arguments.count).map { bit -> BorrowedValue? in
            guard plan.number & 1 << Int32(bit) != 0 else { return nil }
            defer { next += 1 }
            return arguments[next]
        }
        guard let name = values[0]?.string, let field = values[2]?.string else {
            throw failure(
                "concordance_facets takes the name of a table, a query or NULL, and the name of a VALUE column")
        }
        let (source, lock) = try open(name, schema: values[4]?.string)
        defer { withExtendedLifetime(lock) {} }
        guard let column = source.options.columns.firstIndex(where: { $0.name.equalsIgnoringASCIICase(field) }),
            let number = source.options.shape.valueColumns.firstIndex(of: column)
        else { throw failure("\(name) has no VALUE column \(field)") }
        let snapshot = try source.snapshot
        let query = try values[1].flatMap { try bound($0, source, snapshot) }
        var counter = FacetCounter(query, in: snapshot, column: number)
        facets = try bounds(values[3]).map { try counter.ranges(from: $0) } ?? counter.facets()
    }

    /// The query, which may be an object; nil for NULL.
    private func bound(_ value: BorrowedValue, _ source: any AuxiliaryHost, _ snapshot: Snapshot) throws -> BoundQuery?
    {
        let compiler = QueryCompiler(options: source.options, tokenizer: source.tokenizer, connection: table.connection)
        guard let query = value.object(MatchQuery.pointerType) else {
            if value.isPointer { throw failure("the query is an object that only another function or module can read") }
            if value.isNull { return nil }
            let expression = try value.withUTF8 { try compiler.compile($0, column: nil) }
            return try BoundQuery(expression, snapshot: snapshot)
        }
        let filter = query.conditions.isEmpty ? nil : try ValueFilter(query.conditions, source.options)
        let expression = try compiler.compile(query.tree, column: nil)
        let bound = try BoundQuery(expression, snapshot: snapshot, rows: query.rows, values: filter)
        query.report?.note(expression, bound: bound.expression)
        return bound
    }

    /// The bounds of ranges; nil for none.
    private func bounds(_ argument: BorrowedValue?) throws -> [StoredValue]? {
        guard let argument, !argument.isNull else { return nil }
        guard let bounds = argument.withUTF8({ ValueList.elements(json: $0) }), bounds.count <= RowValues.listLimit,
            zip(bounds, bounds.dropFirst()).allSatisfy({ $0.compared(to: $1) < 0 })
        else {
            throw failure(
                "the bounds of concordance_facets are a JSON array of at most \(RowValues.listLimit) ascending values")
        }
        return bounds
    }

    /// A cursor of the full-text table, and the statement that it belongs to.
    private func open(_ name: String, schema: String?) throws -> (any AuxiliaryHost, KeptStatement) {
        let table = name.quotedDatabaseIdentifier
        let place = schema.map { "\($0.quotedDatabaseIdentifier)." } ?? ""
        let from = "FROM \(place)\(table) AS t"
        let otherKind = failure("\(name) is not a table of the module concordance")
        // Fails with SQLite's message if there is no such table.
        _ = try KeptStatement(self.table.connection, "SELECT 1 \(from)", access: .anything)
        do {
            let sql = "SELECT t.\(table) \(from) WHERE t.\(table) MATCH '*id concordance'"
            let statement = try KeptStatement(self.table.connection, sql, access: .anything)
            guard try statement.step(),
                let source = self.table.registry.cursors[statement.int64(at: 0)] as? any AuxiliaryHost
            else { throw otherKind }
            return (source, statement)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // Ordinary tables and views have no column of their own name, and match nothing.
            throw otherKind
        }
    }

    func next() throws { position += 1 }

    func column(_ column: Int, into result: ResultContext) throws {
        guard facets.indices.contains(position) else { return }
        switch column {
        case 0: facets[position].value.withView { $0.set(result) }
        case 1: result.set(Int64(facets[position].count))
        default: break
        }
    }

    func rowID() throws -> Int64 { Int64(position) }
}
