/// Runs the rules of a stemmer on a word.
///
/// A word is an array of letters, as codes of the program's alphabet, with a cursor. Instructions compare letters at
/// the cursor, move it, and change the slice between two marks. They read forwards to the end of the word, or backwards
/// to its start; the place where reading ends is the limit.
///
/// Instructions pass values to later ones through slots in their rule's frame. The slot before the frame holds the
/// call's return address.
struct StemMachine {
    /// Room for the letters of a word, more than the longest word has: rules may add letters.
    static let capacity = 192

    /// The longest word that is stemmed, in letters. No word of a language is longer.
    static let longestWord = 128

    /// Room for the frames of nested rules.
    private static let slotCapacity = 2048
    /// How many calls, repetitions and changes a word may take: more than any word needs. It ends rules that would run
    /// forever.
    private static let patience = 50_000

    private let program: StemProgram.Addresses
    private let letters: UnsafeMutablePointer<UInt8>
    private let keptLetters: UnsafeMutablePointer<UInt8>
    private let numbers: UnsafeMutablePointer<Int32>
    private let slots: UnsafeMutablePointer<Int32>
    /// The number of letters, which is the limit of reading forwards.
    private var count: Int
    private var cursor = 0
    /// The limit of reading backwards.
    private var start = 0
    private var sliceStart = 0
    private var sliceEnd = 0
    private var keptCount = 0
    /// The first slot of the current frame.
    private var frame = 0
    /// How often the word has been changed.
    private var edits = 0
    private var patience = Self.patience
    /// The next instruction.
    private var next = 0

