import ArgumentParser
import Foundation
import HealthExchange
import HealthSamples
import HealthUnits

extension UnitsCommand {
  /// `hkstats units convert`: one value, or one per line of standard input.
  struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Convert a value, or one a line with --batch.",
      usage: """
        hkstats units convert [--dialect <dialect>] [--type <type>] <value> <from> <to>
        hkstats units convert --batch [--dialect <dialect>]
        """,
      discussion: """
        With --batch every line of standard input is value<TAB>from<TAB>to and gets one line: the \
        number, or error<TAB>byte offset in the unit<TAB>message.

        Units are written as HealthKit does. A mole is a mass of a known substance only with --type.

        EXAMPLES:
          hkstats units convert 98.6 degF degC
          hkstats units convert -40 degF degC
          hkstats units convert 5.5 mmol/L mg/dL --type bloodGlucose
          printf '1\\tkcal\\tkJ\\n' | hkstats units convert --batch
        """)

    @Argument(
      parsing: .allUnrecognized, help: "A number, then the unit it is in, then the unit wanted.")
    var arguments: [String] = []

    @Flag(help: "Read value<TAB>from<TAB>to lines from standard input.")
    var batch = false

    @Option(
      help: ArgumentHelp(
        "The type that is measured: a mole is one of its substance, as of glucose.",
        valueName: "type"))
    var type: String?

    @OptionGroup var dialectOptions: DialectOptions

    func validate() throws {
      if batch, !arguments.isEmpty {
        throw ValidationError(
          "--batch reads its values from standard input: leave out \(arguments[0]).")
      }
      if let option = arguments.first(where: {
        $0.hasPrefix("-") && BatchConversions.number($0) == nil
      }) {
        throw ValidationError("Unknown option '\(option)'")
      }
      if batch, type != nil {
        throw ValidationError("--type is for one value: leave out --batch.")
      }
      if !batch, arguments.count != 3 {
        throw ValidationError("Give a value, its unit and the unit wanted: convert 150 lb kg.")
      }
    }

    func run() throws {
      let output = TextOutput(.standardOutput)
      if batch {
        var conversions = BatchConversions(dialect: dialectOptions.dialect)
        for line in InputLines() { try output.line(conversions.answer(to: line)) }
      } else {
        let substance = try type.map(Self.substance(ofType:))
        let (from, to) = (
          try dialectOptions.unit(arguments[1]), try dialectOptions.unit(arguments[2])
        )
        guard let value = BatchConversions.number(arguments[0]) else {
          throw Failure("\(arguments[0]) is no number.", .usage)
        }
        let conversion: UnitConversion
        do throws(UnitError) {
          if let substance {
            conversion = try substance.conversion(from: from, to: to)
          } else {
            conversion = try UnitConversion(from: from, to: to)
          }
        } catch {
          throw type == nil && Self.isMoleAndMass(from, to)
            ? Failure.noSubstance(from: arguments[1], to: arguments[2])
            : Failure(error, from: arguments[1], to: arguments[2])
        }
        let result = conversion(value)
        guard result.isFinite else {
          throw Failure("The result is beyond the largest number there is.", .usage)
        }
        try output.line(NumberText.exact(result))
      }
      try output.flush()
    }

    /// What a type measures.
    private static func substance(ofType name: String) throws -> Substance {
      let type = try Catalogue.type(named: name, besides: [])
      if let substance = type.substance { return substance }
      let known = Catalogue.quantityTypes.filter { $0.substance != nil }.map(\.swiftName)
      throw Failure(
        "\(TypeName.short(type.identifier)) is not the measure of one substance; leave --type out. "
          + "These are: \(known.joined(separator: ", ")).", .usage)
    }

    /// Whether two units would convert for a known substance.
    private static func isMoleAndMass(_ from: UnitExpression, _ to: UnitExpression) -> Bool {
      (try? Substance.glucose.conversion(from: from, to: to)) != nil
    }
  }
}

/// Converts the lines of `units convert --batch`; each pair of units is parsed once.
struct BatchConversions {
  private enum Found {
    case conversion(UnitConversion)
    case error(String)
  }

  private let dialect: UnitDialect
  private var found: [ArraySlice<UInt8>: Found] = [:]

  init(dialect: UnitDialect) { self.dialect = dialect }

  /// The number, or `error<TAB>offset<TAB>message`.
  mutating func answer(to line: [UInt8]) -> String {
    let fields = line.split(separator: Self.tab, maxSplits: 1, omittingEmptySubsequences: false)
    guard fields.count == 2 else { return Self.error("-", "not value<TAB>from<TAB>to") }
    switch conversion(of: fields[1]) {
    case .error(let text): return text
    case .conversion(let conversion):
      guard let value = Self.number(String(decoding: fields[0], as: UTF8.self)) else {
        return Self.error("-", "not a number")
      }
      let result = conversion(value)
      return result.isFinite
        ? NumberText.exact(result) : Self.error("-", "the result is beyond the largest number")
    }
  }

  /// A finite number in decimal digits.
  static func number(_ text: some StringProtocol) -> Double? {
    guard let value = Double(text), value.isFinite,
      text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return nil }
    return value
  }

  private static let tab = UInt8(ascii: "\t")

  private mutating func conversion(of pair: ArraySlice<UInt8>) -> Found {
    if let known = found[pair] { return known }
    // Bounded, so that a stream of new units does not fill the memory.
    if found.count >= 4096 { found.removeAll(keepingCapacity: true) }
    let result = makeConversion(of: pair)
    found[pair] = result
    return result
  }

  private func makeConversion(of pair: ArraySlice<UInt8>) -> Found {
    let trimmed = pair.last == UInt8(ascii: "\r") ? pair.dropLast() : pair
    let fields = trimmed.split(separator: Self.tab, omittingEmptySubsequences: false)
    guard fields.count == 2 else { return .error(Self.error("-", "not value<TAB>from<TAB>to")) }
    var units: [UnitExpression] = []
    for field in fields {
      do throws(UnitError) {
        units.append(try UnitExpression(utf8: Array(field), dialect: dialect))
      } catch {
        return .error(Self.error(String(error.offset), UnitSentence.text(error)))
      }
    }
    do throws(UnitError) {
      return .conversion(try UnitConversion(from: units[0], to: units[1]))
    } catch {
      let names = fields.map { String(decoding: $0, as: UTF8.self) }
      return .error(Self.error("-", UnitSentence.text(error, from: names[0], to: names[1])))
    }
  }

  private static func error(_ offset: String, _ message: String) -> String {
    "error\t\(offset)\t\(message.printable)"
  }
}

/// The raw lines of standard input: offsets in errors count their bytes.
private struct InputLines: Sequence, IteratorProtocol {
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  /// The next line without its line feed; nil at the end.
  mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        return line
      }
      searched = bytes.count
      guard !isAtEnd else {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
      }
      fill()
    }
  }

  private mutating func fill() {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let count = block.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
      bytes += block[..<count]
    } else if count == 0 || errno != EINTR {
      isAtEnd = true
    }
  }
}
