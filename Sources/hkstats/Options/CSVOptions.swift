import ArgumentParser

/// How comma-separated text is written.
struct CSVOptions: ParsableArguments {
  @Flag(
    help:
      "In csv, puts an apostrophe before texts that a spreadsheet would run as a formula: those that begin with = + - @, a tab or a line break. Numbers stay numbers."
  )
  var csvSafe = false

  /// What it means for a file.
  var form: CommaSeparated { CommaSeparated(isSafe: csvSafe) }

  /// Text to stdout.
  var output: StandardOutput { StandardOutput(isCSVSafe: csvSafe) }
}
