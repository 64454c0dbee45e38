import CConcordanceSQLite

/// Passes arguments to one statement, or to those of a script in turn, and checks that each has a parameter.
struct ArgumentBinder {
    private let arguments: StatementArguments
    private var nextPosition = 0
    private var unusedNames: Set<String>

    init(_ arguments: StatementArguments) {
        self.arguments = arguments
        unusedNames = Set(arguments.named.keys)
    }

    /// Binds every parameter of `statement`; throws if an argument is missing, and says which.
    mutating func bind(to statement: Statement) throws {
        if let failure = arguments.failure { throw failure }
        let count = statement.parameterCount
        guard count > 0 else { return }
        var missingNames: [String] = []
        var missingPositions = 0
        for index in 1...count {
            let name = statement.parameterName(at: index)
            if let name, let value = arguments.named[name] {
                try statement.setParameter(index, to: value)
                unusedNames.remove(name)
            } else if nextPosition < arguments.positional.count {
                if !arguments.pointers.isEmpty, let pointer = arguments.pointers[nextPosition] {
                    try statement.setParameter(index, to: pointer)
                } else {
                    try statement.setParameter(index, to: arguments.positional[nextPosition])
                }
                nextPosition += 1
            } else if let name {
                missingNames.append(name)
            } else {
                missingPositions += 1
            }
        }
        guard missingNames.isEmpty && missingPositions == 0 else {
            throw missing(missingNames, missingPositions, statement)
        }
        statement.hasArguments = true
    }

    /// Throws if an argument has no parameter, and says which.
    func finish(_ statement: Statement?) throws {
        let superfluous = arguments.positional.count - nextPosition
        if superfluous > 0 {
            throw DatabaseError.misuse(
                "too many arguments: the statement takes \(nextPosition), but \(arguments.positional.count) were given",
                sql: statement?.sql)
        }
        if !unusedNames.isEmpty {
            let names = statement?.parameterNames ?? []
            throw DatabaseError.misuse(
                "the statement has no parameter named \(unusedNames.sorted().joined(separator: ", "))",
                sql: statement?.sql,
                advice: names.isEmpty
                    ? "The statement has no named parameter."
                    : "Its parameters are \(names.joined(separator: ", ")); argument names have no prefix.")
        }
    }

    private func missing(_ names: [String], _ positions: Int, _ statement: Statement) -> DatabaseError {
        var parts: [String] = []
        if !names.isEmpty { parts.append(names.joined(separator: ", ")) }
        if positions > 0 { parts.append("\(positions) by position") }
        return .misuse(
            "missing arguments: \(parts.joined(separator: " and ")); the statement takes \(statement.parameterCount), "
                + "\(arguments.positional.count + arguments.named.count) were given",
            sql: statement.sql)
    }
}
