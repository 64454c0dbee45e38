import ConcordanceSQLite

/// What belongs to queues and pools, as long as these live: one value for each key of a reader.
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
                // An object that is gone leaves its address to others.
                if owner === reader { return (entry.value, false) }
            }
            Self.removeGone(&entries, &kept)
            let value = create()
            entries[fullKey] = Entry(reader: reader, value: value)
            return (value, true)
        }
    }

    /// Lets go of the values of readers that are gone.
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

    /// Changes the entries. To ask a weak reference is to hold its object for a moment, perhaps as the last one who does.
    /// What then ends with the object may come back here, so `kept` is let go of after the lock.
    private func changing<Result>(_ change: (inout [FullKey: Entry], _ kept: inout [Any?]) -> Result) -> Result {
        var kept: [Any?] = []
        defer { withExtendedLifetime(kept) {} }
        return entries.withLock { change(&$0, &kept) }
    }
}

/// The key where a reader has one value.
struct OnlyKey: Hashable {}
