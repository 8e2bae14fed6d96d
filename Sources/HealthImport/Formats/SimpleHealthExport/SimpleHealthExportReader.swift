public import HealthSamples

/// Reads tables of samples: those of the app Simple Health Export, one CSV file per type, and those
/// that converters make from Apple's export; a file, a folder or an archive of them.
///
/// The first lines are `sep=,` and the names of columns: `type, sourceName, sourceVersion,
/// productType, device, startDate, endDate, unit, value`, then one for each metadata key, in any
/// order and any style of capitals and `_` (`start_date`). The type may be only in the file name
/// and lack its prefix (`StepCount`), a table may have been edited in a spreadsheet (another
/// separator, a decimal comma, UTF-16), and a value without an end is an instant. A type that
/// HealthKit does not have is skipped and counted under its name.
///
/// Whether the comma of `1,234` is a decimal mark the other numbers of the file decide, which is
/// then read once more; where they do not, the record is skipped and counted. Likewise whether 0.8
/// beside `%` is a fraction or what people say; where they do not, it is HealthKit's fraction. A table
/// without a column that its records need is refused.
public struct SimpleHealthExportReader: FormatReader {
  static let written = ImportFormat.simpleHealthExport
  static let programName = "Simple Health Export"
  static let contentName = "CSV"
  /// The number of bytes to read.
  public let byteCount: Int
  /// The format of the export.
  public var format: ImportFormat { .simpleHealthExport }
  /// When the export was created; `nil` if not stated.
  public var exported: Double? { nil }

  private let path: String
  let files: [TextFile]
  private let names: [String]
  private var nextFile = 0
  private var text: SeparatedText?
  private var columns: [Column] = []
  private var finishedBytes = 0
  private var records = RecordCollector()
  private var ready: [ImportBatch] = []
  private var dates = LocalisedDate()
  /// The type in the name of the file.
  private var fileType = ""
  /// The columns without which a quantity has no meaning, and which the file lacks.
  private var missingOfQuantities: [String] = []
  /// What commas are in the numbers of the file, once that has been asked.
  private var comma: TableNumber.Comma??
  /// What the numbers beside `%` are that say it, by the identifier of the type, once that has been
  /// asked of the file.
  private var shares: [String: Set<DisplayUnit.Share>]?
  private var units = EverydayUnits()
  /// The identifiers by the names of types so far; `nil` for unknown ones.
  private var identifiers: [String: String?] = [:]

  /// The most names of types in the cache.
  private static let mostTypes = 4096

  /// The content of a column.
  private enum Column: Hashable {
    case type, activity, sourceName, sourceVersion, device, created, start, end, unit, value
    case duration, durationUnit
    /// The instant of a sample, if the table has no column for its start.
    case moment
    case metadata(String)
  }

  /// Opens a file, a folder or an archive.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` when there is no such CSV
  public init(path: String) throws(ExportError) {
    try self.init(try FileProbe(path: path), isConcurrent: false)
  }

  static func recognises(_ probe: FileProbe) -> Bool {
    probe.holds(nameEnding: ".csv") || isTable(probe.head)
  }

  init(_ probe: FileProbe, isConcurrent: Bool) throws(ExportError) {
    path = probe.path
    var byteCount = 0
    var files: [TextFile] = []
    for place in try TextFile.all(in: probe, ending: ".csv") {
      let source = try place.open()
      guard let columns = try Self.columns(of: source) else { continue }
      guard OwnFile(columns: columns) == nil else {
        throw ExportError(
          .ownOutput, path: path, entry: TextFile.names(of: [place], at: path).first)
      }
      guard Self.missingColumns(among: columns, type: place.healthType).isEmpty else { continue }
      let limit = ImportLimits.standard.textBytes
      guard source.byteCount <= limit - byteCount else {
        throw ExportError(.tooLarge(limit: limit), path: path)
      }
      byteCount += source.byteCount
      files.append(place)
    }
    self.files = files
    names = TextFile.names(of: files, at: path)
    self.byteCount = byteCount
    if files.isEmpty { throw ExportError(.notAnExport, path: path) }
  }

  private init(_ files: [TextFile], at path: String, byteCount: Int) {
    (self.files, self.path, self.byteCount) = (files, path, byteCount)
    names = TextFile.names(of: files, at: path)
  }

  func reader(of files: [TextFile]) throws(ExportError) -> (any ReaderBox)? {
    ReaderOf(Self(files, at: path, byteCount: try TextFile.byteCount(of: files)))
  }

  /// The number of bytes read.
  public var bytesRead: Int { finishedBytes + (text?.bytesRead ?? 0) }

  /// The counts so far.
  public var summary: ExportSummary { records.summary(bytes: bytesRead, files: names) }

