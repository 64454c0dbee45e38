import ConcordanceSQLite

/// Lets an index follow the noted changes, in parts. Changes that it cannot follow stay noted.
struct IndexCatchUp: IndexJob {
    let definition: IndexDefinition

    var writes: Bool { true }

    func isNeeded(in db: Database) throws -> Bool { try IndexChanges.arePending(definition.name, in: db) }
    func rowCount(in db: Database) throws -> Int { 0 }
    func discard(in db: Database) throws {}

    mutating func advance(in db: Database, until deadline: ContinuousClock.Instant?) throws -> IndexStep? {
        let progress = try IndexChanges.takeIn(definition.name, in: db, until: deadline, skipsFailing: true)
        // Only changes that the index cannot follow may be left.
        return progress.isCaughtUp || progress.count == 0 ? nil : IndexStep(phase: .repairing, rowsDone: 0)
    }
}
