import Foundation
import HealthExport
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Electrocardiograms as CSV")
struct ElectrocardiogramTextTests {
  private static let english = """
    Name
    Date of Birth,"Jan 1, 1990"
    Recorded Date,2020-01-01 08:00:00 -0500
    Classification,Sinus Rhythm
    Symptoms,"Dizziness, Other"
    Software Version,1.90
    Device,"Watch6,7"
    Sample Rate,512 hertz


    Lead,Lead I
    Unit,µV


    """
  private static let german = """
    Name,Anna
    Geburtstag,"01.01.1990"
    Aufzeichnungsdatum,2020-01-01 14:00:00 +0100
    Klassifizierung,Sinusrhythmus
    Symptome,
    Softwareversion,1.90
    Gerät,"Watch6,7"
    Messrate,511,562\u{A0}Hertz

    Ableitung,Ableitung I
    Einheit,µV

    """

  private static func row(
    _ header: String, _ lines: [String], lineEnd: String = "\n"
  ) -> Electrocardiograms.Row? {
    let text = (header + lines.joined(separator: "\n") + "\n").replacing("\n", with: lineEnd)
    return ElectrocardiogramText.row(in: Array(text.utf8), path: "electrocardiograms/ecg.csv")
  }

  @Test("English with points, Unix and Windows line ends", arguments: ["\n", "\r\n"])
  func english(lineEnd: String) throws {
    let signal = (0..<1024).map { (place: Int) in Double(place * 37 % 1001 - 500) / 8 }
    let row = try #require(
      Self.row(Self.english, signal.map { "\($0)" }, lineEnd: lineEnd))
    #expect(row.voltages == signal)
    #expect(row.facts.start == 599_576_400)
    #expect(row.facts.end == row.facts.start + 2)
    #expect(row.classification == "Sinus Rhythm")
    #expect(row.symptoms == "Dizziness, Other")
    #expect(row.lead == "Lead I")
    #expect(row.sampleRate == 512)
    #expect(row.facts.origin == Origin(sourceVersion: "1.90", device: "Watch6,7"))
    #expect(row.path == "electrocardiograms/ecg.csv")
  }

  @Test("German with decimal commas means the same")
  func german() throws {
    let row = try #require(Self.row(Self.german, ["-180,596", "0,5", "12", "-0,25"]))
    #expect(row.voltages == [-180.596, 0.5, 12, -0.25])
    #expect(row.facts.start == 599_576_400)
    #expect(row.sampleRate == 511.562)
    #expect(row.classification == "Sinusrhythmus")
    #expect(row.symptoms.isEmpty)
    #expect(row.lead == "Ableitung I")
  }

  @Test("Millivolts become microvolts")
  func millivolts() throws {
    let header = Self.english.replacing("µV", with: "mV")
    #expect(try #require(Self.row(header, ["0.5", "-1"])).voltages == [500, -1000])
  }

  @Test("Nobody's name or date of birth is kept")
  func privacy() throws {
    let row = try #require(Self.row(Self.german, ["1", "2"]))
    #expect(!"\(row)".contains("Anna") && !"\(row)".contains("1990"))
  }

  @Test("Without a date, a rate or a signal there is no electrocardiogram")
  func incomplete() {
    #expect(Self.row(Self.english, []) == nil)
    #expect(Self.row(Self.english.replacing("2020-01-01", with: "soon"), ["1", "2"]) == nil)
    #expect(Self.row(Self.english.replacing("512 hertz", with: "fast"), ["1", "2"]) == nil)
    #expect(Self.row(Self.english.replacing("512 hertz", with: "0"), ["1", "2"]) == nil)
    #expect(ElectrocardiogramText.row(in: [], path: "") == nil)
  }

  @Test("Bytes at random neither trap nor give a value that is no number")
  func mutations() {
    var random = SplitMix64(seed: 23)
    let bytes = Array((Self.german + (0..<50).map { "\($0),5\n" }.joined()).utf8)
    for _ in 0..<2000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let row = ElectrocardiogramText.row(in: mutated, path: "") else { continue }
      #expect(row.voltages.allSatisfy(\.isFinite) && row.facts.end.isFinite)
    }
  }
}
