/// An expression of FTS5's query language, parsed.
///
/// FTS5 compiles while it parses, and reports the first error of either. So whatever precedes a syntax error is kept:
/// compiling it may fail first.
package struct QuerySyntax {
    /// FTS5's message, and its place, in UTF-8 bytes.
    package struct Failure: Error {
        package var message: String
        package var offset: Int
    }

    /// What was parsed, in the order in which FTS5 builds it.
    package var tree = QueryTree()
    /// The error after which nothing was parsed; nil if the expression is valid.
    package var failure: Failure?
    /// The form of the whole at its top; meaningless after a failure.
    var form = FTS5QueryParser.Form.operand

    /// Parses `text`, which has no NUL and is not a special query (`*...`).
    ///
    /// - Parameters:
    ///   - columns: The columns that column filters may name; nil for any.
    ///   - allowsTypos: Whether strings may have typos (`word~`), which is a syntax error in FTS5.
    package init(_ text: UnsafeBufferPointer<UInt8>, columns: [String]?, allowsTypos: Bool) {
        do throws(Failure) {
            var parser = try FTS5QueryParser(text, columns: columns, allowsTypos: allowsTypos)
            do throws(Failure) {
                form = try parser.parse()
            } catch {
                failure = error
            }
            tree.instructions = parser.instructions
        } catch {
            failure = error
        }
    }
}
