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

  private let files: [Place]
  private var nextFile = 0
  private var text: SeparatedText?
  private var columns: [Column] = []
  private var finishedBytes = 0
  private var records = LooseRecords()
  private var workouts = WorkoutColumns()
  private var counts = ExportSummary()
  private var ready: [ExportBatch] = []
  private var dates = DateScanner()

  /// Where one of the files stands.
  private enum Place {
    case file(String)
    case entry(ZipArchive, ZipEntry)

    func open() throws(ExportError) -> any ByteSource {
      switch self {
      case .file(let path): StoredBytes(file: try File(path: path))
      case .entry(let archive, let entry): try archive.bytes(of: entry)
      }
    }
  }

  /// What a column holds.
  private enum Column {
    case type, sourceName, sourceVersion, device, start, end, unit, value, duration
    case metadata(String)
  }

  private static let workoutsTogether = 1 << 12

  /// Opens a file, a folder or an archive.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` when there is no such CSV
  public init(path: String) throws(ExportError) {
    var byteCount = 0
    var files: [Place] = []
    for place in try Self.places(at: path) {
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

  public var summary: ExportSummary {
    var summary = counts
    summary.types = records.types.counts
    summary.negativeDurations = records.negativeDurations
    summary.distantDates = records.distantDates
    summary.bytes = bytesRead
    return summary
  }

  public mutating func next() throws(ExportError) -> ExportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      guard try openFile() else {
        ready = takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      while !records.isFull, workouts.count < Self.workoutsTogether {
        guard let fields = try text?.next() else {
          finishedBytes += text?.bytesRead ?? 0
          text = nil
          break
        }
        add(fields)
      }
      if text != nil { ready = takeAll() }
    }
  }

  private mutating func takeAll() -> [ExportBatch] {
    var batches = records.takeAll()
    if workouts.count > 0 { batches.append(.workouts(workouts)) }
    workouts = WorkoutColumns()
    return batches
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
    counts.elements[.workout, default: TypeCount()].read += 1
    guard let start = record.start, let end = record.end else {
      counts.elements[.workout, default: TypeCount()].skipped[.invalidDate, default: 0] += 1
      return
    }
    var row = WorkoutColumns.Row()
    row.activity = record.type
    row.duration = duration
    row.facts.source = Source(
      name: record.source, isUserEntered: record.metadata.saysUserEntered)
    row.facts.origin = record.origin
    (row.facts.start, row.facts.end) = (start, end)
    row.facts.metadata = record.metadata
    workouts.rows.append(row)
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
  private static let mostFiles = 4096

  private static func places(at path: String) throws(ExportError) -> [Place] {
    if let names = File.names(inFolder: path, limit: mostFiles) {
      return names.sorted().filter(isCandidate).map { .file(path + "/" + $0) }
    }
    let file = try File(path: path)
    guard ZipArchive.isArchive(try file.bytes(in: 0..<4)) else { return [.file(path)] }
    let archive = try ZipArchive(file: file)
    return archive.entries.prefix(mostFiles).filter { isCandidate($0.name) }
      .map { .entry(archive, $0) }
  }

  private static func isCandidate(_ name: String) -> Bool {
    let file = name.split(separator: "/").last ?? ""
    return file.lowercased().hasSuffix(".csv") && !file.hasPrefix("._")
  }

  /// Whether a file begins with the columns that such files have.
  private static func isExport(_ source: any ByteSource) throws(ExportError) -> Bool {
    var text = SeparatedText(source: source)
    guard let names = try text.next() else { return false }
    return names.contains("type") && names.contains("startDate") && names.contains("endDate")
      && names.contains("sourceName")
  }
}
