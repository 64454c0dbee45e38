import Foundation

/// What the command line asks for.
struct Options {
    var folder: URL?
    var rowCount = Int.max
    var largeCount = 1_000_000
    var memoryTask: MemoryTask?
    private var parts: Set<String> = []

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--keep": folder = URL(fileURLWithPath: try Self.value(of: argument, &rest))
            case "--rows": rowCount = try Self.number(of: argument, &rest)
            case "--large": largeCount = try Self.number(of: argument, &rest)
            case MemoryTask.option: memoryTask = try MemoryTask(Self.value(of: argument, &rest))
            default: parts.insert(argument)
            }
        }
    }

    func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw UsageError(message: "\(option) needs a value") }
        return value
    }

    private static func number(of option: String, _ rest: inout ArraySlice<String>) throws -> Int {
        guard let number = Int(try value(of: option, &rest)), number > 0 else {
            throw UsageError(message: "\(option) needs a number above 0")
        }
        return number
    }
}

struct UsageError: Error {
    var message: String
}
