import Foundation
import GRDB
import HealthExchange
import HealthMerge
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Exporting through the library")
struct ExportTests {
  private let folder: TemporaryFolder
  private let store: SampleStore
  /// How many rows of each kind of elements the store has.
  private let elements: [ElementKind: Int]

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleStore(path: folder.path + "/store.sqlite", mode: .readWrite)
    var records = StoreRecords(seed: 11)
    var random = RandomElements(seed: 12)
    let session = try store.beginImport(from: .appleHealth)
    for source in ["Watch", "=Phone, \"mine\""].map({ Source(name: $0) }) {
      try session.add(records.batch(StoreRecords.steps, source, count: 300, label: "count"))
      try session.add(records.batch(StoreRecords.energy, source, count: 200, label: "kJ"))
      let asleep = "HKCategoryValueSleepAnalysisAsleepCore"
      try session.add(records.batch(StoreRecords.sleep, source, count: 40, label: asleep))
    }
    for batch in random.batches() { try session.add(batch) }
    _ = try session.finish()
    elements = try store.elementCounts()
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }
  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }
  private func names() throws -> [String] {
    // An open store has its log beside it.
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  /// The records of the store, each row by itself.
  private func stored(_ types: [SampleType]) throws -> Int {
    var count = 0
    for type in types { try store.forEachBatch(of: type) { count += $0.count } }
    return count
  }

  private func objects(_ text: some StringProtocol) throws -> [NSDictionary] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
  }

  /// What an export throws.
  private func reason(
    _ request: ExportRequest, to destination: ExportDestination
  ) -> OutputError.Reason? {
    #expect(throws: OutputError.self) { try store.export(request, to: destination) }?.reason
  }

  @Test("ndjson has an object for each sample and element with its value; json has the same ones")
  func json() throws {
    let lines = try store.export(ExportRequest(format: .ndjson), to: .file(path: path("a.ndjson")))
    let objects = try objects(text("a.ndjson"))
    let kinds = Dictionary(grouping: objects) { $0["kind"] as? String ?? "" }
    #expect(kinds["workout"]?.count == elements[.workout])
    #expect(kinds["audiogram"]?.count == elements[.audiogram])
    #expect(kinds["category"]?.count == (try stored([StoreRecords.sleep])))
    let quantities = try #require(kinds["quantity"])
    #expect(quantities.count == (try stored([StoreRecords.steps, StoreRecords.energy])))
    var values: [Double] = []
    for type in try store.types().map(\.type) where type.canonicalUnit != nil {
      try store.forEachBatch(of: type) { values += $0.values }
    }
    #expect(quantities.compactMap { $0["value"] as? Double } == values)

    try store.export(ExportRequest(format: .json), to: .file(path: path("a.json")))
    let array = try JSONSerialization.jsonObject(with: Data(text("a.json").utf8)) as? [NSDictionary]
    #expect(array == objects)
    let samples = try stored(try store.types().map(\.type))
    #expect(lines.written == samples + elements.values.reduce(0, +))
    #expect(lines.leftOut.isEmpty)
  }

  @Test("A folder of csv and a SQLite file have the same tables, and as many rows as the store")
  func tables() throws {
    try store.export(ExportRequest(format: .csv), to: .folder(path: path("all")))
    try store.export(ExportRequest(format: .sqlite), to: .file(path: path("all.db")))
    let files = try FileManager.default.contentsOfDirectory(atPath: path("all"))
    let queue = try DatabaseQueue(path: path("all.db"))
    try queue.read { database in
      for file in files {
        let rows = CommaSeparatedRows.rows(of: try text("all/" + file))
        let count = try Int.fetchOne(
          database, sql: "SELECT count(*) FROM \(file.dropLast(".csv".count))")
        #expect(rows.count - 1 == count, "\(file)")
      }
      #expect(try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil)
    }
    #expect(
      CommaSeparatedRows.rows(of: try text("all/samples.csv")).count - 1
        == (try stored(try store.types().map(\.type))))
    #expect(
      CommaSeparatedRows.rows(of: try text("all/workouts.csv")).count - 1 == elements[.workout])
  }

  @Test("csv reads back to the numbers of the store; formulas are harmless where that is asked for")
  func csv() throws {
    var request = ExportRequest(format: .csv, selections: [.samples(StoreRecords.energy)])
    try store.export(request, to: .file(path: path("a.csv")))
    let rows = CommaSeparatedRows.rows(of: try text("a.csv"))
    let value = try #require(rows.first?.firstIndex(of: "value"))
    var values: [Double] = []
    try store.forEachBatch(of: StoreRecords.energy) { values += $0.values }
    #expect(rows.dropFirst().map { Double($0[value]) } == values)

    request.unit = "kcal"
    request.isSafeForSpreadsheets = true
    try store.export(request, to: .file(path: path("a.csv"), replacing: true))
    let safe = CommaSeparatedRows.rows(of: try text("a.csv"))
    let source = try #require(safe.first?.firstIndex(of: "source"))
    #expect(Set(safe.dropFirst().map { $0[source] }) == ["Watch", "'=Phone, \"mine\""])
    // A thermochemical kilocalorie is 4.184 kJ.
    for (row, kilojoules) in zip(safe.dropFirst(), values) {
      let converted = try #require(Double(row[value]))
      #expect(abs(converted * 4.184 - kilojoules) <= 1e-12 * kilojoules)
    }
  }

  @Test(
    "Where a sample was saved, and the zones of a workout's parts, are in every table and object")
  func placesAndZones() throws {
    var random = SplitMix64(seed: 6)
    func origin() -> Origin {
      let (product, system) = Bool.random(using: &random) ? ("iPhone14,5", "17.5.1") : ("", "")
      return Origin(sourceVersion: "7", productType: product, operatingSystem: system)
    }
    let source = Source(name: "Example", bundleIdentifier: "com.example.app")
    var objects = NewObjects()
    var expected: [[String]] = []
    for start in 0..<20 {
      let origin = origin()
      expected.append([origin.productType, origin.operatingSystem])
      objects.samples.append(
        NewSample(
          type: StoreRecords.heartRate, source: source, start: Double(start), end: Double(start),
          value: 60, label: "count/min", origin: origin))
    }
    func groups() -> [Workouts.ZoneGroup] {
      (0..<Int.random(in: 0..<3, using: &random)).map { number in
        var group = Workouts.ZoneGroup()
        (group.type, group.source, group.unit) =
          number == 0
          ? ("heartRate", ["user", ""][Int.random(in: 0..<2, using: &random)], "count/min")
          : ("cyclingPower", "automatic", "W")
        group.zones = (0..<Int.random(in: 1..<4, using: &random)).map { zone in
          var bounds = Workouts.Zone()
          bounds.minimum = zone == 0 ? nil : Double(zone) * 50
          (bounds.maximum, bounds.duration) = (Double(zone + 1) * 50, Double(number + zone))
          return bounds
        }
        return group
      }
    }
    var workouts: [Workouts.Row] = []
    for start in 0..<10 {
      var row = Workouts.Row()
      row.activity = "HKWorkoutActivityTypeRunning"
      (row.facts.source, row.facts.start, row.facts.end) = (
        source, Double(start), Double(start + 5)
      )
      row.facts.origin = origin()
      row.zoneGroups = groups()
      row.activities = (0..<2).map { part in
        var activity = Workouts.Activity()
        (activity.identifier, activity.start) = ("\(start)-\(part)", Double(start))
        activity.zoneGroups = groups()
        return activity
      }
      workouts.append(row)
      objects.elements.append(NewElement(.workouts(Workouts([row]))))
    }
    var prescriptions: [[String]] = []
    var saved: [[String]] = []
    for start in 0..<5 {
      var row = VisionPrescriptions.Row()
      (row.type, row.issued, row.source) = ("glasses", Double(start), source)
      (row.origin, row.created) = (origin(), 129_600)
      row.metadata = Metadata([.init(key: "HKTimeZone", value: "UTC")])
      prescriptions.append([
        source.name, "7", row.origin.productType, row.origin.operatingSystem,
      ])
      objects.elements.append(NewElement(.visionPrescriptions(VisionPrescriptions([row]))))
      var object = SavedObjects.Row()
      (object.type, object.facts.source, object.facts.start, object.facts.end) = (
        "HKDataTypeStateOfMind", source, Double(start), Double(start)
      )
      (object.facts.origin, object.document) = (origin(), Array("{}".utf8))
      saved.append([
        source.name, "7", object.facts.origin.productType, object.facts.origin.operatingSystem,
      ])
      objects.elements.append(NewElement(.savedObjects(SavedObjects([object]))))
    }
    let store = try SampleStore(path: path("places.sqlite"), mode: .readWrite)
    try store.save(objects)
    /// A group as a row of the table says it.
    func words(_ groups: [Workouts.ZoneGroup]) -> [[String]] {
      groups.flatMap { group in
        group.zones.map { zone in
          [group.type, group.source, group.unit]
            + [zone.minimum, zone.maximum, zone.duration].map { $0.map { "\($0)" } ?? "" }
        }
      }
    }

    try store.export(ExportRequest(format: .ndjson), to: .file(path: path("places.ndjson")))
    let lines = try self.objects(text("places.ndjson"))
    func place(_ line: NSDictionary) -> [String] {
      ["productType", "operatingSystem"].map { line[$0] as? String ?? "" }
    }
    #expect(lines.filter { $0["kind"] as? String == "quantity" }.map(place) == expected)
    let told = lines.filter { $0["kind"] as? String == "workout" }
    let places = workouts.map { [$0.facts.origin.productType, $0.facts.origin.operatingSystem] }
    #expect(told.map(place) == places)
    for (kind, wanted) in [("visionPrescription", prescriptions), ("savedObject", saved)] {
      let told = lines.filter { $0["kind"] as? String == kind }
      let words = ["source", "sourceVersion", "productType", "operatingSystem"]
      #expect(told.map { line in words.map { line[$0] as? String ?? "" } } == wanted, "\(kind)")
    }
    let prescription = try #require(
      lines.first { $0["kind"] as? String == "visionPrescription" })
    #expect((prescription["created"] as? String)?.hasPrefix("2001-01-02T") == true)
    func groups(_ object: NSDictionary?) -> [[String]] {
      (object?["zoneGroups"] as? [NSDictionary] ?? []).flatMap { group in
        (group["zones"] as? [NSDictionary] ?? []).map { zone in
          ["type", "source", "unit"].map { group[$0] as? String ?? "" }
            + ["minimum", "maximum", "duration"].map {
              zone[$0].map { "\($0 as? Double ?? -1)" } ?? ""
            }
        }
      }
    }
    #expect(told.map { groups($0) } == workouts.map { words($0.zoneGroups) })
    #expect(
      told.map { ($0["activities"] as? [NSDictionary] ?? []).map { groups($0) } }
        == workouts.map { $0.activities.map { words($0.zoneGroups) } })

    try store.export(ExportRequest(format: .csv), to: .folder(path: path("places")))
    func cells(_ file: String) throws -> [[String]] {
      let rows = CommaSeparatedRows.rows(of: try text("places/\(file).csv"))
      let columns = try ["product_type", "operating_system"].map {
        try #require(rows.first?.firstIndex(of: $0))
      }
      return rows.dropFirst().map { row in columns.map { row[$0] } }
    }
    #expect(try cells("samples") == expected)
    #expect(try cells("workouts") == places)
    for (file, wanted) in [("vision_prescriptions", prescriptions), ("saved_objects", saved)] {
      #expect(try cells(file) == wanted.map { Array($0.suffix(2)) })
    }
    // They are the last columns of all tables that have them: the others stand where they stood.
    for file in ["workouts", "vision_prescriptions", "saved_objects"] {
      let header = CommaSeparatedRows.rows(of: try text("places/\(file).csv"))[0]
      #expect(header.suffix(2) == ["product_type", "operating_system"], "\(file)")
    }
    for kind in ElementKind.allCases {
      let names = OutputTable.table(of: kind).columnNames
      #expect(
        names.firstIndex(of: "product_type").map { $0 == names.count - 2 } ?? true, "\(kind)")
    }

    try store.export(ExportRequest(format: .sqlite), to: .file(path: path("places.db")))
    try DatabaseQueue(path: path("places.db")).read { database in
      func rows(_ sql: String) throws -> [[String]] {
        try Row.fetchAll(database, sql: sql).map { row in
          row.map { _, value in
            Double.fromDatabaseValue(value).map { "\($0)" } ?? String.fromDatabaseValue(value) ?? ""
          }
        }
      }
      for (table, wanted) in [
        ("samples", expected), ("workouts", places),
        ("vision_prescriptions", prescriptions.map { Array($0.suffix(2)) }),
        ("saved_objects", saved.map { Array($0.suffix(2)) }),
      ] {
        #expect(
          try rows("SELECT product_type, operating_system FROM \(table) ORDER BY id") == wanted)
      }
      for (whole, wanted) in [
        ("workout", workouts.flatMap { words($0.zoneGroups) }),
        ("workout_activity", workouts.flatMap { $0.activities.flatMap { words($0.zoneGroups) } }),
      ] {
        let found = try rows(
          """
          SELECT type, source, unit, minimum, maximum, duration_s FROM \(whole)_zones AS zone
          JOIN \(whole)_zone_groups AS zones ON zones.id = \(whole)_zone_group ORDER BY zone.id
          """)
        #expect(found == wanted && !wanted.isEmpty)
      }
    }
  }

  @Test("A Bundle of FHIR has the resources that the form of lines has; the rest is counted")
  func fhir() throws {
    let bundle = try store.export(ExportRequest(format: .fhir), to: .file(path: path("a.json")))
    let lines = try store.export(
      ExportRequest(format: .fhirLines), to: .file(path: path("a.ndjson")))
    let document =
      try JSONSerialization.jsonObject(with: Data(text("a.json").utf8)) as? [String: Any]
    let entries = try #require(document?["entry"] as? [[String: Any]])
    let resources = entries.compactMap { $0["resource"] as? NSDictionary }
    #expect(resources == (try objects(text("a.ndjson"))))
    #expect(bundle == lines)
    #expect(bundle.leftOut["workout"] == elements[.workout])
  }

  @Test("R4 has as many resources as R5, in a Bundle and in lines", arguments: [true, false])
  func versions(isBundle: Bool) throws {
    var request = ExportRequest(format: isBundle ? .fhir : .fhirLines)
    let new = try store.export(request, to: .file(path: path("5")))
    request.fhirVersion = .r4
    let old = try store.export(request, to: .file(path: path("4")))
    #expect(old == new)
    #expect(try text("4").count { $0 == "\n" } == text("5").count { $0 == "\n" })
  }

  @Test("GPX and GeoJSON have every place of every route")
  func routes() throws {
    var (places, routes) = (0, 0)
    try store.forEachElement(of: .route) { batch in
      guard case .routes(let columns) = batch else { return false }
      places += columns.rows.reduce(0) { $0 + $1.locations.count }
      routes += columns.rows.count
      return true
    }
    try store.export(ExportRequest(format: .gpx), to: .file(path: path("a.gpx")))
    let gpx = try text("a.gpx")
    #expect(gpx.components(separatedBy: "<trkpt ").count - 1 == places && places > 0)
    #expect(gpx.components(separatedBy: "<trk>").count - 1 == routes)
    try store.export(ExportRequest(format: .geojson), to: .file(path: path("a.geojson")))
    let document =
      try JSONSerialization.jsonObject(with: Data(text("a.geojson").utf8)) as? [String: Any]
    let features = try #require(document?["features"] as? [[String: Any]])
    let times = features.compactMap { $0["properties"] as? [String: Any] }
      .compactMap { $0["coordTimes"] as? [String] }
    #expect(features.count == routes && times.joined().count == places)
  }

  @Test("A stream gets what a file gets, and a reader who has gone ends the export")
  func stream() throws {
    let request = ExportRequest(format: .ndjson)
    try store.export(request, to: .file(path: path("a.ndjson")))
    #expect(FileManager.default.createFile(atPath: path("b.ndjson"), contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: path("b.ndjson")))
    try store.export(request, to: .stream(handle))
    #expect(try text("a.ndjson") == text("b.ndjson"))

    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    #expect(
      reason(request, to: .stream(pipe.fileHandleForWriting)) == .notWritable(errno: EPIPE))
  }

  @Test(
    "An export that is cancelled leaves no file, and one that it would replace as it was",
    arguments: [ExportFormat.ndjson, .csv, .sqlite])
  func cancelled(format: ExportFormat) throws {
    _ = try folder.write("old", to: "a.out")
    let before = try names()
    for replacing in [false, true] {
      let name = path(replacing ? "a.out" : "new.out")
      let destination: ExportDestination =
        format == .csv && !replacing ? .folder(path: name) : .file(path: name, replacing: replacing)
      var steps = 0
      let error = #expect(throws: OutputError.self) {
        try store.export(
          ExportRequest(format: format), to: destination, progress: { _ in steps += 1 },
          isCancelled: { steps > 1 })
      }
      #expect(error?.reason == .cancelled)
      #expect(steps == 2)
      #expect(try names() == before)
      #expect(try text("a.out") == "old")
    }
  }

  @Test("Progress rises to what the store has")
  func progress() throws {
    var steps: [ExportProgress] = []
    let result = try store.export(
      ExportRequest(format: .ndjson), to: .file(path: path("a.ndjson")),
      progress: { steps.append($0) })
    #expect(steps.map(\.written) == steps.map(\.written).sorted())
    #expect(steps.last?.written == result.written)
    #expect(Set(steps.map(\.count)) == [result.written])
  }

  @Test("A writer of one's own is given everything, and its error ends the export")
  func ownWriter() throws {
    let writer = CountingWriter(limit: .max)
    let result = try store.export(ExportRequest(format: .gpx), through: writer)
    #expect(writer.isWhole && writer.count == result.written)
    let samples = try stored(try store.types().map(\.type))
    #expect(writer.count == samples + elements.values.reduce(0, +))
    let error = #expect(throws: OutputError.self) {
      try store.export(ExportRequest(format: .json), through: CountingWriter(limit: 3))
    }
    #expect(error?.reason == .notWritable(errno: ENOSPC))
  }

  @Test("Each cause has its own error")
  func errors() throws {
    let file = path("a.out")
    _ = try folder.write("old", to: "a.out")
    let steps = StoredSelection.samples(StoreRecords.steps)
    let workouts = StoredSelection.elements(.workout, type: nil)
    func request(_ format: ExportFormat, _ selections: [StoredSelection]? = nil) -> ExportRequest {
      ExportRequest(format: format, selections: selections)
    }
    #expect(reason(request(.json), to: .file(path: file)) == .alreadyThere)
    #expect(reason(request(.csv), to: .folder(path: file)) == .notWritable(errno: ENOTDIR))
    #expect(
      reason(request(.json), to: .file(path: path("no/a.json"))) == .notWritable(errno: ENOENT))
    let own = path("store.sqlite")
    #expect(reason(request(.sqlite), to: .file(path: own, replacing: true)) == .isInput)
    #expect(reason(request(.sqlite), to: .stream(.nullDevice)) == .destinationDoesNotFit(.sqlite))
    #expect(reason(request(.json), to: .folder(path: path("f"))) == .destinationDoesNotFit(.json))
    #expect(reason(request(.gpx, [steps]), to: .file(path: path("x"))) == .routesOnly(.gpx))
    #expect(reason(request(.csv, [steps, workouts]), to: .file(path: path("x"))) == .severalKinds)
    var merging = request(.csv, [workouts])
    merging.merging = .healthKit
    #expect(reason(merging, to: .file(path: path("x"))) == .notMergeable)
    var choosing = request(.csv, [steps])
    choosing.merging = .highest
    #expect(reason(choosing, to: .file(path: path("x"))) == .policyNeedsIntervals(.highest))
    var metres = request(.csv, [steps])
    metres.unit = "m"
    guard
      case .unitDoesNotFit(_, "m", StoreRecords.steps)? = reason(
        metres, to: .file(path: path("x")))
    else {
      Issue.record("steps are not metres")
      return
    }
    var sleep = request(.csv, [.samples(StoreRecords.sleep)])
    sleep.unit = "m"
    #expect(reason(sleep, to: .file(path: path("x"))) == .noUnit(StoreRecords.sleep))
    #expect(try names() == ["a.out", "store.sqlite"])
    #expect(try text("a.out") == "old")
  }
}

/// Counts what it is given, up to a limit.
private final class CountingWriter: ExportWriter {
  private(set) var count = 0
  private(set) var isWhole = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func begin() {}

  func write(_ recorded: RecordedBatch) throws(OutputError) {
    for row in recorded.rows where recorded.value(row).isFinite { count += 1 }
    if count > limit { throw OutputError(.notWritable(errno: ENOSPC)) }
  }

  func write(_ elements: ImportBatch) { count += 1 }

  func end() { isWhole = true }
}
