import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Which files of a folder are one export")
struct SeparateExportsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A row of steps, from an hour to another one.
  private struct Row: Hashable {
    var start: Int
    var end: Int
    var value: Int
    var source = "Watch"
    var note = ""

    init(
      _ start: Int, to end: Int? = nil, _ value: Int, source: String = "Watch", note: String = ""
    ) {
      (self.start, self.end) = (start, end ?? start)
      (self.value, self.source, self.note) = (value, source, note)
    }

    private static func date(_ hour: Int) -> String {
      let (day, clock) = (1 + hour / 24, hour % 24)
      return "2024-03-\(day < 10 ? "0" : "")\(day) \(clock < 10 ? "0" : "")\(clock):00:00 +0000"
    }

    var json: String {
      #"{"startDate":"\#(Self.date(start))","endDate":"\#(Self.date(end))","qty":\#(value),"#
        + #""source":"\#(source)","mealTime":"\#(note)"}"#
    }

    /// The same with an end of its own in a table.
    var line: String {
      "StepCount,\(source),count,\(Self.date(start)),\(Self.date(end)),\(value)\n"
    }
  }

  private static func metric(_ rows: [Row], _ name: String = "step_count") -> String {
    #"{"name":"\#(name)","units":"count","data":[\#(rows.map(\.json).joined(separator: ","))]}"#
  }

  private static func text(_ metrics: String...) -> String {
    #"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#
  }

  /// The files of each export, without their suffix.
  private func exports(at path: String) throws -> [[String]] {
    var exports = try ExportSequence(path: path)
    var files: [[String]] = []
    while var reader = try exports.next() {
      while try reader.next() != nil {}
      files.append(
        reader.summary.files.map { $0.split { "/ ".contains($0) }.last?.prefix { $0 != "." } ?? "" }
          .map(String.init))
    }
    #expect(exports.count == files.count && exports.isAtEnd)
    return files
  }

  /// The exports of files as a folder and as an archive, which are the same.
  private func exports(
    _ texts: [(name: String, text: String)], ending suffix: String = ".json"
  ) throws -> [[String]] {
    let name = "folder\(Int.random(in: 0..<Int.max))"
    for (file, text) in texts { _ = try folder.write(text, to: "\(name)/\(file)\(suffix)") }
    let archive = ZipWriter(texts.map { .init("inner/\($0.name)\(suffix)", $0.text) }).bytes
    let packed = try folder.write(archive, to: "\(name).zip")
    let found = try exports(at: "\(folder.path)/\(name)")
    #expect(try exports(at: packed) == found)
    return found
  }

  @Test("Windows that overlap and differ are exports of their own, in the order in which they end")
  func windows() throws {
    let files = [
      ("c", [Row(7, 300), Row(8, 812), Row(9, 640), Row(10, 455), Row(11, 20)]),
      ("a", [Row(7, 300), Row(8, 500)]), ("b", [Row(8, 812), Row(9, 640), Row(10, 90)]),
    ]
    let json = files.map { ($0.0, Self.text(Self.metric($0.1))) }
    #expect(try exports(json) == [["a"], ["b"], ["c"]])
    let tables = files.map { name, rows in
      (
        name,
        "type,sourceName,unit,startDate,endDate,value\n" + rows.map(\.line).joined()
      )
    }
    #expect(try exports(tables, ending: ".csv") == [["a"], ["b"], ["c"]])
    // In a packed export beside other files, too.
    let archive = ZipWriter(json.map { .init("\($0.0).json", $0.1) }).bytes
    _ = try folder.write(archive, to: "downloads/export.zip")
    _ = try folder.write("notes", to: "downloads/notes.txt")
    #expect(try exports(at: folder.path + "/downloads") == [["a"], ["b"], ["c"]])
  }

  @Test("A file for each day is one export, and so are windows that overlap and tell the same")
  func days() throws {
    let days = (0..<20).map { day in
      (day: day, rows: (0..<24).map { Row(day * 24 + $0, 100 + day) })
    }
    func name(_ day: Int) -> String { "day-\(10 + day)" }
    let daily = days.map { (name($0.day), Self.text(Self.metric($0.rows))) }
    #expect(try exports(daily) == [daily.map(\.0)])
    let sliding = days.dropFirst(6).map { day, _ in
      (name(day), Self.text(Self.metric(days[day - 6...day].flatMap(\.rows))))
    }
    #expect(try exports(sliding) == [sliding.map(\.0)])
    // One that corrects an hour is an export of its own, and those after it are another one.
    var corrected = sliding
    corrected[5].1 = Self.text(
      Self.metric(
        days[5...11].flatMap(\.rows).map { $0.start == 200 ? Row(200, 7) : $0 }))
    #expect(
      try exports(corrected) == [
        sliding[..<5].map(\.0), [sliding[5].0], sliding[6...].map(\.0),
      ])
  }

  @Test("A sample across midnight that is in the files of both days parts them not")
  func acrossMidnight() throws {
    // In bed from 22:00 to 7:00, and the stages of each day alone.
    let files = (1..<6).map { day -> (String, String) in
      let midnight = day * 24
      let rows = [
        Row(midnight - 2, to: midnight + 7, 1), Row(midnight - 1, to: midnight + 1, 2),
        Row(midnight + 1, to: midnight + 3, 3), Row(midnight + 22, to: midnight + 31, 1),
        Row(midnight + 22, to: midnight + 23, 4), Row(midnight + 23, to: midnight + 25, 2),
      ]
      return ("day-\(day)", Self.text(Self.metric(rows)))
    }
    #expect(try exports(files) == [files.map(\.0)])
  }

  @Test("Files for one metric or source each are one export, whatever their times")
  func metrics() throws {
    let rows = [Row(7, 300), Row(8, 500)]
    let other = rows.map { Row($0.start, 2 * $0.value, source: "Phone") }
    let files = [
      ("a", Self.text(Self.metric(rows))), ("b", Self.text(Self.metric(rows, "flights_climbed"))),
      ("c", Self.text(Self.metric(other))),
    ]
    #expect(try exports(files) == [["a", "b", "c"]])
  }

  @Test("What stands beside a value makes two rows of one time and value different")
  func words() throws {
    let files = [
      ("a", Self.text(Self.metric([Row(7, 300, note: "Before Meal"), Row(8, 500)]))),
      ("b", Self.text(Self.metric([Row(7, 300, note: "After Meal"), Row(9, 500)]))),
    ]
    #expect(try exports(files) == [["a"], ["b"]])
  }

  @Test("A workout that is told again in other words is of another export, in the same words not")
  func elements() throws {
    func text(_ energy: Int) -> String {
      """
      {"data":{"workouts":[{"name":"Run","start":"2024-03-09 15:04:05 -0700",
      "end":"2024-03-09 15:34:05 -0700","activeEnergyBurned":{"qty":\(energy),"units":"kcal"}}]}}
      """
    }
    #expect(try exports([("a", text(300)), ("b", text(310))]) == [["a"], ["b"]])
    #expect(try exports([("a", text(300)), ("b", text(300))]) == [["a", "b"]])
  }

  @Test(
    "Files that end together stand together, apart from an earlier one that one of them tells anew")
  func ties() throws {
    let files = [
      ("a", Self.text(Self.metric([Row(7, 300), Row(10, 5)]))),
      ("b", Self.text(Self.metric([Row(12, 1)], "flights_climbed"))),
      ("c", Self.text(Self.metric([Row(7, 301), Row(12, 9)]))),
      ("d", Self.text(Self.metric([Row(12, 10)]))),
    ]
    #expect(try exports(files) == [["a"], ["b", "c"], ["d"]])
  }

  @Test("Comparing ends when the caller wants no more")
  func stopped() throws {
    for name in ["a", "b", "c"] {
      _ = try folder.write(Self.text(Self.metric([Row(7, 300)])), to: "some/\(name).json")
    }
    for most in 0..<4 {
      var asked = 0
      let exports = try ExportSequence(path: folder.path + "/some") {
        asked += 1
        return asked <= most
      }
      #expect(exports.count == 0 && exports.isAtEnd)
    }
  }

  @Test("What contradicts what, and what both tell, is found as by comparing each row with each")
  func twin() {
    var random = SplitMix64(seed: 16)
    func rows() -> Set<History.Row> {
      let count = Int.random(in: 0...5, using: &random)
      return Set(
        (0..<count).map { _ in
          let start = Int.random(in: 0..<10, using: &random)
          let length = Int.random(in: -1...4, using: &random)
          return History.Row(
            "steps", "Watch", Double(start), Double(start + length),
            Double(Int.random(in: 1...2, using: &random)))
        })
    }
    func told(_ rows: Set<History.Row>) -> ToldSeries {
      var series = ToldSeries()
      for row in rows {
        series.append(.init(start: row.start, end: row.end, digest: Int(row.value)))
      }
      series.sort()
      return series
    }
    var found = [false: 0, true: 0]
    for _ in 0..<5_000 {
      // Those that end before they start are instants.
      let files = [rows(), rows(), rows()].map { rows in
        Set(rows.map { History.Row($0.type, $0.source, $0.start, max($0.start, $0.end), $0.value) })
      }
      var union = told(files[0])
      union.formUnion(told(files[1]))
      let both = files[0].union(files[1])
      #expect(union.rows == told(both).rows)
      let isApart = History.contradict(both, files[2])
      #expect(union.contradicts(told(files[2])) == isApart, "\(files)")
      #expect(told(files[2]).contradicts(union) == isApart, "\(files)")
      found[isApart, default: 0] += 1
      // Without rows the spans decide, and never say too little.
      union.forgetRows()
      #expect(union.contradicts(told(files[2])) || !isApart)
    }
    #expect(found.values.allSatisfy { $0 > 300 })
  }

  /// Rows of a file of which none overlaps another one of its source, as a phone tells them.
  private func rows(_ random: inout SplitMix64) -> [Row] {
    var rows: [Row] = []
    for source in ["Watch", "Phone"] where Bool.random(using: &random) {
      let first = Int.random(in: 0..<8, using: &random)
      var hour = first
      let last = first + Int.random(in: 1...8, using: &random)
      while hour < last {
        let length = Int.random(in: 0...2, using: &random)
        if Int.random(in: 0..<4, using: &random) > 0 {
          rows.append(
            Row(hour, to: hour + length, Int.random(in: 1...2, using: &random), source: source))
        }
        hour += max(1, length)
      }
    }
    return rows
  }

  @Test("A folder gives what its files give one by one", arguments: 0..<150)
  func law(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let files = (0..<Int.random(in: 2...5, using: &random)).map { ("f\($0)", rows(&random)) }
    let found = try exports(files.map { ($0.0, Self.text(Self.metric($0.1))) })
    #expect(found.joined().sorted() == files.map(\.0))
    func file(_ names: [String]) -> History.File {
      let rows = Set(files.filter { names.contains($0.0) }.flatMap(\.1))
      return History.File(
        format: "auto", date: nil,
        rows: rows.map {
          History.Row("steps", $0.source, Double($0.start), Double($0.end), Double($0.value))
        })
    }
    let (one, other) = (HistoryStore("a", HistoryClock()), HistoryStore("b", HistoryClock()))
    one.importFiles(files.map { file([$0.0]) }, replacing: false, restoring: false)
    other.importFiles(found.map(file), replacing: false, restoring: false)
    #expect(one.answers().samples == other.answers().samples, "\(files) \(found)")
  }
}
