import ArgumentParser
import Foundation

/// How results are shown to people.
struct DisplayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
  var color: ColorChoice = .auto

  /// The marks for stdout.
  var style: TextStyle { TextStyle(color, descriptor: STDOUT_FILENO) }
}
