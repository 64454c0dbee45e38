// What an app names that searches its records. What else these modules have (tokenizers and filters of your own, FTS5's
// tables and auxiliary functions, collations, observers of transactions, statements, objects that live elsewhere) comes by
// importing them, too, and so do the names of types that calls return and code seldom spells out: their members are there
// without.

@_exported import struct ConcordanceText.Analyzer
@_exported import struct ConcordanceText.SnippetOptions
@_exported import enum ConcordanceText.StopWords
@_exported import struct ConcordanceText.Synonyms

@_exported import struct ConcordanceSQLite.Configuration
@_exported import protocol ConcordanceSQLite.ConnectionReader
@_exported import protocol ConcordanceSQLite.ConnectionWriter
@_exported import class ConcordanceSQLite.Database
@_exported import struct ConcordanceSQLite.DatabaseError
@_exported import struct ConcordanceSQLite.DatabaseMigrator
@_exported import class ConcordanceSQLite.DatabasePool
@_exported import class ConcordanceSQLite.DatabaseQueue
@_exported import protocol ConcordanceSQLite.DatabaseReader
@_exported import enum ConcordanceSQLite.DatabaseValue
@_exported import protocol ConcordanceSQLite.DatabaseValueConvertible
@_exported import protocol ConcordanceSQLite.DatabaseWriter
@_exported import struct ConcordanceSQLite.Row
@_exported import struct ConcordanceSQLite.SQL
@_exported import struct ConcordanceSQLite.StatementArguments
@_exported import protocol ConcordanceSQLite.StatementDecodable

@_exported import struct ConcordanceSearch.Analysis
@_exported import struct ConcordanceSearch.Content
@_exported import struct ConcordanceSearch.Field
@_exported import struct ConcordanceSearch.HighlightedText
@_exported import struct ConcordanceSearch.LiveResults
@_exported import struct ConcordanceSearch.QueryRules
@_exported import struct ConcordanceSearch.Ranking
@_exported import struct ConcordanceSearch.Relation
@_exported import struct ConcordanceSearch.SearchCursor
@_exported import struct ConcordanceSearch.SearchFacet
@_exported import struct ConcordanceSearch.SearchHit
@_exported import struct ConcordanceSearch.SearchIndex
@_exported import enum ConcordanceSearch.SearchIndexError
@_exported import class ConcordanceSearch.SearchModel
@_exported import struct ConcordanceSearch.SearchPage
@_exported import struct ConcordanceSearch.SearchPlan
@_exported import struct ConcordanceSearch.SearchQuery
@_exported import struct ConcordanceSearch.SearchRequest
@_exported import struct ConcordanceSearch.Suggestion
@_exported import struct ConcordanceSearch.Value
