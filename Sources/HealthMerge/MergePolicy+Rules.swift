package import HealthSamples

/// What a policy decides: everything else asks here and never for a policy by name.
extension MergePolicy {
  /// How a source's samples become segments below the sources that rank higher.
  enum Masking {
    /// All samples stay whole.
    case nothing
    /// Time that higher sources cover is taken away.
    case coveredTime
    /// What higher sources counted is taken away.
    case countedAmount
    /// Samples that overlap what counts are taken away.
    case overlappingSamples
    /// Each moment goes to one record of all.
    case allButTopRecord
    /// Nothing is taken away, and each sample counts at the instant where it starts.
    case nothingAtStarts
  }

  /// How samples of a type are masked.
  func masking(of type: SampleType) -> Masking {
    guard type.style?.isCumulative == true else { return .nothing }
    switch self {
    case .hk: return .coveredTime
    case .hc: return type.isPlainSumInHealthConnect ? .nothingAtStarts : .allButTopRecord
    case .subtractive: return .countedAmount
    case .drop: return .overlappingSamples
    case .highest, .none: return .nothing
    }
  }

  /// What decides how much of a sample of a type counts.
  package enum Dependence: Sendable {
    /// Nothing beside the sample.
    case onNothing
    /// Samples of other sources that touch it.
    case onOtherSources
    /// Any sample, or a rule of its own.
    case onAll
  }

  /// What decides how much of a sample of a type counts.
  package func dependence(of type: SampleType) -> Dependence {
    switch masking(of: type) {
    case .nothing: truncates(type) ? .onAll : .onNothing
    case .coveredTime, .countedAmount, .overlappingSamples: .onOtherSources
    case .allButTopRecord, .nothingAtStarts: .onAll
    }
  }

  /// Whether sources that the order does not list count nothing for a type.
  package func ignoresUnlistedSources(of type: SampleType) -> Bool {
    if case .allButTopRecord = masking(of: type) { true } else { false }
  }

  /// Whether a record counts by when it was last changed, so that somebody must tell.
  package func ranksByChange(samplesOf type: SampleType) -> Bool {
    if case .allButTopRecord = masking(of: type) { true } else { false }
  }

  /// Whether one source is chosen for each interval, once sums are known.
  package func choosesSourceOfInterval(of type: SampleType) -> Bool {
    self == .highest && type.style?.isCumulative == true
  }

  /// Whether sums and means of a type are whole numbers, cut towards zero.
  package func truncates(_ type: SampleType) -> Bool {
    self == .hc && HealthConnect.longValuedTypes.contains(type.identifier)
  }

  /// Whether the last interval ends at the end of the period that was asked for, and each month is
  /// counted from the one before it.
  package var followsHealthConnectIntervals: Bool { self == .hc }

  /// Whether every segment is a share by time of its sample, which exact sums build on.
  package var sharesByTime: Bool { self != .subtractive }
}

extension SampleType {
  fileprivate var isPlainSumInHealthConnect: Bool {
    HealthConnect.plainSumPrefixes.contains { identifier.hasPrefix($0) }
  }
}

/// Facts about types as Health Connect has them.
private enum HealthConnect {
  /// Types whose amounts are of the type `Long` there.
  static let longValuedTypes: Set = [
    "HKQuantityTypeIdentifierStepCount",
    "HKQuantityTypeIdentifierPushCount",
    "HKQuantityTypeIdentifierHeartRate",
  ]

  /// Nutrition, hydration and vitals: no priority list, every record counts where it starts.
  static let plainSumPrefixes = [
    "HKQuantityTypeIdentifierDietary",
    "HKQuantityTypeIdentifierInhalerUsage",
    "HKQuantityTypeIdentifierInsulinDelivery",
    "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages",
  ]
}
