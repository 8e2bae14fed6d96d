// Cases have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A person's biological sex.
public enum HKBiologicalSex: Int, Sendable {
  case notSet = 0
  case female = 1
  case male = 2
  case other = 3
}

/// A person's blood type.
public enum HKBloodType: Int, Sendable {
  case notSet = 0
  case aPositive = 1
  case aNegative = 2
  case bPositive = 3
  case bNegative = 4
  case abPositive = 5
  case abNegative = 6
  case oPositive = 7
  case oNegative = 8
}

/// A person's skin type on the Fitzpatrick scale.
public enum HKFitzpatrickSkinType: Int, Sendable {
  case notSet = 0
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case I = 1
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case II = 2
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case III = 3
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case IV = 4
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case V = 5
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case VI = 6
}

/// Whether a person uses a wheelchair.
public enum HKWheelchairUse: Int, Sendable {
  case notSet = 0
  case no = 1
  case yes = 2
}

/// What counts towards a person's goal of movement: energy or time.
public enum HKActivityMoveMode: Int, Sendable {
  case activeEnergy = 1
  case appleMoveTime = 2
}
