/// Runs the rules of a stemmer on a word.
///
/// A word is an array of letters with a cursor. Instructions compare what stands at the cursor, move it, and change the
/// slice between two marks. They read to the end of the word or, backwards, to its start; the end that is read to is
/// the limit.
struct StemMachine {
    /// Room for the letters of a word: more than a word has, since rules may add some.
    static let capacity = 192

    /// The longest word that is stemmed, in letters: longer ones are no words of a language.
    static let longestWord = 128

    /// How deep blocks may be within one another.
    private static let maximumDepth = 200
    /// How often a block is repeated.
    private static let maximumTimes = 1000

    private let program: StemProgram.Addresses
    private let letters: UnsafeMutablePointer<UInt16>
    private let kept: UnsafeMutablePointer<UInt16>
    private let numbers: UnsafeMutablePointer<Int32>
    private var keptCount = 0
    /// The number of letters, which is the limit of reading forwards.
    private(set) var count: Int
    private var cursor = 0
    /// The limit of reading backwards.
    private var start = 0
    private var sliceStart = 0
    private var sliceEnd = 0
    private var isBackwards = false
    private var depth = 0
    /// How often the word has been changed.
    private var edits = 0

    /// The memory of machines, one after the other: letters, kept letters, numbers.
    struct Memory: ~Copyable {
        let letters = UnsafeMutablePointer<UInt16>.allocate(capacity: StemMachine.capacity)
        let kept = UnsafeMutablePointer<UInt16>.allocate(capacity: StemMachine.capacity)
        let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: StemProgram.maximumNumbers)

