// Cases have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The only value of a category type whose samples say no more than that something happened.
public enum HKCategoryValue: Int, Sendable {
  case notApplicable = 0
}

/// How someone's appetite changed.
public enum HKCategoryValueAppetiteChanges: Int, Sendable {
  case unspecified = 0
  case noChange = 1
  case decreased = 2
  case increased = 3
}

/// Whether someone stood and moved within an hour.
public enum HKCategoryValueAppleStandHour: Int, Sendable {
  case stood = 0
  case idle = 1
}

/// What a notification about walking steadiness said.
public enum HKCategoryValueAppleWalkingSteadinessEvent: Int, Sendable {
  case initialLow = 1
  case initialVeryLow = 2
  case repeatLow = 3
  case repeatVeryLow = 4
}

/// The older enumeration of events of audio exposure.
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
  case loudEnvironment = 1
}

/// The quality of cervical mucus.
public enum HKCategoryValueCervicalMucusQuality: Int, Sendable {
  case dry = 1
  case sticky = 2
  case creamy = 3
  case watery = 4
  case eggWhite = 5
}

/// A kind of contraceptive.
public enum HKCategoryValueContraceptive: Int, Sendable {
  case unspecified = 1
  case implant = 2
  case injection = 3
  case intrauterineDevice = 4
  case intravaginalRing = 5
  case oral = 6
  case patch = 7
}

/// What a notification about sound in the surroundings said.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable {
  case momentaryLimit = 1
}

/// What a notification about headphone audio said.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable {
  case sevenDayLimit = 1
}

/// What a notification about low cardio fitness said.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable {
  case lowFitness = 1
}

/// The older enumeration of the strength of menstrual flow.
///
/// Newer code uses ``HKCategoryValueVaginalBleeding``, which has the same raw values.
public enum HKCategoryValueMenstrualFlow: Int, Sendable {
  case unspecified = 1
  case light = 2
  case medium = 3
  case heavy = 4
  case none = 5
}

/// The result of an ovulation test.
public enum HKCategoryValueOvulationTestResult: Int, Sendable {
  case negative = 1
  case luteinizingHormoneSurge = 2
  case indeterminate = 3
  case estrogenSurge = 4

  /// The older name of ``luteinizingHormoneSurge``.
  @available(*, deprecated, renamed: "luteinizingHormoneSurge")
  public static var positive: Self { .luteinizingHormoneSurge }
}

/// The result of a pregnancy test.
public enum HKCategoryValuePregnancyTestResult: Int, Sendable {
  case negative = 1
  case positive = 2
  case indeterminate = 3
}

/// Whether a symptom is present.
public enum HKCategoryValuePresence: Int, Sendable {
  case present = 0
  case notPresent = 1
}

/// The result of a progesterone test.
public enum HKCategoryValueProgesteroneTestResult: Int, Sendable {
  case negative = 1
  case positive = 2
  case indeterminate = 3
}

/// How severe a symptom is.
public enum HKCategoryValueSeverity: Int, Sendable {
  case unspecified = 0
  case notPresent = 1
  case mild = 2
  case moderate = 3
  case severe = 4
}

/// What someone in bed did: lie there, sleep in a stage, or be awake.
public enum HKCategoryValueSleepAnalysis: Int, Sendable {
  case inBed = 0
  case asleepUnspecified = 1
  case awake = 2
  case asleepCore = 3
  case asleepDeep = 4
  case asleepREM = 5

  /// Every value that counts as sleep.
  public static var allAsleepValues: Set<Self> {
    [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
  }

  /// The older name of ``asleepUnspecified``.
  @available(*, deprecated, renamed: "asleepUnspecified")
  public static var asleep: Self { .asleepUnspecified }
}

/// The strength of vaginal bleeding.
public enum HKCategoryValueVaginalBleeding: Int, Sendable {
  case unspecified = 1
  case light = 2
  case medium = 3
  case heavy = 4
  case none = 5
}
