/// The instructions of a stemmer during compilation. Jumps lead to labels until all instructions are known.
struct StemCode {
    /// A place among the instructions, by number.
    struct Label {
        fileprivate var number: Int
    }

    /// What a program is made of.
    struct Tables {
        fileprivate(set) var instructions: [StemProgram.Instruction] = []
        fileprivate(set) var arithmetic: [StemProgram.Arithmetic] = []
        fileprivate(set) var choices: [StemProgram.Choice] = []
        fileprivate(set) var choiceTexts: [StemProgram.Text] = [
            StemProgram.Text(next: 0, condition: 0, shorter: 0, length: 0)
        ]
        fileprivate(set) var nodes: [StemProgram.Node] = []
        fileprivate(set) var sets: [UInt64] = []
        fileprivate(set) var texts: [UInt8] = []
    }

    private struct Step {
        var instruction: StemProgram.Instruction
        var target: Label?
        var failure: Label?
    }

    private var steps: [Step] = []
    /// Where each label is placed; -1 for nowhere yet.
    private var places: [Int] = []
    private var references: [Int] = []
    private var tables = Tables()
    /// The labels of each text of a choice: what follows, and its condition.
    private var textLabels: [(next: Label, condition: Label?)] = []
    /// By choice, the label of what follows any of its texts.
    private var preludes: [Label?] = []
    private var trees = StemTextTrees()
    /// The program's letters; a letter's code is its position, counted from 1.
    private var letters: [UInt16] = []
    /// By letter, its code; 0 for none yet.
    private var codes = [UInt8](repeating: 0, count: 1 << 16)
    private var sets: [StemLetterSet] = []

    // MARK: Letters

    /// The code of a letter, which gets one if it has none; 0 if there are too many.
    mutating func code(of letter: UInt16) -> UInt8 {
        if codes[Int(letter)] == 0, letters.count < StemAlphabet.maximumCount {
            letters.append(letter)
            codes[Int(letter)] = UInt8(letters.count)
        }
        return codes[Int(letter)]
    }

    func letter(of code: UInt8) -> UInt16 { letters[Int(code) - 1] }

    /// The number of a set of letters, which gets one if it has none; nil if there are too many.
    mutating func set(_ set: StemLetterSet) -> UInt8? {
        if let index = sets.firstIndex(of: set) { return UInt8(index) }
        guard sets.count < UInt64.bitWidth else { return nil }
        sets.append(set)
        return UInt8(sets.count - 1)
    }

    /// Where a text begins among all texts, to which it is added if they do not contain it.
    mutating func text(_ letters: [UInt8]) -> UInt16 {
        var start = 0
        while start + letters.count <= tables.texts.count {
            var same = 0
            while same < letters.count, tables.texts[start + same] == letters[same] { same += 1 }
            if same == letters.count { return UInt16(start) }
            start += 1
        }
        tables.texts += letters
        return UInt16(tables.texts.count - letters.count)
    }

    mutating func add(_ arithmetic: StemProgram.Arithmetic) -> UInt16 {
        tables.arithmetic.append(arithmetic)
        return UInt16(tables.arithmetic.count - 1)
    }

    // MARK: Instructions

    mutating func makeLabel() -> Label {
        places.append(-1)
        references.append(0)
        return Label(number: places.count - 1)
    }

    /// Places the label at the next instruction.
    mutating func place(_ label: Label) { places[label.number] = steps.count }

    /// Whether anything leads to the label so far.
    func isUsed(_ label: Label) -> Bool { references[label.number] > 0 }

    mutating func use(_ label: Label) { references[label.number] += 1 }

    /// Adds an instruction and returns its index.
    @discardableResult
    mutating func emit(
        _ operation: StemProgram.Operation, small: UInt8 = 0, operand: UInt16 = 0, count: Int = 0,
        target: Label? = nil, else failure: Label? = nil
    ) -> Int {
        if let target { use(target) }
        if let failure { use(failure) }
        steps.append(
            Step(
                instruction: StemProgram.Instruction(
                    operation: operation, small: small, operand: operand, count: UInt16(count)),
                target: target, failure: failure))
        return steps.count - 1
    }

    /// Removes an instruction that has no target: it becomes a jump to the next one, and `program()` drops those.
    mutating func remove(_ index: Int) {
        let next = makeLabel()
        places[next.number] = index + 1
        steps[index] = Step(instruction: StemProgram.Instruction(operation: .jump), target: next)
    }

    // MARK: Choices

    /// Adds a choice, without texts yet, and returns its number.
    mutating func addChoice(_ choice: StemProgram.Choice, prelude: Label?) -> UInt16 {
        tables.choices.append(choice)
        preludes.append(prelude)
        return UInt16(tables.choices.count - 1)
    }

    /// Adds a text and returns its number.
    mutating func addText(_ letters: [UInt8], next: Label, condition: Label?) -> UInt16 {
        tables.choiceTexts.append(
            StemProgram.Text(next: 0, condition: 0, shorter: 0, length: UInt16(letters.count)))
        textLabels.append((next, condition))
        return UInt16(textLabels.count)
    }

    mutating func bound(_ choice: UInt16, by number: Int8) { tables.choices[Int(choice)].bound = number }

    /// Gives a choice its texts, which are sorted; false if the table has no room for them.
    mutating func fill(_ choice: UInt16, _ texts: [StemTextTrees.Text]) -> Bool {
        guard let root = trees.add(texts[...]) else { return false }
        tables.choices[Int(choice)].root = root
        return true
    }

    // MARK: The end

    /// The program; nil if it is too large.
    consuming func program() -> StemProgram? {
        guard steps.count < Int(UInt16.max), textLabels.count < Int(UInt16.max), tables.texts.count < Int(UInt16.max)
        else { return nil }
        // Drops jumps to the next instruction.
        var index: [UInt16] = []
        var kept: [Step] = []
        for (place, step) in steps.enumerated() {
            index.append(UInt16(kept.count))
            if step.instruction.operation == .jump, let target = step.target, destination(target) == place + 1 {
                continue
            }
            kept.append(step)
        }
        index.append(UInt16(kept.count))
        func place(_ label: Label) -> UInt16 { index[destination(label)] }
        for step in kept {
            var instruction = step.instruction
            if let target = step.target { instruction.operand = place(target) }
            if let failure = step.failure { instruction.failure = place(failure) }
            tables.instructions.append(instruction)
        }
        for (number, labels) in textLabels.enumerated() {
            tables.choiceTexts[number + 1].next = place(labels.next)
            if let condition = labels.condition { tables.choiceTexts[number + 1].condition = place(condition) }
            tables.choiceTexts[number + 1].shorter = trees.shorter[number + 1]
        }
        for (number, prelude) in preludes.enumerated() {
            if let prelude { tables.choices[number].prelude = place(prelude) }
        }
        tables.nodes = trees.padded
        tables.sets = (0..<256).map { code in
            var bits: UInt64 = 0
            for (number, set) in sets.enumerated() where set.contains(UInt8(code)) { bits |= 1 << UInt64(number) }
            return bits
        }
        return StemProgram(tables, StemAlphabet(letters))
    }

    /// Where a label finally leads, through at most 100 jumps: they may form a circle.
    private func destination(_ label: Label) -> Int {
        var place = places[label.number]
        var hops = 0
        while place >= 0, place < steps.count, hops < 100, steps[place].instruction.operation == .jump,
            let target = steps[place].target
        {
            place = places[target.number]
            hops += 1
        }
        return max(place, 0)
    }
}
