/// The class of a blood pressure by one guideline.
public struct BloodPressureClass: Sendable, Hashable {
  /// The guideline.
  public let guideline: BloodPressureGuideline
  /// Where the readings were taken.
  public let place: BloodPressureGuideline.Place
  /// The class: the higher one of both numbers.
  public let category: BloodPressureGuideline.Category
  /// The class by the systolic pressure alone.
  public let systolicCategory: BloodPressureGuideline.Category
  /// The class by the diastolic pressure alone.
  public let diastolicCategory: BloodPressureGuideline.Category
}

extension BloodPressureClass: CustomStringConvertible {
  /// What the class is of and by, as in `class of readings at home by ESC 2024: elevated`.
  public var description: String {
    let place = place == .home ? "at home" : "in an office"
    return "class of readings \(place) by \(guideline.name): \(category.name)"
  }
}

extension BloodPressureGuideline {
  /// Who made the guideline, and when.
  public var name: String {
    switch self {
    case .ahaAcc2025: "AHA/ACC 2025"
    case .esc2024: "ESC 2024"
    case .esh2023: "ESH 2023"
    }
  }
}

extension BloodPressureGuideline.Category {
  /// The class in words.
  public var name: String {
    switch self {
    case .optimal: "optimal"
    case .normal: "normal"
    case .highNormal: "high-normal"
    case .elevated: "elevated"
    case .nonElevated: "non-elevated"
    case .stage1Hypertension: "stage 1 hypertension"
    case .stage2Hypertension: "stage 2 hypertension"
    case .hypertension: "hypertension"
    case .grade1Hypertension: "grade 1 hypertension"
    case .grade2Hypertension: "grade 2 hypertension"
    case .grade3Hypertension: "grade 3 hypertension"
    case .belowHypertension: "below the definition of hypertension"
    }
  }
}
