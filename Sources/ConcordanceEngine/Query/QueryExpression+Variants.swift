extension QueryExpression {
    /// For `a NOT b`, if b is a without some variants of its terms, these variants: a matching row has at least one of
    /// them. Nil for other queries.
    var decidingVariants: [[UInt8]]? {
        guard case .not(let included, let excluded)? = root else { return nil }
        var variants: Set<[UInt8]> = []
        return add(variantsOf: included, besides: excluded, to: &variants) ? Array(variants) : nil
    }

    /// False if the nodes differ in anything else.
    private func add(variantsOf node: QueryNode, besides other: QueryNode, to variants: inout Set<[UInt8]>) -> Bool {
        switch (node, other) {
        case (.near(let group), .near(let otherGroup)):
            group.phrases.count == otherGroup.phrases.count && group.distance == otherGroup.distance
                && zip(group.phrases, otherGroup.phrases).allSatisfy {
                    add(variantsOf: phrases[$0], besides: phrases[$1], to: &variants)
                }
        case (.and(let nodes), .and(let others)), (.or(let nodes), .or(let others)):
            nodes.count == others.count
                && zip(nodes, others).allSatisfy { add(variantsOf: $0, besides: $1, to: &variants) }
        case (.nothing, .nothing): true
        default: false
        }
    }

    private func add(
        variantsOf phrase: QueryPhrase, besides other: QueryPhrase, to variants: inout Set<[UInt8]>
    ) -> Bool {
        phrase.isInitial == other.isInitial && phrase.columns == other.columns
            && phrase.terms.count == other.terms.count
            && zip(phrase.terms, other.terms).allSatisfy { term, other in
                guard term.exact == other.exact else { return false }
                let all = Set(term.variants.map(\.bytes))
                let others = Set(other.variants.map(\.bytes))
                variants.formUnion(all.subtracting(others))
                return others.isSubset(of: all)
            }
    }
}
