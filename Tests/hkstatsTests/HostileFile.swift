import Foundation
import Testing
import _HealthTestSupport

/// A file made to take all memory, time or disk.
struct HostileFile: Sendable, CustomTestStringConvertible {
  /// What of the file must be in the store, or read, after its import.
  enum Arrival: Sendable {
    case steps(Set<Double>)
    case eachRecord
    case nothing
  }

  let name: String
  /// What the file is called after the dot.
  let suffix: String
  /// How the import ends.
  let exitCode: Int32
  let arrival: Arrival
  /// The most memory that its import takes, in megabytes.
  let megabytes: Int
  /// How much of it there is.
  let count: Int
  /// How much of it there is where the suite runs, if it does not take long.
  let shortCount: Int?
  private let write: @Sendable (Int, inout PieceFile) throws -> Void

  var testDescription: String { name }

  private init(
    _ name: String, _ suffix: String = "xml", exitCode: Int32 = 0,
    arrives arrival: Arrival = .nothing,
    megabytes: Int = 200, count: Int, short: Int?,
    _ write: @escaping @Sendable (Int, inout PieceFile) throws -> Void
  ) {
    self.name = name
    self.suffix = suffix
    self.exitCode = exitCode
    self.arrival = arrival
    self.megabytes = megabytes
    self.count = count
    shortCount = short
    self.write = write
  }

  func write(count: Int, to path: String) throws {
    var file = try PieceFile(path: path)
    try write(count, &file)
    try file.finish()
  }
}

/// A file that is written piece by piece.
struct PieceFile {
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  private static let mostBuffered = 1 << 22

  init(path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  mutating func write(_ text: String) throws {
    buffer += text.utf8
    if buffer.count > Self.mostBuffered { try flush() }
  }

  mutating func write(_ archive: [ZipWriter.Entry]) throws {
    buffer = ZipWriter(archive, isLong: true).bytes
    try flush()
  }

  private mutating func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  mutating func finish() throws {
    try flush()
    try handle.close()
  }

  /// Writes an export of `count` elements.
  mutating func writeExport(of count: Int, _ element: (Int) -> String) throws {
    try write(HostileFile.head)
    for index in 0..<count { try write(element(index)) }
    try write(HostileFile.tail)
  }

  /// Writes an export of which the first record and the last are plain.
  mutating func writeExport(around pieces: String..., count: Int = 1) throws {
    try write(HostileFile.head + HostileFile.record(value: "1"))
    for _ in 0..<count { for piece in pieces { try write(piece) } }
    try write(HostileFile.record(value: "2") + HostileFile.tail)
  }
}

extension HostileFile {
  static let head = "<HealthData locale=\"en_US\">\n"
  static let tail = "</HealthData>\n"
  private static let dates =
    "startDate=\"2024-03-09 10:00:00 +0000\" endDate=\"2024-03-09 10:00:00 +0000\""
  private static let tableHead = "type,sourceName,startDate,endDate,unit,value"
  private static let top = "apple_health_export/"
  private static let export = head + record() + tail
  /// The plain records around what is hostile.
  private static let around = Arrival.steps([1, 2])
  private static let million = 1_000_000

  static func record(
    _ type: String = "HKQuantityTypeIdentifierStepCount", unit: String = "count",
    source: String = "W", value: String = "25", more: String = "", children: String = ""
  ) -> String {
    " <Record type=\"\(type)\" sourceName=\"\(source)\" unit=\"\(unit)\" \(dates) value=\"\(value)\""
      + more + (children.isEmpty ? "/>\n" : ">\(children)</Record>\n")
  }

  private static func workout(_ route: String) -> String {
    " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" sourceName=\"W\" \(dates)>"
      + "<WorkoutRoute sourceName=\"W\" \(dates)><FileReference path=\"/workout-routes/\(route)\"/>"
      + "</WorkoutRoute></Workout>\n"
  }

  private static func entry(
    _ name: String, _ content: String, _ change: (inout ZipWriter.Entry) -> Void = { _ in }
  ) -> ZipWriter.Entry {
    var entry = ZipWriter.Entry(name, content)
    entry.isLong = true
    change(&entry)
    return entry
  }

  /// An entry and others that name its data.
  private static func shared(
    _ entry: ZipWriter.Entry, _ count: Int, _ name: (Int) -> String
  ) -> [ZipWriter.Entry] {
    [entry]
      + (0..<count).map { index in
        Self.entry(name(index), "") { $0.sharesData = true }
      }
  }

