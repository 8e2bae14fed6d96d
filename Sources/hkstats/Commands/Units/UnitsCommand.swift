import ArgumentParser
import HealthSamples
import HealthUnits

/// `hkstats units`: converts, explains and lists units, and sets those of answers.
struct UnitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "units",
    abstract: "Convert, explain and list units; prefer one.",
    discussion: """
      EXAMPLES:
        hkstats units convert 150 lb kg
        hkstats units parse "mL/min·kg"
        hkstats units list energy
        hkstats units prefer bodyMass lb
      """,
    subcommands: [Convert.self, Parse.self, List.self, Prefer.self])
}

/// Units as arguments: an invalid one is a usage error.
enum UnitArgument {
  /// Parses `--unit` for values of a type, as people write units.
  static func unit(_ text: String, of type: SampleType) throws(Failure) -> UnitExpression {
    do throws(UnitError) {
      return try type.unit(colloquial: text)
    } catch {
      throw Failure(error, in: text, of: type)
    }
  }

  /// The spoken form of the same.
  static func spoken(_ text: String, of type: SampleType) throws(Failure) -> DisplayUnit {
    DisplayUnit(try unit(text, of: type))
  }

  static func unit(_ text: String, dialect: UnitDialect) throws(Failure) -> UnitExpression {
    do throws(UnitError) {
      return try UnitExpression(text, dialect: dialect)
    } catch {
      throw Failure(error, in: text)
    }
  }
}

/// The dialect of the units.
struct DialectOptions: ParsableArguments {
  @Option(help: "The way units are written: healthkit or ucum.", transform: Self.dialect)
  var dialect: UnitDialect = .healthKit

  private static func dialect(_ text: String) throws -> UnitDialect {
    guard let dialect = UnitDialect(rawValue: text) else {
      let known = UnitDialect.allCases.map(\.rawValue).joined(separator: " or ")
      throw ValidationError("a dialect is \(known)")
    }
    return dialect
  }

  /// Parses a unit of the command line.
  func unit(_ text: String) throws(Failure) -> UnitExpression {
    try UnitArgument.unit(text, dialect: dialect)
  }
}
