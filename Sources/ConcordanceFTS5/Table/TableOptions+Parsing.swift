import ConcordanceSQLite
import ConcordanceText

extension TableOptions {
    /// The longest prefix that can have a list of its own, and the number of such lists that a table can have.
    package static let maximumPrefixLength = 999
    package static let maximumPrefixCount = 31

    /// Reads the arguments of `CREATE VIRTUAL TABLE` as FTS5 does.
    ///
    /// - Parameters:
    ///   - makeTokenizer: Called with the tokenizer's components when the option is read, so that their errors are
    ///     reported before those of later arguments; not called without the option.
    /// - Throws: FTS5's error for the first wrong argument.
    package init(parsing arguments: [String], table: String, makeTokenizer: ([String]) throws -> Void) throws {
        guard !table.equalsIgnoringASCIICase("rank") else { throw failure("reserved fts5 table name: \(table)") }
        var parser = OptionParser()
        for argument in arguments { try parser.parse(argument, makeTokenizer: makeTokenizer) }
        self = try parser.finish()
    }

    /// Reads the arguments of an existing table, skipping those that are not understood.
    init(leniently arguments: [String]) {
        var parser = OptionParser()
        for argument in arguments { try? parser.parse(argument) { _ in } }
        self = parser.options
    }
}

/// FTS5's message, as the error of its module.
private func failure(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_ERROR, message: message)
}

/// Reads the arguments one after another.
private struct OptionParser {
    private(set) var options = TableOptions()
    private var hasTokenizer = false
    private var contentTable: String?
    private var contentRowID: String?

    private enum Option: String, CaseIterable {
        case prefix, tokenize, content
        case contentRowID = "content_rowid"
        case contentlessDelete = "contentless_delete"
        case contentlessUnindexed = "contentless_unindexed"
        case columnSize = "columnsize"
        case detail, source, locale
        case tokenData = "tokendata"
    }

    mutating func parse(_ argument: String, makeTokenizer: ([String]) throws -> Void) throws {
        let error = failure("parse error in \"\(argument)\"")
        var scanner = DeclarationScanner(argument)
        guard let first = scanner.takeWord() else { throw error }
        scanner.skipSpaces()
        let isOption = scanner.take("=")
        if isOption, first.isQuoted { throw error }
        scanner.skipSpaces()
        var second: String?
        if !scanner.isAtEnd {
            guard let word = scanner.takeWord(), scanner.isAtEnd else { throw error }
            second = word.text
        }
        if isOption {
            try setOption(first.text, to: second ?? "", makeTokenizer)
        } else {
            try addColumn(first.text, option: second)
        }
    }

    private mutating func addColumn(_ name: String, option: String?) throws {
        if name.equalsIgnoringASCIICase("rank") || name.equalsIgnoringASCIICase("rowid") {
            throw failure("reserved fts5 column name: \(name)")
        }
        let isValue = option?.equalsIgnoringASCIICase("value") == true
        if let option, !isValue, !option.equalsIgnoringASCIICase("unindexed") {
            throw failure("unrecognized column option: \(option)")
        }
        options.columns.append(TableOptions.Column(name: name, isIndexed: option == nil, isValue: isValue))
    }

