import ConcordanceText

/// Finds what the names of a definition stand for in a database.
struct SchemaResolver {
    let definition: IndexDefinition
    let db: Database
    let source: TableSchema
    let sourceRowID: String
    private(set) var relations: [ResolvedRelation] = []
    private(set) var fieldSQL: [String] = []
    private(set) var columnsRead: [String: Set<String>] = [:]

    init(_ definition: IndexDefinition, in db: Database) throws {
        self.definition = definition
        self.db = db
        source = try TableSchema(definition.table, for: definition.name, in: db)
        guard source.kind == .table, let rowID = source.rowID else {
            throw SearchIndexError.unsupportedTable(
                source.name, index: definition.name, reason: "its rows have no rowid")
        }
        sourceRowID = rowID
        columnsRead[source.name] = [rowID]
    }

    mutating func resolveFields() throws {
        for field in definition.fields {
            switch field.source {
            case .column(let name):
                let column = try source.column(name, for: definition.name)
                columnsRead[source.name, default: []].insert(column)
                let value = "\(source.name.quotedDatabaseIdentifier).\(column.quotedDatabaseIdentifier)"
                fieldSQL.append(field.isIndexed ? "ifnull(CAST(\(value) AS TEXT), '')" : value)
            case .related(let relation):
                let resolved = try resolve(relation, of: field)
                relations.append(resolved)
                fieldSQL.append("ifnull(\(resolved.sql(source: source.name)), '')")
            case .expression(let expression):
                fieldSQL.append("ifnull(CAST((\(expression)) AS TEXT), '')")
            case .invalid(let error):
                throw error
            }
        }
    }

    private mutating func resolve(_ relation: Relation, of field: FieldDefinition) throws -> ResolvedRelation {
        var previous = source
        var steps: [ResolvedStep] = []
        for step in relation.steps {
            let table = try TableSchema(step.table, for: definition.name, in: db)
            let joins = try self.joins(step, from: previous, to: table, field: field.name)
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

    private func joins(
        _ step: Relation.Step, from previous: TableSchema, to table: TableSchema, field: String
    ) throws -> [ResolvedStep.Join] {
        if let columns = step.columns {
            return try zip(columns.own, columns.previous).map {
                ResolvedStep.Join(
                    own: try table.column($0, for: definition.name),
                    previous: try previous.column($1, for: definition.name))
            }
        }
        var choices: [[ResolvedStep.Join]] = []
        func add(_ joins: [ResolvedStep.Join]) {
            if !choices.contains(joins) { choices.append(joins) }
        }
        for key in table.foreignKeys where key.destinationTable.equalsIgnoringASCIICase(previous.name) {
            add(
                try zip(key.originColumns, key.destinationColumns).map {
                    ResolvedStep.Join(
                        own: try table.column($0, for: definition.name),
                        previous: try previous.column($1, for: definition.name))
                })
        }
        for key in previous.foreignKeys where key.destinationTable.equalsIgnoringASCIICase(table.name) {
            add(
                try zip(key.originColumns, key.destinationColumns).map {
                    ResolvedStep.Join(
                        own: try table.column($1, for: definition.name),
                        previous: try previous.column($0, for: definition.name))
                })
        }
        guard choices.count == 1, let joins = choices.first else {
            throw SearchIndexError.noForeignKey(
                from: previous.name, to: table.name, field: field, index: definition.name,
                choices: choices.map { $0.map { "\($0.own) = \($0.previous)" }.joined(separator: " AND ") })
        }
        return joins
    }
}
