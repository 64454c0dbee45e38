import ConcordanceSQLite
import Foundation

/// A position in the results of a search, after the last hit of a page.
///
/// A cursor is a text that can be stored, or sent elsewhere and back. It holds no rows: the next page consists of what
/// matches when it is fetched.
///
/// The last hits of the page mark the position. Scores depend on the whole index, so every write changes all of them.
/// Therefore the last hit that is unchanged since then is scored again, and the next page begins after it, without the
/// later hits of the old page, which were already shown. The old score counts only if all of these hits have changed.
public struct SearchCursor: Hashable, Sendable {
    /// A hit that can mark the position.
    struct Anchor: Hashable, Sendable, Codable {
        let id: Int64
        /// A hash of what its place depends on: its row, its texts, the values it is sorted by.
        let contentHash: Int64
    }

    /// The values of the order's terms, the score and the id of the last hit.
    struct Place: Hashable, Sendable {
        let values: [PlaceValue]
        let score: Double
        let id: Int64
    }

    /// A hash of what makes the order: index, query, terms.
    let orderHash: Int64
    let place: Place
    /// The last hits, the very last one first.
    let anchors: [Anchor]
    /// Whether the last hit matches only with typos, and so comes after those with the very words.
    let isSimilar: Bool

    /// The number of hits of a page that can mark the position.
    static let anchorLimit = 16

    init(orderHash: Int64, place: Place, anchors: [Anchor], isSimilar: Bool = false) {
        self.isSimilar = isSimilar
        self.orderHash = orderHash
        self.place = place
        self.anchors = anchors
    }
}

extension SearchCursor: LosslessStringConvertible {
    /// The cursor as a text of letters, digits, `-` and `_`.
    public var description: String {
        let payload = Payload(
            order: orderHash, values: place.values.map(PayloadValue.init), score: place.score.bitPattern,
            id: place.id, anchors: anchors.flatMap { [$0.id, $0.contentHash] }, isSimilar: isSimilar ? true : nil)
        guard let json = try? JSONEncoder().encode(payload) else { return "" }
        return json.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Creates the cursor with this description; nil for any other text.
    public init?(_ description: String) {
        var base64 = description.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let json = Data(base64Encoded: base64),
            let payload = try? JSONDecoder().decode(Payload.self, from: json),
            payload.anchors.count <= 2 * Self.anchorLimit, payload.anchors.count.isMultiple(of: 2)
        else { return nil }
        let anchors = stride(from: 0, to: payload.anchors.count, by: 2).map {
            Anchor(id: payload.anchors[$0], contentHash: payload.anchors[$0 + 1])
        }
        let score = Double(bitPattern: payload.score)
        guard !score.isNaN else { return nil }
        let place = Place(values: payload.values.map(\.placeValue), score: score, id: payload.id)
        self.init(
            orderHash: payload.order, place: place, anchors: anchors, isSimilar: payload.isSimilar == true)
    }

    /// What the text holds. Numbers are bits, since JSON may round.
    private struct Payload: Codable {
        let order: Int64
        let values: [PayloadValue]
        let score: UInt64
        let id: Int64
        let anchors: [Int64]
        let isSimilar: Bool?

        enum CodingKeys: String, CodingKey {
            case order = "o"
            case values = "v"
            case score = "s"
            case id = "i"
            case anchors = "a"
            case isSimilar = "t"
        }
    }

    private struct PayloadValue: Codable {
        var integer: Int64?
        var real: UInt64?
        var text: String?
        var blob: Data?
        var invalidText: Data?

        enum CodingKeys: String, CodingKey {
            case integer = "i"
            case real = "r"
            case text = "t"
            case blob = "b"
            case invalidText = "x"
        }

        init(_ value: PlaceValue) {
            switch value {
            case .value(.null): break
            case .value(.int64(let value)): integer = value
            case .value(.double(let value)): real = value.bitPattern
            case .value(.text(let value)): text = value
            case .value(.blob(let bytes)): blob = Data(bytes)
            case .invalidText(let bytes): invalidText = Data(bytes)
            }
        }

        var placeValue: PlaceValue {
            if let integer { return .value(.int64(integer)) }
            if let real { return .value(.double(Double(bitPattern: real))) }
            if let text { return .value(.text(text)) }
            if let invalidText { return .invalidText(Array(invalidText)) }
            return .value(blob.map { .blob(Array($0)) } ?? .null)
        }
    }
}

extension SearchCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the text is not a search cursor"))
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
