import Foundation
import HealthExchange
import HealthImport
import HealthMerge
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("What hkstats writes is not taken for an export of another program")
struct OwnOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with one to four types of samples, every second one with elements of every kind.
  private func store(_ seed: UInt64) throws -> SampleStore {
    var random = SplitMix64(seed: seed)
    var records = StoreRecords(seed: seed)
    let types = [
      (StoreRecords.steps, "count"), (StoreRecords.energy, "kJ"),
      (StoreRecords.heartRate, "count/min"),
      (StoreRecords.sleep, "HKCategoryValueSleepAnalysisAsleepCore"),
    ].shuffled(using: &random)
    let store = try SampleStore(path: folder.path + "/store.sqlite", mode: .readWrite)
    let session = try store.beginImport(from: .appleHealth)
    for (type, label) in types.prefix(Int.random(in: 1...4, using: &random)) {
      try session.add(records.batch(type, Source(name: "Phone"), count: 20, label: label))
    }
    if seed % 2 == 0 {
      var elements = RandomElements(seed: seed)
      for batch in elements.batches() { try session.add(batch) }
    }
    _ = try session.finish()
    return store
  }

  /// How many of what a store has.
  private func counts(_ store: SampleStore) throws -> [String: Int] {
    let types = try store.types().map { ($0.type.identifier, $0.count) }
    let elements = try store.elementCounts().map { ($0.key.rawValue, $0.value) }
    return Dictionary(types + elements) { $0 + $1 }
  }

  /// The law: neither the store that wrote it nor an empty one takes anything from it, and each says
  /// why; where `isNamed`, that hkstats wrote it, and not merely that it is no export.
  private func expectRefused(
    _ path: String, by store: SampleStore, isNamed: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    for store in [store, try SampleStore.temporary()] {
      let before = try counts(store)
      let error = #expect(throws: ImportError.self, "\(path)", sourceLocation: location) {
        try store.importFile(at: URL(fileURLWithPath: path))
      }
      guard case .reading(let reading)? = error?.reason else {
        Issue.record("\(String(describing: error))", sourceLocation: location)
        continue
      }
      if isNamed { #expect(reading.reason == .ownOutput, "\(reading)", sourceLocation: location) }
      #expect(try counts(store) == before, sourceLocation: location)
    }
  }

  /// A file by itself, in a folder, and in an archive.
  private func packings(of path: String) throws -> [String] {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let inFolder = try folder.write(bytes, to: "in-\(name)/\(name)")
    let archive = ZipWriter([.init("inner/\(name)", bytes: bytes)]).bytes
    return [
      path, String(inFolder.dropLast(name.count + 1)),
      try folder.write(archive, to: "\(name).zip"),
    ]
  }

  @Test("A table of one kind, whole, of a period and merged", arguments: 0..<6 as Range<UInt64>)
  func tables(seed: UInt64) throws {
    let store = try store(seed)
    let selections: [StoredSelection] =
      try store.types().map { .samples($0.type) }
      + store.elementCounts().keys.map { .elements($0, type: nil) }
    // Tables of other kinds name no instant with a value, which samples need.
    let unnamed: Set<ElementKind> = [
      .activitySummary, .clinicalRecord, .characteristics,
    ]
    for (place, selection) in selections.enumerated() {
      var requests = [ExportRequest(format: .csv, selections: [selection])]
      if case .samples(let type) = selection {
        requests.append(requests[0])
        requests[1].range = 600..<1800
        if type.canonicalUnit != nil {
          requests.append(requests[0])
          requests[2].merging = .healthKit
        }
      }
      for (part, request) in requests.enumerated() {
        let path = "\(folder.path)/table\(place)-\(part).csv"
        try store.export(request, to: .file(path: path))
        let isNamed = selection.kind.map { !unnamed.contains($0) } ?? true
        for packed in try packings(of: path) {
          try expectRefused(packed, by: store, isNamed: isNamed)
        }
      }
    }
  }

  @Test("A folder of tables, with all of its files or with one", arguments: 0..<6 as Range<UInt64>)
  func folders(seed: UInt64) throws {
    let store = try store(seed)
    let path = folder.path + "/tables"
    try store.export(ExportRequest(format: .csv), to: .folder(path: path))
    try expectRefused(path, by: store)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let entries = try names.map { name in
      ZipWriter.Entry(
        name, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))))
    }
    try expectRefused(folder.write(ZipWriter(entries).bytes, to: "tables.zip"), by: store)
    for name in names { try expectRefused("\(path)/\(name)", by: store, isNamed: false) }
  }

  @Test("Every other format", arguments: 0..<6 as Range<UInt64>)
  func formats(seed: UInt64) throws {
    let store = try store(seed)
    for format in ExportFormat.allCases where format != .csv {
      let path = "\(folder.path)/out.\(format.rawValue)"
      try store.export(ExportRequest(format: format), to: .file(path: path))
      let isOurs = [.tsv, .json, .ndjson, .sqlite].contains(format)
      try expectRefused(path, by: store, isNamed: isOurs)
      for packed in try packings(of: path) {
        try expectRefused(packed, by: store, isNamed: isOurs && packed == path)
      }
    }
  }

  /// A table as spreadsheets and other programs save it again.
  private func resaved(_ text: String) throws -> [(name: String, bytes: [UInt8])] {
    let rows = CommaSeparatedRows.rows(of: text)
    func joined(
      _ rows: [[String]], by separator: String = ",", end: String = "\n", isQuoted: Bool = false
    ) -> String {
      rows.map { row in
        row.map { field in
          let isQuoted = isQuoted || field.contains { "\(separator)\"\n\r".contains($0) }
          return isQuoted ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }.joined(separator: separator) + end
      }.joined()
    }
    let marked = "\u{FEFF}" + joined(rows, by: ";", end: "\r\n")
    let units = Array(("\u{FEFF}" + joined(rows, by: "\t")).utf16)
    let titles = try #require(rows.first)
    let dates = titles.indices.filter { ["start", "end", "created"].contains(titles[$0]) }
    let shortened = rows.map { row in
      row.enumerated().map { place, field in
        dates.contains(place) ? String(field.prefix(16)).replacing("T", with: " ") : field
      }
    }
    let capitals = [titles.map { $0.uppercased().replacing("_", with: " ") }] + rows.dropFirst()
    let texts: [(String, String)] = [
      ("semicolons", joined(rows, by: ";")), ("tabs", joined(rows, by: "\t")),
      ("bars", joined(rows, by: "|")), ("quoted", joined(rows, isQuoted: true)),
      ("mark", marked), ("returns", joined(rows, end: "\r")), ("separator", "sep=,\r\n" + text),
      ("reordered", joined(rows.map { $0.reversed() })),
      ("added", joined(rows.map { ["note"] + $0 + ["x"] })), ("dates", joined(shortened)),
      ("capitals", joined(capitals)),
    ]
    let little: [UInt8] = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big: [UInt8] = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return texts.map { ($0.0, Array($0.1.utf8)) } + [("little", little), ("big", big)]
  }

  @Test("A table that a spreadsheet has saved again", arguments: [2, 4] as [UInt64])
  func spreadsheets(seed: UInt64) throws {
    let store = try store(seed)
    let path = folder.path + "/tables"
    try store.export(ExportRequest(format: .csv), to: .folder(path: path))
    let tables = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(Set(tables).isSuperset(of: ["samples.csv", "workouts.csv"]))
    for table in tables {
      let text = try String(contentsOfFile: "\(path)/\(table)", encoding: .utf8)
      guard text.contains("entered_by_hand") else { continue }
      for (name, bytes) in try resaved(text) {
        for packed in try packings(of: folder.write(bytes, to: "\(name)-\(table)")) {
          try expectRefused(packed, by: store)
        }
      }
    }
  }

  @Test("A list of objects whose white space and order of keys another program has changed")
  func rewrittenObjects() throws {
    let store = try store(1)
    let path = folder.path + "/a.json"
    try store.export(ExportRequest(format: .json), to: .file(path: path))
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let list = try JSONSerialization.jsonObject(with: data)
    for options in [.sortedKeys, [.sortedKeys, .prettyPrinted]]
      as [JSONSerialization.WritingOptions]
    {
      let bytes = Array(try JSONSerialization.data(withJSONObject: list, options: options))
      try expectRefused(folder.write(bytes, to: "sorted.json"), by: store)
    }
    let spaced = String(decoding: data, as: UTF8.self).replacing("{", with: "\r\n  { ")
      .replacing("\":", with: "\" :\t")
    try expectRefused(folder.write(spaced, to: "spaced.json"), by: store)
  }

  @Test("A table of ours among those of another program is refused by its name")
  func amongOthers() throws {
    let store = try store(1)
    let other = "type,startDate,unit,value\nStepCount,2024-03-09 15:04:05 -0700,count,92\n"
    _ = try folder.write(other, to: "both/a.csv")
    try store.export(ExportRequest(format: .csv), to: .file(path: folder.path + "/both/b.csv"))
    let ours = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/both/b.csv")))
    let archive = ZipWriter([.init("a.csv", other), .init("b.csv", bytes: ours)]).bytes
    for path in [folder.path + "/both", try folder.write(archive, to: "both.zip")] {
      try expectRefused(path, by: store)
      let error = #expect(throws: ExportError.self) { _ = try AnyExportReader(path: path) }
      #expect(error?.entry == "b.csv" && error?.description.contains("b.csv") == true)
    }
  }

  @Test("Another program's table may have some of our names, a time zone among them")
  func others() throws {
    let rows = "2024-03-09 08:00:00 +0000,2024-03-09 09:00:00 +0000,92,count,Phone,Europe/Paris\n"
    for titles in [
      "start,end,value,unit,source,timezone", "startDate,endDate,value,unit,sourceName,timeZone",
      "start,end,value,unit,sourceName,metadata",
    ] {
      let text = "type,\(titles)\nStepCount,\(rows)"
      let store = try SampleStore.temporary()
      let path = try folder.write(text, to: "other.csv")
      #expect(try store.importFile(at: URL(fileURLWithPath: path)).total.new == 1)
    }
  }
}
