import CConcordanceSQLite
import ConcordanceSQLite

/// Brings an index from any state to that of its definition, in steps, each of which is a transaction.
///
/// Everything that a step needs is in the database (`IndexRecord`), so another process, or the next launch of this one,
/// can continue after any step. If the definition has changed, the new index is built under another name beside the one
/// in use, with triggers of its own; the last step drops the old one and renames the new one.
struct IndexInstaller: IndexJob {
    let definition: IndexDefinition
    /// What the first step found; nil before it.
    private var schema: IndexSchema? { didSet { plan = nil } }
    /// What the last step worked on, of this schema; nil before it.
    private var plan: IndexPlan?
    /// The number of filling steps since segments were merged.
    private var fillCount = 0
    /// The number of pages that can be merged at once.
    private var mergedPageCount = IndexMerging.firstPageCount

    init(_ definition: IndexDefinition) { self.definition = definition }

    var writes: Bool { true }

    func isNeeded(in db: Database) throws -> Bool { try !isInstalled(in: db) }

    func rowCount(in db: Database) throws -> Int {
        try Int.fetchOne(db, literal: "SELECT count(*) FROM main.\(identifier: definition.table)") ?? 0
    }

    private var names: IndexNames { IndexNames(table: definition.name) }

    /// Whether the index is installed as the definition says, so that there is nothing to do. Only reads.
    func isInstalled(in db: Database) throws -> Bool {
        let plan = try IndexPlan(IndexSchema(definition, in: db), names: names, in: db)
        guard let record = try IndexRecord.fetch(names.table, in: db), record.state == .ready,
            try IndexRecord.fetch(names.next.table, in: db) == nil,
            try IndexRecord.fetch(names.old.table, in: db) == nil
        else { return false }
        return try record.fingerprint == plan.schema.fingerprint && plan.hasSettings(in: db)
            && record.objects == plan.objects
            && IndexRecord.altered(plan.objects, in: db).isEmpty
            && !IndexChanges.arePending(names.table, in: db)
    }

    // MARK: The first step

    /// Creates what is missing and drops what differs from the definition. Indexes no rows yet.
    ///
    /// - Returns: What the next steps work on.
    private func prepare(in db: Database) throws -> IndexSchema {
        let schema = try IndexSchema(definition, in: db)
        try schema.checkWritable(in: db)
        let plan = try IndexPlan(schema, names: names, in: db)
        guard let record = try IndexRecord.fetch(names.table, in: db) else {
            try create(plan, in: db)
            return schema
        }
        if let other = record.source, other != schema.source, try db.tableExists(other, in: "main") {
            throw SearchIndexError.otherIndex(definition.name, table: other)
        }
        let table = try IndexRecord.fullTextTable(record.table, in: db)
        let hasSameContent = record.fingerprint == schema.fingerprint
        if hasSameContent && table == plan.table.sql {
            try IndexRecord.fetch(names.next.table, in: db)?.removeAll(in: db)
            try renew(plan, record, in: db)
        } else if hasSameContent || table == nil || record.state == .filling {
            // There is nothing to search: not yet, no longer, or because another table has taken its place.
            try record.removeAll(in: db)
            try create(plan, in: db)
        } else {
            try keepServing(record, in: db)
            try prepareNext(IndexPlan(schema, names: names.next, in: db), in: db)
        }
        return schema
    }

    private func create(_ plan: IndexPlan, in db: Database) throws {
        try plan.checkRoom(in: db)
        try plan.create(in: db)
        try plan.record(.filling).save(in: db)
    }

    /// Repairs the triggers and the settings of an index with the right definition.
    private func renew(_ plan: IndexPlan, _ record: IndexRecord, in db: Database) throws {
        var record = record
        let hasOtherSettings = try !plan.hasSettings(in: db)
        if hasOtherSettings { try plan.applySettings(in: db) }
        let altered = try IndexRecord.altered(record.objects, in: db)
        // FTS5 does not notify open connections of a new ranking in time: with SQLite 3.40, they compute one more rank
        // by the old one or fail with "SQL logic error". A schema change makes them start over.
        let hasOtherObjects = record.objects != plan.objects
        if !altered.isEmpty || hasOtherObjects || hasOtherSettings {
            // Altered or outdated triggers may have missed changes: those created before a unique index do not record the rows
            // that REPLACE deletes because of it. Noted changes disappear with their table.
            let mayDiffer = try !altered.isEmpty || hasOtherObjects || IndexChanges.arePending(record.table, in: db)
            try record.removeFollowers(in: db)
            try plan.createFollowers(in: db)
            record.objects = plan.objects
            if mayDiffer { (record.state, record.position, record.rowsDone) = (.checking, nil, 0) }
        }
        // A table under this name is in use again.
        if record.state == .retired { (record.state, record.position) = (.checking, nil) }
        try record.save(in: db)
    }

