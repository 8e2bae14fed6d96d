import Foundation
import Testing

@Suite("Settings of the owner, as a program")
final class OwnerSettingsTests: StoreSuite {
  private var export: String { scratch.path("export.xml") }

  override init() throws {
    try super.init()
    var export = SmallExport()
    export.add(
      lines: " <Me HKCharacteristicTypeIdentifierDateOfBirth=\"1990-01-02\" "
        + "HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\"/>")
    for day in 1...2 {
      export.add(
        "HKQuantityTypeIdentifierBodyMass", "\(80 - day)", unit: "kg",
        from: "2024-03-0\(day)T08:00:00", to: "2024-03-0\(day)T08:00:00")
    }
    try load(export)
  }

  @discardableResult
  private func ask(_ arguments: [String], code: Int32 = 0) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(arguments + ["--store", store])
    #expect(run.exitCode == code, "\(arguments) \(run.errors)")
    return run
  }

  private func profile() throws -> [String: [String]] {
    let rows = try ask(["profile", "--format", "json"]).rows("profile")
    return Dictionary(
      rows.map { row in
        let text = { (key: String) in row[key] as? String ?? "" }
        return (text("characteristic"), [text("value"), text("setBy")])
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test("profile: what the owner sets counts before the export, also after the next import")
  func profiles() throws {
    let (birth, sex) = (
      "HKCharacteristicTypeIdentifierDateOfBirth", "HKCharacteristicTypeIdentifierBiologicalSex"
    )
    #expect(try profile()[birth] == ["1990-01-02", "export"])
    try ask(["profile", "set", "dateofbirth", "1991-02-03"])
    try ask(["profile", "set", "bloodType", "oNegative"])
    try ask(["import", export])
    let set = try profile()
    #expect(set[birth] == ["1991-02-03", "you"])
    #expect(set[sex] == ["HKBiologicalSexFemale", "export"])
    #expect(set["HKCharacteristicTypeIdentifierBloodType"] == ["HKBloodTypeONegative", "you"])
    let table = try ask(["profile"]).output
    #expect(table.contains("bloodType") && table.contains("ONegative") && table.contains("Female"))
    try ask(["profile", "reset", "dateOfBirth"])
    #expect(try profile()[birth] == ["1990-01-02", "export"])
  }

  @Test("profile says what samples tell of the person, without any characteristic")
  func profileOfSamples() throws {
    let own = ["--store", scratch.path("own.sqlite")]
    func profile() throws -> String { try ProgramRun.hkstats(["profile"] + own).output }
    for (arguments, expected) in [
      (["height", "180", "cm"], "Height 1.80 m"),
      (["bodyMass", "81", "kg"], "Body mass index 25.0"),
      (["bodyMassIndex", "24"], "Weight 81.0 kg"),
    ] {
      #expect(try ProgramRun.hkstats(["add"] + arguments + own).exitCode == 0)
      let text = try profile()
      #expect(text.contains(expected) && !text.contains("Nothing is known"), "\(text)")
    }
  }

  @Test("profile: the age is that of the day, the index that of the last weight and height")
  func person() throws {
    try ask(["add", "height", "200 cm", "--at", "2024-03-01"])
    for (now, age) in [("2025-01-01T12:00:00Z", 34), ("2025-01-02T12:00:00Z", 35)] {
      let run = try ProgramRun.hkstats(
        ["profile", "--format", "json", "--store", store, "--timezone", "UTC"],
        environment: ["HKSTATS_NOW": now])
      let facts = try run.object()
      #expect(facts["age"] as? Int == age)
      let index = try #require(facts["bodyMassIndex"] as? [String: Any])
      #expect(index["value"] as? Double == 78.0 / 4 && index["recorded"] as? Bool == false)
    }
    let table = try ask(["profile"]).output
    #expect(table.contains("years old on") && table.contains("Body mass index 19.5 kg/m²"))
  }

  @Test(
    "profile refuses what is no characteristic or no value of it",
    arguments: [
      ["bloodTyp", "APositive", "bloodType"], ["bloodType", "APositve", "APositive"],
      ["dateOfBirth", "yesterday", "1984-05-01"], ["dateOfBirth", "1990-02-30", "1984-05-01"],
    ])
  func mistakes(words: [String]) throws {
    let run = try ask(["profile", "set", words[0], words[1]], code: 64)
    #expect(run.errors.contains(words[2]), "\(run.errors)")
  }

  @Test("units prefer sets the unit of answers that name none")
  func units() throws {
    func mean(_ more: String...) throws -> (String?, Double?) {
      let answer = try ask(["stats", "bodyMass", "--format", "json"] + more).object()
      let row = try #require((answer["intervals"] as? [[String: Any]])?.first)
      return (answer["unit"] as? String, row["mean"] as? Double)
    }
    #expect(try mean() == ("kg", 78.5))
    try ask(["units", "prefer", "bodyMass", "lbs"])
    let pounds = try mean()
    #expect(pounds.0 == "lb" && abs((pounds.1 ?? 0) - 78.5 / 0.45359237) < 1e-9)
    #expect(try mean("--unit", "g") == ("g", 78_500))
    let samples = try ask(["samples", "bodyMass", "--where", "value>174", "--format", "ndjson"])
    #expect(samples.lines.count == 1 && samples.output.contains("\"unit\":\"kg\""))
    try ask(["units", "prefer", "bodyMass", "--reset"])
    #expect(try mean() == ("kg", 78.5))
    #expect(try ask(["units", "prefer", "bodyMass", "km"], code: 64).errors.contains("kg"))
    try ask(["units", "prefer", "bodyMass"], code: 64)
    try ask(["units", "prefer", "bodyMass", "kg", "--reset"], code: 64)
  }
}
