/// A benchmark's command line: options, each with a value, and the parts to run.
public struct Options: Sendable {
    private var values: [String: String] = [:]
    private var parts: Set<String> = []

    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - options: The known options, each of which takes a value.
    ///   - parts: The known parts.
    /// - Throws: `UsageError` for an unknown option or part, and for an option without its value.
    public init(_ arguments: some Sequence<String>, options: Set<String>, parts: [String]) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            if options.contains(argument) {
                guard let value = rest.popFirst() else { throw UsageError("\(argument) needs a value") }
                values[argument] = value
            } else if parts.contains(argument) {
                self.parts.insert(argument)
            } else {
                throw UsageError(
                    "there is no '\(argument)'; options: \(options.sorted().joined(separator: " ")); "
                        + "parts: \(parts.joined(separator: " "))")
            }
        }
    }

    /// Whether the part is named, or no part is.
    public func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }

    /// Whether the part is named.
    public func isNamed(_ part: String) -> Bool { parts.contains(part) }

    /// The value of an option; nil if it is not given.
    public subscript(option: String) -> String? { values[option] }

    /// The value of an option that is a number above 0; nil if it is not given.
    public func number(_ option: String) throws -> Int? {
        guard let value = values[option] else { return nil }
        guard let number = Int(value), number > 0 else { throw UsageError("\(option) needs a number above 0") }
        return number
    }
}

/// A command line that cannot be understood, and why.
public struct UsageError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
