import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct LombScargleTests {
  @Test("SciPy, astropy in two ways and R have the same power at every frequency")
  func references() throws {
    let cases = try RhythmReferences.python().lombScargle
    let fromR = try RhythmReferences.r().lombScargle
    #expect(cases.count == 3 && fromR.count == 3)
    for (reference, other) in zip(cases, fromR) {
      let power = try LombScargle.power(
        times: reference.times, values: reference.values, frequencies: reference.frequencies)
      for expected in [reference.scipy, reference.astropy, reference.astropyChi2, other.power] {
        #expect(power.count == expected.count)
        for (one, value) in zip(power, expected) {
          // A small power is a difference of large sums in every package.
          #expect((one - value).magnitude <= 1e-10 * value + 1e-13, "\(reference.name)")
        }
      }
    }
  }

  @Test("The project's own reference comes out")
  func projectReference() throws {
    let rows = (0..<120).filter { $0 * 7 % 5 != 0 }
    let reference = try #require(try RhythmReferences.python().lombScargle.first)
    #expect(reference.times == rows.map(Double.init))
    let power = try LombScargle.power(
      times: reference.times, values: reference.values,
      frequencies: [1 / 14.0, 0.1, 1 / 7.0, 0.2, 1 / 3.0])
    let expected = [
      0.00020501338362563228, 0.000310808294293145, 0.6419637429693691, 5.199663043715031e-05,
      0.0006782840916580484,
    ]
    for (one, value) in zip(power, expected) { #expect(isNear(one, value)) }
  }

  @Test("astropy and R have the same probabilities and levels of Baluev")
  func falseAlarms() throws {
    let cases = try RhythmReferences.python().lombScargle
    let fromR = try RhythmReferences.r().lombScargle
    for (reference, other) in zip(cases, fromR) {
      let count = Double(reference.times.count)
      let mean = reference.times.reduce(0, +) / count
      let variance = reference.times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
      let highest = try #require(reference.frequencies.max())
      let law = PeakLaw(
        count: reference.times.count, bandwidth: highest * (4 * Double.pi * variance).squareRoot())
      for (index, power) in reference.asked.enumerated() {
        let probability = law.falseAlarmProbability(power)
        #expect(isNear(probability, reference.probability[index]))
        #expect(isNear(probability, other.probability[index]))
      }
      for (index, level) in reference.level.enumerated() {
        let found = law.level(reference.probabilities[index])
        // Both packages iterate.
        #expect(isNear(found, level, 1e-8) && isNear(found, other.level[index], 1e-8))
      }
    }
  }

  @Test("A whole periodogram has the grid, powers, probabilities and levels of astropy and R")
  func wholePeriodogram() throws {
    let reference = try RhythmReferences.python().lombScargle[1]
    let other = try RhythmReferences.r().lombScargle[1]
    let periodogram = try Periodogram(times: reference.times, values: reference.values)
    #expect(periodogram.frequencies.count == reference.frequencies.count)
    for (one, frequency) in zip(periodogram.frequencies, reference.frequencies) {
      #expect(isNear(one, frequency, 1e-14))
    }
    for (one, power) in zip(periodogram.power, reference.astropy) {
      #expect((one - power).magnitude < 1e-12)
    }
    for (index, power) in reference.asked.enumerated() {
      let probability = try periodogram.falseAlarmProbability(of: power)
      #expect(isNear(probability, reference.probability[index]))
      #expect(isNear(probability, other.probability[index]))
    }
    for (index, probability) in reference.probabilities.enumerated() {
      let level = try periodogram.falseAlarmLevel(probability)
      #expect(
        isNear(level, reference.level[index], 1e-8) && isNear(level, other.level[index], 1e-8))
    }
    let highest = try #require(reference.astropy.max())
    #expect(isNear(periodogram.peak.power, highest))
    #expect(
      reference.astropy.firstIndex(of: highest)
        == periodogram.power.firstIndex(of: periodogram.peak.power))
  }

  @Test("All small whole-numbered points give what the normal equations explain")
  func smallInputs() throws {
    let times = [0, 1, 3, 4.5, 8]
    for a in [-1.0, 0, 2] {
      for b in [-1.0, 0, 2] {
        for c in [-1.0, 0, 2] {
          try compare(times: times, values: [a, 1, b, -1, c], frequencies: [0.07, 0.21, 0.4])
        }
      }
    }
  }

  @Test("Random points give what the normal equations explain")
  func randomInputs() throws {
    var random = SplitMix64(seed: 31)
    for _ in 0..<150 {
      let count = Int.random(in: 5...90, using: &random)
      let times = (0..<count).map { _ in Double.random(in: -60...60, using: &random) }
      let values = (0..<count).map { _ in Double.random(in: 40...90, using: &random) }
      let frequencies = (0..<4).map { _ in Double.random(in: 0.02...3, using: &random) }
      try compare(times: times, values: values, frequencies: frequencies)
    }
  }

  @Test("The power at a frequency is the R² of the cosinor of that period")
  func cosinor() throws {
    let (times, values) = points(seed: 32, count: 50)
    for period in [30.0, 7, 3.3, 0.9] {
      let power = try LombScargle.power(times: times, values: values, frequencies: [1 / period])
      let cosinor = try Cosinor(times: times, values: values, periods: [period])
      #expect(isNear(power[0], cosinor.rSquared, 1e-11))
    }
  }

  @Test("Power does not depend on the unit, the sign, the order or the origin")
  func invariance() throws {
    let (times, values) = points(seed: 33, count: 40)
    let frequencies = [0.05, 0.1, 1 / 7.0, 0.31, 2]
    let plain = try LombScargle.power(times: times, values: values, frequencies: frequencies)
    let scaled = try LombScargle.power(
      times: times.map { $0 * 4 }, values: values.map { $0 * -1024 },
      frequencies: frequencies.map { $0 / 4 })
    #expect(scaled == plain)
    let moved = try LombScargle.power(
      times: times.map { $0 + 4096 }, values: values, frequencies: frequencies)
    #expect(moved == plain)
    var random = SplitMix64(seed: 34)
    let order = times.indices.shuffled(using: &random)
    let shuffled = try LombScargle.power(
      times: order.map { times[$0] }, values: order.map { values[$0] }, frequencies: frequencies)
    let reversed = try LombScargle.power(
      times: times.map { -$0 }, values: values, frequencies: frequencies)
    let raised = try LombScargle.power(
      times: times, values: values.map { 0.3 * $0 + 1e6 }, frequencies: frequencies)
    for index in frequencies.indices {
      #expect(isNear(shuffled[index], plain[index], 1e-10))
      #expect(isNear(reversed[index], plain[index], 1e-10))
      #expect((raised[index] - plain[index]).magnitude < 1e-9)
      #expect((0...1).contains(plain[index]))
    }
  }

  @Test("Of equally spaced points, frequencies above half of the rate are aliases")
  func aliases() throws {
    let times = (0..<50).map(Double.init)
    let values = points(seed: 35, count: 50).values
    let frequencies = [0.03125, 0.125, 0.25, 0.4375]
    let plain = try LombScargle.power(times: times, values: values, frequencies: frequencies)
    let mirrored = try LombScargle.power(
      times: times, values: values, frequencies: frequencies.map { 1 - $0 })
    let above = try LombScargle.power(
      times: times, values: values, frequencies: frequencies.map { $0 + 3 })
    for index in frequencies.indices {
      #expect(isNear(mirrored[index], plain[index]) && isNear(above[index], plain[index]))
    }
    // At half of the rate there is no sine, and at the rate nothing but the constant.
    let edges = try LombScargle.power(times: times, values: values, frequencies: [0, 0.5, 1])
    let slow = SlowLombScargle.power(times: times, values: values, frequency: 0.5, hasSine: false)
    #expect(edges[0] == 0 && edges[2] == 0)
    #expect(isNear(edges[1], slow, 1e-9))
    // The same with times that are rounded.
    let tenths = times.map { $0 * 0.1 }
    let rounded = try LombScargle.power(times: tenths, values: values, frequencies: [5, 10, 2.5])
    let quarter = try LombScargle.power(times: times, values: values, frequencies: [0.25])
    #expect(isNear(rounded[0], slow, 1e-9) && rounded[1] == 0)
    #expect(isNear(rounded[2], quarter[0], 1e-9))
  }

  @Test("The peak of a hidden rhythm is found, its probability is small, and the grid is as said")
  func hiddenRhythm() throws {
    var random = SplitMix64(seed: 36)
    let times = (0..<120).map { _ in Double.random(in: 0...200, using: &random) }
    let values = times.map {
      sin(of: $0, period: 9.3) * 2 + Double.random(in: -2...2, using: &random)
    }
    let periodogram = try Periodogram(times: times, values: values)
    let span = try #require(times.max()) - (try #require(times.min()))
    #expect(periodogram.frequencies.count == 5 * 59 + 1)
    #expect(isNear(periodogram.frequencies.first, 1 / span, 1e-14))
    #expect(isNear(periodogram.frequencies.last, 60 / span, 1e-14))
    #expect((periodogram.peak.frequency - 1 / 9.3).magnitude < 0.5 / span)
    #expect(isNear(periodogram.peak.period * periodogram.peak.frequency, 1, 1e-15))
    #expect(periodogram.peak.power == periodogram.power.max())
    #expect(periodogram.peak.falseAlarmProbability < 1e-9)
    #expect(
      try periodogram.falseAlarmProbability(of: periodogram.peak.power)
        == periodogram.peak.falseAlarmProbability)
    #expect(
      try LombScargle.power(times: times, values: values, frequencies: periodogram.frequencies)
        == periodogram.power)
    let narrow = try Periodogram(
      times: times, values: values, oversampling: 2, highestFrequency: 10 / span)
    #expect(narrow.frequencies.count == 2 * 9 + 1)
    #expect(isNear(narrow.bandwidth, periodogram.bandwidth / 6, 1e-12))
  }

  @Test("A series has the rhythms of its rows that are there, by row number")
  func series() throws {
    let values = points(seed: 40, count: 60).values
    let rows = values.indices.map { (row: Int) -> Double? in row % 9 == 4 ? nil : values[row] }
    let kept = rows.indices.filter { rows[$0] != nil }
    let times = kept.map(Double.init)
    let present = kept.map { values[$0] }
    let series = try RegularSeries(rows)
    #expect(
      try series.cosinor(periods: [7, 20])
        == Cosinor(times: times, values: present, periods: [7, 20]))
    let periodogram = try series.periodogram()
    #expect(isNear(periodogram.frequencies.last, 0.5, 5e-3))
    #expect((periodogram.frequencies.last ?? 1) <= 0.5)
    #expect(
      try periodogram.power
        == LombScargle.power(
          times: times, values: present, frequencies: periodogram.frequencies))
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 4))) {
      try RegularSeries([Double?](repeating: nil, count: 9)).periodogram()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 4))) {
      try RegularSeries([Double]()).cosinor(periods: [7])
    }
  }

  @Test("Levels are the inverse of probabilities, which fall with the power")
  func levels() throws {
    let (times, values) = points(seed: 37, count: 60)
    let periodogram = try Periodogram(times: times, values: values)
    var last = 0.0
    for probability in [0.9, 0.5, 0.1, 0.01, 1e-6, 1e-12, 1e-30] {
      let level = try periodogram.falseAlarmLevel(probability)
      #expect(level > last && level < 1)
      #expect(isNear(try periodogram.falseAlarmProbability(of: level), probability, 1e-10))
      last = level
    }
    #expect(try periodogram.falseAlarmProbability(of: 0) == 1)
    #expect(try periodogram.falseAlarmProbability(of: 1) == 0)
  }

  @Test("In noise, peaks are above a level about as rarely as it says, and hardly more often")
  func noise() throws {
    var random = SplitMix64(seed: 38)
    let runs = Soak.isLong ? 10_000 : 250
    let times = (0..<30).map { _ in Double.random(in: 0...60, using: &random) }
    var (tenth, third) = (0, 0)
    for _ in 0..<runs {
      let values = times.map { _ in normal(&random) }
      let periodogram = try Periodogram(times: times, values: values)
      if periodogram.peak.falseAlarmProbability < 0.1 { tenth += 1 }
      if periodogram.peak.falseAlarmProbability < 0.3 { third += 1 }
    }
    // Baluev's is an upper bound, near the truth; the grid misses a part of each peak.
    let share = { (count: Int) in Double(count) / Double(runs) }
    #expect(share(tenth) < 0.1 + 4 * (0.09 / Double(runs)).squareRoot() && share(tenth) > 0.02)
    #expect(share(third) < 0.3 + 4 * (0.21 / Double(runs)).squareRoot() && share(third) > 0.1)
  }

  @Test("Too little, constant or broken data and absurd parameters are refused with a reason")
  func refusals() throws {
    #expect(refusal([], []) == AnalysisError(.tooFewPoints(count: 0, needed: 4)))
    #expect(refusal([1, 2, 3], [1, 2, 1]) == AnalysisError(.tooFewPoints(count: 3, needed: 4)))
    #expect(refusal([1, 2], [1]) == AnalysisError(.lengthsDiffer(x: 2, y: 1)))
    #expect(refusal([1, 1, 1, 1], [1, 2, 3, 4]) == AnalysisError(.singular))
    #expect(refusal([1, 2, 3, 4], [7, 7, 7, 7]) == AnalysisError(.constant))
    #expect(refusal([1, 2, .nan, 4], [1, 2, 3, 4]) == AnalysisError(.notFinite, row: 2))
    #expect(refusal([1, 2, 3, 4], [1, 2, 3, .infinity]) == AnalysisError(.notFinite, row: 3))
    let huge = Double.greatestFiniteMagnitude
    #expect(refusal([-huge, 0, 1, huge], [1, 2, 3, 4]) == AnalysisError(.overflow))
    #expect(refusal([0, 1, 2, 1e300], [1, 2, 3, 4], 1e300) == AnalysisError(.overflow))
    for frequency in [-1, .nan, .infinity] as [Double] {
      guard
        case .parameter("list of frequencies", _)? = refusal(
          [0, 1, 2, 5], [1, 2, 3, 1], frequency)?.reason
      else {
        Issue.record("\(frequency) is no frequency")
        continue
      }
    }
    #expect(
      try LombScargle.power(times: [0, 1, 2, 5], values: [1, 2, 3, 1], frequencies: []) == [])
    let (times, values) = points(seed: 39, count: 10)
    for oversampling in [0, -5, .min] {
      #expect(throws: AnalysisError.self) {
        try Periodogram(times: times, values: values, oversampling: oversampling)
      }
    }
    for highest in [0, -1, 1e-9, .nan, .infinity, 1e300] as [Double] {
      #expect(throws: AnalysisError.self) {
        try Periodogram(times: times, values: values, highestFrequency: highest)
      }
    }
    #expect(throws: AnalysisError.self) {
      try Periodogram(times: times, values: values, oversampling: .max)
    }
    let periodogram = try Periodogram(times: times, values: values)
    for power in [-0.1, 1.1, .nan] as [Double] {
      #expect(throws: AnalysisError.self) { try periodogram.falseAlarmProbability(of: power) }
    }
    for probability in [0, 1, -1, .nan] as [Double] {
      #expect(throws: AnalysisError.self) { try periodogram.falseAlarmLevel(probability) }
    }
  }

  @Test("More work than 2·10^10 points times frequencies is refused, not begun")
  func tooMuchWork() throws {
    let times = (0..<2000).map(Double.init)
    let values = times.map { ($0 * 0.37).rounded(.down) }
    #expect(throws: AnalysisError(.tooManyPoints(count: 2000, limit: 20_000_000_000 / 19_980_001)))
    {
      try Periodogram(
        times: times, values: values, oversampling: 20_000, highestFrequency: 0.5 * 2000 / 1999)
    }
  }

  @Test("Numbers at the ends of a double, and four points, give finite results or a refusal")
  func extremes() throws {
    let base: [Double] = [0, 0.31, 0.5, -0.42, 0.77, -1, 1, 0.2, -0.6]
    let sizes: [Double] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1, 1e150, 1e300,
      .greatestFiniteMagnitude,
    ]
    for timeSize in sizes {
      for valueSize in sizes {
        for count in [4, 9] {
          guard
            let periodogram = try? Periodogram(
              times: base[..<count].map { $0 * timeSize },
              values: base.reversed()[..<count].map { $0 * valueSize })
          else { continue }
          #expect(periodogram.power.allSatisfy { (0...1).contains($0) })
          #expect(periodogram.bandwidth.isFinite)
          #expect((0...1).contains(periodogram.peak.falseAlarmProbability))
          #expect((0...1).contains(try periodogram.falseAlarmLevel(0.01)))
          #expect(periodogram.peak.period.isFinite)
        }
      }
    }
  }

  private func compare(times: [Double], values: [Double], frequencies: [Double]) throws {
    let power = try LombScargle.power(times: times, values: values, frequencies: frequencies)
    for (frequency, value) in zip(frequencies, power) {
      let slow = SlowLombScargle.power(times: times, values: values, frequency: frequency)
      #expect((value - slow).magnitude < 1e-9)
    }
  }

  private func refusal(
    _ times: [Double], _ values: [Double], _ frequency: Double = 0.1
  ) -> AnalysisError? {
    do {
      _ = try LombScargle.power(times: times, values: values, frequencies: [frequency])
      return nil
    } catch {
      return error
    }
  }

  private func points(seed: UInt64, count: Int) -> (times: [Double], values: [Double]) {
    var random = SplitMix64(seed: seed)
    // Binary fractions, so that shifts and scales are exact.
    let times = (0..<count).map { _ in Double(Int.random(in: 0...800, using: &random)) / 8 }
    let values = (0..<count).map { _ in Double(Int.random(in: 50...90, using: &random)) }
    return (times, values)
  }

  private func sin(of time: Double, period: Double) -> Double {
    Phase.cosineAndSine(of: time, period: period).sine
  }

  private func normal(_ random: inout SplitMix64) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }
}
