/// Compiles the rules of a stemmer to its program.
struct StemRuleCompiler {
    /// The letters of each set.
    var letters: [String: Set<UInt16>] = [:]
    /// The numbers, in the order of their declarations.
    var numbers: [String] = []
    var rules: [String: StemRule] = [:]

    private var code = StemCode()
    /// The rules that are called, each in one direction of reading. The first `done` of them have their instructions.
    private var routines: [Routine] = []
    private var done = 0
    private(set) var isBackwards = false
    /// How many slots of the frame are in use.
    private var slots: UInt8 = 0

    private struct Routine {
        var rule: String
        var isBackwards: Bool
        var label: StemCode.Label
    }

    /// Where to go on when a rule does not hold: in any case, and when it has neither moved the cursor nor changed the
    /// word, so that there is nothing to restore.
    private struct Exits {
        var any: StemCode.Label
        var still: StemCode.Label

        init(_ any: StemCode.Label, still: StemCode.Label? = nil) {
            self.any = any
            self.still = still ?? any
        }
    }

    /// What a rule may have done when it holds.
    private struct Effects: OptionSet {
        let rawValue: UInt8

        static let moves = Effects(rawValue: 1)
        static let edits = Effects(rawValue: 2)
    }

    /// A rule of at most this weight is inlined where it is named, instead of called.
    private static let heaviestInPlace = 12

    /// The program that begins with the rule `stem`.
    mutating func program() throws(StemRuleError) -> StemProgram {
        let end = code.makeLabel()
        code.emit(.call, small: 1, target: try routine("stem"), else: end)
        code.place(end)
        code.emit(.halt)
        while done < routines.count {
            let routine = routines[done]
            done += 1
            guard let body = rules[routine.rule] else { throw missing("rule", routine.rule) }
            (isBackwards, slots) = (routine.isBackwards, 0)
            let failure = code.makeLabel()
            code.place(routine.label)
            try emit(body, Exits(failure))
            code.emit(.succeed)
            code.place(failure)
            code.emit(.fail)
        }
        guard let program = code.program() else { throw StemRuleError(line: 0, message: "too many rules") }
        return program
    }

    // MARK: Names

    private func missing(_ kind: String, _ name: String) -> StemRuleError {
        StemRuleError(line: 0, message: "there is no \(kind) \(name)")
    }

    private func number(_ name: String) throws(StemRuleError) -> UInt16 {
        guard let index = numbers.firstIndex(of: name) else { throw missing("number", name) }
        return UInt16(index)
    }

    mutating func code(of letter: UInt16) throws(StemRuleError) -> UInt8 {
        let code = code.code(of: letter)
        guard code > 0 else { throw StemRuleError(line: 0, message: "too many letters") }
        return code
    }

    private mutating func codes(of text: [UInt16]) throws(StemRuleError) -> [UInt8] {
        var codes: [UInt8] = []
        for letter in text { codes.append(try code(of: letter)) }
        return codes
    }

    mutating func set(_ name: String) throws(StemRuleError) -> StemLetterSet {
        guard let letters = letters[name] else { throw missing("set of letters", name) }
        var set = StemLetterSet()
        for letter in letters { set.insert(try code(of: letter)) }
        return set
    }

    private mutating func setNumber(_ name: String) throws(StemRuleError) -> UInt8 {
        guard let number = code.set(try set(name)) else { throw StemRuleError(line: 0, message: "too many letters") }
        return number
    }

    private mutating func routine(_ rule: String) throws(StemRuleError) -> StemCode.Label {
        for routine in routines where routine.rule == rule && routine.isBackwards == isBackwards {
            return routine.label
        }
        guard rules[rule] != nil else { throw missing("rule or set of letters", rule) }
        let label = code.makeLabel()
        routines.append(Routine(rule: rule, isBackwards: isBackwards, label: label))
        return label
    }

    private mutating func takeSlots(_ count: UInt8) throws(StemRuleError) -> UInt8 {
        guard Int(slots + count) < StemProgram.maximumSlots else {
            throw StemRuleError(line: 0, message: "rules nested too deep")
        }
        slots += count
        return slots - count
    }

    // MARK: Rules

