import Foundation
import HealthImport
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

  private static func contents(
    _ header: String, _ lines: [String], lineEnd: String = "\n"
  ) -> SideFileContents<Electrocardiograms.Row> {
    let text = (header + lines.joined(separator: "\n") + "\n").replacing("\n", with: lineEnd)
    return ElectrocardiogramText.contents(
      of: Array(text.utf8), path: "electrocardiograms/ecg.csv")
  }

  private static func row(
    _ header: String, _ lines: [String], lineEnd: String = "\n"
  ) -> Electrocardiograms.Row? {
    contents(header, lines, lineEnd: lineEnd).value
  }

  /// The line at which a file is refused.
  private static func refused(_ header: String, _ lines: [String], lineEnd: String = "\n") -> Int? {
    guard case .unreadable(let line) = contents(header, lines, lineEnd: lineEnd) else { return nil }
    return line
  }

  @Test("English with points, with the line ends of any system", arguments: ["\n", "\r\n", "\r"])
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
    #expect(ElectrocardiogramText.contents(of: [], path: "").value == nil)
  }

  @Test(
    "Marks between thousands, signs and marks of writing are those of the language",
    arguments: [
      ["151.2", "1,034.5", "-3.5", "-1,200.25", "7"],
      ["151,2", "1.034,5", "-3,5", "-1.200,25", "7"],
      ["151,2", "1\u{202F}034,5", "\u{2212}3,5", "\u{2212}1\u{A0}200,25", "7"],
      ["\u{FEFF}151.2", "\"1,034.5\"", "\u{200E}-3.5", "\u{200F}-1’200.25", "7"],
      ["151.2,", "1034.5,", "-3.5,", "-1200.25,", "7,"],
      ["١٥١٫٢", "١٬٠٣٤٫٥", "\u{61C}-٣٫٥", "\u{61C}-١٬٢٠٠٫٢٥", "٧"],
    ])
  func languages(lines: [String]) throws {
    for header in [Self.english, Self.german] {
      #expect(try #require(Self.row(header, lines)).voltages == [151.2, 1034.5, -3.5, -1200.25, 7])
    }
  }

  @Test("A line that is no number refuses the file at that line, and shortens nothing")
  func wrongLines() {
    let lines = (0..<100).map { "\($0).5" }
    // English has thirteen lines before the signal.
    for place in 0..<lines.count {
      for wrong in ["abc", "1.5 2.5", "1.2.3", "-", "n/a", "0x1F"] {
        var changed = lines
        changed[place] = wrong
        #expect(Self.refused(Self.english, changed) == 14 + place, "\(wrong) at \(place)")
      }
      var blank = lines
      blank[place] = " "
      // A blank first or last line is none of the signal.
      let line = place == 0 || place == lines.count - 1 ? nil : 14 + place
      #expect(Self.refused(Self.english, blank) == line)
      #expect(Self.refused(Self.english, blank, lineEnd: "\r\n") == line)
    }
    #expect(Self.refused(Self.english, lines + ["", "end of file"]) == 115)
    #expect(Self.row(Self.english, lines + ["", " ", ","])?.voltages.count == 100)
  }

  @Test("A signal that may be two is refused, and one with marks of both kinds")
  func ambiguous() {
    #expect(Self.refused(Self.english, ["7", "8", "1,034", "9"]) == 16)
    #expect(Self.refused(Self.english, ["1.5", "2,5"]) == 15)
    // The rate of the German header has a decimal comma.
    #expect(Self.row(Self.german, ["7", "8", "1,034", "9"])?.voltages == [7, 8, 1.034, 9])
    let thousand = Self.english.replacing("512 hertz", with: "1,024 hertz")
    #expect(Self.row(thousand, ["7", "8", "1,034", "9"])?.voltages == [7, 8, 1034, 9])
    #expect(Self.row(thousand, ["7"])?.sampleRate == 1024)
  }

  @Test("Semicolons part fields where commas are decimal marks")
  func semicolons() throws {
    let header = Self.german.components(separatedBy: "\n")
      .map { $0.replacing(",", with: ";", maxReplacements: 1) }.joined(separator: "\n")
    let row = try #require(Self.row(header, ["57,992", "-66,502;", "7"]))
    #expect(row.voltages == [57.992, -66.502, 7] && row.sampleRate == 511.562)
    #expect(row.classification == "Sinusrhythmus" && row.lead == "Ableitung I")
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
      let contents = ElectrocardiogramText.contents(of: mutated, path: "")
      guard let row = contents.value else { continue }
      #expect(row.voltages.allSatisfy(\.isFinite) && row.facts.end.isFinite)
    }
  }
}
