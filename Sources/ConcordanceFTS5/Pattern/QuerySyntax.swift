/// An expression of FTS5's query language, parsed.
///
/// FTS5 compiles while it parses, and reports the first error of either. What comes before a syntax error is therefore
/// kept: what it is compiled to may fail first.
package struct QuerySyntax {
    /// FTS5's message, and where it was found, in UTF-8 bytes.
    package struct Failure: Error {
        package var message: String
        package var offset: Int
    }

    /// What was parsed, in the order in which FTS5 builds it.
    package var tree = QueryTree()
    /// Why that is not all; nil where the expression is valid.
    package var failure: Failure?
    /// What the whole is at its top; of no meaning where there is a failure.
    var form = FTS5QueryParser.Form.operand

    /// Parses `text`, which has no NUL and is no special query (`*...`).
    ///
    /// - Parameters:
    ///   - columns: Names that column filters may have; nil for any.
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
