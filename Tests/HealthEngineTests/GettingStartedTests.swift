import Foundation
import HealthEngine
import Testing

/// The programs of the page, compiled and run: each function has the text of one, line for line.
@Suite("Getting started with the package")
struct GettingStartedTests {
  /// What a program has printed, line by line.
  private final class Output {
    var lines: [String] = []

    func add(_ items: [Any]) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
  }

  private func units(_ output: Output) throws {
    func print(_ items: Any...) { output.add(items) }
    // begin Units
    let pressed = try UnitExpression("lb/ft^2")
    let metric = try UnitConversion(from: pressed, to: UnitExpression("kg/m^2"))
    print(metric.converted([1, 2.5]))

    do {
      _ = try UnitConversion(from: pressed, to: UnitExpression("mmHg"))
    } catch {
      print(error)
    }
    // end Units
  }

  private func days(_ output: Output) throws {
    func print(_ items: Any...) { output.add(items) }
    // begin Days
    let (phone, watch) = (Source(name: "iPhone"), Source(name: "Watch"))
    let steps = try SampleColumns(joining: [
      SampleColumns(
        type: SampleType(.stepCount), source: phone,
        starts: [3_600, 90_000], ends: [7_200, 93_600], values: [1_000, 400]),
      SampleColumns(
        type: SampleType(.stepCount), source: watch, starts: [5_400], ends: [7_200], values: [600]),
    ])
    let days = try steps.merged(by: SourcePriority(order: [watch, phone]))
      .statistics(over: Boundaries(edges: [0, 86_400, 172_800, 259_200]))
    print(days[raw: .sum] ?? [], days.hasData)
    print(days.rows.map { $0[.sum] ?? .nan })

    do {
      _ = try steps.statistics(over: Boundaries(edges: [0, 86_400]))
    } catch {
      print(error)
    }
    // end Days
  }

  private func store(_ output: Output) throws {
    func print(_ items: Any...) { output.add(items) }
    // begin Store
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
    let store = try SampleStore(path: file.path, mode: .readWrite)
    var records = RecordColumns(type: SampleType(.bodyMass), source: Source(name: "Scale"))
    try records.append(start: 0, end: 0, value: 180, label: "lb")
    try records.append(start: 90_000, end: 90_000, value: 81, label: "kg")
    let session = try store.beginImport()
    try session.add(records)
    let report = try session.finish()
    print(report.types.values.reduce(0) { $0 + $1.new }, "new")

    var plan = StatisticsPlan(type: SampleType(.bodyMass), timeZone: .gmt)
    plan.interval = CalendarInterval(.day)
    plan.statistics = [.mean]
    plan.unit = try UnitExpression("kg")
    let answer = try store.statistics(plan)
    for row in answer.intervals.rows {
      print(row.dateInterval.start.formatted(.iso8601), row[.mean] ?? .nan, answer.unit)
    }
    try FileManager.default.removeItem(at: file)
    // end Store
  }

  private func importing(_ output: Output) throws {
    func print(_ items: Any...) { output.add(items) }
    // begin Import
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let export = folder.appending(path: "export.xml")
    let step = #"Record type="HKQuantityTypeIdentifierStepCount" unit="count""#
    try """
    <HealthData>
     <\(step) sourceName="Watch" startDate="2024-03-31 09:00:00 +0200"
      endDate="2024-03-31 09:10:00 +0200" value="900"/>
     <\(step) sourceName="iPhone" startDate="2024-03-31 09:00:00 +0200"
      endDate="2024-03-31 09:10:00 +0200" value="850"/>
    </HealthData>
    """.write(to: export, atomically: true, encoding: .utf8)

    let path = folder.appending(path: "store.sqlite").path
    let imported = try SampleStore(path: path, mode: .readWrite)
    print(try imported.importExport(at: export).total.new, "new")

    let paris = try TimeZone.named("Europe/Paris")
    var daily = StatisticsPlan(type: SampleType(.stepCount), timeZone: paris)
    daily.interval = CalendarInterval(.day)
    daily.preferredSources = ["Watch"]
    let sums = try imported.statistics(daily).intervals
    let hours = sums.rows.map { $0.dateInterval.duration / 3_600 }
    print(sums.rows.map { $0[.sum] ?? 0 }, "steps in", hours, "hours")

    let table = folder.appending(path: "steps.csv")
    try imported.export(ExportRequest(format: .csv), to: .file(path: table.path))
    print(try String(contentsOf: table, encoding: .utf8).split(separator: "\n").count, "lines")
    try FileManager.default.removeItem(at: folder)
    // end Import
  }

