extension InvertedIndex {
    /// Segments that have rows, and are not yet in the manifest: the ones that unfinished merges write.
    var segmentsUnderConstruction: [UInt32] {
        get throws { try MergeSchedule(manifest()).jobs.map(\.output) }
    }

    /// Writes what is pending, and merges all segments into one, without removed documents, however long that takes.
    func optimize() throws {
        try flush()
        try beginWriting()
        try write {
            guard try !isOptimal() else { return }
            try abandonMerges()
            var schedule = MergeSchedule()
            schedule.jobs = [try makeJob(manifest().segments)]
            try work(&schedule, budget: .max)
            try keep(schedule)
            try collectGarbage(limit: .max)
        }
    }

    private func isOptimal() throws -> Bool {
        let segments = try manifest().segments
        return try segments.count <= 1
            && segments.allSatisfy {
                try $0.deletedCount == 0 && segment($0).segment.reader.isCurrent
            }
    }

    /// Merges about so many pages: first continues unfinished merges, then merges levels that have `settings.usermerge`
    /// segments. Returns whether there was anything to merge. A negative number first begins to merge all segments,
    /// whatever their levels, as in FTS5.
    func merge(pages: Int) throws -> Bool {
        try flush()
        try beginWriting()
        var hasWorked = false
        try write {
            var schedule = try MergeSchedule(manifest())
            let share = Int(clamping: min(UInt64(pages.magnitude), 1 << 32) * UInt64(settings.pageSize))
            var budget = share
            if pages < 0, try !isOptimal(), try !schedule.isOfAll(manifest()) {
                try abandonMerges()
                schedule = MergeSchedule()
                schedule.jobs = [try makeJob(manifest().segments)]
            }
            while budget > 0 {
                if schedule.jobs.isEmpty {
                    let idle = try schedule.idle(of: manifest())
                    guard let inputs = MergePolicy.candidates(idle, minimum: settings.usermerge, includesSmall: true)
                    else { break }
                    schedule.jobs = [try makeJob(inputs)]
                }
                budget -= try work(&schedule, budget: budget, termCost: Self.termCost)
                hasWorked = true
            }
            try keep(schedule)
            try collectGarbage(limit: Self.garbageLimit(byteCount: share))
        }
        return hasWorked
    }

    /// How many bytes a term of a segment counts for if a program says how much to merge: in many small segments, most
    /// of the time goes into finding the next term, and programs estimate from one command how long the next may take.
    private static let termCost = 12

    /// The most rows of dropped segments that a commit deletes: 2.5 MB, more than a step of a merge reads, so that
    /// nothing piles up. A commit that has written a lot deletes more than merges drop for as many bytes, so that a
    /// large transaction leaves no garbage.
    private static func garbageLimit(byteCount: Int) -> Int { max(160, byteCount / 1024) }

    /// Rewrites segments that hold removed rows without them, and deletes the old ones at once. What the transaction
    /// itself has written is merged with them: it holds the terms of these rows, as adjustments that then cancel out.
    ///
    /// This takes as long as it takes to write those segments.
    func eraseRemoved(since first: UInt32) throws {
        guard try manifest().segments.contains(where: { $0.deletedCount > 0 }) else { return }
        try write {
            let inputs = try manifest().segments.filter { $0.deletedCount > 0 || $0.info.id >= first }
            let ids = Set(inputs.map(\.info.id))
            // What a merge has written of them so far also holds the rows.
            var schedule = try MergeSchedule(manifest())
            let abandoned = schedule.jobs.filter { !ids.isDisjoint(with: $0.inputs) }
            schedule.jobs.removeAll { abandoned.contains($0) }
            try change { $0.garbage += abandoned.map(\.output) }
            for job in abandoned { merges[job.output] = nil }
            try keep(schedule)
            try mergeAtOnce(inputs)
            try collectGarbage(limit: .max)
        }
    }

