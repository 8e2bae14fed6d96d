import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// A question for the samples themselves, as a table that is read by chunk.
///
/// ```json
/// {"type": "heartRate", "from": "2026", "columns": ["start", "value"], "rows": 65536}
/// ```
struct SampleRequest {
  enum Member: String, RequestMember {
    case type, from, to, timezone, zones, source, exclude, unit, columns, order, limit, rows, times
    case conditions = "where"

    var own: MemberFacts? {
      switch self {
      case .type: .types
      case .unit:
        MemberFacts(
          .text,
          "The unit of numbers: km, lb; the one that the store prefers if left out. recorded: each "
            + "value as it was recorded.")
      case .columns:
        MemberFacts(someOf: Name.allCases.map(\.rawValue), "The columns, in this order.")
      case .order: .order
      case .limit: .limit
      case .rows: MemberFacts(.count, "How many samples a batch has; \(standardRows) if left out.")
      case .times: .times
      case .conditions:
        MemberFacts(
          .texts, "Conditions, all of which hold: \"value>120 count/min\", \"device=Watch\".")
      case .from, .to, .timezone, .zones, .source, .exclude: nil
      }
    }
  }

  /// The columns, in the order in which they stand by default.
  enum Name: String, CaseIterable {
    case type, start, end, value, unit, source
    case enteredByHand = "entered_by_hand"
    case sourceVersion = "source_version"
    case device, created, copies, metadata
    case productType = "product_type"
    case operatingSystem = "operating_system"
  }

  enum Order: String, CaseIterable { case time, newest }

  /// The default number of rows of a batch.
  private static let standardRows = 65_536
  private static let mostRows = 1 << 22

  private let part: RequestedPart
  private let types: [SampleType]
  private let predicate: SamplePredicate
  private let columns: [Name]
  private let times: TimeForm
  private let order: Order
  private let limit: Int
  private let rows: Int
  /// The unit of all values; `nil` for recorded units.
  private let unit: UnitExpression?

  init(json: String, in store: SampleStore) throws {
    let members = try QuestionKeys<Member>(json: json)
    part = try RequestedPart(members, in: store)
    types = try members.sampleTypes(.type, in: store)
    guard !types.isEmpty else { throw QueryError(.missingMember("type")) }
    let columns: [Name] = try members.texts(.columns).map {
      try QuestionWords.word(.column, $0)
    }
    // One type is said by the table.
    let usual = types.count > 1 ? Name.allCases : Name.allCases.filter { $0 != .type }
    self.columns = columns.isEmpty ? usual : columns
    times = try members.word(.times) { try QuestionWords.word(.times, $0) } ?? .timestamp
    order = try members.word(.order) { try QuestionWords.word(.order, $0) } ?? .time
    limit = try members.count(.limit) ?? .max
    rows = min(try members.count(.rows) ?? Self.standardRows, Self.mostRows)
    let unitName = try members.text(.unit)
    unit = try Self.unit(named: unitName, of: types, in: store)
    let conditions = try members.texts(.conditions).map { try SampleCondition($0) }
    guard let type = types.first, !conditions.isEmpty else {
      predicate = .overlaps(part.period.range)
      return
    }
    // Names of sources and units of values are those of a type.
    guard types.count == 1 else { throw QueryError(.needsOneType("where")) }
    predicate = .all([
      .overlaps(part.period.range),
      try SampleCondition.predicate(
        of: conditions, for: type, in: part.store, unit: unitName == "recorded" ? nil : unitName),
    ])
  }

  /// One unit for all rows where there is one type, as people are shown them; the recorded ones of
  /// several types, of a type that only the store knows, and on request.
  private static func unit(
    named name: String?, of types: [SampleType], in store: SampleStore
  ) throws -> UnitExpression? {
    if name == "recorded" { return nil }
    guard let type = types.first, types.count == 1 else {
      if name != nil { throw QueryError(.needsOneType("unit")) }
      return nil
    }
    if name == nil, Catalogue.type(type.identifier) == nil { return nil }
    guard let spoken = try store.displayUnit(of: type, named: name) else {
      if name != nil { throw QueryError(.memberDoesNotFit("unit", type)) }
      return nil
    }
    return spoken.unit
  }

