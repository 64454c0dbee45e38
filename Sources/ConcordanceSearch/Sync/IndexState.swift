import ConcordanceSQLite

/// What a database has of an index.
public enum IndexState: Hashable, Sendable {
    /// Nothing; `install` makes it.
    case notInstalled
    /// Some of its rows, or rows of which some have yet to be compared because triggers were away for a while. The
    /// triggers see to those that change, and `install` goes on with the others.
    case incomplete(rowsDone: Int)
    /// An index of that name with another definition, which is in use until `install` has built this one.
    case otherDefinition
    /// An index whose triggers or tables are gone or were changed: these. `install` mends it.
    case altered([String])
    /// The index as it is defined.
    case ready
}

extension Database {
    /// What the database has of the index; see `ConnectionReader.indexState(of:)`.
    public func indexState<Record>(of index: SearchIndex<Record>) throws -> IndexState {
        try SearchSupport.register(on: self)
        let names = IndexNames(table: index.definition.name)
        guard let record = try IndexRecord.fetch(names.table, in: self) else { return .notInstalled }
        let plan = try IndexPlan(IndexSchema(index.definition, in: self), names: names, in: self)
        if record.fingerprint != plan.schema.fingerprint { return .otherDefinition }
        let altered = try IndexRecord.altered(plan.objects, in: self)
        if !altered.isEmpty { return .altered(altered) }
        if try !plan.hasSettings(in: self) { return .otherDefinition }
        return [.ready, .merging].contains(record.state) ? .ready : .incomplete(rowsDone: record.rowsDone)
    }
}
