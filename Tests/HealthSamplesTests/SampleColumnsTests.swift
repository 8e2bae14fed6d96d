import HealthSamples
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite
struct SampleColumnsTests {
  private let type = SampleType(.stepCount)

  @Test("No rows are empty columns")
  func empty() {
    let none = SampleColumns(type: type, rows: [])
    #expect(none.isEmpty && none.count == 0 && none.sources.isEmpty)
    #expect(none == SampleColumns(type: type))
  }

  @Test("Columns do not depend on the order of rows")
  func orderNeverMatters() {
    var random = SplitMix64(seed: 31)
    for _ in 0..<50 {
      let rows = randomRows(&random)
      let columns = SampleColumns(type: type, rows: rows)
      #expect(SampleColumns(type: type, rows: rows.shuffled(using: &random)) == columns)
    }
  }

  @Test("Rows stand by source, start, end and value, each once, an early end at its start")
  func canonicalOrder() throws {
    var random = SplitMix64(seed: 32)
    for _ in 0..<50 {
      let rows = randomRows(&random)
      let columns = SampleColumns(type: type, rows: rows)
      var read: [SampleColumns.Row] = []
      for (index, source) in columns.sources.enumerated() {
        let range = columns.rows(ofSource: index)
        #expect(!range.isEmpty)
        let part = range.map {
          SampleColumns.Row(
            source: source, start: columns.starts[$0], end: columns.ends[$0],
            value: columns.values[$0])
        }
        let isSorted = zip(part, part.dropFirst()).allSatisfy {
          ($0.start, $0.end, $0.value) <= ($1.start, $1.end, $1.value)
        }
        #expect(isSorted)
        read += part
      }
      var expected: [SampleColumns.Row] = []
      for var row in rows where row.start.isFinite && row.end.isFinite && row.value.isFinite {
        row.end = max(row.start, row.end)
        expected.append(row)
      }
      #expect(read.count == columns.count)
      #expect(counts(read) == counts(expected))
      #expect(Set(columns.sources).count == columns.sources.count)
    }
  }

  @Test("Samples that were typed in stand before the others of the same name")
  func enteredFirst() {
    let entered = Source(name: "Scale", isUserEntered: true)
    let rows = [Source(name: "Scale"), entered, Source(name: "App")].map {
      SampleColumns.Row(source: $0, start: 0, end: 1, value: 1)
    }
    let sources = SampleColumns(type: type, rows: rows).sources
    #expect(sources == [Source(name: "App"), entered, Source(name: "Scale")])
  }

  @Test("arrays in any order make the columns that rows make")
  func arrays() throws {
    var random = SplitMix64(seed: 33)
    let source = Source(name: "Watch")
    for _ in 0..<50 {
      let columns = SampleColumns(type: type, rows: randomRows(&random))
      let order = (0..<columns.count).shuffled(using: &random)
      let shuffled = try SampleColumns(
        type: type, source: source, starts: order.map { columns.starts[$0] },
        ends: order.map { columns.ends[$0] }, values: order.map { columns.values[$0] })
      let rows = (0..<columns.count).map {
        SampleColumns.Row(
          source: source, start: columns.starts[$0], end: columns.ends[$0],
          value: columns.values[$0])
      }
      let expected = SampleColumns(type: type, rows: rows)
      #expect(shuffled == expected)
      let trusted = SampleColumns(
        type: type, source: source, uncheckedStarts: expected.starts, ends: expected.ends,
        values: expected.values)
      #expect(trusted == expected)
    }
  }

