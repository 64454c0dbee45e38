import ConcordanceSQLite

extension DatabaseReader {
    /// Adds a tokenizer to all connections, including those opened later.
    ///
    /// ```swift
    /// dbQueue.add(tokenizer: MyTokenizer.self)
    /// ```
    public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) {
        configureEachConnection { try FTS5.add(tokenizer: tokenizer, to: $0) }
    }

    /// Adds an auxiliary function to all connections, including those opened later, like `add(tokenizer:)`.
    public func add(auxiliaryFunction function: FTS5AuxiliaryFunction) {
        configureEachConnection { try $0.add(auxiliaryFunction: function) }
    }
}

extension ConcordanceTokenizers {
    /// Registers the tokenizer on all connections, including those opened later.
    public static func register(on databases: some DatabaseReader) {
        databases.configureEachConnection { try register(on: $0) }
    }
}