  /// The table, whose streams read one snapshot of the store.
  func table() throws -> Table {
    let store = part.store
    let snapshot = try StoreSnapshot(of: store)
    let query = SampleQuery(types: types, predicate: predicate)
    let form = SampleForm(columns: columns, times: times, unit: unit, types: types)
    let (rows, limit, isNewestFirst) = (rows, limit, order == .newest)
    var head: [JSON.Member] = [
      .init("type", .array(types.map { .string($0.identifier) })),
      .init("timezone", .string(part.zones.identifier)),
    ]
    if let text = form.unitText { head.append(.init("unit", .string(text))) }
    return Table(
      "samples", form.fields(in: part.zones), head: JSON.object(head).text
    ) {
      SampleBatches(
        try RowRunReader(store.scans(of: query), isNewestFirst: isNewestFirst, in: snapshot),
        as: form,
        isNewestFirst: isNewestFirst, rows: rows, limit: limit)
    }
  }
}

/// The columns of a table of samples.
private struct SampleForm: Sendable {
  let columns: [SampleRequest.Name]
  let times: TimeForm
  let unit: UnitExpression?
  let types: [SampleType]

  /// The unit as it is printed.
  var unitText: String? {
    guard let unit, let type = types.first else { return nil }
    return type.printedUnit(unit.description)
  }

  func fields(in zones: ZoneTimeline) -> [Field] {
    columns.map { column in
      switch column {
      case .start, .end, .created: times.field(column.rawValue, in: zones)
      case .value:
        .real(
          "value", unit: unitText, types.count == 1 ? [Fact("type", types[0].identifier)] : [])
      case .type, .unit, .source, .sourceVersion, .device, .metadata, .productType,
        .operatingSystem:
        Field(column.rawValue, .word)
      case .enteredByHand: Field(column.rawValue, .truth)
      case .copies: Field(column.rawValue, .integer)
      }
    }
  }

  /// The conversions from recorded units; none where values stay as they are.
  func conversions(from labels: [String]) throws(OutputError) -> [UnitConversion] {
    guard let unit else { return [] }
    return try labels.map { (label) throws(OutputError) in
      try UnitConversion(fromRecorded: label, to: unit)
    }
  }
}

/// Reads samples batch by batch.
private final class SampleBatches: BatchReader {
  private let reader: RowRunReader
  private let form: SampleForm
  private let isNewestFirst: Bool
  private let rowCount: Int
  private var left: Int
  private var isAtEnd = false
  /// The rest of a run that did not fit into the last batch.
  private var pending: (batch: RecordColumns, rows: Range<Int>, chunk: Int)?

  init(_ reader: RowRunReader, as form: SampleForm, isNewestFirst: Bool, rows: Int, limit: Int) {
    (self.reader, self.form, self.isNewestFirst) = (reader, form, isNewestFirst)
    (rowCount, left) = (rows, limit)
  }

  func next() throws -> ArrowColumn? {
    guard left > 0 else { return nil }
    let builder = SampleBuilder(form, isNewestFirst: isNewestFirst, capacity: min(rowCount, left))
    if let run = pending {
      pending = nil
      take(run.batch, run.rows, run.chunk, into: builder)
    }
    if !builder.isFull, !isAtEnd {
      let mayContinue = try reader.next { batch, rows, chunk in
        take(batch, rows, chunk, into: builder)
        return !builder.isFull
      }
      isAtEnd = !mayContinue
    }
    if let failure = builder.failure { throw failure }
    left -= builder.count
    return builder.count > 0 ? ArrowColumn(rows: builder.count, of: builder.values) : nil
  }

  /// Appends rows of a batch, and keeps those that do not fit.
  private func take(
    _ batch: RecordColumns, _ rows: Range<Int>, _ chunk: Int, into builder: SampleBuilder
  ) {
    let count = min(rows.count, builder.room)
    let fitting = isNewestFirst ? rows.suffix(count) : rows.prefix(count)
    builder.append(fitting, of: batch, chunk: chunk)
    guard count < rows.count else { return }
    pending = (batch, isNewestFirst ? rows.dropLast(count) : rows.dropFirst(count), chunk)
  }
}