  /// An export of workouts that name one route, and the file of it.
  private static func routes(_ count: Int, _ route: ZipWriter.Entry) -> [ZipWriter.Entry] {
    let text = head + String(repeating: workout("a.gpx"), count: count) + tail
    return [entry(top + "export.xml", text), route]
  }

  static let all: [HostileFile] = texts + names + archives + otherFormats

  private static let texts: [HostileFile] = [
    .init(
      "an attribute of 100 MB", arrives: around, megabytes: 300, count: 100 * million,
      short: 100 * million
    ) {
      try $1.writeExport(around: record(more: " device=\"\(String(repeating: "x", count: $0))\""))
    },
    .init("sources of 60 MB", arrives: around, megabytes: 300, count: 10, short: 10) {
      let long = record(source: String(repeating: "x", count: 60 * million))
      try $1.writeExport(around: long, count: $0)
    },
    .init("metadata of 50 MB", arrives: around, megabytes: 700, count: 10, short: nil) {
      let value = String(repeating: "x", count: 50 * million)
      let long = record(children: "<MetadataEntry key=\"a\" value=\"\(value)\"/>")
      try $1.writeExport(around: long, count: $0)
    },
    .init("devices of 10 MB", arrives: around, megabytes: 700, count: 20, short: 20) {
      count, file in
      try file.write(head + record(value: "1"))
      let text = String(repeating: "x", count: 10 * million)
      for index in 0..<count { try file.write(record(more: " device=\"\(index)\(text)\"")) }
      try file.write(record(value: "2") + tail)
    },
    .init("nesting", arrives: around, count: million, short: million) {
      try $1.writeExport(
        around: String(repeating: "<a>", count: $0), String(repeating: "</a>", count: $0))
    },
    .init("nesting in a record", arrives: around, count: million, short: million) {
      try $1.writeExport(around: record(children: String(repeating: "<a>", count: $0)))
    },
    .init("nesting in a workout", arrives: .steps([1]), count: million, short: million) {
      let activities = String(repeating: "<WorkoutActivity>", count: $0)
      try $1.writeExport(
        around: workout("a").replacing("</Workout>", with: activities))
    },
    .init("attributes of a tag", arrives: around, count: million, short: million) { count, file in
      try file.write(head + record(value: "1"))
      let more = (0..<count).map { " a\($0)=\"1\"" }.joined()
      try file.write(record(more: more) + record(value: "2") + tail)
    },
  ]

  private static let names: [HostileFile] = [
    .init("types", arrives: .eachRecord, count: million, short: million) {
      try $1.writeExport(of: $0) { record("T\($0)") }
    },
    .init("units", arrives: .eachRecord, count: million, short: nil) {
      try $1.writeExport(of: $0) { record(unit: "u\($0)") }
    },
    .init("units that measure something", arrives: .eachRecord, count: million, short: nil) {
      try $1.writeExport(of: $0) { record(unit: "mmol&lt;\($0).5&gt;/L") }
    },
    .init("constants", arrives: .eachRecord, count: million, short: nil) {
      try $1.writeExport(of: $0) {
        record("HKCategoryTypeIdentifierSleepAnalysis", unit: "", value: "v\($0)")
      }
    },
    .init("sources", arrives: .eachRecord, megabytes: 400, count: 50_000, short: 5000) {
      try $1.writeExport(of: $0) { record(source: "app \($0)") }
    },
    // Samples of one second that differ: the tables of all their runs are open at once.
    .init(
      "versions and devices", arrives: .eachRecord, megabytes: 600, count: million, short: million
    ) {
      try $1.writeExport(of: $0) { record(more: " sourceVersion=\"\($0)\" device=\"name:d\($0)\"") }
    },
    .init("keys of metadata", arrives: .eachRecord, megabytes: 800, count: million, short: million)
    {
      try $1.writeExport(of: $0) {
        record(children: "<MetadataEntry key=\"k\($0)\" value=\"\($0)\"/>")
      }
    },
    .init("names of elements", count: million, short: nil) {
      try $1.writeExport(of: $0) { " <e\($0) a\($0)='1'/>\n" }
    },
    .init("workouts", megabytes: 700, count: million, short: 100_000) {
      try $1.writeExport(of: $0) { workout("\($0).gpx") }
    },
  ]

