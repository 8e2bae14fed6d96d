// Cases have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A class of walking steadiness.
public enum HKAppleWalkingSteadinessClassification: Int, Sendable, CaseIterable {
  case ok = 1
  case low = 2
  case veryLow = 3
}

/// A class of breathing disturbances during sleep.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, Sendable, CaseIterable {
  case notElevated = 0
  case elevated = 1
}

/// How sound reached the ear in a hearing test.
public enum HKAudiogramConductionType: Int, Sendable {
  case air = 0
}

/// The ear that a hearing test tested.
public enum HKAudiogramSensitivityTestSide: Int, Sendable {
  case left = 0
  case right = 1
}

/// What a vision prescription prescribes.
public enum HKVisionPrescriptionType: Int, Sendable {
  case glasses = 1
  case contacts = 2
}

/// The eye for which a lens is prescribed.
public enum HKVisionEye: Int, Sendable {
  case left = 1
  case right = 2
}

/// The direction in which a prism shifts an image.
public enum HKPrismBase: Int, Sendable {
  case none = 0
  case up = 1
  case down = 2
  case `in` = 3
  case out = 4
}
