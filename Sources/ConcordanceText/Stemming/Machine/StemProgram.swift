/// The rules of a stemmer as a machine runs them: compiled once from their text (see `StemRuleParser`), then never
/// changed.
///
/// The rules have become one row of instructions. If an instruction holds, the next one follows; otherwise the machine
/// goes on at `failure`. So trying one row of items after another takes a jump, not a call.
final class StemProgram: Sendable {
    /// One step of the machine; its operation says what the operands mean.
    struct Instruction: BitwiseCopyable, Sendable {
        var operation: Operation
        var small: UInt8 = 0
        /// A text, a number, or the instruction to go on at.
        var operand: UInt16 = 0
        /// The instruction to go on at if this one does not hold.
        var failure: UInt16 = 0
        var count: UInt16 = 0
    }

    /// An operand of a condition or an assignment: a constant, zero or more, or one of the places and numbers below
    /// zero.
    struct Operand: BitwiseCopyable, Sendable {
        static let cursor = Operand(code: -1)
        static let limit = Operand(code: -2)
        static let length = Operand(code: -3)

        static func constant(_ value: Int32) -> Operand { Operand(code: value) }
        static func number(_ index: Int) -> Operand { Operand(code: -4 - Int32(index)) }

        let code: Int32

        var isNumber: Bool { code <= -4 }
    }

    /// `left COMPARISON right + more`, or the assignment of the right side to the number `left`.
    struct Arithmetic: BitwiseCopyable, Sendable {
        enum Kind: UInt8, Sendable {
            case assign, equal, unequal, less, greater, atMost, atLeast
        }

        var kind: Kind
        var isBackwards = false
        var left: Operand
        var right: Operand
        /// Added to `right`.
        var more: Int32 = 0
    }

    /// A set of texts, of which the longest that follows is chosen.
    struct Choice: BitwiseCopyable, Sendable {
        /// The root of their tree.
        var root: UInt16
        /// The number that a text must not reach before; -1 if only the limit bounds it.
        var bound: Int8
        /// Whether the chosen text becomes the slice.
        var marksSlice: Bool
        /// The instruction that follows any text, before its own row; 0 for none.
        var prelude: UInt16
        /// The first of the choice's two slots in the frame: where it began, and what follows the prelude.
        var slot: UInt16
    }

    /// A text of a choice.
    struct Text: BitwiseCopyable, Sendable {
        /// The instruction that follows the text.
        var next: UInt16
        /// The instruction that begins the text's condition; 0 for none.
        var condition: UInt16
        /// The number of the next shorter text that begins like this one; 0 for none.
        var shorter: UInt16
        var length: UInt16
    }

    /// A place in the table of trees. A node is the number of its place. Its child for a letter is at `children` plus
    /// the letter's code, if that place names the node as its parent.
    struct Node: BitwiseCopyable, Sendable {
        var children: UInt16 = 0
        var parent: UInt16 = 0
        /// The number of the text that ends here; 0 for none.
        var text: UInt16 = 0
    }

    /// The most numbers that rules may have.
    static let maximumNumbers = 16
    /// The most slots in the frame of a rule.
    static let maximumSlots = 64

    private let instructions: ConstantTable<Instruction>
    private let arithmetic: ConstantTable<Arithmetic>
    private let choices: ConstantTable<Choice>
    private let choiceTexts: ConstantTable<Text>
    private let nodes: ConstantTable<Node>
    private let sets: ConstantTable<UInt64>
    private let texts: ConstantTable<UInt8>
    let alphabet: StemAlphabet

    init(_ code: StemCode.Tables, _ alphabet: consuming StemAlphabet) {
        instructions = ConstantTable(code.instructions)
        arithmetic = ConstantTable(code.arithmetic)
        choices = ConstantTable(code.choices)
        choiceTexts = ConstantTable(code.choiceTexts)
        nodes = ConstantTable(code.nodes)
        sets = ConstantTable(code.sets)
        texts = ConstantTable(code.texts)
        self.alphabet = alphabet
    }