  /// The next batch; `nil` at the end.
  public mutating func next() throws(ExportError) -> ImportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      guard try openFile() else {
        ready = records.takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      while !records.isFull {
        guard let fields = try text?.next() else {
          finishedBytes += text?.bytesRead ?? 0
          text = nil
          break
        }
        try add(fields)
      }
      if records.isFull { ready = records.takeAll() }
    }
  }

  /// Opens the next file and reads its columns; false if there is none.
  private mutating func openFile() throws(ExportError) -> Bool {
    while text == nil {
      guard nextFile < files.count else { return false }
      var opened = SeparatedText(source: try files[nextFile].open())
      fileType = files[nextFile].healthType
      nextFile += 1
      guard let names = try opened.next() else { continue }
      columns = names.map(Self.column)
      missingOfQuantities = [(Column.value, "value"), (.unit, "unit")]
        .filter { !columns.contains($0.0) }.map(\.1)
      comma = nil
      shares = nil
      text = opened
    }
    return true
  }

  private static func column(_ name: String) -> Column {
    switch name.lowercased().filter({ $0.isLetter || $0.isNumber }) {
    case "type", "recordtype", "datatype", "metric": .type
    case "activitytype", "workoutactivitytype": .activity
    case "sourcename", "source": .sourceName
    case "sourceversion": .sourceVersion
    case "device": .device
    case "creationdate": .created
    case "startdate", "start", "starttime": .start
    case "enddate", "end", "endtime": .end
    case "date", "datetime", "timestamp", "time", "iso8601": .moment
    case "unit", "units": .unit
    case "value", "qty", "quantity": .value
    case "duration": .duration
    case "durationunit": .durationUnit
    default: .metadata(name.trimmed)
    }
  }

  private mutating func add(_ fields: [String]) throws(ExportError) {
    var record = RecordCollector.Record()
    var entries: [Metadata.Entry] = []
    var version = ""
    var device = ""
    var word = ""
    var duration: Double?
    var durationUnit: String?
    var activity = ""
    var moment: Double?
    record.type = fileType
    for (column, text) in zip(columns, fields) {
      let field = text.trimmed
      if field.isEmpty { continue }
      switch column {
      case .type: record.type = field
      case .activity: activity = field
      case .sourceName: record.source = field
      case .sourceVersion: version = field
      case .device: device = Device.withoutEnvelope(field)
      case .created: record.created = dates.instant(field) ?? record.created
      case .start: record.start = instant(field, of: &record)
      case .moment: moment = moment ?? instant(field, of: &record)
      case .end: record.end = instant(field, of: &record)
      case .unit: record.unit = field
      case .value:
        let number = TableNumber(field)
        if let number { record.value = try value(number) }
        if record.value == nil { word = field }
        if number != nil { record.objectionToValue = .ambiguousNumber }
      case .duration: if let number = TableNumber(field) { duration = try value(number) }
      case .durationUnit: durationUnit = field
      case .metadata(let key): entries.append(Metadata.Entry(key: key, value: field))
      }
    }
    record.start = record.start ?? moment
    record.origin = Origin(sourceVersion: version, device: device)
    record.metadata = Metadata(entries)
    if record.type.hasPrefix(Self.workoutPrefix) { activity = record.type }
    if !activity.isEmpty {
      record.type = HealthAutoExportNames.activity(activity)
      return addWorkout(record, duration: duration, unit: durationUnit)
    }
    if !record.type.isEmpty {
      guard let identifier = identifier(of: record.type) else {
        return records.skip(record, .unknownType)
      }
      record.type = identifier
    }
    if !missingOfQuantities.isEmpty, record.type.hasPrefix(Self.quantityPrefix) {
      throw ExportError(
        .missingColumns(missingOfQuantities), path: path,
        entry: TextFile.names(of: [files[nextFile - 1]], at: path).first)
    }
    record.constant = Catalogue.constant(ending: word, of: record.type) ?? word
    if let number = record.value { record.value = try stored(number, of: record) }
    records.add(record)
  }

  /// The value to store for a number, which beside `%` may be a fraction or what people say: it says
  /// so itself, or the other numbers of the type in the file do, else it is HealthKit's fraction.
  private mutating func stored(
    _ number: Double, of record: RecordCollector.Record
  ) throws(ExportError) -> Double {
    let unit = units.unit(record.unit).spoken
    guard unit.scale != 1 else { return number }
    if let share = Self.share(number, in: unit, of: record.type) {
      return share == .percentage ? unit.stored(number) : number
    }
    if shares == nil { shares = try sharesOfFile() }
    return shares?[record.type] == [.percentage] ? unit.stored(number) : number
  }

  private static func share(
    _ number: Double, in unit: DisplayUnit, of type: String
  ) -> DisplayUnit.Share? {
    unit.share(number, within: Catalogue.type(type).flatMap(Catalogue.plausibleRange))
  }

  /// What the numbers beside `%` are that say it, in the current file, by the identifier of the type.
  private mutating func sharesOfFile() throws(ExportError) -> [String: Set<DisplayUnit.Share>] {
    var text = SeparatedText(source: try files[nextFile - 1].open())
    _ = try text.next()
    var found: [String: Set<DisplayUnit.Share>] = [:]
    while let fields = try text.next() {
      let cells = Dictionary(zip(columns, fields.map(\.trimmed))) { first, _ in first }
      let unit = units.unit(cells[.unit] ?? "").spoken
      let name = cells[.type].flatMap { $0.isEmpty ? nil : $0 } ?? fileType
      guard unit.scale != 1, let type = identifier(of: name),
        let number = TableNumber(cells[.value] ?? ""), let value = try value(number),
        let share = Self.share(value, in: unit, of: type)
      else { continue }
      if found.count < Self.mostTypes || found[type] != nil {
        found[type, default: []].insert(share)
      }
    }
    return found
  }

  /// The value of a number, after another look at the whole file if that is needed.
  private mutating func value(_ number: TableNumber) throws(ExportError) -> Double? {
    guard case .ambiguous = number else { return number.value(nil) }
    if let comma { return number.value(comma) }
    let found = try commaOfFile()
    comma = .some(found)
    return number.value(found)
  }

  /// What commas are in the numbers of the current file; `nil` if they do not show it, or
  /// contradict each other.
  private func commaOfFile() throws(ExportError) -> TableNumber.Comma? {
    var text = SeparatedText(source: try files[nextFile - 1].open())
    _ = try text.next()
    var found: Set<TableNumber.Comma> = []
    while found.count < 2, let fields = try text.next() {
      for (column, field) in zip(columns, fields) where column == .value || column == .duration {
        if case .telling(_, let comma)? = TableNumber(field.trimmed) { found.insert(comma) }
      }
    }
    return found.count == 1 ? found.first : nil
  }

  private static let quantityPrefix = "HKQuantityTypeIdentifier"
  private static let workoutPrefix = "HKWorkoutActivityType"

  /// The instant of a date; `nil`, and counted, if it is invalid.
  private mutating func instant(_ date: String, of record: inout RecordCollector.Record) -> Double?
  {
    if let instant = dates.instant(date) { return instant }
    record.objection = .objection(toDate: date)
    return nil
  }

  /// The identifier of the type with the table name `name`; `nil` if HealthKit has no such type.
  private mutating func identifier(of name: String) -> String? {
    if let known = identifiers[name] { return known }
    let identifier = HealthAutoExportNames.identifier(ofColumn: name)
    if identifiers.count < Self.mostTypes { identifiers[name] = .some(identifier) }
    return identifier
  }

  private mutating func addWorkout(
    _ record: RecordCollector.Record, duration: Double?, unit: String?
  ) {
    guard let start = record.start, let end = record.end else {
      return records.skip(.workout, record.objection)
    }
    var row = Workouts.Row()
    row.activity = record.type
    row.duration = duration.flatMap {
      WorkoutDuration.seconds($0, unit: unit, span: end - start)
    }
    row.facts.source = Source(
      name: record.source, isUserEntered: record.metadata.isUserEntered)
    row.facts.origin = record.origin
    (row.facts.start, row.facts.end) = (start, end)
    row.facts.metadata = record.metadata
    records.add(row)
  }

  /// The names in the first line of a file; `nil` if it is empty.
  private static func columns(of source: any ByteSource) throws(ExportError) -> [String]? {
    var text = SeparatedText(source: source)
    return try text.next()
  }

  /// The columns that a table of samples needs and one with these names of columns lacks.
  ///
  /// The type may be in the name of the file; it is empty if there is none.
  static func missingColumns(among names: [String], type: String) -> [String] {
    let columns = Set(names.map(column))
    var missing: [String] = []
    if type.isEmpty, columns.isDisjoint(with: [.type, .activity]) { missing.append("type") }
    if columns.isDisjoint(with: [.start, .moment]) { missing.append("startDate") }
    let others: Set<Column> = columns.contains(.start) ? [.value, .sourceName, .end] : [.value]
    if columns.isDisjoint(with: others) { missing.append("value") }
    return missing
  }

  /// Whether a text starts like a table: with its separator, with a byte order mark of UTF-16, or
  /// with the names of columns.
  private static func isTable(_ head: [UInt8]) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
    let line = String(decoding: head, as: UTF8.self).prefix { !$0.isNewline }.lowercased()
    return line.hasPrefix("sep=") || line.hasPrefix("\u{FEFF}sep=") || isHeader(line)
  }

  /// Whether a line is a header of such a file.
  private static func isHeader(_ line: String) -> Bool {
    guard !line.contains("<") else { return false }
    let names = line.split { ",;\t|".contains($0) }
    let columns = Set(names.map { column(String($0)) })
    return columns.contains(.start) || columns.isSuperset(of: [.moment, .value])
  }
}

extension TextFile {
  /// The type in the name of a file, such as `HKQuantityTypeIdentifierStepCount` or `StepCount`;
  /// empty if there is none.
  var healthType: String {
    let file = name.split(separator: "/").last ?? ""
    let stem = file.prefix { $0 != "." }
    let first = stem.prefix { $0 != "_" }
    if first.hasPrefix("HK") { return String(first) }
    return [stem, first].lazy.map(String.init)
      .first { HealthAutoExportNames.identifier(ofColumn: $0) != nil } ?? ""
  }
}

extension String {
  /// The text without surrounding spaces.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.count == count ? self : String(text)
  }
}
