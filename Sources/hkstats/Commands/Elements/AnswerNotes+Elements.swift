import HealthExchange
import HealthQuery

extension AnswerNotes {
  /// That intervals of elements reach beyond the period that was asked for.
  static func reach(of period: ElementPeriod, first: Double?, last: Double?) -> AnswerNotes {
    var notes = AnswerNotes()
    guard period.interval != nil else { return notes }
    func moment(_ instant: Double) -> String {
      let time = LocalTime(instant, in: period.timeZone)
      return time.isMidnight ? time.dateText : time.momentText
    }
    var parts: [String] = []
    if let first, let from = period.from?.instant, first < from {
      parts.append("the first interval begins \(moment(first)), before --from")
    }
    if let last, let to = period.to?.instant, last > to {
      parts.append("the last interval ends \(moment(last)), after --to")
    }
    if !parts.isEmpty { notes.beside.append(parts.joined(separator: "; ") + ".") }
    return notes
  }
}
