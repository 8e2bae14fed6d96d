import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Laws of merged sums, for every policy")
struct MergeLawTests {
  /// Spec §4: how far a default sum may be from the exact one, as a share of Σ|terms|.
  static let tolerance = 0x1p-50

  /// Tries a law on many cases, each from a seed of its own.
  private func forEachCase(
    of law: UInt64, _ values: LawCase.Values = .small,
    _ body: (LawCase, inout SplitMix64) throws -> Void
  ) throws {
    for index in 0..<LawCase.count {
      var generator = SplitMix64(seed: law << 32 + UInt64(index))
      try body(LawCase(values, using: &generator), &generator)
    }
  }

  private func magnitude(_ rows: [SampleColumns.Row]) -> Double {
    rows.reduce(0) { $0 + abs($1.value) }
  }

  @Test("the order of input never matters", arguments: MergePolicy.allCases)
  func order(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 1, .full) { law, generator in
      let places = law.rows.indices.shuffled(using: &generator)
      let segments = try run.segments(law.rows, dates: law.lastModified, order: law.order)
      let shuffled = try run.segments(
        places.map { law.rows[$0] }, dates: places.map { law.lastModified[$0] }, order: law.order)
      #expect(shuffled == segments)
    }
  }

  @Test("what is merged is merged to itself", arguments: MergePolicy.allCases)
  func idempotence(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    var compared = 0
    try forEachCase(of: 2) { law, _ in
      // A part keeps the rank of its record, not the span that decides between equal dates.
      let ranked = law.rows.indices.sorted { left, right in
        let (a, b) = (law.rows[left], law.rows[right])
        return (law.lastModified[left], a.start, a.end, a.value)
          < (law.lastModified[right], b.start, b.end, b.value)
      }
      var dates = law.lastModified
      for (rank, row) in ranked.enumerated() { dates[row] = Double(rank) }
      let once = try run.counted(law.rows, dates: dates, order: law.order)
      let original = try run.counted(law.rows, dates: law.lastModified, order: law.order)
      #expect(once.map(\.sample) == original.map(\.sample))
      // What `subtractive` leaves of a sample in covered time would be taken from once more.
      guard policy != .subtractive || !hasPartInCoveredTime(once, order: law.order) else {
        return
      }
      compared += 1
      let twice = try run.counted(
        once.map(\.sample), dates: once.map { try #require($0.lastModified) }, order: law.order)
      #expect(twice == once)
    }
    #expect(compared * 3 > LawCase.count)
  }

  /// Whether a part of one source lies in time in which a higher one has a part, be it 0.
  private func hasPartInCoveredTime(
    _ parts: [DatedSampleColumns.Row], order: [Source]
  ) -> Bool {
    parts.contains { low in
      parts.contains { high in
        guard let lower = order.firstIndex(of: low.sample.source),
          let higher = order.firstIndex(of: high.sample.source), higher < lower
        else { return false }
        return high.sample.start == high.sample.end || low.sample.start == low.sample.end
          ? high.sample.start <= low.sample.end && low.sample.start <= high.sample.end
          : high.sample.start < low.sample.end && low.sample.start < high.sample.end
      }
    }
  }

  @Test(
    "cutting an interval in two preserves the sum",
    arguments: MergePolicy.allCases.filter { $0 != .highest }, LawCase.Values.allCases)
  func splitting(policy: MergePolicy, values: LawCase.Values) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 3, values) { law, generator in
      let cut = Double(Int.random(in: 0...71, using: &generator)) / 2 + 0.25
      func sums(_ edges: [Double]) throws -> [Double] {
        try run.sums(law.rows, dates: law.lastModified, order: law.order, edges: edges)
      }
      let whole = try sums([0, 36])
      let halves = try sums([0, cut, 36])
      let allowed = law.rows.reduce(0) { $0 + 4 * $1.value.ulp }
      #expect(abs((whole[0] - halves[0]) - halves[1]) <= allowed)
    }
  }

  @Test(
    "a source alone is its own merge",
    arguments: MergePolicy.allCases.filter { $0 != .healthConnect })
  func alone(policy: MergePolicy) throws {
    try forEachCase(of: 4, .full) { law, _ in
      for source in law.order {
        let rows = law.rows.filter { $0.source == source }
        let dates = rows.map { _ in 0.0 }
        let merged = try LawRun(policy: policy).segments(rows, dates: dates, order: law.order)
        #expect(
          try merged == LawRun(policy: .unmerged).segments(rows, dates: dates, order: law.order))
      }
    }
  }

  @Test(
    "raising a source never lowers what it contributes, if no value is negative",
    arguments: MergePolicy.allCases)
  func raising(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 5) { law, generator in
      let rank = Int.random(in: 1..<law.order.count, using: &generator)
      let source = law.order[rank]
      var raised = law.order
      raised.insert(raised.remove(at: rank), at: Int.random(in: 0..<rank, using: &generator))
      // `subtractive` moves what is left of a sample to other intervals: its whole amount grows.
      let edges = policy == .subtractive ? [-1, 99] : LawCase.edges(using: &generator)
      func contribution(_ order: [Source]) throws -> [Double] {
        try run.contribution(
          of: source, law.rows, dates: law.lastModified, order: order, edges: edges)
      }
      let allowed = Self.tolerance * magnitude(law.rows)
      for (after, before) in zip(try contribution(raised), try contribution(law.order)) {
        #expect(after >= before - allowed)
      }
    }
  }

  @Test("the total is the sum of contributions in rank order", arguments: MergePolicy.allCases)
  func contributions(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 6, .full) { law, generator in
      let edges = LawCase.edges(using: &generator)
      let total = try run.sums(law.rows, dates: law.lastModified, order: law.order, edges: edges)
      let parts = try law.order.map {
        try run.contribution(
          of: $0, law.rows, dates: law.lastModified, order: law.order, edges: edges)
      }
      for index in total.indices {
        var sum = CompensatedSum()
        for part in parts { sum.add(part[index]) }
        #expect(sum.result == total[index])
      }
    }
  }

  @Test(
    "no total exceeds the raw sum, if no value is negative", arguments: MergePolicy.allCases)
  func raw(policy: MergePolicy) throws {
    try forEachCase(of: 7) { law, generator in
      // `subtractive` moves what is left of a sample to other intervals.
      let edges = policy == .subtractive ? [-1, 99] : LawCase.edges(using: &generator)
      func sums(_ policy: MergePolicy) throws -> [Double] {
        try LawRun(policy: policy).sums(
          law.rows, dates: law.lastModified, order: law.order, edges: edges)
      }
      let allowed = Self.tolerance * magnitude(law.rows)
      for (merged, raw) in zip(try sums(policy), try sums(.unmerged)) {
        #expect(merged <= raw + allowed)
      }
    }
  }

  @Test("moving all times changes no bit", arguments: MergePolicy.allCases)
  func shift(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 8, .full) { law, generator in
      let edges = LawCase.edges(using: &generator)
      let shift = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator))
      let moved = law.rows.map { row in
        var row = row
        (row.start, row.end) = (row.start + shift, row.end + shift)
        return row
      }
      let table = try run.table(law.rows, dates: law.lastModified, order: law.order, edges: edges)
      let later = try run.table(
        moved, dates: law.lastModified, order: law.order, edges: edges.map { $0 + shift })
      #expect(later[raw: .sum] == table[raw: .sum])
      #expect(later.counts == table.counts && later.hasData == table.hasData)
    }
  }

  @Test("values times a power of two give sums times it, exactly", arguments: MergePolicy.allCases)
  func scale(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 9, .full) { law, generator in
      let edges = LawCase.edges(using: &generator)
      let factor = Double(
        sign: .plus, exponent: Int.random(in: -400...400, using: &generator), significand: 1)
      let scaled = law.rows.map { row in
        var row = row
        row.value *= factor
        return row
      }
      let sums = try run.sums(law.rows, dates: law.lastModified, order: law.order, edges: edges)
      #expect(
        try run.sums(scaled, dates: law.lastModified, order: law.order, edges: edges)
          == sums.map { $0 * factor })
    }
  }

  @Test(
    "statistics of a concatenation are the statistics of its parts, added up",
    arguments: MergePolicy.allCases)
  func concatenation(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 10, .full) { law, generator in
      // All of the second part lies after all of the first.
      let cut = Double(LawCase.times.upperBound + LawCase.longest + 1)
      let second = LawCase(.full, using: &generator)
      let later = second.rows.map { row in
        var row = row
        (row.start, row.end) = (row.start + cut, row.end + cut)
        return row
      }
      let edges = LawCase.edges(using: &generator)
      // `highest` chooses one source for an interval that both parts meet.
      let middle = policy == .highest || Bool.random(using: &generator) ? [cut] : []
      let all = Set(edges + edges.map { $0 + cut } + middle).sorted()
      func table(_ rows: [SampleColumns.Row], _ dates: [Double]) throws -> StatisticsColumns {
        try run.table(rows, dates: dates, order: law.order, edges: all)
      }
      let whole = try table(law.rows + later, law.lastModified + second.lastModified)
      let (left, right) = (
        try table(law.rows, law.lastModified), try table(later, second.lastModified)
      )
      #expect(whole.counts == zip(left.counts, right.counts).map(+))
      #expect(whole.hasData == zip(left.hasData, right.hasData).map { $0 || $1 })
      let allowed = Self.tolerance * magnitude(law.rows + later)
      for index in all.indices.dropLast() {
        let (first, last) = (
          try #require(left[raw: .sum])[index], try #require(right[raw: .sum])[index]
        )
        let sum = try #require(whole[raw: .sum])[index]
        #expect(abs((sum - first) - last) <= allowed)
      }
    }
  }

  @Test("an interval does not depend on its neighbours", arguments: MergePolicy.allCases)
  func neighbours(policy: MergePolicy) throws {
    let run = LawRun(policy: policy)
    try forEachCase(of: 11, .full) { law, generator in
      let edges = LawCase.edges(using: &generator)
      func table(_ edges: [Double]) throws -> StatisticsColumns {
        try run.table(law.rows, dates: law.lastModified, order: law.order, edges: edges)
      }
      let together = try table(edges)
      for index in 0..<together.count {
        let alone = try table(Array(edges[index...index + 1]))
        #expect(alone[raw: .sum]?.first == together[raw: .sum]?[index])
        #expect(alone.counts.first == together.counts[index])
        #expect(alone.hasData.first == together.hasData[index])
      }
    }
  }
}
