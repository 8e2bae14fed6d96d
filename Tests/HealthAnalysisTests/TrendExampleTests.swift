import HealthAnalysis
import Testing

@Suite
struct TrendExampleTests {
  @Test("The numbers of the pages on lines and robust trends come out")
  func pages() throws {
    let x = (0..<12).map(Double.init)
    let y = [60.1, 60.4, 60.9, 61.2, 95, 61.8, 62.4, 62.5, 63.1, 63.4, 63.9, 64.2]
    let sen = try TheilSenTrend(x: x, y: y)
    #expect(sen.slope == 0.375)
    #expect((sen.slopeInterval.lowerBound - 0.343).magnitude < 5e-4)
    #expect((sen.slopeInterval.upperBound - 0.400).magnitude < 5e-4)
    #expect((try LinearTrend(x: x, y: y).slope - 0.0234).magnitude < 5e-5)
    let huber = try HuberTrend(x: x, y: y)
    #expect((huber.slope - 0.3733).magnitude < 5e-5 && (huber.weights[4] - 0.0038).magnitude < 5e-5)
    let test = try MannKendall(x: x, y: y)
    #expect((test.tau - 0.7879).magnitude < 5e-5 && (test.pValue - 0.000_107).magnitude < 5e-7)
    var design = Design(rowCount: 8)
    try design.add("exercise", [20, 35, 0, 50, 10, 40, 25, 60])
    try design.add("weekend", [0, 0, 0, 0, 0, 1, 1, 0])
    let model = try LinearModel(design, response: [7.1, 7.4, 6.8, 7.6, 7.0, 8.1, 7.9, 7.7])
    for (ours, printed) in zip(model.coefficients, [6.8257, 0.015_12, 0.6829]) {
      #expect((ours / printed - 1).magnitude < 1e-3)
    }
    for (ours, printed) in zip(try model.neweyWestErrors(), [0.0186, 0.000_753, 0.0174]) {
      #expect((ours / printed - 1).magnitude < 1e-2)
    }
  }
}
