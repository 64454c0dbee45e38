import Concordance

/// The language of a document.
enum DocumentLanguage {
    /// The tag of the language that the document names, without regions and scripts, or that its text is guessed to be in:
    /// `en`, `pt`, `zh`.
    static func of(_ document: Document) -> String? {
        if let tag = document.language?.split(separator: "-").first.map(String.init) {
            return TextLanguage.meant(by: tag)?.rawValue ?? tag
        }
        return TextLanguage.guess(document.body)?.rawValue
    }

    /// The tag that a person means by a code or an English name; nil where there is none.
    static func tag(_ text: String) -> String? {
        if let language = TextLanguage(named: text) ?? TextLanguage.meant(by: text.lowercased()) {
            return language.rawValue
        }
        return LanguageTag(text).map { $0.text.split(separator: "-").first.map(String.init) ?? $0.text }
    }

    /// What people call a language: `German`.
    static func name(_ tag: String) -> String {
        TextLanguage(rawValue: tag)?.name.capitalized ?? tag
    }
}
