/// Something that a `SearchIndex` is made of: `Field`, `Analysis`, `Ranking`.
public struct IndexElement<Record>: Sendable {
    enum Content: Sendable {
        case field(FieldDefinition)
        case analysis(Analysis)
        case ranking(Ranking)
    }

    let content: Content
}

/// Collects the elements of a `SearchIndex`.
@resultBuilder
public enum SearchIndexBuilder<Record> {
    public typealias Elements = [IndexElement<Record>]

    public static func buildExpression(_ field: Field<Record>) -> Elements {
        [IndexElement(content: .field(field.definition))]
    }
    public static func buildExpression(_ analysis: Analysis) -> Elements {
        [IndexElement(content: .analysis(analysis))]
    }
    public static func buildExpression(_ ranking: Ranking) -> Elements { [IndexElement(content: .ranking(ranking))] }
    public static func buildBlock(_ parts: Elements...) -> Elements { parts.flatMap(\.self) }
    public static func buildOptional(_ part: Elements?) -> Elements { part ?? [] }
    public static func buildEither(first part: Elements) -> Elements { part }
    public static func buildEither(second part: Elements) -> Elements { part }
    public static func buildArray(_ parts: [Elements]) -> Elements { parts.flatMap(\.self) }
}
