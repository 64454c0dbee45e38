/// Many rows at once, whose texts SQL puts together: enough for lists of postings of several blocks.
enum RandomBulk {
    static func statements(_ schema: RandomSchema, _ chance: inout Chance) -> [String] {
        let words = Vocabulary.words.enumerated().map { "(\($0), \($1.textExpression))" }.joined(separator: ", ")
        let create = "CREATE TABLE words(i INTEGER PRIMARY KEY, w); INSERT INTO words VALUES \(words)"
        return [create] + (0..<chance.int(1...3)).map { _ in insert(schema, &chance) }
    }

    static func insert(_ schema: RandomSchema, _ chance: inout Chance) -> String {
        let count = chance.pick([150, 300, 700, 1500])
        let first = chance.int(-10...100)
        let step = chance.pick([1, 1, 1, 2, 7, 1000])
        let texts = schema.quotedColumns.map { column in
            if schema.valueColumns.contains(column) { return chance.storedValueOfNumber() }
            // The words whose number, spread over a few, is small: the frequent ones in most rows, in varying order.
            let (factor, modulus, share) = (chance.int(1...40), chance.int(7...90), chance.int(1...12))
            let words =
                "(SELECT group_concat(w, ' ') FROM words WHERE (i * (n % \(factor) + 1) + n) % \(modulus) < \(share))"
            // Many terms with the same beginning.
            guard chance.percent(40) else { return words }
            return "coalesce(\(words), '') || ' w' || (n * \(chance.int(1...50)) % \(chance.pick([20, 100, 700])))"
        }
        return "WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < \(count)) "
            + "INSERT OR REPLACE INTO \(schema.target)(\(schema.key), \(schema.columnList)) "
            + "SELECT \(first) + n * \(step), \(texts.joined(separator: ", ")) FROM s"
    }
}
