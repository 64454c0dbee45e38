import Concordance
import Foundation

/// `concord explain`
enum ExplainCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let database = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        guard arguments.operands.count >= 2, let last = arguments.operands.last else {
            throw UsageError("explain needs a query and a path")
        }
        let query = arguments.operands.dropLast().joined(separator: " ")
        let path = DirectoryWalk.absolute(last)
        let searcher = Searcher(try IndexFile(path: database, isReadOnly: true))
        guard let explanation = try searcher.explanation(of: query, path: path) else {
            console.message(
                "\(TerminalText.line(path)) is not in the index; 'concord info --skipped' says why files were skipped.")
            return .nothing
        }
        for line in lines(explanation, path: path) { console.print(line) }
        console.flush()
        return explanation.score == nil ? .nothing : .success
    }

    static func lines(_ explanation: DocumentExplanation, path: String) -> [String] {
        let path = TerminalText.line(path)
        guard let score = explanation.score else { return ["The search does not find \(path)."] }
        var lines: [String] = []
        if let place = explanation.place, let other = explanation.standIn {
            lines.append(
                "\(path) is nearly the same as \(TerminalText.line(other)), which stands for it as number \(place + 1) of "
                    + "\(explanation.total).")
        } else if let place = explanation.place {
            lines.append("\(path) is number \(place + 1) of \(explanation.total).")
        } else {
            lines.append("\(path) is not among the first \(RankedWindow.size) of \(explanation.total).")
        }
        let factor = explanation.factors.reduce(1) { $0 * $1.value }
        lines += ["", "Score of its words, times \(rounded(factor, digits: 2)): \(rounded(score, digits: 2))"]
        if let words = explanation.words {
            lines += words.split(separator: "\n").map { "  " + TerminalText.line(String($0)) }
        }
        if !explanation.factors.isEmpty { lines += ["", "Factors for its name, title and folder:"] }
        for factor in explanation.factors {
            lines.append("  × \(rounded(factor.value, digits: 2)) \(factor.reason.rawValue)")
        }
        return lines
    }
}
