import ConcordanceSQLite
import ConcordanceText

/// An index definition checked against the tables of a database: every name refers to something that exists, every
/// relation is a list of columns to join, and the SQL of the index can be derived.
///
/// The index `reminderTexts` over `reminders` consists of
///
/// - the full-text table `reminderTexts`, whose rowids are those of the rows;
/// - the virtual table `reminderTexts_source`, a query that says what the full-text table must hold: its rowid is that
///   of the full-text table, and it has a column for each field;
/// - the tables `reminderTexts_changes`, of changes that the index has yet to follow, and `reminderTexts_pending`, of
///   rows that a statement may be about to replace;
/// - triggers that note changes (`IndexTriggers`).
///
/// Everything is in the schema `main`.
struct IndexSchema: Sendable {
    /// The definition that was checked.
    let definition: IndexDefinition
    /// The indexed table, in the database's spelling.
    let source: String
    /// A name of the source table's rowid that is not the name of another column: `rowid`, `_rowid_`, `oid`, or else
    /// the INTEGER PRIMARY KEY.
    let rowID: String
    /// What the fields are in this database, in their order.
    let fields: [ResolvedField]
    /// What gives the language of a row, where something does.
    let language: ResolvedField?
    /// The columns that the source reads, by table, in the spelling of the database; `rowID` and `rowOrder` among them.
    let columnsRead: [String: Set<String>]
    /// The arguments of the engine's table.
    let moduleArguments: [String]

    /// Checks a definition; changes nothing, and does not need to write.
    ///
    /// - Throws: `SearchIndexError` for what cannot be indexed; it lists what exists and says what to do.
    init(_ definition: IndexDefinition, in db: Database) throws {
        let resolver = try IndexSchemaResolver(definition, in: db)
        self.definition = definition
        source = resolver.source.name
        rowID = resolver.sourceRowID
        fields = resolver.fields
        language = resolver.language
        columnsRead = resolver.columnsRead
        moduleArguments = try definition.engine.moduleArguments(for: definition, in: db)
    }

    /// The related fields, in the order of the fields.
    var relations: [ResolvedRelation] {
        fields.compactMap { if case .related(let relation) = $0 { relation } else { nil } }
    }
}

/// A field in a database.
enum ResolvedField: Hashable, Sendable {
    /// A column of the source table.
    case column(String)
    /// Text of related rows.
    case related(ResolvedRelation)
    /// SQL over the row.
    case expression(String)
}

/// The path from a row of the source table to its related rows, with the columns of each step.
struct ResolvedRelation: Hashable, Sendable {
    /// The field whose text it provides.
    let field: String
    /// The steps, the first of which leads away from the source table.
    let steps: [ResolvedStep]
    /// The column with the text, in the table of the last step.
    let column: String
    /// The text between those of two rows.
    let separator: String
    /// The column of the last table that texts are sorted by, before row order.
    let order: String?
}

/// A table on the path, and how its rows are found from those of the previous table.
struct ResolvedStep: Hashable, Sendable {
    /// A column of this table that equals one of the previous table.
    struct Join: Hashable, Sendable {
        let own: String
        let previous: String
    }

    /// The table.
    let table: String
    /// The equal columns; more than one for a foreign key of several columns.
    let joins: [Join]
    /// The columns that identify a row: the rowid, or the primary key of a table without one.
    let rowOrder: [String]
}
