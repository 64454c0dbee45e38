import ConcordanceSQLite

/// The state of an index in a database.
public enum IndexState: Hashable, Sendable {
    /// The index does not exist; `install` creates it.
    case notInstalled
    /// Some rows are not yet in the index, or still have to be compared because triggers were missing for a while. The
    /// triggers follow new changes, and `install` continues with the rest.
    case incomplete(rowsDone: Int)
    /// An index with that name has another definition, which is in use until `install` has built this one.
    case otherDefinition
    /// These triggers or tables of the index are missing or were changed; `install` repairs them.
    case altered([String])
    /// The index is as defined.
    case ready
}

extension Database {
    /// Returns the state of the index in the database; see `ConnectionReader.indexState(of:)`.
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