  private static let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 26)
  private static let lineEnds = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 24)

  private static let archives: [HostileFile] = [
    .init("a text of 4 GiB and more", "zip", arrives: around, count: 66, short: 66) {
      try $1.write([
        ZipWriter.Entry(
          top + "export.xml", head + record(value: "1"), repeating: spaces, count: $0,
          record(value: "2") + tail)
      ])
    },
    .init("a text that does not end", "zip", exitCode: 65, count: 40, short: 40) {
      var entry = ZipWriter.Entry(top + "export.xml", head, repeating: spaces, count: $0, tail)
      entry.statedLength = 100_000
      try $1.write([entry])
    },
    .init("entries that overlap", "zip", exitCode: 65, count: 20_000, short: 20_000) {
      let first = ZipWriter.Entry(top + "a.xml", "<plist>", repeating: spaces, count: 1, "")
      try $1.write(shared(first, $0) { "\(top)\($0).xml" })
    },
    .init("tables that overlap", "zip", exitCode: 65, count: 4000, short: 4000) {
      let first = ZipWriter.Entry("a.csv", tableHead + "\n", repeating: lineEnds, count: 16, "")
      try $1.write(shared(first, $0) { "\($0).csv" })
    },
    .init(
      "entries", "zip", arrives: .steps([25]), megabytes: 400, count: 500_000, short: 500_000
    ) {
      let first = entry(top + "export.xml", export)
      try $1.write(shared(first, $0) { "\(top)workout-routes/\($0).gpx" })
    },
    .init("names of a route that lies", "zip", exitCode: 65, count: 100_000, short: 100_000) {
      let route = entry(top + "workout-routes/a.gpx", "<gpx/>") { $0.statedLength = 1 << 26 }
      try $1.write(routes($0, route))
    },
    .init("names of a damaged route", "zip", exitCode: 65, count: 10_000, short: 10_000) {
      let text = "<gpx>" + String(repeating: " ", count: 1 << 26 - 10)
      try $1.write(
        routes($0, entry(top + "workout-routes/a.gpx", text) { $0.checksumError = 1 }))
    },
    .init(
      "names of a route of 64 MiB", "zip", exitCode: 65, megabytes: 500, count: 3000, short: nil
    ) {
      let point = #"<trkpt lon="4" lat="5"><time>2024-03-09T10:00:00Z</time></trkpt>"# + "\n"
      let text = "<gpx>" + String(repeating: point, count: (1 << 26) / point.utf8.count - 1)
      try $1.write(routes($0, entry(top + "workout-routes/a.gpx", text + "</gpx>")))
    },
    .init(
      "electrocardiograms of 16 MiB of line ends", "zip", exitCode: 65, arrives: .steps([25]),
      count: 30,
      short: 10
    ) {
      let first = ZipWriter.Entry(
        top + "electrocardiograms/ecg_a.csv", "", repeating: lineEnds, count: 1, "")
      try $1.write(
        [entry(top + "export.xml", export)]
          + shared(first, $0) { "\(top)electrocardiograms/ecg_\($0).csv" })
    },
  ]

  private static let otherFormats: [HostileFile] = [
    .init("keys of JSON", "json", count: 3 * million, short: 3 * million) { count, file in
      try file.write(#"{"data":{"metrics":[]}"#)
      for index in 0..<count { try file.write(",\"k\(index)\":0") }
      try file.write("}")
    },
    .init("metrics of JSON", "json", count: 3 * million, short: nil) { count, file in
      try file.write(#"{"data":{"metrics":["#)
      for _ in 0..<count { try file.write(#"{"data":[]},"#) }
      try file.write("]}}")
    },
    .init("nesting of JSON", "json", exitCode: 65, count: million, short: million) {
      let (open, close) = ("[", "]")
      try $1.write(#"{"data":{"metrics":"# + String(repeating: open, count: $0))
      try $1.write(String(repeating: close, count: $0) + "}}")
    },
    .init("rows of 200 fields of 60 kB", "csv", megabytes: 700, count: 40, short: 15) {
      count, file in
      let fields = 0..<200
      try file.write(tableHead + fields.map { ",k\($0)" }.joined() + "\n")
      let text = String(repeating: "x", count: 60_000)
      let date = "2024-03-09 10:00:00 +0000"
      for row in 0..<count {
        try file.write("HKQuantityTypeIdentifierStepCount,W,\(date),\(date),count,25")
        for _ in fields { try file.write(",\(row)" + text) }
        try file.write("\n")
      }
    },
  ]
}
