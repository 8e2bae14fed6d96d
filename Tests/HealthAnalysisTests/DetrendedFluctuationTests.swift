import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct DetrendedFluctuationTests {
  /// The intervals of the references, in seconds.
  private func series() throws -> [String: [Double]] {
    let (file, made) = try MeasureReferences.intervals()
    return ["file": file.map { Double($0) / 1000 }, "made": made.map { Double($0) / 1000 }]
  }

  @Test("α1 and every fluctuation are those of nolds and NeuroKit, and so is α of longer boxes")
  func references() throws {
    let references = try MeasureReferences.read().beats
    for (name, values) in try series() {
      let intervals = try BeatIntervals(values)
      let reference = try #require(references[name])
      for expected in reference.dfa {
        let sizes = try #require(expected.sizes.first)...(try #require(expected.sizes.last))
        let found = try intervals.detrendedFluctuation(sizes: sizes, filter: .everything)
        #expect(found.sizes == expected.sizes && found.count == values.count)
        #expect(agrees(found.exponent, expected.nolds, 1e-11), "\(name)")
        #expect(agrees(found.exponent, expected.neurokit, 1e-11), "\(name)")
        #expect(agrees(found.fluctuations, expected.fluctuations, 1e-11), "\(name)")
        #expect(agrees(found.fluctuations, expected.neurokitFluctuations, 1e-11), "\(name)")
      }
      let variability = try intervals.variability(filter: .everything)
      #expect(agrees(try #require(variability.logarithmOfRootMeanSquare), reference.lnRMSSD, 1e-12))
      #expect(agrees(try #require(variability.poincareRatio), reference.ratio, 1e-11))
    }
  }

  @Test("Random beats with left-out intervals have the fluctuations of the sums of lines")
  func twin() throws {
    var random = SplitMix64(seed: 640)
    for _ in 0..<12 {
      let values = (0..<Int.random(in: 160...260, using: &random)).map { _ in
        Double.random(in: 0.7...0.9, using: &random)
      }
      var broken = values
      for row in [20, 90] { broken.insert(2.5, at: row) }
      let found = try BeatIntervals(broken).detrendedFluctuation(
        filter: BeatFilter(largestChange: nil))
      #expect(found.count == values.count)
      let profile = SlowFluctuation.profile(values.map { $0 * 1000 })
      for (size, fluctuation) in zip(found.sizes, found.fluctuations) {
        let square = SlowFluctuation.meanSquare(profile, size: size)
        #expect(agrees(fluctuation * fluctuation, square, 1e-9))
      }
    }
  }

  @Test(
    "F² of independent intervals has the mean σ²(n² − 4)/(15n), and α grows by 1 when summed up")
  func expectation() throws {
    var random = SplitMix64(seed: 641)
    let noise = (0..<60_000).map { _ in random.normal() }
    let found = try BeatIntervals(noise.map { 0.8 + 0.02 * $0 }).detrendedFluctuation(
      filter: .everything)
    for (size, fluctuation) in zip(found.sizes, found.fluctuations) {
      let n = Double(size)
      let expected = 20 * 20 * (n * n - 4) / (15 * n)
      #expect(agrees(fluctuation * fluctuation, expected, 0.03), "\(size)")
    }
    // Bryce and Sprague 2012: the slope of short boxes of independent values is above ½.
    let lines = found.sizes.map { n in
      let n = Double(n)
      return (log(n), log((n * n - 4) / (15 * n)) / 2)
    }
    let slope = try LinearTrend(x: lines.map(\.0), y: lines.map(\.1)).slope
    #expect((found.exponent - slope).magnitude < 0.01)
    let long = try BeatIntervals(noise.map { 0.8 + 0.02 * $0 }).detrendedFluctuation(
      sizes: 100...300, filter: .everything)
    #expect((long.exponent - 0.5).magnitude < 0.05)
    var level = 0.0
    let walk = noise.map { step in
      level += step
      return 100 + 0.01 * level
    }
    let summed = try BeatIntervals(walk).detrendedFluctuation(
      sizes: 100...300, filter: .everything)
    #expect((summed.exponent - 1.5).magnitude < 0.1)
  }

  @Test("α does not heed the level or the scale of intervals")
  func laws() throws {
    let values = try #require(try series()["file"])
    func exponent(_ values: [Double]) throws -> Double {
      try BeatIntervals(values).detrendedFluctuation(filter: .everything).exponent
    }
    let plain = try exponent(values)
    #expect(agrees(try exponent(values.map { $0 + 0.125 }), plain, 1e-10))
    #expect(agrees(try exponent(values.map { $0 * 2 }), plain, 1e-12))
    // Boxes are laid from the first beat on: what is left over at the end changes the mean alone.
    #expect(try exponent(values.map { 2 - $0 }) - plain < 1e-10)
  }

  @Test("Too few, equal or extreme intervals are refused, and ratios of nothing are none")
  func refusals() throws {
    let values = (0..<200).map { 0.8 + Double($0 % 7) / 100 }
    #expect(throws: AnalysisError(.tooFewPoints(count: 159, needed: 160))) {
      try BeatIntervals(Array(values[..<159])).detrendedFluctuation()
    }
    #expect(try BeatIntervals(Array(values[..<160])).detrendedFluctuation().count == 160)
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 160))) {
      try BeatIntervals([]).detrendedFluctuation()
    }
    #expect(throws: AnalysisError(.constant)) {
      try BeatIntervals(Array(repeating: 0.8, count: 200)).detrendedFluctuation()
    }
    let intervals = try BeatIntervals(values)
    for sizes in [3...16, 4...5, 0...1, -5...16, 4...1025, .min ... .max] {
      #expect(throws: AnalysisError.self) { try intervals.detrendedFluctuation(sizes: sizes) }
    }
    let huge = (0..<170).map { $0.isMultiple(of: 2) ? 1e300 : 1e305 }
    #expect(throws: AnalysisError(.overflow)) {
      try BeatIntervals(huge).detrendedFluctuation(filter: .everything)
    }
    let flat = try BeatIntervals([0.8, 0.8, 0.8]).variability()
    #expect(flat.logarithmOfRootMeanSquare == nil && flat.poincareRatio == nil)
    let two = try BeatIntervals([0.8, 0.85]).variability()
    #expect(two.poincareRatio == nil)
    #expect(agrees(try #require(two.logarithmOfRootMeanSquare), log(50), 1e-12))
  }
}
