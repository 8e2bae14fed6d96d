import ArgumentParser
import HealthStore

/// The sources visible to a query.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only this source, as if the others had never measured; repeat it for more. A name with \"(entered by hand)\" means that part alone.",
      valueName: "source"),
    completion: .sources)
  var source: [String] = []

  @Option(
    help: ArgumentHelp(
      "Without this source, as if it had never measured; repeat it for more.", valueName: "source"),
    completion: .sources)
  var exclude: [String] = []

  var selection: SourceSelection { SourceSelection(only: source, excluding: exclude) }
}
