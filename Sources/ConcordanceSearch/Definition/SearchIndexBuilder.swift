/// A part of a `SearchIndex`: `Field`, `Value`, `Analysis`, `Ranking`, `Content`, `QueryRules`.
public struct IndexElement<Record>: Sendable {
    enum Part: Sendable {
        case field(FieldDefinition)
        case analysis(Analysis)
        case ranking(Ranking)
        case content(Content)
        case rules(QueryRules)
    }

    let part: Part
}

/// Collects the parts of a `SearchIndex`.
@resultBuilder
public enum SearchIndexBuilder<Record> {
    /// The elements that a statement of the closure adds.
    public typealias Elements = [IndexElement<Record>]

    /// A field.
    public static func buildExpression(_ field: Field<Record>) -> Elements {
        [IndexElement(part: .field(field.definition))]
    }
    /// A value to filter, sort and count by.
    public static func buildExpression(_ value: Value<Record>) -> Elements {
        [IndexElement(part: .field(value.field.definition))]
    }
    /// The default analyzer and the prefixes.
    public static func buildExpression(_ analysis: Analysis) -> Elements {
        [IndexElement(part: .analysis(analysis))]
    }
    /// The ranking.
    public static func buildExpression(_ ranking: Ranking) -> Elements { [IndexElement(part: .ranking(ranking))] }
    /// Where the texts are stored.
    public static func buildExpression(_ content: Content) -> Elements { [IndexElement(part: .content(content))] }
    /// The synonyms and stop words of queries.
    public static func buildExpression(_ rules: QueryRules) -> Elements { [IndexElement(part: .rules(rules))] }
    /// Elements from elsewhere, such as a function or property marked `@SearchIndexBuilder<Record>`.
    public static func buildExpression(_ elements: Elements) -> Elements { elements }
    /// The elements of all statements, in order.
    public static func buildBlock(_ parts: Elements...) -> Elements { parts.flatMap(\.self) }
    /// `if` without `else`.
    public static func buildOptional(_ part: Elements?) -> Elements { part ?? [] }
    /// `if`.
    public static func buildEither(first part: Elements) -> Elements { part }
    /// `else`.
    public static func buildEither(second part: Elements) -> Elements { part }
    /// `for`.
    public static func buildArray(_ parts: [Elements]) -> Elements { parts.flatMap(\.self) }
}
