import HealthAnswers
import HealthExchange
import HealthReport
import HealthSamples
import HealthUnits

/// The line of an element in a table.
struct ElementLine {
  /// Start and end; `nil` for elements without an instant.
  var start: Double?
  var end: Double?
  /// The date of an element without an instant.
  var day: String?
  var what: String
  var more: String
  var source: Source?

  /// The columns of the lines of a kind.
  struct Titles {
    let what: String
    let more: String
    var hasDay = false
    var hasTime = true
    var hasSource = true
  }

  /// The titles of the columns of a kind.
  static func titles(of kind: ElementKind) -> Titles {
    switch kind {
    case .workout: Titles(what: "activity", more: "with")
    case .route: Titles(what: "activity", more: "places")
    case .correlation: Titles(what: "type", more: "members")
    case .activitySummary:
      Titles(what: "move", more: "others", hasDay: true, hasTime: false, hasSource: false)
    case .beatList: Titles(what: "variability", more: "beats")
    case .electrocardiogram: Titles(what: "finding", more: "signal", hasSource: false)
    case .audiogram: Titles(what: "type", more: "tones")
    case .visionPrescription: Titles(what: "type", more: "eyes", hasSource: false)
    case .clinicalRecord: Titles(what: "type", more: "document")
    case .characteristics:
      Titles(what: "characteristic", more: "value", hasTime: false, hasSource: false)
    case .savedObject: Titles(what: "type", more: "with")
    }
  }

  /// The lines of the elements of a batch, rings in some units; empty for records.
  static func lines(of batch: ImportBatch, in units: ActivityUnits? = nil) -> [ElementLine] {
    switch batch {
    case .records: []
    case .workouts(let columns): columns.rows.map { ElementLine($0) }
    case .routes(let columns): columns.rows.map { ElementLine($0) }
    case .correlations(let columns): columns.rows.map { ElementLine($0) }
    case .activitySummaries(let columns): columns.rows.map { ElementLine($0, in: units) }
    case .beatLists(let columns): columns.rows.map { ElementLine($0) }
    case .electrocardiograms(let columns): columns.rows.map { ElementLine($0) }
    case .audiograms(let columns): columns.rows.map { ElementLine($0) }
    case .visionPrescriptions(let columns): columns.rows.map { ElementLine($0) }
    case .clinicalRecords(let columns): columns.rows.map { ElementLine($0) }
    case .characteristics(let columns):
      columns.rows.flatMap(\.entries).map { entry in
        ElementLine(
          what: Self.name(entry.key, after: "HKCharacteristicTypeIdentifier"),
          more: Self.constant(entry.value))
      }
    case .savedObjects(let columns): columns.rows.map { ElementLine($0) }
    }
  }

  private init(
    _ facts: ElementFacts, what: String, more: String
  ) {
    self.init(
      start: facts.start, end: facts.end, what: what, more: more,
      source: facts.source.name.isEmpty ? nil : facts.source)
  }

  private init(
    start: Double? = nil, end: Double? = nil, day: String? = nil, what: String, more: String,
    source: Source? = nil
  ) {
    (self.start, self.end, self.day) = (start, end, day)
    (self.what, self.more, self.source) = (what, more, source)
  }

  private init(_ workout: Workouts.Row) {
    let counts = [
      (workout.statistics.count, "statistic"), (workout.events.count, "event"),
      (workout.zoneGroups.count, "zone group"),
    ].filter { $0.0 > 0 }.map { AmountText.count($0.0, $0.1) }
    let parts =
      workout.activities.isEmpty
      ? [] : [AmountText.count(workout.activities.count, "activity", plural: "activities")]
    self.init(
      workout.facts, what: ActivityTitle.of(workout.activity),
      more: (counts + parts).joined(separator: ", "))
  }

  private init(_ route: Routes.Row) {
    self.init(
      route.facts, what: ActivityTitle.of(route.activity),
      more: AmountText.count(route.locations.count, "place"))
  }

  private init(_ correlation: Correlations.Row) {
    // The few numbers of a blood pressure fit into a line, the many of a meal do not.
    let shown = correlation.members.prefix(2).map { member in
      "\(TypeName.title(member.type)) \(Self.amount(of: member))"
    }
    let hidden = correlation.members.count - shown.count
    self.init(
      correlation.facts,
      what: Vocabulary.current.value(
        Self.name(correlation.type, after: "HKCorrelationTypeIdentifier")),
      more: (shown + (hidden > 0 ? ["\(hidden) more"] : [])).joined(separator: ", "))
  }

  private init(_ summary: ActivitySummaries.Row, in units: ActivityUnits?) {
    let rings = [
      ("exercise", summary.exerciseMinutes, summary.exerciseMinutesGoal, "min"),
      ("stand", summary.standHours, summary.standHoursGoal, "hr"),
    ].compactMap { name, value, goal, unit in
      value.map { "\(name) \(Self.ring($0, of: goal)) \(unit)" }
    }
    func energy(_ value: Double) -> Double { units?.value(value, of: .move) ?? value }
    let unit = units?.unit(of: .move) ?? ActivityRing.move.unit
    let move =
      summary.activeEnergy.map {
        Self.ring(energy($0), of: summary.activeEnergyGoal.map(energy)) + " \(unit)"
      }
      ?? summary.moveMinutes.map { Self.ring($0, of: summary.moveMinutesGoal) + " min" }
    self.init(day: summary.dayText, what: move ?? "–", more: rings.joined(separator: ", "))
  }

