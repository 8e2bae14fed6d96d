/// One type of record: what an export calls it, and the model that makes its rows.
struct RecordStream {
  /// The full identifier.
  let type: String
  /// How values are written, or nothing for a category.
  let unit: RecordUnit?
  /// The version that first had the type.
  let since: ExportVersion
  /// Whether the export holds the newest record first.
  let isReversed: Bool
  /// Adds the rows of a day.
  let model: Model

  /// A way to make the rows of a day.
  struct Model: Sendable {
    let addRows: @Sendable (inout DayRecorder) -> Void

    /// No rows at all.
    static let empty = Self { _ in }
  }

  /// Decides the random numbers of the stream.
  let key: UInt64

  init(
    _ type: String, _ unit: RecordUnit?, since: ExportVersion = .ios8, isReversed: Bool = false,
    _ model: Model
  ) {
    self.type = type
    self.unit = unit
    self.since = since
    self.isReversed = isReversed
    self.model = model
    key = type.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }
  }
}

extension RecordStream {
  private static let condensed: Set = [
    "StepCount", "DistanceWalkingRunning", "BasalEnergyBurned", "ActiveEnergyBurned",
  ]

  /// The identifier of a quantity without `HKQuantityTypeIdentifier`.
  var name: String {
    type.hasPrefix("HKQuantityTypeIdentifier") ? String(type.dropFirst(24)) : type
  }

  /// Whether iOS coalesces old records of the type.
  var isCondensed: Bool { Self.condensed.contains(name) }

  /// Whether records of the type belong to correlations.
  var isPartOfCorrelation: Bool {
    name.hasPrefix("BloodPressure") || name.hasPrefix("Dietary")
  }

  /// The same type with another model.
  func with(_ model: Model) -> RecordStream {
    RecordStream(type, unit, since: since, isReversed: isReversed, model)
  }

  static func quantity(
    _ name: String, _ unit: RecordUnit, since: ExportVersion = .ios8, isReversed: Bool = false,
    _ model: Model
  ) -> RecordStream {
    RecordStream(
      "HKQuantityTypeIdentifier" + name, unit, since: since, isReversed: isReversed, model)
  }

  static func category(
    _ name: String, since: ExportVersion = .version3, _ model: Model
  ) -> RecordStream {
    RecordStream("HKCategoryTypeIdentifier" + name, nil, since: since, model)
  }
}

extension RecordStream {
  private static let cumulative: Set = [
    "StepCount", "DistanceWalkingRunning", "BasalEnergyBurned", "ActiveEnergyBurned",
    "FlightsClimbed", "AppleExerciseTime", "AppleStandTime", "TimeInDaylight",
  ]

  /// Whether amounts of the type are added up.
  var isCumulative: Bool { Self.cumulative.contains(name) || name.hasPrefix("Dietary") }
}
