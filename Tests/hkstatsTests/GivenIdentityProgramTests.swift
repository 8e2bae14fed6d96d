import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

/// Samples and workouts that are told again, changed, under the identity that their app gave them.
@Suite("Samples and workouts with an identity") final class GivenIdentityProgramTests: StoreSuite {
  /// What a file tells of an identity: an instant in minutes from the first of March, and a value.
  private struct Telling: Hashable {
    let identity: String
    let minute: Int
    let value: Int
  }

  /// A file with a date, and what it tells.
  private struct File {
    let path: String
    let day: Int
    let tellings: [Telling]
  }

  private func file(
    _ name: String, day: Int, key: String = "HKExternalUUID", _ tellings: [Telling]
  ) throws -> File {
    var export = SmallExport(offset: 0)
    export.exported = "2024-04-\(day)T12:00:00"
    for telling in tellings {
      let time = SmallExport.time(ofMinute: telling.minute)
      export.add(
        "HKQuantityTypeIdentifierDietaryEnergyConsumed", "\(telling.value)", unit: "kcal",
        from: time, to: time, source: "Diary", metadata: [key: telling.identity])
    }
    return File(path: try scratch.file(name, export.data), day: day, tellings: tellings)
  }

  private func run(_ arguments: [String], store: String) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(
      arguments + ["--timezone", "UTC"].prefix(arguments[0] == "stats" ? 2 : 0)
        + ["--store", scratch.path(store)])
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    return run
  }

  private func sum(_ store: String) throws -> Double {
    try run(["stats", "dietaryEnergyConsumed", "--format", "json"], store: store)
      .rows("intervals").reduce(0) { $0 + ($1["sum"] as? Double ?? 0) }
  }

  /// The sum by the law: of each identity what the last of the files that have it tells, and all that
  /// is told where one file gives it to several samples that are no row of Health Connect.
  private func expected(_ files: [File], key: String) -> Double {
    var told: [String: [Telling]] = [:]
    var all: [String: Set<Telling>] = [:]
    var shared: Set<String> = []
    for file in files.sorted(by: { $0.day < $1.day }) {
      for (identity, tellings) in Dictionary(grouping: file.tellings, by: \.identity) {
        told[identity] = tellings
        all[identity, default: []].formUnion(tellings)
        if tellings.count > 1, key != "HealthConnectUUID" { shared.insert(identity) }
      }
    }
    return told.reduce(0) { sum, one in
      let counted = shared.contains(one.key) ? Array(all[one.key, default: []]) : one.value
      return counted.reduce(sum) { $0 + Double($1.value) }
    }
  }

  @Test(
    "the last file that has an identity holds, in any order of imports, undone and imported again",
    arguments: 1...10 as ClosedRange<UInt64>)
  func orders(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let key = try #require(
      ["HKExternalUUID", "HKMetadataKeySyncIdentifier", "HealthConnectUUID"]
        .randomElement(using: &generator))
    // No two tellings share a time, unless they are one: overlaps alone would decide.
    var minutes = Array(0..<20_000).shuffled(using: &generator)
    var last: [String: [Telling]] = [:]
    // A row of Health Connect may hold several samples; another identity is now and then of several.
    let isOfRow = key == "HealthConnectUUID"
    let files = try (0..<4).map { number in
      let tellings = (0..<8).flatMap { identity -> [Telling] in
        guard Bool.random(using: &generator) else { return [] }
        let name = "food \(identity)"
        if let same = last[name], Bool.random(using: &generator) { return same }
        let most = isOfRow ? 3 : Int.random(in: 0..<6, using: &generator) == 0 ? 2 : 1
        let kept = last[name, default: []].shuffled(using: &generator).dropFirst()
        let new = (0..<Int.random(in: 1...most, using: &generator)).map { _ in
          Telling(
            identity: name, minute: minutes.removeLast(),
            value: Int.random(in: 1...900, using: &generator))
        }
        last[name] = (isOfRow ? kept.prefix(Int.random(in: 0...most, using: &generator)) : []) + new
        return last[name, default: []]
      }
      return try file("\(number).xml", day: 10 + number, key: key, tellings)
    }
    var present: [File] = []
    var numbers: [String: Int] = [:]
    for file in files.shuffled(using: &generator) {
      _ = try run(["import", file.path], store: "s")
      numbers[file.path] = numbers.count + 1
      present.append(file)
      #expect(try sum("s") == expected(present, key: key), "after \(file.path)")
    }
    for _ in 0..<4 {
      let file = try #require(files.randomElement(using: &generator))
      if let place = present.firstIndex(where: { $0.path == file.path }) {
        _ = try run(["imports", "undo", "\(numbers[file.path] ?? 0)"], store: "s")
        present.remove(at: place)
      } else {
        _ = try run(["import", file.path], store: "s")
        // An undone import that returns has another number.
        let all = try run(["imports", "--format", "json"], store: "s").rows("imports")
        let name = (file.path as NSString).lastPathComponent
        numbers[file.path] =
          all.filter { $0["file"] as? String == name }.compactMap { $0["id"] as? Int }.max()
        present.append(file)
      }
      #expect(try sum("s") == expected(present, key: key))
    }
    #expect(try run(["verify"], store: "s").exitCode == 0)
    _ = try run(["sync", scratch.path("t"), "--create"], store: "s")
    #expect(try sum("t") == expected(present, key: key))
  }

  @Test("an undone or replaced file neither identifies nor shares an identity")
  func undone() throws {
    let files = [
      try file("a.xml", day: 10, [Telling(identity: "s", minute: 480, value: 100)]),
      try file("b.xml", day: 11, [Telling(identity: "s", minute: 600, value: 30)]),
      try file(
        "u.xml", day: 12,
        [
          Telling(identity: "s", minute: 700, value: 1),
          Telling(identity: "s", minute: 710, value: 2),
        ]),
    ]
    for file in files { _ = try run(["import", file.path], store: "s") }
    #expect(try sum("s") == 133)
    _ = try run(["imports", "undo", "3"], store: "s")
    #expect(try sum("s") == 30)
    _ = try run(["import", files[2].path], store: "r")
    _ = try run(["import", files[0].path, files[1].path, "--replace"], store: "r")
    #expect(try sum("r") == 30)
  }

  @Test("a deleted version that is told again elsewhere takes nothing with it")
  func deleted() throws {
    func walk(_ day: Int, _ start: String, _ end: String) throws -> String {
      var export = SmallExport(offset: 0)
      export.exported = "2024-04-\(day)T12:00:00"
      export.steps(1000, from: "2024-03-01T10:00:00", to: "2024-03-01T11:00:00", source: "App")
      export.add(
        "HKQuantityTypeIdentifierStepCount", "50", unit: "count", from: "2024-03-01T\(start):00",
        to: "2024-03-01T\(end):00", source: "App", metadata: ["HKExternalUUID": "x"])
      return try scratch.file("\(day).xml", export.data)
    }
    func steps() throws -> Double? {
      try run(["stats", "steps", "--merge", "none", "--format", "json"], store: "s")
        .rows("intervals").first?["sum"] as? Double
    }
    _ = try run(["import", try walk(10, "10:10", "10:20")], store: "s")
    _ = try run(["delete", "steps", "--where", "value=50"], store: "s")
    #expect(try steps() == 1000)
    _ = try run(["import", try walk(11, "12:00", "12:10")], store: "s")
    #expect(try steps() == 1050)
    #expect(try run(["verify"], store: "s").exitCode == 0)
  }

  @Test("of files of one date the version that goes on longest or has more holds")
  func oneDate() throws {
    let files = try [300, 812].map {
      try file("\($0).xml", day: 10, [Telling(identity: "a", minute: 480, value: $0)])
    }
    for (store, order) in [("a", files), ("b", files.reversed())] {
      for file in order { _ = try run(["import", file.path], store: store) }
      #expect(try sum(store) == 812)
    }
  }

  @Test("an identity that one file tells of several samples identifies none of them")
  func shared() throws {
    let meal = [
      Telling(identity: "meal", minute: 480, value: 100),
      Telling(identity: "meal", minute: 490, value: 50),
    ]
    let files = [
      try file("a.xml", day: 10, meal),
      try file("b.xml", day: 11, [Telling(identity: "meal", minute: 600, value: 30)]),
    ]
    for file in files { _ = try run(["import", file.path], store: "s") }
    #expect(try sum("s") == 180)
  }

  @Test("what a later file tells no longer of a row of Health Connect does not count")
  func shortened() throws {
    let minutes = Array(stride(from: 480, to: 600, by: 10))
    func night(_ minutes: [Int]) -> [Telling] {
      minutes.map { Telling(identity: "night", minute: $0, value: 1) }
    }
    let files = [
      try file("a.xml", day: 10, key: "HealthConnectUUID", night(minutes)),
      try file("b.xml", day: 11, key: "HealthConnectUUID", night(minutes.dropLast(4))),
    ]
    for (store, order) in [("a", files), ("b", files.reversed())] {
      for file in order { _ = try run(["import", file.path], store: store) }
      #expect(try sum(store) == 8)
      _ = try run(["imports", "undo", store == "a" ? "2" : "1"], store: store)
      #expect(try sum(store) == 12)
      #expect(try run(["verify"], store: store).exitCode == 0)
    }
  }

  @Test("a workout that is sent again with its id replaces the one before, in either order")
  func workouts() throws {
    func workout(_ end: String, _ kilocalories: Int) -> String {
      #"{"data":{"workouts":[{"id":"8E1","name":"Outdoor Run","start":"2026-08-05 18:00:00 +0200","#
        + #""end":"2026-08-05 \#(end) +0200","duration":2395,"#
        + #""activeEnergyBurned":{"qty":\#(kilocalories),"units":"kcal"}}]}}"#
    }
    let first = try scratch.file("a.json", Data(workout("18:40:00", 400).utf8))
    let again = try scratch.file("b.json", Data(workout("18:40:02", 421).utf8))
    for (store, order) in [("a", [first, again]), ("b", [again, first])] {
      for path in order { _ = try run(["import", path], store: store) }
      func energies() throws -> [Double?] {
        try run(["workouts", "--format", "json"], store: store)
          .rows("workouts").map { $0["energy"] as? Double }
      }
      #expect(try energies() == [421])
      _ = try run(["imports", "undo", order == [first, again] ? "2" : "1"], store: store)
      #expect(try energies() == [400])
      #expect(try run(["verify"], store: store).exitCode == 0)
    }
  }
}