    /// Any beginning of an option's name stands for the first option that begins with it.
    private mutating func setOption(
        _ name: String, to value: String, _ makeTokenizer: ([String]) throws -> Void
    ) throws {
        guard let option = Option.allCases.first(where: { $0.rawValue.hasPrefixIgnoringASCIICase(name) }) else {
            throw failure("unrecognized option: \"\(name)\"")
        }
        switch option {
        case .prefix: try addPrefixes(value)
        case .tokenize:
            guard !hasTokenizer else { throw failure("multiple tokenize=... directives") }
            hasTokenizer = true
            options.tokenizer = try Self.components(value)
            try makeTokenizer(options.tokenizer)
        case .content:
            // An empty name given twice is not an error: FTS5 decides by the kind of content.
            guard options.content == .stored else { throw failure("multiple content=... directives") }
            contentTable = value
            options.content = value.isEmpty ? .none : .external(table: value, rowID: "rowid")
        case .contentRowID:
            guard contentRowID == nil else { throw failure("multiple content_rowid=... directives") }
            contentRowID = value
        case .contentlessDelete: options.allowsContentlessDelete = try Self.flag(value, of: "contentless_delete")
        case .contentlessUnindexed:
            guard try !Self.flag(value, of: "contentless_unindexed") else {
                throw failure(
                    "contentless_unindexed=1 is an option of FTS5 alone: declare the columns VALUE instead of UNINDEXED, and a "
                        + "contentless concordance table keeps their values")
            }
        case .locale: options.hasLocales = try Self.flag(value, of: "locale")
        case .tokenData: options.hasTokenData = try Self.flag(value, of: "tokendata")
        case .source: options.readsSource = try Self.flag(value, of: "source")
        case .columnSize: options.storesColumnSizes = try Self.flag(value, of: "columnsize")
        case .detail:
            let names: [(String, TableOptions.Detail)] = [("none", .none), ("full", .full), ("columns", .column)]
            let known = names.filter { $0.0.hasPrefixIgnoringASCIICase(value) }
            guard known.count == 1, let detail = known.first?.1 else {
                throw failure("malformed detail=... directive")
            }
            options.detail = detail
        }
    }

    private static func flag(_ value: String, of option: String) throws -> Bool {
        guard value == "0" || value == "1" else { throw failure("malformed \(option)=... directive") }
        return value == "1"
    }

    private mutating func addPrefixes(_ value: String) throws {
        var scanner = DeclarationScanner(value)
        var isFirst = true
        while true {
            scanner.skipSpaces()
            if !isFirst, scanner.take(",") {
                scanner.skipSpaces()
            } else if scanner.isAtEnd {
                return
            }
            guard DeclarationScanner.isDigit(scanner.current) else {
                throw failure("malformed prefix=... directive")
            }
            guard options.prefixes.count < TableOptions.maximumPrefixCount else {
                throw failure("too many prefix indexes (max \(TableOptions.maximumPrefixCount))")
            }
            var length = 0
            while DeclarationScanner.isDigit(scanner.current), length <= TableOptions.maximumPrefixLength {
                length = length * 10 + Int(scanner.current - UInt8(ascii: "0"))
                _ = scanner.take(Unicode.Scalar(scanner.current))
            }
            guard length > 0, length <= TableOptions.maximumPrefixLength else {
                throw failure("prefix length out of range (max \(TableOptions.maximumPrefixLength))")
            }
            options.prefixes.append(length)
            isFirst = false
        }
    }

    /// The words of a tokenize option: barewords and texts in single quotes.
    private static func components(_ value: String) throws -> [String] {
        let error = failure("parse error in tokenize directive")
        var scanner = DeclarationScanner(value)
        var components: [String] = []
        while !scanner.isAtEnd {
            scanner.skipSpaces()
            let isText = scanner.current == UInt8(ascii: "'")
            if isText {
                var end = scanner
                guard end.skipLiteral() else { throw error }
            }
            guard let word = isText ? scanner.takeWord()?.text : scanner.takeBareword() else { throw error }
            components.append(word)
            scanner.skipSpaces()
        }
        return components
    }

    func finish() throws -> TableOptions {
        var options = options
        if let contentRowID, let contentTable, !contentTable.isEmpty {
            options.content = .external(table: contentTable, rowID: contentRowID)
        }
        if options.allowsContentlessDelete {
            guard options.content == .none else {
                throw failure("contentless_delete=1 requires a contentless table")
            }
            guard options.storesColumnSizes else {
                throw failure("contentless_delete=1 is incompatible with columnsize=0")
            }
        }
        guard options.allowsContentlessDelete || !options.readsSource else {
            throw failure("source=1 requires contentless_delete=1")
        }
        return options
    }
}

extension String {
    /// Whether this begins with `beginning`, ignoring ASCII case.
    fileprivate func hasPrefixIgnoringASCIICase(_ beginning: String) -> Bool {
        String(decoding: utf8.prefix(beginning.utf8.count), as: UTF8.self).equalsIgnoringASCIICase(beginning)
    }
}
