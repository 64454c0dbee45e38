/// An expression of FTS5's query language, parsed: its tree in postfix form, so that neither making nor reading it
/// recurses.
///
/// FTS5 compiles while it parses, and reports the first error of either. The instructions before a syntax error are
/// therefore kept: what they are compiled to may fail first.
package struct QuerySyntax {
    /// What builds the tree out of phrases, groups of phrases, and nodes on a stack.
    package enum Instruction: Equatable {
        /// Begins a phrase with the tokens of a string.
        case phrase(Literal)
        /// Adds the tokens of a string to the phrase.
        case extend(Literal)
        /// `^`: the phrase stands at the beginning of a column.
        case initial
        /// Begins a group with the phrase.
        case group
        /// Adds the phrase to the group.
        case join
        /// How many tokens may lie between the phrases of the group.
        case distance(Int)
        /// Pushes the group as a node.
        case node
        /// Restricts the node on top to columns, or to all but those.
        case filter(columns: [Int], isInverted: Bool)
        /// Replaces the two nodes on top.
        case and, or, not
        /// An AND that leaves out strings without tokens.
        case implicitAnd
    }

    /// A string: a word or, with its quotes, a quoted one.
    package struct Literal: Equatable {
        /// Where it stands, in UTF-8 bytes.
        package var range: Range<Int>
        /// Whether a star follows.
        package var isPrefix: Bool

        /// What it says, without quotes.
        package func value(in text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            FTS5QueryLexer.value(of: range, in: text)
        }
    }

    /// FTS5's message, and where it was found, in UTF-8 bytes.
    package struct Failure: Error {
        package var message: String
        package var offset: Int
    }

    /// What was parsed, in the order in which FTS5 builds it.
    package var instructions: [Instruction] = []
    /// Why that is not all; nil where the expression is valid.
    package var failure: Failure?
    /// What the whole is at its top; of no meaning where there is a failure.
    var form = FTS5QueryParser.Form.operand

    /// Parses `text`, which has no NUL and is no special query (`*...`).
    ///
    /// - Parameter columns: Names that column filters may have; nil for any.
    package init(_ text: UnsafeBufferPointer<UInt8>, columns: [String]?) {
        do throws(Failure) {
            var parser = try FTS5QueryParser(text, columns: columns)
            do throws(Failure) {
                form = try parser.parse()
            } catch {
                failure = error
            }
            instructions = parser.instructions
        } catch {
            failure = error
        }
    }
}
