import ConcordanceSQLite
import ConcordanceText

extension IndexSchema {
    /// The rowid of the full-text table and of its source. No field can have this name.
    static let rowIDColumn = "rowid"

    /// `CREATE VIRTUAL TABLE "name" USING fts5(…)`
    func createTableSQL(name: String) -> String {
        """
        CREATE VIRTUAL TABLE \(name.quotedDatabaseIdentifier) \
        USING \(definition.engine.moduleName)(\(moduleArguments.joined(separator: ", ")))
        """
    }

    /// `CREATE VIRTUAL TABLE "name" USING concordancesource("title", …, (SELECT …))`: each indexed field as text, empty
    /// for NULL; the other fields as they are, several values as a JSON array. Then come the queries that lead from a
    /// change back to rows.
    func createSourceSQL(name: String, waysBack: [String]) -> String {
        let values = [column(rowID)] + zip(definition.fields, fields).map(value(of:_:))
        return Self.createSourceSQL(
            name: name, columns: definition.fields.map(\.name),
            query: """
                SELECT
                  \(values.joined(separator: ",\n  "))
                FROM main.\(source.quotedDatabaseIdentifier)
                """, waysBack: waysBack)
    }

    static func createSourceSQL(name: String, columns: [String], query: String, waysBack: [String] = []) -> String {
        """
        CREATE VIRTUAL TABLE \(name.quotedDatabaseIdentifier) USING concordancesource(
        \(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")),
        \(([query] + waysBack).map { "(\($0))" }.joined(separator: ",\n")))
        """
    }

    /// A column of the source table: `"reminders"."title"`.
    private func column(_ name: String) -> String {
        "\(source.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
    }

    private func value(of field: FieldDefinition, _ resolved: ResolvedField) -> String {
        let value =
            switch resolved {
            case .column(let name): column(name)
            case .related(let relation): field.isValue ? relation.listSQL(source: source) : relation.sql(source: source)
            // The line break ends a comment at the end of the expression.
            case .expression(let expression): "(\(expression)\n  )"
            }
        if field.isValue { return if case .related = resolved { value } else { Self.storedValue(of: value) } }
        guard field.isIndexed else { return value }
        let text = if case .related = resolved { value } else { "CAST(\(value) AS TEXT)" }
        return "\(marker(of: field))ifnull(\(text), '')"
    }

    /// What stands before the text of a field: nothing, or the SQL of its marker and `||`.
    private func marker(of field: FieldDefinition) -> String {
        func sql(_ number: Int) -> String {
            FieldMarker.text(number).unicodeScalars.first.map { "char(\($0.value))" } ?? "''"
        }
        let number = definition.markerNumber(of: field)
        let languages = definition.languages(of: field)
        guard !languages.isEmpty, let language else { return number == 0 ? "" : sql(number) + " || " }
        let value =
            switch language {
            case .column(let name): column(name)
            case .expression(let expression): "(\(expression)\n  )"
            case .related: "NULL"
            }
        let cases = languages.map { language in
            let names = (language.tags + [language.name]).map(\.quotedDatabaseString).joined(separator: ", ")
            return "WHEN l IN (\(names)) THEN \(sql(definition.markerNumber(of: field, in: language)))"
        }
        // Of pt-BR and zh_Hant the part that names the language.
        let choice = """
            (SELECT CASE \(cases.joined(separator: " ")) ELSE \(sql(number)) END FROM
                (SELECT lower(substr(v, 1, instr(v, '-') - 1)) AS l
                FROM (SELECT replace(\(value), '_', '-') || '-' AS v)))
            """
        return choice + " || "
    }

    /// A value as the engine stores it. Of a long text or blob it is the beginning, because a value that is too long is
    /// an error, which would keep the row from being written. A text that looks like a list becomes a list of that
    /// text.
    private static func storedValue(of value: String) -> String {
        """
        (SELECT CASE typeof(v) WHEN 'text' THEN iif(substr(t, 1, 1) = '[', json_array(t), t)
              WHEN 'blob' THEN iif(length(v) <= \(valueLimit), v, substr(v, 1, \(valueLimit))) ELSE v END
            FROM (SELECT v, \(storedText(of: "v")) AS t
              FROM (SELECT \(value) AS v)))
        """
    }