    /// Leaves an index with another definition in use, but removes triggers that no longer work. With triggers over
    /// dropped columns, for example, nobody could write to the table.
    private func keepServing(_ record: IndexRecord, in db: Database) throws {
        if try IndexRecord.altered(record.objects, in: db).isEmpty { return }
        var record = record
        try record.removeFollowers(in: db, keepingTexts: true)
        record.objects = record.objects.filter { $0.name == record.table }
        try record.save(in: db)
    }

    private func prepareNext(_ plan: IndexPlan, in db: Database) throws {
        if let record = try IndexRecord.fetch(plan.names.table, in: db) {
            if try record.fingerprint == plan.schema.fingerprint && record.objects == plan.objects
                && IndexRecord.altered(plan.objects, in: db).isEmpty
            {
                return
            }
            try record.removeAll(in: db)
        }
        try create(plan, in: db)
    }

    // MARK: The other steps

    /// - Throws: `SearchIndexError.superseded` if another definition of the index was installed since the first step.
    mutating func advance(in db: Database, until deadline: ContinuousClock.Instant?) throws -> IndexStep? {
        let known = try records(in: db)
        guard let schema, !isInvalidated(known) else {
            let schema = try prepare(in: db)
            self.schema = schema
            let record = try current(schema, of: records(in: db))
            return try isDone(record, in: db) ? nil : step(record)
        }
        var record = try current(schema, of: known)
        let plan = try currentPlan(schema, of: record, in: db)
        switch record.state {
        case .ready:
            let isCaughtUp = try IndexChanges.takeIn(record.table, in: db, until: deadline).isCaughtUp
            if deadline != nil && !isCaughtUp { return step(record) }
            if record.table != names.table {
                if try IndexRecord.altered(record.objects, in: db).isEmpty {
                    try swap(record, in: db)
                } else {
                    // The tables have been altered since it was filled.
                    self.schema = try prepare(in: db)
                }
                return step(record)
            }
            return try dispose(of: names.old.table, in: db, until: deadline) ? nil : step(record)
        case .retired:
            return nil
        case .filling:
            if try mergeWhileFilling(plan, in: db, until: deadline) { return step(record) }
            // The notes bring in rows that others add meanwhile, so that filling need not chase them.
            if deadline != nil { _ = try IndexChanges.takeIn(record.table, in: db, until: .now) }
            let (next, rows) = try IndexFill(plan: plan, db: db).run(from: record.position, until: deadline)
            record.rowsDone += rows
            record.position = next
        case .checking:
            var report = IndexReport()
            let (next, differing) = try IndexComparison(plan: plan, db: db).run(
                from: record.position, until: deadline, report: &report)
            for id in differing { try plan.reindex(id, in: db) }
            record.rowsDone += report.rowsCompared
            record.position = next
        case .merging:
            if try finishMerging(plan, in: db, until: deadline) { record.state = .ready }
            try record.savePosition(in: db)
            return try isDone(record, in: db) ? nil : step(record)
        }
        let step = step(record)
        if record.position == nil {
            if try !IndexRecord.altered(record.objects, in: db).isEmpty {
                // The tables have been altered meanwhile.
                self.schema = try prepare(in: db)
                return step
            }
            if record.state == .filling { try plan.merging(in: db)?.beginAll() }
            record.state = .merging
            let hasTime = deadline.map { ContinuousClock.now < $0 } ?? true
            if hasTime, try finishMerging(plan, in: db, until: deadline) { record.state = .ready }
        }
        try record.savePosition(in: db)
        return try isDone(record, in: db) ? nil : step
    }

    private mutating func currentPlan(
        _ schema: IndexSchema, of record: IndexRecord, in db: Database
    ) throws -> IndexPlan {
        if let plan, plan.names.table == record.table { return plan }
        let plan = try IndexPlan(schema, names: IndexNames(table: record.table), in: db)
        self.plan = plan
        return plan
    }

