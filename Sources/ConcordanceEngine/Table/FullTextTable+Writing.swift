import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

extension FullTextTable {
    // MARK: - Rows

    func insert(_ row: VirtualTableRow) throws -> Int64 {
        try beginChange()
        let command = row.values[tableColumn]
        guard command.isNull else {
            try execute(command, row)
            return 0
        }
        if let locales { return try locales.replace(in: row, insertRow) }
        return try insertRow(row)
    }

    private func insertRow(_ row: VirtualTableRow) throws -> Int64 {
        try checkUsable()
        try checkRowID(row.rowID)
        if replacesConflicts, row.conflict == .replace, let rowID = row.rowID.integer {
            try replace([rowID], with: row, at: rowID)
            return rowID
        }
        return try insertNew(row)
    }

    /// Adds a row, whose rowid the content may choose. If its texts or values are refused, it is taken back from there:
    /// SQLite does not undo what a statement of one row has changed.
    private func insertNew(_ row: VirtualTableRow) throws -> Int64 {
        let rowID = try insertContent(row)
        do {
            try insertIntoIndex(rowID, row.values)
        } catch {
            if options.content == .stored { try? content.delete(rowID) }
            throw error
        }
        return rowID
    }

    /// Puts a row in the place of others. The index comes first, since it may refuse texts and values, and can go back to what it
    /// was; then the content takes the row, or refuses it.
    ///
    /// - Parameter others: If a row with the new rowid is not one of them, that is a conflict.
    private func replace(_ others: [Int64], with row: VirtualTableRow, at rowID: Int64) throws {
        let insertion =
            options.content == .stored
            ? try content.prepareInsertion(row.rowID, row.values, replacing: others.contains(rowID)) : nil
        try index.change {
            for other in others { try removeFromIndex(other) }
            try insertIntoIndex(rowID, row.values)
            guard let insertion else { return }
            _ = try insertion()
            for other in others where other != rowID { try content.delete(other) }
        }
    }

    func update(_ key: BorrowedValue, to row: VirtualTableRow) throws {
        try beginChange()
        try completing(row, at: key.int64) { row in
            if let locales { return try locales.replace(in: row) { try updateRow(key, to: $0) } }
            try updateRow(key, to: row)
        }
    }

    /// Calls `body` with a row that an UPDATE writes. Unless its texts and its rowid stay, columns that stay are read from the
    /// table's source, if it has one.
    private func completing(_ row: VirtualTableRow, at rowID: Int64, _ body: (VirtualTableRow) throws -> Void) throws {
        let columns = options.columns.indices
        guard options.content == .none, content.hasTexts,
            row.rowID.integer != rowID || !isValueUpdate(row.values),
            columns.contains(where: { row.values[$0].isUnchanged })
        else { return try body(row) }
        let isFound: Void? = try content.withRow(rowID) { source in
            let values = row.values.indices.map { index in
                columns.contains(index) && row.values[index].isUnchanged
                    ? source.value(at: Int32(clamping: index + 1)).pointer : row.values[index].pointer
            }
            try values.withUnsafeBufferPointer { try body(row.replacing(BorrowedValues($0))) }
        }
        if isFound == nil { try body(row) }
    }

    private func updateRow(_ key: BorrowedValue, to row: VirtualTableRow) throws {
        try checkUsable()
        try checkWritable("UPDATE", row, isSameRow: row.rowID.integer == key.int64)
        try checkRowID(row.rowID)
        try keepingLastInsertedRowID {
            let old = key.int64
            guard let new = row.rowID.integer, new != old else {
                if try updateValues(old, row) { return }
                // Unchanged texts that cannot be read from anywhere: there is no such row.
                if options.content == .none, isValueUpdate(row.values) { return }
                if row.rowID.integer != nil { return try replace([old], with: row, at: old) }
                try remove(old)
                _ = try insertNew(row)
                return
            }
            try replace(
                replacesConflicts && row.conflict == .replace ? [old, new] : [old], with: row, at: new)
        }
    }

    func delete(_ key: BorrowedValue) throws {
        try beginChange()
        try checkUsable()
        try checkWritable("DELETE from", nil)
        try keepingLastInsertedRowID { try remove(key.int64) }
    }

    private func beginChange() throws {
        noteChange()
        try index.beginStatement()
    }

    /// Whether `OR REPLACE` has a meaning: otherwise there is no conflict.
    private var replacesConflicts: Bool { options.content == .stored || options.allowsContentlessDelete }

    private func checkWritable(_ verb: String, _ row: VirtualTableRow?, isSameRow: Bool = false) throws {
        guard options.content == .none else { return }
        guard options.allowsContentlessDelete else {
            throw failure("cannot \(verb) contentless fts5 table: \(name)")
        }
        // An unchanged text cannot be read from anywhere, and is not needed if all of them and the row stay.
        if let row, !(isSameRow && isValueUpdate(row.values)),
            options.columns.indices.contains(where: { row.values[$0].isUnchanged })
        {
            throw failure("cannot UPDATE a subset of columns on fts5 contentless-delete table: \(name)")
        }
    }

