import HealthAnalysis
import HealthAnswers

extension AnalysisAnswer {
  /// Readings of blood pressure by class.
  func table(of found: PressureAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.classes)
    return table(
      list, rows.count,
      [
        rows.word("class", \.category.rawValue),
        rows.number(
          "systolicFrom", unit: "mmHg", about: "from which number; none of the lowest class",
          \.systolicFrom),
        rows.number("diastolicFrom", unit: "mmHg", \.diastolicFrom),
        rows.count("count", about: "how many readings", \.count),
        rows.number("share", unit: "1", about: "of all readings") { found.share($0.count) },
        rows.count("mornings", about: "how many of mornings", \.mornings),
        rows.count("evenings", about: "how many of evenings", \.evenings),
      ])
  }
}
