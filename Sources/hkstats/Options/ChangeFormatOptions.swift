import ArgumentParser
import Foundation
import HealthExchange

/// The output formats of what a command did.
enum ChangeFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

/// Options of the output of commands that change something.
struct ChangeFormatOptions: ParsableArguments {
  @Option(help: "table for people, or json: one object that says what was done.")
  var format = ChangeFormat.table

  @OptionGroup var display: DisplayOptions

  /// Writes what was done to stdout: sentences for people, or one object.
  func write(
    saying sentences: @autoclosure () throws -> [String], _ members: [JSON.Member]
  ) throws {
    let output = TextOutput(.standardOutput)
    switch format {
    case .table:
      for line in try sentences().flatMap({ display.style.fitted($0.printable) }) {
        try output.line(line)
      }
    case .json: try output.line(JSON.object(members).text)
    }
    try output.flush()
  }
}
