import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthAnalysis

/// The kernels of ``LombScargle``, which turn phases from one frequency to the next.
@Suite
struct WaveSumsTests {
  static let instructionSets = InstructionSet.allCases.filter(\.isAvailable)

  @Test(
    "Twenty thousand frequencies give what sines and cosines give, to the last one",
    arguments: [true, false])
  func longLists(isOfHours: Bool) throws {
    var random = SplitMix64(seed: 61)
    // Hours with gaps, or any times.
    let hours = (0..<8000).filter { _ in Int.random(in: 0..<20, using: &random) == 0 }
    let times = hours.map { hour in
      isOfHours ? Double(hour) : Double(hour) + Double.random(in: -9...9, using: &random)
    }
    let values = values(at: times, &random)
    let periodogram = try Periodogram(times: times, values: values, highestFrequency: 0.5)
    let frequencies = periodogram.frequencies
    #expect(frequencies.count > 19_000)
    // The ends of blocks of 32, where a phase has been turned most often, and the end of the list.
    let rows =
      Array(stride(from: 31, to: frequencies.count, by: 32 * 7)) + (0..<40)
      + (frequencies.count - 40..<frequencies.count)
    let slow = slowPower(times, values, rows.map { frequencies[$0] })
    for (row, power) in zip(rows, slow) {
      #expect((periodogram.power[row] - power).magnitude < 2e-13)
    }
    // One by one, no phase is turned.
    for (row, power) in zip(rows, slow).prefix(100) {
      let single = try LombScargle.power(
        times: times, values: values, frequencies: [frequencies[row]])
      #expect((single[0] - power).magnitude < 1e-13)
    }
  }

