/// The path from a row to the related rows whose text belongs to it, and how their texts are joined.
///
/// Each step leads from one table to the next, by the foreign key between the two, whichever of them declares it, or by
/// the columns that the step names.
public struct Relation: Hashable, Sendable {
    /// A table on the path.
    public struct Step: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The table that the step leads to.
        package var table: String
        /// The column of that table, and the column of the previous table that it equals; nil for the foreign key
        /// between the two.
        package var columns: Columns?

        /// The columns that are equal in rows that belong together.
        package struct Columns: Hashable, Sendable {
            /// The columns of the step's table.
            package var own: [String]
            /// The columns of the previous table, as many.
            package var previous: [String]
        }

        /// Creates a step by the foreign key between this table and the previous one, whichever of them declares it.
        public init(_ table: String) { self.table = table }
        /// Creates a step by the foreign key between this table and the previous one, whichever of them declares it.
        public init(stringLiteral table: String) { self.table = table }

        /// Creates a step to the rows whose column `own` equals the column `previous` of the previous table:
        /// `Step("comments", on: "postID", equals: "id")`.
        public init(_ table: String, on own: String, equals previous: String) {
            self.init(table, on: [own], equals: [previous])
        }

        /// Creates a step by several columns, each of which equals the column of the previous table at the same
        /// position.
        public init(_ table: String, on own: [String], equals previous: [String]) {
            self.table = table
            columns = Columns(own: own, previous: previous)
        }
    }

    /// The steps, the last of which leads to the table with the text.
    package var steps: [Step]
    /// The column with the text, in the last table.
    package var column: String
    /// The text between those of two rows.
    package var separator: String
    /// The column of the last table that the texts are sorted by; nil for the order in which the rows were added.
    package var order: String?

    /// A path to the rows of the last step's table.
    package init(steps: [Step], column: String, separator: String = " ", order: String? = nil) {
        self.steps = steps
        self.column = column
        self.separator = separator
        self.order = order
    }
}

extension Field {
    /// Returns the field with the text of related rows: to-one, to-many or many-to-many, at any depth.
    ///
    /// ```swift
    /// SearchIndex("bookTexts", of: Book.self, in: "books") {
    ///     Field("comments").joined("comments", \.body)
    ///     Field("tags").joined("tags", \.title, through: "bookTags", separator: ",")
    ///     Field("authors").joined("people", \.name, through: "chapters", "chapterAuthors", orderedBy: "name")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - table: The table with the text.
    ///   - column: Its column with the text.
    ///   - steps: The tables between, in order, starting from the index's table.
    ///   - separator: The text between the texts of two rows.
    ///   - order: The column by which the texts are sorted; nil for the order of the rows.
    public func joined(
        _ table: Relation.Step, _ column: KeyPath<RelatedColumns, RelatedColumn>, through steps: Relation.Step...,
        separator: String = " ", orderedBy order: String? = nil
    ) -> Field {
        let name = RelatedColumns()[keyPath: column].name
        return joined(Relation(steps: steps + [table], column: name, separator: separator, order: order))
    }

    /// Returns the field with the text of related rows, with the column given by name.
    public func joined(
        _ table: Relation.Step, _ column: String, through steps: Relation.Step..., separator: String = " ",
        orderedBy order: String? = nil
    ) -> Field {
        joined(Relation(steps: steps + [table], column: column, separator: separator, order: order))
    }

    /// Returns the field with the text of related rows, with the tables between in an array.
    public func joined(
        _ table: Relation.Step, _ column: String, through steps: [Relation.Step], separator: String = " ",
        orderedBy order: String? = nil
    ) -> Field {
        joined(Relation(steps: steps + [table], column: column, separator: separator, order: order))
    }

    /// Returns the field with the text of related rows, with the column given as a property of their record type.
    public func joined<Related: Decodable, Value>(
        _ table: Relation.Step, of record: Related.Type, _ column: KeyPath<Related, Value>,
        through steps: [Relation.Step] = [], separator: String = " ", orderedBy order: String? = nil
    ) -> Field {
        do {
            let name = try KeyPathColumns.name(of: column)
            return joined(Relation(steps: steps + [table], column: name, separator: separator, order: order))
        } catch {
            return with { $0.source = .invalid(error) }
        }
    }

    /// The same field with the text of the rows that a relation leads to.
    package func joined(_ relation: Relation) -> Field { with { $0.source = .related(relation) } }
}

/// The columns of a related table, by any name: `\.title`.
@dynamicMemberLookup
public struct RelatedColumns: Sendable {
    /// The column of that name.
    public subscript(dynamicMember name: String) -> RelatedColumn { RelatedColumn(name: name) }
}

/// A column of a related table.
public struct RelatedColumn: Hashable, Sendable {
    /// The name of the column.
    package let name: String
}
