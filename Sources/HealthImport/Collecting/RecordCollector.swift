import HealthSamples

/// Collects the contents of formats other than Apple's: batches of records of one type and one
/// source, elements, and the counts of both.
struct RecordCollector {
  /// One record of such a format.
  struct Record {
    var type = ""
    var source = ""
    var origin = Origin()
    var start: Double?
    var end: Double?
    var created = RecordColumns.notRecorded
    /// The value of a quantity, or the raw value of a category.
    var value: Double?
    /// The unit of a quantity, as people write it.
    var unit = ""
    /// The constant of a category, if known by name.
    var constant = ""
    var metadata = Metadata()
    /// Whether the record is inside another element, and repeats a top-level one if there is one.
    var isNested = false
    /// Why the record has no start or end.
    var objection = SkipReason.invalidDate
    /// Why the quantity has no value.
    var objectionToValue = SkipReason.missingValue
  }

  private var types = RecordTypes()
  private var units = EverydayUnits()
  private var negativeDurations = 0
  private var distantDates = 0
  private var nestedRecords = 0
  private var placedStages = 0
  private var means = 0
  private var leftOutLocations = 0
  private var impossibleDurations = 0
  private var malformed = 0
  private var oversized = 0
  private var elements: [ElementKind: TypeCount] = [:]
  private var unknownElements = CountedNames()
  private var unknownAttributes = CountedNames()

  private var batches: [BatchBuilder] = []
  private var places: [BatchBuilder.Key: Int] = [:]
  /// The batch of the last record: the next one mostly has the same.
  private var last: (record: BatchBuilder.Name, place: Int)?
  private var workouts = Workouts()
  private var routes = Routes()
  private var correlations = Correlations()
  private var electrocardiograms = Electrocardiograms()
  private var savedObjects = SavedObjects()
  /// The pending amount, in rows of records, so that memory stays flat.
  private var weight = 0

  private static let mostWeight = 1 << 16
  /// The approximate size of a row of a record.
  private static let bytesOfRow = 64
  /// The weight of an element without a series.
  private static let elementWeight = 16

  init() {}

  /// Whether the batches should be taken.
  var isFull: Bool { weight >= Self.mostWeight }

  /// Removes and returns all batches.
  mutating func takeAll() -> [ImportBatch] {
    var taken = batches.map { ImportBatch.records($0.rows) }
    if correlations.count > 0 { taken.append(.correlations(correlations)) }
    if workouts.count > 0 { taken.append(.workouts(workouts)) }
    if routes.count > 0 { taken.append(.routes(routes)) }
    if electrocardiograms.count > 0 { taken.append(.electrocardiograms(electrocardiograms)) }
    if savedObjects.count > 0 { taken.append(.savedObjects(savedObjects)) }
    (batches, places, last, weight) = ([], [:], nil, 0)
    (workouts, routes, correlations) = (Workouts(), Routes(), Correlations())
    (electrocardiograms, savedObjects) = (Electrocardiograms(), SavedObjects())
    // Callers take batches from the end.
    return taken.reversed()
  }

  /// All counts.
  func summary(bytes: Int, files: [String], cutAt: Int? = nil) -> ExportSummary {
    var summary = ExportSummary()
    summary.types = types.counts
    summary.elements = elements
    summary.unknownElements = unknownElements.counts(known: false)
    summary.unknownAttributes = unknownAttributes.counts(known: false)
    summary.nestedRecords = nestedRecords
    summary.placedStages = placedStages
    summary.means = means
    summary.leftOutLocations = leftOutLocations
    summary.impossibleDurations = impossibleDurations
    summary.malformedElements = malformed
    summary.oversizedElements = oversized
    summary.negativeDurations = negativeDurations
    summary.distantDates = distantDates
    summary.files = files
    summary.bytes = bytes
    summary.cutAt = cutAt
    return summary
  }
}

extension RecordCollector {
  /// Adds a record, or counts why it is skipped.
  mutating func add(_ record: Record) {
    var identifier = record.type
    guard let type = identifier.withUTF8({ types.index(of: $0) }) else { return }
    guard let start = record.start, let end = record.end ?? record.start else {
      return types.skip(record.objection, type: type)
    }
    guard CivilDate.instants.contains(start), CivilDate.instants.contains(end) else {
      return types.skip(.dateOutOfRange, type: type)
    }
    guard let (value, label) = meaning(of: record, type: type) else { return }
    guard record.source.utf8.count <= RecordTexts.longestSource else {
      return types.skip(.nameTooLong, type: type)
    }
    guard types.admits(label), types.admits("\(type) \(record.source)") else {
      return types.skip(.tooManyNames, type: type)
    }
    guard let known = types.entries[type].type else {
      return types.skip(.missingType, type: type)
    }
    batches[place(of: record, type: type, known)]
      .append(record, start: start, end: end, value: value, label: label)
    types.deliver(1, type: type)
    weight += 1 + record.metadata.byteCount / Self.bytesOfRow
    if record.isNested { nestedRecords += 1 }
    if !SampleTime.isInOrder(from: start, to: end) { negativeDurations += 1 }
    if start < DateScanner.year1900 || start >= DateScanner.year2201 { distantDates += 1 }
  }

  /// Counts a skipped record.
  mutating func skip(_ record: Record, _ reason: SkipReason) {
    var identifier = record.type
    guard let type = identifier.withUTF8({ types.index(of: $0) }) else { return }
    types.skip(reason, type: type)
  }

