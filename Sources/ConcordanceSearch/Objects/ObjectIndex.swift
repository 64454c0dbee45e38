import ConcordanceSQLite
import Dispatch

/// A full-text index, in a file of its own, of objects that live elsewhere: in Core Data, in files, on a server.
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
/// Objects are identified by strings that you choose. Their texts are stored in the file beside the index, so that a
/// changed list of fields can be indexed again when the index is opened, without the objects; the file is about twice
/// as large as the index alone. Adding an unchanged object again costs a look-up, and writes nothing.
///
/// It is a search index over the table `objects` of the file: requests from `query(_:isTyping:)` take filters, orders,
/// facets and cursors like those of any other index, and also run on `database`.
///
/// Any number of threads and processes may use one file. It is in WAL mode, so searches do not wait for changes. All of
/// them must open it with the same fields: those of the last opening apply, and changes through an `ObjectIndex` that
/// was opened with other fields throw `DatabaseError`.
public final class ObjectIndex: Sendable {
    /// The file, for SQL of your own; its table `objects` belongs to this index.
    public let database: DatabasePool
    /// The index over the table `objects`, for everything that takes one.
    package let definition: SearchIndex<SearchObject>
    let table: ObjectTable
    let file: ObjectFile

    /// Opens the index at `path`. Creates the file if there is none, and brings an index with other fields up to date
    /// from the stored texts: a new field is empty until its objects are added again (`drift(from:)` finds them); the
    /// texts of a field that no longer exists are dropped.
    ///
    /// If everything is up to date, this only reads. Otherwise the new index is built in steps, between which others
    /// can write, beside the old one, which serves searches until it is done. If it is interrupted, the next opening
    /// continues.
    ///
    /// - Parameters:
    ///   - path: The file, which must hold nothing but the index.
    ///   - configuration: How to open it; `readonly` allows searches only.
    ///   - engine: The full-text engine that stores the index.
    ///   - content: Fields, `Analysis` and `Ranking`, as in a `SearchIndex`.
    /// - Throws: `ObjectIndexError` for a file that is missing, damaged, of another kind, of a later format, or cannot
    ///   be written to; `SearchIndexError` for fields that are not valid; `DatabaseError`.
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

    /// Opens the index as `init(path:configuration:engine:content:)` does, but on a thread outside the cooperative
    /// pool.
    public static func open(
        path: String, configuration: Configuration = Configuration(), engine: SearchEngine = .concordance,
        isolation: isolated (any Actor)? = #isolation,
        @SearchIndexBuilder<SearchObject> content: () -> [IndexElement<SearchObject>]
    ) async throws -> ObjectIndex {
        let elements = content()
        let index = try await withCheckedThrowingContinuation { continuation in
            // A file that another process has locked is waited for.
            DispatchQueue(label: "ObjectIndex \(path)").async {
                continuation.resume(with: Result { try ObjectIndex(path, configuration, engine, elements) })
            }
        }
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

    /// Removes the file of an index that nobody has open, and the files that SQLite keeps beside it; does nothing if
    /// there is none.
    public static func removeFile(at path: String) throws { try ObjectFile.remove(at: path) }

    /// Closes the file; see `DatabasePool.close()`.
    public func close() throws { try database.close() }

    // MARK: - Up to date

    @Sendable private func isCurrent(_ db: Database) throws -> Bool {
        guard try file.isClaimed(in: db), try table.isCurrent(in: db) else { return false }
        // An opening that can write cleans up after one that was interrupted.
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

    /// The fields that objects provide texts for: all but the computed ones.
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

    /// The only columns of objects are their fields: a field that was given another name is stored under that name.
    private static func columns(_ elements: [IndexElement<SearchObject>]) -> [IndexElement<SearchObject>] {
        elements.map { element in
            guard case .field(var field) = element.part, case .column = field.source else { return element }
            field.source = .column(field.name)
            return IndexElement(part: .field(field))
        }
    }
}
