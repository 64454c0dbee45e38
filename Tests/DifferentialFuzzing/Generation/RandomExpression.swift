/// Random expressions for MATCH.
struct RandomExpression {
    let schema: RandomSchema

    /// An expression; rarely one that is no expression.
    func make(_ chance: inout Chance) -> String {
        if chance.percent(3) { return malformed(&chance) }
        return node(&chance, depth: chance.weighted([(50, 0), (30, 1), (15, 2), (5, 3)]))
    }

    private func malformed(_ chance: inout Chance) -> String {
        chance.pick([
            "", "a AND", "OR b", "(a", "a)", "\"a", "NEAR(a b", "nosuch : a", "a + ", "^", "*", "a ^ b",
            "{a nosuch}: b",
            "NEAR(a b, x)", "NOT a", "- a", "a : ", "rank : a", "rowid : b", "a.b", "a@b", "'a'",
        ])
    }

    private func node(_ chance: inout Chance, depth: Int) -> String {
        guard depth > 0 else { return leaf(&chance) }
        func child() -> String {
            let text = node(&chance, depth: chance.int(0...depth - 1))
            return chance.percent(60) ? "(\(text))" : text
        }
        // Filters of filters make FTS5's auxiliary functions crash where columns, but no positions, are stored.
        switch chance.int(0...(schema.detail == "column" ? 8 : 9)) {
        case 0...2: return "\(child()) AND \(child())"
        case 3...5: return "\(child()) OR \(child())"
        case 6...7: return "\(child()) NOT \(child())"
        case 8: return "\(leaf(&chance)) \(leaf(&chance))"
        default: return "\(filter(&chance)) : (\(node(&chance, depth: depth - 1)))"
        }
    }

    private func filter(_ chance: inout Chance) -> String {
        let names = schema.quotedColumns
        switch chance.int(0...3) {
        case 0...1: return chance.pick(names)
        case 2: return "{\((chance.some(names) + [chance.pick(names)]).joined(separator: " "))}"
        default: return "- {\((chance.some(names) + [chance.pick(names)]).joined(separator: " "))}"
        }
    }

    private func leaf(_ chance: inout Chance) -> String {
        let filter = chance.percent(20) ? "\(filter(&chance)) : " : ""
        if chance.percent(12) {
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

    /// A bareword or a string, which may hold several words or none.
    private func term(_ chance: inout Chance) -> String {
        // Where positions are not stored, auxiliary functions of FTS5 crash on phrases without a term.
        if schema.detail != "full" {
            return chance.pickZipf(schema.isTrigram ? Vocabulary.trigrams : Vocabulary.letters)
        }
        var word = chance.pickZipf(Vocabulary.barewords)
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
