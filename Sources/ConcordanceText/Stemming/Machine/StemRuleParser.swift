/// Reads the text of a stemmer's rules.
///
/// A text declares sets of letters, numbers and rules; stemming begins with the rule `stem`. `#` begins a comment:
///
///     letters vowel = aeiou
///     number r1
///     rule stem = ~mark back( ~plural )
///     rule mark = $(r1 = limit) >>vowel >>^vowel mark r1
///     rule plural = [{ behind r1; 'sses': ->'ss'; 'ies': ->'i'; 'ss'; 's': del }]
///
/// A rule is a row of items, all of which must hold, from left to right. Each reads letters at the cursor, changes the
/// word, or computes. Reading goes forward to the end of the word; within `back( )`, backward to its start.
///
/// | item | holds where |
/// |---|---|
/// | `'text'` | these letters follow; `\'` is an apostrophe, `\u{5D0}` a letter by its number |
/// | `name`, `^name` | a letter of the set follows; a letter outside it; or the rule of this name holds |
/// | `.`, `.3` | one letter, or three, of any kind |
/// | `( … )` | all items in it hold |
/// | `a \| b` | the row `a` holds or, from the same place, the row `b` |
/// | `a & b` | both rows hold from the same place |
/// | `!a`, `@a` | `a` does not hold; `a` holds. The cursor stays |
/// | `?a`, `~a` | always: `a` is applied if it holds; after `~a` the cursor returns |
/// | `*a`, `+a` | `a` is applied as often as it holds; for `+`, at least once |
/// | `>a`, `>>a` | the cursor moves ahead to where `a` holds, or to the end of `a` there |
/// | `[`, `]` | always: the slice begins here, ends here |
/// | `{ 'a' 'b': row; 'c' }` | one of these texts follows; the longest is taken, and its row holds |
/// | `[{ … }]` | the same, and the text becomes the slice before its row begins |
/// | `->'text'`, `del` | always: the text replaces the slice; the slice is deleted |
/// | `insert 'text'`, `attach 'text'` | always: the text is inserted, and counts as read; or is still to be read |
/// | `keep`, `insert kept`, `kept` | always: the slice is kept; the kept text is inserted. The kept text follows |
/// | `mark n`, `at n`, `to n` | always: `n` becomes the cursor. The cursor is at `n`; it can move ahead to `n` |
/// | `limit`, `tolimit` | the cursor is where reading ends. Always: it moves there |
/// | `$(n = x)`, `$(x < y + 1)` | always: `n` becomes `x`; the comparison (`== != < > <= >=`) is true |
/// | `behind n a` | the cursor is not before `n`, and `a` holds without reading before `n` |
/// | `back a` | `a` holds, reading from the end of the word to the cursor |
/// | `true`, `false` | always, never |
///
/// In `{ … }`, `behind n;` at the front keeps the texts from reaching before `n`; `: row;` is applied after any of the
/// texts, before the text's own row; and `'text'?name` is taken only if the rule holds after it. In `$( … )`, `cursor`
/// and `limit` are those places, and `length` is the number of letters.
struct StemRuleParser {
    private var lexer: StemRuleLexer
    private var token: StemRuleLexer.Token
    private var compiler = StemRuleCompiler()

    /// The program of a text of rules in UTF-8.
    static func program(_ text: UnsafeBufferPointer<UInt8>) throws(StemRuleError) -> StemProgram {
        var parser = try StemRuleParser(text)
        return try parser.readAll()
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) throws(StemRuleError) {
        lexer = StemRuleLexer(text)
        token = try lexer.next()
    }

    private func mistake(_ message: String) -> StemRuleError { StemRuleError(line: lexer.line, message: message) }

    private mutating func take() throws(StemRuleError) -> StemRuleLexer.Token {
        let taken = token
        token = try lexer.next()
        return taken
    }

    /// Takes the symbol if it is the next token.
    private mutating func takes(_ symbol: String) throws(StemRuleError) -> Bool {
        guard token == .symbol(symbol) else { return false }
        _ = try take()
        return true
    }

    private mutating func expect(_ symbol: String) throws(StemRuleError) {
        guard try takes(symbol) else { throw mistake("expected \(symbol), found \(token)") }
    }

    private mutating func takeName() throws(StemRuleError) -> String {
        guard case .name(let name) = try take() else { throw mistake("expected a name") }
        return name
    }

    private mutating func takeText() throws(StemRuleError) -> [UInt16] {
        guard case .text(let text) = try take() else { throw mistake("expected a text") }
        return text
    }

    // MARK: Declarations

    private mutating func readAll() throws(StemRuleError) -> StemProgram {
        while true {
            switch token {
            case .end: return try compiler.program()
            case .name("letters"):
                let declaration = try lexer.letters(sets: compiler.letters)
                compiler.letters[declaration.name, default: []].formUnion(declaration.letters)
                token = try lexer.next()
            case .name("number"):
                _ = try take()
                while case .name(let name) = token, !Self.declarations.contains(name) {
                    compiler.numbers.append(name)
                    _ = try take()
                }
                guard compiler.numbers.count <= StemProgram.maximumNumbers else { throw mistake("too many numbers") }
            case .name("rule"):
                _ = try take()
                let name = try takeName()
                try expect("=")
                guard compiler.rules.updateValue(try readChoices(), forKey: name) == nil else {
                    throw mistake("the rule \(name) is declared twice")
                }
            default: throw mistake("expected letters, number or rule, found \(token)")
            }
        }
    }

    private static let declarations: Set<String> = ["letters", "number", "rule"]

    // MARK: Rules

