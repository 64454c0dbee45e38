extension IndexDefinition {
    /// The field that reads the column of a property, whatever the field is called; otherwise the field with the
    /// column's name. Values do not count.
    func field<Record: Decodable, Value>(of keyPath: KeyPath<Record, Value>) throws(KeyPathError) -> FieldDefinition? {
        let column = try KeyPathColumns.name(of: keyPath)
        let texts = fields.filter { !$0.isValue }
        let own = texts.first { if case .column(let name) = $0.source { name == column } else { false } }
        return own ?? texts.first { $0.name.equalsIgnoringASCIICase(column) }
    }
}
