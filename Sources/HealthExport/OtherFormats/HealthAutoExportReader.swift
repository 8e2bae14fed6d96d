public import HealthSamples

/// Reads the JSON of the app Health Auto Export, versions 1 and 2 of its form.
///
/// Metrics become records, blood pressures correlations too, workouts and their routes rows of
/// their own, electrocardiograms with their voltages. What the app translates into the language of
/// the phone (symptoms, cycle tracking) and what the store has no kind for is counted as unknown
/// elements.
///
/// The file is read whole, because JSON may name a metric behind its data; ``mostBytes`` bounds it.
public struct HealthAutoExportReader: BatchReader {
  /// The longest file that is read, in bytes.
  public static let mostBytes = 1 << 30

  public let byteCount: Int
  public var format: ImportFormat { .healthAutoExport }
  public var exported: Double? { nil }

  private let bytes: [UInt8]
  private var sections: [Section] = []
  /// The array that is being read.
  private var elements: JSONText?
  private var finishedBytes = 0
  var records = LooseRecords()
  var correlations = CorrelationColumns()
  var workouts = WorkoutColumns()
  var routes = RouteColumns()
  var electrocardiograms = ElectrocardiogramColumns()
  var counts = ExportSummary()
  private var ready: [ExportBatch] = []

  /// An array of the file, and what its elements are.
  private struct Section {
    let kind: Kind
    let range: Range<Int>
  }

  private enum Kind {
    case metric(name: String, units: String)
    case workouts
    case electrocardiograms
  }

  private static let rowsTogether = 1 << 8

  /// Opens a file.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` when it is no such JSON
  public init(path: String) throws(ExportError) {
    let file = try File(path: path)
    guard file.byteCount <= Self.mostBytes else {
      throw ExportError(.tooLarge(limit: Self.mostBytes), path: path)
    }
    bytes = try file.bytes(in: 0..<file.byteCount)
    byteCount = bytes.count
    guard findSections() else { throw ExportError(.notAnExport, path: path) }
    sections.reverse()
  }

  /// Reads text that is in memory already; `nil` when it is no such JSON.
  package init?(text: [UInt8]) {
    bytes = text
    byteCount = text.count
    guard findSections() else { return nil }
    sections.reverse()
  }

  public var bytesRead: Int { elements?.position ?? finishedBytes }

  public var summary: ExportSummary {
    var summary = counts
    summary.types = records.types.counts
    summary.negativeDurations = records.negativeDurations
    summary.distantDates = records.distantDates
    summary.bytes = byteCount
    return summary
  }

  public mutating func next() throws(ExportError) -> ExportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      guard let section = sections.last else {
        ready = takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      if read(section) {
        finishedBytes = section.range.upperBound
        elements = nil
        sections.removeLast()
      } else {
        ready = takeAll()
      }
    }
  }

  /// Reads elements of a section; false when rows must be taken before it goes on.
  private mutating func read(_ section: Section) -> Bool {
    var text = elements ?? JSONText(bytes, range: section.range)
    if elements == nil, !text.enterArray() { return true }
    while text.nextElement() {
      let start = text.position
      guard let element = text.value() else {
        counts.malformedElements += 1
        counts.cutAt = counts.cutAt ?? start
        return true
      }
      switch section.kind {
      case .metric(let name, let units): add(element, ofMetric: name, units: units)
      case .workouts: addWorkout(element)
      case .electrocardiograms: addElectrocardiogram(element)
      }
      if records.isFull || workouts.count + routes.count + correlations.count >= Self.rowsTogether
        || electrocardiograms.count > 0
      {
        elements = text
        return false
      }
    }
    return true
  }

  private mutating func takeAll() -> [ExportBatch] {
    var batches = records.takeAll()
    if correlations.count > 0 { batches.append(.correlations(correlations)) }
    if routes.count > 0 { batches.append(.routes(routes)) }
    if workouts.count > 0 { batches.append(.workouts(workouts)) }
    if electrocardiograms.count > 0 { batches.append(.electrocardiograms(electrocardiograms)) }
    correlations = CorrelationColumns()
    routes = RouteColumns()
    workouts = WorkoutColumns()
    electrocardiograms = ElectrocardiogramColumns()
    return batches
  }
}

extension HealthAutoExportReader {
  /// Finds the arrays of the file; false when it has not the form of the app.
  private mutating func findSections() -> Bool {
    var text = JSONText(bytes)
    guard text.enterObject() else { return false }
    var isExport = false
    while let key = text.nextKey() {
      guard key == "data" else {
        counts.unknownAttributes[key, default: 0] += 1
        if text.skipValue() == nil { break }
        continue
      }
      guard text.enterObject() else { return false }
      isExport = true
      findArrays(&text)
    }
    counts.cutAt = text.damagedAt
    return isExport
  }

  private mutating func findArrays(_ text: inout JSONText) {
    while let key = text.nextKey() {
      if key == "metrics" {
        findMetrics(&text)
        continue
      }
      let start = text.position
      guard let range = text.skipValue() else {
        // What is complete in an array that was cut can be read.
        if key == "workouts" {
          sections.append(Section(kind: .workouts, range: start..<bytes.count))
        }
        return
      }
      switch key {
      case "workouts": sections.append(Section(kind: .workouts, range: range))
      case "ecg": sections.append(Section(kind: .electrocardiograms, range: range))
      default: countElements(of: key, in: range)
      }
    }
  }

  private mutating func findMetrics(_ text: inout JSONText) {
    guard text.enterArray() else { return }
    while text.nextElement() {
      guard text.enterObject() else { return }
      var name = ""
      var units = ""
      var range: Range<Int>?
      while let key = text.nextKey() {
        switch key {
        case "name": name = text.string() ?? ""
        case "units": units = text.string() ?? ""
        case "data":
          let start = text.position
          range = text.skipValue() ?? start..<bytes.count
        default: _ = text.skipValue()
        }
      }
      if let range {
        sections.append(Section(kind: .metric(name: name, units: units), range: range))
      }
    }
  }

  /// Counts what stands in an array that is not read.
  private mutating func countElements(of key: String, in range: Range<Int>) {
    var text = JSONText(bytes, range: range)
    guard text.enterArray() else { return }
    var count = 0
    while text.nextElement(), text.skipValue() != nil { count += 1 }
    if count > 0 { counts.unknownElements[key, default: 0] += count }
  }
}
