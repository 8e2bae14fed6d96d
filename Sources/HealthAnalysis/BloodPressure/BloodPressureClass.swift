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

  /// Which of both pressures alone is that of hypertension; `nil` for both, for neither, and for a
  /// guideline whose table of classes has no such row.
  ///
  /// It is in that of ESH 2023, beside the grade: systolic 140 or more and diastolic below 90, or systolic
  /// below 140 and diastolic 90 or more. At home the edges are 135 and 85, those of its definition there.
  public var isolated: BloodPressureGuideline.Isolated? {
    guard guideline.namesIsolated else { return nil }
    let names: Set<BloodPressureGuideline.Category> = [
      .hypertension, .grade1Hypertension, .grade2Hypertension, .grade3Hypertension,
    ]
    switch (names.contains(systolicCategory), names.contains(diastolicCategory)) {
    case (true, false): return .systolic
    case (false, true): return .diastolic
    default: return nil
    }
  }
}

extension BloodPressureGuideline {
  /// Whether its table of classes has hypertension of one of both pressures alone.
  public var namesIsolated: Bool { self == .esh2023 }

  /// Hypertension of one of both pressures alone.
  public enum Isolated: String, Sendable, Hashable, CaseIterable {
    /// Isolated systolic hypertension.
    case systolic
    /// Isolated diastolic hypertension.
    case diastolic
  }
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
