/// The value of a sample of sleep analysis, by HealthKit's raw values.
public enum SleepStage: Int, Sendable, Hashable, CaseIterable {
  case inBed = 0
  /// Asleep without a stage; exports before iOS 16 print it as `Asleep`.
  case unspecified = 1
  case awake = 2
  case core = 3
  case deep = 4
  case rem = 5

  /// Whether a person in this stage is asleep.
  public var isAsleep: Bool { self != .inBed && self != .awake }

  /// The stages of sleep, from the deepest.
  public static let asleep: [SleepStage] = [.deep, .rem, .core, .unspecified]
}

extension SleepStage {
  /// The name of the stage for programs.
  package var key: String { self == .inBed ? "inBed" : String(describing: self) }

  /// The stages that a night is told in.
  package static let told = asleep + [.awake]
}