  @Test("A list in any order, with repeats or of any steps, has the same power at each frequency")
  func lists() throws {
    var random = SplitMix64(seed: 62)
    let times = (0..<70).map { _ in Double.random(in: 0...90, using: &random) }
    let values = values(at: times, &random)
    let even = (1...130).map { Double($0) * 0.01 }
    let uneven = even.map { $0 * (1 + Double.random(in: 0...1e-3, using: &random)) }
    // Of these the steps change within a block of 32, by little or at its end.
    let bent = even.enumerated().map { $0 % 32 == 17 ? $1 * (1 + 1e-12) : $1 }
    let broken = even.enumerated().map { $0 % 32 == 31 ? 0.2 : $1 }
    let lists: [[Double]] = [
      even, uneven, bent, broken, even.reversed(), even.shuffled(using: &random),
      [Double](repeating: 0.37, count: 65), [0.1, 0.1, 0.2, 0.2, 0.2, 3, 2, 1], [0.5],
    ]
    for list in lists {
      let power = try LombScargle.power(times: times, values: values, frequencies: list)
      let slow = slowPower(times, values, list)
      #expect(power.count == list.count)
      for (one, other) in zip(power, slow) { #expect((one - other).magnitude < 1e-12) }
    }
  }

  @Test("Few points do not hide how far a phase is off after its last turn")
  func drift() throws {
    var random = SplitMix64(seed: 68)
    let frequencies = (0..<6400).map { 0.5 + Double($0) / 1024 }
    for _ in 0..<5 {
      let times = [0] + (0..<5).map { _ in Double.random(in: 0...1, using: &random) }
      let values = times.map { _ in Double.random(in: -1...1, using: &random) }
      let power = try LombScargle.power(times: times, values: values, frequencies: frequencies)
      for row in stride(from: 31, to: frequencies.count, by: 32) {
        let slow = slowPower(times, values, [frequencies[row]])[0]
        #expect((power[row] - slow).magnitude < 5e-14)
      }
    }
  }

  @Test("Any number of points gives what sines and cosines give")
  func counts() throws {
    var random = SplitMix64(seed: 63)
    for count in Array(4...70) + [255, 256, 257] {
      let times = (0..<count).map { _ in Double.random(in: 0...100, using: &random) }
      let values = values(at: times, &random)
      let frequencies = (0..<40).map { 0.05 + Double($0) / 37 }
      let power = try LombScargle.power(times: times, values: values, frequencies: frequencies)
      for (one, other) in zip(power, slowPower(times, values, frequencies)) {
        #expect((one - other).magnitude < 1e-11)
      }
    }
  }

  @Test("Columns that hardly vary or are nearly one keep their digits")
  func nearlyOne() throws {
    var random = SplitMix64(seed: 64)
    let times = (0..<101).map(Double.init)
    let values = values(at: times, &random)
    // From a thousandth of a period over all points on, and near half of their rate.
    for offset in [1e-3, 3e-3, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7] {
      for frequency in [offset / 100, 0.5 - offset / 100, 1 + offset / 100] {
        let power = try LombScargle.power(times: times, values: values, frequencies: [frequency])
        let slow = slowPower(times, values, [frequency])
        #expect((power[0] - slow[0]).magnitude < 1e-13)
      }
    }
    let low = (1...400).map { Double($0) * 2e-5 }
    let power = try LombScargle.power(times: times, values: values, frequencies: low)
    for (frequency, one) in zip(low, power).dropFirst(20) {
      #expect((one - slowPower(times, values, [frequency])[0]).magnitude < 1e-13)
    }
  }

  @Test("The unit of time does not matter, from the smallest to the largest")
  func timeScales() throws {
    var random = SplitMix64(seed: 65)
    let times = [0] + (0..<49).map { _ in Double.random(in: 0...64, using: &random) }
    let values = values(at: times, &random)
    let frequencies = (0..<300).map { 1 / 64 + Double($0) / 128 }
    let plain = try LombScargle.power(times: times, values: values, frequencies: frequencies)
    for exponent in [-900, -300, -1, 1, 300, 900] {
      let scale = Double(sign: .plus, exponent: exponent, significand: 1)
      let scaled = try LombScargle.power(
        times: times.map { $0 * scale }, values: values, frequencies: frequencies.map { $0 / scale }
      )
      #expect(scaled == plain)
    }
    for scale in [1e-290, 3.3e-100, 0.7, 1e100, 7e280] {
      let scaled = try LombScargle.power(
        times: times.map { $0 * scale }, values: values, frequencies: frequencies.map { $0 / scale }
      )
      for (one, other) in zip(scaled, plain) { #expect((one - other).magnitude < 1e-11) }
    }
  }

  @Test("Frequencies beyond the digits of a phase give a share, and finite numbers")
  func absurdFrequencies() throws {
    var random = SplitMix64(seed: 66)
    let times = (0..<40).map { Double($0) * 25 + Double.random(in: 0...9, using: &random) }
    let values = values(at: times, &random)
    for size in [1e9, 1e11, 0x1p39, 0x1p40, 1e13, 1e16, 1e100, 1e305] {
      let power = try LombScargle.power(
        times: times, values: values, frequencies: (1...40).map { size * Double($0) / 40 })
      #expect(power.allSatisfy { (0...1).contains($0) })
      // From 2^49 periods on, all points are as the first one.
      if size > 1e15 { #expect(power.allSatisfy { $0 == 0 }) }
    }
  }

  @Test("Every instruction set gives the same bits", arguments: instructionSets)
  func sameBits(on instructions: InstructionSet) throws {
    var random = SplitMix64(seed: 67)
    let even = (0..<77).map { Double($0) / 128 }
    let uneven = (0..<9).map { _ in Double.random(in: 0...3, using: &random) }
    for count in [4, 7, 8, 31, 32, 33, 64, 150] {
      for isEven in [true, false] {
        let times = (0..<count).map { row in
          isEven ? Double(row) : Double.random(in: 0...100, using: &random)
        }
        let points = try LombScargle.Points(times: times, values: values(at: times, &random))
        for list in [even, uneven] {
          let own = points.power(frequencies: list, on: instructions)
          let plain = points.power(frequencies: list, on: .plain)
          #expect(own.map(\.bitPattern) == plain.map(\.bitPattern))
        }
      }
    }
  }

  private func values(at times: [Double], _ random: inout SplitMix64) -> [Double] {
    times.map {
      60 + 5 * Phase.cosineAndSine(of: $0, period: 24).sine
        + Double.random(in: -4...4, using: &random)
    }
  }

  /// The slow power of times from the first one on, as the kernels take them.
  private func slowPower(
    _ times: [Double], _ values: [Double], _ frequencies: [Double]
  ) -> [Double] {
    let first = times.min() ?? 0
    let times = times.map { $0 - first }
    return frequencies.map { frequency in
      SlowLombScargle.powerAboutMeans(times: times, values: values, frequency: frequency)
    }
  }
}
