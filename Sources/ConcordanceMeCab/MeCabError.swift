#if MeCab

    /// Why MeCab cannot be used.
    public enum MeCabError: Error, Hashable, Sendable, CustomStringConvertible {
        /// MeCab found no dictionary; `message` is its own message.
        case noDictionary(message: String)
        /// The dictionary is not in UTF-8.
        case notUTF8(dictionary: String, characterSet: String)

        public var description: String {
            switch self {
            case .noDictionary(let message):
                "MeCab has no dictionary (\(message)); install one, such as Debian's mecab-ipadic-utf8 or Homebrew's "
                    + "mecab-ipadic, or name its folder in the file that the environment variable MECABRC names"
            case .notUTF8(let dictionary, let characterSet):
                "MeCab's dictionary \(dictionary) is in \(characterSet); install one in UTF-8, such as Debian's "
                    + "mecab-ipadic-utf8, and name its folder as dicdir in mecabrc"
            }
        }
    }

#endif
