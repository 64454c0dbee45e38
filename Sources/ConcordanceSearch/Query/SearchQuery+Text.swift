extension SearchQuery {
    /// Creates a query from what a person typed. Every text is a query; no text is an error, and none takes long.
    ///
    /// | typed | means |
    /// |---|---|
    /// | `milk eggs` | both words, in any place |
    /// | `milk OR eggs`, `milk \| eggs` | either; binds tighter than a space: `buy milk OR eggs` is `buy (milk OR eggs)` |
    /// | `milk AND eggs` | both; binds tighter than OR |
    /// | `-milk`, `NOT milk`, `-"skim milk"`, `-(a b)` | rows without it |
    /// | `"send weekly"` | the words next to each other; also “ ”, „ “, « », 「 」 |
    /// | `groc*`, `"send week"*` | words that begin like this |
    /// | `recieve~`, `recie~*` | words that match, or begin like this, typos included |
    /// | `title:week`, `title:"a b"`, `title:(a OR b)`, `title,notes:week` | in these fields |
    /// | `#weekend` | in the field that holds tags |
    /// | `NEAR("a b" c, 5)`, `a NEAR/5 b` | at most five words apart |
    ///
    /// Operators are in capitals: `or` is a word, and so is an operator without operands. A dash alone or inside a word
    /// (`e-mail`, `1-2`) excludes nothing, and a name before a colon that is not a field (`10:30`, a URL) is part of
    /// the word. An unclosed phrase or parenthesis ends with the text.
    ///
    /// Of a text, the first 16,384 Unicode scalars count; of these, the first 1,024 words, and the outer eight of
    /// nested parentheses.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - isTyping: Whether the last word may be half typed: `get gro` finds groceries. Excluded words do not count,
    ///     and no word is half typed if a space, a comma or a closing mark ends the text.
    ///   - fields: The fields that can be named before a colon; ASCII case is ignored.
    ///   - tags: The field that `#word` searches; nil if `#` is part of the word.
    public init(_ text: String, isTyping: Bool = true, fields: [String] = [], tags: String? = nil) {
        let fields = QueryFields(fields, tags: tags)
        self.init(QueryParser.parse(text, isTyping: isTyping, fields: fields))
    }

    /// Creates a query from what a person typed to search this index: the text can name the index's searchable fields,
    /// and `#word` searches the field that the index marks with `holdingTags()`.
    public init<Record>(_ text: String, for index: SearchIndex<Record>, isTyping: Bool = true) {
        self.init(text, for: index.definition, isTyping: isTyping)
    }

    /// What a person typed to search this index: it can name the index's searchable fields, and `#word` searches the
    /// field that the definition marks with `holdingTags()`.
    package init(_ text: String, for definition: IndexDefinition, isTyping: Bool = true) {
        let fields = definition.fields.filter(\.isIndexed)
        self.init(text, isTyping: isTyping, fields: fields.map(\.name), tags: fields.first(where: \.holdsTags)?.name)
    }
}
