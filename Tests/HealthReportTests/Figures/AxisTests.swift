import Foundation
import HealthStore
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

  @Test("An axis that ends at ticks is never half empty, with amounts or with hours")
  func reach() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<3_000 {
      let most = pow(10, Double.random(in: -3...7, using: &random))
      for count in 3...4 {
        let axis = Axis(0...most, count: count, includesZero: true)
        #expect(most / axis.range.upperBound > 0.7)
      }
      let hours = Double.random(in: 4...48, using: &random)
      let axis = Axis(hours: hours)
      #expect(axis.range.upperBound >= hours && hours / axis.range.upperBound > 0.6)
      #expect(axis.ticks.last == axis.range.upperBound && (3...6).contains(axis.ticks.count))
      #expect(axis.ticks.allSatisfy { $0 == $0.rounded() })
    }
  }

  @Test("The unit of an axis stands above its numbers; percentages have their sign")
  func units() throws {
    let page = try figurePage()
    for (form, unit, text) in [
      (PageTable.Form.number(0), "bpm", ">bpm<"), (.number(1), "mL/kg·min", ">mL/kg·min<"),
      (.percent(1), "", ">%<"),
    ] {
      let axis = Axis(0...100, includesZero: true)
      var figure = Figure(
        name: "", description: "",
        plot: Plot(height: 200, top: Plot.unitRoom, range: axis.range))
      figure.label(axis, form, unit: unit, page)
      var markup = Markup()
      figure.write(to: &markup, page)
      let labels = try #require(markup.text.firstRange(of: "class=\"axis\""))
      #expect(markup.text[labels.upperBound...].contains(text))
      #expect(figure.axis.allSatisfy { $0.y >= Plot.unitRoom })
    }
  }

  private func figurePage() throws -> Page {
    let store = try SampleStore.temporary()
    var plan = ReportPlan()
    plan.timeZone = "UTC"
    let reader = try ReportReader(
      plan, store: store, now: Date(timeIntervalSinceReferenceDate: 0)
    ) { _ in true }
    return Page(reader)
  }

  @Test("A key has the marks that are drawn, and no other")
  func keys() {
    var plot = Plot(height: 100, range: 0...10)
    plot.bar("m", x: 0, width: 1, from: 0, to: 5)
    plot.dot("hole", x: 0.5, 3, radius: 2)
    var markup = Markup()
    markup.key(
      [
        ({ $0.circle("m", x: 0.5, y: 7, radius: 2) }, "one"),
        ({ $0.circle("q", x: 0.5, y: 7, radius: 2) }, "none"),
        (
          { plot in
            plot.circle("m", x: 0.5, y: 7, radius: 2)
            plot.circle("hole", x: 0.5, y: 7, radius: 1)
          }, "both"
        ),
        (
          { plot in
            plot.circle("m", x: 0.5, y: 7, radius: 2)
            plot.circle("gap", x: 0.5, y: 7, radius: 1)
          }, "half"
        ),
      ], of: plot)
    for (word, isThere) in [("one", true), ("both", true), ("none", false), ("half", false)] {
      #expect(markup.text.contains(word) == isThere)
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
