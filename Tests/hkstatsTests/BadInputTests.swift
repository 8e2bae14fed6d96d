import Foundation
import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Bad input to hkstats import")
final class BadInputTests: StoreSuite {
  private func runImport(_ path: String) throws -> ProgramRun {
    try ProgramRun.hkstats(["import", path, "--store", store])
  }

  /// What `name` is, and what the program must say of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let exitCode: Int32
    let message: String
    let contents: @Sendable () -> Data?

    var testDescription: String { name }
  }

  /// Apple's shape of a zip, cut at a share of its length.
  private static func zip(keeping share: Double) -> Data? {
    guard let scratch = try? Scratch() else { return nil }
    let path = scratch.path("whole.zip")
    _ = try? ProgramRun.run("generate-export", ["--out", path, "--years", "0.01"])
    let whole = try? Data(contentsOf: scratch.url("whole.zip"))
    return whole.map { $0.prefix(Int(Double($0.count) * share)) }
  }

  static let cases = [
    Case(name: "no such file", exitCode: 66, message: "there is no such file") { nil },
    Case(name: "an empty file", exitCode: 65, message: "is empty") { Data() },
    Case(name: "a JPEG", exitCode: 65, message: "is not an export") {
      Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10]) + Data("JFIF".utf8) + Data(count: 5000)
    },
    Case(name: "a track", exitCode: 65, message: "is not an export but a GPX track") {
      Data("<?xml version=\"1.0\"?><gpx><trk/></gpx>".utf8)
    },
    Case(name: "another table", exitCode: 65, message: "without a column for type, startDate") {
      Data("day,steps\n2024-03-09,500\n".utf8)
    },
    // A zip made by hand: one stored entry, notes.txt, that holds "hello".
    Case(name: "a zip without an export", exitCode: 65, message: "holds no export") {
      Data(
        base64Encoded:
          "UEsDBBQAAAAAAAAAIQCGphA2BQAAAAUAAAAJAAAAbm90ZXMudHh0aGVsbG9QSwECFAMUAAAAAAAAACEA"
          + "hqYQNgUAAAAFAAAACQAAAAAAAAAAAAAAgAEAAAAAbm90ZXMudHh0UEsFBgAAAAABAAEANwAAACwAAAAAAA==")
    },
    Case(name: "a truncated zip", exitCode: 65, message: "a zip without its end") {
      zip(keeping: 0.6)
    },
  ]

  @Test("Each has its message and its exit code, and the store keeps every byte", arguments: cases)
  func untouchedStore(_ bad: Case) throws {
    let path = scratch.path("input.bin")
    if let contents = bad.contents() { try contents.write(to: scratch.url("input.bin")) }
    // Without a store none is made.
    let first = try runImport(path)
    #expect(first.exitCode == bad.exitCode)
    #expect(first.errors.contains(bad.message), "\(first.errors)")
    #expect(first.errors.contains(path))
    #expect(first.output == "")
    #expect(try scratch.storeFiles().isEmpty)
    // With one it stays as it is.
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    #expect(try runImport(try scratch.file("good.xml", export.data)).exitCode == 0)
    let before = try scratch.storeFiles()
    #expect(try runImport(path).exitCode == bad.exitCode)
    #expect(try scratch.storeFiles() == before)
    // A query on it fails alike.
    let query = try ProgramRun.hkstats(["types", "--export", path])
    #expect(query.exitCode == bad.exitCode)
    #expect(query.errors.contains(bad.message))
  }

  @Test("A damaged byte inside a zip is found by its checksum, and nothing is imported")
  func damagedZip() throws {
    var bytes = try #require(Self.zip(keeping: 1))
    bytes[bytes.count / 2] ^= 0x10
    let run = try runImport(try scratch.file("damaged.zip", bytes))
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("damaged"))
    let types = try ProgramRun.hkstats(["types", "--store", store, "--format", "ndjson"])
    #expect(types.output == "")
  }

  @Test("Of an xml that is cut the complete records are imported and the place is told")
  func cutFile() throws {
    var export = SmallExport()
    for hour in 10..<20 {
      export.steps(100, from: "2024-03-05T\(hour):00:00", to: "2024-03-05T\(hour):10:00")
    }
    let marker = try #require(export.text.range(of: "startDate=\"2024-03-05 18:00:00"))
    let cut = Data(export.text[..<marker.lowerBound].utf8)
    let run = try runImport(try scratch.file("cut.xml", cut))
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("at byte \(NumberText.grouped(cut.count))"), "\(run.errors)")
    let samples = try ProgramRun.hkstats([
      "samples", "steps", "--store", store, "--format", "ndjson",
    ])
    // The file is an hour east of UTC: 18:00 there is the eighth record.
    #expect(samples.lines.count == 7)
    let query = try ProgramRun.hkstats([
      "samples", "steps", "--export", scratch.path("cut.xml"), "--format", "ndjson",
    ])
    #expect(query.exitCode == 65)
    #expect(query.output == samples.output)
  }

  @Test("Control characters and invalid UTF-8 are counted, and the records imported")
  func strangeCharacters() throws {
    var export = SmallExport()
    export.add(
      "HKQuantityTypeIdentifierDietaryWater", "250", unit: "mL", from: "2024-03-05T10:00:00",
      to: "2024-03-05T10:00:00", metadata: ["Meal": "soup\u{B}bread"])
    var bytes = export.data
    let meal = try #require(bytes.range(of: Data("bread".utf8)))
    bytes[meal.lowerBound] = 0xFF
    let run = try runImport(try scratch.file("strange.xml", bytes))
    #expect(run.exitCode == 0)
    #expect(run.output.contains("2 characters that XML does not allow"), "\(run.output)")
    let samples = try ProgramRun.hkstats([
      "samples", "dietaryWater", "--store", store, "--format", "json",
    ])
    #expect(samples.output.contains("soup\u{FFFD}read"))
  }

  @Test(
    "Every small export of the shared data is imported as far as it goes",
    arguments: [
      // The record with an attribute given twice lacks its end; the cut one lacks its second half.
      ("ok_v13", 1), ("v12_malformed", 1), ("ctrl_x0b", 1), ("charref_ctrl", 1), ("dup_attr", 0),
      ("bad_utf8", 1), ("unesc_amp", 1), ("trunc", 0),
    ])
  func sharedExports(name: String, new: Int) throws {
    let path = try scratch.file("export.xml", References.export(name))
    let run = try ProgramRun.hkstats(["import", path, "--store", store, "--json"])
    #expect(run.exitCode == (name == "trunc" ? 65 : 0), "\(run.errors)")
    #expect(try run.object()["new"] as? Int == new)
  }

  @Test("A file that is no store is refused and keeps its bytes")
  func notAStore() throws {
    let text = Data(String(repeating: "not a database ", count: 100).utf8)
    _ = try scratch.file("store.sqlite", text)
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    let path = try scratch.file("good.xml", export.data)
    for arguments in [["import", path], ["types"], ["stats", "steps"]] {
      let run = try ProgramRun.hkstats(arguments + ["--store", store])
      #expect(run.exitCode == 65)
      #expect(run.errors.contains("not a store"))
    }
    #expect(try scratch.storeFiles() == ["store.sqlite": text])
  }

  @Test(
    "A question without a store says how to make one", arguments: ["types", "sources", "stats"])
  func noStore(command: String) throws {
    let arguments = command == "stats" ? [command, "steps"] : [command]
    let run = try ProgramRun.hkstats(arguments + ["--store", store])
    #expect(run.exitCode == 66)
    #expect(run.errors.contains("hkstats import"))
    #expect(try scratch.storeFiles().isEmpty)
  }

  @Test("A file that is not there is refused with those whose names are near")
  func nearFiles() throws {
    _ = try scratch.file("export.zip", Data("no zip".utf8))
    for (name, near) in [("exprot.zip", scratch.path("export.zip")), ("nowhere.db", nil)] {
      let run = try ProgramRun.hkstats(["import", scratch.path(name), "--store", store])
      #expect(run.exitCode == 66 && run.errors.contains("no such file"), "\(run.errors)")
      #expect(run.errors.contains("Did you mean: \(near ?? "")") == (near != nil), "\(run.errors)")
    }
    let run = try ProgramRun.hkstats(
      ["import", "exprot.zip", "--store", store],
      folder: (store as NSString).deletingLastPathComponent)
    #expect(run.errors.contains("Did you mean: export.zip?"), "\(run.errors)")
  }

  @Test("A name of one character is a name as any other")
  func shortNames() throws {
    let folder = TypedPath(store).folder
    for words in [
      ["import", "x"], ["import", "x/"], ["report", "x"], ["stats", "steps", "--export", "x"],
    ] {
      let run = try ProgramRun.hkstats(words, folder: folder)
      #expect(run.exitCode == 66 && run.errors.contains("x"), "\(words): \(run.errors)")
    }
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    _ = try scratch.file("e", export.data)
    for words in [
      ["import", "e"], ["store", "backup", "b"], ["export", "--format", "json", "--out", "j"],
    ] {
      let run = try ProgramRun.hkstats(words + ["--store", "s"], folder: folder)
      #expect(run.exitCode == 0, "\(words): \(run.errors)")
    }
  }

  @Test("A path has a folder and a name as they were typed")
  func typedPaths() {
    for (path, folder, name) in [
      ("x", "", "x"), ("x/", "", "x"), ("/x", "/", "x"), ("./x", "./", "x"), ("a//x", "a//", "x"),
      ("~/a b/x//", "~/a b/", "x"), ("/", "/", ""), ("", "", ""), (".", "", "."),
    ] {
      let typed = TypedPath(path)
      #expect(typed.folder == folder && typed.name == name, "\(path)")
    }
  }

  @Test("Output that cannot be written is an I/O error")
  func fullOutput() throws {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    let path = try scratch.file("good.xml", export.data)
    let process = try ProgramRun.start("hkstats", ["types", "--export", path], in: scratch)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let full = try ProgramRun.start(
      "hkstats", ["types", "--export", path], in: scratch, output: "/dev/full")
    full.waitUntilExit()
    #expect(full.terminationStatus == 74)
    #expect(try scratch.text("errors").contains("Cannot write"))
  }
}
