import ConcordanceSQLite

/// Counters of what the queries of a connection cost. They distinguish plans that stop early from plans that visit
/// every match.
package final class QueryWork {
    /// Units of postings that were decoded and scored: blocks of 128 or windows of 256 documents.
    package internal(set) var rankedUnits = 0
    /// Documents of blocks that were scored one by one, for a query that is an AND of alternatives. One in several leading lists
    /// may count for each.
    package internal(set) var consideredDocuments = 0
    /// Groups of blocks whose blocks were examined one by one.
    package internal(set) var dividedGroups = 0
    /// Rows that ranked plans returned.
    package internal(set) var rankedRows = 0
    /// Matches found in the order of rowids, by plans that are not ranked or are ranked by other functions.
    package internal(set) var unrankedRows = 0
    /// Rows of functions such as `bm25` that were scored together with their neighbours, without a call for each.
    package internal(set) var scoredRows = 0
    /// Postings decoded to add up the terms that a prefix or a word with typos stands for.
    package internal(set) var summedPostings = 0
    /// Documents whose positions a ranked plan read to find a phrase, or phrases near each other.
    package internal(set) var locatedDocuments = 0
    /// Documents that were tested for conditions on stored values.
    package internal(set) var testedDocuments = 0
    /// Phrases whose rows were counted because a score depends on their number.
    package internal(set) var countedPhrases = 0
    /// Candidates examined to choose those whose positions are read next, counted each time.
    package internal(set) var weighedCandidates = 0
    /// Hits whose places were read for bonuses.
    package internal(set) var placedHits = 0
    /// The most documents that were held at one time for a ranking, those of each alternative that was found beforehand.
    package internal(set) var mostHeldDocuments = 0
    private var heldDocuments = 0

    init() {}

    /// Counts documents that are held from now on.
    func hold(_ count: Int) {
        heldDocuments += count
        mostHeldDocuments = max(mostHeldDocuments, heldDocuments)
    }

    /// Counts documents that are held no more.
    func release(_ count: Int) { heldDocuments -= count }

    /// The counters of a connection, from its first use of the engine on.
    package static func of(_ db: Database) -> QueryWork { db.storage(of: QueryWork.self) { QueryWork() } }
}
