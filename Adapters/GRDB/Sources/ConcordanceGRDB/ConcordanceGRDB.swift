@_exported import ConcordanceSearch
