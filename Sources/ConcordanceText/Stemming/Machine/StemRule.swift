/// A rule of a stemmer, as its text says it.
indirect enum StemRule {
    /// These letters.
    case text([UInt16])
    /// A letter of the named set, or a rule of this name; another letter than those of the set.
    case named(String), otherLetter(String)
    case skip(Int32)
    case sequence([StemRule])
    case either(StemRule, StemRule), both(StemRule, StemRule)
    /// An operation on one rule.
    case modified(StemProgram.Operation, StemRule)
    case atLeastOnce(StemRule)
    case choice(Choice)
    case replace([UInt16])
    case insert([UInt16], ahead: Bool)
    /// An operation on a number.
    case number(StemProgram.Operation, String)
    case arithmetic(StemProgram.Arithmetic)
    case behind(String, StemRule)
    /// An operation without operands.
    case plain(StemProgram.Operation)

    /// A choice among texts.
    struct Choice {
        var marksSlice: Bool
        var bound: String?
        var prelude: StemRule?
        var entries: [Entry]
    }

    /// Texts with what is done behind them.
    struct Entry {
        var texts: [(letters: [UInt16], condition: String?)]
        var action: StemRule?
    }
}

/// What is wrong with the text of a stemmer's rules.
struct StemRuleError: Error, CustomStringConvertible {
    var line: Int
    var message: String

    var description: String { "line \(line): \(message)" }
}