    /// Does the share of merging of a commit that has written so many bytes; inside `write`.
    func mergeAfterFlush(byteCount: Int) throws {
        var schedule = try MergeSchedule(manifest())
        schedule.credit += byteCount
        var isShareDue = settings.automerge > 0
        var hasWorked = false
        let smallLimit = settings.automerge > 0 ? MergePolicy.smallFactor : MergePolicy.smallLimit
        if settings.automerge > 0 || settings.crisismerge > smallLimit,
            let small = MergePolicy.smallCandidates(try schedule.idle(of: manifest()), minimum: smallLimit)
        {
            try mergeSmall(small)
            // They have one row each, so this is fast.
            try collectGarbage(limit: .max, of: small.map(\.info.id))
            // One commit does not do both, unless it has written a lot itself.
            isShareDue = byteCount > MergePolicy.stepSize
        }
        while settings.crisismerge > 1,
            let inputs = MergePolicy.candidates(
                try schedule.idle(of: manifest()), minimum: settings.crisismerge, includesSmall: settings.automerge == 0
            )
        {
            try mergeAtOnce(inputs)
            hasWorked = true
        }
        if isShareDue, try mergeShare(&schedule, byteCount: byteCount) { hasWorked = true }
        try keep(schedule)
        // The rest of the garbage waits for commits that take long anyway.
        if hasWorked || byteCount > MergePolicy.stepSize, try !manifest().garbage.isEmpty {
            try collectGarbage(limit: Self.garbageLimit(byteCount: byteCount))
        }
    }

    /// Does the merging that commits owe, once it is worth a step: one step of one merge at a time, unless this commit
    /// has itself written more. Returns whether it has done anything.
    private func mergeShare(_ schedule: inout MergeSchedule, byteCount: Int) throws -> Bool {
        let rate = MergePolicy.workPerByte(try manifest().segments)
        guard schedule.credit * rate >= MergePolicy.stepSize else { return false }
        var budget = min(schedule.credit, max(MergePolicy.stepSize / rate, byteCount)) * rate
        schedule.credit -= budget / rate
        while budget > 0 {
            try beginJob(&schedule)
            guard !schedule.jobs.isEmpty else {
                schedule.credit = 0
                return true
            }
            budget -= try work(&schedule, budget: budget)
            // Finishing one merge and continuing another would take twice as long.
            if byteCount <= MergePolicy.stepSize { break }
        }
        schedule.credit += max(budget, 0) / rate
        return true
    }

    private func beginJob(_ schedule: inout MergeSchedule) throws {
        // A run without prefix lists is not merged in steps, so it must not wait for other merges.
        let idle = try schedule.idle(of: manifest()).filter(\.info.hasLists)
        if let inputs = MergePolicy.candidates(idle, minimum: settings.automerge, includesSmall: false) {
            schedule.jobs.append(try makeJob(inputs))
        } else if schedule.jobs.isEmpty, let hollow = MergePolicy.hollow(idle) {
            schedule.jobs.append(try makeJob([hollow]))
        }
    }

    static func byteCount(of entries: [Manifest.Entry]) -> Int { entries.reduce(0) { $0 + $1.info.byteCount } }

    /// The segments that this transaction has written because its rows took too much memory, unless they have been merged. Like
    /// the runs of an external sort, they are merged together, when the transaction ends: so each posting is written again
    /// once, and not once for each level of sizes.
    ///
    /// Those without prefix lists belong to them, whoever has written them: if the table is dropped and that is undone, another
    /// object of the table, with another index, goes on.
    var runs: [Manifest.Entry] {
        get throws {
            let manifest = try manifest()
            guard !runStamps.isEmpty || manifest.segments.contains(where: { !$0.info.hasLists }) else { return [] }
            return try MergeSchedule(manifest).idle(of: manifest).filter {
                runStamps.contains($0.stamp) || !$0.info.hasLists
            }
        }
    }

    /// Merges the runs, if they are enough for an automatic merge or lack prefix lists, and does their share of other merges;
    /// inside `write`.
    ///
    /// - Parameter byteCount: The bytes of all runs.
    func mergeRuns(byteCount: Int) throws {
        let runs = try runs
        let isDue = settings.automerge > 0 && runs.count >= settings.automerge
        if isDue || runs.contains(where: { !$0.info.hasLists }) { try join(runs) }
        try mergeAfterFlush(byteCount: byteCount)
    }

    /// Merges the runs without prefix lists, to which nothing pending refers, to a run with lists, so that rows of them can change.
    func mergeUnlistedRuns() throws {
        try write {
            let output = try join(manifest().segments.filter { !$0.info.hasLists })
            for entry in try manifest().segments where entry.info.id == output { runStamps.insert(entry.stamp) }
        }
    }

    /// Merges runs, and deletes them. Returns the segment that they become.
    @discardableResult
    private func join(_ runs: [Manifest.Entry]) throws -> UInt32 {
        let output = try mergeAtOnce(runs)
        try collectGarbage(limit: .max, of: runs.map(\.info.id))
        return output
    }

    @discardableResult
    private func mergeAtOnce(_ inputs: [Manifest.Entry]) throws -> UInt32 {
        var schedule = MergeSchedule()
        let job = try makeJob(inputs)
        schedule.jobs = [job]
        try work(&schedule, budget: .max)
        return job.output
    }

