import HealthAnalysis
import HealthAnswers

extension AnalysisAnswer {
  /// Menstrual cycles.
  func table(of found: CyclesAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.cycles)
    return table(
      list, rows.count,
      rows.interval(\.start, \.end) + [
        rows.count("length", unit: "d", about: "none of a cycle that goes on", \.cycle.length),
        rows.number("difference", unit: "d", about: "from the median", \.difference),
        rows.count("bleedLength", unit: "d", \.cycle.bleedLength),
        rows.count("flowDays", about: "days with flow", \.cycle.flowDayCount),
        rows.truth("counts", about: "whether it is in the median") { $0.difference != nil },
      ])
  }
}
