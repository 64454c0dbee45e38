@_exported import ConcordanceEngine
@_exported import ConcordanceFTS5
@_exported import ConcordanceSQLite
@_exported import ConcordanceSearch
@_exported import ConcordanceText