        deinit {
            letters.deallocate()
            kept.deallocate()
            numbers.deallocate()
        }
    }

    /// Stems the first `count` letters of the memory, in place.
    ///
    /// - Returns: How many letters the stem has.
    static func stem(_ memory: borrowing Memory, count: Int, by program: StemProgram) -> Int {
        memory.numbers.update(repeating: 0, count: StemProgram.maximumNumbers)
        return withExtendedLifetime(program) {
            var machine = StemMachine(program.addresses, memory, count)
            _ = machine.run(program.entry)
            return machine.count
        }
    }

    private init(_ program: StemProgram.Addresses, _ memory: borrowing Memory, _ count: Int) {
        self.program = program
        letters = memory.letters
        kept = memory.kept
        numbers = memory.numbers
        self.count = count
    }

    // MARK: Places

    /// A place that stays the same when letters behind the cursor, as it reads, come or go.
    @inline(__always)
    private var place: Int {
        get { isBackwards ? count - cursor : cursor }
        set { cursor = isBackwards ? count - newValue : newValue }
    }

    @inline(__always)
    private var isAtLimit: Bool { isBackwards ? cursor <= start : cursor >= count }

    /// The letter at the cursor, which is not at the limit.
    @inline(__always)
    private var letter: UInt16 { letters[isBackwards ? cursor - 1 : cursor] }

    @inline(__always)
    private mutating func advance() { cursor += isBackwards ? -1 : 1 }

    @inline(__always)
    private func isLetter(of set: Int32) -> Bool {
        let set = program.letterSets[Int(set)]
        let bit = Int32(letter) &- set.first
        guard bit >= 0, bit < set.count else { return false }
        return program.letterBits[Int(set.bits + bit >> 3)] & (1 << UInt8(bit & 7)) != 0
    }

    // MARK: Running

    /// Runs the instructions of a block as long as they hold.
    private mutating func run(_ block: Int32) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        depth += 1
        var next = program.instructions + Int(block)
        while next.pointee.operation != .end, holds(next.pointee) { next += 1 }
        depth -= 1
        return next.pointee.operation == .end
    }

    @inline(__always)
    private mutating func holds(_ step: StemProgram.Instruction) -> Bool {
        switch step.operation {
        case .text: return match(program.texts + Int(step.first), Int(step.second))
        case .letter:
            guard !isAtLimit, isLetter(of: step.first) else { return false }
            advance()
        case .otherLetter:
            guard !isAtLimit, !isLetter(of: step.first) else { return false }
            advance()
        case .skip:
            let target = cursor + (isBackwards ? -1 : 1) * Int(step.first)
            guard target >= start, target <= count else { return false }
            cursor = target
        case .either:
            let place = place
            if run(step.first) { return true }
            self.place = place
            return run(step.second)
        case .both:
            let place = place
            guard run(step.first) else { return false }
            self.place = place
            return run(step.second)
        case .not:
            let place = place
            if run(step.first) { return false }
            self.place = place
        case .option:
            let place = place
            if !run(step.first) { self.place = place }
        case .look:
            let place = place
            guard run(step.first) else { return false }
            self.place = place
        case .ignore:
            let place = place
            _ = run(step.first)
            self.place = place
        case .repeat: return runRepeatedly(step)
        case .find, .findPast: return find(step)
        case .findLetter: return findLetter(step, isIn: true)
        case .findOtherLetter: return findLetter(step, isIn: false)
        case .findPastLetter:
            guard findLetter(step, isIn: true) else { return false }
            advance()
        case .findPastOtherLetter:
            guard findLetter(step, isIn: false) else { return false }
            advance()
        case .open: if isBackwards { sliceEnd = cursor } else { sliceStart = cursor }
        case .close: if isBackwards { sliceStart = cursor } else { sliceEnd = cursor }
        case .choose: return choose(step)
        case .replace: return replaceSlice(program.texts + Int(step.first), Int(step.second))
        case .insertAhead, .insertBehind:
            return insert(
                program.texts + Int(step.first), Int(step.second),
                moves: isBackwards == (step.operation == .insertAhead))
        case .keep:
            guard sliceStart >= 0, sliceStart <= sliceEnd, sliceEnd <= count else { return false }
            keptCount = sliceEnd - sliceStart
            kept.update(from: letters + sliceStart, count: keptCount)
        case .insertKept: return insert(kept, keptCount, moves: !isBackwards)
        case .kept: return match(kept, keptCount)
        case .mark: numbers[Int(step.first)] = Int32(cursor)
        case .at: return cursor == Int(numbers[Int(step.first)])
        case .to:
            let target = Int(numbers[Int(step.first)])
            guard isBackwards ? cursor >= target : cursor <= target else { return false }
            cursor = target
        case .atLimit: return isAtLimit
        case .toLimit: cursor = isBackwards ? start : count
        case .arithmetic: return compute(program.arithmetic[Int(step.first)])
        case .behind:
            let bound = Int(numbers[Int(step.second)])
            guard cursor >= bound else { return false }
            let outer = start
            start = bound
            defer { start = outer }
            return run(step.first)
        case .backwards:
            let (outer, wasBackwards) = (start, isBackwards)
            start = cursor
            cursor = count
            isBackwards = true
            defer {
                cursor = start
                start = outer
                isBackwards = wasBackwards
            }
            return run(step.first)
        case .call: return run(step.first)
        case .fail: return false
        case .end: break
        }
        return true
    }

    // MARK: Instructions

    @inline(__always)
    private mutating func match(_ text: UnsafePointer<UInt16>, _ length: Int) -> Bool {
        let first: Int
        if isBackwards {
            guard cursor - start >= length else { return false }
            first = cursor - length
        } else {
            guard count - cursor >= length else { return false }
            first = cursor
        }
        var index = 0
        while index < length {
            guard letters[first + index] == text[index] else { return false }
            index += 1
        }
        cursor = isBackwards ? first : first + length
        return true
    }

    private mutating func runRepeatedly(_ step: StemProgram.Instruction) -> Bool {
        var times: Int32 = 0
        while true {
            let (place, edits) = (place, edits)
            guard run(step.first) else {
                self.place = place
                return times >= step.second
            }
            times += 1
            // What changes nothing would hold for ever.
            if self.place == place && self.edits == edits || times > Self.maximumTimes { return times >= step.second }
        }
    }

    private mutating func find(_ step: StemProgram.Instruction) -> Bool {
        while true {
            let place = place
            if run(step.first) {
                if step.operation == .find { self.place = place }
                return true
            }
            self.place = place
            if isAtLimit { return false }
            advance()
        }
    }

    @inline(__always)
    private mutating func findLetter(_ step: StemProgram.Instruction, isIn: Bool) -> Bool {
        while !isAtLimit {
            if isLetter(of: step.first) == isIn { return true }
            advance()
        }
        return false
    }

    private mutating func choose(_ step: StemProgram.Instruction) -> Bool {
        let choice = program.choices[Int(step.first)]
        let nodes = program.nodes
        var bound = start
        if choice.bound >= 0 {
            bound = Int(numbers[Int(choice.bound)])
            guard cursor >= bound else { return false }
        }
        let origin = cursor
        let room = isBackwards ? origin - bound : count - origin
        var chosen: Int32 = -1
        var length = 0
        var node = choice.root
        while true {
            if nodes[Int(node)].endsText { chosen = node }
            guard length < room,
                let child = child(of: nodes[Int(node)], letters[isBackwards ? origin - length - 1 : origin + length])
            else { break }
            node = child
            length += 1
        }
        while chosen >= 0 {
            let found = nodes[Int(chosen)]
            cursor = origin + (isBackwards ? -1 : 1) * Int(found.depth)
            if found.condition < 0 || meets(found.condition) {
                if choice.marksSlice {
                    sliceStart = min(origin, cursor)
                    sliceEnd = max(origin, cursor)
                }
                if choice.prelude >= 0, !run(choice.prelude) { return false }
                return found.block < 0 || run(found.block)
            }
            chosen = found.shorter
        }
        return false
    }

    /// Whether a text's condition holds behind it.
    private mutating func meets(_ condition: Int32) -> Bool {
        let place = place
        defer { self.place = place }
        return run(condition)
    }

    @inline(__always)
    private func child(of node: StemProgram.Node, _ letter: UInt16) -> Int32? {
        let edges = program.edgeLetters
        var low = Int(node.firstEdge)
        var high = low + Int(node.edgeCount)
        while low < high {
            let middle = (low + high) >> 1
            if edges[middle] == letter { return program.edgeNodes[middle] }
            if edges[middle] < letter { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Puts `text` in place of the letters from `from` to `to`; false where there is no room, or no such letters: a row
    /// that did not hold may have taken letters away between the cursor and the place that it returns to.
    private mutating func exchange(_ from: Int, _ to: Int, _ text: UnsafePointer<UInt16>, _ length: Int) -> Bool {
        let difference = length - (to - from)
        guard from >= 0, from <= to, to <= count, count + difference <= Self.capacity else { return false }
        edits += 1
        if difference != 0 {
            (letters + to + difference).update(from: letters + to, count: count - to)
            count += difference
            if cursor >= to { cursor += difference } else if cursor > from { cursor = from }
        }
        (letters + from).update(from: text, count: length)
        return true
    }

    private mutating func replaceSlice(_ text: UnsafePointer<UInt16>, _ length: Int) -> Bool {
        guard exchange(sliceStart, sliceEnd, text, length) else { return false }
        sliceEnd = sliceStart + length
        return true
    }

    private mutating func insert(_ text: UnsafePointer<UInt16>, _ length: Int, moves: Bool) -> Bool {
        let origin = cursor
        guard exchange(origin, origin, text, length) else { return false }
        if origin <= sliceEnd {
            sliceEnd += length
            if origin <= sliceStart { sliceStart += length }
        }
        cursor = moves ? origin + length : origin
        return true
    }

    private mutating func compute(_ arithmetic: StemProgram.Arithmetic) -> Bool {
        let right = value(arithmetic.right) + arithmetic.more
        if arithmetic.kind == .assign {
            numbers[Int(-4 - arithmetic.left.code)] = right
            return true
        }
        let left = value(arithmetic.left)
        switch arithmetic.kind {
        case .assign, .equal: return left == right
        case .unequal: return left != right
        case .less: return left < right
        case .greater: return left > right
        case .atMost: return left <= right
        case .atLeast: return left >= right
        }
    }

    private func value(_ operand: StemProgram.Operand) -> Int32 {
        switch operand.code {
        case 0...: operand.code
        case -1: Int32(cursor)
        case -2: Int32(isBackwards ? start : count)
        case -3: Int32(count)
        default: numbers[Int(-4 - operand.code)]
        }
    }
}