/// The columns of one batch of samples, which grow by runs of rows.
private final class SampleBuilder {
  /// The indices that entries of a chunk's tables have in the dictionaries of the batch.
  private final class Indices {
    var labels: [Int32]
    var versions: [Int32]
    var devices: [Int32]
    var products: [Int32]
    var systems: [Int32]
    var metadata: [Int32]
    let type: Int32
    let source: Int32
    /// The conversion of each label; empty where values stay as they are.
    let conversions: [UnitConversion]

    static let unknown = Int32.min

    init(_ batch: RecordColumns, type: Int32, source: Int32, conversions: [UnitConversion]) {
      labels = Array(repeating: Self.unknown, count: batch.labelTable.count)
      versions = Array(repeating: Self.unknown, count: batch.originTable.count)
      (devices, products, systems) = (versions, versions, versions)
      metadata = Array(repeating: Self.unknown, count: batch.metadataTable.count)
      (self.type, self.source, self.conversions) = (type, source, conversions)
    }
  }

  private let form: SampleForm
  private let isNewestFirst: Bool
  private let capacity: Int
  private let has: Set<SampleRequest.Name>
  private(set) var count = 0
  private(set) var failure: OutputError?

  private var starts: [Double] = []
  private var ends: [Double] = []
  private var numbers: [Double] = []
  private var created: [Double] = []
  private var byHand: [Bool] = []
  private var copies: [Int] = []
  private var codes: [SampleRequest.Name: [Int32]] = [:]
  private var words: [SampleRequest.Name: WordIndex] = [:]
  private var indices: [Int: Indices] = [:]

  init(_ form: SampleForm, isNewestFirst: Bool, capacity: Int) {
    (self.form, self.isNewestFirst, self.capacity) = (form, isNewestFirst, capacity)
    has = Set(form.columns)
  }

  var room: Int { capacity - count }
  var isFull: Bool { count >= capacity || failure != nil || textBytes > Self.mostTextBytes }

  /// The bytes of words; offsets into those of one batch are of 32 bits.
  private var textBytes = 0
  private static let mostTextBytes = 1 << 28

  /// Appends rows of a chunk.
  ///
  /// - Complexity: O(rows), and O(entries) for a chunk that is new to the batch
  func append(_ rows: Range<Int>, of batch: RecordColumns, chunk: Int) {
    do throws(OutputError) {
      try appendUnchecked(rows, of: batch, chunk: chunk)
    } catch {
      failure = error
    }
  }

  private func appendUnchecked(
    _ rows: Range<Int>, of batch: RecordColumns, chunk: Int
  ) throws(OutputError) {
    let indices = try indices(of: batch, chunk: chunk)
    if has.contains(.start) { add(batch.starts, rows, to: &starts) }
    if has.contains(.end) { add(batch.ends, rows, to: &ends) }
    if has.contains(.created) { add(batch.created, rows, to: &created) }
    if has.contains(.value) {
      let first = numbers.count
      add(batch.values, rows, to: &numbers)
      convert(from: first, rows, of: batch, by: indices.conversions)
    }
    if has.contains(.copies) {
      let counts = batch.copies[rows].map { Int($0) }
      copies.append(contentsOf: isNewestFirst ? counts.reversed() : counts)
    }
    if has.contains(.enteredByHand) {
      byHand.append(contentsOf: repeatElement(batch.source.isUserEntered, count: rows.count))
    }
    if has.contains(.type) { add(indices.type, rows.count, to: .type) }
    if has.contains(.source) { add(indices.source, rows.count, to: .source) }
    if has.contains(.unit) {
      if let text = form.unitText {
        add(word(text, .unit), rows.count, to: .unit)
      } else {
        addCodes(rows, .unit, \.labels, indices) {
          Int(batch.labels[$0])
        } of: {
          batch.type.printedUnit(batch.labelTable[$0])
        }
      }
    }
    func addOrigins(
      _ column: SampleRequest.Name, _ path: ReferenceWritableKeyPath<Indices, [Int32]>,
      of text: (Origin) -> String
    ) {
      guard has.contains(column) else { return }
      addCodes(rows, column, path, indices) {
        Int(batch.origins[$0])
      } of: {
        text(batch.originTable[$0])
      }
    }
    addOrigins(.sourceVersion, \.versions, of: \.sourceVersion)
    addOrigins(.device, \.devices, of: \.device)
    addOrigins(.productType, \.products, of: \.productType)
    addOrigins(.operatingSystem, \.systems, of: \.operatingSystem)
    if has.contains(.metadata) {
      addCodes(rows, .metadata, \.metadata, indices) {
        Int(batch.metadata[$0])
      } of: { entry in
        let metadata = batch.metadataTable[entry]
        return metadata.isEmpty ? "" : JSON(pairsOf: metadata).text
      }
    }
    count += rows.count
  }

