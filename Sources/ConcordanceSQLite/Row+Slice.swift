extension Row {
    /// The columns in `range`, as a row of their own: one table's part of a joined row.
    package func slice(_ range: Range<Int>) -> Row {
        let range = range.clamped(to: 0..<count)
        return Row(
            columns: ColumnNames(columns, in: range), databaseValues: Array(databaseValues[range]))
    }

    private init(columns: ColumnNames, databaseValues: [DatabaseValue]) {
        self.columns = columns
        self.databaseValues = databaseValues
    }
}