    private func checkRowID(_ rowID: BorrowedValue) throws {
        let type = rowID.numericType
        guard type == SQLITE_INTEGER || type == SQLITE_NULL else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "datatype mismatch")
        }
    }

    /// Adds the content row, if the content is ours; returns its rowid.
    private func insertContent(_ row: VirtualTableRow) throws -> Int64 {
        if options.content == .stored { return try content.insert(row.rowID, row.values) }
        if let rowID = row.rowID.integer { return rowID }
        guard options.storesColumnSizes else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "datatype mismatch")
        }
        let maximum = try index.maximumRowID() ?? 0
        return maximum < .max ? maximum + 1 : try randomRowID()
    }

    /// A free rowid if the largest one is taken, found as SQLite finds one.
    private func randomRowID() throws -> Int64 {
        for _ in 0..<100 {
            let rowID = Int64.random(in: 1...(.max / 2))
            if try !index.contains(rowID) { return rowID }
        }
        throw DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
    }

    /// Runs `body`, whose insertions into shadow tables `last_insert_rowid()` does not report.
    func keepingLastInsertedRowID<Result>(_ body: () throws -> Result) rethrows -> Result {
        let rowID = csqlite_last_insert_rowid(connection)
        defer { csqlite_set_last_insert_rowid(connection, rowID) }
        return try body()
    }

    // MARK: - Stored values

    /// Changes a row in its stored values, and other columns that are not indexed, where its texts stay; the index of these
    /// is not touched then. False where texts change, or the table has no VALUE columns.
    private func updateValues(_ rowID: Int64, _ row: VirtualTableRow) throws -> Bool {
        guard !valueColumns.isEmpty, row.rowID.integer == rowID else { return false }
        let values = row.values
        switch options.content {
        case .stored:
            let isSame = try content.withRow(rowID) { old in
                indexedColumns.allSatisfy { values[$0].isSame(as: old.value(at: Int32(clamping: $0 + 1))) }
            }
            guard isSame == true else { return false }
            let insertion = try content.prepareInsertion(row.rowID, values, replacing: true)
            return try index.change {
                guard try setValues(rowID, values) else { return false }
                _ = try insertion()
                return true
            }
        case .none: return try isValueUpdate(values) && setValues(rowID, values)
        case .external: return false
        }
    }

    /// Whether all texts that are indexed stay as they are, by what SQLite says of the statement.
    private func isValueUpdate(_ values: BorrowedValues) -> Bool {
        !valueColumns.isEmpty && indexedColumns.allSatisfy { values[$0].isUnchanged }
    }

    /// Replaces the stored values of a row; unchanged ones are read from the index. False if there is no such row.
    func setValues(_ rowID: Int64, _ values: BorrowedValues) throws -> Bool {
        let isPartial = valueColumns.contains { values[$0].isUnchanged }
        let known = isPartial ? try index.storedValues(of: rowID) : []
        guard let known else { return false }
        return try index.setValues(rowID) { writer in
            for (number, column) in valueColumns.enumerated() {
                if values[column].isUnchanged {
                    RowValues.append(known[number], to: writer)
                } else {
                    try RowValues.append(values[column], named: options.columns[column].name, to: writer)
                }
            }
        }
    }

    // MARK: - The index

    private func insertIntoIndex(_ rowID: Int64, _ values: BorrowedValues) throws {
        try index.insert(rowID) { try add(values, to: $0) }
    }

    /// Removes a row by its rowid; there need not be one.
    private func remove(_ rowID: Int64) throws {
        try removeFromIndex(rowID)
        if options.content == .stored { try content.delete(rowID) }
    }

    private func removeFromIndex(_ rowID: Int64) throws {
        guard content.hasRows else {
            _ = try index.delete(rowID, oldText: nil)
            return
        }
        let isFound: Void? = try content.withRow(rowID) { row in
            _ = try index.delete(rowID) { [self] in try add(row, to: $0) }
        }
        // The index uses the rowid: it finds the terms of a text that is gone from the content by itself.
        if isFound == nil { _ = try index.delete(rowID, oldText: nil) }
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
        try addValues(row, to: builder.values)
    }

    /// Appends the stored values of a content row.
    func addValues(_ row: KeptStatement, to writer: ByteWriter) throws {
        for column in valueColumns {
            let value = row.value(at: Int32(clamping: column + 1))
            try RowValues.append(value, named: options.columns[column].name, to: writer)
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

extension BorrowedValue {
    /// Whether a text is indexed as another one is.
    fileprivate func isSame(as other: BorrowedValue) -> Bool {
        guard !isUnchanged else { return true }
        // A blob whose text is asked for is a text from then on.
        if type == SQLITE_BLOB || other.type == SQLITE_BLOB {
            guard type == other.type else { return false }
            return withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
        }
        return isNull == other.isNull
            && withUTF8 { text in other.withUTF8 { text.count == $0.count && text.elementsEqual($0) } }
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
