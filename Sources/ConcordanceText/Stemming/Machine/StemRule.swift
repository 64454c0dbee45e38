/// A rule of a stemmer, as parsed.
indirect enum StemRule {
    /// These letters.
    case text([UInt16])
    /// A letter of the named set, or the rule of this name; a letter outside the named set.
    case named(String), otherLetter(String)
    case skip(Int32)
    case sequence([StemRule])
    case either(StemRule, StemRule), both(StemRule, StemRule)
    /// A rule and the modifier before it.
    case modified(Modifier, StemRule)
    case atLeastOnce(StemRule)
    case choice(Choice)
    case replace([UInt16])
    case insert([UInt16], ahead: Bool)
    /// What is done with a number.
    case number(Marking, String)
    case arithmetic(StemProgram.Arithmetic)
    case behind(String, StemRule)
    /// An item that consists of one word or sign.
    case plain(Item)

    enum Modifier {
        case not, option, look, ignore, `repeat`, find, findPast, backwards
    }

    enum Marking {
        case mark, at, to
    }

    enum Item {
        case open, close, keep, kept, insertKept, atLimit, toLimit, fail
    }

    /// A choice among texts.
    struct Choice {
        var marksSlice: Bool
        var bound: String?
        var prelude: StemRule?
        var entries: [Entry]
    }

    /// Texts, and what is done after one of them.
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
