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
/// The text of the `tokenize` option alone defines the analyzer, so every process that registers the tokenizer, in
/// whatever language it is written, can use the table.
public enum ConcordanceTokenizers {
    /// The tokenizer's name in SQL.
    package static let name = "concordance"

    /// The name of the tokenizer whose arguments are several analyzers, each as one text: that of texts without a
    /// marker, then those of the markers from 1 up (see `FieldMarker`).
    package static let fieldsName = "concordance_fields"

    /// Registers the tokenizers on a connection.
    ///
    /// - Throws: `DatabaseError`.
    public static func register(on db: Database) throws {
        try register(on: try db.sqliteConnection, library: try FTS5Connection.of(db).library)
    }

    /// Registers the tokenizers on a connection of another library. No reference to it is kept after this returns.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses during the call.
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

    /// The tokenizer for these arguments.
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

    /// The implementation of FTS5's `xCreate`: creates the machine, which SQLite holds.
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

    /// The C functions: FTS5's callback goes directly to the analyzer, so passing a token on costs nothing.
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

    /// Tells whoever needs the tokenizer why it does not exist: the tokenizer that wraps it, the statement of a
    /// `Database`, and SQLite's log, which is all that a host in another language has.
    private static func report(_ error: any Error, on connection: UnsafeMutableRawPointer?) {
        if let thread = TokenizerThread.current, thread.depth > 0 {
            thread.fail(error)
        } else if let connection {
            Database.setPendingCallbackError(error, on: OpaquePointer(connection))
        }
        csqlite_log(SQLITE_ERROR, "tokenizer \(name): \(error)")
    }
}

/// A running analyzer, as SQLite holds it.
private final class AnalyzerInstance {
    let tokenizer: any Tokenizer

    init(_ tokenizer: any Tokenizer) { self.tokenizer = tokenizer }
}

extension FTS5TokenizerDescriptor {
    /// Returns the descriptor of an analyzer of module ConcordanceText; see `ConcordanceTokenizers`.
    public static func concordance(_ analyzer: Analyzer) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: [ConcordanceTokenizers.name] + analyzer.components)
    }

    /// Several analyzers, one of which is chosen by a marker at the beginning of a text; see `FieldMarker`.
    ///
    /// - Parameters:
    ///   - unmarked: The analyzer of texts without a marker.
    ///   - marked: The analyzers for the markers from 1 up.
    package static func concordanceFields(_ unmarked: Analyzer, marked: [Analyzer]) -> FTS5TokenizerDescriptor {
        let analyzers = ([unmarked] + marked).map(\.description)
        return FTS5TokenizerDescriptor(components: [ConcordanceTokenizers.fieldsName] + analyzers)
    }
}
