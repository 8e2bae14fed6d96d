package import HealthSamples

/// Reads an electrocardiogram: a CSV file of Apple's, in the language of the phone.
///
/// All words are localised, so fields are recognised by their form and position. The first group of
/// lines has the recording time, which is the one line with a date, then classification, symptoms,
/// version and device, and last the sample rate; after a blank line come lead and unit. All lines
/// after the next blank one are the signal, a number each (``LocalisedNumber``): a file in which one
/// of them is none is refused, since what follows would be at another time. The person's name and
/// date of birth are not read.
package struct ElectrocardiogramText {
  /// Lines before the signal, in groups between blank lines.
  private var groups: [[Line]] = [[]]
  private var voltages: [LocalisedNumber] = []
  /// The number of the first line of the signal.
  private var firstLine = 1
  /// The first line that is not what it must be.
  private var wrongLine: Int?

  /// A line with a name and a value.
  private struct Line {
    let number: Int
    /// The value after the first separator, without surrounding quotes.
    let value: String
    let instant: Double?
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - text: the file
  ///   - path: its path in the export
  /// - Returns: the electrocardiogram; unreadable when the text lacks the date, the rate or the
  ///   signal, or has a line that cannot be read
  /// - Complexity: O(*n*)
  package static func contents(
    of text: [UInt8], path: String
  ) -> SideFileContents<Electrocardiograms.Row> {
    let text = ElectrocardiogramText(text)
    return text.wrongLine.map { .unreadable(line: $0) } ?? text.contents(path: path)
  }

  private init(_ text: [UInt8]) {
    // A byte after the last line, so that numbers are terminated.
    (text + [.lineFeed]).withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      var number = 0
      while let end = rest.firstIndex(where: Self.isLineEnd) {
        number += 1
        read(Bytes(rebasing: rest[..<end]), number: number)
        let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == .lineFeed
        rest = rest[(end + (isPair ? 2 : 1))...]
      }
    }
    groups.removeAll(where: \.isEmpty)
    // Lines of a third group belong neither to the words nor to the signal.
    if groups.count > 2 { wrongLine = groups[2].first?.number }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == 0x0D }

  private static let mostLines = 64
  /// Valid sample rates.
  private static let rates = 1.0...1e6
  /// Those that are usual: no rate of three digits more or less is.
  private static let usualRates = 50.0..<20_000

  private mutating func read(_ line: Bytes, number: Int) {
    guard wrongLine == nil else { return }
    let line = Self.withoutPadding(line)
    if line.isEmpty {
      if voltages.isEmpty, groups.last?.isEmpty == false { groups.append([]) }
      return
    }
    // Numbers among the first words are none of the signal.
    if groups.count > 1, let voltage = LocalisedNumber(Self.unquoted(line)) {
      if voltages.isEmpty { firstLine = number }
      // A blank line within the signal is a missing number.
      if number == firstLine + voltages.count {
        voltages.append(voltage)
      } else {
        wrongLine = firstLine + voltages.count
      }
    } else if !voltages.isEmpty || groups.count == 2 && isBehindUnit(line) {
      wrongLine = number
    } else if groups.reduce(0, { $0 + $1.count }) < Self.mostLines {
      groups[groups.count - 1].append(Self.line(line, number: number))
    }
  }

  /// Whether a line after those of lead and unit has not their form, with a name and a value.
  private func isBehindUnit(_ line: Bytes) -> Bool {
    groups[1].count > 1 && !line.contains(where: Self.isSeparator)
  }

  private func contents(path: String) -> SideFileContents<Electrocardiograms.Row> {
    guard let facts = groups.first, let dated = facts.firstIndex(where: { $0.instant != nil }),
      let start = facts[dated].instant,
      let (rate, mark) = facts.last.flatMap({ Self.rate($0.value) }), !voltages.isEmpty
    else { return .unreadable(line: nil) }
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
    switch voltages.marks(mark) {
    case .known(let mark): row.voltages = voltages.compactMap { $0.value(mark).map { $0 * scale } }
    case .unknown(let place): return .unreadable(line: firstLine + place)
    }
    row.path = path
    return row.voltages.allSatisfy(\.isFinite) ? .value(row) : .unreadable(line: nil)
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

  /// A line without spaces and byte order mark, and without the separators with which spreadsheets
  /// make all lines as long as the longest.
  private static func withoutPadding(_ line: Bytes) -> Bytes {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var line = line.starts(with: mark) ? line.dropFirst(mark.count) : line[...]
    while let last = line.last, last.isSpace || isSeparator(last) { line.removeLast() }
    while let first = line.first, first.isSpace { line.removeFirst() }
    return Bytes(rebasing: line)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
  }

  private static func unquoted(_ text: Bytes) -> Bytes {
    text.count >= 2 && text.first == .quote && text.last == .quote
      ? Bytes(rebasing: text[1..<text.count - 1]) : text
  }

  private static func line(_ bytes: Bytes, number: Int) -> Line {
    let separator = bytes.firstIndex(where: isSeparator)
    let value = unquoted(
      Bytes(rebasing: separator.map { bytes[($0 + 1)...] } ?? bytes[bytes.count...]).trimmed)
    var dates = LocalisedDate()
    return Line(
      number: number,
      value: String(decoding: value.filter { $0 != 0 }, as: UTF8.self)
        .replacing("\"\"", with: "\""),
      instant: dates.instant(value))
  }

  /// The number at the start of a value, such as `511,562 Hertz`, with its decimal mark if it has
  /// one.
  private static func rate(
    _ value: String
  ) -> (rate: Double, mark: LocalisedNumber.DecimalMark?)? {
    var digits = value.unicodeScalars.prefix { !$0.properties.isAlphabetic }
    while let last = digits.last, last.properties.isWhitespace { digits.removeLast() }
    let number = Array(String(digits).utf8 + [.lineFeed]).withUnsafeBufferPointer {
      LocalisedNumber(Bytes(rebasing: $0.dropLast()))
    }
    guard let number else { return nil }
    guard let mark = number.ambiguousMark else {
      return (number.value(.point) ?? number.value(.comma)).flatMap {
        rates.contains($0) ? ($0, nil) : nil
      }
    }
    let other = LocalisedNumber.DecimalMark.allCases.first { $0 != mark } ?? mark
    for mark in [mark, other] {
      if let rate = number.value(mark), usualRates.contains(rate) { return (rate, mark) }
    }
    return nil
  }
}
