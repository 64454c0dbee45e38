/// Which letters can begin a rule. At any other letter, the rule need not be tried.
extension StemRuleCompiler {
    /// The letters, one of which must follow for the rule to hold; nil if none must, if the rule does something before
    /// it reads, or if it nests more names than `depth`.
    mutating func firstLetters(of rule: StemRule, within depth: Int) throws(StemRuleError) -> StemLetterSet? {
        switch rule {
        case .text(let letters):
            guard let letter = isBackwards ? letters.last : letters.first else { return nil }
            var set = StemLetterSet()
            set.insert(try code(of: letter))
            return set
        case .named(let name):
            if letters[name] != nil { return try set(name) }
            guard let body = rules[name], depth > 0 else { return nil }
            return try firstLetters(of: body, within: depth - 1)
        case .otherLetter(let name): return try set(name).inverted
        case .skip(let count): return count > 0 ? .all : nil
        case .sequence(let rules): return try firstLetters(of: rules[...], within: depth)
        case .either(let first, let second):
            guard var set = try firstLetters(of: first, within: depth),
                let other = try firstLetters(of: second, within: depth)
            else { return nil }
            set.formUnion(other)
            return set
        case .both(let first, let second):
            if let set = try firstLetters(of: first, within: depth) { return set }
            return isIdle(first) ? try firstLetters(of: second, within: depth) : nil
        case .modified(.look, let body), .atLeastOnce(let body), .behind(_, let body):
            return try firstLetters(of: body, within: depth)
        case .choice(let choice):
            var set = StemLetterSet()
            for entry in choice.entries {
                for text in entry.texts {
                    guard let first = try firstLetters(of: .text(text.letters), within: depth) else { return nil }
                    set.formUnion(first)
                }
            }
            return set
        default: return nil
        }
    }

    private mutating func firstLetters(
        of row: ArraySlice<StemRule>, within depth: Int
    ) throws(StemRuleError) -> StemLetterSet? {
        guard let rule = row.first else { return nil }
        switch rule {
        case .modified(.option, let body), .modified(.ignore, let body), .modified(.repeat, let body):
            guard var set = try firstLetters(of: body, within: depth),
                let rest = try firstLetters(of: row.dropFirst(), within: depth)
            else { return nil }
            set.formUnion(rest)
            return set
        default:
            if let set = try firstLetters(of: rule, within: depth) { return set }
            return isIdle(rule) ? try firstLetters(of: row.dropFirst(), within: depth) : nil
        }
    }

    /// Whether a rule neither moves the cursor nor changes anything but the slice.
    private func isIdle(_ rule: StemRule) -> Bool {
        switch rule {
        case .plain(.open), .plain(.close), .plain(.atLimit), .number(.at, _): true
        case .arithmetic(let arithmetic): arithmetic.kind != .assign
        case .named(let name): letters[name] == nil && (rules[name].map { isComparison($0) } ?? false)
        case .modified(.not, .plain(.atLimit)), .modified(.not, .text): true
        case .sequence(let rules): rules.allSatisfy { isIdle($0) }
        default: false
        }
    }

    private func isComparison(_ rule: StemRule) -> Bool {
        if case .arithmetic(let arithmetic) = rule { arithmetic.kind != .assign } else { false }
    }
}
