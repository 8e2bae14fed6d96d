/// A published classification of blood pressure.
public enum BloodPressureGuideline: String, Sendable, Hashable, CaseIterable {
  /// D. W. Jones and others, *2025 AHA/ACC Guideline for the Prevention, Detection, Evaluation and
  /// Management of High Blood Pressure in Adults*, Hypertension 82: e212 (2025), the table of
  /// categories and table 7, of corresponding values at home.
  case ahaAcc2025
  /// J. W. McEvoy and others, *2024 ESC Guidelines for the management of elevated blood pressure and
  /// hypertension*, European Heart Journal 45: 3912 (2024), table 5.
  case esc2024
  /// G. Mancia and others, *2023 ESH Guidelines for the management of arterial hypertension*, Journal
  /// of Hypertension 41: 1874 (2023), the tables of the classification and of the definition by
  /// method of measurement.
  case esh2023

  /// Where readings are taken; pressure at home is lower than in an office.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// By a professional.
    case office
    /// By the person, at home.
    case home
  }

  /// A class of blood pressure, by the name that its guideline gives it.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    case optimal, normal, highNormal, elevated, nonElevated
    case stage1Hypertension, stage2Hypertension
    case hypertension, grade1Hypertension, grade2Hypertension, grade3Hypertension
    /// Below the definition of hypertension by readings at home (ESH 2023 has no finer classes).
    case belowHypertension
  }

  /// A row of a table: where the category begins, in mmHg.
  struct Row {
    let category: Category
    let systolic: Double
    /// `nil` where a category is about the systolic pressure alone.
    let diastolic: Double?

    init(_ category: Category, _ systolic: Double, _ diastolic: Double?) {
      (self.category, self.systolic, self.diastolic) = (category, systolic, diastolic)
    }
  }

  /// The table, from the lowest category on; the first has no lower edge.
  func rows(at place: Place) -> [Row] {
    switch (self, place) {
    case (.ahaAcc2025, .office):
      [
        Row(.normal, 0, 0), Row(.elevated, 120, nil), Row(.stage1Hypertension, 130, 80),
        Row(.stage2Hypertension, 140, 90),
      ]
    case (.ahaAcc2025, .home):
      [
        Row(.normal, 0, 0), Row(.elevated, 120, nil), Row(.stage1Hypertension, 130, 80),
        Row(.stage2Hypertension, 135, 85),
      ]
    case (.esc2024, .office):
      [Row(.nonElevated, 0, 0), Row(.elevated, 120, 70), Row(.hypertension, 140, 90)]
    case (.esc2024, .home):
      [Row(.nonElevated, 0, 0), Row(.elevated, 120, 70), Row(.hypertension, 135, 85)]
    case (.esh2023, .office):
      [
        Row(.optimal, 0, 0), Row(.normal, 120, 80), Row(.highNormal, 130, 85),
        Row(.grade1Hypertension, 140, 90), Row(.grade2Hypertension, 160, 100),
        Row(.grade3Hypertension, 180, 110),
      ]
    case (.esh2023, .home):
      [Row(.belowHypertension, 0, 0), Row(.hypertension, 135, 85)]
    }
  }

  /// The categories, from the lowest on.
  public func categories(at place: Place) -> [Category] { rows(at: place).map(\.category) }

  /// Where a category begins.
  public struct LowerEdges: Sendable, Hashable {
    /// In mmHg; `nil` for the lowest category.
    public let systolic: Double?
    /// In mmHg; `nil` for the lowest category, and where the diastolic pressure does not decide.
    public let diastolic: Double?
  }

  /// Where a category begins: the systolic pressure, or the diastolic one.
  ///
  /// - Returns: the edges; `nil` for a category that the table does not have
  public func lowerEdges(of category: Category, at place: Place) -> LowerEdges? {
    let rows = rows(at: place)
    guard let row = rows.firstIndex(where: { $0.category == category }) else { return nil }
    guard row > 0 else { return LowerEdges(systolic: nil, diastolic: nil) }
    return LowerEdges(systolic: rows[row].systolic, diastolic: rows[row].diastolic)
  }
}

extension BloodPressureGuideline {
  /// The class of a reading, or of an average of readings.
  ///
  /// Each number has a class, and the higher one decides. A category begins at its lower edge and ends
  /// below the next one. An average is not rounded first: 129.6 is below 130. It is the class of some
  /// readings, not a diagnosis.
  ///
  /// ```swift
  /// let category = try BloodPressureGuideline.esc2024.classified(
  ///   systolic: 118, diastolic: 74, at: .home
  /// ).category  // elevated, by the diastolic pressure
  /// ```
  ///
  /// - Parameters:
  ///   - systolic: in mmHg
  ///   - diastolic: in mmHg, below the systolic pressure
  ///   - place: where the readings were taken
  /// - Returns: the class, and that of each number
  /// - Throws: `AnalysisError` for a number that is not finite, or not 0 < diastolic < systolic
  /// - Complexity: O(1)
  public func classified(
    systolic: Double, diastolic: Double, at place: Place
  ) throws(AnalysisError) -> BloodPressureClass {
    try BloodPressureReadings.check(systolic: systolic, diastolic: diastolic)
    let rows = rows(at: place)
    let upper = rows.lastIndex { systolic >= $0.systolic } ?? 0
    let lower = rows.lastIndex { row in row.diastolic.map { diastolic >= $0 } ?? false } ?? 0
    return BloodPressureClass(
      guideline: self, place: place, category: rows[max(upper, lower)].category,
      systolicCategory: rows[upper].category, diastolicCategory: rows[lower].category)
  }
}