  @Test("arrays that are no samples are refused, with the row that is wrong")
  func refused() throws {
    func check(
      _ starts: [Double], _ ends: [Double], _ values: [Double], _ reason: ColumnError.Reason,
      _ row: Int?
    ) {
      #expect(throws: ColumnError(reason, index: row)) {
        try SampleColumns(
          type: type, source: Source(name: "A"), starts: starts, ends: ends, values: values)
      }
    }
    check([0, 1], [1], [1, 1], .lengthsDiffer([2, 1, 2]), nil)
    check([0], [1], [], .lengthsDiffer([1, 1, 0]), nil)
    check([0, 3], [1, 2], [1, 1], .endBeforeStart, 1)
    for bad in [Double.nan, .infinity, -.infinity] {
      check([0, bad], [1, 1], [1, 1], .rowNotFinite, 1)
      check([0, 0], [1, bad], [1, 1], .rowNotFinite, 1)
      check([0, 0], [1, 1], [1, bad], .rowNotFinite, 1)
    }
  }

  #if DEBUG
  @Test("a debug build traps on trusted rows that do not ascend")
  func trusted() async {
    await #expect(processExitsWith: .failure) {
      _ = SampleColumns(
        type: SampleType(.stepCount), source: Source(name: "A"), uncheckedStarts: [1, 0],
        ends: [1, 1], values: [1, 1])
    }
  }
  #endif

  @Test("joined tables are the table of all their rows, however they were cut apart")
  func joining() throws {
    var random = SplitMix64(seed: 34)
    for _ in 0..<50 {
      let rows = randomRows(&random)
      let cut = Int.random(in: 0...rows.count, using: &random)
      let tables = [rows[..<cut], rows[cut...], rows[cut..<cut]].map {
        SampleColumns(type: type, rows: $0)
      }
      let whole = SampleColumns(type: type, rows: rows)
      #expect(try SampleColumns(joining: tables) == whole)
      #expect(try SampleColumns(joining: tables.reversed()) == whole)
      #expect(try SampleColumns(joining: [whole]) == whole)
    }
  }

  @Test("joined samples keep the numbers that they were recorded with")
  func joiningRecorded() throws {
    let third = RecordedValues.Conversion(try UnitConversion(from: .init("ft"), to: .init("yd")))
    let fromFeet = SampleColumns(
      type: type, sources: [Source(name: "A")], offsets: [0, 2], starts: [5, 7], ends: [6, 8],
      values: [1 / 3, 2 / 3], recorded: RecordedValues([1, 2], try #require(third)))
    let plain = try SampleColumns(
      type: type, source: Source(name: "A"), starts: [6], ends: [6], values: [4])
    let joined = try SampleColumns(joining: [plain, fromFeet])
    let recorded = try #require(joined.recorded)
    #expect(recorded.values == [1, 4, 2])
    for (row, value) in joined.values.enumerated() {
      let conversion = recorded.conversions[Int(recorded.units[row])]
      #expect(recorded.values[row] * conversion.factor.nearestDouble == value)
    }
  }

  @Test("tables of different types, units or styles are not joined, and none are nothing")
  func joiningOthers() throws {
    let steps = SampleColumns(type: type)
    let rates = SampleColumns(type: SampleType(.heartRate))
    #expect(throws: ColumnError(.typesDiffer(type, rates.type), index: 2)) {
      try SampleColumns(joining: [steps, steps, rates])
    }
    let other = SampleType(identifier: type.identifier, kind: .category)
    #expect(throws: ColumnError(.typesDiffer(type, other), index: 1)) {
      try SampleColumns(joining: [steps, SampleColumns(type: other)])
    }
    #expect(throws: ColumnError(.nothingToJoin)) { try SampleColumns(joining: []) }
  }

  private func counts(_ rows: [SampleColumns.Row]) -> [SampleColumns.Row: Int] {
    rows.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private func randomRows(_ random: inout SplitMix64) -> [SampleColumns.Row] {
    let numbers: [Double] = [0, 1, 2, 3, -1, .nan, .infinity]
    return (0..<Int.random(in: 1...30, using: &random)).map { _ in
      SampleColumns.Row(
        source: Source(
          name: ["A", "B", "C"].randomElement(using: &random) ?? "A",
          isUserEntered: Bool.random(using: &random)),
        start: numbers.randomElement(using: &random) ?? 0,
        end: numbers.randomElement(using: &random) ?? 0,
        value: numbers.randomElement(using: &random) ?? 0)
    }
  }

  @Test(
    "Rows of several sources in any order become columns that know where each was",
    arguments: 0..<40)
  func sortsSources(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let type = SampleType(.stepCount)
    let sources = (0..<4).map { Source(name: "source \(9 - $0)") }
    let count = Int.random(in: 0...60, using: &random)
    let codes = (0..<count).map { _ in Int32.random(in: 0..<4, using: &random) }
    // Few instants and values, so that many rows are equal.
    let starts = (0..<count).map { _ in Double(Int.random(in: 0..<9, using: &random)) }
    let ends = starts.map { $0 + Double(Int.random(in: 0..<3, using: &random)) }
    let values = (0..<count).map { _ in Double(Int.random(in: 0..<3, using: &random)) }
    let (columns, rows) = try SampleColumns.sorting(
      type: type, sources: sources, indices: codes, starts: starts, ends: ends, values: values)
    // The slow twin: one source after the other, joined.
    let alone = try sources.indices.map { source in
      let own = codes.indices.filter { Int(codes[$0]) == source }
      return try SampleColumns(
        type: type, source: sources[source], starts: own.map { starts[$0] },
        ends: own.map { ends[$0] }, values: own.map { values[$0] })
    }
    #expect(try columns == SampleColumns(joining: alone))
    #expect(rows.sorted() == Array(0..<count))
    for index in columns.sources.indices {
      for row in columns.rows(ofSource: index) {
        #expect(sources[Int(codes[rows[row]])] == columns.sources[index])
        #expect(
          (starts[rows[row]], ends[rows[row]], values[rows[row]])
            == (columns.starts[row], columns.ends[row], columns.values[row]))
      }
    }
  }

  @Test("Rows that no source has, that end before they start or are no numbers are refused")
  func refusesRows() {
    let type = SampleType(.stepCount)
    func error(_ code: Int32, _ start: Double, _ end: Double, _ value: Double) -> ColumnError? {
      #expect(throws: ColumnError.self) {
        try SampleColumns.sorting(
          type: type, sources: [Source(name: "a")], indices: [0, code], starts: [0, start],
          ends: [1, end], values: [1, value])
      }
    }
    for (code, start, end, value) in [
      (1, 0, 1, 1), (-1, 0, 1, 1), (0, 2, 1, 1), (0, .nan, 1, 1), (0, 0, .infinity, 1),
      (0, 0, 1, -.infinity),
    ] as [(Int32, Double, Double, Double)] {
      #expect(error(code, start, end, value)?.index == 1)
    }
  }
}
