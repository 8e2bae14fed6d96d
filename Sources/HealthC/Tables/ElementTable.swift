import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// A question for the elements of a kind, as a table that is read element by element.
///
/// ```json
/// {"kind": "workoutRoute", "from": "2026"}
/// ```
struct ElementRequest {
  enum Member: String, RequestMember {
    case kind, from, to, timezone, zones, source, exclude, order, limit, times

    var own: MemberFacts? {
      switch self {
      case .kind:
        MemberFacts(oneOf: ElementKind.allCases.map(\.word), "The kind of elements.")
      case .order: .order
      case .limit: .limit
      case .times: .times
      case .from, .to, .timezone, .zones, .source, .exclude: nil
      }
    }
  }

  private let part: RequestedPart
  private let kind: ElementKind
  private let type: String?
  private let times: TimeForm
  private let isNewestFirst: Bool
  private let limit: Int

  init(json: String, in store: SampleStore) throws {
    let members = try QuestionKeys<Member>(json: json)
    part = try RequestedPart(members, in: store)
    guard let name = try members.text(.kind) else { throw QueryError(.missingMember("kind")) }
    guard case .elements(let kind, let type) = try StoredSelection(named: name) else {
      let known = ElementKind.allCases.map(\.word)
      throw QueryError(
        .unknownWord(.kind, name, suggestions: NearNames.of(name, among: known), known: known))
    }
    (self.kind, self.type) = (kind, type)
    times = try members.word(.times) { try QuestionWords.word(.times, $0) } ?? .timestamp
    let order: SampleRequest.Order? = try members.word(.order) {
      try QuestionWords.word(.order, $0)
    }
    isNewestFirst = order == .newest
    limit = try members.count(.limit) ?? .max
  }

  /// The table, whose streams read one snapshot of the store.
  func table() throws -> Table {
    let snapshot = try StoreSnapshot(of: part.store)
    let table = OutputTable.table(of: kind)
    let form = OutputForm(table: table, times: times, zones: part.zones)
    let (kind, type, period) = (kind, type, part.period)
    let (isNewestFirst, limit) = (isNewestFirst, limit)
    let head = JSON.object([
      .init("kind", .string(kind.word)), .init("timezone", .string(part.zones.identifier)),
    ])
    return Table(table.name, form.fields, head: head.text) {
      ElementBatches(
        try ElementReader(of: kind, in: period, isNewestFirst: isNewestFirst, from: snapshot),
        as: form, type: type, in: period, limit: limit)
    }
  }
}

/// The Arrow form of a table of elements: lists of rows are lists of structures.
struct OutputForm: Sendable {
  let table: OutputTable
  let times: TimeForm
  let zones: ZoneTimeline

  var fields: [Field] { fields(of: table) }

  private func fields(of table: OutputTable) -> [Field] {
    zip(table.columns, table.columnNames).map { column, name in
      guard column.form == .instant else { return Field(column, named: name, in: zones) }
      var field = times.field(name, in: zones)
      field.facts += Field(column, named: name, in: zones).facts
      return field
    } + table.parts.map { Field($0.key, .list(fields(of: $0))) }
  }
}

/// The columns of some rows of a table, with the lists in them.
struct OutputColumns {
  private let table: OutputTable
  private let times: TimeForm
  private var columns: [Cells]
  private var parts: [OutputColumns]
  private var offsets: [[Int32]]
  private(set) var count = 0
  private var textBytes = 0

  /// The cells of one column.
  fileprivate enum Cells {
    case texts([String?])
    case integers([Int?])
    case reals([Double?])
    case truths([Bool?])
    case instants([Double?])
  }

  init(_ form: OutputForm) { self.init(form.table, form.times) }

  private init(_ table: OutputTable, _ times: TimeForm) {
    (self.table, self.times) = (table, times)
    columns = table.columns.map { column in
      switch column.form {
      // Texts of one element are rarely those of another.
      case .word, .text, .clock, .json, .group, .list: .texts([])
      case .count, .date: .integers([])
      case .number, .duration: .reals([])
      case .truth: .truths([])
      case .instant: .instants([])
      }
    }
    parts = table.parts.map { OutputColumns($0, times) }
    offsets = table.parts.map { _ in [0] }
  }

  /// The number of all rows, those of lists included; a kilobyte of text counts as one.
  var size: Int { parts.reduce(count + textBytes / 1024) { $0 + $1.size } }

  /// Appends a row with its lists.
  mutating func append(_ row: OutputRow) {
    count += 1
    for (index, cell) in row.cells.enumerated() where index < columns.count {
      textBytes += columns[index].append(cell)
    }
    for (index, list) in row.parts.enumerated() where index < parts.count {
      for item in 0..<list.count { parts[index].append(list.row(item)) }
      offsets[index].append(Int32(clamping: parts[index].count))
    }
  }

  /// The values of all columns, then of all lists.
  var values: [ColumnValues] {
    columns.map { column in
      switch column {
      case .texts(let texts): .texts(texts)
      case .integers(let numbers): .integers(numbers)
      case .reals(let numbers): .reals(numbers)
      case .truths(let truths): .truths(truths)
      case .instants(let instants): times.values(instants)
      }
    } + zip(offsets, parts).map { .lists(offsets: $0, $1.values) }
  }
}

extension OutputColumns.Cells {
  /// Appends a cell; one of another form is missing.
  ///
  /// - Returns: the bytes of its text
  fileprivate mutating func append(_ cell: OutputRow.Cell) -> Int {
    switch self {
    case .texts(var texts):
      self = .truths([])
      let text = cell.text
      texts.append(text)
      self = .texts(texts)
      return text?.utf8.count ?? 0
    case .integers(var numbers):
      self = .truths([])
      if case .integer(let number) = cell { numbers.append(number) } else { numbers.append(nil) }
      self = .integers(numbers)
    case .reals(var numbers):
      self = .truths([])
      if case .real(let number) = cell { numbers.append(number) } else { numbers.append(nil) }
      self = .reals(numbers)
    case .truths(var truths):
      self = .integers([])
      if case .truth(let truth) = cell { truths.append(truth) } else { truths.append(nil) }
      self = .truths(truths)
    case .instants(var instants):
      self = .truths([])
      if case .instant(let instant) = cell {
        instants.append(instant)
      } else {
        instants.append(nil)
      }
      self = .instants(instants)
    }
    return 0
  }
}

extension OutputRow.Cell {
  fileprivate var text: String? {
    switch self {
    case .text(let text): text
    case .json(let json): json.text
    default: nil
    }
  }
}

/// Reads elements batch by batch.
private final class ElementBatches: BatchReader {
  private let reader: ElementReader
  private let form: OutputForm
  private let type: String?
  private let period: StoredPeriod
  private var left: Int
  private var isAtEnd = false

  /// About how many rows a batch has, those of lists included: a route has thousands.
  private static let size = 65_536

  init(
    _ reader: ElementReader, as form: OutputForm, type: String?, in period: StoredPeriod, limit: Int
  ) {
    (self.reader, self.form, self.type, self.period) = (reader, form, type, period)
    left = limit
  }

  func next() throws -> ArrowColumn? {
    guard !isAtEnd, left > 0 else { return nil }
    var columns = OutputColumns(form)
    let mayContinue = try reader.next { batch in
      guard batch.isWanted(type: type, in: period) else { return true }
      for row in OutputRow.rows(of: batch) where left > 0 {
        columns.append(row)
        left -= 1
      }
      return columns.size < Self.size && left > 0
    }
    isAtEnd = !mayContinue
    return columns.count > 0 ? ArrowColumn(rows: columns.count, of: columns.values) : nil
  }
}
