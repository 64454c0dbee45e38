/// Random expressions for MATCH.
struct RandomExpression {
    let schema: RandomSchema
    /// Whether words may have typos, which FTS5 does not know.
    var allowsTypos = false

    /// An expression; rarely an invalid one.
    ///
    /// - Parameter isScored: Whether the hits of its phrases matter. FTS5 counts hits of a NEAR that does not match if
    ///   another branch of an OR does, and, for one row, hits of the right side of a NOT whose left side has no more
    ///   matches. Every NOT and NEAR must then be decisive for the row. It forgets hits that an OR within an AND, not
    ///   the outermost, has found in a later row already.
    func make(_ chance: inout Chance, isScored: Bool) -> String {
        if chance.percent(3) { return malformed(&chance) }
        let depth = chance.weighted([(50, 0), (30, 1), (15, 2), (5, 3)])
        return node(&chance, depth: depth, Rules(isStrict: isScored))
    }

    private struct Rules {
        /// Whether every NOT and NEAR must be decisive, and an AND that is not the outermost must have no OR in it.
        let isStrict: Bool
        /// Whether there may be a NOT or a NEAR.
        var allowsAll = true
        var allowsOr = true
        var isOutermost = true

        /// For a branch that is not decisive.
        var inBranch: Rules { with { ($0.allowsAll, $0.isOutermost) = ($0.allowsAll && !isStrict, false) } }
        var inAnd: Rules { with { $0.allowsOr = $0.allowsOr && ($0.isOutermost || !isStrict) } }
        var inside: Rules { with { $0.isOutermost = false } }

        private func with(_ change: (inout Rules) -> Void) -> Rules {
            var copy = self
            change(&copy)
            return copy
        }
    }

    private func malformed(_ chance: inout Chance) -> String {
        chance.pick([
            "", "a AND", "OR b", "(a", "a)", "\"a", "NEAR(a b", "nosuch : a", "a + ", "^", "*", "a ^ b",
            "{a nosuch}: b",
            "NEAR(a b, x)", "NOT a", "- a", "a : ", "rank : a", "rowid : b", "a.b", "a@b", "'a'",
        ])
    }

    private func node(_ chance: inout Chance, depth: Int, _ rules: Rules) -> String {
        guard depth > 0 else { return leaf(&chance, rules) }
        let isOr = rules.allowsOr && chance.percent(35)
        if isOr { return join(&chance, "OR", depth, rules.inBranch, rules.inBranch) }
        // Filters of filters make FTS5's auxiliary functions crash if columns, but no positions, are stored.
        switch chance.int(0...(schema.detail == "column" ? 8 : 9)) {
        case 0...4: return join(&chance, "AND", depth, rules.inAnd, rules.inAnd)
        case 5...7 where rules.allowsAll: return join(&chance, "NOT", depth, rules.inside, rules.inBranch)
        case 5...8: return "\(leaf(&chance, rules)) \(leaf(&chance, rules))"
        default: return "\(filter(&chance)) : (\(node(&chance, depth: depth - 1, rules)))"
        }
    }

    private func join(
        _ chance: inout Chance, _ operation: String, _ depth: Int, _ leftRules: Rules, _ rightRules: Rules
    ) -> String {
        let left = node(&chance, depth: chance.int(0...depth - 1), leftRules)
        let right = node(&chance, depth: chance.int(0...depth - 1), rightRules)
        let isApart =
            leftRules.isStrict
            && (operation == "NOT" || [left, right].contains { $0.contains(" NOT ") || $0.contains(" OR ") })
        let hasParentheses = (isApart || chance.percent(60), isApart || chance.percent(60))
        return (hasParentheses.0 ? "(\(left))" : left) + " \(operation) " + (hasParentheses.1 ? "(\(right))" : right)
    }

    private func filter(_ chance: inout Chance) -> String {
        let names = schema.quotedColumns
        // All columns but all of them is a filter that FTS5 takes for a match right of a NOT.
        switch chance.int(0...(names.count > 1 ? 3 : 2)) {
        case 0...1: return chance.pick(names)
        case 2: return "{\((chance.some(names) + [chance.pick(names)]).joined(separator: " "))}"
        default: return "- {\((chance.some(Array(names.dropFirst(2))) + [names[1]]).joined(separator: " "))}"
        }
    }

    private func leaf(_ chance: inout Chance, _ rules: Rules) -> String {
        let filter = chance.percent(20) ? "\(filter(&chance)) : " : ""
        if rules.allowsAll && chance.percent(12) {
            let phrases = (0...chance.int(1...2)).map { _ in phrase(&chance) }.joined(separator: " ")
            let distance = chance.pick(["", "", ", 0", ", 1", ", 3", ", 100"])
            return "\(filter)NEAR(\(phrases)\(distance))"
        }
        return filter + (chance.percent(8) ? "^" : "") + phrase(&chance)
    }

    private func phrase(_ chance: inout Chance) -> String {
        let count = chance.weighted([(75, 1), (18, 2), (7, 3)])
        let terms = (0..<count).map { _ in term(&chance) }
        let text = terms.joined(separator: " + ")
        return chance.percent(20) ? text + chance.pick(["*", " *"]) : text
    }

    private func term(_ chance: inout Chance) -> String {
        let string = string(&chance)
        return allowsTypos && chance.percent(50) ? string + chance.pick(["~", "~1", "~2", " ~1"]) : string
    }

    /// A bareword or a string, which may hold several words or none.
    private func string(_ chance: inout Chance) -> String {
        // If positions are not stored, auxiliary functions of FTS5 crash on phrases without a term.
        if schema.detail != "full" {
            return chance.pickZipf(schema.isTrigram ? Vocabulary.trigrams : Vocabulary.letters)
        }
        var word = chance.pickZipf(Vocabulary.barewords)
        // A beginning that many words of texts made in bulk have.
        if chance.percent(5) { word = chance.pick(["w", "w1", "w2", "w12"]) }
        if schema.isTrigram {
            word =
                chance.percent(80)
                ? chance.pick(["app", "ppl", "run", "one", "the", "nai", "日本語", "appl", "abcd"]) : word
        } else if chance.percent(20) {
            word = String(word.prefix(chance.int(1...3)))
        }
        guard chance.percent(25) else { return word }
        let text = chance.percent(70) ? chance.text(maximum: 3) : word
        return "\"" + text.replacing("\0", "").replacing("\"", "\"\"") + "\""
    }
}

extension String {
    fileprivate func replacing(_ part: Character, _ other: String) -> String {
        reduce(into: "") { $0 += $1 == part ? other : String($1) }
    }
}
