import Foundation
import HealthExchange
import HealthImport
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Importing through the library")
struct ImportExportTests {
  private let folder: TemporaryFolder
  private let store: SampleStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleStore(path: folder.path + "/store.sqlite", mode: .readWrite)
  }

  /// Random records of two types, some twice and some without a unit, as lines of an export.
  private func lines(seed: UInt64, count: Int) -> [(type: String, isWhole: Bool, text: String)] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      let type = ["StepCount", "FlightsClimbed"].randomElement(using: &random) ?? ""
      let isWhole = Int.random(in: 0..<8, using: &random) > 0
      let minute = Int.random(in: 0..<count, using: &random)
      let date = { (minute: Int) in
        String(
          format: "2024-03-%02d %02d:%02d:00 +0000", 1 + minute / 1440 % 28, minute / 60 % 24,
          minute % 60)
      }
      let text =
        "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Watch\" "
        + (isWhole ? "unit=\"count\" " : "") + "startDate=\"\(date(minute))\" "
        + "endDate=\"\(date(minute + 1))\" value=\"\(minute % 5)\"/>"
      return ("HKQuantityTypeIdentifier" + type, isWhole, text)
    }
  }

  /// An export of lines; one that is cut lacks its end.
  private func export(_ lines: [String], isCut: Bool = false, to name: String) throws -> URL {
    let text = "<HealthData>\n" + lines.joined(separator: "\n") + (isCut ? "\n" : "\n</HealthData>")
    return URL(fileURLWithPath: try folder.write(text, to: name))
  }

  /// Every record of the store by type, as the store hands it out.
  private func contents() throws -> [String: [RecordColumns]] {
    var contents: [String: [RecordColumns]] = [:]
    for type in try store.types().map(\.type) {
      try store.forEachBatch(of: type) { contents[type.identifier, default: []].append($0) }
    }
    return contents
  }

  @Test(
    "Saved and imported samples agree on what is entered by hand",
    arguments: [
      ("1", true), ("true", true), ("YES", true), ("yes", true), ("0", false), ("no", false),
      ("", false), ("2", false),
    ])
  func enteredByHand(value: String, isByHand: Bool) throws {
    let type = try Catalogue.type(named: "steps")
    let entry = Metadata.Entry(key: Catalogue.wasUserEnteredKey, value: value)
    try store.save([
      NewSample(
        type: type, source: Source(name: "saved"), start: 0, end: 1, value: 1, label: "count",
        metadata: Metadata([entry]))
    ])
    let dates = ("2024-03-09 10:00:00 +0000", "2024-03-09 10:05:00 +0000")
    try store.importFile(
      at: try export(
        [
          "<Record type=\"\(type.identifier)\" sourceName=\"xml\" unit=\"count\" "
            + "startDate=\"\(dates.0)\" endDate=\"\(dates.1)\" value=\"1\">"
            + "<MetadataEntry key=\"\(entry.key)\" value=\"\(value)\"/></Record>"
        ], to: "export.xml"))
    let table = """
      type,sourceName,startDate,endDate,unit,value,\(entry.key)
      \(type.identifier),csv,\(dates.0),\(dates.1),count,1,\(value)

      """
    try store.importFile(at: URL(fileURLWithPath: try folder.write(table, to: "steps.csv")))
    let sources = try store.sources(of: type).map(\.source)
    #expect(sources.map(\.name) == ["csv", "saved", "xml"])
    #expect(sources.allSatisfy { $0.isUserEntered == isByHand })
  }

  @Test("The counts of each type are those of the lines, also of a second import")
  func counts() throws {
    let lines = lines(seed: 1, count: 500)
    let url = try export(lines.map(\.text), to: "export.xml")
    let first = try store.importFile(at: url, jobs: 4)
    let second = try store.importFile(at: url, jobs: 4)
    #expect(first.format == .appleHealth && first.path == url.path)
    for type in Set(lines.map(\.type)) {
      let all = lines.filter { $0.type == type }
      let whole = all.filter(\.isWhole).map(\.text)
      let distinct = Set(whole).count
      let (new, known) = (try #require(first.types[type]), try #require(second.types[type]))
      #expect(new.read == all.count && known.read == all.count)
      #expect(new.skipped == all.count - whole.count)
      #expect(first.skipped[type] == [.missingUnit: all.count - whole.count])
      #expect(new.new == distinct && new.duplicates == whole.count - distinct)
      #expect(known.new == 0 && known.known == distinct)
      #expect(!known.isDifferent)
    }
    #expect(first.total.read == lines.count)
  }

  @Test("The store does not depend on the number of jobs, and a dry run leaves it empty")
  func jobs() throws {
    let url = try export(lines(seed: 2, count: 2000).map(\.text), to: "export.xml")
    let counted = try store.importFile(at: url, jobs: 3, dryRun: true)
    #expect(try contents().isEmpty)
    let result = try store.importFile(at: url, jobs: 1)
    #expect(counted.types == result.types)
    let alone = try contents()
    let other = try SampleStore.temporary()
    try other.importFile(at: url, jobs: 4)
    for type in try other.types().map(\.type) {
      var batches: [RecordColumns] = []
      try other.forEachBatch(of: type) { batches.append($0) }
      #expect(batches.map(\.starts) == alone[type.identifier]?.map(\.starts))
      #expect(batches.map(\.values) == alone[type.identifier]?.map(\.values))
    }
  }

  @Test("Progress never goes back and ends at the size of the file", arguments: [1, 4])
  func progress(jobs: Int) throws {
    let url = try export(lines(seed: 3, count: 3000).map(\.text), to: "export.xml")
    var steps: [ImportProgress] = []
    try store.importFile(at: url, jobs: jobs) { steps.append($0) }
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
    #expect(!steps.isEmpty)
    #expect(steps.allSatisfy { $0.byteCount == size && $0.format == .appleHealth })
    #expect(steps.map(\.bytesRead) == steps.map(\.bytesRead).sorted())
    #expect(steps.last?.fraction == 1)
  }

  @Test("An import that is cancelled leaves the store as it was", arguments: [1, 4])
  func cancelled(jobs: Int) throws {
    try store.importFile(at: try export(lines(seed: 4, count: 10).map(\.text), to: "old.xml"))
    let before = try contents().mapValues { $0.map(\.starts) }
    let url = try export(lines(seed: 5, count: 3000).map(\.text), to: "export.xml")
    var isWanted = true
    let error = #expect(throws: ImportError.self) {
      try store.importFile(
        at: url, jobs: jobs, progress: { _ in isWanted = false }, isCancelled: { !isWanted })
    }
    #expect(error?.reason == .cancelled && error?.path == url.path)
    #expect(!isWanted)
    #expect(try contents().mapValues { $0.map(\.starts) } == before)
    // The store is free for another import.
    try store.importFile(at: url, jobs: jobs)
  }

  /// A folder of files of Health Auto Export, each with the steps of some hours.
  private func windows(_ hours: [[(hour: Int, count: Int)]]) throws -> URL {
    for (place, hours) in hours.enumerated() {
      let data = hours.map { hour, count in
        #"{"date":"\#(String(format: "2026-08-05 %02d:00:00 +0000", hour))","qty":\#(count)}"#
      }
      _ = try folder.write(
        #"{"data":{"metrics":[{"name":"step_count","units":"count","data":["#
          + data.joined(separator: ",") + "]}]}}", to: "windows/\(place).json")
    }
    return folder.url.appendingPathComponent("windows")
  }

  @Test(
    "Files that tell one time differently are imports of their own, counted together",
    arguments: [1, 4])
  func separateExports(jobs: Int) throws {
    let url = try windows([[(7, 300), (8, 500)], [(8, 812), (9, 640)], [(10, 5)]])
    var steps: [ImportProgress] = []
    let result = try store.importFile(at: url, jobs: jobs) { steps.append($0) }
    // The third one goes on where the second one ends.
    #expect(result.others.count == 1)
    #expect(try store.imports().map(\.file) == ["windows/0.json", "windows/1.json and 1 more"])
    #expect(result.total.read == 5 && result.total.new == 5 && result.total.superseded == 1)
    #expect(try contents().values.joined().flatMap(\.values).sorted() == [5, 300, 640, 812])
    #expect(steps.map(\.bytesRead) == steps.map(\.bytesRead).sorted())
    #expect(Set(steps.map(\.byteCount)).count == 1 && steps.last?.fraction == 1)
    let again = try store.importFile(at: url, jobs: jobs)
    #expect(again.total.new == 0 && again.total.superseded == 0)
    #expect(try store.imports().count == 2)
  }

  @Test("Comparing the files of a folder ends when the caller cancels", arguments: [1, 4])
  func cancelledComparing(jobs: Int) throws {
    let url = try windows([[(7, 300)], [(7, 500)]])
    let error = #expect(throws: ImportError.self) {
      try store.importFile(at: url, jobs: jobs, isCancelled: { true })
    }
    #expect(error?.reason == .cancelled)
    #expect(try contents().isEmpty)
  }

  @Test("Cancelling the task cancels the import", arguments: [1, 4])
  func cancelledTask(jobs: Int) async throws {
    let url = try export(lines(seed: 6, count: 100).map(\.text), to: "export.xml")
    let task = Task { () -> ImportError.Reason? in
      withUnsafeCurrentTask { $0?.cancel() }
      let store = try SampleStore.temporary()
      do throws(ImportError) {
        try store.importFile(at: url, jobs: jobs)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(try await task.value == .cancelled)
  }

  @Test("An import that waits for the writer of a pipe can be cancelled")
  func waiting() throws {
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let end = ContinuousClock.now + .milliseconds(300)
    let error = #expect(throws: ImportError.self) {
      try store.importFile(
        at: URL(fileURLWithPath: pipe), jobs: 2, isCancelled: { ContinuousClock.now > end })
    }
    #expect(error?.reason == .cancelled)
  }

  @Test("Each cause has its own error, which names the file")
  func errors() throws {
    func reason(_ url: URL) -> ImportError.Reason? {
      let error = #expect(throws: ImportError.self) { try store.importFile(at: url) }
      #expect(error?.description.contains(error?.path ?? "?") == true)
      return error?.reason
    }
    func readingReason(_ url: URL) -> ExportError.Reason? {
      guard case .reading(let error) = reason(url) else { return nil }
      return error.reason
    }
    #expect(readingReason(folder.url.appendingPathComponent("none.zip")) == .notFound)
    let web = try #require(URL(string: "https://example.org/export.zip"))
    #expect(readingReason(web) == .notFound)
    let other = URL(fileURLWithPath: try folder.write("<plist/>", to: "other.xml"))
    #expect(readingReason(other) == .otherFormat(.xml))

    let whole = lines(seed: 7, count: 50).map(\.text)
    let cut = try export(Array(whole.prefix(20)), isCut: true, to: "cut.xml")
    try store.importFile(at: try export(whole, to: "whole.xml"))
    let before = try contents().mapValues { $0.map(\.starts) }
    let size = try Data(contentsOf: cut).count
    // What it lacks was not deleted: it replaces nothing.
    #expect(try store.importFile(at: cut, replacing: true).summary.cutAt == size)
    #expect(try contents().mapValues { $0.map(\.starts) } == before)
    #expect(try store.imports().map(\.isReplaced) == [false, false])

    let reader = try SampleStore(path: folder.path + "/store.sqlite", mode: .readOnly)
    let refused = #expect(throws: ImportError.self) { try reader.importFile(at: cut) }
    guard case .storing(let error) = refused?.reason else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(error.reason == .readOnly)
  }
}
