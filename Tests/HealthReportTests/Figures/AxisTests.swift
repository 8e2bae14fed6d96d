import Foundation
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("Axes and drawings")
struct AxisTests {
  @Test("Ticks are multiples of 1, 2, 2.5 or 5 times a power of ten, few, and within the axis")
  func ticks() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<3_000 {
      let size = pow(10, Double.random(in: -6...12, using: &random))
      let low = Double.random(in: -1...1, using: &random) * size
      let high = low + Double.random(in: 1e-6...1, using: &random) * size
      for (includesZero, ends) in [(true, true), (false, true), (false, false)] {
        let axis = Axis(low...high, includesZero: includesZero, endsAtTicks: ends)
        #expect((1...12).contains(axis.ticks.count))
        #expect(axis.ticks.allSatisfy { axis.range.contains($0) })
        #expect(axis.range.lowerBound <= low && axis.range.upperBound >= high)
        if includesZero { #expect(axis.range.contains(0)) }
        for (left, right) in zip(axis.ticks, axis.ticks.dropFirst()) {
          let step = right - left
          let lead = step / pow(10, floor(log10(step * (1 + 1e-9))))
          #expect([1, 2, 2.5, 5, 10].contains { abs(lead - $0) < 1e-5 })
        }
      }
    }
  }

  @Test("A label is never rounder than its step: labels differ as their ticks do")
  func labels() {
    let writer = NumberWriter(.english)
    var random = SplitMix64(seed: 4)
    for _ in 0..<1_000 {
      let size = pow(10, Double.random(in: 0...7, using: &random))
      let low = Double.random(in: 0...1, using: &random) * size
      let axis = Axis(low...low + size * 0.37, includesZero: false, endsAtTicks: false)
      for digits in 0...2 {
        let labels = axis.ticks.map { writer.label($0, axis, .number(digits)) }
        #expect(Set(labels).count == labels.count)
      }
    }
  }

  @Test("Shares and pixels are short decimals, and none is out of a drawing's reach")
  func numbers() {
    #expect(Plot.share(0.5) == "50%")
    #expect(Plot.share(0.12345) == "12.35%")
    #expect(Plot.share(-0.0012) == "-0.12%")
    #expect(Plot.pixel(7.04) == "7")
    #expect(Plot.pixel(7.06) == "7.1")
    #expect(Plot.pixel(.infinity) == "0" && Plot.pixel(.nan) == "0")
    #expect(Plot.pixel(1e300) == "1000000")
  }

  @Test("A number at the ends of the range stands at the ends of the area")
  func places() {
    let plot = Plot(height: 100, top: 10, bottom: 20, range: 50...60)
    #expect(plot.y(50) == 80 && plot.y(60) == 10 && plot.y(55) == 45)
    #expect(Plot(height: 100, range: 5...5).y(5).isFinite)
  }
}
