import Concordance
import ConcordanceText

/// The language of a document.
enum DocumentLanguage {
    /// The tag of the language that the document declares or, otherwise, of the guessed one, without region and script:
    /// `en`, `pt`, `zh`.
    static func of(_ document: Document) -> String? {
        if let tag = document.language?.split(separator: "-").first.map(String.init) {
            return TextLanguage.meant(by: tag)?.rawValue ?? tag
        }
        return TextLanguage.guess(document.body)?.rawValue
    }

    /// The tag for a code or an English name that a person types; nil if there is none.
    static func tag(_ text: String) -> String? {
        if let language = TextLanguage(named: text) ?? TextLanguage.meant(by: text.lowercased()) {
            return language.rawValue
        }
        return LanguageTag(text).map { $0.text.split(separator: "-").first.map(String.init) ?? $0.text }
    }

    /// The English name of a language, such as `German`.
    static func name(_ tag: String) -> String {
        TextLanguage(rawValue: tag)?.name.capitalized ?? tag
    }
}
