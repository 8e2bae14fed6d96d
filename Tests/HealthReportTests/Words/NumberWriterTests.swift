import Testing

@testable import HealthReport

@Suite("Numbers of a report")
struct NumberWriterTests {
  @Test("are those that a browser writes", arguments: IntlVectors.rows(IntlVectors.numbers))
  func vectors(row: [String]) throws {
    let writer = NumberWriter(try #require(ReportLanguage(identifier: row[0])))
    let (scaled, digits) = (try #require(Int(row[1])), try #require(Int(row[2])))
    #expect(writer.number(scaled, digits: digits) == row[3])
    #expect(writer.difference(scaled, digits: digits) == (scaled == 0 ? "±0" : row[4]))
  }

  @Test("read back as what they were", arguments: ReportLanguage.Base.allCases)
  func roundTrip(base: ReportLanguage.Base) {
    let writer = NumberWriter(ReportLanguage(base))
    for digits in 0...4 {
      for scaled in [0, 1, -1, 9, 10, 99, 999, 1000, -1000, 9999, 10_000, 123_456, -98_765_432] {
        let text = writer.number(scaled, digits: digits)
        let sign = text.hasPrefix("\u{2212}") ? "-" : ""
        #expect(Int(sign + text.filter(\.isNumber)) == scaled)
        #expect(!text.contains(" ") && !text.contains("-"))
      }
    }
    #expect(writer.number(.min).filter(\.isNumber) == "9223372036854775808")
    #expect(writer.number(.max, digits: 9).filter(\.isNumber) == "9223372036854775807")
  }

  @Test("of a value are rounded once, half away from zero, on the digits that one reads")
  func scaled() {
    #expect(ScaledNumber.scaled(66.85, digits: 1) == 669)
    #expect(ScaledNumber.scaled(1.005, digits: 2) == 101)
    #expect(ScaledNumber.scaled(-0.5, digits: 0) == -1)
    #expect(ScaledNumber.scaled(0.49999, digits: 0) == 0)
    #expect(ScaledNumber.scaled(2.5, digits: 0) == 3)
    #expect(ScaledNumber.scaled(0.972, digits: 1, percent: true) == 972)
    #expect(ScaledNumber.scaled(0.2855, digits: 1, percent: true) == 286)
    #expect(ScaledNumber.scaled(1e-7, digits: 2) == 0)
    #expect(ScaledNumber.scaled(.leastNonzeroMagnitude, digits: 9) == 0)
    #expect(ScaledNumber.scaled(5e-7, digits: 6) == 1)
    #expect(ScaledNumber.scaled(1.5e16, digits: 1) == 150_000_000_000_000_000)
    #expect(ScaledNumber.scaled(1e19, digits: 0) == nil)
    #expect(ScaledNumber.scaled(.greatestFiniteMagnitude, digits: 9) == nil)
    #expect(ScaledNumber.scaled(.nan, digits: 0) == nil)
    #expect(ScaledNumber.scaled(-.infinity, digits: 0) == nil)
    #expect(ScaledNumber.scaled(-0.0, digits: 1) == 0)
    #expect(ScaledNumber.minutes(seconds: 29_130) == 486)
    #expect(ScaledNumber.minutes(seconds: -90) == -2)
  }

  @Test("that were shown are scaled to themselves", arguments: 0...4)
  func scaledOfText(digits: Int) throws {
    for whole in stride(from: -40_000, through: 40_000, by: 7) {
      let digitsText = String(repeating: "0", count: digits) + "\(whole.magnitude)"
      let text =
        (whole < 0 ? "-" : "") + "0" + digitsText.dropLast(digits) + "." + digitsText.suffix(digits)
        + "0"
      #expect(ScaledNumber.scaled(try #require(Double(text)), digits: digits) == whole)
      let half = try #require(Double(text.dropLast() + "5"))
      #expect(ScaledNumber.scaled(half, digits: digits) == (whole < 0 ? whole - 1 : whole + 1))
    }
  }

  @Test("that are subtracted as they are shown give the difference that is shown")
  func differencesComeOut() {
    let writer = NumberWriter(.english)
    let pairs: [(Double, Double, Int)] = [
      (8919.5, 11_077.6, 0), (66.94, 67.65, 1), (35.504, 35.6, 2),
    ]
    for (now, before, digits) in pairs {
      guard let now = ScaledNumber.scaled(now, digits: digits),
        let before = ScaledNumber.scaled(before, digits: digits)
      else { continue }
      let shown = [now, before, ScaledNumber.difference(now, from: before)]
        .map { Int(writer.number($0, digits: digits).filter(\.isNumber)) ?? 0 }
      #expect(shown[1] - shown[0] == shown[2])
    }
    #expect(ScaledNumber.difference(.max, from: -1) == .max)
    #expect(ScaledNumber.difference(.min, from: 1) == .min)
  }

  @Test("with units, in percent and as durations are those of the language")
  func forms() {
    let english = NumberWriter(.english)
    #expect(english.duration(minutes: 485) == "8\u{A0}h\u{A0}05")
    #expect(english.duration(minutes: 13) == "13\u{A0}min")
    #expect(english.duration(minutes: -65) == "\u{2212}1\u{A0}h\u{A0}05")
    #expect(english.durationDifference(minutes: 485 - 437) == "+48\u{A0}min")
    #expect(english.durationDifference(minutes: 0) == "±0\u{A0}min")
    #expect(english.stopwatch(seconds: 379) == "6:19")
    #expect(english.stopwatch(seconds: 3725) == "1:02:05")
    #expect(english.percent(93) == "93%")
    #expect(english.range("8,313", "12,622") == "8,313\u{A0}– 12,622")
    let japanese = NumberWriter(ReportLanguage(.japanese))
    #expect(japanese.duration(minutes: 485) == "8時間5分")
    #expect(japanese.percent(93) == "93%")
    #expect(japanese.withUnit("66.9", "kg") == "66.9kg")
  }

  @Test("of a measure have its decimals and its unit")
  func amounts() {
    let writer = NumberWriter(.english)
    #expect(writer.amount(8920, of: .of("stepCount")) == "8,920\u{A0}steps")
    #expect(writer.amount(1, of: .of("flightsClimbed")) == "1\u{A0}flight")
    #expect(writer.amount(972, of: .of("oxygenSaturation")) == "97.2%")
    #expect(writer.amount(155, of: .of("respiratoryRate")) == "15.5\u{A0}breaths/min")
    #expect(writer.amount(485, of: .of("sleep")) == "8\u{A0}h\u{A0}05")
    #expect(writer.amount(53, of: .of("bloodGlucose"), in: "mmol/L") == "5.3\u{A0}mmol/L")
    #expect(
      writer.amount(9590, of: .of("appleSleepingWristTemperature"), in: "degF") == "95.90\u{A0}°F")
    #expect(writer.unitOfMean(8920, of: .of("stepCount")) == "steps a day")
    #expect(writer.unitOfMean(485, of: .of("sleep")) == "a night")
    #expect(writer.unitOfMean(56, of: .of("restingHeartRate")) == "bpm")
    #expect(writer.amountInSentence(12, of: .of("flightsClimbed")) == "12")
    #expect(writer.difference(48, of: .of("sleep")) == "+48\u{A0}min")
    let french = NumberWriter(ReportLanguage(.french))
    #expect(french.amount(0, of: .of("flightsClimbed")) == "0\u{A0}étage")
    #expect(french.amount(2, of: .of("flightsClimbed")) == "2\u{A0}étages")
  }
}
