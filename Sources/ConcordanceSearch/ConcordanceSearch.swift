// What the module's own declarations name. The rest of ConcordanceText, such as tokenizers and filters of your own, comes
// by importing that module.
@_exported import struct ConcordanceText.Analyzer
@_exported import enum ConcordanceText.AnalyzerError
@_exported import struct ConcordanceText.MatchPhrase
@_exported import struct ConcordanceText.SnippetOptions
@_exported import enum ConcordanceText.StopWords
@_exported import struct ConcordanceText.Synonyms
@_exported import enum ConcordanceText.TextLanguage
@_exported import protocol ConcordanceSQLite.ConnectionReader
@_exported import protocol ConcordanceSQLite.ConnectionWriter
