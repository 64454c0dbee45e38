import ConcordanceSQLite

/// Lets an index follow the noted changes, in parts. Changes that it cannot follow stay noted.
struct IndexCatchUp: IndexJob {
    let definition: IndexDefinition
    /// The first note that has not been tried.
    private var next: Int64?

    init(definition: IndexDefinition) { self.definition = definition }

    var writes: Bool { true }

    func isNeeded(in db: Database) throws -> Bool { try IndexChanges.arePending(definition.name, in: db) }
    func rowCount(in db: Database) throws -> Int { 0 }
    func discard(in db: Database) throws {}

    mutating func advance(in db: Database, until deadline: ContinuousClock.Instant?) throws -> IndexStep? {
        next = try IndexChanges.takeIn(definition.name, in: db, from: next, until: deadline, skipsFailing: true).next
        return next == nil ? nil : IndexStep(phase: .repairing, rowsDone: 0)
    }
}
