/// Makes Cyrillic, Greek and Korean words findable in Latin letters: Москва by moskva, Αθήνα by athina, 한국어 by
/// hangugeo.
///
/// In documents the romanizations of such a word stand at its place, with a mark, so that they never equal a word:
/// `rz~moskva`. A query's Latin word asks for the word OR words with that romanization; a query's Cyrillic, Greek or
/// Korean word also asks for the Latin word that is its romanization. Spellings of different systems meet as far as
/// `LooseLatin` makes them one. The filter expects lower-case letters, and belongs before filters that cut words into
/// pieces.
package final class RomanizedFilter: TokenFilter {
    @exclusivity(unchecked) private var romanization = Romanization()
    @exclusivity(unchecked) private var marked = TokenBuffer()
    @exclusivity(unchecked) private var sent = SentTokens()

    private static let mark: StaticString = "rz~"

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let code = emit(token, flags: flags, start: start, end: end)
        guard code == 0, let first = token.first, token.count > 1 else { return code }
        if first < 0x80 { return isQuery ? sendMarked(token, start: start, end: end) : 0 }
        sent.removeAll()
        for variant in 0..<Romanization.variants where romanization.make(token, variant: variant) {
            let letters = romanization.letters.contents
            let code = isQuery ? send(letters, start: start, end: end) : sendMarked(letters, start: start, end: end)
            if code != 0 { return code }
        }
        return 0
    }

    private func sendMarked(_ latin: UnsafeBufferPointer<UInt8>, start: Int, end: Int) -> Int32 {
        guard latin.count <= Romanization.longest else { return 0 }
        marked.count = 0
        marked.append(Self.mark)
        guard LooseLatin.append(latin, to: &marked) else { return 0 }
        if isQuery { return emit(marked.contents, flags: .colocated, start: start, end: end) }
        return send(marked.contents, start: start, end: end)
    }

    private func send(_ token: UnsafeBufferPointer<UInt8>, start: Int, end: Int) -> Int32 {
        sent.insert(token) ? emit(token, flags: .colocated, start: start, end: end) : 0
    }
}
