import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// A tokenizer type, as SQLite holds it: the context of FTS5's `xCreate`.
final class CustomTokenizerModule {
    private let connection: ConnectionReference
    private let type: any FTS5CustomTokenizer.Type

    init(_ type: any FTS5CustomTokenizer.Type, connection: ConnectionReference) {
        self.type = type
        self.connection = connection
    }

    /// The C functions of every tokenizer type.
    static var functions: fts5_tokenizer {
        fts5_tokenizer(
            xCreate: { context, arguments, count, instance in
                guard let context, let instance else { return SQLITE_MISUSE }
                let module = Unmanaged<CustomTokenizerModule>.fromOpaque(context).takeUnretainedValue()
                return module.make(strings(arguments, count), into: instance)
            },
            xDelete: { instance in
                if let instance { Unmanaged<CustomTokenizerInstance>.fromOpaque(.init(instance)).release() }
            },
            xTokenize: { instance, context, flags, text, count, callback in
                guard let instance, let callback else { return SQLITE_MISUSE }
                return Unmanaged<CustomTokenizerInstance>.fromOpaque(.init(instance))
                    ._withUnsafeGuaranteedRef {
                        $0.tokenize(
                            text, max(0, count), for: FTS5Tokenization(rawValue: flags),
                            into: TokenSink(context: context, callback: callback))
                    }
            })
    }

    private func make(_ arguments: [String], into instance: UnsafeMutablePointer<OpaquePointer?>) -> Int32 {
        let name = type.name
        guard let database = connection.database else { return SQLITE_MISUSE }
        return reportingErrors(to: connection, of: name) {
            let tokenizer = try type.init(db: database, arguments: arguments)
            let made = CustomTokenizerInstance(tokenizer, name: name, connection: connection)
            instance.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
            return SQLITE_OK
        }
    }
}

/// A C array of C strings.
func strings(_ pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: Int32) -> [String] {
    guard let pointers, count > 0 else { return [] }
    return (0..<Int(count)).compactMap { pointers[$0].map { String(cString: $0) } }
}

/// Runs a tokenizer for SQLite. If no other tokenizer wraps it, an error goes to the connection, whose statement throws
/// it; otherwise it waits for the tokenizer that does.
private func reportingErrors(
    to connection: ConnectionReference, of name: String, _ body: () throws -> Int32
) -> Int32 {
    let code = parkingErrors(of: name, body)
    if code != SQLITE_OK, let thread = TokenizerThread.current, thread.depth == 0, let error = thread.takeError() {
        connection.report(error)
    }
    return code
}

/// A tokenizer, as SQLite holds it: the instance that FTS5's `xCreate` returns.
private final class CustomTokenizerInstance {
    private let tokenizer: any FTS5Tokenizer
    private let name: String
    private let connection: ConnectionReference

    init(_ tokenizer: any FTS5Tokenizer, name: String, connection: ConnectionReference) {
        self.tokenizer = tokenizer
        self.name = name
        self.connection = connection
    }

    func tokenize(
        _ text: UnsafePointer<CChar>?, _ count: Int32, for tokenization: FTS5Tokenization, into sink: TokenSink
    ) -> Int32 {
        reportingErrors(to: connection, of: name) {
            try TokenGate.tokenize(text, count, for: tokenization, with: tokenizer, named: name, into: sink)
        }
    }
}
