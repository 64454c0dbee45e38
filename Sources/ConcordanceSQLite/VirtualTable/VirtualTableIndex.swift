import CConcordanceSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A query that SQLite considers for a virtual table, and the table's answer: which constraints it evaluates, in what
/// order its rows come, and at what cost (https://www.sqlite.org/vtab.html#xbestindex). Valid during `bestIndex`.
///
/// ```
/// func bestIndex(_ index: inout VirtualTableIndex) {
///     for constraint in index.constraints where constraint.isUsable && constraint.column == 0 {
///         if constraint.comparison == .equal { index.take(constraint, omit: true) }
///     }
///     index.estimatedCost = 1
/// }
/// ```
@usableFromInline
package struct VirtualTableIndex {
    @usableFromInline let info: UnsafeMutablePointer<sqlite3_index_info>
    private var argumentCount: Int32 = 0

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>) { self.info = info }

    // MARK: - The question

    /// How a constraint compares its column; the values are SQLite's.
    @usableFromInline
    package struct Comparison: RawRepresentable, Hashable, Sendable {
        @usableFromInline
        package let rawValue: UInt8
        @usableFromInline
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `=`.
        @usableFromInline
        package static let equal = Comparison(rawValue: 2)
        /// `>`.
        @usableFromInline
        package static let greater = Comparison(rawValue: 4)
        /// `<=`.
        @usableFromInline
        package static let lessOrEqual = Comparison(rawValue: 8)
        /// `<`.
        @usableFromInline
        package static let less = Comparison(rawValue: 16)
        /// `>=`.
        @usableFromInline
        package static let greaterOrEqual = Comparison(rawValue: 32)
        /// `MATCH`.
        @usableFromInline
        package static let match = Comparison(rawValue: 64)
        /// `LIKE`.
        @usableFromInline
        package static let like = Comparison(rawValue: 65)
        /// `GLOB`.
        @usableFromInline
        package static let glob = Comparison(rawValue: 66)
        /// `REGEXP`.
        @usableFromInline
        package static let regexp = Comparison(rawValue: 67)
        /// `<>`.
        @usableFromInline
        package static let notEqual = Comparison(rawValue: 68)
        /// `IS NOT`.
        @usableFromInline
        package static let isNot = Comparison(rawValue: 69)
        /// `IS NOT NULL`, which has no value.
        @usableFromInline
        package static let isNotNull = Comparison(rawValue: 70)
        /// `IS NULL`, which has no value.
        @usableFromInline
        package static let isNull = Comparison(rawValue: 71)
        /// `IS`.
        @usableFromInline
        package static let `is` = Comparison(rawValue: 72)
        /// The LIMIT of the query; it has no column. In SQLite 3.38 and later.
        @usableFromInline
        package static let limit = Comparison(rawValue: 73)
        /// The OFFSET of the query; it has no column. In SQLite 3.38 and later.
        @usableFromInline
        package static let offset = Comparison(rawValue: 74)
        /// The first value that `VirtualTableFunction.comparison` can have; the last is 255.
        @usableFromInline
        package static let function = Comparison(rawValue: 150)
    }

    /// A term `column comparison value` of the WHERE clause.
    @usableFromInline
    package struct Constraint {
        /// Its index in `constraints`.
        @usableFromInline
        package let index: Int
        /// The column, from zero; -1 for the rowid.
        @usableFromInline
        package let column: Int
        /// How it compares them.
        @usableFromInline
        package let comparison: Comparison
        /// Whether the value is available in this plan; SQLite asks again about the same query with other usable
        /// constraints.
        @usableFromInline
        package let isUsable: Bool
    }

    /// The terms of the WHERE clause.
    @usableFromInline
    package var constraints: some RandomAccessCollection<Constraint> {
        (0..<Int(info.pointee.nConstraint)).lazy.map { [info] index in
            let constraint = info.pointee.aConstraint[index]
            return Constraint(
                index: index, column: Int(constraint.iColumn), comparison: Comparison(rawValue: constraint.op),
                isUsable: constraint.usable != 0)
        }
    }

    /// A term of the ORDER BY clause.
    @usableFromInline
    package struct OrderTerm: Hashable, Sendable {
        /// The column, from zero; -1 for the rowid.
        @usableFromInline
        package let column: Int
        /// Whether rows come from the largest value to the smallest.
        @usableFromInline
        package let isDescending: Bool
    }

    /// The terms of the ORDER BY clause, if it names only columns of this table.
    @usableFromInline
    package var orderBy: some RandomAccessCollection<OrderTerm> {
        (0..<Int(info.pointee.nOrderBy)).lazy.map { [info] index in
            let term = info.pointee.aOrderBy[index]
            return OrderTerm(column: Int(term.iColumn), isDescending: term.desc != 0)
        }
    }

    /// What the query does with rows that are equal in all `orderBy` columns; the values are SQLite's (3.38 and later).
    @usableFromInline
    package enum Distinctness: Int32, Sendable {
        /// Rows must come in the requested order.
        case sorted = 0
        /// GROUP BY: equal rows must come together, in any order.
        case grouped = 1
        /// DISTINCT: equal rows must come together, and all but one of them may be left out.
        case distinct = 2
        /// DISTINCT and ORDER BY: rows must come in the requested order, and all but one of equal rows may be left out.
        case sortedDistinct = 3
    }

    /// What the query does with rows that are equal in all `orderBy` columns; `sorted` before SQLite 3.38.
    @usableFromInline
    package var distinctness: Distinctness { Distinctness(rawValue: csqlite_vtab_distinct(info)) ?? .sorted }

    /// The columns that the query reads: bit n for column n, bit 63 for all columns from 63 on.
    @usableFromInline
    package var usedColumns: UInt64 { info.pointee.colUsed }

    /// Whether the query reads the column.
    @usableFromInline
    package func uses(column: Int) -> Bool {
        column >= 0 && usedColumns & (1 << UInt64(Swift.min(column, 63))) != 0
    }

    /// The value of a constraint if it is known while planning, such as a literal; valid during `bestIndex`.
    @usableFromInline
    package func value(of constraint: Constraint) -> BorrowedValue? {
        var value: OpaquePointer?
        guard isValid(constraint), csqlite_vtab_rhs_value(info, Int32(constraint.index), &value) == SQLITE_OK
        else { return nil }
        return value.map { BorrowedValue($0) }
    }

    /// The collation by which a constraint compares texts.
    @usableFromInline
    package func collation(of constraint: Constraint) -> String? {
        guard isValid(constraint) else { return nil }
        return csqlite_vtab_collation(info, Int32(constraint.index)).map { String(cString: $0) }
    }

    /// Whether the constraint is an IN whose list the table could take all at once.
    @usableFromInline
    package func isList(_ constraint: Constraint) -> Bool {
        isValid(constraint) && csqlite_vtab_in(info, Int32(constraint.index), -1) != 0
    }

    // MARK: - The answer

    /// Has the constraint's value passed to `filter`.
    ///
    /// - Parameter omit: Whether the table guarantees it, so that SQLite need not check the rows again.
    /// - Returns: The index of the value among the arguments of `filter`.
    @discardableResult
    @usableFromInline
    package mutating func take(_ constraint: Constraint, omit: Bool = false) -> Int {
        guard isValid(constraint) else { return -1 }
        if info.pointee.aConstraintUsage[constraint.index].argvIndex == 0 {
            argumentCount += 1
            info.pointee.aConstraintUsage[constraint.index].argvIndex = argumentCount
        }
        info.pointee.aConstraintUsage[constraint.index].omit = omit ? 1 : 0
        return Int(info.pointee.aConstraintUsage[constraint.index].argvIndex) - 1
    }

    /// Has the list of an IN passed to `filter` as one argument (see `BorrowedValue.forEachElement(_:)`), instead of
    /// calling `filter` for each element. Call it in addition to `take`.
    ///
    /// - Returns: Whether that is possible: the constraint is an IN, and SQLite is 3.38 or later.
    @usableFromInline
    package func takeAllAtOnce(_ constraint: Constraint) -> Bool {
        isValid(constraint) && csqlite_vtab_in(info, Int32(constraint.index), 1) != 0
    }

    /// A number that is passed to `filter` with the plan.
    @usableFromInline
    package var planNumber: Int32 {
        get { info.pointee.idxNum }
        nonmutating set { info.pointee.idxNum = newValue }
    }

    /// Sets a text that is passed to `filter` with the plan.
    @usableFromInline
    package func setPlanText(_ text: String) throws {
        guard let copy = textOwnedBySQLite(text) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        if info.pointee.needToFreeIdxStr != 0 { csqlite_free(info.pointee.idxStr) }
        info.pointee.idxStr = copy
        info.pointee.needToFreeIdxStr = 1
    }

    /// Whether the rows come in the order of `orderBy`, so that SQLite need not sort them.
    @usableFromInline
    package var isOrdered: Bool {
        get { info.pointee.orderByConsumed != 0 }
        nonmutating set { info.pointee.orderByConsumed = newValue ? 1 : 0 }
    }

    /// The cost of the plan, in disk accesses or a similar unit; the cheapest plan wins.
    @usableFromInline
    package var estimatedCost: Double {
        get { info.pointee.estimatedCost }
        nonmutating set { info.pointee.estimatedCost = newValue }
    }

    /// The number of rows of the plan; 25 by default.
    @usableFromInline
    package var estimatedRows: Int64 {
        get { info.pointee.estimatedRows }
        nonmutating set { info.pointee.estimatedRows = newValue }
    }

    /// Whether the plan has at most one row.
    @usableFromInline
    package var isUnique: Bool {
        get { info.pointee.idxFlags & SQLITE_INDEX_SCAN_UNIQUE != 0 }
        nonmutating set {
            let rest = info.pointee.idxFlags & ~SQLITE_INDEX_SCAN_UNIQUE
            info.pointee.idxFlags = newValue ? rest | SQLITE_INDEX_SCAN_UNIQUE : rest
        }
    }

    /// Thrown by `bestIndex` if there is no plan with these usable constraints: SQLite tries others.
    @usableFromInline
    package struct NoPlan: Error {
        /// Creates the error, which has no content.
        @usableFromInline
        package init() {}
    }

    private func isValid(_ constraint: Constraint) -> Bool {
        constraint.index >= 0 && constraint.index < Int(info.pointee.nConstraint)
    }
}

/// The plan that `bestIndex` chose, as passed to `filter`.
@usableFromInline
package struct VirtualTablePlan {
    /// `VirtualTableIndex.planNumber`.
    @usableFromInline
    package let number: Int32
    @usableFromInline let utf8: UnsafePointer<CChar>?

    @inlinable
    init(number: Int32, utf8: UnsafePointer<CChar>?) {
        self.number = number
        self.utf8 = utf8
    }

    /// The text that `VirtualTableIndex.setPlanText(_:)` set.
    @usableFromInline
    package var text: String? { utf8.map { String(cString: $0) } }

    /// Passes `body` the text's UTF-8 without a copy; empty if none was set.
    @inlinable
    package func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        guard let utf8 else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        let count = Int(strlen(utf8))
        return try utf8.withMemoryRebound(to: UInt8.self, capacity: count) {
            try body(UnsafeBufferPointer(start: $0, count: count))
        }
    }
}
