/// Source code: its lines unchanged, titled with the file's name and the symbols that it declares.
enum SourceCode {
    private static let mostSymbols = 16
    private static let longestTitle = 240
    /// Methods of a type are indented by this much at most.
    private static let deepestIndent = 4

    static func read(_ text: any ByteStream, _ output: Output) throws {
        let name = output.name
        let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        try PlainText.read(text, title: name, fileName: name, limits: output.limits) { document in
            var document = document
            document.title = title(name, symbols(in: document.body.utf8, isC: cSuffixes.contains(suffix)))
            try output.emit(document)
        }
    }

    private static func title(_ name: String, _ symbols: [String]) -> String {
        var title = name
        for (number, symbol) in symbols.enumerated() {
            if title.utf8.count + symbol.utf8.count > longestTitle { break }
            title += (number == 0 ? ": " : ", ") + symbol
        }
        return title
    }

    /// The first names that a program declares.
    static func symbols(in text: String.UTF8View, isC: Bool) -> [String] {
        var symbols: [String] = []
        for line in text.split(separator: 10, omittingEmptySubsequences: true) {
            guard let name = symbol(line, isC: isC), !symbols.contains(name) else { continue }
            symbols.append(name)
            if symbols.count == mostSymbols { break }
        }
        return symbols
    }

    private static let declarations: Set<String> = [
        "class", "struct", "enum", "protocol", "interface", "trait", "impl", "func", "fn", "def", "function", "module",
        "namespace", "type", "actor", "extension", "object", "record", "typealias", "macro", "sub", "defmodule", "defn",
        "defun", "procedure", "union", "mod", "macro_rules",
    ]

    private static let modifiers: Set<String> = [
        "public", "private", "protected", "static", "final", "export", "default", "async", "pub", "open", "internal",
        "abstract", "override", "inline", "virtual", "extern", "const", "unsafe", "package", "fileprivate", "sealed",
        "indirect", "nonisolated", "mutating", "local", "declare", "case", "data", "partial",
    ]

    /// `class Name`, `pub(crate) fn name(`, `(defun name`
    private static func symbol(_ line: Substring.UTF8View, isC: Bool) -> String? {
        let indent = line.prefix { $0 == 32 || $0 == 9 }
        guard indent.count <= deepestIndent, indent.filter({ $0 == 9 }).count <= 1 else { return nil }
        let code = line.dropFirst(indent.count).prefix(300).drop { $0 == UInt8(ascii: "(") }
        var words = code.split { $0 == 32 || $0 == 9 }[...]
        while let first = words.first, isModifier(first) { words.removeFirst() }
        if let first = words.first, declarations.contains(String(decoding: first, as: UTF8.self)) {
            var name = words.dropFirst().first.map { Array($0) } ?? []
            // In Go, a method has its receiver before its name.
            if name.first == UInt8(ascii: "("),
                let end = words.dropFirst().firstIndex(where: { $0.last == UInt8(ascii: ")") })
            {
                name = words[(end + 1)...].first.map { Array($0) } ?? []
            }
            return identifier(name[...])
        }
        return isC && indent.isEmpty ? function(Array(code)) : nil
    }

    private static func isModifier(_ word: Substring.UTF8View.SubSequence) -> Bool {
        word.first == UInt8(ascii: "@")
            || modifiers.contains(String(decoding: word.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self))
    }

    private static func identifier(_ word: ArraySlice<UInt8>) -> String? {
        let name = word.prefix { MarkupLine.isWordByte($0) || "_-.$".utf8.contains($0) }
        guard let first = name.first, !(48...57).contains(first), name.contains(where: MarkupLine.isWordByte) else {
            return nil
        }
        let text = String(decoding: name, as: UTF8.self)
        return text.hasPrefix("__") || name.count > 80 ? nil : text.trimming { "-.".contains($0) }
    }

    private static let cSuffixes: Set<String> = ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "m", "mm"]

    /// The name in a definition that begins a line: `static int name(int x)` or, in GNU style, just the name.
    private static func function(_ code: [UInt8]) -> String? {
        guard let first = code.first, MarkupLine.isWordByte(first) || first == UInt8(ascii: "_"),
            let open = code.firstIndex(of: UInt8(ascii: "(")),
            let last = code.last(where: { $0 > 32 }), last != UInt8(ascii: ";"), last != UInt8(ascii: ":"),
            !code[..<open].contains(UInt8(ascii: "="))
        else { return nil }
        var before = code[..<open]
        while before.last == 32 { before.removeLast() }
        let name = before.suffix(while: { MarkupLine.isWordByte($0) || $0 == UInt8(ascii: "_") })
        let type = before.dropLast(name.count)
        let isPlain = type.allSatisfy { MarkupLine.isWordByte($0) || " _*&:<>,".utf8.contains($0) }
        let isKeyword = ["if", "for", "while", "switch", "return", "sizeof", "else", "do"].contains(
            String(decoding: name, as: UTF8.self))
        return isPlain && !isKeyword ? identifier(name) : nil
    }
}

extension BidirectionalCollection {
    /// The longest suffix whose elements all satisfy the predicate.
    fileprivate func suffix(while predicate: (Element) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, predicate(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