    /// Merges small segments into one.
    private func mergeSmall(_ entries: [Manifest.Entry]) throws {
        mergeStepCount += 1
        let inputs = try entries.map(segment)
        let job = try makeJob(entries)
        var merge = SmallMerge(inputs, id: job.output, shape: shape, store: store)
        guard inputs.allSatisfy(\.segment.hasLists), try merge.read() else {
            try mergeAtOnce(entries)
            return
        }
        var info = try merge.write()
        info?.level = Self.level(above: inputs)
        try replace(job, info.map { Manifest.Entry(info: $0, stamp: .random(in: 0 ... .max)) })
    }

    func keep(_ schedule: MergeSchedule) throws {
        let state = schedule.encoded
        if try manifest().mergeState != state { try change { $0.mergeState = state } }
    }

    private func makeJob(_ inputs: [Manifest.Entry]) throws -> MergeJob {
        let output = try makeSegmentID()
        try change { $0.nextSegment = max($0.nextSegment, output &+ 1) }
        return MergeJob(output: output, inputs: inputs.map(\.info.id))
    }

    /// Abandons unfinished merges; their inputs stay.
    func abandonMerges() throws {
        let outputs = try segmentsUnderConstruction
        try change {
            $0.mergeState = []
            $0.garbage += outputs
        }
        merges = [:]
    }

    // MARK: - Work

    /// Works on the smallest merge. Returns how much of the budget that has used: all of it unless the merge is finished.
    @discardableResult
    private func work(_ schedule: inout MergeSchedule, budget: Int, termCost: Int = 0) throws -> Int {
        let entries = Dictionary(uniqueKeysWithValues: try manifest().segments.map { ($0.info.id, $0) })
        func size(_ job: MergeJob) -> Int { job.inputs.reduce(0) { $0 + (entries[$1]?.info.byteCount ?? 0) } }
        guard let job = schedule.jobs.min(by: { size($0) < size($1) }) else { return 0 }
        let inputs = try job.inputs.map { id in
            guard let entry = entries[id] else { throw corrupt("an input of a merge is not in the index") }
            return try segment(entry)
        }
        noteWriting(to: job.output)
        mergeStepCount += 1
        let merge = try self.merge(job, inputs)
        merges[job.output] = nil
        guard try merge.step(budget: budget, termCost: termCost, deletions: inputs.map(\.deletions), isInUse: isInUse)
        else {
            merges[job.output] = merge
            return budget
        }
        if job.hasChangedValues { try merge.replaceValues(with: inputs.map(\.values)) }
        try finish(merge, inputs)
        schedule.jobs.removeAll { $0 == job }
        return min(budget, size(job))
    }

    /// The merge as this connection has left it, if nobody else has worked on it since.
    private func merge(_ job: MergeJob, _ inputs: [LiveSegment]) throws -> Merge {
        if let merge = merges[job.output], merge.job.inputs == job.inputs, try merge.isCurrent() { return merge }
        return try Merge(job, segments: inputs.map(\.segment), shape: shape, store: store)
    }

    /// Replaces the inputs of a merge with its result.
    private func finish(_ merge: Merge, _ inputs: [LiveSegment]) throws {
        let output = merge.job.output
        var result: Manifest.Entry?
        if let (info, removed) = try merge.finish(deletions: inputs.map(\.deletions), level: Self.level(above: inputs))
        {
            var entry = Manifest.Entry(info: info, stamp: .random(in: 0 ... .max))
            if !removed.isEmpty {
                let deletions = Deletions.none.adding(removed, documentCount: info.documentCount)
                try deletions.write(pagesOf: removed, segment: output, store: store)
                entry.deletedCount = deletions.count
                entry.deletionStamp = .random(in: 0 ... .max)
            }
            result = entry
        } else {
            try store.delete(BlockStore.ids(ofSegment: output))
        }
        try replace(merge.job, result)
    }

    private static func level(above inputs: [LiveSegment]) -> Int {
        min(1 + (inputs.map(\.entry.info.level).max() ?? 0), 255)
    }

    private func replace(_ job: MergeJob, _ result: Manifest.Entry?) throws {
        try change { manifest in
            let index = manifest.segments.firstIndex { job.inputs.contains($0.info.id) }
            assert(index != nil, "a merge of segments that are not in the manifest")
            manifest.segments.removeAll { job.inputs.contains($0.info.id) }
            if let result { manifest.segments.insert(result, at: index ?? 0) }
            manifest.garbage += job.inputs
        }
        close(job.inputs)
    }
}
