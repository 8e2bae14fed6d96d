import Foundation
import Testing

@Suite("Electrocardiograms that cannot be read, as a program")
struct ElectrocardiogramProgramTests {
  @Test("A file with a line that is no number is named with the line, and not with what it says")
  func refused() throws {
    let scratch = try Scratch()
    let header = """
      Name,Anna
      Recorded Date,2024-03-05 10:00:00 +0000
      Classification,Sinus Rhythm
      Sample Rate,512 hertz

      Lead,Lead I
      Unit,µV


      """
    let folder = scratch.url("export/electrocardiograms")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try scratch.file("export/export.xml", SmallExport().data)
    for (name, lines) in [("good", "1.5\n-2.5\n"), ("bad", "1.5\n4711x\n2.5\n3.5\n")] {
      _ = try scratch.file("export/electrocardiograms/ecg_\(name).csv", Data((header + lines).utf8))
    }
    let store = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats(["import", scratch.path("export"), "--store", store])
    #expect(run.exitCode == 65)
    let place = "electrocardiograms/ecg_bad.csv (line 10)"
    #expect(run.output.contains("1 file that cannot be read: \(place)."))
    #expect(run.errors.contains(place))
    #expect(!(run.output + run.errors).contains("4711"))
    let json = try ProgramRun.hkstats([
      "import", scratch.path("export"), "--store", store, "--json",
    ]).object()
    let files = try #require(json["unreadableFiles"] as? [String: Any])
    #expect(files["files"] as? [String] == ["electrocardiograms/ecg_bad.csv"])
    #expect(files["lines"] as? [String: Int] == ["electrocardiograms/ecg_bad.csv": 10])
    let found = try ProgramRun.hkstats(["samples", "ecg", "--format", "ndjson", "--store", store])
    #expect(found.lines.count == 1)
    #expect(try found.object()["voltages"] as? [Double] == [1.5, -2.5])
  }
}
