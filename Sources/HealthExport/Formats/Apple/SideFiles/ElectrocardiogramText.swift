package import HealthSamples

/// Reads an electrocardiogram: a CSV file of Apple's, in the language of the phone.
///
/// All words are localised, so fields are recognised by their form and position. The signal is the
/// longest sequence of lines with one number; a comma in such a line is a decimal mark. The line
/// before it with a date is the recording time; classification, symptoms, version and device follow
/// it, then the sample rate; lead and unit come after a blank line. The person's name and date of
/// birth are not read.
package struct ElectrocardiogramText {
  /// Lines before the signal, in groups between blank lines.
  private var groups: [[Line]] = [[]]
  private var voltages: [Double] = []

  /// A line with a name and a value.
  private struct Line {
    /// The value after the first comma, without surrounding quotes.
    let value: String
    let instant: Double?
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - text: the file
  ///   - path: its path in the export
  /// - Returns: the electrocardiogram; `nil` when the text lacks the date, the rate or the signal
  /// - Complexity: O(*n*)
  package static func row(in text: [UInt8], path: String) -> Electrocardiograms.Row? {
    ElectrocardiogramText(text).row(path: path)
  }

  private init(_ text: [UInt8]) {
    // A byte after the last line, so that numbers are terminated.
    (text + [.lineFeed]).withUnsafeBufferPointer { bytes in
      var run: [Double] = []
      var header: [[Line]] = [[]]
      var rest = bytes[...]
      while let end = rest.firstIndex(of: .lineFeed) {
        let line = Self.withoutMarks(Bytes(rebasing: rest[..<end]).trimmed)
        rest = rest[(end + 1)...]
        if let number = Self.number(line) {
          run.append(number)
          continue
        }
        keep(run, after: header)
        run.removeAll()
        if line.isEmpty {
          if header.last?.isEmpty == false { header.append([]) }
        } else if header.reduce(0, { $0 + $1.count }) < Self.mostLines {
          header[header.count - 1].append(Self.line(line))
        }
      }
      keep(run, after: header)
    }
  }

  private static let mostLines = 64
  /// Valid sample rates.
  private static let rates = 1.0...1e6

  /// Keeps a sequence of numbers if it is the longest so far, and the lines before it.
  private mutating func keep(_ run: [Double], after header: [[Line]]) {
    guard run.count > voltages.count else { return }
    voltages = run
    groups = header.filter { !$0.isEmpty }
  }

  private func row(path: String) -> Electrocardiograms.Row? {
    guard let facts = groups.first, let dated = facts.firstIndex(where: { $0.instant != nil }),
      let start = facts[dated].instant,
      let rate = facts.last.flatMap({ Self.leadingNumber($0.value) }),
      Self.rates.contains(rate), !voltages.isEmpty
    else { return nil }
    func value(_ offset: Int) -> String {
      let index = dated + offset
      return index < facts.count - 1 ? facts[index].value : ""
    }
    var row = Electrocardiograms.Row()
    row.facts.start = start
    row.facts.end = start + Double(voltages.count) / rate
    row.classification = value(1)
    row.symptoms = value(2)
    row.facts.origin = Origin(sourceVersion: value(3), device: value(4))
    row.sampleRate = rate
    let signal = groups.dropFirst().last ?? []
    row.lead = signal.first?.value ?? ""
    let scale = signal.dropFirst().first.map { Self.microvolts($0.value) } ?? 1
    row.voltages = scale == 1 ? voltages : voltages.map { $0 * scale }
    row.path = path
    return row.voltages.allSatisfy(\.isFinite) ? row : nil
  }

  /// The factor from the unit of the signal to microvolts.
  ///
  /// Apple writes µV in every known language; millivolts and volts are recognised by their symbols.
  private static func microvolts(_ unit: String) -> Double {
    switch unit {
    case "mV": 1e3
    case "V": 1e6
    default: 1
    }
  }

  /// A line without its byte order mark.
  private static func withoutMarks(_ line: Bytes) -> Bytes {
    line.starts(with: [0xEF, 0xBB, 0xBF]) ? Bytes(rebasing: line.dropFirst(3)) : line
  }

  private static func line(_ bytes: Bytes) -> Line {
    let comma = bytes.firstIndex(of: UInt8(ascii: ","))
    var value = Bytes(rebasing: comma.map { bytes[($0 + 1)...] } ?? bytes[bytes.count...]).trimmed
    if value.count >= 2, value.first == .quote, value.last == .quote {
      value = Bytes(rebasing: value[1..<value.count - 1])
    }
    return Line(
      value: String(decoding: value.filter { $0 != 0 }, as: UTF8.self)
        .replacing("\"\"", with: "\""),
      instant: InstantText.instant(value))
  }

  /// The number of a whole line, with a point or a comma.
  private static func number(_ line: Bytes) -> Double? {
    guard let first = line.first, first.isDigit || first == UInt8(ascii: "-"), line.count <= 32,
      line.count(where: { $0 == UInt8(ascii: ",") }) <= 1
    else { return nil }
    if let number = NumberScanner.enclosed(line) { return number }
    return withPoint(Array(line))
  }

  /// The number at the start of a value, such as `511,562 Hertz`.
  private static func leadingNumber(_ value: String) -> Double? {
    let digits = value.utf8.prefix {
      $0.isDigit || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".")
    }
    return withPoint(Array(digits))
  }

  private static func withPoint(_ digits: [UInt8]) -> Double? {
    digits.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
      .withUnsafeBufferPointer(NumberScanner.number)
  }
}
