import CConcordanceSQLite
import ConcordanceSQLite

/// `snippet(t, column, opening, closing, ellipsis, tokens)`: as many tokens as requested from the column where the
/// query matches best, with marks around matches; from any column if its number is negative.
enum SnippetFunction {
    static func call(_ context: ExtensionContext, _ arguments: BorrowedValues, _ result: ResultContext) throws {
        guard arguments.count == 5 else { throw failure("wrong number of arguments to function snippet()") }
        let column = Int(Int32(truncatingIfNeeded: arguments[0].int64))
        let tokenCount = Int(Int32(truncatingIfNeeded: arguments[4].int64))
        var choice = SnippetWindow(context, tokenCount: tokenCount, column: max(0, column))
        for candidate in 0..<context.columnCount where column < 0 || column == candidate {
            try choice.consider(column: candidate)
        }
        try choice.finish()
        guard let text = try context.text(ofColumn: choice.column) else {
            // FTS5 also asks for the size of a column that does not exist.
            _ = try choice.columnSize ?? Int(context.size(ofColumn: choice.column))
            return
        }
        let size = try choice.columnSize ?? Int(context.size(ofColumn: choice.column))
        try arguments[1].withUTF8 { opening in
            try arguments[2].withUTF8 { closing in
                try arguments[3].withUTF8 { ellipsis in
                    var stretches = try CoalescedInstances(context, column: choice.column)
                    while stretches.first >= 0, stretches.first < choice.start { stretches.next() }
                    let end = choice.start + tokenCount - 1
                    var marked = MarkedText(
                        text, opening: opening.untilNUL, closing: closing.untilNUL, stretches: stretches,
                        // To FTS5, a range that ends with the first token is not a range.
                        range: end > 0 ? choice.start..<max(choice.start, end + 1) : nil)
                    if choice.start > 0 { marked.append(ellipsis.untilNUL) }
                    try marked.write(tokenizer: context.host.tokenizer, on: context.host.connection)
                    if end >= size - 1 { marked.writeRest() } else { marked.append(ellipsis.untilNUL) }
                    marked.output.withUnsafeBufferPointer { result.set(utf8: $0) }
                }
            }
        }
    }
}