  /// The value of a record and its label; `nil`, and counted, if it has none.
  private mutating func meaning(
    of record: Record, type: Int
  ) -> (value: Double, label: String)? {
    var value = record.value
    var label = types.unit(units.unit(record.unit).text, type: type)
    if types.isCategory(type, hasUnit: !record.unit.isEmpty) {
      let named = Catalogue.rawValue(ofCategoryConstant: record.constant)
      value = named.map(Double.init) ?? value ?? 0
      label = record.constant.isEmpty ? Self.constant(of: record.type, value) : record.constant
      guard label.utf8.count <= RecordTypes.longestName else {
        return skip(.nameTooLong, type: type)
      }
    } else {
      guard !record.unit.isEmpty else { return skip(.missingUnit, type: type) }
      guard record.unit.utf8.count <= RecordTypes.longestName else {
        return skip(.nameTooLong, type: type)
      }
      if let objection = types.objection(toUnit: label, type: type) {
        return skip(objection, type: type)
      }
    }
    guard let value else { return skip(record.objectionToValue, type: type) }
    guard value.isFinite else { return skip(.invalidValue, type: type) }
    return (value, label)
  }

  private mutating func skip<Result>(_ reason: SkipReason, type: Int) -> Result? {
    types.skip(reason, type: type)
    return nil
  }

  /// The constant of a raw value; empty if there is none.
  private static func constant(of type: String, _ value: Double?) -> String {
    guard let value, let rawValue = Int(exactly: value) else { return "" }
    return Catalogue.constant(
      ofRawValue: rawValue, of: HKCategoryTypeIdentifier(rawValue: type)) ?? ""
  }

  private mutating func place(of record: Record, type: Int, _ known: SampleType) -> Int {
    let name = BatchBuilder.Name(
      type: type, source: record.source, isUserEntered: record.metadata.isUserEntered)
    if let last, last.record == name, batches[last.place].hasRoom { return last.place }
    let source = Source(name: record.source, isUserEntered: name.isUserEntered)
    let key = BatchBuilder.Key(type: type, source: source)
    var place = places[key] ?? batches.count
    if place == batches.count || !batches[place].hasRoom {
      place = batches.count
      batches.append(BatchBuilder(rows: RecordColumns(type: known, source: source)))
      places[key] = place
    }
    last = (name, place)
    return place
  }
}

extension RecordCollector {
  /// Adds a workout.
  mutating func add(_ row: Workouts.Row) {
    guard admits(row.facts, .workout) else { return }
    var row = row
    if row.mendDurations() { impossibleDurations += 1 }
    workouts.rows.append(row)
    count(.workout, weight: row.statistics.count + row.events.count + row.activities.count)
  }

  /// Adds a route, of which some locations could not be read.
  mutating func add(_ row: Routes.Row, leftOut: Int) {
    guard admits(row.facts, .route) else { return }
    var row = row
    leftOutLocations += leftOut + row.leaveOutImplausible()
    routes.rows.append(row)
    count(.route, weight: row.locations.count)
  }

  /// Adds a correlation.
  mutating func add(_ row: Correlations.Row) {
    guard admits(row.facts, .correlation) else { return }
    correlations.rows.append(row)
    count(.correlation, weight: row.members.count)
  }

  /// Adds an electrocardiogram.
  mutating func add(_ row: Electrocardiograms.Row) {
    guard admits(row.facts, .electrocardiogram) else { return }
    electrocardiograms.rows.append(row)
    count(.electrocardiogram, weight: row.voltages.count)
  }

  /// Adds an object.
  mutating func add(_ row: SavedObjects.Row) {
    guard admits(row.facts, .savedObject) else { return }
    savedObjects.rows.append(row)
    count(.savedObject, weight: row.properties.entries.count)
  }

  private mutating func count(_ kind: ElementKind, weight: Int) {
    elements[kind, default: TypeCount()].read += 1
    self.weight += Self.elementWeight + weight
  }

  /// Whether an element is in the supported years; otherwise it is counted.
  private mutating func admits(_ facts: ElementFacts, _ kind: ElementKind) -> Bool {
    let isInRange =
      CivilDate.instants.contains(facts.start) && CivilDate.instants.contains(facts.end)
    if !isInRange { skip(kind, .dateOutOfRange) }
    return isInRange
  }

  /// Counts a skipped element.
  mutating func skip(_ kind: ElementKind, _ reason: SkipReason) {
    elements[kind, default: TypeCount()].read += 1
    elements[kind, default: TypeCount()].skipped[reason, default: 0] += 1
  }

  /// Counts unknown elements by name.
  mutating func countUnknown(_ name: String, times: Int = 1) {
    var name = name
    name.withUTF8 { unknownElements.count($0, times: times) }
  }

  /// Counts an unknown attribute.
  mutating func countUnknownAttribute(_ name: String) {
    var name = name
    name.withUTF8 { unknownAttributes.count($0) }
  }

  /// Counts a stage of sleep for which a reader has chosen the time within its night.
  mutating func countPlacedStage() { placedStages += 1 }
  /// Counts a record that is the mean of several measurements.
  mutating func countMean() { means += 1 }
  /// Counts an unreadable element.
  mutating func countMalformed() { malformed += 1 }
  /// Counts an element that is unreasonably long.
  mutating func countOversized() { oversized += 1 }
}

extension Metadata {
  /// The bytes of all texts.
  fileprivate var byteCount: Int {
    entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}
