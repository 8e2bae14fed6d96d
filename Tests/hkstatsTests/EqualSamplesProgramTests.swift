import Foundation
import Testing

@testable import hkstats

/// Samples of one time and value: when a file tells one, and when several.
@Suite("Samples of one time and value") final class EqualSamplesProgramTests: StoreSuite {
  /// A food of a minute: what the app writes of it.
  private struct Food {
    var name: String?
    var energy = "150"
    var version = "11.0"
    var created = "08:01:11"
    /// Whether the app writes a correlation, which repeats the record.
    var isCorrelated = true

    var text: String {
      let record = """
        <Record type="HKQuantityTypeIdentifierDietaryEnergyConsumed" sourceName="Diary" \
        sourceVersion="\(version)" unit="kcal" creationDate="2026-03-11 \(created) +0100" \
        startDate="2026-03-11 08:00:00 +0100" endDate="2026-03-11 08:00:00 +0100" \
        value="\(energy)">\(entry)</Record>

        """
      guard isCorrelated else { return record }
      return record + """
        <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Diary" \
        sourceVersion="\(version)" creationDate="2026-03-11 \(created) +0100" \
        startDate="2026-03-11 08:00:00 +0100" endDate="2026-03-11 08:00:00 +0100">
        \(entry)\(record)</Correlation>

        """
    }

    private var entry: String {
      name.map { "<MetadataEntry key=\"HKFoodType\" value=\"\($0)\"/>" } ?? ""
    }
  }

  private func export(_ name: String, day: Int, _ foods: [Food]) throws -> String {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_FR">
       <ExportDate value="2026-03-\(day) 12:00:00 +0100"/>
      \(foods.map(\.text).joined())</HealthData>
      """
    return try scratch.file(name, Data(text.utf8))
  }

  private func run(_ arguments: String..., store: String) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(
      arguments + ["--store", scratch.path(store)], environment: ["TZ": "Europe/Paris"])
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    return run
  }

  /// The energy of the day after imports, one after the other.
  private func energy(after exports: [String], store: String) throws -> Double {
    for export in exports { _ = try run("import", export, store: store) }
    let csv = try run(
      "stats", "dietaryEnergyConsumed", "--by", "day", "--stat", "sum", "--format", "csv",
      store: store
    ).output
    let rows = csv.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    let sum = try #require(rows.first?.firstIndex(of: "sum"))
    return rows.dropFirst().compactMap { Double($0[sum]) }.reduce(0, +)
  }

  private let meal = [
    Food(name: "Oats"), Food(name: "Milk"), Food(name: "Banana", energy: "105"),
    Food(name: "Honey", energy: "64"), Food(name: "Almonds", energy: "82"),
  ]

  @Test("foods of one minute with one energy are as many as they are, also twice imported")
  func foods() throws {
    let export = try export("a.xml", day: 12, meal)
    #expect(try energy(after: [export], store: "a") == 551)
    #expect(try energy(after: [export], store: "a") == 551)
    let bare = try self.export(
      "b.xml", day: 12,
      meal.map {
        var food = $0
        food.isCorrelated = false
        return food
      })
    #expect(try energy(after: [bare], store: "b") == 551)
  }

  @Test("records that differ in their date of creation alone are one sample")
  func copies() throws {
    let copies = ["08:01:11", "08:01:12", "09:00:00"].map { Food(name: "Oats", created: $0) }
    let export = try export("a.xml", day: 12, copies)
    #expect(try energy(after: [export], store: "a") == 150)
    let json = try run("import", export, "--dry-run", "--format", "json", store: "b").output
    #expect(json.contains("\"duplicates\":2,"))
  }

  @Test("values that differ in the sixth digit are two samples within a file")
  func nearValues() throws {
    let near = [Food(name: "Oats", energy: "150"), Food(name: "Oats", energy: "150.001")]
    #expect(try energy(after: [try export("a.xml", day: 12, near)], store: "a") == 300.001)
  }

  /// What a later phone says of the same samples: more metadata, another version.
  private func later(_ foods: [Food]) -> [Food] {
    foods.enumerated().map { number, food in
      var food = food
      food.version = "12.0"
      food.name = food.name ?? "food \(number)"
      return food
    }
  }

  @Test("what a later export tells in other words is no second sample, in any order of imports")
  func otherWords() throws {
    let foods = [Food(), Food(name: "Milk"), Food(energy: "105"), Food(name: "Fig", energy: "105")]
    let earlier = try export("a.xml", day: 12, foods)
    let reworded = self.later(foods)
    let later = try export("b.xml", day: 20, reworded)
    let less = try export("c.xml", day: 15, Array(reworded.prefix(1)))
    let orders = [
      [earlier, later, less], [later, earlier, less], [less, earlier, later],
      [less, later, earlier], [earlier, less, later], [later, less, earlier],
    ]
    for (number, order) in orders.enumerated() {
      #expect(try energy(after: order, store: "\(number)") == 510, "\(number)")
    }
  }

  @Test("there are as many as the file that tells most")
  func most() throws {
    let two = [Food(name: "Oats"), Food(name: "Milk")]
    let exports = [
      try export("a.xml", day: 12, [Food(name: "Oats")]), try export("b.xml", day: 12, two),
    ]
    #expect(try energy(after: exports, store: "a") == 300)
    #expect(try energy(after: exports.reversed(), store: "b") == 300)
    _ = try run("imports", "undo", "2", store: "a")
    #expect(try energy(after: [], store: "a") == 150)
  }
}
