import CConcordanceSQLite

extension Database {
    /// Compiles the one statement in `sql`.
    public func makeStatement(sql: String) throws -> Statement {
        Statement(try prepareOne(sql, flags: 0), of: self, isCached: false)
    }

    /// Returns the one statement in `sql` from the connection's cache of compiled statements, to which it returns when
    /// its last reference is released. While a statement is in use, another one is compiled for the same SQL.
    public func cachedStatement(sql: String) throws -> Statement {
        _ = try sqliteConnection
        if let prepared = statementCache.take(sql) { return Statement(prepared, of: self, isCached: true) }
        return Statement(try prepareOne(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT)), of: self, isCached: true)
    }

    /// Executes the statements in `sql`, separated by `;`, and discards their rows.
    ///
    /// Each statement takes its positional arguments from where the previous one stopped; named arguments apply to all.
    /// Statements before a failing one stay executed, unless in a transaction.
    public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        var binder = ArgumentBinder(arguments)
        var last: Statement?
        try forEachStatement(in: sql) { statement, isLast in
            try binder.bind(to: statement)
            if isLast { try binder.finish(statement) }
            try statement.run()
            last = statement
        }
        try binder.finish(last)
    }

    /// Executes the literal `sql` with its own values, or with `arguments` for the parameters that it spells out.
    ///
    /// ```swift
    /// try db.execute("INSERT INTO documents VALUES (?)", arguments: ["..."])
    /// ```
    public func execute(_ sql: SQL, arguments: StatementArguments = []) throws {
        guard sql.arguments.positional.isEmpty || arguments.positional.isEmpty else {
            throw DatabaseError.misuse(
                "interpolated values and positional arguments cannot be mixed", sql: sql.sql,
                advice: "Interpolate all values, or pass arguments by name.")
        }
        try execute(sql: sql.sql, arguments: sql.arguments + arguments)
    }

    private func prepareOne(_ sql: String, flags: UInt32) throws -> PreparedStatement {
        var result: PreparedStatement?
        try withSQL(sql) { text in
            let (prepared, end) = try prepare(text, of: sql, from: 0, flags: flags)
            guard Self.isBlank(text, from: end) else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISUSE, message: "the text contains more than one statement", sql: sql,
                    offset: end,
                    advice: "Use Database.execute(sql:) for several, or prepare them one by one.")
            }
            result = prepared
        }
        guard let result else { throw DatabaseError.misuse("the text contains no statement", sql: sql) }
        return result
    }

    private func forEachStatement(in sql: String, _ body: (Statement, _ isLast: Bool) throws -> Void) throws {
        try withSQL(sql) { text in
            var start = 0
            while !Self.isBlank(text, from: start) {
                let (prepared, end) = try prepare(text, of: sql, from: start, flags: 0)
                if let prepared {
                    try body(Statement(prepared, of: self, isCached: false), Self.isBlank(text, from: end))
                }
                guard end > start else { break }
                start = end
            }
        }
    }

    /// Passes `body` the UTF-8 of `sql`: at most 2 GB, without a NUL, which would end it early; the byte after it is 0.
    private func withSQL(_ sql: String, _ body: (UnsafeBufferPointer<CChar>) throws -> Void) throws {
        let length = sql.utf8.count
        guard length < Int(Int32.max) else {
            throw DatabaseError(resultCode: .SQLITE_TOOBIG, message: "the SQL is \(length) bytes long")
        }
        if let nul = sql.utf8.firstIndex(of: 0) {
            throw DatabaseError(
                message: "the SQL contains a NUL character", sql: sql,
                offset: sql.utf8.distance(from: sql.utf8.startIndex, to: nul),
                advice: "Bind such a text as an argument.")
        }
        try sql.withCString { try body(UnsafeBufferPointer(start: $0, count: length)) }
    }

    /// Compiles the statement that starts at byte `start`; nil if there are only comments. Returns its end too.
    private func prepare(
        _ text: UnsafeBufferPointer<CChar>, of sql: String, from start: Int, flags: UInt32
    ) throws -> (PreparedStatement?, end: Int) {
        let connection = try sqliteConnection
        try checkAccess()
        guard let base = text.baseAddress else { return (nil, text.count) }
        state.pendingError = nil
        var handle: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        // Counting the terminating NUL saves SQLite a copy of the text.
        stepDepth &+= 1  // a tokenizer or a virtual table may be created
        let code = csqlite_prepare_v3(connection, base + start, Int32(text.count - start + 1), flags, &handle, &tail)
        stepDepth &-= 1
        guard code == SQLITE_OK else {
            let offset = csqlite_error_offset(connection)
            let error = error(code, sql: sql, offset: offset >= 0 ? start + Int(offset) : nil)
            if try trustsSchema(after: error) { return try prepare(text, of: sql, from: start, flags: flags) }
            throw error
        }
        let end = tail.map { $0 - base } ?? text.count
        guard let handle else { return (nil, end) }
        let isWhole = start == 0 && end == text.count
        let own = isWhole ? sql : csqlite_sql(handle).map { String(cString: $0) } ?? sql
        return (PreparedStatement(handle: handle, sql: own), end)
    }

    /// Whether only spaces, semicolons and comments remain from byte `start` on.
    private static func isBlank(_ text: UnsafeBufferPointer<CChar>, from start: Int) -> Bool {
        var index = start
        func byte(_ at: Int) -> UInt8 { at < text.count ? UInt8(bitPattern: text[at]) : 0 }
        while index < text.count {
            switch byte(index) {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C, UInt8(ascii: ";"):
                index += 1
            case UInt8(ascii: "-") where byte(index + 1) == UInt8(ascii: "-"):
                while index < text.count && byte(index) != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "/") where byte(index + 1) == UInt8(ascii: "*"):
                index += 2
                while index < text.count && !(byte(index) == UInt8(ascii: "*") && byte(index + 1) == UInt8(ascii: "/"))
                {
                    index += 1
                }
                index += 2
            default: return false
            }
        }
        return true
    }
}
