import ConcordanceFTS5
import ConcordanceSQLite

/// Compares an index with its rows, in parts, and repairs what differs if asked to.
struct IndexCheck: IndexJob {
    let definition: IndexDefinition
    /// Whether the engine also checks its own tables, in one part.
    let isThorough: Bool
    private(set) var report = IndexReport()

    private var schema: IndexSchema?
    private var position: Int64?
    private var areRowsDone = false
    /// Repairs tables and triggers before entries; nil for a check that only reads.
    private var installer: IndexInstaller?
    private let mends: Bool

    init(_ definition: IndexDefinition, isThorough: Bool, mends: Bool) {
        self.definition = definition
        self.isThorough = isThorough
        self.mends = mends
        installer = mends ? IndexInstaller(definition) : nil
    }

    /// The engine's own check is a command, for which SQLite takes the write lock.
    var writes: Bool { mends || areRowsDone }

    func isNeeded(in db: Database) throws -> Bool { true }
    func rowCount(in db: Database) throws -> Int { try IndexInstaller(definition).rowCount(in: db) }
    func discard(in db: Database) throws { try installer?.discard(in: db) }

    mutating func advance(in db: Database, until deadline: ContinuousClock.Instant?) throws -> IndexStep? {
        let plan = try IndexPlan(
            schema ?? IndexSchema(definition, in: db), names: IndexNames(table: definition.name), in: db)
        if schema == nil { try begin(plan, in: db) }
        if let step = try installer?.advance(in: db, until: deadline) { return step }
        installer = nil
        if areRowsDone {
            report.structure = definition.engine.structure(of: plan.names.table, in: db)
            return nil
        }
        if !mends { try requireInstalled(plan, in: db) }
        let next: Int64?
        let differing: [Int64]
        do {
            (next, differing) = try IndexComparison(plan: plan, db: db).run(
                from: position, until: deadline, report: &report)
        } catch let error as DatabaseError where plan.readsTexts && error.resultCode == .SQLITE_CORRUPT {
            report.structure = .damaged("\(error)")
            return nil
        }
        if mends {
            for id in differing { try plan.reindex(id, in: db) }
        }
        position = next
        areRowsDone = next == nil
        if areRowsDone && !isThorough { return nil }
        return IndexStep(phase: mends ? .repairing : .verifying, rowsDone: report.rowsCompared)
    }

    private mutating func begin(_ plan: IndexPlan, in db: Database) throws {
        if !mends { try requireInstalled(plan, in: db) }
        schema = plan.schema
        report.alteredObjects = try IndexRecord.altered(plan.objects, in: db)
        if try !plan.hasSettings(in: db), !report.alteredObjects.contains(plan.names.table) {
            report.alteredObjects.insert(plan.names.table, at: 0)
        }
    }

    private func requireInstalled(_ plan: IndexPlan, in db: Database) throws {
        guard let record = try IndexRecord.fetch(plan.names.table, in: db),
            try db.tableExists(plan.names.table, in: "main")
        else { throw SearchIndexError.notInstalled(definition.name) }
        guard record.fingerprint == plan.schema.fingerprint else {
            throw SearchIndexError.superseded(definition.name)
        }
    }
}

extension SearchEngine {
    /// What the engine reports about its own tables; SQLite's FTS5 reads all of them, and the texts, to answer.
    func structure(of table: String, in db: Database) -> IndexReport.Structure {
        do {
            try FTS5Table(table).integrityCheck(db)
            return .sound
        } catch {
            return .damaged("\(error)")
        }
    }
}
