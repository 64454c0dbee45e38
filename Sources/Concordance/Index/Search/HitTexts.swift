import ConcordanceText

/// The texts of the hits of a page, as the full-text table has them: UTF-8, one behind the other. A text becomes a
/// `String` when somebody asks for it.
struct HitTexts: Sendable {
    private var utf8: [UInt8] = []
    /// Where each text ends, hit by hit, field by field.
    private var ends: [Int] = []
    private let fieldCount: Int

    init(fieldCount: Int) { self.fieldCount = fieldCount }

    /// Adds the texts of a row, whose columns are the fields.
    ///
    /// - Returns: The number by which the texts are found.
    mutating func append(_ row: Statement) -> Int {
        for field in 0..<fieldCount {
            switch row.storageClass(at: field) {
            case .text, .blob: row.withBytes(at: field) { utf8.append(contentsOf: $0) }
            case .integer: utf8.append(contentsOf: "\(row.int64(at: field))".utf8)
            case .real: utf8.append(contentsOf: "\(row.double(at: field))".utf8)
            case .null: break
            }
            ends.append(utf8.count)
        }
        return fieldCount == 0 ? 0 : ends.count / fieldCount - 1
    }

    /// The text of a field, of which there must be one.
    func text(_ hit: Int, field: Int) -> String { String(decoding: utf8[range(hit, field)], as: UTF8.self) }

    /// All texts of a hit.
    func bytes(_ hit: Int) -> ArraySlice<UInt8> {
        fieldCount == 0 ? [] : utf8[range(hit, 0).lowerBound..<range(hit, fieldCount - 1).upperBound]
    }

    /// Takes the texts of a hit into a hash.
    func combine(_ hit: Int, into hash: inout XXHash64) {
        for field in 0..<fieldCount {
            utf8[range(hit, field)].withUnsafeBytes { hash.combine(text: $0) }
        }
    }

    /// How long the texts of a hit are.
    func lengths(_ hit: Int) -> [Int] { (0..<fieldCount).map { range(hit, $0).count } }

    private func range(_ hit: Int, _ field: Int) -> Range<Int> {
        let index = hit * fieldCount + field
        return (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}