    /// Rows with `|` or `&` between them.
    private mutating func readChoices() throws(StemRuleError) -> StemRule {
        var rule = try readRow()
        while true {
            if try takes("|") {
                rule = .either(rule, try readRow())
            } else if try takes("&") {
                rule = .both(rule, try readRow())
            } else {
                return rule
            }
        }
    }

    private mutating func readRow() throws(StemRuleError) -> StemRule {
        var items: [StemRule] = []
        while let item = try readItem() { items.append(item) }
        return items.count == 1 ? items[0] : .sequence(items)
    }

    private mutating func needItem() throws(StemRuleError) -> StemRule {
        guard let item = try readItem() else { throw mistake("expected an item, found \(token)") }
        return item
    }

    /// The next item; nil at the end of a row.
    private mutating func readItem() throws(StemRuleError) -> StemRule? {
        switch token {
        case .text(let letters):
            _ = try take()
            return .text(letters)
        case .name(let name): return Self.declarations.contains(name) ? nil : try readNamed()
        case .symbol(let symbol):
            if let operation = Self.modifiers[symbol] {
                _ = try take()
                return .modified(operation, try needItem())
            }
            return try readSymbol(symbol)
        case .number, .end: return nil
        }
    }

    private static let modifiers: [String: StemRule.Modifier] = [
        "!": .not, "?": .option, "@": .look, "~": .ignore, "*": .repeat, ">": .find, ">>": .findPast,
    ]

    private mutating func readSymbol(_ symbol: String) throws(StemRuleError) -> StemRule? {
        switch symbol {
        case "(":
            _ = try take()
            let rule = try readChoices()
            try expect(")")
            return rule
        case "^":
            _ = try take()
            return .otherLetter(try takeName())
        case ".":
            _ = try take()
            guard case .number(let count) = token else { return .skip(1) }
            _ = try take()
            return .skip(count)
        case "+":
            _ = try take()
            return .atLeastOnce(try needItem())
        case "[":
            _ = try take()
            return .plain(.open)
        case "]":
            _ = try take()
            return .plain(.close)
        case "->":
            _ = try take()
            return .replace(try takeText())
        case "{", "[{":
            _ = try take()
            return .choice(try readChoice(marksSlice: symbol == "[{"))
        case "$":
            _ = try take()
            return try readArithmetic()
        default: return nil
        }
    }

    private mutating func readNamed() throws(StemRuleError) -> StemRule {
        let name = try takeName()
        switch name {
        case "del": return .replace([])
        case "insert", "attach":
            if name == "insert", token == .name("kept") {
                _ = try take()
                return .plain(.insertKept)
            }
            return .insert(try takeText(), ahead: name == "attach")
        case "keep": return .plain(.keep)
        case "kept": return .plain(.kept)
        case "mark": return .number(.mark, try takeName())
        case "at": return .number(.at, try takeName())
        case "to": return .number(.to, try takeName())
        case "limit": return .plain(.atLimit)
        case "tolimit": return .plain(.toLimit)
        case "behind":
            let bound = try takeName()
            return .behind(bound, try needItem())
        case "back": return .modified(.backwards, try needItem())
        case "true": return .sequence([])
        case "false": return .plain(.fail)
        default: return .named(name)
        }
    }

    private mutating func readChoice(marksSlice: Bool) throws(StemRuleError) -> StemRule.Choice {
        var choice = StemRule.Choice(marksSlice: marksSlice, bound: nil, prelude: nil, entries: [])
        if token == .name("behind") {
            _ = try take()
            choice.bound = try takeName()
            try expect(";")
        }
        let close = marksSlice ? "}]" : "}"
        while try !takes(close) {
            var entry = StemRule.Entry(texts: [], action: nil)
            while case .text(let letters) = token {
                _ = try take()
                let condition = try takes("?") ? try takeName() : nil
                entry.texts.append((letters, condition))
            }
            if try takes(":") { entry.action = try readChoices() }
            if entry.texts.isEmpty {
                guard choice.prelude == nil, entry.action != nil else { throw mistake("a row without texts") }
                choice.prelude = entry.action
            } else {
                choice.entries.append(entry)
            }
            if try takes(";") { continue }
            guard token == .symbol(close) else { throw mistake("expected ; or \(close), found \(token)") }
        }
        return choice
    }

    // MARK: Numbers

    private static let kinds: [String: StemProgram.Arithmetic.Kind] = [
        "=": .assign, "==": .equal, "!=": .unequal, "<": .less, ">": .greater, "<=": .atMost, ">=": .atLeast,
    ]

    private mutating func readArithmetic() throws(StemRuleError) -> StemRule {
        try expect("(")
        let left = try readOperand()
        guard case .symbol(let symbol) = try take(), let kind = Self.kinds[symbol] else {
            throw mistake("expected a comparison or =")
        }
        guard kind != .assign || left.isNumber else { throw mistake("only a declared number can be assigned to") }
        var arithmetic = StemProgram.Arithmetic(kind: kind, left: left, right: try readOperand())
        let isSum = try takes("+")
        let isDifference = try takes("-")
        if isSum || isDifference {
            guard case .number(let more) = try take() else { throw mistake("expected a number") }
            arithmetic.more = isSum ? more : -more
        }
        try expect(")")
        return .arithmetic(arithmetic)
    }

    private mutating func readOperand() throws(StemRuleError) -> StemProgram.Operand {
        let taken = try take()
        switch taken {
        case .number(let value): return .constant(value)
        case .name("cursor"): return .cursor
        case .name("limit"): return .limit
        case .name("length"): return .length
        case .name(let name):
            guard let index = compiler.numbers.firstIndex(of: name) else { throw mistake("there is no number \(name)") }
            return .number(index)
        default: throw mistake("expected a number")
        }
    }
}
