/// The text `yyyy-MM-dd ` of the day asked for last, since neighbours in an export share it.
struct DayText {
  private var day = Int.min
  private var text: [UInt8] = []

  /// The text of a day, counted from 1970-01-01.
  mutating func text(ofDay day: Int) -> [UInt8] {
    if day != self.day {
      self.day = day
      text = [UInt8]((CivilDate(day: day).description + " ").utf8)
    }
    return text
  }
}

extension Int {
  /// Quotient rounded down, and a remainder that is never negative.
  func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
