// Constants have Apple's names and identifiers, and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a category type, as `.sleepAnalysis`.
///
/// A name that is not in the catalogue can be made from its raw value.
public struct HKCategoryTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as in exports and stores.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from the part after the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// The common prefix of all identifiers of the kind.
  static let prefix = "HKCategoryTypeIdentifier"
}

extension HKCategoryTypeIdentifier {
  public static let abdominalCramps = Self(suffix: "AbdominalCramps")
  public static let acne = Self(suffix: "Acne")
  public static let appetiteChanges = Self(suffix: "AppetiteChanges")
  public static let appleStandHour = Self(suffix: "AppleStandHour")
  public static let appleWalkingSteadinessEvent = Self(suffix: "AppleWalkingSteadinessEvent")
  public static let audioExposureEvent = Self(suffix: "AudioExposureEvent")
  public static let bladderIncontinence = Self(suffix: "BladderIncontinence")
  public static let bleedingAfterMenopause = Self(suffix: "BleedingAfterMenopause")
  public static let bleedingAfterPregnancy = Self(suffix: "BleedingAfterPregnancy")
  public static let bleedingDuringPregnancy = Self(suffix: "BleedingDuringPregnancy")
  public static let bloating = Self(suffix: "Bloating")
  public static let breastPain = Self(suffix: "BreastPain")
  public static let cervicalMucusQuality = Self(suffix: "CervicalMucusQuality")
  public static let chestTightnessOrPain = Self(suffix: "ChestTightnessOrPain")
  public static let chills = Self(suffix: "Chills")
  public static let constipation = Self(suffix: "Constipation")
  public static let contraceptive = Self(suffix: "Contraceptive")
  public static let coughing = Self(suffix: "Coughing")
  public static let diarrhea = Self(suffix: "Diarrhea")
  public static let dizziness = Self(suffix: "Dizziness")
  public static let drySkin = Self(suffix: "DrySkin")
  public static let environmentalAudioExposureEvent = Self(suffix: "AudioExposureEvent")
  public static let fainting = Self(suffix: "Fainting")
  public static let fatigue = Self(suffix: "Fatigue")
  public static let fever = Self(suffix: "Fever")
  public static let generalizedBodyAche = Self(suffix: "GeneralizedBodyAche")
  public static let hairLoss = Self(suffix: "HairLoss")
  public static let handwashingEvent = Self(suffix: "HandwashingEvent")
  public static let headache = Self(suffix: "Headache")
  public static let headphoneAudioExposureEvent = Self(suffix: "HeadphoneAudioExposureEvent")
  public static let heartburn = Self(suffix: "Heartburn")
  public static let highHeartRateEvent = Self(suffix: "HighHeartRateEvent")
  public static let hotFlashes = Self(suffix: "HotFlashes")
  public static let hypertensionEvent = Self(suffix: "HypertensionEvent")
  public static let infrequentMenstrualCycles = Self(suffix: "InfrequentMenstrualCycles")
  public static let intermenstrualBleeding = Self(suffix: "IntermenstrualBleeding")
  public static let irregularHeartRhythmEvent = Self(suffix: "IrregularHeartRhythmEvent")
  public static let irregularMenstrualCycles = Self(suffix: "IrregularMenstrualCycles")
  public static let lactation = Self(suffix: "Lactation")
  public static let lossOfSmell = Self(suffix: "LossOfSmell")
  public static let lossOfTaste = Self(suffix: "LossOfTaste")
  public static let lowCardioFitnessEvent = Self(suffix: "LowCardioFitnessEvent")
  public static let lowHeartRateEvent = Self(suffix: "LowHeartRateEvent")
  public static let lowerBackPain = Self(suffix: "LowerBackPain")
  public static let memoryLapse = Self(suffix: "MemoryLapse")
  public static let menopausalState = Self(suffix: "MenopausalState")
  public static let menstrualFlow = Self(suffix: "MenstrualFlow")
  public static let mindfulSession = Self(suffix: "MindfulSession")
  public static let moodChanges = Self(suffix: "MoodChanges")
  public static let nausea = Self(suffix: "Nausea")
  public static let nightSweats = Self(suffix: "NightSweats")
  public static let ovulationTestResult = Self(suffix: "OvulationTestResult")
  public static let pelvicPain = Self(suffix: "PelvicPain")
  public static let persistentIntermenstrualBleeding = Self(
    suffix: "PersistentIntermenstrualBleeding")
  public static let pregnancy = Self(suffix: "Pregnancy")
  public static let pregnancyTestResult = Self(suffix: "PregnancyTestResult")
  public static let progesteroneTestResult = Self(suffix: "ProgesteroneTestResult")
  public static let prolongedMenstrualPeriods = Self(suffix: "ProlongedMenstrualPeriods")
  public static let rapidPoundingOrFlutteringHeartbeat = Self(
    suffix: "RapidPoundingOrFlutteringHeartbeat")
  public static let runnyNose = Self(suffix: "RunnyNose")
  public static let sexualActivity = Self(suffix: "SexualActivity")
  public static let shortnessOfBreath = Self(suffix: "ShortnessOfBreath")
  public static let sinusCongestion = Self(suffix: "SinusCongestion")
  public static let skippedHeartbeat = Self(suffix: "SkippedHeartbeat")
  public static let sleepAnalysis = Self(suffix: "SleepAnalysis")
  public static let sleepApneaEvent = Self(suffix: "SleepApneaEvent")
  public static let sleepChanges = Self(suffix: "SleepChanges")
  public static let soreThroat = Self(suffix: "SoreThroat")
  public static let toothbrushingEvent = Self(suffix: "ToothbrushingEvent")
  public static let vaginalDryness = Self(suffix: "VaginalDryness")
  public static let vomiting = Self(suffix: "Vomiting")
  public static let wheezing = Self(suffix: "Wheezing")
}
