/// Several languages in one tokenizer: a document is split by the analyzer of its guessed language, a query by the
/// analyzers of all languages at once.
///
/// A text is cut where scripts without spaces meet others (`ScriptParts`), and so is a query. A part in a script that the analyzer
/// of the text's language does not cut belongs to another language of the list that does: the Korean words of an English text.
///
/// The guess depends only on the first `LanguageGuesser.window` bytes of the text, so indexing, verification and
/// highlighting all see the same tokens.
///
/// In a query, the tokens of all languages share their places, as synonyms do. So the analyzers must split a part at the
/// same places as that of its language; those that do not (Chinese and German, say) are left out. A query may begin with
/// a mark that names some of the languages (`LanguageMark`); the others are then left out, unless the tokenizer knows
/// none of those named.
package final class GuessTokenizer: Tokenizer {
    /// The tokenizer's name in descriptors, where the codes of its languages follow.
    package static let name = "guess"

    private let languages: [TextLanguage]
    private let tokenizers: [any Tokenizer]
    private let guesser: LanguageGuesser
    /// The scripts that some of the languages cut.
    private let scripts: UnspacedScripts
    /// A part of a query, and what stands for the next one.
    @exclusivity(unchecked) private var part = TokenBuffer()
    @exclusivity(unchecked) private var runs: QueryTokens
    @exclusivity(unchecked) private var isBusy = false

    /// - Parameter languages: The languages that texts may be in. The first is the language of texts that give no clue.
    package init(_ languages: [TextLanguage]) {
        let languages = languages.isEmpty ? [.english] : languages
        self.languages = languages
        tokenizers = languages.map { $0.analyzer.makeTokenizer() }
        guesser = LanguageGuesser(languages)
        scripts = languages.reduce(into: []) { $0.formUnion($1.unspacedScripts) }
        runs = QueryTokens()
    }

    package func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        // A sink that calls back would change what is being read.
        if isBusy { return FilteredTokenizer.misuse }
        isBusy = true
        defer { isBusy = false }
        guard reason.contains(.query), tokenizers.count > 1 else {
            return tokenizeDocument(text, for: reason, into: sink)
        }
        let mark = LanguageMark.length(of: text)
        let query = UnsafeBufferPointer(rebasing: text[mark...])
        var asked = tokenizers.indices.filter { LanguageMark.names(languages[$0], in: text, length: mark) }
        if asked.isEmpty { asked = Array(tokenizers.indices) }
        let guess = guesser.guess(query)
        let leading = asked.contains(guess) ? guess : asked[0]
        let parts = ScriptParts(query, of: scripts)
        var start = 0
        while start < query.count {
            let (end, script) = parts.part(from: start)
            let isLast = end == query.count
            part.count = 0
            if let base = query.baseAddress { part.append(base + start, count: end - start) }
            // The last character of a part has a position of its own if something follows.
            if !isLast { part.append(" x") }
            let able = asked.filter { languages[$0].unspacedScripts.isSuperset(of: script) }
            let code = tokenize(
                part.contents, end: end - start, for: isLast ? reason : reason.subtracting(.prefix), by: asked,
                leading: able.isEmpty || able.contains(leading) ? leading : able[0])
            if code != 0 { return code }
            let sent = runs.emit(into: sink, from: mark + start)
            if sent != 0 { return sent }
            start = end
        }
        return 0
    }

    /// Collects the tokens of a part of a query that begin before `end`.
    private func tokenize(
        _ part: UnsafeBufferPointer<UInt8>, end limit: Int, for reason: TokenizationReason, by asked: [Int],
        leading: Int
    ) -> Int32 {
        runs.removeAll(limit: limit)
        for index in asked {
            runs.begin(isLeading: index == leading)
            let context = Unmanaged.passUnretained(self).toOpaque()
            let code = tokenizers[index].tokenize(
                part, for: reason,
                into: TokenSink(context: context) { context, flags, token, count, start, end in
                    guard let context, let token, count >= 0 else { return 0 }
                    return Unmanaged<GuessTokenizer>.fromOpaque(context)._withUnsafeGuaranteedRef { tokenizer in
                        token.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                            tokenizer.runs.append(
                                UnsafeBufferPointer(start: $0, count: Int(count)),
                                TokenFlags(rawValue: flags), start, end)
                        }
                        return 0
                    }
                })
            if code != 0 { return code }
        }
        return 0
    }

    private func tokenizeDocument(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        let guess = guesser.guess(text)
        if scripts.isEmpty { return tokenizers[guess].tokenize(text, for: reason, into: sink) }
        let parts = ScriptParts(text, of: scripts)
        var start = 0
        while start < text.count {
            let (end, script) = parts.part(from: start)
            let part = UnsafeBufferPointer(rebasing: text[start..<end])
            let language = language(of: part, in: script, of: guess)
            let code = sink.withOffsets(shiftedBy: start) {
                tokenizers[language].tokenize(part, for: reason, into: $0)
            }
            if code != 0 { return code }
            start = end
        }
        return 0
    }

    /// The number of the language to which a part of a text belongs: that of the text, if its analyzer cuts the script.
    private func language(
        of part: UnsafeBufferPointer<UInt8>, in script: UnspacedScripts, of guess: Int
    ) -> Int {
        if languages[guess].unspacedScripts.isSuperset(of: script) { return guess }
        let able = languages.indices.filter { languages[$0].unspacedScripts.isSuperset(of: script) }
        if able.count == 1 { return able[0] }
        let other = guesser.guess(part)
        return able.contains(other) ? other : able.first ?? guess
    }
}

