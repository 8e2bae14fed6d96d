import Foundation
import Testing

@Suite("samples --where, as a program")
final class WhereProgramTests: StoreSuite {
  override init() throws {
    try super.init()
    var export = SmallExport()
    for hour in 10...19 {
      let time = "2024-03-01T\(hour):00:00"
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "\(hour * 10)", unit: "count/min", from: time,
        to: time,
        source: hour.isMultiple(of: 2) ? SmallExport.watch : SmallExport.phone,
        metadata: hour < 13 ? ["HKMetadataKeyHeartRateMotionContext": "\(hour - 10)"] : [:])
    }
    for (hour, stage) in ["AsleepREM", "Awake", "AsleepCore"].enumerated() {
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis\(stage)", unit: nil,
        from: "2024-03-02T0\(hour):00:00", to: "2024-03-02T0\(hour + 1):00:00")
    }
    try load(export)
  }

  /// The values of the samples that meet conditions.
  private func values(_ type: String, _ conditions: String..., more: [String] = []) throws
    -> [Double]
  {
    let run = try ProgramRun.hkstats(
      ["samples", type, "--store", store, "--format", "json"] + more
        + conditions.flatMap { ["--where", $0] })
    #expect(run.exitCode == 0, "\(run.errors)")
    let rows = try #require(try run.json() as? [[String: Any]])
    return rows.compactMap { $0["value"] as? Double }
  }

  @Test("compares values in any unit, as recorded by default")
  func values() throws {
    #expect(try values("heartRate", "value>165") == [170, 180, 190])
    #expect(try values("heartRate", "value >= 3 count/s") == [180, 190])
    #expect(try values("heartRate", "value<2count/s") == [100, 110])
    #expect(try values("heartRate", "value=120") == [120])
    #expect(try values("heartRate", "value!=120", "value<=130") == [100, 110, 130])
    #expect(
      try values("heartRate", "value<=2", more: ["--unit", "Hz"]) == [100.0 / 60, 110.0 / 60, 2])
    #expect(try values("sleepAnalysis", "value=asleepREM").count == 1)
    #expect(try values("sleepAnalysis", "value!=HKCategoryValueSleepAnalysisAwake").count == 2)
  }

  @Test("tells sources, devices and metadata apart")
  func texts() throws {
    #expect(try values("heartRate", "source=Anna's iPhone") == [110, 130, 150, 170, 190])
    #expect(try values("heartRate", "source!=Anna's iPhone", "value<130") == [100, 120])
    #expect(try values("heartRate", "device=Watch7,2", "value>150") == [160, 180])
    #expect(try values("heartRate", "device!=Apple Watch", "value>150") == [170, 190])
    let key = "metadata.HKMetadataKeyHeartRateMotionContext"
    #expect(try values("heartRate", key + "=1") == [110])
    #expect(try values("heartRate", key + ">=1") == [110, 120])
    #expect(try values("heartRate", key + "!=1").count == 9)
  }

  @Test("stands beside the other options")
  func others() throws {
    #expect(
      try values("heartRate", "value>100", more: ["--newest-first", "--limit", "2"]) == [190, 180])
    #expect(
      try values("heartRate", "value>120", more: ["--to", "2024-03-01T15:00:00Z"]) == [130, 140])
    let run = try ProgramRun.hkstats([
      "samples", "heartRate", "--where", "value>1000", "--store", store,
    ])
    #expect(run.exitCode == 0 && run.output.hasPrefix("No samples. The data end"))
  }

  @Test(
    "says what is wrong with a condition",
    arguments: [
      ("sorce=x", "source"), ("value", "compares with nothing"), ("value>", "no number"),
      ("value>fast", "no number"), ("value>5 kg", "count/min"), ("value>5 cuont/min", "count/min"),
      ("source=Nobody", "Nobody"), ("source<Nobody", "Nobody"), ("device>Watch", "no order"),
      ("metadata.x<y", "no number"), ("metadata.x<5 y", "no unit"), ("", "condition on"),
      ("value>nan", "no number"),
    ])
  func mistakes(condition: String, hint: String) throws {
    let run = try ProgramRun.hkstats([
      "samples", "heartRate", "--where", condition, "--store", store,
    ])
    #expect(run.exitCode == 64, "\(run.errors)")
    #expect(run.errors.contains(hint), "\(run.errors)")
  }

  @Test("is for quantities and categories")
  func kinds() throws {
    let workouts = try ProgramRun.hkstats([
      "samples", "workout", "--where", "value>1", "--store", store,
    ])
    #expect(workouts.exitCode == 64 && workouts.errors.contains("quantities"))
    let stage = try ProgramRun.hkstats([
      "samples", "sleepAnalysis", "--where", "value=asleepRME", "--store", store,
    ])
    #expect(stage.exitCode == 64 && stage.errors.contains("asleepREM"))
  }
}
