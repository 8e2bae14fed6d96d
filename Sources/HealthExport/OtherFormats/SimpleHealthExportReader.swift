public import HealthSamples

/// Reads what the app Simple Health Export writes: a CSV file for each type, one of them, a folder
/// or an archive of them.
///
/// The first lines are `sep=,` and the names of columns: `type, sourceName, sourceVersion,
/// productType, device, startDate, endDate, unit, value`, then one for each metadata key. The type
/// may stand in the name of the file alone, a table may have been through a spreadsheet (another
/// separator, a decimal comma, UTF-16), and a value without an end is an instant.
public struct SimpleHealthExportReader: BatchReader {
  public let byteCount: Int
  public var format: ImportFormat { .simpleHealthExport }
  public var exported: Double? { nil }

  private let files: [TextPlace]
  private var nextFile = 0
  private var text: SeparatedText?
  private var columns: [Column] = []
  private var finishedBytes = 0
  private var records = LooseRecords()
  private var ready: [ExportBatch] = []
  private var dates = LocalisedDate()
  /// The type that the name of the file says.
  private var fileType = ""

  /// What a column holds.
  private enum Column {
    case type, sourceName, sourceVersion, device, start, end, unit, value, duration
    case metadata(String)
  }

  /// Opens a file, a folder or an archive.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` when there is no such CSV
  public init(path: String) throws(ExportError) {
    var byteCount = 0
    var files: [TextPlace] = []
    for place in try TextPlace.all(at: path, ending: ".csv") {
      let source = try place.open()
      guard try Self.isExport(source, type: place.healthType) else { continue }
      let limit = ExportLimits.standard.textBytes
      guard source.byteCount <= limit - byteCount else {
        throw ExportError(.tooLarge(limit: limit), path: path)
      }
      byteCount += source.byteCount
      files.append(place)
    }
    self.files = files
    self.byteCount = byteCount
    if files.isEmpty { throw ExportError(.notAnExport, path: path) }
  }

  public var bytesRead: Int { finishedBytes + (text?.bytesRead ?? 0) }

  public var summary: ExportSummary { records.summary(bytes: bytesRead) }

  public mutating func next() throws(ExportError) -> ExportBatch? {
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
        add(fields)
      }
      if records.isFull { ready = records.takeAll() }
    }
  }

  /// Goes to the next file and reads its columns; false when there is none.
  private mutating func openFile() throws(ExportError) -> Bool {
    while text == nil {
      guard nextFile < files.count else { return false }
      var opened = SeparatedText(source: try files[nextFile].open())
      fileType = files[nextFile].healthType
      nextFile += 1
      guard let names = try opened.next() else { continue }
      columns = names.map(Self.column)
      text = opened
    }
    return true
  }

  private static func column(_ name: String) -> Column {
    switch name.trimmed.lowercased() {
    case "type", "activitytype", "workoutactivitytype": .type
    case "sourcename": .sourceName
    case "sourceversion": .sourceVersion
    case "device": .device
    case "startdate": .start
    case "enddate": .end
    case "unit": .unit
    case "value": .value
    case "duration": .duration
    default: .metadata(name.trimmed)
    }
  }

  private mutating func add(_ fields: [String]) {
    var record = LooseRecords.Record()
    var entries: [Metadata.Entry] = []
    var version = ""
    var device = ""
    var word = ""
    var duration: Double?
    record.type = fileType
    for (column, text) in zip(columns, fields) {
      let field = text.trimmed
      if field.isEmpty { continue }
      switch column {
      case .type: record.type = field
      case .sourceName: record.source = field
      case .sourceVersion: version = field
      case .device: device = DeviceText.withoutEnvelope(field)
      case .start: record.start = dates.instant(field)
      case .end: record.end = dates.instant(field)
      case .unit: record.unit = field
      case .value:
        record.value = Self.number(field)
        if record.value == nil { word = field }
      case .duration: duration = Self.number(field)
      case .metadata(let key): entries.append(Metadata.Entry(key: key, value: field))
      }
    }
    record.constant = Catalogue.constant(ending: word, of: record.type) ?? word
    record.origin = Origin(sourceVersion: version, device: device)
    record.metadata = Metadata(entries)
    if record.type.hasPrefix("HKWorkoutActivityType") {
      addWorkout(record, duration: duration)
    } else {
      records.add(record)
    }
  }

  private mutating func addWorkout(_ record: LooseRecords.Record, duration: Double?) {
    guard let start = record.start, let end = record.end else {
      return records.skip(.workout, .invalidDate)
    }
    var row = WorkoutColumns.Row()
    row.activity = record.type
    row.duration = duration
    row.facts.source = Source(
      name: record.source, isUserEntered: record.metadata.saysUserEntered)
    row.facts.origin = record.origin
    (row.facts.start, row.facts.end) = (start, end)
    row.facts.metadata = record.metadata
    records.add(row)
  }

  /// A number, in which a comma may stand for the point.
  private static func number(_ text: String) -> Double? {
    var text = text
    if let number = text.withUTF8(NumberScanner.number) { return number }
    guard text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1, !text.contains(".") else {
      return nil
    }
    text.replace(",", with: ".")
    return text.withUTF8(NumberScanner.number)
  }

  /// Whether a file begins with the columns that such files have.
  private static func isExport(
    _ source: any ByteSource, type: String
  ) throws(ExportError) -> Bool {
    var text = SeparatedText(source: source)
    guard let names = try text.next().map({ Set($0.map { $0.trimmed.lowercased() }) }) else {
      return false
    }
    return names.contains("startdate") && (names.contains("type") || !type.isEmpty)
      && !names.isDisjoint(with: ["sourcename", "value", "enddate"])
  }
}

extension TextPlace {
  /// The type that the name of a file begins with, such as `HKQuantityTypeIdentifierStepCount`;
  /// empty when it begins with none.
  fileprivate var healthType: String {
    let name = name.split(separator: "/").last?.prefix { $0 != "_" && $0 != "." } ?? ""
    return name.hasPrefix("HK") ? String(name) : ""
  }
}

extension String {
  /// The text without the spaces around it.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.count == count ? self : String(text)
  }
}
