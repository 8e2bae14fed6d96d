public import HealthSamples

/// Seeded elements of every kind, for tests of the store.
public struct RandomElements {
  public var random: SplitMix64

  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

  /// A number as exports print it, sometimes one of many digits.
  private mutating func decimal() -> Double {
    if chance(10) { return Double.random(in: -1e3...1e3, using: &random) }
    return Double("\(number(0..<999_999))e\(number(-8..<0))") ?? 0
  }

  private mutating func perhaps() -> Double? { chance(70) ? decimal() : nil }

  private mutating func word() -> String {
    ["", "x", "Ä & 🍎", "HKMetadataKeyIndoorWorkout", "a b"][number(0..<5)]
  }

  private mutating func metadata() -> Metadata {
    Metadata((0..<number(0..<3)).map { _ in Metadata.Entry(key: word(), value: word()) })
  }

  private mutating func facts() -> ElementFacts {
    var facts = ElementFacts()
    facts.source = Source(
      name: ["Anna’s Apple\u{A0}Watch", "iPhone", "Strava"][number(0..<3)],
      isUserEntered: chance(10))
    facts.origin = Origin(sourceVersion: "11.\(number(0..<9))", device: "name:Apple Watch")
    if chance(80) { facts.created = Double(number(0..<800_000_000)) }
    facts.start = Double(number(0..<40) * 600)
    facts.end = facts.start + Double(number(0..<3) * 1800)
    facts.metadata = metadata()
    return facts
  }

  private mutating func link() -> RecordLink {
    RecordLink(
      type: word(), source: Source(name: "iPhone"), start: Double(number(0..<9)),
      end: Double(number(9..<20)), value: decimal(), label: word())
  }

  private mutating func statistics() -> Workouts.Statistics {
    var statistics = Workouts.Statistics()
    statistics.type = word()
    statistics.unit = "kcal"
    statistics.recordedUnit = "kJ"
    statistics.start = decimal()
    statistics.end = decimal()
    statistics.sum = perhaps()
    statistics.average = perhaps()
    statistics.minimum = perhaps()
    statistics.maximum = perhaps()
    return statistics
  }

  private mutating func event() -> Workouts.Event {
    var event = Workouts.Event()
    event.type = word()
    event.date = decimal()
    event.duration = perhaps()
    event.metadata = metadata()
    return event
  }

  public mutating func workout() -> Workouts.Row {
    var row = Workouts.Row()
    row.facts = facts()
    row.activity = ["HKWorkoutActivityTypeRunning", "HKWorkoutActivityTypeYoga"][number(0..<2)]
    row.duration = perhaps()
    row.statistics = (0..<number(0..<4)).map { _ in statistics() }
    row.events = (0..<number(0..<4)).map { _ in event() }
    row.activities = (0..<number(0..<3)).map { _ in
      var activity = Workouts.Activity()
      activity.identifier = word()
      activity.start = decimal()
      activity.end = perhaps()
      activity.duration = perhaps()
      activity.statistics = [statistics()]
      activity.events = [event()]
      activity.metadata = metadata()
      return activity
    }
    row.zoneGroups = (0..<number(0..<2)).map { _ in
      var group = Workouts.ZoneGroup()
      group.type = word()
      group.source = word()
      group.unit = "count/min"
      var zone = Workouts.Zone()
      zone.minimum = perhaps()
      zone.maximum = perhaps()
      zone.duration = perhaps()
      group.zones = [zone, Workouts.Zone()]
      return group
    }
    row.records = (0..<number(0..<2)).map { _ in link() }
    return row
  }

  public mutating func route() -> Routes.Row {
    var row = Routes.Row()
    row.facts = facts()
    row.path = word()
    row.activity = word()
    row.workoutStart = row.facts.start
    row.workoutEnd = row.facts.end
    row.locations = locations(number(0..<9) == 0 ? number(1000..<3000) : number(0..<40))
    return row
  }

  /// A walk of one place a second, with the digits that exports print.
  public mutating func locations(_ count: Int) -> LocationColumns {
    var locations = LocationColumns()
    var (latitude, longitude, altitude) = (48_858_370, 2_294_481, 35_000)
    for second in 0..<count {
      latitude += number(-30..<31)
      longitude += number(-30..<31)
      altitude += number(-300..<301)
      locations.append(
        time: 700_000_000 + Double(second), latitude: Double(latitude) / 1e6,
        longitude: Double(longitude) / 1e6, altitude: Double(altitude) / 1e3,
        horizontalAccuracy: Double(number(2_000..<6_000)) / 1e3,
        verticalAccuracy: Double(number(2_000..<6_000)) / 1e3,
        course: Double(number(0..<360_000)) / 1e3, speed: Double(number(2_000..<3_500)) / 1e3)
    }
    return locations
  }

