import ConcordanceSQLite

/// A full-text index in a file of its own, of objects that live elsewhere: in Core Data, in files, on a server.
///
/// ```swift
/// let index = try ObjectIndex(path: "/path/to/Index.sqlite") {
///     Field("title", weight: 10)
///     Field("body")
/// }
/// try await index.upsert(id: post.id, texts: ["title": post.title, "body": post.body])
/// let page = try await index.search("sea she")
/// let posts = page.hits.map { store.post(withID: $0.record.id) }
/// ```
///
/// The objects are known by strings of your choice. Their texts are kept in the file beside the index, so that a changed
/// list of fields is indexed anew when the index is opened, without the objects; the file is about twice as large as an
/// index alone. An object that is put in again as it was costs a look, and writes nothing.
///
/// What a table index can do this one can, since it is one, over the table `objects` of the file: `database` and
/// `definition` are what `search`, `results(of:)`, suggestions, `verify` and `repair` take.
///
/// Any number of threads and processes may use one file. It is in WAL mode: searches do not wait for changes. They all
/// give the same fields: what was opened last holds, and changes by those with others throw `DatabaseError`.
public final class ObjectIndex: Sendable {
    /// The file, for SQL of your own; its table `objects` belongs to this index.
    public let database: DatabasePool
    /// The index over the table `objects`, for everything that takes one.
    public let definition: SearchIndex<SearchObject>
    let table: ObjectTable
    let file: ObjectFile

    /// Opens the index at `path`, creating the file where there is none, and bringing an index with other fields up to
    /// date from the texts that are stored: a new field is empty until its objects are put in again, which
    /// `drift(from:)` finds; the texts of one that is gone are dropped.
    ///
    /// Where all is as it should be, this only reads. Otherwise the new index is built in steps between which others can
    /// write, beside the old one, which others search until it is done; stopped in the middle, the next opening goes on.
    ///
    /// - Parameters:
    ///   - path: The file, which is the index's alone.
    ///   - configuration: How it is opened; with `readonly`, for searching only.
    ///   - engine: The full-text engine that keeps the index.
    ///   - content: Fields, `Analysis` and `Ranking`, as in a `SearchIndex`.
    /// - Throws: `ObjectIndexError` for a file that is missing, damaged, another's, of a later format or not to be
    ///   written to; `SearchIndexError` for fields that cannot be; `DatabaseError`.
    public convenience init(
        path: String, configuration: Configuration = Configuration(), engine: SearchEngine = .concordance,
        @SearchIndexBuilder<SearchObject> content: () -> [IndexElement<SearchObject>]
    ) throws {
        try self.init(path, configuration, engine, content())
        try file.translatingErrors {
            if try database.read(isCurrent) { return }
            try database.write(prepareTable)
            try database.install(definition)
            try database.write(table.dropOtherColumns)
        }
    }

    private init(
        _ path: String, _ configuration: Configuration, _ engine: SearchEngine,
        _ elements: [IndexElement<SearchObject>]
    ) throws {
        let stored = try Self.storedFields(elements, path: path)
        let columns = Self.columns(elements)
        let definition = SearchIndex(
            ObjectTable.indexName, of: SearchObject.self, in: ObjectTable.name, engine: engine,
            decodedBy: { try SearchObject(row: $0) }, content: { return columns })
        let file = ObjectFile(path: path, configuration: configuration)
        try file.check()
        self.definition = definition
        self.file = file
        table = ObjectTable(fields: stored)
        database = try file.translatingErrors { try DatabasePool(path: path, configuration: configuration) }
        SearchSupport.enable(on: database)
    }

    /// Opens the index as `init(path:configuration:engine:content:)` does, outside of the cooperative pool.
    public static func open(
        path: String, configuration: Configuration = Configuration(), engine: SearchEngine = .concordance,
        isolation: isolated (any Actor)? = #isolation,
        @SearchIndexBuilder<SearchObject> content: () -> [IndexElement<SearchObject>]
    ) async throws -> ObjectIndex {
        let index = try ObjectIndex(path, configuration, engine, content())
        do {
            if try await index.database.read(index.isCurrent) { return index }
            try await index.database.write(index.prepareTable)
            try await index.database.install(index.definition)
            try await index.database.write(index.table.dropOtherColumns)
        } catch let error as DatabaseError {
            throw index.file.translated(error)
        }
        return index
    }

    /// Removes the file of an index that nobody has open, with what SQLite keeps beside it; does nothing where there is
    /// none.
    public static func removeFile(at path: String) throws { try ObjectFile.remove(at: path) }

    /// Closes the file; see `DatabasePool.close()`.
    public func close() throws { try database.close() }

    // MARK: - Up to date

    @Sendable private func isCurrent(_ db: Database) throws -> Bool {
        guard try file.isClaimed(in: db), try table.isCurrent(in: db) else { return false }
        // What an opening that was stopped has left behind takes another one that writes.
        return file.configuration.readonly
            ? try db.indexState(of: definition) == .ready
            : try IndexInstaller(definition.definition).isInstalled(in: db)
    }

    @Sendable private func prepareTable(_ db: Database) throws {
        guard !file.configuration.readonly else { throw ObjectIndexError.readOnly(path: file.path) }
        try file.claim(in: db)
        try table.create(in: db)
    }

    // MARK: - Fields

    /// The fields that objects bring texts for: all but the computed ones.
    private static func storedFields(_ elements: [IndexElement<SearchObject>], path: String) throws -> [String] {
        var fields: [String] = []
        for case .field(let field) in elements.map(\.part) {
            switch field.source {
            case .column: fields.append(field.name)
            case .expression: break
            case .related: throw ObjectIndexError.relatedField(field.name)
            case .invalid(let error): throw error
            }
            if ObjectTable.isReserved(field.name) {
                throw ObjectIndexError.reservedField(field.name, reserved: ObjectTable.reservedColumns)
            }
        }
        guard !fields.isEmpty else { throw ObjectIndexError.noFields(path: path) }
        return fields
    }

    /// Objects have no columns but their fields: a field that was given another name is stored under that.
    private static func columns(_ elements: [IndexElement<SearchObject>]) -> [IndexElement<SearchObject>] {
        elements.map { element in
            guard case .field(var field) = element.part, case .column = field.source else { return element }
            field.source = .column(field.name)
            return IndexElement(part: .field(field))
        }
    }
}