  private func firstScreen(_ output: Output) throws {
    func print(_ items: Any...) { output.add(items) }
    // begin README
    let snow = try UnitConversion(from: UnitExpression("lb/ft^2"), to: UnitExpression("kg/m^2"))
    print(snow.converted([1, 2.5]))  // [4.88242763638305, 12.206069090957627]

    let (watch, phone) = (Source(name: "Watch"), Source(name: "iPhone"))
    let type = SampleType(.stepCount)  // times are seconds since 2001
    let steps = try SampleColumns(joining: [
      SampleColumns(type: type, source: watch, starts: [5_400], ends: [7_200], values: [600]),
      SampleColumns(
        type: type, source: phone, starts: [3_600, 90_000], ends: [7_200, 93_600],
        values: [1_000, 400]),
    ])
    let days = try steps.merged(by: SourcePriority(order: [watch, phone]))
      .statistics(over: Boundaries(edges: [0, 86_400, 172_800]))
    print(days.rows.map { $0[.sum] ?? 0 })  // [1100.0, 400.0]: half an hour was counted twice
    // end README
  }

  @Test("the program of the README is this one, and prints what its comments say")
  func readMe() throws {
    let output = Output()
    try firstScreen(output)
    let page = try text(of: "../../README.md")
    let shown = try part(of: page, from: "```swift\nimport HealthEngine\n", to: "```")
    let source = try text(of: "GettingStartedTests.swift")
    let compiled = try part(of: source, from: "// begin README\n", to: "    // end README\n")
    #expect(
      shown.split(separator: "\n") == compiled.split(separator: "\n").map { $0.dropFirst(4) })
    let comments = shown.split(separator: "\n").filter { $0.hasPrefix("print(") }
      .map { $0.split(separator: "// ", maxSplits: 1).last ?? "" }
    #expect(comments.count == output.lines.count)
    for (comment, line) in zip(comments, output.lines) { #expect(comment.hasPrefix(line)) }
  }

  @Test(
    "the programs of the page are these, and print what it says",
    arguments: ["Units", "Days", "Store", "Import"])
  func programs(name: String) throws {
    let output = Output()
    switch name {
    case "Units": try units(output)
    case "Days": try days(output)
    case "Store": try store(output)
    default: try importing(output)
    }
    let page = try text(of: "../../Docs.docc/GettingStartedWithThePackage.md")
    let shown = try part(of: page, from: "```swift\n// Sources/\(name)/main.swift\n", to: "```")
    let source = try text(of: "GettingStartedTests.swift")
    let compiled = try part(of: source, from: "// begin \(name)\n", to: "    // end \(name)\n")
    #expect(
      shown.split(separator: "\n").filter { !$0.hasPrefix("import ") }
        == compiled.split(separator: "\n").map { $0.dropFirst(4) })
    let rest = try #require(page.firstRange(of: shown)).upperBound
    let results = try part(of: String(page[rest...]), from: "```text\n", to: "```")
    #expect(results.split(separator: "\n").map(String.init) == output.lines)
  }

  private func part(of text: String, from first: String, to last: String) throws -> String {
    let rest = text[try #require(text.firstRange(of: first), "no \(first)").upperBound...]
    return String(rest[..<(try #require(rest.firstRange(of: last)).lowerBound)])
  }

  private func text(of path: String, from file: String = #filePath) throws -> String {
    let folder = URL(filePath: file).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }
}
