/// A mistake in the arguments of a tokenizer.
public enum TokenizerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no tokenizer of this name; `known` lists those that exist.
    case unknownTokenizer(String, known: [String])
    /// The tokenizer has no such option; `known` lists those that it has.
    case unknownOption(String, tokenizer: String, known: [String])
    /// The last option has no value: options are pairs of a name and a value.
    case missingValue(option: String, tokenizer: String)
    /// The option does not accept the value; `expected` says which it does.
    case invalidValue(String, option: String, tokenizer: String, expected: String)

    public var description: String {
        switch self {
        case .unknownTokenizer(let name, let known):
            "there is no tokenizer '\(name.excerpt)'; use one of: \(known.joined(separator: ", "))"
        case .unknownOption(let option, let tokenizer, let known):
            known.isEmpty
                ? "tokenizer '\(tokenizer)' takes no options, so remove '\(option.excerpt)'"
                : "tokenizer '\(tokenizer)' has no option '\(option.excerpt)'; use one of: \(known.joined(separator: ", "))"
        case .missingValue(let option, let tokenizer):
            "option '\(option.excerpt)' of tokenizer '\(tokenizer)' has no value; write the value after it"
        case .invalidValue(let value, let option, let tokenizer, let expected):
            "option '\(option.excerpt)' of tokenizer '\(tokenizer)' cannot be '\(value.excerpt)'; use \(expected)"
        }
    }
}

extension String {
    /// As much of a text as a message needs: the text may be megabytes long.
    var excerpt: String {
        unicodeScalars.count > 100 ? String(unicodeScalars.prefix(100)) + "…" : self
    }
}

/// The arguments of a tokenizer, read as SQLite reads them: pairs of an option, in any ASCII case, and its value, in
/// order.
struct TokenizerArguments {
    let tokenizer: String
    let known: [String]
    let pairs: [(option: String, value: String)]

    init(_ arguments: [String], tokenizer: String, known: [String]) throws(TokenizerError) {
        self.tokenizer = tokenizer
        self.known = known
        var pairs: [(option: String, value: String)] = []
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let option = known.first(where: { $0.equalsIgnoringASCIICase(name) }) else {
                throw .unknownOption(name, tokenizer: tokenizer, known: known)
            }
            guard let value = rest.popFirst() else { throw .missingValue(option: option, tokenizer: tokenizer) }
            pairs.append((option, value))
        }
        self.pairs = pairs
    }

    /// A value that must be one of a few digits.
    func digit(
        _ value: String, of option: String, in allowed: ClosedRange<Int>
    ) throws(TokenizerError) -> Int {
        guard value.utf8.count == 1, let digit = Int(value), allowed.contains(digit) else {
            throw .invalidValue(
                value, option: option, tokenizer: tokenizer,
                expected: allowed.map(String.init).joined(separator: " or "))
        }
        return digit
    }
}
