import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

extension FullTextTable {
    // MARK: - Rows

    func insert(_ row: VirtualTableRow) throws -> Int64 {
        noteChange()
        let command = row.values[tableColumn]
        guard command.isNull else {
            try execute(command, row)
            return 0
        }
        try checkUsable()
        try checkRowID(row.rowID)
        if replacesConflicts, row.conflict == .replace, let rowID = row.rowID.integer { try remove(rowID) }
        let rowID = try insertContent(row)
        try insertIntoIndex(rowID, row.values)
        return rowID
    }

    func update(_ key: BorrowedValue, to row: VirtualTableRow) throws {
        noteChange()
        try checkUsable()
        try checkWritable("UPDATE", row)
        try checkRowID(row.rowID)
        try keepingLastInsertedRowID {
            let old = key.int64
            guard let new = row.rowID.integer, new != old else {
                try remove(old)
                return try insertIntoIndex(insertContent(row), row.values)
            }
            if replacesConflicts, row.conflict == .replace {
                try remove(old)
                try remove(new)
                try insertIntoIndex(insertContent(row), row.values)
            } else {
                // The content first: a conflict must be found before anything is changed.
                let rowID = try insertContent(row)
                try remove(old)
                try insertIntoIndex(rowID, row.values)
            }
        }
    }

    func delete(_ key: BorrowedValue) throws {
        noteChange()
        try checkUsable()
        try checkWritable("DELETE from", nil)
        try keepingLastInsertedRowID { try remove(key.int64) }
    }

    /// Whether `OR REPLACE` means anything: elsewhere there is no conflict.
    private var replacesConflicts: Bool { options.content == .stored || options.allowsContentlessDelete }

    private func checkWritable(_ verb: String, _ row: VirtualTableRow?) throws {
        guard options.content == .none else { return }
        guard options.allowsContentlessDelete else {
            throw failure("cannot \(verb) contentless fts5 table: \(name)")
        }
        // A text that stays as it is is nowhere to be had.
        if let row, options.columns.indices.contains(where: { row.values[$0].isUnchanged }) {
            throw failure("cannot UPDATE a subset of columns on fts5 contentless-delete table: \(name)")
        }
    }

    private func checkRowID(_ rowID: BorrowedValue) throws {
        let type = rowID.numericType
        guard type == SQLITE_INTEGER || type == SQLITE_NULL else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "datatype mismatch")
        }
    }

    /// Adds the content row, where the content is ours; returns its rowid.
    private func insertContent(_ row: VirtualTableRow) throws -> Int64 {
        if options.content == .stored { return try content.insert(row.rowID, row.values) }
        if let rowID = row.rowID.integer { return rowID }
        guard options.storesColumnSizes else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "datatype mismatch")
        }
        let maximum = try index.maximumRowID() ?? 0
        return maximum < .max ? maximum + 1 : try randomRowID()
    }

    /// A free rowid where the largest is taken, found as SQLite finds one.
    private func randomRowID() throws -> Int64 {
        for _ in 0..<100 {
            let rowID = Int64.random(in: 1...(.max / 2))
            if try !index.contains(rowID) { return rowID }
        }
        throw DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
    }

    /// Runs `body`; what it does to shadow tables is no insertion that `last_insert_rowid()` is to tell of.
    func keepingLastInsertedRowID<Result>(_ body: () throws -> Result) rethrows -> Result {
        let rowID = csqlite_last_insert_rowid(connection)
        defer { csqlite_set_last_insert_rowid(connection, rowID) }
        return try body()
    }

    // MARK: - The index

    private func insertIntoIndex(_ rowID: Int64, _ values: BorrowedValues) throws {
        try index.insert(rowID) { try add(values, to: $0) }
    }

    /// Removes a row by its rowid; there need not be one.
    func remove(_ rowID: Int64) throws {
        guard content.hasRows else {
            _ = try index.delete(rowID, oldText: nil)
            return
        }
        let isFound: Void? = try content.withRow(rowID) { row in
            _ = try index.delete(rowID) { [self] in try add(row, to: $0) }
        }
        // The index goes by the rowid: a text that is gone from the content is found in the index itself.
        if isFound == nil { _ = try index.delete(rowID, oldText: nil) }
        if options.content == .stored { try content.delete(rowID) }
    }

    /// Adds the tokens of a row to write.
    func add(_ values: BorrowedValues, to builder: DocumentBuilder) throws {
        for column in indexedColumns {
            try add(values[column], column: column, to: builder)
        }
        for column in valueColumns {
            try RowValues.append(values[column], named: options.columns[column].name, to: builder.values)
        }
    }

    /// Adds the tokens of a content row, which has its rowid first.
    func add(_ row: KeptStatement, to builder: DocumentBuilder) throws {
        for column in indexedColumns {
            try add(row.value(at: Int32(clamping: column + 1)), column: column, to: builder)
        }
        for column in valueColumns {
            let value = row.value(at: Int32(clamping: column + 1))
            try RowValues.append(value, named: options.columns[column].name, to: builder.values)
        }
    }

    private func add(_ value: BorrowedValue, column: Int, to builder: DocumentBuilder) throws {
        guard !value.isNull else { return }
        var target = TokenTarget(builder: Unmanaged.passUnretained(builder), column: column)
        try withUnsafeMutablePointer(to: &target) { target in
            try value.withUTF8 { text in
                try tokenizer.tokenize(
                    text, for: .document, into: TokenSink(context: target, callback: TokenTarget.receive),
                    on: connection)
            }
        }
    }
}

/// Where the tokens of one text go.
private struct TokenTarget {
    let builder: Unmanaged<DocumentBuilder>
    let column: Int

    static let receive: TokenCallback = { context, flags, token, count, _, _ in
        guard let context, let token else { return SQLITE_OK }
        let target = context.assumingMemoryBound(to: TokenTarget.self)
        let size = Int(max(0, count))
        token.withMemoryRebound(to: UInt8.self, capacity: size) { bytes in
            target.pointee.builder._withUnsafeGuaranteedRef {
                $0.add(
                    UnsafeBufferPointer(start: bytes, count: size), column: target.pointee.column,
                    isColocated: flags & TokenFlags.colocated.rawValue != 0)
            }
        }
        return SQLITE_OK
    }
}