    /// Adds the instructions of a rule. If it holds, execution goes on after them.
    @discardableResult
    private mutating func emit(_ rule: StemRule, _ exits: Exits) throws(StemRuleError) -> Effects {
        let outer = slots
        defer { slots = outer }
        switch rule {
        case .text(let letters):
            let codes = try codes(of: letters)
            if codes.count == 1 {
                code.emit(isBackwards ? .letterBack : .letter, small: codes[0], else: exits.still)
            } else {
                code.emit(
                    isBackwards ? .textBack : .text, operand: code.text(codes), count: codes.count, else: exits.still)
            }
        case .named(let name):
            if letters[name] == nil { return try emitNamed(name, exits) }
            code.emit(isBackwards ? .inSetBack : .inSet, small: try setNumber(name), else: exits.still)
        case .otherLetter(let name):
            code.emit(isBackwards ? .outsideSetBack : .outsideSet, small: try setNumber(name), else: exits.still)
        case .skip(let count): emitSkip(Int(count), exits.still)
        case .sequence(let rules):
            var effects: Effects = []
            for rule in rules { effects.formUnion(try emit(rule, effects.isEmpty ? exits : Exits(exits.any))) }
            return effects
        case .either: return try emitAlternatives(rule, exits)
        case .both(let first, let second):
            let effects = try emitStaying(exits) { compiler throws(StemRuleError) in try compiler.emit(first, exits) }
            return effects.union(try emit(second, effects.contains(.edits) ? Exits(exits.any) : exits))
        case .modified(let modifier, let body): return try emit(modifier, body, exits)
        case .atLeastOnce(let body): return try emit(.sequence([body, .modified(.repeat, body)]), exits)
        case .choice(let choice): return try emit(choice, exits)
        case .replace(let letters):
            let codes = try codes(of: letters)
            code.emit(.replace, operand: code.text(codes), count: codes.count, else: exits.still)
            return [.moves, .edits]
        case .insert(let letters, let ahead):
            let codes = try codes(of: letters)
            code.emit(
                .insert, small: isBackwards == ahead ? 1 : 0, operand: code.text(codes), count: codes.count,
                else: exits.still)
            return [.moves, .edits]
        case .number(let operation, let name):
            let number = try number(name)
            switch operation {
            case .to:
                code.emit(isBackwards ? .toBack : .to, operand: number, else: exits.still)
                return .moves
            case .mark: code.emit(.mark, operand: number)
            case .at: code.emit(.at, operand: number, else: exits.still)
            }
            return []
        case .arithmetic(let arithmetic):
            emit(arithmetic, exits)
            return []
        case .behind(let name, let body):
            let number = try number(name)
            let slot = try takeSlots(1)
            code.emit(.bound, small: slot, operand: number, else: exits.still)
            let (end, any, still) = (code.makeLabel(), code.makeLabel(), code.makeLabel())
            let effects = try emit(body, Exits(any, still: still))
            code.emit(.unbound, small: slot)
            emitFailures(any, still, exits, end) { code in code.emit(.unbound, small: slot) }
            return effects
        case .plain(let item): return emitPlain(item, exits)
        }
        return .moves
    }

    private mutating func emitSkip(_ count: Int, _ failure: StemCode.Label) {
        code.emit(isBackwards ? .skipBack : .skip, count: count, else: failure)
    }

    private mutating func emit(_ arithmetic: StemProgram.Arithmetic, _ exits: Exits) {
        var arithmetic = arithmetic
        arithmetic.isBackwards = isBackwards
        if arithmetic.kind == .atMost, arithmetic.left.isNumber,
            arithmetic.right.code == StemProgram.Operand.cursor.code,
            arithmetic.more == 0
        {
            code.emit(.isAtMostCursor, operand: UInt16(-4 - arithmetic.left.code), else: exits.still)
        } else {
            code.emit(.arithmetic, operand: code.add(arithmetic), else: exits.still)
        }
    }

    private mutating func emitPlain(_ item: StemRule.Item, _ exits: Exits) -> Effects {
        switch item {
        case .open: code.emit(isBackwards ? .openBack : .open)
        case .close: code.emit(isBackwards ? .closeBack : .close)
        case .atLimit: code.emit(isBackwards ? .atLimitBack : .atLimit, else: exits.still)
        case .fail: code.emit(.jump, target: exits.still)
        case .keep: code.emit(.keep, else: exits.still)
        case .toLimit:
            code.emit(isBackwards ? .toLimitBack : .toLimit)
            return .moves
        case .kept:
            code.emit(isBackwards ? .keptBack : .kept, else: exits.still)
            return .moves
        case .insertKept:
            code.emit(.insertKept, small: isBackwards ? 0 : 1, else: exits.still)
            return [.moves, .edits]
        }
        return []
    }

