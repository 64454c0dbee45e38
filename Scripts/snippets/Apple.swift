// The few names of Core Data and SwiftUI that the code of the documentation uses, where there is neither.

#if canImport(CoreData)
    @_exported import CoreData
#else
    class NSManagedObject {
        var isDeleted: Bool { false }

        func willSave() {}
        func prepareForDeletion() {}
    }
#endif

#if canImport(SwiftUI)
    @_exported import SwiftUI
#else
    import Foundation

    @MainActor
    protocol View {
        associatedtype Body: View
        @ViewBuilder var body: Body { get }
    }

    @resultBuilder @MainActor
    enum ViewBuilder {
        static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View { Text("") }
        static func buildIf(_ content: (some View)?) -> some View { Text("") }
    }

    extension Never: View {}

    extension View {
        var body: Never { fatalError("Nothing runs.") }
    }

    struct Text {
        init(_ text: String) {}
        init(_ text: AttributedString) {}
    }

    extension Text: View {}

    struct ProgressView: View {}

    struct List<Content: View>: View {
        init(@ViewBuilder content: () -> Content) {}
    }

    struct ForEach<Data: RandomAccessCollection, Content: View>: View {
        init(_ data: Data, @ViewBuilder content: (Data.Element) -> Content) where Data.Element: Identifiable {}
        init<ID: Hashable>(
            _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: (Data.Element) -> Content
        ) {}
    }

    @propertyWrapper @dynamicMemberLookup
    struct Binding<Value> {
        var wrappedValue: Value { given() }

        subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> { given() }
    }

    @propertyWrapper
    struct State<Value> {
        var wrappedValue: Value
        var projectedValue: Binding<Value> { given() }
    }

    extension View {
        func task(id: some Equatable, _ action: @escaping @MainActor () async -> Void) -> some View { self }
        nonisolated func onChange(of value: some Equatable, _ action: @escaping @MainActor () -> Void) -> some View {
            self
        }
        func searchable(text: Binding<String>) -> some View { self }
        func searchSuggestions(@ViewBuilder _ suggestions: () -> some View) -> some View { self }
        func searchCompletion(_ completion: String) -> some View { self }
    }

    struct Color: Hashable, Sendable {
        static let yellow = Color()
        static let orange = Color()
    }

    extension AttributeContainer {
        func foregroundColor(_ color: Color) -> AttributeContainer { self }
    }

    extension AttributedSubstring {
        var backgroundColor: Color? {
            get { nil }
            set {}
        }
    }
#endif
