/// Excel's workbooks: each sheet is a document, each row a line.
enum SpreadsheetText {
    private static let main = "xl/workbook.xml"

    static func read(_ package: Package, _ metadata: PackageMetadata, _ output: Output) throws {
        let index = try package.parts { $0 == main || $0 == Relationships.path(of: main) }
        guard index[main] != nil else { throw ExtractionProblem.damaged("it has no \(main)") }
        let list = try PartList(
            index[main], element: "sheet", Relationships(index[Relationships.path(of: main)], of: main))
        let strings = SharedStrings(limit: output.limits.wholeBytes)
        try package.forEach({ $0 == "xl/sharedStrings.xml" }) { _, content in
            try XMLEvents.read(content, into: strings)
        }
        if strings.isTooLarge { throw ExtractionProblem.tooLarge(limit: output.limits.wholeBytes) }
        var places: [String: Int] = [:]
        for (number, item) in list.items.enumerated() { places[item.path] = number }
        try package.forEach({ places[$0] != nil }) { name, content in
            guard let number = places[name] else { return }
            var common = metadata.common
            common.page = number + 1
            let title = SheetTitle.make(list.items[number].name, of: metadata.title ?? output.name)
            let writer = output.writer(title: title, common)
            if number == 0 {
                for note in metadata.notes {
                    writer.append(TextStream.clean(Array(note.utf8)))
                    writer.endLine()
                }
            }
            try XMLEvents.read(content, into: SheetReader(writer, strings))
            if number > 0, writer.isEmpty { return }
            try writer.finish()
        }
    }
}

/// The strings that cells refer to by number.
private final class SharedStrings: XMLReceiver {
    private var bytes: [UInt8] = []
    /// Where each string ends.
    private var ends: [Int] = []
    private let limit: Int
    private var openTexts = 0
    private var openPhonetics = 0
    private(set) var isTooLarge = false

    init(limit: Int) { self.limit = limit }

    subscript(_ index: Int) -> ArraySlice<UInt8>? {
        guard ends.indices.contains(index) else { return nil }
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    var isFinished: Bool { isTooLarge }

    func start(_ element: XMLElement) {
        switch element.name {
        case "t": openTexts += 1
        // The readings of Japanese words.
        case "rPh": openPhonetics += 1
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "t": openTexts -= 1
        case "rPh": openPhonetics -= 1
        case "si":
            ends.append(bytes.count)
            if ends.count > limit / 8 { isTooLarge = true }
        default: break
        }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard openTexts > 0, openPhonetics == 0 else { return }
        if bytes.count + text.count > limit {
            isTooLarge = true
            return
        }
        bytes.append(contentsOf: TextStream.clean(Array(text)))
    }
}

private final class SheetReader: XMLReceiver {
    private let writer: DocumentWriter
    private let strings: SharedStrings
    private var type = ""
    private var value: [UInt8] = []
    private var isInsideValue = false
    private var isInsideCell = false
    private var wroteCell = false
    private static let longestNumber = 64 << 10

    init(_ writer: DocumentWriter, _ strings: SharedStrings) {
        self.writer = writer
        self.strings = strings
    }

    var isFinished: Bool { writer.isFailed }

    func start(_ element: XMLElement) {
        switch element.name {
        case "c":
            isInsideCell = true
            type = element["t"] ?? "n"
            value = []
        case "v", "t": isInsideValue = isInsideCell
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "v", "t": isInsideValue = false
        case "c":
            writeCell()
            isInsideCell = false
        case "row":
            writer.endLine()
            wroteCell = false
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard isInsideValue, value.count < Self.longestNumber else { return }
        value.append(contentsOf: bytes)
    }

    private func writeCell() {
        let isShared = type == "s"
        let text = isShared ? Int(String(decoding: value, as: UTF8.self)).flatMap { strings[$0] } ?? [] : value[...]
        guard !text.isEmpty, type != "b", type != "e" else { return }
        if wroteCell { writer.append([9]) }
        wroteCell = true
        writer.append(isShared ? text : TextStream.clean(Array(text))[...])
    }
}
