import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct CosinorTests {
  @Test("statsmodels and R have the same estimates, errors and tests, to ten digits")
  func references() throws {
    let cases = try RhythmReferences.python().cosinor
    let fromR = try RhythmReferences.r().cosinor
    #expect(cases.count == 4 && fromR.count == 4)
    for (reference, other) in zip(cases, fromR) {
      let cosinor = try Cosinor(
        times: reference.times, values: reference.values, periods: reference.periods)
      for result in [reference.result, other] {
        #expect(isNear(cosinor.mesor, result.mesor), "\(reference.name)")
        #expect(isNear(cosinor.mesorError, result.mesorError))
        #expect(isNear(try cosinor.mesorInterval().lowerBound, result.low))
        #expect(isNear(try cosinor.mesorInterval().upperBound, result.high))
        #expect(isNear(cosinor.test.statistic, result.f))
        #expect(isNear(cosinor.test.pValue, result.p))
        #expect(isNear(cosinor.rSquared, result.rSquared))
        #expect(isNear(cosinor.residualStandardDeviation, result.deviation))
        #expect(cosinor.rhythms.count == result.rhythms.count)
        for (rhythm, expected) in zip(cosinor.rhythms, result.rhythms) {
          #expect(rhythm.period == expected.period)
          #expect(isNear(rhythm.cosine, expected.cosine))
          #expect(isNear(rhythm.sine, expected.sine))
          #expect(isNear(rhythm.cosineError, expected.cosineError))
          #expect(isNear(rhythm.sineError, expected.sineError))
          let errors = expected.cosineError * expected.sineError
          #expect((rhythm.correlation - expected.covariance / errors).magnitude < 1e-11)
          #expect(isNear(rhythm.amplitude, expected.amplitude))
          #expect(isNear(rhythm.amplitudeError, expected.amplitudeError))
          #expect(isNear(rhythm.acrophase, expected.acrophase))
          #expect(isNear(rhythm.acrophaseError, expected.acrophaseError))
          #expect(isNear(rhythm.test.statistic, expected.f))
          #expect(isNear(rhythm.test.pValue, expected.p))
          let turns = rhythm.period / (2 * .pi)
          #expect(isNear(rhythm.peakTimeError, expected.acrophaseError * turns))
          let peak = try #require(rhythm.peakTime)
          #expect((0..<rhythm.period).contains(peak))
          #expect(circular(peak, -expected.acrophase * turns, rhythm.period) < 1e-10)
        }
      }
    }
  }

  @Test("The project's own reference of a week in 120 days comes out")
  func week() throws {
    let days = (0..<120).map(Double.init)
    let values = days.map { day in
      let place = day * 0.6180339887498949
      return 60 + 0.03 * day + 3 * sin(2 * .pi * day / 7) + 5 * (place - place.rounded(.down) - 0.5)
    }
    let cosinor = try Cosinor(times: days, values: values, periods: [7])
    #expect(isNear(cosinor.mesor, 61.77217119352119))
    #expect(isNear(cosinor.rhythms[0].cosine, 0.3528551487065683))
    #expect(isNear(cosinor.rhythms[0].sine, 3.10765756120676))
    #expect(isNear(cosinor.rhythms[0].amplitude, 3.1276256607359967))
    #expect(isNear(cosinor.rhythms[0].acrophase, -1.4577367614675079))
    #expect(isNear(cosinor.test.statistic, 88.29740397415873))
    #expect(isNear(cosinor.test.pValue, 4.22272893958677e-24))
  }

  @Test("All small inputs give the model of the normal equations")
  func smallInputs() throws {
    let times = [0, 1, 2.5, 4]
    for values in tuples(of: [-1, 0, 2], count: 4) where Set(values).count > 1 {
      try compare(times: times, values: values, periods: [3.5])
    }
    for values in tuples(of: [-1, 3], count: 6) where Set(values).count > 1 {
      try compare(times: [0, 1, 2, 3.5, 5, 7.5], values: values, periods: [5.5, 3])
    }
  }

  @Test("Random points give the model of the normal equations")
  func randomInputs() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<150 {
      let periods = [[7.0], [24, 12], [5, 9, 31]][Int.random(in: 0..<3, using: &random)]
      let count = Int.random(in: 2 * periods.count + 4...80, using: &random)
      let times = (0..<count).map { _ in Double.random(in: -50...50, using: &random) }
      let values = (0..<count).map { _ in Double.random(in: 40...90, using: &random) }
      guard let first = times.min(), let last = times.max(), last - first > 32 else { continue }
      try compare(times: times, values: values, periods: periods)
    }
  }

  @Test(
    "Scaling by powers of two scales every result exactly",
    arguments: [(0, 0), (3, -5), (40, 60), (-300, 200), (500, 900), (-900, -900)])
  func scaling(timeExponent: Int, valueExponent: Int) throws {
    let (times, values) = points(seed: 22, count: 60)
    let time = Double(sign: .plus, exponent: timeExponent, significand: 1)
    let size = Double(sign: .plus, exponent: valueExponent, significand: 1)
    let plain = try Cosinor(times: times, values: values, periods: [24, 12])
    let scaled = try Cosinor(
      times: times.map { $0 * time }, values: values.map { $0 * size },
      periods: [24 * time, 12 * time])
    #expect(scaled.mesor == plain.mesor * size)
    #expect(scaled.mesorError == plain.mesorError * size)
    #expect(scaled.rSquared == plain.rSquared)
    #expect(scaled.test == plain.test)
    for (one, other) in zip(scaled.rhythms, plain.rhythms) {
      #expect(one.cosine == other.cosine * size && one.sine == other.sine * size)
      #expect(isNear(one.amplitude, other.amplitude * size, 4e-16))
      #expect(isNear(one.amplitudeError, try #require(other.amplitudeError) * size, 4e-15))
      #expect(one.acrophase == other.acrophase)
      #expect(isNear(one.acrophaseError, try #require(other.acrophaseError), 4e-15))
      #expect(isNear(one.peakTime, try #require(other.peakTime) * time, 4e-16))
      #expect(isNear(one.test.statistic, other.test.statistic, 4e-15))
    }
  }

  @Test("A later origin of time moves the peak and nothing else, also seconds since 2001")
  func timeShift() throws {
    let (times, values) = points(seed: 23, count: 80)
    let plain = try Cosinor(times: times, values: values, periods: [24, 12])
    for shift in [1.0, -7.5, 1000, 219_000] {
      let moved = try Cosinor(
        times: times.map { ($0 + shift) * 3600 }, values: values, periods: [86_400, 43_200])
      #expect(isNear(moved.mesor, plain.mesor))
      #expect(isNear(moved.test.statistic, plain.test.statistic))
      for (one, other) in zip(moved.rhythms, plain.rhythms) {
        #expect(isNear(one.amplitude, other.amplitude))
        #expect(isNear(one.amplitudeError, try #require(other.amplitudeError)))
        #expect(isNear(one.acrophaseError, try #require(other.acrophaseError)))
        let peak = try #require(one.peakTime) / 3600
        #expect(circular(peak, try #require(other.peakTime) + shift, other.period) < 1e-8)
      }
    }
  }

  @Test("Time reversal mirrors the acrophase, a changed sign turns it by half a period")
  func symmetries() throws {
    let (times, values) = points(seed: 24, count: 70)
    let plain = try Cosinor(times: times, values: values, periods: [24])
    let mirrored = try Cosinor(times: times.map { -$0 }, values: values, periods: [24])
    let negative = try Cosinor(times: times, values: values.map { -$0 }, periods: [24])
    let raised = try Cosinor(times: times, values: values.map { $0 + 4096 }, periods: [24])
    let phase = try #require(plain.rhythms[0].acrophase)
    #expect(isNear(mirrored.rhythms[0].acrophase, -phase))
    #expect(isNear(mirrored.rhythms[0].amplitude, plain.rhythms[0].amplitude))
    #expect(isNear(negative.mesor, -plain.mesor))
    let turned = try #require(negative.rhythms[0].acrophase)
    #expect(isNear(circular(turned, phase, 2 * Double.pi), Double.pi))
    #expect(isNear(raised.mesor, plain.mesor + 4096))
    #expect(isNear(raised.rhythms[0].amplitude, plain.rhythms[0].amplitude, 1e-9))
    var random = SplitMix64(seed: 25)
    let order = times.indices.shuffled(using: &random)
    let shuffled = try Cosinor(
      times: order.map { times[$0] }, values: order.map { values[$0] }, periods: [24])
    #expect(isNear(shuffled.rhythms[0].amplitude, plain.rhythms[0].amplitude))
    #expect(isNear(shuffled.test.pValue, plain.test.pValue))
  }

  @Test("A pure rhythm comes back from every quadrant, with F without bound")
  func pureRhythms() throws {
    let hours = (0..<48).map(Double.init)
    for peak in stride(from: 0.0, to: 24, by: 1.5) {
      let values = hours.map { 60 + 8 * cos(2 * .pi * ($0 - peak) / 24) }
      let cosinor = try Cosinor(times: hours, values: values, periods: [24])
      let rhythm = cosinor.rhythms[0]
      #expect(isNear(cosinor.mesor, 60) && isNear(rhythm.amplitude, 8))
      #expect(circular(try #require(rhythm.peakTime), peak, 24) < 1e-10)
      #expect(circular(try #require(rhythm.acrophase), -2 * .pi * peak / 24, 2 * .pi) < 1e-10)
      #expect(rhythm.test.statistic > 1e20 && rhythm.test.pValue < 1e-200)
      #expect(isNear(cosinor.value(at: peak), 68) && isNear(cosinor.value(at: peak + 12), 52))
    }
  }

  @Test("The acrophase is above −π and up to π, also for a peak at exactly half of a period")
  func halfPeriod() throws {
    let values = [-4.0, 1, 4, 1, -4, 1, 4, 1]
    let cosinor = try Cosinor(times: (0..<8).map(Double.init), values: values, periods: [4])
    let phase = try #require(cosinor.rhythms[0].acrophase)
    #expect(phase > -.pi && phase <= .pi)
    #expect(isNear(phase.magnitude, Double.pi))
    #expect(isNear(cosinor.rhythms[0].peakTime, 2))
  }

  @Test("Over whole days of equal steps, a rhythm does not depend on the others")
  func orthogonality() throws {
    let hours = (0..<96).map(Double.init)
    let values = points(seed: 26, count: 96).values
    let both = try Cosinor(times: hours, values: values, periods: [24, 12])
    for (index, period) in [24.0, 12.0].enumerated() {
      let alone = try Cosinor(times: hours, values: values, periods: [period])
      #expect(isNear(both.rhythms[index].amplitude, alone.rhythms[0].amplitude))
      #expect(isNear(both.rhythms[index].acrophase, try #require(alone.rhythms[0].acrophase)))
      #expect(both.rhythms[index].correlation.magnitude < 1e-12)
      #expect(isNear(alone.test.statistic, alone.rhythms[0].test.statistic))
      #expect(isNear(alone.test.pValue, alone.rhythms[0].test.pValue))
    }
    #expect(isNear(both.mesor, values.reduce(0, +) / 96))
  }

  @Test("Intervals of 90 % hold the truth nine times in ten; p is below 0.1 one time in ten")
  func coverage() throws {
    var random = SplitMix64(seed: 27)
    let runs = Soak.isLong ? 20_000 : 500
    var (mesor, amplitude, phase, alarms) = (0, 0, 0, 0)
    let times = (0..<40).map { _ in Double.random(in: 0...72, using: &random) }
    for _ in 0..<runs {
      let noise = times.map { _ in normal(&random) }
      let values = zip(times, noise).map { 60 + 3 * cos(2 * Double.pi * ($0 - 15) / 24) + $1 }
      let cosinor = try Cosinor(times: times, values: values, periods: [24])
      if try cosinor.mesorInterval(confidence: 0.9).contains(60) { mesor += 1 }
      let rhythm = cosinor.rhythms[0]
      if try #require(try rhythm.amplitudeInterval(confidence: 0.9)).contains(3) { amplitude += 1 }
      let angle = try #require(try rhythm.acrophaseInterval(confidence: 0.9))
      let truth = -2 * Double.pi * 15 / 24
      if angle.contains(truth) || angle.contains(truth + 2 * Double.pi) { phase += 1 }
      let alone = try Cosinor(times: times, values: noise, periods: [24])
      if alone.rhythms[0].test.pValue < 0.1 { alarms += 1 }
    }
    let bound = 4 * (0.09 * Double(runs)).squareRoot()
    for count in [mesor, amplitude, phase, runs - alarms] {
      #expect((Double(count) - 0.9 * Double(runs)).magnitude < bound)
    }
  }

  @Test("Too little, too short, collinear or broken data is refused with its reason")
  func refusals() throws {
    let days = (0..<14).map(Double.init)
    let ramp = days.map { $0 * $0 }
    #expect(refusal([], [], [7]) == AnalysisError(.tooFewPoints(count: 0, needed: 4)))
    #expect(refusal([1], [1], [7]) == AnalysisError(.tooFewPoints(count: 1, needed: 4)))
    #expect(
      refusal(Array(days[..<5]), Array(ramp[..<5]), [3, 2])
        == AnalysisError(.tooFewPoints(count: 5, needed: 6)))
    #expect(refusal([1, 2], [1], [7]) == AnalysisError(.lengthsDiffer(x: 2, y: 1)))
    #expect(
      refusal([0, 1, .nan, 3], [1, 2, 3, 4], [3]) == AnalysisError(.notFinite, row: 2))
    #expect(
      refusal([0, 1, 2, 3], [1, 2, 3, .infinity], [3]) == AnalysisError(.notFinite, row: 3))
    #expect(refusal(days, days.map { _ in 0.1 }, [7]) == AnalysisError(.constant))
    #expect(refusal([2, 2, 2, 2], [1, 2, 3, 4], [7]) == AnalysisError(.singular))
    let span = AnalysisError(
      .parameter(name: "longest period", range: "no longer than what the points cover"))
    #expect(refusal(Array(days[..<6]), Array(ramp[..<6]), [7]) == span)
    #expect(refusal(Array(days[..<7]), Array(ramp[..<7]), [7]) == nil)
    #expect(refusal(days, ramp, [7, 14.01]) == span)
    for periods in [[], [0], [-7], [.nan], [.infinity], [7, 7]] as [[Double]] {
      guard case .parameter("list of periods", _)? = refusal(days, ramp, periods)?.reason else {
        Issue.record("\(periods) is no list of periods")
        continue
      }
    }
  }

  @Test(
    "Points at multiples of half a period, or periods that look alike there, are collinear",
    arguments: [
      ([2.0], 1.0, "sine of period 2.0"), ([7.0], 3.5, "sine of period 7.0"),
      ([0.2], 0.1, "sine of period 0.2"), ([1.0], 1.0, "cosine of period 1.0"),
      ([0.1], 0.1, "cosine of period 0.1"), ([3.0, 1.5], 1.0, "cosine of period 1.5"),
      ([0.75, 0.125], 0.125, "cosine of period 0.125"),
    ] as [([Double], Double, String)])
  func collinear(periods: [Double], step: Double, column: String) {
    for start in [0, 1000] {
      let times = (start..<start + 40).map { Double($0) * step }
      let values = times.indices.map { Double($0 * $0 % 13) }
      #expect(refusal(times, values, periods) == AnalysisError(.collinear(column: column)))
    }
  }

  @Test("Numbers at the ends of a double give finite results or a refusal")
  func extremes() throws {
    let sizes: [Double] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1, 1e150, 1e300,
      .greatestFiniteMagnitude,
    ]
    let base: [Double] = [0, 0.31, 0.5, -0.42, 0.77, -1, 1, 0.2, -0.6]
    for timeSize in sizes {
      for valueSize in sizes {
        for period in sizes {
          let times = base.indices.map { base[($0 + 3) % 9] * timeSize }
          guard
            let cosinor = try? Cosinor(
              times: times, values: base.map { $0 * valueSize }, periods: [period])
          else { continue }
          let rhythm = cosinor.rhythms[0]
          let numbers: [Double?] = [
            cosinor.mesor, cosinor.mesorError, rhythm.amplitude, rhythm.amplitudeError,
            rhythm.acrophase, rhythm.acrophaseError, rhythm.peakTime, rhythm.peakTimeError,
            rhythm.test.statistic, rhythm.test.pValue, rhythm.correlation,
          ]
          #expect(numbers.allSatisfy { ($0 ?? 0).isFinite })
        }
      }
    }
  }

  @Test("Confidence outside of 0 to 1 is refused, and an interval of an amplitude starts at 0")
  func intervals() throws {
    let (times, values) = points(seed: 28, count: 12)
    let cosinor = try Cosinor(times: times, values: values, periods: [24])
    for confidence in [0, 1, -1, .nan] {
      #expect(throws: AnalysisError(.confidenceOutOfRange)) {
        try cosinor.mesorInterval(confidence: confidence)
      }
      #expect(throws: AnalysisError(.confidenceOutOfRange)) {
        try cosinor.rhythms[0].acrophaseInterval(confidence: confidence)
      }
    }
    let wide = try #require(try cosinor.rhythms[0].amplitudeInterval(confidence: 0.999_999_999))
    #expect(wide.lowerBound == 0)
  }

  @Test("A rhythm without an amplitude has no acrophase")
  func noAmplitude() throws {
    // cos of period 4 is 1, 0, −1, 0 and its sine 0, 1, 0, −1: these values have neither.
    let values = [1.0, -1, 1, -1, 1, -1, 1, -1]
    let cosinor = try Cosinor(times: (0..<8).map(Double.init), values: values, periods: [4])
    let rhythm = cosinor.rhythms[0]
    #expect(rhythm.amplitude < 1e-15 && rhythm.test.statistic < 1e-20)
    #expect((rhythm.acrophase == nil) == (rhythm.amplitude == 0))
    #expect(isNear(rhythm.test.pValue, 1))
  }

  private func compare(times: [Double], values: [Double], periods: [Double]) throws {
    let cosinor = try Cosinor(times: times, values: values, periods: periods)
    let slow = SlowCosinor(times: times, values: values, periods: periods)
    let height = values.reduce(0) { max($0, $1.magnitude) }
    func isClose(_ value: Double?, _ expected: Double, _ bound: Double) -> Bool {
      guard let value else { return false }
      return (value - expected).magnitude <= bound
    }
    // The normal equations lose digits with the square of the condition.
    let loss = slow.covariance.indices.reduce(1) {
      max($0, slow.covariance[$1][$1] / max(slow.residualSquares, 1e-30) * 1000)
    }
    let bound = 1e-11 * height * loss
    #expect(isClose(cosinor.mesor, slow.coefficients[0], bound))
    #expect(isClose(cosinor.mesorError, slow.covariance[0][0].squareRoot(), bound))
    #expect(isClose(cosinor.rSquared, slow.rSquared, 1e-11 * loss))
    guard slow.residualSquares > 1e-9 * height * height else { return }
    #expect(isNear(cosinor.test.statistic, slow.f, 1e-8 * loss) || slow.f < 1e-8 * loss)
    for (index, (rhythm, expected)) in zip(cosinor.rhythms, slow.rhythms).enumerated() {
      let at = 1 + 2 * index
      #expect(isClose(rhythm.cosine, slow.coefficients[at], bound))
      #expect(isClose(rhythm.sine, slow.coefficients[at + 1], bound))
      #expect(isClose(rhythm.cosineError, slow.covariance[at][at].squareRoot(), bound))
      let errors = rhythm.cosineError * rhythm.sineError
      #expect(isClose(rhythm.correlation, slow.covariance[at][at + 1] / errors, 1e-8 * loss))
      #expect(
        isClose(rhythm.test.statistic, expected.4, 1e-8 * loss * max(1, expected.4)))
      guard expected.0 > 1e-6 * height else { continue }
      #expect(isNear(rhythm.amplitude, expected.0, 1e-8 * loss))
      #expect(isNear(rhythm.amplitudeError, expected.1, 1e-6 * loss))
      #expect(circular(rhythm.acrophase ?? 99, expected.2, 2 * .pi) < 1e-6 * loss)
      #expect(isNear(rhythm.acrophaseError, expected.3, 1e-6 * loss))
    }
  }

  private func refusal(
    _ times: [Double], _ values: [Double], _ periods: [Double]
  ) -> AnalysisError? {
    do {
      _ = try Cosinor(times: times, values: values, periods: periods)
      return nil
    } catch {
      return error
    }
  }

  /// Points at uneven hours of some days, with a rhythm and noise.
  private func points(seed: UInt64, count: Int) -> (times: [Double], values: [Double]) {
    var random = SplitMix64(seed: seed)
    let times = (0..<count).map { _ in Double(Int.random(in: 0...960, using: &random)) / 8 }
    let values = times.map {
      60 + 5 * cos(2 * .pi * ($0 - 16) / 24) + Double.random(in: -6...6, using: &random)
    }
    return (times, values)
  }

  private func circular(_ one: Double, _ other: Double, _ period: Double) -> Double {
    (one - other).remainder(dividingBy: period).magnitude
  }

  private func normal(_ random: inout SplitMix64) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }

  private func tuples(of values: [Double], count: Int) -> [[Double]] {
    (0..<count).reduce([[]]) { tuples, _ in
      tuples.flatMap { tuple in values.map { tuple + [$0] } }
    }
  }
}
