import ConcordanceSQLite

/// What the queries of a connection have cost: counts that tell a plan which stops early from one that visits every match.
package final class QueryWork {
    /// Units of postings that were decoded and scored: blocks of 128 or windows of 256 documents.
    package internal(set) var rankedUnits = 0
    /// Rows that ranked plans gave.
    package internal(set) var rankedRows = 0
    /// Matches that were found in the order of rowids, for plans that are not ranked or rank by functions of others.
    package internal(set) var unrankedRows = 0

    init() {}

    /// The counts of a connection, from its first use of the engine on.
    package static func of(_ db: Database) -> QueryWork { db.storage(of: QueryWork.self) { QueryWork() } }
}
