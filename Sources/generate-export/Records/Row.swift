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
  var isCopy = false
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
}

/// Constants of categories, and numbers in their place.
enum CategoryLabel: String {
  case none = ""
  case inBed = "HKCategoryValueSleepAnalysisInBed"
  case asleepCore = "HKCategoryValueSleepAnalysisAsleepCore"
  case asleepDeep = "HKCategoryValueSleepAnalysisAsleepDeep"
  case asleepREM = "HKCategoryValueSleepAnalysisAsleepREM"
  case awake = "HKCategoryValueSleepAnalysisAwake"
  case stood = "HKCategoryValueAppleStandHourStood"
  case idle = "HKCategoryValueAppleStandHourIdle"
}

/// What wrote a record: the name, and the device behind it.
enum Writer: Int, CaseIterable {
  case watch
  case phone
  /// The Health app, in which people type numbers.
  case hand
  case scale
  case food

  /// The name, already escaped for an attribute.
  var escapedName: String {
    switch self {
    case .watch: "Anna’s Apple\u{A0}Watch"
    case .phone: "Anna’s iPhone"
    case .hand: "Health"
    case .scale: "Körperwaage"
    case .food: "Food &amp; Mood"
    }
  }

  /// Versions, from the oldest to the newest, and the hardware of the device, if it has one.
  var versions: [String] {
    switch self {
    case .watch: ["9.1", "9.4", "9.6.3", "10.1", "10.3.1", "10.6"]
    case .phone, .hand: ["16.1.2", "16.4", "16.6", "17.1", "17.3.1", "17.6"]
    case .scale: ["6.2.1", "6.3"]
    case .food: ["1214", "1302"]
    }
  }

  /// What follows the address in a device description, up to the software's version.
  var deviceFields: String? {
    switch self {
    case .watch:
      "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, software:"
    case .phone:
      "name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:"
    case .hand, .scale, .food: nil
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