/// The tokens of a query by several analyzers, one run each.
private struct QueryTokens: ~Copyable {
    private struct Entry {
        var offset: Int
        var count: Int
        var isColocated: Bool
        var start: Int32
        var end: Int32
    }

    private struct Run {
        var entries: Range<Int>
        /// The next entry to be sent.
        var next: Int
        /// Whether its tokens are at the same places as those of the leading run.
        var isUsed = true
    }

    private var entries: [Entry] = []
    private var bytes = TokenBuffer()
    private var runs: [Run] = []
    private var leading = 0
    private var start = 0
    private var limit = 0

    /// - Parameter limit: Tokens that begin there or later are left out.
    mutating func removeAll(limit: Int) {
        self.limit = limit
        entries.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        bytes.count = 0
        leading = 0
    }

    mutating func begin(isLeading: Bool) {
        if isLeading { leading = runs.count }
        runs.append(Run(entries: entries.count..<entries.count, next: entries.count))
    }

    mutating func append(_ token: UnsafeBufferPointer<UInt8>, _ flags: TokenFlags, _ start: Int32, _ end: Int32) {
        guard let last = runs.indices.last, start < limit else { return }
        let isFirst = runs[last].entries.isEmpty
        entries.append(
            Entry(
                offset: bytes.count, count: token.count, isColocated: flags.contains(.colocated) && !isFirst,
                start: start, end: end))
        if let base = token.baseAddress { bytes.append(base, count: token.count) }
        runs[last].entries = runs[last].entries.lowerBound..<entries.count
    }

    /// Sends the tokens place by place, each token once, those of the leading run first. The query begins at byte
    /// `start` of the text.
    mutating func emit(into sink: TokenSink, from start: Int) -> Int32 {
        self.start = start
        for index in runs.indices where index != leading { runs[index].isUsed = hasPlaces(ofLeading: runs[index]) }
        while runs[leading].next < runs[leading].entries.upperBound {
            let first = runs[leading].next
            var code = emitPlace(of: leading, into: sink, isLeading: true, known: first..<first)
            for index in runs.indices where code == 0 && index != leading && runs[index].isUsed {
                code = emitPlace(
                    of: index, into: sink, isLeading: false, known: first..<runs[leading].next)
            }
            if code != 0 { return code }
        }
        return 0
    }

    /// Sends the tokens of a run at one place, except those in `known` and those that an earlier run has sent.
    private mutating func emitPlace(of run: Int, into sink: TokenSink, isLeading: Bool, known: Range<Int>) -> Int32 {
        let first = runs[run].next
        var next = first
        while next < runs[run].entries.upperBound, next == first || entries[next].isColocated {
            let entry = entries[next]
            if isLeading || !isSent(entry, at: known, before: run) {
                let flags: TokenFlags = isLeading && next == first ? [] : .colocated
                let range = isLeading ? entry : entries[known.lowerBound]
                let code = sink.emit(
                    UnsafePointer(bytes.base) + entry.offset, count: entry.count, flags: flags,
                    start: start + Int(range.start), end: start + Int(range.end))
                if code != 0 { return code }
            }
            next += 1
        }
        runs[run].next = next
        return 0
    }

    /// Whether a token is in `known`, or among those that the runs before `run` have sent at this place.
    private func isSent(_ entry: Entry, at known: Range<Int>, before run: Int) -> Bool {
        if known.contains(where: { isEqual(entries[$0], entry) }) { return true }
        for index in 0..<run where index != leading && runs[index].isUsed {
            // Its entries for this place directly precede the next one that it will send.
            var other = runs[index].next
            while other > runs[index].entries.lowerBound {
                other -= 1
                if isEqual(entries[other], entry) { return true }
                if !entries[other].isColocated { break }
            }
        }
        return false
    }

    private func isEqual(_ first: Entry, _ second: Entry) -> Bool {
        guard first.count == second.count else { return false }
        for index in 0..<first.count where bytes.base[first.offset + index] != bytes.base[second.offset + index] {
            return false
        }
        return true
    }

    /// Whether a run has as many places as the leading one, and each overlaps that one's in the text.
    private func hasPlaces(ofLeading run: Run) -> Bool {
        var other = runs[leading].entries.lowerBound
        let end = runs[leading].entries.upperBound
        for index in run.entries where !entries[index].isColocated {
            while other < end, entries[other].isColocated { other += 1 }
            // L'avion is avion in French and lavion in English, so it is enough that they overlap.
            guard other < end, entries[other].start < entries[index].end, entries[index].start < entries[other].end
            else { return false }
            other += 1
        }
        while other < end, entries[other].isColocated { other += 1 }
        return other == end
    }
}
