import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct HeartRateVariabilityTests {
  private struct Reference: Decodable {
    let published: [String: Double]
    let file: [String: [String: Double]]
    let made: Made

    struct Made: Decodable {
      let hrvanalysis: [String: Double]
      let neurokit: [String: Double]
      let pandas: [String: Double]
      let r: [String: Double]
    }
  }

  private func reference() throws -> Reference {
    try JSONDecoder().decode(Reference.self, from: try References.contents("analysis/beats.json"))
  }

  /// The measures by the names of the references.
  private func measures(_ v: HeartRateVariability) -> [String: Double] {
    var named = [
      "mean": v.mean, "sdnn": v.standardDeviation, "nn50": Double(v.differencesOver50),
      "mean_hr": v.meanHeartRate, "std_hr": v.heartRateStandardDeviation,
    ]
    named["rmssd"] = v.rootMeanSquareOfDifferences
    named["sdsd"] = v.standardDeviationOfDifferences
    named["sdsd_ddof1"] = v.standardDeviationOfDifferences.map {
      $0 * (Double(v.differenceCount) / Double(v.differenceCount - 1)).squareRoot()
    }
    named["pnn50"] = v.percentOver50
    named["sd1"] = v.poincareWidth
    named["sd2"] = v.poincareLength
    return named
  }

  @Test("The 1,000 intervals of hrv-analysis have the measures of hrv-analysis, NeuroKit and R")
  func publishedIntervals() throws {
    let reference = try reference()
    let intervals = try BeatIntervals(
      MeasureReferences.intervals().file.map { Double($0) / 1000 })
    let variability = try intervals.variability()
    #expect(variability.count == 1000 && variability.differenceCount == 999)
    #expect(variability.implausibleCount == 0 && variability.ectopicCount == 0)
    let ours = measures(variability)
    var sources = reference.file
    sources["published"] = reference.published
    for (source, numbers) in sources where source != "pandas" {
      for (name, number) in numbers {
        guard let value = ours[name] else { continue }
        #expect(isNear(value, number, 1e-12), "\(source) \(name)")
      }
    }
    #expect(sources.count == 5)
    #expect(variability.differencesOver50 == 24)
    let windows = try intervals.windows()
    for source in ["pandas", "r"] {
      #expect(
        isNear(windows.meanOfStandardDeviations, reference.file[source]?["sdnn_index"], 1e-12))
      #expect(isNear(windows.standardDeviationOfMeans, reference.file[source]?["sdann"], 1e-11))
      #expect(Double(windows.windows.count) == reference.file[source]?["windows"])
    }
  }

  @Test("A longer series has the measures of two packages and R, from intervals and from beats")
  func madeIntervals() throws {
    let made = try reference().made
    let milliseconds = try MeasureReferences.intervals().made
    let plain = try BeatIntervals(milliseconds.map { Double($0) / 1000 })
    let beats = try BeatIntervals(beats: runningSums(milliseconds).map { Double($0) / 1000 })
    for intervals in [plain, beats] {
      let variability = try intervals.variability()
      #expect(variability.ectopicCount == 0 && variability.count == 2500)
      let ours = measures(variability)
      for numbers in [made.hrvanalysis, made.neurokit, made.r] {
        for (name, number) in numbers {
          guard let value = ours[name] else { continue }
          #expect(isNear(value, number, 1e-11), "\(name)")
        }
      }
      let windows = try intervals.windows()
      for numbers in [made.pandas, made.r] {
        #expect(Double(windows.windows.count) == numbers["windows"])
        #expect(isNear(windows.meanOfStandardDeviations, numbers["sdnn_index"], 1e-11))
        #expect(isNear(windows.standardDeviationOfMeans, numbers["sdann"], 1e-11))
      }
    }
  }

  @Test("Random beats with gaps and ectopic beats have the measures of a walk beat by beat")
  func twin() throws {
    var random = SplitMix64(seed: 31)
    var compared = 0
    let rounds = Soak.isLong ? 20_000 : 400
    for _ in 0..<rounds {
      let count = Int.random(in: 0...40, using: &random)
      var beats: [Int] = []
      var time = Int.random(in: 0...5000, using: &random)
      for _ in 0..<count {
        beats.append(time)
        let kind = Int.random(in: 0..<12, using: &random)
        time +=
          kind == 0
          ? Int.random(in: 200...400, using: &random)
          : kind == 1
            ? Int.random(in: 1900...2100, using: &random)
            : Int.random(in: 700...900, using: &random)
      }
      let gaps = beats.map { _ in Int.random(in: 0..<8, using: &random) == 0 }
      for isFiltered in [true, false] {
        let slow = SlowBeatVariability(beats: beats, gaps: gaps, filtered: isFiltered)
        let intervals = try BeatIntervals(
          beats: beats.map { Double($0) / 1000 }, precededByGap: gaps)
        let filter = isFiltered ? BeatFilter.standard : .everything
        guard slow.intervals.count >= 2 else {
          #expect(throws: AnalysisError(.tooFewPoints(count: slow.intervals.count, needed: 2))) {
            try intervals.variability(filter: filter)
          }
          continue
        }
        let fast = try intervals.variability(filter: filter)
        #expect(fast.count == slow.intervals.count)
        #expect(fast.differenceCount == slow.differences.count)
        #expect(fast.implausibleCount == slow.implausible && fast.ectopicCount == slow.ectopic)
        #expect(fast.differencesOver50 == slow.over50)
        #expect(isNear(fast.mean, slow.mean, 1e-11))
        #expect((fast.standardDeviation - slow.standardDeviation).magnitude < 1e-8)
        #expect(isNear(fast.duration * 1000, Double(slow.intervals.reduce(0, +)), 1e-11))
        #expect((fast.percentOver50 == nil) == slow.differences.isEmpty)
        #expect((fast.poincareWidth == nil) == (slow.differences.count < 2))
        guard !slow.differences.isEmpty else {
          #expect(fast.rootMeanSquareOfDifferences == nil)
          #expect(fast.standardDeviationOfDifferences == nil)
          continue
        }
        let rmssd = try #require(fast.rootMeanSquareOfDifferences)
        let sdsd = try #require(fast.standardDeviationOfDifferences)
        #expect((rmssd - slow.rootMeanSquare).magnitude < 1e-8)
        #expect((sdsd - slow.differenceDeviation).magnitude < 1e-8)
        compared += 1
      }
    }
    #expect(compared > 300)
  }

  @Test("Doubling every interval doubles each measure of time exactly, and halves each rate")
  func scaling() throws {
    var random = SplitMix64(seed: 32)
    let values = (0..<200).map { _ in Double.random(in: 0.6...0.9, using: &random) }
    let plain = try BeatIntervals(values).variability(filter: .everything)
    let double = try BeatIntervals(values.map { 2 * $0 }).variability(filter: .everything)
    #expect(double.mean == 2 * plain.mean)
    #expect(double.standardDeviation == 2 * plain.standardDeviation)
    #expect(double.rootMeanSquareOfDifferences == plain.rootMeanSquareOfDifferences.map { 2 * $0 })
    #expect(double.poincareLength == plain.poincareLength.map { 2 * $0 })
    #expect(double.meanHeartRate == plain.meanHeartRate / 2)
    #expect(double.heartRateStandardDeviation == plain.heartRateStandardDeviation / 2)
    #expect(60_000 / plain.mean <= plain.meanHeartRate)
  }

  @Test("Reversing time changes nothing but rounding, nor does a later start")
  func reversal() throws {
    var random = SplitMix64(seed: 33)
    let milliseconds = (0..<300).map { _ in Int.random(in: 700...800, using: &random) }
    let plain = try BeatIntervals(milliseconds.map { Double($0) / 1000 }).variability()
    let turned = try BeatIntervals(milliseconds.reversed().map { Double($0) / 1000 }).variability()
    let later = try BeatIntervals(
      beats: runningSums(milliseconds).map { 7e8 + Double($0) / 1000 }
    ).variability()
    for (name, value) in measures(plain) {
      #expect(isNear(measures(turned)[name], value, 1e-12), "\(name)")
      // Seconds since 2001 are doubles 1.2e-7 apart.
      #expect(isNear(measures(later)[name], value, 1e-4), "\(name)")
    }
  }

  @Test("SD1 and SD2 are an ellipse: their squares add up to twice the variance of the pairs")
  func ellipse() throws {
    var random = SplitMix64(seed: 34)
    let values = (0..<100).map { _ in Double.random(in: 0.7...0.8, using: &random) }
    let variability = try BeatIntervals(values).variability()
    func variance(_ x: ArraySlice<Double>) -> Double {
      let mean = x.reduce(0, +) / Double(x.count)
      return x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.count - 1) * 1e6
    }
    let width = try #require(variability.poincareWidth)
    let length = try #require(variability.poincareLength)
    #expect(
      isNear(
        width * width + length * length, variance(values.dropLast()) + variance(values.dropFirst()),
        1e-10))
  }

  @Test("Equal intervals have no variability at all")
  func constant() throws {
    for interval in [0.8, 0.7, 1.0 / 3, 1.1] {
      let variability = try BeatIntervals(Array(repeating: interval, count: 1000)).variability()
      #expect(variability.standardDeviation == 0 && variability.rootMeanSquareOfDifferences == 0)
      #expect(variability.heartRateStandardDeviation == 0 && variability.percentOver50 == 0)
      #expect(variability.poincareWidth == 0 && variability.poincareLength == 0)
    }
  }

  @Test(
    "Differences of 50 ms do not count, whatever their rounding; 51 ms do", arguments: [50, 51])
  func edgeOf50(step: Int) throws {
    for start in 600...900 {
      let beats = runningSums([start, start + step, start]).map { 1000 + Double($0) / 1000 }
      let variability = try BeatIntervals(beats: beats).variability()
      #expect(variability.differencesOver50 == (step > 50 ? 2 : 0))
    }
  }

  @Test("Huge and tiny intervals give a result or a refusal, never a number that is none")
  func hostile() throws {
    let sizes = [Double.leastNonzeroMagnitude, 1e-308, 1e-300, 1, 1e300, 1e307]
    for first in sizes {
      for second in sizes {
        guard let intervals = try? BeatIntervals([first, second, first]) else { continue }
        do {
          let variability = try intervals.variability(filter: .everything)
          for (name, value) in measures(variability) { #expect(value.isFinite, "\(name)") }
        } catch {
          #expect(error.reason == .overflow)
        }
        #expect(throws: AnalysisError.self) {
          try BeatIntervals([first == 1 ? 1e300 : first, first]).variability()
        }
      }
    }
  }

  private func runningSums(_ steps: [Int]) -> [Int] {
    steps.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
  }

  private func isNear(_ value: Double?, _ expected: Double?, _ tolerance: Double) -> Bool {
    guard let value, let expected else { return false }
    return (value - expected).magnitude <= tolerance * expected.magnitude
  }
}
