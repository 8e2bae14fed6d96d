extension NumberWriter {
  /// A number of a table as it is shown.
  func text(_ shown: Int, _ form: PageTable.Form, unit: String = "") -> String {
    switch form {
    case .number(let digits): withUnit(number(shown, digits: digits), unit)
    case .percent(let digits): percent(shown, digits: digits)
    case .duration: duration(minutes: shown)
    case .clock: DateWriter(language).clock(minutes: shown)
    }
  }

  /// What the reader's subtraction of two numbers gives, with its sign.
  func difference(_ now: Int, _ before: Int, _ form: PageTable.Form) -> String {
    let difference = ScaledNumber.difference(now, from: before)
    switch form {
    case .number(let digits), .percent(let digits):
      return self.difference(difference, digits: digits)
    case .duration, .clock: return durationDifference(minutes: difference)
    }
  }

  /// A label of an axis, with as many digits as its step needs; the numbers are those of a form, scaled.
  func label(_ tick: Double, _ axis: Axis, _ form: PageTable.Form) -> String {
    switch form {
    case .number(let digits), .percent(let digits):
      // The axis counts in shown digits. All labels have as many as the step needs.
      let most = max(0, min(9, digits + axis.digits))
      let needed = (0...most).first { places in
        axis.ticks.allSatisfy { tick in
          let scaled = tick / ScaledNumber.power(digits) * ScaledNumber.power(places)
          return abs(scaled - scaled.rounded()) < 1e-6
        }
      }
      let value = tick / ScaledNumber.power(digits)
      guard let text = ScaledNumber.scaled(value, digits: needed ?? most) else { return "" }
      return number(text, digits: needed ?? most)
    case .duration:
      return duration(minutes: Int(tick.rounded()))
    case .clock: return DateWriter(language).clock(minutes: Int(tick.rounded()))
    }
  }
}
