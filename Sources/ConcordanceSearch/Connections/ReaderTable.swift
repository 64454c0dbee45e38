import ConcordanceSQLite

/// Values that belong to queues and pools and live as long as they do: one for each key of a reader.
final class ReaderTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct FullKey: Hashable {
        let reader: ObjectIdentifier
        let key: Key
    }

    private struct Entry {
        weak var reader: (any ConnectionReader)?
        let value: Value
    }

    private let entries = Locked<[FullKey: Entry]>([:])

    /// The value of a reader, made when it is first asked for.
    func value(_ key: Key, of reader: some ConnectionReader, create: () -> Value) -> (value: Value, isNew: Bool) {
        let fullKey = FullKey(reader: ObjectIdentifier(reader), key: key)
        return changing { entries, kept in
            if let entry = entries[fullKey] {
                let owner = entry.reader
                kept.append(owner)
                // Another object may have taken the address of one that no longer exists.
                if owner === reader { return (entry.value, false) }
            }
            Self.removeGone(&entries, &kept)
            let value = create()
            entries[fullKey] = Entry(reader: reader, value: value)
            return (value, true)
        }
    }

    /// Releases the values of readers that no longer exist.
    func removeGone() { changing { Self.removeGone(&$0, &$1) } }

    private static func removeGone(_ entries: inout [FullKey: Entry], _ kept: inout [Any?]) {
        for (key, entry) in entries {
            let reader = entry.reader
            kept.append(reader)
            guard reader == nil else { continue }
            kept.append(entry.value)
            entries[key] = nil
        }
    }

    /// Changes the entries. Reading a weak reference retains its object for a moment, and that may become the last
    /// reference to it. What the object then releases may call back into this table, so `kept` is released after the
    /// lock.
    private func changing<Result>(_ change: (inout [FullKey: Entry], _ kept: inout [Any?]) -> Result) -> Result {
        var kept: [Any?] = []
        defer { withExtendedLifetime(kept) {} }
        return entries.withLock { change(&$0, &kept) }
    }
}

/// The key for readers that have a single value.
struct OnlyKey: Hashable {}
