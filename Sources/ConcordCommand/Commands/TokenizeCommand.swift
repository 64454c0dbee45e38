import Concordance
import ConcordanceText
import Foundation

/// `concord tokenize`
enum TokenizeCommand {
    private static let mostInput = 64 << 20

    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let analyzer = try analyzer(arguments, console: console)
        let text = arguments.operands == ["-"] ? try standardInput() : arguments.operands.joined(separator: " ")
        let reason: TokenizationReason = arguments.has("query") ? .query : .document
        let isJSON = arguments.has("json")
        var bytes = Array(text.utf8)
        // The buffer of an empty array may lack an address.
        if bytes.isEmpty { bytes = [32] }
        try bytes.withUnsafeBufferPointer { utf8 in
            try analyzer.makeTokenizer().forEachToken(in: utf8, for: reason) { token in
                console.print(isJSON ? json(token).text : line(token))
            }
        }
        return .success
    }

    private static func line(_ token: Token) -> String {
        // A token at the same position as the one before is a synonym.
        let position = token.isColocated ? "=" : String(token.position)
        return "\(position)\t\(token.range.lowerBound)-\(token.range.upperBound)\t\(TerminalText.line(token.text))"
    }

    private static func json(_ token: Token) -> JSONText {
        .object([
            ("position", .integer(token.position)), ("start", .integer(token.range.lowerBound)),
            ("end", .integer(token.range.upperBound)), ("token", .string(token.text)),
            ("colocated", .bool(token.isColocated)),
        ])
    }

    private static func analyzer(_ arguments: ParsedArguments, console: Console) throws -> Analyzer {
        if let text = arguments.value("analyzer") {
            do {
                return try IndexFile.analyzer(text)
            } catch let error as IndexError {
                throw UsageError("\(error)")
            }
        }
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        guard arguments.value("db") != nil || access(path, F_OK) == 0 else { return Analyzer.standard }
        return try IndexFile(path: path, isReadOnly: true).analyzer
    }

    private static func standardInput() throws -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = read(0, &piece, piece.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: piece[..<got])
            if bytes.count > mostInput { throw UsageError("tokenize reads at most \(byteCount(mostInput))") }
        }
    }
}