    /// Memory that one machine after another uses.
    struct Memory: ~Copyable {
        let letters = UnsafeMutablePointer<UInt8>.allocate(capacity: StemMachine.capacity)
        fileprivate let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: StemMachine.capacity)
        fileprivate let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: StemProgram.maximumNumbers)
        fileprivate let slots = UnsafeMutablePointer<Int32>.allocate(capacity: StemMachine.slotCapacity)

        init() {
            letters.initialize(repeating: 0, count: StemMachine.capacity)
            kept.initialize(repeating: 0, count: StemMachine.capacity)
            numbers.initialize(repeating: 0, count: StemProgram.maximumNumbers)
            slots.initialize(repeating: 0, count: StemMachine.slotCapacity)
        }

        deinit {
            letters.deallocate()
            kept.deallocate()
            numbers.deallocate()
            slots.deallocate()
        }
    }

    /// Stems the first `count` letters of the memory, in place.
    ///
    /// - Returns: The number of letters of the stem, and whether the rules changed the word.
    static func stem(
        _ memory: borrowing Memory, count: Int, by program: StemProgram.Addresses
    ) -> (count: Int, isChanged: Bool) {
        memory.numbers.update(repeating: 0, count: StemProgram.maximumNumbers)
        var machine = StemMachine(program, memory, count)
        machine.run()
        return (machine.count, machine.edits > 0)
    }

    private init(_ program: StemProgram.Addresses, _ memory: borrowing Memory, _ count: Int) {
        self.program = program
        letters = memory.letters
        keptLetters = memory.kept
        numbers = memory.numbers
        slots = memory.slots
        self.count = count
    }

    // MARK: Places

    @inline(__always)
    private func isAtLimit(_ isBackwards: Bool) -> Bool { isBackwards ? cursor <= start : cursor >= count }

    /// The letter at the cursor, which is not at the limit.
    @inline(__always)
    private func letter(_ isBackwards: Bool) -> UInt8 { letters[isBackwards ? cursor &- 1 : cursor] }

    @inline(__always)
    private func isLetter(in set: UInt8, _ isBackwards: Bool) -> Bool {
        program.sets[Int(letter(isBackwards))] & (1 &<< UInt64(set)) != 0
    }

    @inline(__always)
    private mutating func advance(_ isBackwards: Bool) { cursor = isBackwards ? cursor &- 1 : cursor &+ 1 }

    /// The cursor as a distance from where reading began, which edits ahead of the cursor leave valid.
    @inline(__always)
    private func place(_ isBackwards: Bool) -> Int32 {
        Int32(truncatingIfNeeded: isBackwards ? count &- cursor : cursor)
    }

    @inline(__always)
    private func slot(_ index: UInt8) -> UnsafeMutablePointer<Int32> { slots + (frame &+ Int(index)) }

    @inline(__always)
    private mutating func restore(_ index: UInt8, _ isBackwards: Bool) {
        let place = Int(slot(index).pointee)
        cursor = isBackwards ? count &- place : place
    }

    @inline(__always)
    private func number(_ index: UInt16) -> Int { Int(numbers[Int(index)]) }

    // MARK: Running

    private mutating func run() {
        while true {
            let step = program.instructions[next]
            next &+= 1
            let holds: Bool
            switch step.operation {
            case .jump:
                next = Int(step.operand)
                continue
            case .halt: return
            case .call: holds = call(step)
            case .succeed:
                _ = leave()
                continue
            case .fail:
                next = Int(leave().failure)
                continue
            case .text: holds = match(program.texts + Int(step.operand), Int(step.count), false)
            case .textBack: holds = match(program.texts + Int(step.operand), Int(step.count), true)
            case .letter: holds = match(step.small, false)
            case .letterBack: holds = match(step.small, true)
            case .inSet: holds = match(set: step.small, isIn: true, false)
            case .inSetBack: holds = match(set: step.small, isIn: true, true)
            case .outsideSet: holds = match(set: step.small, isIn: false, false)
            case .outsideSetBack: holds = match(set: step.small, isIn: false, true)
            case .look: holds = !isAtLimit(false) && isLetter(in: step.small, false)
            case .lookBack: holds = !isAtLimit(true) && isLetter(in: step.small, true)
            case .absent: holds = isAtLimit(false) || !isLetter(in: step.small, false)
            case .absentBack: holds = isAtLimit(true) || !isLetter(in: step.small, true)
            case .skip: holds = move(to: cursor &+ Int(step.count))
            case .skipBack: holds = move(to: cursor &- Int(step.count))
            case .findInSet: holds = find(step, isIn: true, false)
            case .findInSetBack: holds = find(step, isIn: true, true)
            case .findOutsideSet: holds = find(step, isIn: false, false)
            case .findOutsideSetBack: holds = find(step, isIn: false, true)
            case .pass:
                while !isAtLimit(false), !isLetter(in: step.small, false) { advance(false) }
                continue
            case .passBack:
                while !isAtLimit(true), !isLetter(in: step.small, true) { advance(true) }
                continue
            case .save:
                slot(step.small).pointee = place(false)
                continue
            case .saveBack:
                slot(step.small).pointee = place(true)
                continue
            case .restore:
                restore(step.small, false)
                continue
            case .restoreBack:
                restore(step.small, true)
                continue
            case .begin:
                begin(step, false)
                continue
            case .beginBack:
                begin(step, true)
                continue
            case .again:
                again(step, false)
                continue
            case .againBack:
                again(step, true)
                continue
            case .open, .closeBack:
                sliceStart = cursor
                continue
            case .openBack, .close:
                sliceEnd = cursor
                continue
            case .choose: holds = choose(step, false)
            case .chooseBack: holds = choose(step, true)
            case .accept:
                accept(step, false)
                continue
            case .acceptBack:
                accept(step, true)
                continue
            case .retry: holds = retry(step, false)
            case .retryBack: holds = retry(step, true)
            case .goOn:
                next = Int(slot(step.small).pointee)
                continue
            case .replace:
                holds = exchange(sliceStart, sliceEnd, program.texts + Int(step.operand), Int(step.count))
                if holds { sliceEnd = sliceStart &+ Int(step.count) }
            case .insert: holds = insert(program.texts + Int(step.operand), Int(step.count), step)
            case .insertKept: holds = insert(keptLetters, keptCount, step)
            case .keep: holds = keep()
            case .kept: holds = match(keptLetters, keptCount, false)
            case .keptBack: holds = match(keptLetters, keptCount, true)
            case .mark:
                numbers[Int(step.operand)] = Int32(truncatingIfNeeded: cursor)
                continue
            case .at: holds = cursor == number(step.operand)
            case .to:
                holds = cursor <= number(step.operand)
                if holds { cursor = number(step.operand) }
            case .toBack:
                holds = cursor >= number(step.operand)
                if holds { cursor = number(step.operand) }
            case .atLimit: holds = isAtLimit(false)
            case .atLimitBack: holds = isAtLimit(true)
            case .beforeLimit: holds = !isAtLimit(false)
            case .beforeLimitBack: holds = !isAtLimit(true)
            case .toLimit:
                cursor = count
                continue
            case .toLimitBack:
                cursor = start
                continue
            case .arithmetic: holds = compute(program.arithmetic[Int(step.operand)])
            case .isAtMostCursor: holds = number(step.operand) <= cursor
            case .bound:
                holds = cursor >= number(step.operand)
                if holds {
                    slot(step.small).pointee = Int32(truncatingIfNeeded: start)
                    start = max(number(step.operand), 0)
                }
            case .unbound:
                start = Int(slot(step.small).pointee)
                continue
            case .turn:
                slot(step.small).pointee = Int32(truncatingIfNeeded: start)
                start = max(cursor, 0)
                cursor = count
                continue
            case .turnBack:
                cursor = start
                start = Int(slot(step.small).pointee)
                continue
            }
            if !holds { next = Int(step.failure) }
        }
    }

    // MARK: Calls and repetitions

    @inline(__always)
    private mutating func call(_ step: StemProgram.Instruction) -> Bool {
        let inner = frame &+ Int(step.small)
        guard inner < Self.slotCapacity - StemProgram.maximumSlots, patience > 0 else { return false }
        patience &-= 1
        slots[inner &- 1] = Int32(truncatingIfNeeded: next)
        frame = inner
        next = Int(step.operand)
        return true
    }

    /// Goes on after the call, and returns that call.
    @inline(__always)
    private mutating func leave() -> StemProgram.Instruction {
        next = Int(slots[frame &- 1])
        let call = program.instructions[next &- 1]
        frame &-= Int(call.small)
        return call
    }

    @inline(__always)
    private mutating func begin(_ step: StemProgram.Instruction, _ isBackwards: Bool) {
        slot(step.small)[0] = place(isBackwards)
        slot(step.small)[1] = Int32(truncatingIfNeeded: edits)
    }

    @inline(__always)
    private mutating func again(_ step: StemProgram.Instruction, _ isBackwards: Bool) {
        // A round that changes nothing would hold forever.
        guard slot(step.small)[0] != place(isBackwards) || Int(slot(step.small)[1]) != edits, patience > 0 else {
            return
        }
        patience &-= 1
        next = Int(step.operand)
    }

    // MARK: Letters

    @inline(__always)
    private mutating func match(_ text: UnsafePointer<UInt8>, _ length: Int, _ isBackwards: Bool) -> Bool {
        guard (isBackwards ? cursor &- start : count &- cursor) >= length else { return false }
        let first = isBackwards ? cursor &- length : cursor
        var index = 0
        while index < length {
            guard letters[first &+ index] == text[index] else { return false }
            index &+= 1
        }
        cursor = isBackwards ? first : first &+ length
        return true
    }

    @inline(__always)
    private mutating func match(_ code: UInt8, _ isBackwards: Bool) -> Bool {
        guard !isAtLimit(isBackwards), letter(isBackwards) == code else { return false }
        advance(isBackwards)
        return true
    }

    @inline(__always)
    private mutating func match(set: UInt8, isIn: Bool, _ isBackwards: Bool) -> Bool {
        guard !isAtLimit(isBackwards), isLetter(in: set, isBackwards) == isIn else { return false }
        advance(isBackwards)
        return true
    }

    @inline(__always)
    private mutating func move(to target: Int) -> Bool {
        guard target >= start, target <= count else { return false }
        cursor = target
        return true
    }

    @inline(__always)
    private mutating func find(_ step: StemProgram.Instruction, isIn: Bool, _ isBackwards: Bool) -> Bool {
        let origin = cursor
        while !isAtLimit(isBackwards) {
            if isLetter(in: step.small, isBackwards) == isIn {
                cursor = isBackwards ? cursor &- Int(step.count) : cursor &+ Int(step.count)
                return true
            }
            advance(isBackwards)
        }
        cursor = origin
        return false
    }

    // MARK: Choices

    @inline(__always)
    private mutating func choose(_ step: StemProgram.Instruction, _ isBackwards: Bool) -> Bool {
        let choice = program.choices[Int(step.operand)]
        var bound = start
        if choice.bound >= 0 {
            bound = max(Int(numbers[Int(choice.bound)]), 0)
            guard cursor >= bound else { return false }
        }
        let room = isBackwards ? cursor &- bound : count &- cursor
        var node = choice.root
        var found = program.nodes[Int(node)]
        var text = found.text
        var length = 0
        while length < room {
            let letter = letters[isBackwards ? cursor &- length &- 1 : cursor &+ length]
            let child = Int(found.children) &+ Int(letter)
            found = program.nodes[child]
            guard found.parent == node else { break }
            node = UInt16(truncatingIfNeeded: child)
            if found.text != 0 { text = found.text }
            length &+= 1
        }
        return take(text, choice, from: cursor, isBackwards)
    }

    /// Moves past a text that began at `origin`, and goes on with its condition or, without one, with its row; false
    /// for no text.
    @inline(__always)
    private mutating func take(
        _ text: UInt16, _ choice: StemProgram.Choice, from origin: Int, _ isBackwards: Bool
    ) -> Bool {
        guard text != 0 else { return false }
        let found = program.choiceTexts[Int(text)]
        cursor = isBackwards ? origin &- Int(found.length) : origin &+ Int(found.length)
        if found.condition != 0 {
            slots[frame &+ Int(choice.slot)] = Int32(truncatingIfNeeded: origin)
            next = Int(found.condition)
        } else {
            accept(found, choice, from: origin)
        }
        return true
    }

    @inline(__always)
    private mutating func accept(_ text: StemProgram.Text, _ choice: StemProgram.Choice, from origin: Int) {
        if choice.marksSlice {
            sliceStart = min(origin, cursor)
            sliceEnd = max(origin, cursor)
        }
        next = Int(text.next)
        if choice.prelude != 0 {
            slots[frame &+ Int(choice.slot) &+ 1] = Int32(truncatingIfNeeded: next)
            next = Int(choice.prelude)
        }
    }

    @inline(__always)
    private mutating func accept(_ step: StemProgram.Instruction, _ isBackwards: Bool) {
        let choice = program.choices[Int(step.count)]
        accept(program.choiceTexts[Int(step.operand)], choice, from: Int(slots[frame &+ Int(choice.slot)]))
    }

    @inline(__always)
    private mutating func retry(_ step: StemProgram.Instruction, _ isBackwards: Bool) -> Bool {
        let choice = program.choices[Int(step.count)]
        let shorter = program.choiceTexts[Int(step.operand)].shorter
        return take(shorter, choice, from: Int(slots[frame &+ Int(choice.slot)]), isBackwards)
    }

    // MARK: Changes

    /// Replaces the letters from `from` to `to` with `text`; false if there is no room, or if those letters no longer
    /// exist: a row that failed may have deleted letters around the place to which the cursor returned.
    @inline(__always)
    private mutating func exchange(_ from: Int, _ to: Int, _ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let difference = length &- (to &- from)
        guard from >= 0, from <= to, to <= count, count &+ difference <= Self.capacity, patience > 0 else {
            return false
        }
        patience &-= 1
        edits &+= 1
        if difference != 0 {
            if to != count { (letters + (to &+ difference)).update(from: letters + to, count: count &- to) }
            count &+= difference
            if cursor >= to { cursor &+= difference } else if cursor > from { cursor = from }
        }
        var index = 0
        while index < length {
            letters[from &+ index] = text[index]
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private mutating func insert(
        _ text: UnsafePointer<UInt8>, _ length: Int, _ step: StemProgram.Instruction
    ) -> Bool {
        let origin = cursor
        guard exchange(origin, origin, text, length) else { return false }
        if origin <= sliceEnd {
            sliceEnd &+= length
            if origin <= sliceStart { sliceStart &+= length }
        }
        cursor = step.small == 1 ? origin &+ length : origin
        return true
    }

    @inline(__always)
    private mutating func keep() -> Bool {
        guard sliceStart >= 0, sliceStart <= sliceEnd, sliceEnd <= count else { return false }
        keptCount = sliceEnd &- sliceStart
        keptLetters.update(from: letters + sliceStart, count: keptCount)
        return true
    }

    // MARK: Numbers

    @inline(__always)
    private mutating func compute(_ arithmetic: StemProgram.Arithmetic) -> Bool {
        let right = value(arithmetic.right, arithmetic) &+ Int(arithmetic.more)
        if arithmetic.kind == .assign {
            numbers[-4 &- Int(arithmetic.left.code)] = Int32(truncatingIfNeeded: right)
            return true
        }
        let left = value(arithmetic.left, arithmetic)
        switch arithmetic.kind {
        case .assign, .equal: return left == right
        case .unequal: return left != right
        case .less: return left < right
        case .greater: return left > right
        case .atMost: return left <= right
        case .atLeast: return left >= right
        }
    }

    @inline(__always)
    private func value(_ operand: StemProgram.Operand, _ arithmetic: StemProgram.Arithmetic) -> Int {
        switch operand.code {
        case 0...: Int(operand.code)
        case -1: cursor
        case -2: arithmetic.isBackwards ? start : count
        case -3: count
        default: Int(numbers[-4 &- Int(operand.code)])
        }
    }
}
