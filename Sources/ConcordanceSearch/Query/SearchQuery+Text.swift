extension SearchQuery {
    /// What a person typed. Every text is a query; none is an error, and none takes long.
    ///
    /// | typed | means |
    /// |---|---|
    /// | `milk eggs` | both words, wherever they stand |
    /// | `milk OR eggs`, `milk \| eggs` | either; binds tighter than a space: `buy milk OR eggs` is `buy (milk OR eggs)` |
    /// | `milk AND eggs` | both; binds tighter than OR |
    /// | `-milk`, `NOT milk`, `-"skim milk"`, `-(a b)` | rows without it |
    /// | `"send weekly"` | the words in a row; also “ ”, „ “, « », 「 」 |
    /// | `groc*`, `"send week"*` | words that begin so |
    /// | `recieve~`, `recie~*` | words that are the same but for typos, or begin so |
    /// | `title:week`, `title:"a b"`, `title:(a OR b)`, `title,notes:week` | in these fields |
    /// | `#weekend` | in the field of the tags |
    /// | `NEAR("a b" c, 5)`, `a NEAR/5 b` | at most five words apart |
    ///
    /// Operators are capitals: `or` is a word, and so is what looks like an operator without having anything to work on.
    /// A dash alone or inside a word (`e-mail`, `1-2`) excludes nothing, and a name before a colon that is no field
    /// (`10:30`, a URL) is part of the word. A phrase or parenthesis without an end ends with the text.
    ///
    /// Of a text beyond 16,384 Unicode scalars the beginning counts, of its words the first 1,024, of its parentheses the
    /// outer eight.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - isTyping: Whether the last word may be half typed: `get gro` finds groceries. It is the last one that is not
    ///     excluded, unless a space, a comma or a closing mark ends the text.
    ///   - fields: The fields that can be named before a colon, in any ASCII case.
    ///   - tags: The field that `#word` looks in; nil where `#` is part of the word.
    public init(_ text: String, isTyping: Bool = true, fields: [String] = [], tags: String? = nil) {
        let fields = QueryFields(fields, tags: tags)
        self.init(QueryParser.parse(text, isTyping: isTyping, fields: fields))
    }

    /// What a person typed to search this index: its searchable fields can be named, and `#word` looks in the field that
    /// the definition marks as that of the tags.
    public init(_ text: String, for definition: IndexDefinition, isTyping: Bool = true) {
        let fields = definition.fields.filter(\.isIndexed)
        self.init(text, isTyping: isTyping, fields: fields.map(\.name), tags: fields.first(where: \.holdsTags)?.name)
    }
}
