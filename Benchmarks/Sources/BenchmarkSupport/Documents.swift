/// As many documents as wanted: first those of the corpus, then new ones mixed from these, each half from one and half from
/// another, so that lengths and frequencies of words remain those of real text.
public struct Documents: Sendable {
    public let count: Int
    private let texts: [DocumentationTexts.Text]

    public init(_ data: DocumentationTexts, count: Int) {
        texts = data.texts
        self.count = count
    }

    public subscript(index: Int) -> DocumentationTexts.Text {
        let round = index / texts.count
        var text = texts[index % texts.count]
        guard round > 0 else { return text }
        // Steps that share no factor with 100,000 pair every text with another one in every round.
        let other = texts[(index % texts.count + round * 12_347) % texts.count]
        text.id = Int64(index + 1)
        text.title = texts[(index % texts.count + round * 7_919) % texts.count].title
        text.body = text.body[..<Self.middle(of: text.body)] + " " + other.body[Self.middle(of: other.body)...]
        return text
    }

    private static func middle(of text: String) -> String.Index {
        var index = text.utf8.index(text.startIndex, offsetBy: text.utf8.count / 2)
        while index < text.endIndex, index.samePosition(in: text.unicodeScalars) == nil {
            index = text.utf8.index(after: index)
        }
        return index
    }
}