    private mutating func emitSave(_ slot: UInt8) -> Int { code.emit(isBackwards ? .saveBack : .save, small: slot) }

    private mutating func emitRestore(_ slot: UInt8) { code.emit(isBackwards ? .restoreBack : .restore, small: slot) }

    /// Adds a body and the return of the cursor after it; returns the effects that remain.
    private mutating func emitStaying(
        _ exits: Exits, _ emitBody: (inout Self) throws(StemRuleError) -> Effects
    ) throws(StemRuleError) -> Effects {
        let slot = try takeSlots(1)
        let save = emitSave(slot)
        let effects = try emitBody(&self)
        if effects.isEmpty { code.remove(save) } else { emitRestore(slot) }
        return effects.subtracting(.moves)
    }

    /// Adds what is done before failing, if anything can fail; a rule that holds goes on at `end`.
    private mutating func emitFailures(
        _ any: StemCode.Label, _ still: StemCode.Label, _ exits: Exits, _ end: StemCode.Label,
        _ emitBefore: (inout StemCode) -> Void
    ) {
        if code.isUsed(any) || code.isUsed(still) { code.emit(.jump, target: end) }
        for (label, exit) in [(any, exits.any), (still, exits.still)] where code.isUsed(label) {
            code.place(label)
            emitBefore(&code)
            code.emit(.jump, target: exit)
        }
        code.place(end)
    }

    /// Adds the instructions of a named rule, or a call of it.
    private mutating func emitNamed(_ name: String, _ exits: Exits) throws(StemRuleError) -> Effects {
        if let body = rules[name], let weight = weight(body, within: 3), weight <= Self.heaviestInPlace {
            return try emit(body, exits)
        }
        let target = try routine(name)
        if let body = rules[name], let first = try firstLetters(of: body, within: 6), let set = code.set(first) {
            code.emit(isBackwards ? .lookBack : .look, small: set, else: exits.still)
        }
        code.emit(.call, small: slots + 1, target: target, else: exits.any)
        return [.moves, .edits]
    }

    /// Roughly how many instructions a rule takes; nil if it nests more names than `depth`, or has a choice.
    private func weight(_ rule: StemRule, within depth: Int) -> Int? {
        switch rule {
        case .named(let name):
            guard letters[name] == nil, let body = rules[name] else { return 1 }
            return depth == 0 ? nil : weight(body, within: depth - 1)
        case .sequence(let rules):
            var sum = 0
            for rule in rules {
                guard let weight = weight(rule, within: depth) else { return nil }
                sum += weight
            }
            return sum
        case .either(let first, let second), .both(let first, let second):
            guard let one = weight(first, within: depth), let other = weight(second, within: depth) else { return nil }
            return one + other + 2
        case .modified(_, let body), .atLeastOnce(let body), .behind(_, let body):
            return weight(body, within: depth).map { $0 + 2 }
        case .choice: return nil
        default: return 1
        }
    }

    private mutating func emitAlternatives(_ rule: StemRule, _ exits: Exits) throws(StemRuleError) -> Effects {
        // The parser nests to the left: a | b | c is (a | b) | c.
        var alternatives: [StemRule] = []
        var rest = rule
        while case .either(let first, let second) = rest {
            alternatives.append(second)
            rest = first
        }
        let slot = try takeSlots(1)
        let save = emitSave(slot)
        var isRestored = false
        let end = code.makeLabel()
        var effects = Effects()
        var exits = exits
        alternatives.append(rest)
        for alternative in alternatives.reversed().dropLast() {
            let (failed, next) = (code.makeLabel(), code.makeLabel())
            let done = try emit(alternative, Exits(failed, still: next))
            code.emit(.jump, target: end)
            if code.isUsed(failed) {
                code.place(failed)
                emitRestore(slot)
                isRestored = true
            }
            code.place(next)
            effects.formUnion(done)
            if done.contains(.edits) { exits = Exits(exits.any) }
        }
        effects.formUnion(try emit(alternatives[0], exits))
        if !isRestored { code.remove(save) }
        code.place(end)
        return effects
    }

