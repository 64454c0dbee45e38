extension Duration {
    /// The duration in seconds.
    public var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Prints one line of a report: what was measured, and the figure.
public func report(_ name: String, _ figure: String) { print("- \(name): \(figure)") }

/// Seconds in a suitable unit, with three digits: "1.48 s", "35.2 ms", "7.10 us".
public func duration(_ seconds: Double) -> String {
    switch seconds {
    case 1...: "\(short(seconds)) s"
    case 1e-3...: "\(short(seconds * 1e3)) ms"
    case 1e-6...: "\(short(seconds * 1e6)) us"
    default: "\(short(seconds * 1e9)) ns"
    }
}

/// A number with three significant digits, or whole from 100 on.
public func short(_ number: Double) -> String {
    let decimals = abs(number) >= 100 ? 0 : abs(number) >= 10 ? 1 : 2
    let scale = [1, 10, 100][decimals]
    guard abs(number) < 1e15 else { return "\(number)" }
    let scaled = Int(abs(number) * Double(scale) + 0.5)
    let sign = number < 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

/// Rows of cells, the first of which is the heading, as a Markdown table with aligned columns.
public func markdown(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: width - cell.count)
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
    return ([line(rows[0]), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
}