  private init(_ beats: BeatLists.Row) {
    let record = beats.record
    self.init(
      start: record.start, end: record.end,
      what: "\(TypeName.title(record.type)) \(Self.amount(of: record))",
      more: AmountText.count(beats.offsets.count, "beat"), source: record.source)
  }

  private init(_ electrocardiogram: Electrocardiograms.Row) {
    let rate = NumberText.exact(electrocardiogram.sampleRate)
    let count = AmountText.count(electrocardiogram.voltages.count, "voltage")
    let lead = electrocardiogram.lead.isEmpty ? [] : [electrocardiogram.lead]
    self.init(
      electrocardiogram.facts, what: electrocardiogram.classification,
      more: (lead + ["\(rate) Hz", count]).joined(separator: ", "))
  }

  private init(_ audiogram: Audiograms.Row) {
    func mean(_ ear: (Audiograms.Point) -> Double?) -> String {
      let known = audiogram.points.compactMap(ear)
      guard !known.isEmpty else { return "–" }
      let mean = known.reduce(0) { $0 + $1 / Double(known.count) }
      return NumberText.rounded(mean, decimals: 0) + " dBHL"
    }
    self.init(
      audiogram.facts, what: Self.name(audiogram.type, after: "HKDataTypeIdentifier"),
      more: "\(AmountText.count(audiogram.points.count, "tone")), mean left "
        + "\(mean { $0.left.sensitivity }), right \(mean { $0.right.sensitivity })")
  }

  private init(_ prescription: VisionPrescriptions.Row) {
    let eyes = [("right", prescription.rightEye), ("left", prescription.leftEye)]
      .filter { !$0.1.isEmpty }.map { eye, parameters in
        let sphere = parameters.first { $0.name == "sphere" } ?? parameters[0]
        let unit = sphere.unit.isEmpty ? "" : " " + sphere.unit
        return "\(eye) \(sphere.name) \(NumberText.exact(sphere.value))\(unit)"
      }
    self.init(
      start: prescription.issued, end: prescription.expires,
      what: [
        Self.name(prescription.type, after: "HKVisionPrescriptionType"), prescription.brand,
      ].filter { !$0.isEmpty }.joined(separator: ", "),
      more: eyes.joined(separator: ", "))
  }

  private init(_ object: SavedObjects.Row) {
    let counts = [
      (object.properties.entries.count, "property", "properties"),
      (object.columns.first?.count ?? 0, "measurement", "measurements"),
    ].filter { $0.0 > 0 }.map { AmountText.count($0.0, $0.1, plural: $0.2) }
    let size = object.document.isEmpty ? [] : [AmountText.bytes(object.document.count)]
    self.init(
      object.facts, what: Self.name(object.type, after: "HKDataType"),
      more: (counts + size).joined(separator: ", "))
  }

  private init(_ record: ClinicalRecords.Row) {
    let size =
      record.resource.isEmpty ? "no document" : AmountText.bytes(record.resource.count)
    self.init(
      start: record.received, what: Self.name(record.type, after: "HKClinicalTypeIdentifier"),
      more: "FHIR \(record.version), \(size)", source: record.source)
  }

  /// Value and goal.
  private static func ring(_ value: Double, of goal: Double?) -> String {
    NumberText.rounded(value, decimals: 0)
      + (goal.map { "/" + NumberText.rounded($0, decimals: 0) } ?? "")
  }

  private static func amount(of record: RecordLink) -> String {
    let recorded = RecordedNumber(record)
    guard !recorded.unit.isEmpty else { return record.label }
    guard let unit = DisplayUnit(label: recorded.unit) else {
      return "\(NumberText.rounded(recorded.value)) \(recorded.unit)"
    }
    let name = Marks.drawn(
      Vocabulary.current.unit(unit.unit.shortDescription, of: TypeName.short(record.type)))
    return unit.number(recorded.value) + (name.isEmpty ? "" : " " + name)
  }

  /// The Swift name after a prefix.
  private static func name(_ identifier: String, after prefix: String) -> String {
    guard identifier.hasPrefix(prefix), identifier.count > prefix.count else { return identifier }
    return Catalogue.swiftName(of: identifier.dropFirst(prefix.count))
  }

  /// The value of a characteristic without the common prefix.
  private static func constant(_ value: String) -> String {
    let prefixes = ["HKBiologicalSex", "HKBloodType", "HKFitzpatrickSkinType"]
    let prefix = prefixes.first { value.hasPrefix($0) && value != $0 } ?? ""
    let short = value.dropFirst(prefix.count)
    return short.isEmpty ? "–" : String(short)
  }
}
