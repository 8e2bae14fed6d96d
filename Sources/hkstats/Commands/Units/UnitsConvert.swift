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
