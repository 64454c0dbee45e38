extension TextLanguage {
    /// How many letters a text needs to be guessed, and the least average weight of its sequences of letters, in
    /// hundredths. Half of the manual pages and notices on which this was tried reach 450; most lists of names and
    /// numbers stay below 400.
    private static let fewestLetters = 40
    private static let leastWeight = 400

    /// In bytes. The beginning of a longer text may be nothing but names and notices.
    private static let longText = 4 * LanguageGuesser.window

    /// Returns the most likely language of a text, by its script and its sequences of letters; nil if the text gives
    /// too few clues.
    ///
    /// It reads about a thousand bytes: from the beginning, or from the middle of a long text.
    public static func guess(_ text: String) -> TextLanguage? {
        var text = text
        return text.withUTF8 { bytes in
            var start = 0
            if bytes.count > longText {
                start = bytes.count / 2
                while start < bytes.count, bytes[start] > 0x20 { start += 1 }
            }
            let languages = allCases
            let guesser = LanguageGuesser(languages)
            let window = UnsafeBufferPointer(rebasing: bytes[start...])
            guard WordShare.isMostlyWords(window, limit: LanguageGuesser.window) else { return nil }
            guard
                let guess = guesser.certainGuess(
                    window, fewestLetters: fewestLetters, leastWeight: leastWeight)
            else { return nil }
            return languages[guess]
        }
    }
}
