extension TextLanguage {
    /// Letters that a text has to have to be in a language, and what the weights of its sequences of letters are on average, in
    /// hundredths. Half of the manual pages and notices where it was tried have 450 and more, lists of names and numbers mostly
    /// less than 400.
    private static let fewestLetters = 40
    private static let leastWeight = 400

    /// Bytes from which on a text is long: its beginning may be all names and notices.
    private static let longText = 4 * LanguageGuesser.window

    /// The language that a text is most likely in, by its script and its sequences of letters; nil where it says too little.
    ///
    /// It looks at about a thousand bytes: those at the beginning, or in the middle of a long text.
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
            guard
                let guess = guesser.certainGuess(
                    window, fewestLetters: fewestLetters, leastWeight: leastWeight)
            else { return nil }
            return languages[guess]
        }
    }
}
