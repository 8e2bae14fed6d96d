public import HealthSamples

/// Reads the JSON of the app Health Auto Export, format versions 1 and 2: a file, or a folder or an
/// archive of such files.
///
/// Metrics become records, blood pressures also correlations, workouts and their routes separate
/// rows, electrocardiograms include their voltages, states of mind and doses of medications are
/// objects, and symptoms with HealthKit's English names and notifications of heart rates become
/// records. Translated names and kinds that the store does not support are counted as unknown
/// elements. The app cuts days by the zone of the phone and writes each date with the offset of that
/// day, which is the zone of the sample.
///
/// Memory does not grow with the file. JSON may name a metric after its data, so each file is
/// parsed once for the names of its metrics and a second time for the data.
public struct HealthAutoExportReader: ~Copyable, FormatReader {
  static let written = ImportFormat.healthAutoExport
  static let programName = "Health Auto Export"
  static let contentName = "JSON"
  /// The number of bytes to read.
  public let byteCount: Int
  /// The format of the export.
  public var format: ImportFormat { .healthAutoExport }
  /// When the export was created; `nil` if not stated.
  public var exported: Double? { nil }

  private let path: String
  let files: [TextFile]
  private let names: [String]
  private var nextFile = 0
  private var text: HealthAutoExportText?
  /// The metrics of the current file, in order.
  private var metrics: [HealthAutoExportMetric] = []
  /// The kind of the elements of the current array.
  private var section: Section?
  private var finishedBytes = 0
  private var cutAt: Int?
  var records = RecordCollector()
  var dates = LocalisedDate()
  /// The zones so far, by their offset from UTC.
  var zones: [Int: [Metadata.Entry]] = [:]
  var units = EverydayUnits()
  var conversions = UnitConversions()
  private var ready: [ImportBatch] = []

  private enum Section {
    case metric(HealthAutoExportMetric)
    case workouts
    case electrocardiograms
    case events(String)
    case statesOfMind
    case medications
    case heartRateNotifications
    case unknown(String)
  }

  /// Opens a file, a folder or an archive.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` when there is no such JSON
  public init(path: String) throws(ExportError) {
    try self.init(try FileProbe(path: path), isConcurrent: false)
  }

  /// Whether there is JSON that may have the data, which is under one key.
  static func recognises(_ probe: FileProbe) -> Bool {
    probe.holds(nameEnding: ".json")
      || probe.names.isEmpty && probe.outlines.contains { $0.mayHave("data") }
  }

  init(_ probe: FileProbe, isConcurrent: Bool) throws(ExportError) {
    let path = probe.path
    var byteCount = 0
    var places: [TextFile] = []
    for place in try TextFile.all(in: probe, ending: ".json") {
      let source = try place.open()
      guard try Self.isExport(source) else { continue }
      let limit = ImportLimits.standard.textBytes
      guard source.byteCount <= limit - byteCount else {
        throw ExportError(.tooLarge(limit: limit), path: path)
      }
      byteCount += source.byteCount
      places.append(place)
    }
    if places.isEmpty { throw ExportError(.notAnExport, path: path) }
    self.init(places, at: path, byteCount: byteCount)
  }

  private init(_ files: [TextFile], at path: String, byteCount: Int) {
    (self.files, self.path, self.byteCount) = (files, path, byteCount)
    names = TextFile.names(of: files, at: path)
  }

  func reader(of files: [TextFile]) throws(ExportError) -> (any ReaderBox)? {
    ReaderOf(Self(files, at: path, byteCount: try TextFile.byteCount(of: files)))
  }

  /// The number of bytes read.
  public private(set) var bytesRead = 0
  /// The counts so far.
  public var summary: ExportSummary {
    records.summary(bytes: bytesRead, files: names, cutAt: cutAt)
  }

  /// The next batch; `nil` at the end.
  public mutating func next() throws(ExportError) -> ImportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      guard try openText() else {
        ready = records.takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      while !records.isFull {
        if section == nil {
          section = try nextSection()
          guard section != nil else { break }
        }
        if try !readElement() { section = nil }
      }
      if let position = text?.json.position { bytesRead = finishedBytes + position }
      if records.isFull { ready = records.takeAll() } else { try closeText() }
    }
  }

  private static func isExport(_ source: any ByteSource) throws(ExportError) -> Bool {
    var text = try HealthAutoExportText(source: source)
    while !text.isExport, try text.next() != nil {}
    return text.isExport
  }

  /// Opens the next file unless one is open; false if there is none.
  private mutating func openText() throws(ExportError) -> Bool {
    if text != nil { return true }
    guard nextFile < files.count else { return false }
    let file = files[nextFile]
    nextFile += 1
    metrics = try HealthAutoExportMetric.all(in: try file.open())
    text = try HealthAutoExportText(source: try file.open())
    return true
  }

  private mutating func closeText() throws(ExportError) {
    if let damage = text?.json.damagedAt { cutAt = cutAt ?? finishedBytes + damage }
    try text?.json.finish()
    if let position = text?.json.position { finishedBytes += position }
    bytesRead = finishedBytes
    text = nil
  }

  private mutating func nextSection() throws(ExportError) -> Section? {
    while let step = try text?.next() {
      let section: Section
      switch step {
      case .data(let metric):
        section = .metric(
          metrics.indices.contains(metric) ? metrics[metric] : HealthAutoExportMetric())
      case .array("workouts"): section = .workouts
      case .array("ecg"): section = .electrocardiograms
      case .array("stateOfMind"): section = .statesOfMind
      case .array("medications"): section = .medications
      case .array("heartRateNotifications"): section = .heartRateNotifications
      case .array(let name) where ["symptoms", "cycleTracking"].contains(name):
        section = .events(name)
      case .array(let name): section = .unknown(name)
      case .unknown(let name):
        records.countUnknownAttribute(name)
        continue
      case .name, .units: continue
      }
      if try text?.json.enterArray() == true { return section }
    }
    return nil
  }

  /// Reads an element of the array; false after the last one.
  private mutating func readElement() throws(ExportError) -> Bool {
    guard let section, try text?.json.nextElement() == true else { return false }
    if case .unknown(let name) = section {
      records.countUnknown(name)
      try text?.json.skipValue()
      return text?.json.damagedAt == nil
    }
    switch try text?.json.element() {
    case .value(let value): add(value, to: section)
    case .malformed: records.countMalformed()
    case .oversized: records.countOversized()
    case nil:
      // The truncated element.
      records.countMalformed()
      return false
    }
    return true
  }

  private mutating func add(_ value: JSONValue, to section: Section) {
    switch section {
    case .metric(let metric): add(value, of: metric)
    case .workouts: addWorkout(value)
    case .electrocardiograms: addElectrocardiogram(value)
    case .events(let name): addEvent(value, ofArray: name)
    case .statesOfMind: addStateOfMind(value)
    case .medications: addMedication(value)
    case .heartRateNotifications: addHeartRateNotification(value)
    case .unknown: break
    }
  }
}
