/// One record of a stream, before it is text.
struct Row {
  /// Seconds since 1970-01-01 UTC.
  var start: Int
  var end: Int
  var created: Int
  /// In the unit that the stream's model speaks.
  var value: Double
  var writer: Writer
  var label = CategoryLabel.none
  var extra = Extra.none
  /// How much later than its sample a copy was made; 0 for what is no copy.
  var copyDelay = 0
  /// Whether the record stands inside its correlation alone, not at top level too.
  var isNestedOnly = false
  /// Which food of the diary it tells of, if it tells of one.
  var item = 0
}

extension Row {
  var isCopy: Bool { copyDelay > 0 }

  /// When the sample was made of which this is a copy, or itself: a copy has its words.
  var firstCreated: Int { created - copyDelay }

  /// Bits that tell the row from others of its stream, the same in every export.
  func mark(_ stream: UInt64) -> UInt64 {
    var chance = Chance(
      seed: UInt64(bitPattern: Int64(start)), stream: stream &+ UInt64(writer.rawValue),
      day: end - start)
    return chance.bits()
  }

  /// What makes two rows of a stream the same measurement, whenever they were written down.
  struct Measurement: Hashable {
    let start: Int
    let end: Int
    let writer: Writer
    let value: Double
    let label: CategoryLabel
  }

  var measurement: Measurement {
    Measurement(start: start, end: end, writer: writer, value: value, label: label)
  }

  /// The order of an export: by the date of creation.
  static func isBefore(_ one: Row, _ two: Row) -> Bool {
    (one.created, one.start, one.writer.rawValue, one.end)
      < (two.created, two.start, two.writer.rawValue, two.end)
  }
}

extension [Row] {
  private static var mostOfOne: Int { 4 }
  private static var longestGap: Int { 90 }

  /// The rows as iOS coalesces old ones of a counting type: up to four that one device made in a row
  /// become one that has their sum.
  func condensed() -> [Row] {
    let sorted = filter { !$0.isCopy }.sorted {
      ($0.writer.rawValue, $0.start, $0.end) < ($1.writer.rawValue, $1.start, $1.end)
    }
    var rows: [Row] = []
    var members = 0
    for row in sorted {
      if let last = rows.last, last.writer == row.writer, members < Self.mostOfOne,
        last.extra == row.extra, row.extra == .none,
        (0...Self.longestGap).contains(row.start - last.end)
      {
        rows[rows.count - 1].end = row.end
        rows[rows.count - 1].value += row.value
        rows[rows.count - 1].created = Swift.max(last.created, row.created)
        members += 1
      } else {
        rows.append(row)
        members = 1
      }
    }
    rows.sort(by: Row.isBefore)
    return rows
  }
}

/// What a record has inside.
enum Extra: UInt8 {
  case none
  case motionNotSet
  case motionSedentary
  case motionActive
  case userEntered
  case timeZone
  case effortByActivity
  case barometricPressure
  case beats
  case foodName
  /// What a person says of one of several foods.
  case foodItem
  /// The name of a food of the diary.
  case diaryFood
  /// That a cycle begins with the flow that a person typed in.
  case cycleStart
  /// That none begins with it.
  case cycleDay
}

extension Extra {
  /// How many metadata entries it is.
  var metadataCount: Int {
    switch self {
    case .none, .beats: 0
    case .foodItem: 4
    case .cycleStart, .cycleDay: 2
    default: 1
    }
  }

  /// Whether it says that a person typed the record in.
  var isUserEntered: Bool { self == .userEntered || self == .cycleStart || self == .cycleDay }
}

