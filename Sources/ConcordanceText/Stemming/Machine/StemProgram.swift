/// The rules of a stemmer as a machine reads them: made once from their text (see `StemRuleParser`), then only read.
final class StemProgram: Sendable {
    /// What a machine does in one step; `first` and `second` are what the operation says they are.
    struct Instruction: BitwiseCopyable, Sendable {
        var operation: Operation
        var first: Int32 = 0
        var second: Int32 = 0
    }

    /// A number in a condition or an assignment: a constant from zero on, or one of the others.
    struct Operand: BitwiseCopyable, Sendable {
        static let cursor = Operand(code: -1)
        static let limit = Operand(code: -2)
        static let length = Operand(code: -3)

        static func constant(_ value: Int32) -> Operand { Operand(code: value) }
        static func number(_ index: Int) -> Operand { Operand(code: -4 - Int32(index)) }

        let code: Int32
    }

    /// `left COMPARISON right + more`, or the assignment of the right side to the number `left`.
    struct Arithmetic: BitwiseCopyable, Sendable {
        enum Kind: UInt8, Sendable {
            case assign, equal, unequal, less, greater, atMost, atLeast
        }

        var kind: Kind
        var left: Operand
        var right: Operand
        /// Added to `right`.
        var more: Int32 = 0
    }

    /// Texts of which the longest is chosen, as a tree of letters.
    struct Choice: BitwiseCopyable, Sendable {
        /// The first node, which has no letter.
        var root: Int32
        /// The number that says how far back a text may reach; -1 for no bound but the limit.
        var bound: Int32
        /// Whether the text that was chosen becomes the slice.
        var marksSlice: Bool
        /// What is done behind any text; -1 for nothing.
        var prelude: Int32
    }

    /// A node in a tree of texts.
    struct Node: BitwiseCopyable, Sendable {
        /// Where the edges begin, which are in ascending order of their letters.
        var firstEdge: Int32
        var edgeCount: Int32
        /// How many letters its text has.
        var depth: Int32
        /// The block of the text that ends here: -1 for none, -2 for a text without one.
        var block: Int32
        /// The block that must hold for the text to be chosen; -1 for none.
        var condition: Int32
        /// The node of the next shorter text that begins like this one; -1 for none.
        var shorter: Int32

        var endsText: Bool { block != -1 }
    }

    /// Letters as bits, from `first` on.
    struct LetterSet: BitwiseCopyable, Sendable {
        var first: Int32
        var count: Int32
        /// Where the bits begin, one byte for eight letters.
        var bits: Int32
    }

    /// The most numbers that rules may have.
    static let maximumNumbers = 16

    private let instructions: ConstantTable<Instruction>
    private let arithmetic: ConstantTable<Arithmetic>
    private let choices: ConstantTable<Choice>
    private let nodes: ConstantTable<Node>
    private let edgeLetters: ConstantTable<UInt16>
    private let edgeNodes: ConstantTable<Int32>
    private let letterSets: ConstantTable<LetterSet>
    private let letterBits: ConstantTable<UInt8>
    /// The letters of all texts that are matched or written.
    private let texts: ConstantTable<UInt16>
    /// The block that stems a word.
    let entry: Int32

    /// - Parameter code: Instructions whose blocks are the places where they begin.
    init(_ code: StemCode, entry: Int32) {
        instructions = ConstantTable(code.instructions)
        arithmetic = ConstantTable(code.arithmetic)
        choices = ConstantTable(code.choices)
        nodes = ConstantTable(code.nodes)
        edgeLetters = ConstantTable(code.edgeLetters)
        edgeNodes = ConstantTable(code.edgeNodes)
        letterSets = ConstantTable(code.letterSets)
        letterBits = ConstantTable(code.letterBits)
        texts = ConstantTable(code.texts)
        self.entry = entry
    }

    /// Where the parts of the program are; good as long as the program lives.
    struct Addresses: BitwiseCopyable {
        let instructions: UnsafePointer<Instruction>
        let arithmetic: UnsafePointer<Arithmetic>
        let choices: UnsafePointer<Choice>
        let nodes: UnsafePointer<Node>
        let edgeLetters: UnsafePointer<UInt16>
        let edgeNodes: UnsafePointer<Int32>
        let letterSets: UnsafePointer<LetterSet>
        let letterBits: UnsafePointer<UInt8>
        let texts: UnsafePointer<UInt16>
    }

    var addresses: Addresses {
        Addresses(
            instructions: instructions.pointer, arithmetic: arithmetic.pointer,
            choices: choices.pointer, nodes: nodes.pointer, edgeLetters: edgeLetters.pointer,
            edgeNodes: edgeNodes.pointer, letterSets: letterSets.pointer, letterBits: letterBits.pointer,
            texts: texts.pointer)
    }

    /// The program of a text of rules; nil where the text has a mistake, which the tests of all texts rule out.
    static func make(_ rules: StaticString) -> StemProgram? {
        try? StemRuleParser.program(
            UnsafeBufferPointer(start: rules.utf8Start, count: rules.utf8CodeUnitCount))
    }
}

extension StemProgram {
    /// What an instruction does. A block is the place of its first instruction, and goes on to an `end`. "Holds" is
    /// success; where an instruction does not hold, its block does not.
    enum Operation: UInt8, Sendable {
        /// The letters of a text stand at the cursor, which moves past them: start in the texts, count.
        case text
        /// A letter of a set, or none of the set: the set.
        case letter, otherLetter
        /// As many letters of any kind: their number.
        case skip
        /// The first block holds, or else the second, from the same place.
        case either
        /// Both blocks hold, from the same place.
        case both
        /// The block does not hold; the cursor stays.
        case not
        /// The block may hold; where it does not, the cursor stays.
        case option
        /// The block holds; the cursor stays.
        case look
        /// The block runs; the cursor stays whatever comes.
        case ignore
        /// The block holds as often as it can, and at least so many times: block, times.
        case `repeat`
        /// The cursor moves to the first place where the block holds, or past what it matched there.
        case find, findPast
        /// The same for one letter of a set, or none of the set.
        case findLetter, findOtherLetter, findPastLetter, findPastOtherLetter
        /// Where the slice begins, and where it ends, in the direction of reading.
        case open, close
        /// The longest of the texts of a choice.
        case choose
        /// The slice becomes a text: start, count.
        case replace
        /// A text comes in at the cursor, which stays before or moves behind it in the direction of reading.
        case insertAhead, insertBehind
        /// The slice is kept; the kept text comes in at the cursor; the kept text stands at the cursor.
        case keep, insertKept, kept
        /// The number is the cursor; the cursor is at the number; the cursor moves to it, which lies ahead.
        case mark, at, to
        /// The cursor is at the limit; it moves there.
        case atLimit, toLimit
        /// A condition or an assignment.
        case arithmetic
        /// The block runs and may not reach beyond the number: block, number.
        case behind
        /// The block reads from the end of the word to its start.
        case backwards
        /// The block holds; another rule.
        case call
        /// Never holds.
        case fail
        /// The end of a block, all of which has held.
        case end
    }
}