    private mutating func emit(
        _ modifier: StemRule.Modifier, _ body: StemRule, _ exits: Exits
    ) throws(StemRuleError) -> Effects {
        switch modifier {
        case .not: return try emitNot(body, exits)
        case .look:
            if case .named(let name) = body, letters[name] != nil {
                code.emit(isBackwards ? .lookBack : .look, small: try setNumber(name), else: exits.still)
                return []
            }
            return try emitStaying(exits) { compiler throws(StemRuleError) in try compiler.emit(body, exits) }
        case .option, .ignore:
            // After an option the cursor stays; after `~` it returns.
            let slot = try takeSlots(1)
            let save = emitSave(slot)
            let (failed, end) = (code.makeLabel(), code.makeLabel())
            let effects = try emit(body, Exits(failed, still: end))
            let returns = modifier == .ignore && !effects.isEmpty
            if code.isUsed(failed) || returns {
                if !returns { code.emit(.jump, target: end) }
                code.place(failed)
                emitRestore(slot)
            } else {
                code.remove(save)
            }
            code.place(end)
            return modifier == .ignore ? effects.subtracting(.moves) : effects
        case .repeat: return try emitRepeat(body)
        case .find, .findPast: return try emitFind(body, goesPast: modifier == .findPast, exits)
        case .backwards:
            // From the end of the word back to the cursor.
            let slot = try takeSlots(2)
            code.emit(.turn, small: slot)
            let (wasBackwards, any, end) = (isBackwards, code.makeLabel(), code.makeLabel())
            isBackwards = true
            let effects = try emit(body, Exits(any))
            isBackwards = wasBackwards
            code.emit(.turnBack, small: slot)
            let failure = effects.contains(.edits) ? exits.any : exits.still
            emitFailures(any, any, Exits(failure), end) { code in code.emit(.turnBack, small: slot) }
            return effects
        }
    }

    private mutating func emitNot(_ body: StemRule, _ exits: Exits) throws(StemRuleError) -> Effects {
        if case .named(let name) = body, letters[name] != nil {
            code.emit(isBackwards ? .absentBack : .absent, small: try setNumber(name), else: exits.still)
            return []
        }
        if case .plain(.atLimit) = body {
            code.emit(isBackwards ? .beforeLimitBack : .beforeLimit, else: exits.still)
            return []
        }
        let slot = try takeSlots(1)
        let save = emitSave(slot)
        let (failed, end) = (code.makeLabel(), code.makeLabel())
        let effects = try emit(body, Exits(failed, still: end))
        code.emit(.jump, target: effects.isEmpty ? exits.still : exits.any)
        if code.isUsed(failed) {
            code.place(failed)
            emitRestore(slot)
        } else {
            code.remove(save)
        }
        code.place(end)
        return effects.subtracting(.moves)
    }

    private mutating func emitRepeat(_ body: StemRule) throws(StemRuleError) -> Effects {
        let slot = try takeSlots(2)
        let (start, failed, end) = (code.makeLabel(), code.makeLabel(), code.makeLabel())
        code.place(start)
        if let set = try lettersOfInterest(to: body) { code.emit(isBackwards ? .passBack : .pass, small: set) }
        code.emit(isBackwards ? .beginBack : .begin, small: slot)
        let effects = try emit(body, Exits(failed, still: end))
        code.emit(isBackwards ? .againBack : .again, small: slot, target: start)
        if code.isUsed(failed) {
            code.emit(.jump, target: end)
            code.place(failed)
            emitRestore(slot)
        }
        code.place(end)
        return effects.union(.moves)
    }

    /// The letters at which a repeated body does more than move on; nil unless the body is a choice with `'': .`, or
    /// ends in `| .`.
    private mutating func lettersOfInterest(to body: StemRule) throws(StemRuleError) -> UInt8? {
        switch body {
        case .either(let rule, .skip(1)):
            guard let first = try firstLetters(of: rule, within: 6) else { return nil }
            return code.set(first)
        case .choice(var choice):
            guard choice.bound == nil, choice.prelude == nil,
                let index = choice.entries.firstIndex(where: { $0.texts.contains { $0.letters.isEmpty } }),
                choice.entries[index].texts.count == 1, case .skip(1)? = choice.entries[index].action
            else { return nil }
            choice.entries.remove(at: index)
            guard let first = try firstLetters(of: .choice(choice), within: 6) else { return nil }
            return code.set(first)
        default: return nil
        }
    }

