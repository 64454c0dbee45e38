/// Clues to the languages that the table of sequences of letters lacks: letters that only Urdu has, and endings that
/// are frequent only in Marathi.
///
/// The weights outdo what the table gives the other languages of the script for words of five letters, if every fourth
/// word or every tenth letter is a clue.
enum LanguageHints {
    private static let urduLetters: [UInt32] = [0x679, 0x688, 0x691, 0x6BA, 0x6BE, 0x6C1, 0x6D2]
    private static let marathiEndings = [
        "चा", "ची", "चे", "च्या", "\u{93E}ंना", "आहे", "आहेत", "आणि", "मध्ये",
        "साठी", "मुळे", "तील", "ल्या", "ळा", "ळी",
    ].map { Array($0.utf8) }

    /// Whether there are hints for a language.
    static func exist(for language: TextLanguage) -> Bool { language == .urdu || language == .marathi }

    /// The score of a word for a language.
    static func score(_ word: UnsafeBufferPointer<UInt8>, for language: TextLanguage) -> Int {
        if language == .marathi {
            return marathiEndings.contains { $0.count <= word.count && word.suffix($0.count).elementsEqual($0) }
                ? 60 : 0
        }
        var score = 0
        var index = 0
        while index < word.count {
            let (scalar, length) = UTF8Scalars.decode(word, at: index)
            if urduLetters.contains(scalar) { score += 24 }
            index += length
        }
        return score
    }
}
