/// One merge: what it reads, and what it writes.
struct MergeJob: Equatable, Sendable {
    /// The segment that is being made; its number is greater than those of all inputs.
    var output: UInt32
    var inputs: [UInt32]
    /// Whether documents of the inputs have got other stored values since the merge began.
    var hasChangedValues = false
}

/// The unfinished merges, and when there is work to do for them; the manifest stores it.
///
///     varint      credit: bytes written that merges have not done their share for
///     varint      merges, and of each: output varint, number of inputs varint, each input varint
///     varints     only where documents of inputs have got other stored values since: the outputs of these merges
struct MergeSchedule: Equatable, Sendable {
    /// Bytes that commits have written, and for which merges have not done their share.
    var credit = 0
    var jobs: [MergeJob] = []

    init() {}

    /// Reads what `encoded` wrote, of a manifest; throws `corrupt` where its merges are not of the manifest's segments.
    init(_ manifest: Manifest) throws {
        guard !manifest.mergeState.isEmpty else { return }
        try manifest.mergeState.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            credit = try reader.varint(atMost: Int(Int32.max))
            for _ in 0..<(try reader.varint(atMost: bytes.count)) {
                var job = MergeJob(output: try reader.uint32(), inputs: [])
                for _ in 0..<(try reader.varint(atMost: bytes.count)) { job.inputs.append(try reader.uint32()) }
                jobs.append(job)
            }
            while !reader.isAtEnd {
                let output = try reader.uint32()
                guard let index = jobs.firstIndex(where: { $0.output == output }) else {
                    throw corrupt("values have changed in a merge that does not exist")
                }
                jobs[index].hasChangedValues = true
            }
        }
        try check(manifest)
    }

    private func check(_ manifest: Manifest) throws {
        guard !jobs.isEmpty else { return }
        var free = Set(manifest.segments.map(\.info.id))
        for job in jobs {
            let isNew = !free.contains(job.output) && job.output < manifest.nextSegment && job.output > 0
            guard isNew, !job.inputs.isEmpty, job.inputs.allSatisfy({ free.remove($0) != nil && $0 < job.output })
            else {
                throw corrupt("a merge reads segments that do not exist")
            }
        }
        guard Set(jobs.map(\.output)).count == jobs.count else { throw corrupt("two merges write one segment") }
    }

    var encoded: [UInt8] {
        let writer = ByteWriter()
        writer.append(varint: min(credit, Int(Int32.max)))
        writer.append(varint: jobs.count)
        for job in jobs {
            writer.append(varint: Int(job.output))
            writer.append(varint: job.inputs.count)
            for input in job.inputs { writer.append(varint: Int(input)) }
        }
        for job in jobs where job.hasChangedValues { writer.append(varint: Int(job.output)) }
        return writer.array
    }

    /// Notes that stored values in a segment have changed.
    mutating func noteChangedValues(of segment: UInt32) {
        for index in jobs.indices where jobs[index].inputs.contains(segment) { jobs[index].hasChangedValues = true }
    }

    /// Whether one merge reads all segments that existed when it began.
    func isOfAll(_ manifest: Manifest) -> Bool {
        jobs.count == 1 && idle(of: manifest).allSatisfy { $0.info.id > jobs[0].output }
    }

    /// The segments that no merge reads.
    func idle(of manifest: Manifest) -> [Manifest.Entry] {
        guard !jobs.isEmpty else { return manifest.segments }
        let busy = Set(jobs.flatMap(\.inputs))
        return manifest.segments.filter { !busy.contains($0.info.id) }
    }
}
