@_exported import ConcordanceText
@_exported import protocol ConcordanceSQLite.ConnectionReader
@_exported import protocol ConcordanceSQLite.ConnectionWriter
