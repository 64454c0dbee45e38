import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// The analyzers of module ConcordanceText as an FTS5 tokenizer, whose arguments are an analyzer's components.
///
/// ```swift
/// // CREATE VIRTUAL TABLE "documents" USING fts5(tokenize='concordance words fold latin', content)
/// try ConcordanceTokenizers.register(on: db)
/// try db.create(virtualTable: "documents", using: FTS5()) { t in
///     t.tokenizer = try .concordance(Analyzer(components: ["words", "fold", "latin"]))
///     t.column("content")
/// }
/// ```
///
/// The text of the `tokenize` option alone says what the analyzer does, so that every process that registers the
/// tokenizer, whatever its language, can use the table.
public enum ConcordanceTokenizers {
    /// The tokenizer's name in SQL.
    public static let name = "concordance"

    /// The name of the tokenizer whose arguments are several analyzers, each as one text: that of texts without a marker,
    /// then those of the markers from 1 on (see `FieldMarker`).
    public static let fieldsName = "concordance_fields"

    /// Registers the tokenizers on a connection.
    ///
    /// - Throws: `DatabaseError`.
    public static func register(on db: Database) throws {
        try register(on: try db.sqliteConnection, library: try FTS5Connection.of(db).library)
    }

    /// Registers the tokenizers on a connection of another library, which may be gone when this returns: nothing of it is
    /// kept.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses meanwhile.
    /// - Throws: `DatabaseError`.
    public static func register(on connection: OpaquePointer) throws {
        try register(on: connection, library: FTS5Library(connection: connection))
    }

    private static func register(on connection: OpaquePointer, library: FTS5Library) throws {
        let single = functions { connection, arguments, count, instance in
            ConcordanceTokenizers.make(on: connection, into: instance) {
                try ConcordanceTokenizers.makeTokenizer(arguments: strings(arguments, count))
            }
        }
        let fields = functions { connection, arguments, count, instance in
            ConcordanceTokenizers.make(on: connection, into: instance) {
                try ConcordanceTokenizers.makeFieldTokenizer(arguments: strings(arguments, count))
            }
        }
        for (name, functions) in [(name, single), (fieldsName, fields)] {
            let code = library.add(
                tokenizer: name, functions: functions, context: UnsafeMutableRawPointer(connection), destroy: nil)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    /// What the tokenizer does with these arguments.
    static func makeTokenizer(arguments: [String]) throws -> any Tokenizer {
        try Analyzer(components: arguments).makeTokenizer()
    }

    /// The same for the tokenizer of several analyzers.
    static func makeFieldTokenizer(arguments: [String]) throws -> any Tokenizer {
        let analyzers = try arguments.map { try Analyzer(parsing: $0) }
        return FieldTokenizer(analyzers.first ?? .standard, marked: Array(analyzers.dropFirst()))
    }

    typealias Create =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, Int32,
            UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    /// What FTS5's `xCreate` does: makes the machine, which SQLite keeps.
    static func make(
        on connection: UnsafeMutableRawPointer?, into instance: UnsafeMutablePointer<OpaquePointer?>?,
        _ tokenizer: () throws -> any Tokenizer
    ) -> Int32 {
        guard let instance else { return SQLITE_MISUSE }
        do {
            let machine = AnalyzerInstance(try tokenizer())
            instance.pointee = OpaquePointer(Unmanaged.passRetained(machine).toOpaque())
            return SQLITE_OK
        } catch {
            report(error, on: connection)
            return SQLITE_ERROR
        }
    }

    /// The C functions: FTS5's callback goes to the analyzer as it is, so a token costs nothing on its way.
    static func functions(_ create: Create) -> fts5_tokenizer {
        fts5_tokenizer(
            xCreate: create,
            xDelete: { instance in
                if let instance { Unmanaged<AnalyzerInstance>.fromOpaque(.init(instance)).release() }
            },
            xTokenize: { instance, context, flags, text, count, callback in
                guard let instance, let callback else { return SQLITE_MISUSE }
                guard let text, count > 0 else { return SQLITE_OK }
                return Unmanaged<AnalyzerInstance>.fromOpaque(.init(instance))._withUnsafeGuaranteedRef { instance in
                    text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { text in
                        instance.tokenizer.tokenize(
                            UnsafeBufferPointer(start: text, count: Int(count)),
                            for: TokenizationReason(rawValue: flags),
                            into: TokenSink(context: context, callback: callback))
                    }
                }
            })
    }

    /// Tells whoever needs the tokenizer why there is none: the tokenizer that wraps it, the statement of a `Database`,
    /// and SQLite's log, which is all that a host in another language has.
    private static func report(_ error: any Error, on connection: UnsafeMutableRawPointer?) {
        if let thread = TokenizerThread.current, thread.depth > 0 {
            thread.fail(error)
        } else if let connection {
            Database.setPendingCallbackError(error, on: OpaquePointer(connection))
        }
        csqlite_log(SQLITE_ERROR, "tokenizer \(name): \(error)")
    }
}

/// An analyzer at work, as SQLite holds it.
private final class AnalyzerInstance {
    let tokenizer: any Tokenizer

    init(_ tokenizer: any Tokenizer) { self.tokenizer = tokenizer }
}

extension FTS5TokenizerDescriptor {
    /// An analyzer of module ConcordanceText; see `ConcordanceTokenizers`.
    public static func concordance(_ analyzer: Analyzer) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: [ConcordanceTokenizers.name] + analyzer.components)
    }

    /// Several analyzers, of which a marker at the beginning of a text chooses one; see `FieldMarker`.
    ///
    /// - Parameters:
    ///   - unmarked: The analyzer of texts without a marker.
    ///   - marked: Those of the markers from 1 on.
    public static func concordanceFields(_ unmarked: Analyzer, marked: [Analyzer]) -> FTS5TokenizerDescriptor {
        let analyzers = ([unmarked] + marked).map(\.description)
        return FTS5TokenizerDescriptor(components: [ConcordanceTokenizers.fieldsName] + analyzers)
    }
}