    /// Merges segments if the filling has written many; returns whether that has taken up the step.
    private mutating func mergeWhileFilling(
        _ plan: IndexPlan, in db: Database, until deadline: ContinuousClock.Instant?
    ) throws -> Bool {
        fillCount += 1
        guard fillCount > IndexMerging.stepLimit, let merging = plan.merging(in: db) else { return false }
        if try merging.run(until: deadline, pageCount: &mergedPageCount) { fillCount = 0 }
        return true
    }

    /// Merges the segments of a table that has all its rows; returns whether it is done. After that, commits merge as
    /// usual.
    private mutating func finishMerging(
        _ plan: IndexPlan, in db: Database, until deadline: ContinuousClock.Instant?
    ) throws -> Bool {
        guard let merging = plan.merging(in: db) else { return true }
        guard try merging.run(until: deadline, pageCount: &mergedPageCount) else { return false }
        try merging.end()
        return true
    }

    private func isDone(_ record: IndexRecord, in db: Database) throws -> Bool {
        try record.state == .ready && record.table == names.table
            && IndexRecord.fetch(names.old.table, in: db) == nil && !IndexChanges.arePending(names.table, in: db)
    }

    /// Drops a part of a retired table; returns whether the table is gone.
    private func dispose(of table: String, in db: Database, until deadline: ContinuousClock.Instant?) throws -> Bool {
        guard let record = try IndexRecord.fetch(table, in: db) else { return true }
        return try IndexDisposal(record: record, db: db).run(until: deadline)
    }

    private func step(_ record: IndexRecord) -> IndexStep {
        IndexStep(phase: record.state == .checking ? .repairing : .building, rowsDone: record.rowsDone)
    }

    func discard(in db: Database) throws {
        guard let schema, let record = try? current(schema, of: records(in: db)), record.state == .filling else {
            return
        }
        try record.removeAll(in: db)
    }

    /// The records of the next table and of the index's present one.
    private typealias Records = (next: IndexRecord?, present: IndexRecord?)

    private func records(in db: Database) throws -> Records {
        try (IndexRecord.fetch(names.next.table, in: db), IndexRecord.fetch(names.table, in: db))
    }

    /// Whether a rebuild has been requested but has not begun, with this definition or another.
    private func isInvalidated(_ records: Records) -> Bool {
        records.next == nil && records.present?.fingerprint == IndexRecord.invalidFingerprint
    }

    /// The table that is being built: the next one if there is one, otherwise that of the index.
    private func current(_ schema: IndexSchema, of records: Records) throws -> IndexRecord {
        for case let record? in [records.next, records.present] where record.fingerprint == schema.fingerprint {
            return record
        }
        throw SearchIndexError.superseded(definition.name)
    }

    /// Replaces the index's table by the next one, which is complete.
    private func swap(_ next: IndexRecord, in db: Database) throws {
        let plan = try IndexPlan(IndexSchema(definition, in: db), names: names, in: db)
        if let old = try IndexRecord.fetch(names.table, in: db) { try retire(old, in: db, as: names.old.table) }
        try next.removeFollowers(in: db)
        try rename(next.table, to: names.table, in: db)
        // Settings may have changed since the build began.
        try plan.applySettings(in: db)
        try plan.createFollowers(in: db)
        try next.delete(in: db)
        var record = plan.record(.ready)
        record.rowsDone = next.rowsDone
        try record.save(in: db)
    }

    /// Retires a table, which later steps drop.
    private func retire(_ record: IndexRecord, in db: Database, as name: String) throws {
        try IndexRecord.fetch(name, in: db)?.removeAll(in: db)
        try record.removeFollowers(in: db)
        do {
            try rename(record.table, to: name, in: db)
        } catch let error as DatabaseError where error.isOfDamagedTable {
            // A damaged table can only be dropped at once.
            return try record.removeAll(in: db)
        }
        try record.delete(in: db)
        var old = record
        old.table = name
        old.objects = [SchemaObject(kind: .table, name: name, sql: "")]
        old.state = .retired
        try old.save(in: db)
    }

    /// Renames a table and nothing else. By default SQLite also renames it in all views and triggers, so that those of
    /// the app would read the table that is dropped, and refuses if any view of the app is broken
    /// (https://www.sqlite.org/lang_altertable.html#altertabrename).
    private func rename(_ table: String, to name: String, in db: Database) throws {
        let connection = try db.sqliteConnection
        var isLegacy: Int32 = 0
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, -1, &isLegacy)
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1, nil)
        defer { csqlite_db_config_switch(connection, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, isLegacy, nil) }
        try db.execute("ALTER TABLE main.\(identifier: table) RENAME TO \(identifier: name)")
    }
}
