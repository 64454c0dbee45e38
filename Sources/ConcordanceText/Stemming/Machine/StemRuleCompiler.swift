/// Makes the program of a stemmer of its rules.
struct StemRuleCompiler {
    /// The letters of each set.
    var letters: [String: Set<UInt16>] = [:]
    /// The numbers, in the order of their declarations.
    var numbers: [String] = []
    var rules: [String: StemRule] = [:]

    private var code = StemCode()
    private var letterSets: [String: Int32] = [:]
    /// The block of a rule, which differs with the direction of reading.
    private var blocks: [Reading: Int32] = [:]

    private struct Reading: Hashable {
        var rule: String
        var isBackwards: Bool
    }

    /// The program that begins with the rule `stem`.
    mutating func program() throws(StemRuleError) -> StemProgram {
        let entry = try block(of: "stem", isBackwards: false)
        return code.program(entry: entry)
    }

    private func missing(_ kind: String, _ name: String) -> StemRuleError {
        StemRuleError(line: 0, message: "there is no \(kind) \(name)")
    }

    private func number(_ name: String) throws(StemRuleError) -> Int32 {
        guard let index = numbers.firstIndex(of: name) else { throw missing("number", name) }
        return Int32(index)
    }

    private mutating func letterSet(_ name: String) throws(StemRuleError) -> Int32 {
        if let set = letterSets[name] { return set }
        guard let letters = letters[name] else { throw missing("set of letters", name) }
        let set = code.addLetterSet(letters)
        letterSets[name] = set
        return set
    }

    /// The block of a rule, which is made when it is asked for first, and may be asked for while it is made.
    private mutating func block(of rule: String, isBackwards: Bool) throws(StemRuleError) -> Int32 {
        let reading = Reading(rule: rule, isBackwards: isBackwards)
        if let block = blocks[reading] { return block }
        guard let body = rules[rule] else { throw missing("rule or set of letters", rule) }
        let block = code.addBlock()
        blocks[reading] = block
        code.fill(block, try steps(of: body, isBackwards))
        return block
    }

    private mutating func block(_ rule: StemRule, _ isBackwards: Bool) throws(StemRuleError) -> Int32 {
        if case .named(let name) = rule, letters[name] == nil { return try block(of: name, isBackwards: isBackwards) }
        let steps = try steps(of: rule, isBackwards)
        let block = code.addBlock()
        code.fill(block, steps)
        return block
    }

    private mutating func steps(
        of rule: StemRule, _ isBackwards: Bool
    ) throws(StemRuleError) -> [StemProgram.Instruction] {
        func step(_ operation: StemProgram.Operation, _ first: Int32 = 0, _ second: Int32 = 0)
            -> [StemProgram.Instruction]
        {
            [StemProgram.Instruction(operation: operation, first: first, second: second)]
        }
        switch rule {
        case .text(let letters):
            let text = code.text(letters)
            return step(.text, text.first, text.second)
        case .named(let name):
            if letters[name] != nil { return step(.letter, try letterSet(name)) }
            return step(.call, try block(of: name, isBackwards: isBackwards))
        case .otherLetter(let name): return step(.otherLetter, try letterSet(name))
        case .skip(let count): return step(.skip, count)
        case .sequence(let rules):
            var all: [StemProgram.Instruction] = []
            for rule in rules { all += try steps(of: rule, isBackwards) }
            return all
        case .either(let first, let second):
            return step(.either, try block(first, isBackwards), try block(second, isBackwards))
        case .both(let first, let second):
            return step(.both, try block(first, isBackwards), try block(second, isBackwards))
        case .modified(.find, .named(let name)) where letters[name] != nil:
            return step(.findLetter, try letterSet(name))
        case .modified(.find, .otherLetter(let name)): return step(.findOtherLetter, try letterSet(name))
        case .modified(.findPast, .named(let name)) where letters[name] != nil:
            return step(.findPastLetter, try letterSet(name))
        case .modified(.findPast, .otherLetter(let name)): return step(.findPastOtherLetter, try letterSet(name))
        case .modified(.backwards, let body): return step(.backwards, try block(body, true))
        case .modified(let operation, let body): return step(operation, try block(body, isBackwards))
        case .atLeastOnce(let body): return step(.repeat, try block(body, isBackwards), 1)
        case .choice(let choice): return step(.choose, try add(choice, isBackwards))
        case .replace(let letters):
            let text = code.text(letters)
            return step(.replace, text.first, text.second)
        case .insert(let letters, let ahead):
            let text = code.text(letters)
            return step(ahead ? .insertAhead : .insertBehind, text.first, text.second)
        case .number(let operation, let name): return step(operation, try number(name))
        case .arithmetic(let arithmetic):
            code.arithmetic.append(arithmetic)
            return step(.arithmetic, Int32(code.arithmetic.count - 1))
        case .behind(let name, let body):
            return step(.behind, try block(body, isBackwards), try number(name))
        case .plain(let operation): return step(operation)
        }
    }

    /// Adds a choice and returns its index.
    private mutating func add(_ choice: StemRule.Choice, _ isBackwards: Bool) throws(StemRuleError) -> Int32 {
        var texts: [StemCode.Text] = []
        for entry in choice.entries {
            var block: Int32 = -1
            if let action = entry.action { block = try self.block(action, isBackwards) }
            for text in entry.texts {
                var condition: Int32 = -1
                if let name = text.condition { condition = try self.block(of: name, isBackwards: isBackwards) }
                texts.append(
                    StemCode.Text(
                        letters: isBackwards ? text.letters.reversed() : text.letters, block: block,
                        condition: condition))
            }
        }
        var prelude: Int32 = -1
        if let rule = choice.prelude { prelude = try block(rule, isBackwards) }
        var bound: Int32 = -1
        if let name = choice.bound { bound = try number(name) }
        var seen: Set<[UInt16]> = []
        for text in texts where !seen.insert(text.letters).inserted {
            throw StemRuleError(line: 0, message: "'\(String(decoding: text.letters, as: UTF16.self))' stands twice")
        }
        code.choices.append(
            StemProgram.Choice(
                root: code.addTree(texts), bound: bound, marksSlice: choice.marksSlice, prelude: prelude))
        return Int32(code.choices.count - 1)
    }
}
