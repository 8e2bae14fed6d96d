public import HealthSamples

/// Reads what the app Simple Health Export writes: a CSV file for each type, one of them, a folder
/// or an archive of them.
///
/// The first lines are `sep=,` and the names of columns: `type, sourceName, sourceVersion,
/// productType, device, startDate, endDate, unit, value`, then one for each metadata key.
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
  private var dates = DateScanner()

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
      guard try Self.isExport(source) else { continue }
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
      nextFile += 1
      guard let names = try opened.next() else { continue }
      columns = names.map(Self.column)
      text = opened
    }
    return true
  }

  private static func column(_ name: String) -> Column {
    switch name {
    case "type", "activityType", "workoutActivityType": .type
    case "sourceName": .sourceName
    case "sourceVersion": .sourceVersion
    case "device": .device
    case "startDate": .start
    case "endDate": .end
    case "unit": .unit
    case "value": .value
    case "duration": .duration
    default: .metadata(name)
    }
  }

  private mutating func add(_ fields: [String]) {
    var record = LooseRecords.Record()
    var entries: [Metadata.Entry] = []
    var version = ""
    var device = ""
    var duration: Double?
    for (column, field) in zip(columns, fields) where !field.isEmpty {
      switch column {
      case .type: record.type = field
      case .sourceName: record.source = field
      case .sourceVersion: version = field
      case .device: device = DeviceText.withoutEnvelope(field)
      case .start: record.start = instant(field)
      case .end: record.end = instant(field)
      case .unit: record.unit = field
      case .value:
        record.value = Self.number(field)
        if record.value == nil { record.constant = field }
      case .duration: duration = Self.number(field)
      case .metadata(let key): entries.append(Metadata.Entry(key: key, value: field))
      }
    }
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

  private mutating func instant(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { bytes in
      let date = dates.date(bytes)
      return date == DateScanner.invalid ? InstantText.instant(bytes) : Double(date)
    }
  }

  private static func number(_ text: String) -> Double? {
    var text = text
    return text.withUTF8(NumberScanner.number)
  }
}

extension SimpleHealthExportReader {
  /// Whether a file begins with the columns that such files have.
  private static func isExport(_ source: any ByteSource) throws(ExportError) -> Bool {
    var text = SeparatedText(source: source)
    guard let names = try text.next() else { return false }
    return names.contains("type") && names.contains("startDate") && names.contains("endDate")
      && names.contains("sourceName")
  }
}
