import Concordance
import Foundation

/// The command `concord`: indexes files and searches them.
public enum ConcordCommand {
    /// The version of the command and of the library that it is built with.
    public static let version = "0.1.0"

    /// Runs the command with the process's arguments, without the program's name, and returns its exit code.
    public static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
        run(arguments, console: Console(environment: environment)).rawValue
    }

    static func run(_ arguments: [String], console: Console) -> ExitCode {
        defer { console.flush() }
        var code = outcome(arguments, console: console)
        console.flush()
        if let problem = console.outputProblem {
            console.complain("the output could not be written: \(problem)")
            code = .failure
        }
        return code == .failure && arguments.first == Specifications.search.name ? .usage : code
    }

    private static func outcome(_ arguments: [String], console: Console) -> ExitCode {
        do {
            return try dispatch(arguments, console: console)
        } catch let error as UsageError {
            console.complain("\(error)")
            let command = arguments.first.flatMap { name in Specifications.all.first { $0.name == name } }
            console.message("Try: concord \(command.map { "\($0.name) " } ?? "")--help")
            return .usage
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            console.complain("the index is in use by another process; try again when it is done")
            return .failure
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            console.complain("the disk is full; what was written so far stays in the index")
            return .failure
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            console.complain("the database is damaged; an index can be repaired with: concord check --repair")
            return .failure
        } catch {
            console.complain("\(error)")
            return .failure
        }
    }

    private static func dispatch(_ arguments: [String], console: Console) throws -> ExitCode {
        guard let name = arguments.first else { return try withoutCommand(console) }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "-h", "--help":
            console.print(Specifications.overview(), terminator: "")
            return .success
        case "help":
            guard let topic = rest.first else {
                console.print(Specifications.overview(), terminator: "")
                return .success
            }
            console.print(try specification(topic).help, terminator: "")
            return .success
        case "-V", "--version", "version":
            console.print("concord \(version)")
            return .success
        default:
            let command = try specification(name)
            let parsed = try ParsedArguments(rest, for: command)
            if parsed.has("help") {
                console.print(command.help, terminator: "")
                return .success
            }
            return try run(command.name, parsed, console: console)
        }
    }

    private static func run(_ name: String, _ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        switch name {
        case "index": try IndexCommand.run(arguments, console: console)
        case "search": try SearchCommand.run(arguments, console: console)
        case "explain": try ExplainCommand.run(arguments, console: console)
        case "tokenize": try TokenizeCommand.run(arguments, console: console)
        case "info": try InfoCommand.run(arguments, console: console)
        case "check": try CheckCommand.run(arguments, console: console)
        case "serve": try ServeCommand.run(arguments, console: console)
        case "watch": try WatchCommand.run(arguments, console: console)
        case "service": try ServiceCommand.run(arguments, console: console)
        case "mcp": try MCPCommand.run(arguments, console: console)
        case "completions": try CompletionsCommand.run(arguments, console: console)
        case "man": ManualCommand.run(console: console)
        default: try RemoveCommand.run(arguments, console: console)
        }
    }

    /// At a terminal, `concord` alone searches, if there is something to search.
    private static func withoutCommand(_ console: Console) throws -> ExitCode {
        let path = IndexLocation.path(option: nil, environment: console.environment)
        if isatty(1) == 1, isatty(0) == 1, access(path, F_OK) == 0 {
            return try SearchCommand.run(
                ParsedArguments(["--interactive"], for: Specifications.search), console: console)
        }
        console.print(Specifications.overview(), terminator: "")
        return .success
    }

    private static func specification(_ name: String) throws -> CommandSpecification {
        if let command = Specifications.all.first(where: { $0.name == name }) { return command }
        if name.hasPrefix("-") { throw UsageError("concord has no option \(name)") }
        let hint = nearest(name, among: Specifications.all.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
        throw UsageError("concord has no command '\(name)'\(hint)")
    }
}
