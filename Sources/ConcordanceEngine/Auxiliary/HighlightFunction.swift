import CConcordanceSQLite
import ConcordanceSQLite

/// `highlight(t, column, opening, closing)`: the column's text with marks around what matches.
enum HighlightFunction {
    static func call(_ context: ExtensionContext, _ arguments: BorrowedValues, _ result: ResultContext) throws {
        guard arguments.count == 3 else { throw failure("wrong number of arguments to function highlight()") }
        let column = Int(Int32(truncatingIfNeeded: arguments[0].int64))
        try arguments[1].withUTF8 { opening in
            try arguments[2].withUTF8 { closing in
                guard let text = try context.text(ofColumn: column) else { return }
                var marked = MarkedText(
                    text, opening: opening.untilNUL, closing: closing.untilNUL,
                    stretches: try CoalescedInstances(context, column: column))
                try marked.write(tokenizer: context.host.tokenizer, on: context.host.connection)
                marked.writeRest()
                marked.output.withUnsafeBufferPointer { result.set(utf8: $0) }
            }
        }
    }
}