  private func add(_ column: [Double], _ rows: Range<Int>, to values: inout [Double]) {
    if isNewestFirst {
      values.append(contentsOf: column[rows].reversed())
    } else {
      values.append(contentsOf: column[rows])
    }
  }

  private func add(_ code: Int32, _ count: Int, to column: SampleRequest.Name) {
    codes[column, default: []].append(contentsOf: repeatElement(code, count: count))
  }

  private func indices(of batch: RecordColumns, chunk: Int) throws(OutputError) -> Indices {
    if let known = indices[chunk] { return known }
    let new = Indices(
      batch, type: has.contains(.type) ? word(batch.type.identifier, .type) : 0,
      source: has.contains(.source) ? word(batch.source.name, .source) : 0,
      conversions: has.contains(.value) ? try form.conversions(from: batch.labelTable) : [])
    indices[chunk] = new
    return new
  }

  private func word(_ text: String, _ column: SampleRequest.Name) -> Int32 {
    guard !text.isEmpty else { return -1 }
    var index = words.removeValue(forKey: column) ?? WordIndex()
    let before = index.byteCount
    let code = index.index(of: text)
    textBytes += index.byteCount - before
    words[column] = index
    return code
  }

  /// Appends the indices of words that rows have in a table of their chunk.
  private func addCodes(
    _ rows: Range<Int>, _ column: SampleRequest.Name,
    _ path: ReferenceWritableKeyPath<Indices, [Int32]>, _ indices: Indices,
    entry: (Int) -> Int, of text: (Int) -> String
  ) {
    var known = indices[keyPath: path]
    indices[keyPath: path] = []
    var values = codes.removeValue(forKey: column) ?? []
    func add(_ row: Int) {
      let place = entry(row)
      if known[place] == Indices.unknown { known[place] = word(text(place), column) }
      values.append(known[place])
    }
    if isNewestFirst {
      for row in rows.reversed() { add(row) }
    } else {
      for row in rows { add(row) }
    }
    codes[column] = values
    indices[keyPath: path] = known
  }

  /// Converts the numbers from one on, which are those of some rows.
  private func convert(
    from first: Int, _ rows: Range<Int>, of batch: RecordColumns, by conversions: [UnitConversion]
  ) {
    guard let only = conversions.first else { return }
    guard conversions.count > 1 else {
      for place in first..<numbers.count { numbers[place] = only(numbers[place]) }
      return
    }
    for (offset, row) in rows.enumerated() {
      let place = isNewestFirst ? numbers.count - 1 - offset : first + offset
      numbers[place] = conversions[Int(batch.labels[row])](numbers[place])
    }
  }

  /// The values of all columns, in the order of the form.
  var values: [ColumnValues] {
    form.columns.map { column in
      switch column {
      case .start: return form.times.values(starts)
      case .end: return form.times.values(ends)
      case .value: return .reals(numbers)
      case .created:
        let known = created.map { $0 != RecordColumns.notRecorded }
        return form.times.values(
          zip(created, known).map { $1 ? $0 : 0 }, known: known.contains(false) ? known : nil)
      case .enteredByHand: return .truths(byHand)
      case .copies: return .integers(copies)
      case .type, .unit, .source, .sourceVersion, .device, .metadata, .productType,
        .operatingSystem:
        return .words(codes[column] ?? [], of: words[column]?.words ?? [])
      }
    }
  }
}
