import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Pictures of electrocardiograms")
struct VoltageChartTests {
  private func dots(_ line: String) -> Int {
    line.unicodeScalars.count { (0x2801...0x28FF).contains($0.value) }
  }

  @Test("A single spike is drawn wherever it is, in the strip of its second")
  func spike() {
    var generator = SplitMix64(seed: 81)
    for _ in 0..<60 {
      var voltages = [Double](repeating: 0, count: 15_360)
      let place = Int.random(in: voltages.indices, using: &generator)
      voltages[place] = 900
      let lines = VoltageChart(voltages: voltages, rate: 512).lines(width: 80, style: .plain)
      #expect(lines.allSatisfy { $0.displayWidth <= 80 })
      // Six strips of five seconds, each of five lines and one that says when it begins.
      let tops = stride(from: 0, to: lines.count, by: 6).map { dots(lines[$0]) }
      #expect(tops.count == 6)
      #expect(tops.indices.filter { tops[$0] > 0 } == [place / 2560])
    }
  }

  @Test("Signals of any length, height and rate are drawn within the width and trap nowhere")
  func odd() {
    #expect(VoltageChart(voltages: [], rate: 512).lines(width: 80, style: .plain) == ["No data."])
    for rate in [0, -1, 1e-300, 0.1, 3, 512, 1e6, 1e300] {
      for voltages in [[0], [1, 1, 1], [-1e308, 1e308], [Double](repeating: 2, count: 5000)] {
        let lines = VoltageChart(voltages: voltages, rate: rate).lines(width: 40, style: .plain)
        #expect(!lines.isEmpty && lines.count < 200)
        #expect(lines.allSatisfy { $0.displayWidth <= 40 })
      }
    }
  }
}