    private mutating func emitFind(_ body: StemRule, goesPast: Bool, _ exits: Exits) throws(StemRuleError) -> Effects {
        switch body {
        case .named(let name) where letters[name] != nil:
            code.emit(
                isBackwards ? .findInSetBack : .findInSet, small: try setNumber(name), count: goesPast ? 1 : 0,
                else: exits.still)
            return .moves
        case .otherLetter(let name):
            code.emit(
                isBackwards ? .findOutsideSetBack : .findOutsideSet, small: try setNumber(name),
                count: goesPast ? 1 : 0, else: exits.still)
            return .moves
        default: break
        }
        let slot = try takeSlots(1)
        let (start, failed, next, end) = (code.makeLabel(), code.makeLabel(), code.makeLabel(), code.makeLabel())
        code.place(start)
        if let first = try firstLetters(of: body, within: 6), let set = code.set(first) {
            code.emit(isBackwards ? .findInSetBack : .findInSet, small: set, else: exits.any)
        }
        let save = emitSave(slot)
        let effects = try emit(body, Exits(failed, still: next))
        if !goesPast { emitRestore(slot) }
        code.emit(.jump, target: end)
        if code.isUsed(failed) {
            code.place(failed)
            emitRestore(slot)
        } else if goesPast {
            code.remove(save)
        }
        code.place(next)
        emitSkip(1, exits.any)
        code.emit(.jump, target: start)
        code.place(end)
        return effects.union(.moves)
    }

    // MARK: Choices

    private mutating func emit(_ choice: StemRule.Choice, _ exits: Exits) throws(StemRuleError) -> Effects {
        let slot = try takeSlots(2)
        let end = code.makeLabel()
        let prelude = choice.prelude == nil ? nil : code.makeLabel()
        let number = code.addChoice(
            StemProgram.Choice(
                root: 0, bound: -1, marksSlice: choice.marksSlice, prelude: 0, slot: UInt16(slot)),
            prelude: prelude)
        if let name = choice.bound { code.bound(number, by: Int8(try self.number(name))) }
        code.emit(isBackwards ? .chooseBack : .choose, operand: number, else: exits.still)
        var effects = Effects.moves
        let inner = Exits(exits.any)
        if let rule = choice.prelude, let prelude {
            code.place(prelude)
            effects.formUnion(try emit(rule, inner))
            code.emit(.goOn, small: slot + 1)
        }
        var texts: [StemTextTrees.Text] = []
        var conditions: [(label: StemCode.Label, text: UInt16, rule: String)] = []
        for entry in choice.entries {
            var next = end
            if let action = entry.action {
                next = code.makeLabel()
                code.place(next)
                effects.formUnion(try emit(action, inner))
                code.emit(.jump, target: end)
            }
            for text in entry.texts {
                let codes = try codes(of: isBackwards ? text.letters.reversed() : text.letters)
                let condition = text.condition == nil ? nil : code.makeLabel()
                let number = code.addText(codes, next: next, condition: condition)
                texts.append(StemTextTrees.Text(letters: codes, number: number))
                if let condition, let name = text.condition { conditions.append((condition, number, name)) }
            }
        }
        for condition in conditions {
            let place = try takeSlots(1)
            let failed = code.makeLabel()
            code.place(condition.label)
            code.emit(isBackwards ? .saveBack : .save, small: place)
            try emit(.named(condition.rule), Exits(failed))
            emitRestore(place)
            code.emit(isBackwards ? .acceptBack : .accept, operand: condition.text, count: Int(number))
            code.place(failed)
            code.emit(
                isBackwards ? .retryBack : .retry, operand: condition.text, count: Int(number), else: exits.any)
            slots -= 1
        }
        try fill(number, texts)
        code.place(end)
        return effects
    }

    private mutating func fill(_ choice: UInt16, _ texts: [StemTextTrees.Text]) throws(StemRuleError) {
        let texts = texts.sorted { $0.letters.lexicographicallyPrecedes($1.letters) }
        for index in 1..<max(texts.count, 1) where texts[index].letters == texts[index - 1].letters {
            let letters = texts[index].letters.map { code.letter(of: $0) }
            let text = String(decoding: isBackwards ? letters.reversed() : letters, as: UTF16.self)
            throw StemRuleError(line: 0, message: "'\(text)' occurs twice in a choice")
        }
        guard code.fill(choice, texts) else { throw StemRuleError(line: 0, message: "too many texts") }
    }
}