    /// Where the parts of the program are; valid as long as the program lives.
    struct Addresses: BitwiseCopyable {
        let instructions: UnsafePointer<Instruction>
        let arithmetic: UnsafePointer<Arithmetic>
        let choices: UnsafePointer<Choice>
        /// The texts of all choices, from 1 on.
        let choiceTexts: UnsafePointer<Text>
        let nodes: UnsafePointer<Node>
        /// For each letter's code, the sets of letters that it is in, one bit for each set.
        let sets: UnsafePointer<UInt64>
        /// The letters of all texts that are matched or written.
        let texts: UnsafePointer<UInt8>
    }

    var addresses: Addresses {
        Addresses(
            instructions: instructions.pointer, arithmetic: arithmetic.pointer, choices: choices.pointer,
            choiceTexts: choiceTexts.pointer, nodes: nodes.pointer, sets: sets.pointer, texts: texts.pointer)
    }

    /// The program of a text of rules; nil if the text has a mistake. Tests compile every text.
    static func make(_ rules: StaticString) -> StemProgram? {
        try? StemRuleParser.program(
            UnsafeBufferPointer(start: rules.utf8Start, count: rules.utf8CodeUnitCount))
    }
}

extension StemProgram {
    /// What an instruction does. Most exist twice, for reading forwards and backwards.
    enum Operation: UInt8, Sendable {
        /// Goes on at the operand.
        case jump
        /// The word is stemmed.
        case halt
        /// Calls the rule at the operand; its frame begins after `small` slots.
        case call
        /// Ends a rule that holds, or one that does not.
        case succeed, fail
        /// The text at the operand, of `count` letters, follows; the cursor moves past it.
        case text, textBack
        /// The letter with the code `small` follows; the cursor moves past it.
        case letter, letterBack
        /// A letter in the set `small`, or outside it, follows; the cursor moves past it.
        case inSet, inSetBack, outsideSet, outsideSetBack
        /// A letter of the set `small` follows, or does not; the cursor stays.
        case look, lookBack, absent, absentBack
        /// `count` letters of any kind.
        case skip, skipBack
        /// The cursor moves to the next letter in the set `small`, or outside it, and `count` letters further.
        case findInSet, findInSetBack, findOutsideSet, findOutsideSetBack
        /// The cursor moves to the next letter of the set `small`, or to the limit if there is none.
        case pass, passBack
        /// The place of the cursor is saved in the slot `small`, or restored from it.
        case save, saveBack, restore, restoreBack
        /// Begins a round of a repetition: saves the place in the slot, and the number of edits in the next slot.
        /// Begins another round at the operand if the last one moved or changed anything.
        case begin, beginBack, again, againBack
        /// Where the slice begins and ends, in the direction of reading.
        case open, openBack, close, closeBack
        /// Chooses the longest text of the choice at the operand that follows.
        case choose, chooseBack
        /// For the choice `count`: takes the text at the operand, whose condition holds; or tries the next shorter one.
        case accept, acceptBack, retry, retryBack
        /// Goes on at the instruction in the slot `small`.
        case goOn
        /// The text at the operand, of `count` letters, replaces the slice.
        case replace
        /// Inserts the text, or the kept one, at the cursor, which moves to its end if `small` is 1.
        case insert, insertKept
        /// The slice is kept; the kept text follows.
        case keep, kept, keptBack
        /// The number at the operand becomes the cursor; the cursor is at that number; the cursor moves ahead to it.
        case mark, at, to, toBack
        /// The cursor is at the limit, or is not; it moves there.
        case atLimit, atLimitBack, beforeLimit, beforeLimitBack, toLimit, toLimitBack
        /// A condition or an assignment; the number at the operand is not beyond the cursor.
        case arithmetic, isAtMostCursor
        /// From here on, nothing reads backwards beyond the number at the operand; the limit saved in the slot `small`
        /// returns.
        case bound, unbound
        /// From here on, the word is read backwards from its end; reading forwards goes on. The slot `small` holds the
        /// limit meanwhile.
        case turn, turnBack
    }
}