  public mutating func correlation() -> Correlations.Row {
    var row = Correlations.Row()
    row.facts = facts()
    row.type = "HKCorrelationTypeIdentifierFood"
    row.members = (0..<number(0..<5)).map { _ in link() }
    return row
  }

  public mutating func activitySummary() -> ActivitySummaries.Row {
    var row = ActivitySummaries.Row()
    row.day = number(-20..<20)
    row.activeEnergy = perhaps()
    row.activeEnergyGoal = perhaps()
    row.recordedEnergyUnit = "Cal"
    row.moveMinutes = perhaps()
    row.moveMinutesGoal = perhaps()
    row.exerciseMinutes = perhaps()
    row.exerciseMinutesGoal = perhaps()
    row.standHours = perhaps()
    row.standHoursGoal = perhaps()
    return row
  }

  public mutating func beatList() -> BeatLists.Row {
    var row = BeatLists.Row(record: link())
    let count = number(0..<60)
    row.offsets = (0..<count).map { Double($0) * 0.9 }
    row.rates = (0..<count).map { _ in Double(number(40..<90)) }
    return row
  }

  public mutating func electrocardiogram() -> Electrocardiograms.Row {
    var row = Electrocardiograms.Row()
    row.facts = facts()
    row.classification = word()
    row.symptoms = word()
    row.lead = "Lead I"
    row.sampleRate = 512
    row.path = word()
    row.voltages = (0..<number(0..<2000)).map { _ in Double(number(-400_000..<900_000)) / 1e3 }
    return row
  }

  public mutating func audiogram() -> Audiograms.Row {
    var row = Audiograms.Row()
    row.facts = facts()
    row.type = "HKDataTypeIdentifierAudiogram"
    row.points = (0..<number(0..<8)).map { _ in
      var point = Audiograms.Point()
      point.frequency = decimal()
      point.left.sensitivity = perhaps()
      point.left.isMasked = [nil, true, false][number(0..<3)]
      point.right.clampingLowerBound = perhaps()
      point.right.clampingUpperBound = perhaps()
      return point
    }
    return row
  }

  public mutating func visionPrescription() -> VisionPrescriptions.Row {
    var row = VisionPrescriptions.Row()
    row.type = word()
    row.issued = Double(number(0..<9))
    row.expires = perhaps()
    row.brand = word()
    row.rightEye = [.init(name: "sphere", value: decimal(), unit: "D")]
    row.attachments = (0..<number(0..<3)).map { _ in word() }
    row.metadata = metadata()
    return row
  }

  public mutating func clinicalRecord() -> ClinicalRecords.Row {
    var row = ClinicalRecords.Row()
    row.type = word()
    row.identifier = "\(number(0..<9))"
    row.source = Source(name: "Clinic")
    row.sourceURL = word()
    row.version = "4.0.1"
    row.received = Double(number(0..<9))
    row.path = word()
    row.resource = (0..<number(0..<90)).map { _ in UInt8.random(in: 0...255, using: &random) }
    return row
  }

  public mutating func savedObject() -> SavedObjects.Row {
    var row = SavedObjects.Row()
    row.facts = facts()
    row.type = word()
    row.properties = metadata()
    row.document = (0..<number(0..<20)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let count = number(0..<5)
    row.columns = (0..<number(0..<4)).map { _ in (0..<count).map { _ in decimal() } }
    return row
  }

  /// Some elements of every kind.
  public mutating func batches() -> [ImportBatch] {
    func some<Row>(_ row: () -> Row) -> [Row] { (0..<number(1..<12)).map { _ in row() } }
    return [
      .workouts(Workouts(some { workout() })), .routes(Routes(some { route() })),
      .correlations(Correlations(some { correlation() })),
      .activitySummaries(ActivitySummaries(some { activitySummary() })),
      .beatLists(BeatLists(some { beatList() })),
      .electrocardiograms(Electrocardiograms(some { electrocardiogram() })),
      .audiograms(Audiograms(some { audiogram() })),
      .visionPrescriptions(VisionPrescriptions(some { visionPrescription() })),
      .clinicalRecords(ClinicalRecords(some { clinicalRecord() })),
      .characteristics(Characteristics([metadata()])),
      .savedObjects(SavedObjects(some { savedObject() })),
    ]
  }
}
