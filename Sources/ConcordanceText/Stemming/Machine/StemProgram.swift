/// The rules of a stemmer as a machine reads them: made once from their text (see `StemRuleParser`), then only read.
///
/// The rules have become one row of instructions. Each holds, and the next one follows, or goes on at `failure`, so that
/// trying one row of items and then another takes a jump and no call.
final class StemProgram: Sendable {
    /// What a machine does in one step; the operands are what the operation says they are.
    struct Instruction: BitwiseCopyable, Sendable {
        var operation: Operation
        var small: UInt8 = 0
        /// A text, a number, or the instruction to go on at.
        var operand: UInt16 = 0
        /// The instruction to go on at where this one does not hold.
        var failure: UInt16 = 0
        var count: UInt16 = 0
    }

    /// A number in a condition or an assignment: a constant from zero on, or one of the others.
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

    /// Texts of which the longest is chosen.
    struct Choice: BitwiseCopyable, Sendable {
        /// The root of their tree.
        var root: UInt16
        /// The number that says how far back a text may reach; -1 for no bound but the limit.
        var bound: Int8
        /// Whether the text that was chosen becomes the slice.
        var marksSlice: Bool
        /// What is done behind any text, before its own row; 0 for nothing.
        var prelude: UInt16
        /// The first of the slots that the choice has in a frame: where it began, and what follows the prelude.
        var slot: UInt16
    }

    /// A text of a choice.
    struct Text: BitwiseCopyable, Sendable {
        /// The instruction that follows the text.
        var next: UInt16
        /// Instructions that say whether the text is taken; 0 for none.
        var condition: UInt16
        /// The number of the next shorter text that begins like this one; 0 for none.
        var shorter: UInt16
        var length: UInt16
    }

    /// A place in the table of trees. A node is the number of its place; the child by a letter stands `children` and
    /// the letter's code further on, and says whose child it is.
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

    /// Where the parts of the program are; good as long as the program lives.
    struct Addresses: BitwiseCopyable {
        let instructions: UnsafePointer<Instruction>
        let arithmetic: UnsafePointer<Arithmetic>
        let choices: UnsafePointer<Choice>
        /// The texts of all choices, from 1 on.
        let choiceTexts: UnsafePointer<Text>
        let nodes: UnsafePointer<Node>
        /// For each letter's code the sets of letters that it is in, a bit each.
        let sets: UnsafePointer<UInt64>
        /// The letters of all texts that are matched or written.
        let texts: UnsafePointer<UInt8>
    }

    var addresses: Addresses {
        Addresses(
            instructions: instructions.pointer, arithmetic: arithmetic.pointer, choices: choices.pointer,
            choiceTexts: choiceTexts.pointer, nodes: nodes.pointer, sets: sets.pointer, texts: texts.pointer)
    }

    /// The program of a text of rules; nil where the text has a mistake, which the tests of all texts rule out.
    static func make(_ rules: StaticString) -> StemProgram? {
        try? StemRuleParser.program(
            UnsafeBufferPointer(start: rules.utf8Start, count: rules.utf8CodeUnitCount))
    }
}

extension StemProgram {
    /// What an instruction does. Most come twice, for reading forwards and backwards.
    enum Operation: UInt8, Sendable {
        /// Goes on at the operand.
        case jump
        /// The word is stemmed.
        case halt
        /// The rule at the operand holds; its frame begins behind `small` slots.
        case call
        /// The end of a rule that has held, and of one that has not.
        case succeed, fail
        /// The letters of a text stand at the cursor, which moves past them: the text at the operand, `count` letters.
        case text, textBack
        /// The letter with the code `small` stands at the cursor, which moves past it.
        case letter, letterBack
        /// A letter of the set `small` or none of it, which the cursor moves past.
        case inSet, inSetBack, outsideSet, outsideSetBack
        /// A letter of the set `small` stands at the cursor, or none; the cursor stays.
        case look, lookBack, absent, absentBack
        /// `count` letters of any kind.
        case skip, skipBack
        /// The cursor moves to the next letter of the set `small` or outside it, and `count` further.
        case findInSet, findInSetBack, findOutsideSet, findOutsideSetBack
        /// The cursor moves to the next letter of the set `small`, or to the limit where there is none.
        case pass, passBack
        /// The place of the cursor goes to the slot `small`, or comes from it.
        case save, saveBack, restore, restoreBack
        /// A round of a repetition begins: the place goes to the slot, the number of edits to the next one. Another
        /// begins at the operand if the last has changed anything.
        case begin, beginBack, again, againBack
        /// Where the slice begins and ends, in the direction of reading.
        case open, openBack, close, closeBack
        /// The longest of the texts of the choice at the operand.
        case choose, chooseBack
        /// The text at the operand, whose condition holds, is taken, for the choice `count`; the next shorter one is.
        case accept, acceptBack, retry, retryBack
        /// Goes on at the instruction in the slot `small`.
        case goOn
        /// The slice becomes the text at the operand, of `count` letters.
        case replace
        /// The text, or the kept one, comes in at the cursor, which moves behind it if `small` is 1.
        case insert, insertKept
        /// The slice is kept; the kept text stands at the cursor.
        case keep, kept, keptBack
        /// The number at the operand becomes the cursor; the cursor is at it; the cursor moves to it, which lies ahead.
        case mark, at, to, toBack
        /// The cursor is at the limit, or is not; it moves there.
        case atLimit, atLimitBack, beforeLimit, beforeLimitBack, toLimit, toLimitBack
        /// A condition or an assignment; the number at the operand is not beyond the cursor.
        case arithmetic, isAtMostCursor
        /// From here on nothing reads beyond the number at the operand; the limit of before, from the slot `small`.
        case bound, unbound
        /// From here on the word is read backwards from its end, and no longer; what was before is in two slots.
        case turn, turnBack
    }
}