/// Constants of categories, and numbers in their place.
enum CategoryLabel: String {
  case none = ""
  case inBed = "HKCategoryValueSleepAnalysisInBed"
  case asleepUnspecified = "HKCategoryValueSleepAnalysisAsleepUnspecified"
  /// What iOS 15 and older called ``asleepUnspecified``.
  case asleep = "HKCategoryValueSleepAnalysisAsleep"
  case asleepCore = "HKCategoryValueSleepAnalysisAsleepCore"
  case asleepDeep = "HKCategoryValueSleepAnalysisAsleepDeep"
  case asleepREM = "HKCategoryValueSleepAnalysisAsleepREM"
  case awake = "HKCategoryValueSleepAnalysisAwake"
  case stood = "HKCategoryValueAppleStandHourStood"
  case idle = "HKCategoryValueAppleStandHourIdle"
  case bleedingUnspecified = "HKCategoryValueVaginalBleedingUnspecified"
  case bleedingLight = "HKCategoryValueVaginalBleedingLight"
  case bleedingMedium = "HKCategoryValueVaginalBleedingMedium"
  case bleedingHeavy = "HKCategoryValueVaginalBleedingHeavy"
  case bleedingNone = "HKCategoryValueVaginalBleedingNone"
  // What iOS 17 and older called those of bleeding.
  case flowUnspecified = "HKCategoryValueMenstrualFlowUnspecified"
  case flowLight = "HKCategoryValueMenstrualFlowLight"
  case flowMedium = "HKCategoryValueMenstrualFlowMedium"
  case flowHeavy = "HKCategoryValueMenstrualFlowHeavy"
  case flowNone = "HKCategoryValueMenstrualFlowNone"
  case notApplicable = "HKCategoryValueNotApplicable"
}

extension CategoryLabel {
  /// What a version calls the constant.
  func written(in version: ExportVersion) -> Self {
    switch self {
    case .asleepUnspecified where !version.hasSleepStages: .asleep
    case .bleedingUnspecified where !version.hasBleeding: .flowUnspecified
    case .bleedingLight where !version.hasBleeding: .flowLight
    case .bleedingMedium where !version.hasBleeding: .flowMedium
    case .bleedingHeavy where !version.hasBleeding: .flowHeavy
    case .bleedingNone where !version.hasBleeding: .flowNone
    default: self
    }
  }
}

/// What wrote a record: the name, and the device behind it.
enum Writer: Int, CaseIterable {
  case watch
  case phone
  /// The Health app, in which people type numbers.
  case hand
  case scale
  case food
  /// A watch of another maker, through its app; it hands samples over days later.
  case connect
  /// An app that records workouts.
  case tracker
  /// A diary of foods.
  case diary
  /// A watch that came later, under the name of the first.
  case newWatch

  /// The name, already escaped for an attribute.
  var escapedName: String {
    switch self {
    case .watch, .newWatch: "Anna’s Apple\u{A0}Watch"
    case .phone: "Anna’s iPhone"
    case .hand: "Health"
    case .scale: "Körperwaage"
    case .food: "Food &amp; Mood"
    case .connect: "Connect"
    case .tracker: "🏃 Tracker"
    case .diary: "Diary"
    }
  }

  /// Versions, from the oldest to the newest.
  var versions: [String] { Self.versions[rawValue] }

  /// The versions of all writers, made once: each record asks how many its writer has.
  private static let versions = allCases.map { writer in
    switch writer {
    case .watch: ["9.1", "9.4", "9.6.3", "10.1", "10.3.1", "10.6"]
    case .phone, .hand: ["16.1.2", "16.4", "16.6", "17.1", "17.3.1", "17.6"]
    case .scale: ["6.2.1", "6.3"]
    case .food: ["1214", "1302"]
    case .connect: ["4.72", "5.4.1"]
    case .tracker: ["371", "388"]
    case .diary: ["11.0", "11.4"]
    case .newWatch: ["10.1", "10.6", "11.0", "11.2"]
    }
  }

  /// What follows the address in a device description, up to the software's version.
  func deviceFields(manufacturer: String) -> String? {
    switch self {
    case .watch:
      "name:Apple Watch, manufacturer:\(manufacturer), model:Watch, hardware:Watch6,7, software:"
    case .phone:
      "name:iPhone, manufacturer:\(manufacturer), model:iPhone, hardware:iPhone14,5, software:"
    case .newWatch:
      "name:Apple Watch, manufacturer:\(manufacturer), model:Watch, hardware:Watch7,5, software:"
    case .hand, .scale, .food, .connect, .tracker, .diary: nil
    }
  }
}

extension Writer {
  /// Which of the versions is installed so far into the export.
  func versionIndex(at progress: Double) -> Int {
    min(versions.count - 1, Int(progress * Double(versions.count)))
  }

  /// The version installed so far into the export.
  func version(at progress: Double) -> String { versions[versionIndex(at: progress)] }
}
