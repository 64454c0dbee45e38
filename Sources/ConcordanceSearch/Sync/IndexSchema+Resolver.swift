import ConcordanceSQLite
import ConcordanceText

/// Finds what the names of a definition refer to in a database.
struct IndexSchemaResolver {
    let definition: IndexDefinition
    let db: Database
    let source: TableSchema
    let sourceRowID: String
    private(set) var fields: [ResolvedField] = []
    private(set) var language: ResolvedField?
    private(set) var columnsRead: [String: Set<String>] = [:]
    private var checker: ExpressionChecker?

    /// - Throws: `SearchIndexError`
    init(_ definition: IndexDefinition, in db: Database) throws {
        try definition.validate()
        self.definition = definition
        self.db = db
        source = try TableSchema(definition.table, for: definition.name, in: db)
        sourceRowID = try source.stableRowID(for: definition.name, in: db)
        columnsRead[source.name] = [sourceRowID]
        try checkNotHidden(source.name)
        let names = IndexNames(table: definition.name)
        for name in [names.table, names.source, names.changes, names.pending] { try checkNotHidden(name) }
        for field in definition.fields { fields.append(try resolve(field)) }
        language = try definition.analysis.language.map { expression in
            let name = source.columns.first { $0.name.equalsIgnoringASCIICase(expression) }?.name
            return try resolve(
                FieldDefinition(name: "language", source: name.map { .column($0) } ?? .expression(expression)))
        }
    }

    private mutating func resolve(_ field: FieldDefinition) throws -> ResolvedField {
        if field.isValue, case .column = field.source {
        } else if field.isValue,
            source.columns.contains(where: { $0.name.equalsIgnoringASCIICase(field.name) })
        {
            throw SearchIndexError.invalidField(
                field.name, index: definition.name,
                reason:
                    "\(source.name) has a column of that name, which filters would use; choose another with named(_:)")
        }
        switch field.source {
        case .column(let name):
            let column = try source.column(name, for: definition.name)
            columnsRead[source.name, default: []].insert(column)
            return .column(column)
        case .related(let relation):
            return .related(try resolve(relation, of: field))
        case .expression(let expression):
            let checker = try checker ?? ExpressionChecker(source: source, rowID: sourceRowID, in: db)
            self.checker = checker
            switch try checker.check(expression) {
            case .success(let columns): columnsRead[source.name, default: []].formUnion(columns)
            case .failure(let problem):
                throw SearchIndexError.invalidExpression(
                    expression, field: field.name, index: definition.name, reason: problem.reason)
            }
            return .expression(expression)
        case .invalid(let error):
            throw SearchIndexError.invalidField(field.name, index: definition.name, reason: error.description)
        }
    }

    private mutating func resolve(_ relation: Relation, of field: FieldDefinition) throws -> ResolvedRelation {
        var previous = source
        var steps: [ResolvedStep] = []
        for step in relation.steps {
            let table = try TableSchema(step.table, for: definition.name, in: db)
            try checkNotHidden(table.name)
            if table.rowOrder.isEmpty {
                throw SearchIndexError.unsupportedTable(
                    table.name, index: definition.name,
                    reason: "its columns use all names of the rowid; give it an INTEGER PRIMARY KEY")
            }
            let joins = try joins(step, from: previous, to: table, field: field.name)
            columnsRead[previous.name, default: []].formUnion(joins.map(\.previous))
            columnsRead[table.name, default: []].formUnion(joins.map(\.own) + table.rowOrder)
            steps.append(ResolvedStep(table: table.name, joins: joins, rowOrder: table.rowOrder))
            previous = table
        }
        let column = try previous.column(relation.column, for: definition.name)
        let order = try relation.order.map { try previous.column($0, for: definition.name) }
        columnsRead[previous.name, default: []].formUnion([column] + (order.map { [$0] } ?? []))
        return ResolvedRelation(
            field: field.name, steps: steps, column: column, separator: relation.separator, order: order)
    }

    /// Views and triggers in main refer to tables in main. But the statements that create them, and others, would refer
    /// to a temporary table with the same name.
    private func checkNotHidden(_ name: String) throws {
        let isHidden = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                  SELECT 1 FROM temp.sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE)
                """, arguments: [name])
        guard isHidden == true else { return }
        throw SearchIndexError.unsupportedTable(
            name, index: definition.name,
            reason: "a temporary table or view of this connection hides it; drop that, or use another connection")
    }

    /// The columns that a step declares equal, or else those of the only foreign key between the two tables.
    private func joins(
        _ step: Relation.Step, from previous: TableSchema, to table: TableSchema, field: String
    ) throws -> [ResolvedStep.Join] {
        func join(_ own: String, _ previousColumn: String) throws -> ResolvedStep.Join {
            ResolvedStep.Join(
                own: try table.column(own, for: definition.name),
                previous: try previous.column(previousColumn, for: definition.name))
        }
        if let columns = step.columns { return try zip(columns.own, columns.previous).map(join) }
        // In either direction: in a table that refers to itself, each key leads to the parent and to the children.
        var choices = try table.foreignKeys(to: previous, in: db).map { try $0.map { try join($0.child, $0.parent) } }
        choices += try previous.foreignKeys(to: table, in: db).map { try $0.map { try join($0.parent, $0.child) } }
        var distinct: [[ResolvedStep.Join]] = []
        for choice in choices where !distinct.contains(choice) { distinct.append(choice) }
        switch distinct.count {
        case 1: return distinct[0]
        case 0:
            throw SearchIndexError.noForeignKey(
                from: previous.name, to: table.name, field: field, index: definition.name)
        default:
            throw SearchIndexError.ambiguousForeignKey(
                from: previous.name, to: table.name, field: field, index: definition.name,
                choices: distinct.map { Self.code(for: $0, to: table.name) })
        }
    }

    /// The step in Swift syntax.
    private static func code(for joins: [ResolvedStep.Join], to table: String) -> String {
        func list(_ names: [String]) -> String {
            let quoted = names.map { String(reflecting: $0) }
            return quoted.count == 1 ? quoted[0] : "[\(quoted.joined(separator: ", "))]"
        }
        return
            "Relation.Step(\(String(reflecting: table)), on: \(list(joins.map(\.own))), equals: \(list(joins.map(\.previous))))"
    }
}
