/// The filters: values of facets to choose from.
extension ScreenState {
    /// A row of the filters.
    enum FilterRow: Equatable, Sendable {
        case heading(String)
        case value(facet: String, value: String, label: String, count: Int, isChosen: Bool)
        /// Says that there are more values than shown.
        case more
    }

    /// The active filters, as the status line shows them.
    var activeFilters: [(facet: String, label: String)] {
        values.sorted { $0.key < $1.key }.flatMap { name, chosen in
            let facet = answer?.facets?.first { $0.name == name }
            return chosen.map { value in
                (name, facet?.values.first { $0.value == value }?.label ?? value)
            }
        }
    }

    var filterRows: [FilterRow] {
        (answer?.facets ?? []).filter { !$0.values.isEmpty }.flatMap { facet in
            [.heading(facet.label)]
                + facet.values.map {
                    .value(
                        facet: facet.name, value: $0.value, label: $0.label, count: $0.count, isChosen: $0.isSelected)
                } + (facet.hasMore ? [.more] : [])
        }
    }

    mutating func toggleFilter(row: Int) -> [ScreenEffect] {
        guard filterRows.indices.contains(row), case .value(let facet, let value, _, _, _) = filterRows[row] else {
            return []
        }
        var chosen = values[facet] ?? []
        if let index = chosen.firstIndex(of: value) { chosen.remove(at: index) } else { chosen.append(value) }
        values[facet] = chosen.isEmpty ? nil : chosen
        filterCursor = row
        return searched()
    }

    mutating func clearFilters() -> [ScreenEffect] {
        guard !values.isEmpty else { return [] }
        values = [:]
        return searched()
    }

    /// Moves to the next row with a value, in the direction of `step`.
    mutating func moveFilterCursor(_ step: Int) {
        let rows = filterRows
        var row = filterCursor
        repeat { row += step.signum() } while rows.indices.contains(row) && !rows[row].isValue
        if rows.indices.contains(row) { filterCursor = row }
        keepFilterCursorInView()
    }

    /// Goes to the first value unless the cursor is on one.
    mutating func enterFilters() {
        focus = .filters
        let rows = filterRows
        if !rows.indices.contains(filterCursor) || !rows[filterCursor].isValue {
            filterCursor = rows.firstIndex(where: \.isValue) ?? 0
        }
        keepFilterCursorInView()
    }

    mutating func keepFilterCursorInView() {
        let rows = max(layout.filters?.height ?? 1, 1)
        filterTop = min(max(filterTop, filterCursor - rows + 1), filterCursor)
        // The heading of the first value scrolls into view with it.
        if filterCursor <= 1 { filterTop = 0 }
    }
}

extension ScreenState.FilterRow {
    var isValue: Bool { if case .value = self { true } else { false } }
}
