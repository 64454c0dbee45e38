/// Receives the tokens of a text one after another and passes on tokens of its own: the base class of every filter,
/// ours and yours.
///
/// A filter overrides `receive(_:flags:start:end:)` and calls `emit(_:flags:start:end:)` for each token that it passes
/// on, at once or later, up to `finish()`. Every method returns zero to continue; any other value stops the tokenizer,
/// which returns it. Like a tokenizer, a filter has scratch memory and is used for one text at a time.
///
/// Three rules hold for what a filter emits: `start` and `end` are offsets into the text that was tokenized, never into
/// the token; tokens come in the order of their starts; and a document yields as many positions (tokens that are not
/// colocated) for `.auxiliary` as for `.document`, since highlighting counts them.
///
/// ```swift
/// final class ShoutFilter: TokenFilter {
///     override func receive(
///         _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
///     ) -> Int32 {
///         token.contains(UInt8(ascii: "!")) ? 0 : emit(token, flags: flags, start: start, end: end)
///     }
/// }
/// let tokenizer = Analyzer(.words(), .fold).makeTokenizer(appending: [ShoutFilter()])
/// ```
open class TokenFilter {
    // Here and in the filters, properties that change per token skip Swift's run-time check of exclusive access, which
    // would cost more than the work itself. A filter is used for one text at a time (FilteredTokenizer refuses
    // reentrant calls).

    /// Why the current text is tokenized.
    @exclusivity(unchecked) public private(set) final var reason: TokenizationReason = .document
    /// The current text, valid until its last token is received.
    @exclusivity(unchecked) private(set) final var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    @exclusivity(unchecked) private final var next = TokenSink(context: nil) { _, _, _, _, _, _ in 0 }

    /// Creates a filter that passes everything on.
    public init() {}

    /// Called before the first token of a text.
    open func begin() {}

    /// Called with each token; the bytes are valid until it returns.
    open func receive(_ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int) -> Int32 {
        emit(token, flags: flags, start: start, end: end)
    }

    /// Called after the last token of a text, unless something stopped the tokenizer.
    open func finish() -> Int32 { 0 }

    /// Passes a token on.
    @inline(__always)
    public final func emit(_ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int) -> Int32 {
        guard let base = token.baseAddress else { return 0 }
        return next.emit(base, count: token.count, flags: flags, start: start, end: end)
    }

    /// Whether the text is a query, or a part of one.
    public final var isQuery: Bool { reason.contains(.query) }

    fileprivate final func start(
        reason: TokenizationReason, text: UnsafeBufferPointer<UInt8>, next: TokenSink
    ) {
        self.reason = reason
        self.text = text
        self.next = next
        begin()
    }

    /// The sink that ends in this filter. It holds no reference: its user keeps the filter alive.
    fileprivate final var sink: TokenSink {
        TokenSink(context: Unmanaged.passUnretained(self).toOpaque()) { context, flags, token, count, start, end in
            guard let context, let token, count >= 0 else { return 0 }
            return Unmanaged<TokenFilter>.fromOpaque(context)._withUnsafeGuaranteedRef { filter in
                token.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    // SQLite's `trigram`, and therefore ours, points beyond the end of a text that ends within a
                    // character.
                    let end = min(Int(end), filter.text.count)
                    return filter.receive(
                        UnsafeBufferPointer(start: $0, count: Int(count)), flags: TokenFlags(rawValue: flags),
                        start: min(Int(start), end), end: end)
                }
            }
        }
    }
}

/// A tokenizer whose tokens pass through filters, the first filter first.
public final class FilteredTokenizer: Tokenizer {
    private let tokenizer: any Tokenizer
    private let filters: [TokenFilter]
    private var isBusy = false

    /// What `tokenize` returns if a sink calls the tokenizer that is calling it: SQLite's `SQLITE_MISUSE`.
    package static let misuse: Int32 = 21

    /// Takes over the filters, which must not be used elsewhere.
    public init(_ tokenizer: any Tokenizer, _ filters: [TokenFilter]) {
        self.tokenizer = tokenizer
        self.filters = filters
    }

    public func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        if isBusy { return Self.misuse }
        isBusy = true
        defer { isBusy = false }
        var next = sink
        for index in stride(from: filters.count - 1, through: 0, by: -1) {
            filters[index].start(reason: reason, text: text, next: next)
            next = filters[index].sink
        }
        var result = tokenizer.tokenize(text, for: reason, into: next)
        for index in filters.indices where result == 0 { result = filters[index].finish() }
        return result
    }
}

/// Keeps positions right in filters that drop tokens: when a token is dropped, the first colocated token that stays
/// takes its position.
struct PositionKeeper {
    private var isHeadMissing = false

    mutating func reset() { isHeadMissing = false }

    /// The flags for a token that stays, or nil for one that is dropped.
    @inline(__always)
    mutating func flags(_ flags: TokenFlags, keep: Bool) -> TokenFlags? {
        if !flags.contains(.colocated) {
            isHeadMissing = !keep
            return keep ? flags : nil
        }
        guard keep else { return nil }
        if !isHeadMissing { return flags }
        isHeadMissing = false
        return flags.subtracting(.colocated)
    }
}