    /// A text as the engine stores it: whole if it is short, and else its first characters, each of at most four bytes. To
    /// `substr`, any number of bytes from 80 to BF are part of one character, and a text ends at NUL: of such a text, it is
    /// the first bytes. (`substr` of a blob without bytes is NULL.)
    fileprivate static func storedText(of text: String) -> String {
        """
        CASE WHEN length(CAST(\(text) AS BLOB)) <= \(valueLimit) THEN \(text)
                WHEN instr(\(text), char(0)) = 0
                  AND length(CAST(substr(\(text), 1, \(valueLimit)) AS BLOB)) <= 4 * \(valueLimit)
                  THEN substr(\(text), 1, \(valueLimit))
                ELSE CAST(substr(CAST(\(text) AS BLOB), 1, \(valueLimit)) AS TEXT) END
        """
    }

    /// How many characters of a text, or bytes of a blob, are stored: the engine stores 4,096 bytes.
    private static var valueLimit: Int { 1024 }
    /// A text with fewer bytes of UTF-8 is stored whole, whether the database has UTF-8 or UTF-16, and so is a blob.
    static var wholeValueLimit: Int { valueLimit / 2 }
    /// How many values of a row the engine stores under one name.
    fileprivate static var listLimit: Int { 4096 }
}

extension ResolvedRelation {
    /// The texts of the related rows of one source row as one text; NULL if there are none:
    ///
    /// ```sql
    /// (SELECT group_concat(text, ',') FROM (
    ///   SELECT CAST(r2."title" AS TEXT) AS text FROM main."reminderTags" AS r1 JOIN main."tags" AS r2 ON r2."id" = r1."tagID"
    ///   WHERE r1."reminderID" = "reminders"."id" ORDER BY r1."rowid", r2."rowid"))
    /// ```
    ///
    /// SQLite keeps the order of a subquery for group_concat (`ORDER BY` inside the call requires 3.44).
    func sql(source: String) -> String {
        let rows = rows(source: source)
        return """
            (SELECT group_concat(text, \(separator.quotedDatabaseString)) FROM (
                SELECT CAST(\(rows.text) AS TEXT) AS text FROM \(rows.from)
                WHERE \(rows.condition) ORDER BY \(rows.order)))
            """
    }

    /// The different values of the related rows of one source row as a JSON array, in ascending order; a blob as a
    /// text. Long values, and long lists, are cut off.
    func listSQL(source: String) -> String {
        let rows = rows(source: source)
        return """
            (SELECT json_group_array(v) FROM (SELECT DISTINCT iif(typeof(\(rows.text)) IN ('text', 'blob'),
                \(IndexSchema.storedText(of: "CAST(\(rows.text) AS TEXT)")), \(rows.text)) AS v
                FROM \(rows.from) WHERE \(rows.condition) AND \(rows.text) IS NOT NULL
                ORDER BY 1 LIMIT \(IndexSchema.listLimit)))
            """
    }

    /// The related rows of one source row: the text after FROM, WHERE and ORDER BY, and the text column.
    func rows(source: String) -> (from: String, condition: String, text: String, order: String) {
        let aliases = steps.indices.map { Self.alias($0, source: source) }
        var from = ""
        var condition = ""
        for (index, step) in steps.enumerated() {
            let previous = index == 0 ? source.quotedDatabaseIdentifier : aliases[index - 1]
            let equalities = step.joins.map {
                let own = $0.own.quotedDatabaseIdentifier
                return "\(aliases[index]).\(own) = \(previous).\($0.previous.quotedDatabaseIdentifier)"
            }.joined(separator: " AND ")
            let table = "main.\(step.table.quotedDatabaseIdentifier) AS \(aliases[index])"
            if index == 0 {
                from = table
                condition = equalities
            } else {
                from += " JOIN \(table) ON \(equalities)"
            }
        }
        let last = aliases.last ?? ""
        var order = order.map { ["\(last).\($0.quotedDatabaseIdentifier)"] } ?? []
        for (index, step) in steps.enumerated() {
            order += step.rowOrder.map { "\(aliases[index]).\($0.quotedDatabaseIdentifier)" }
        }
        return (from, condition, "\(last).\(column.quotedDatabaseIdentifier)", order.joined(separator: ", "))
    }

    /// The name of a step in the query: `r1`, `r2`; longer if that is the name of the source table.
    static func alias(_ index: Int, source: String) -> String {
        let name = "r\(index + 1)"
        return source.equalsIgnoringASCIICase(name) ? name + "_" : name
    }
}
