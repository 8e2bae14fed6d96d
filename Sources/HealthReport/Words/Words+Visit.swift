import HealthSamples

extension Words.Visit {
  /// The name of what an electrocardiogram shows.
  func name(of finding: Electrocardiograms.Finding) -> String {
    switch finding {
    case .sinusRhythm: sinusRhythm
    case .atrialFibrillation: atrialFibrillation
    case .lowHeartRate: lowHeartRate
    case .highHeartRate: highHeartRate
    case .poorRecording: poorRecording
    case .inconclusive: inconclusive
    }
  }

  /// The name of a sex as exports write it; `nil` for a word that is not known.
  func name(ofSex constant: String) -> String? {
    switch constant {
    case "HKBiologicalSexFemale": female
    case "HKBiologicalSexMale": male
    case "HKBiologicalSexOther": otherSex
    default: nil
    }
  }
}
