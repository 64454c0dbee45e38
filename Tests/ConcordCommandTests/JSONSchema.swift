import Foundation

@testable import ConcordCommand

/// The part of JSON Schema that the API's description uses.
struct JSONSchema {
    let document: JSONValue

    /// Where a value is not what a schema says.
    func problems(of value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        if let reference = schema["$ref"]?.string { return self.problems(of: value, resolved(reference), at: place) }
        if let choices = schema["anyOf"]?.array {
            let all = choices.map { self.problems(of: value, $0, at: place) }
            return all.contains { $0.isEmpty } ? [] : all.flatMap(\.self)
        }
        if let values = schema["enum"]?.array {
            return values.contains(value) ? [] : ["\(place): \(value) is none of \(values)"]
        }
        let types = schema["type"]?.string.map { [$0] } ?? schema["type"]?.array?.compactMap(\.string) ?? []
        guard types.contains(where: { isOf($0, value) }) else { return ["\(place): \(value) is no \(types)"] }
        if let items = schema["items"], let values = value.array {
            return values.enumerated().flatMap { self.problems(of: $1, items, at: "\(place)[\($0)]") }
        }
        guard let object = value.object, let properties = schema["properties"]?.object else { return [] }
        var problems: [String] = []
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
            problems.append("\(place): \(name) is missing")
        }
        for (name, member) in object {
            if let property = properties[name] {
                problems += self.problems(of: member, property, at: "\(place).\(name)")
            } else if schema["additionalProperties"] == .bool(false) {
                problems.append("\(place): \(name) is not described")
            }
        }
        return problems
    }

    func resolved(_ reference: String) -> JSONValue {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("null", .null), ("boolean", .bool),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        default: false
        }
    }
}
