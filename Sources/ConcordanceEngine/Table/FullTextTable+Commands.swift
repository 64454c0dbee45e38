import CConcordanceSQLite
import ConcordanceSQLite

extension FullTextTable {
    /// Executes `INSERT INTO t(t, rank) VALUES (command, value)`.
    func execute(_ command: BorrowedValue, _ row: VirtualTableRow) throws {
        try checkUsable()
        let value = row.values[rankColumn]
        if command.equalsIgnoringASCIICase("delete") {
            try executeDelete(row)
        } else if command.equalsIgnoringASCIICase("delete-all") {
            guard options.content != .stored else {
                throw failure(
                    "'delete-all' may only be used with a contentless or external content fts5 table")
            }
            try index.deleteAll()
        } else if command.equalsIgnoringASCIICase("rebuild") {
            try rebuild()
        } else if command.equalsIgnoringASCIICase("refresh"), options.readsSource {
            try refresh(row.rowID)
        } else if command.equalsIgnoringASCIICase("values"), options.content != .stored, !valueColumns.isEmpty {
            try executeValues(row)
        } else if command.equalsIgnoringASCIICase("optimize") {
            try keepingLastInsertedRowID { try index.optimize() }
        } else if command.equalsIgnoringASCIICase("merge") {
            _ = try keepingLastInsertedRowID { try index.merge(pages: Int(value.int32)) }
        } else if command.equalsIgnoringASCIICase("flush") {
            try keepingLastInsertedRowID { try index.flush() }
        } else if command.equalsIgnoringASCIICase("integrity-check") {
            // The content of others may have changed since; they can have it compared.
            try checkIntegrity(
                comparesContent: options.content == .stored || content.hasTexts && value.int32 != 0)
        } else {
            try set(command, to: value)
        }
    }

    /// Removes a row by its rowid, whatever text is passed; the right text makes it fast.
    private func executeDelete(_ row: VirtualTableRow) throws {
        guard options.content != .stored else {
            throw failure(
                "SQL logic error: 'delete' may only be used with a contentless or external content fts5 table; "
                    + "use DELETE FROM")
        }
        guard !options.allowsContentlessDelete else {
            throw failure("'delete' may not be used with a contentless_delete=1 table")
        }
        guard row.rowID.type == SQLITE_INTEGER else { return }
        _ = try index.delete(row.rowID.int64) { [self] in try add(row.values, to: $0) }
    }

    /// Updates the entry of a row to the source's texts, unless it already has them; removes it if the source has no
    /// such row.
    private func refresh(_ rowID: BorrowedValue) throws {
        guard let rowID = rowID.integer else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "'refresh' takes the rowid of a row")
        }
        try keepingLastInsertedRowID {
            let isFound: Void? = try content.withRow(rowID) { row in
                try index.refresh(rowID) { try add(row, to: $0) }
            }
            if isFound == nil { _ = try index.delete(rowID, oldText: nil) }
        }
    }

    /// Gives a row other stored values, and leaves its text alone: those of the source, or those that the statement has.
    private func executeValues(_ row: VirtualTableRow) throws {
        guard let rowID = row.rowID.integer else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "'values' takes the rowid of a row")
        }
        guard options.readsSource else {
            _ = try setValues(rowID, row.values)
            return
        }
        _ = try content.withRow(rowID) { source in try index.setValues(rowID) { try addValues(source, to: $0) } }
    }

    /// Rebuilds the index from the content.
    func rebuild() throws {
        guard content.hasTexts else {
            throw failure("'rebuild' may not be used with a contentless fts5 table")
        }
        try keepingLastInsertedRowID {
            do {
                try index.deleteAll()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // To rebuild is what mends a damaged index.
                try index.reset()
            }
            try content.forEachRow { rowID, row in
                try index.insert(rowID) { try add(row, to: $0) }
            }
        }
    }

    private func set(_ name: BorrowedValue, to value: BorrowedValue) throws {
        var changed = try settings
        // FTS5 says no more than SQLite says of any error.
        guard let key = TableSettings.Key.allCases.first(where: { name.equalsIgnoringASCIICase($0.staticName) }) else {
            throw failure("SQL logic error: the table \(self.name) has no command or setting '\(name.string ?? "")'")
        }
        guard changed.set(key, to: value) else {
            throw failure("SQL logic error: '\(key.rawValue)' takes \(key.values)")
        }
        try keepingLastInsertedRowID { try configuration.store(key, value) }
        forgetSettings()
    }

    // MARK: - Integrity

    /// Throws SQLITE_CORRUPT_VTAB if the index is damaged, or not that of the content.
    private func checkIntegrity(comparesContent: Bool) throws {
        let check = try IntegrityCheck(index)
        try check.run()
        guard comparesContent else { return }
        try content.forEachRow { rowID, row in
            try check.compare(rowID) { try add(row, to: $0) }
        }
        try check.finishComparison()
    }

    func integrityProblem(isQuick: Bool) throws -> String? {
        do {
            try checkUsable()
            try checkIntegrity(comparesContent: !isQuick && options.content == .stored)
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return "malformed inverted index for concordance table \(schema).\(name): \(error.message ?? "")"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // One table that cannot be looked into does not end the check of the others.
            return "unable to check the concordance table \(schema).\(name): \(error.message ?? "")"
        }
    }
}

extension TableSettings.Key {
    fileprivate var staticName: StaticString {
        switch self {
        case .automerge: "automerge"
        case .usermerge: "usermerge"
        case .crisismerge: "crisismerge"
        case .hashsize: "hashsize"
        case .cachesize: "cachesize"
        case .pgsz: "pgsz"
        case .secureDelete: "secure-delete"
        case .deleteMerge: "deletemerge"
        case .instanceTokens: "insttoken"
        case .rank: "rank"
        }
    }
}
