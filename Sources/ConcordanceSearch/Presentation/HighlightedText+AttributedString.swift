import Foundation

/// The attribute by which `HighlightedText.attributedString` marks matches, for styles of your own:
///
/// ```swift
/// var text = hit.highlights(\.title).attributedString
/// for (isMatch, range) in text.runs[SearchMatchAttribute.self] where isMatch == true {
///     text[range].backgroundColor = .yellow
/// }
/// ```
public enum SearchMatchAttribute: AttributedStringKey {
    /// True for a match; other text has no value.
    public typealias Value = Bool
    /// The attribute's name.
    public static let name = "ConcordanceSearchMatch"
}

extension HighlightedText {
    /// The text as an attributed string: matches carry `SearchMatchAttribute` and, on Apple's platforms, strong
    /// emphasis, which SwiftUI's `Text` shows in bold.
    public var attributedString: AttributedString {
        // Elsewhere Foundation has only the name of this attribute.
        #if canImport(Darwin)
            var attributes = AttributeContainer()
            attributes.inlinePresentationIntent = .stronglyEmphasized
            return attributedString(attributes)
        #else
            return attributedString(AttributeContainer())
        #endif
    }

    /// Returns the text as an attributed string in which matches carry these attributes and `SearchMatchAttribute`.
    ///
    /// ```swift
    /// Text(hit.highlights(\.title).attributedString(AttributeContainer().foregroundColor(.orange)))
    /// ```
    public func attributedString(_ attributes: AttributeContainer) -> AttributedString {
        var attributes = attributes
        attributes[SearchMatchAttribute.self] = true
        return runs.reduce(into: AttributedString()) { result, run in
            result += AttributedString(run.text, attributes: run.isMatch ? attributes : AttributeContainer())
        }
    }
}
