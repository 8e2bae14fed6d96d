import ArgumentParser
import Foundation
import HealthExchange

/// When output is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

extension [String] {
  /// The lines after an empty one; empty if there are none.
  var afterBlank: [String] { isEmpty ? [] : [""] + self }
}

extension TextStyle {
  /// Colours for a file descriptor: if requested, or on a terminal unless `NO_COLOR` is set.
  init(_ choice: ColorChoice, descriptor: Int32) {
    let isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto:
        ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
          && Terminal.obeysEscapes(descriptor)
      }
    self.init(isColored: isColored, width: Terminal.width(descriptor))
  }

  /// A part of a chart in its own colour.
  func mark(_ text: String, _ color: ChartMark.Color) -> String {
    marked(text, "38;5;\(color.rawValue)")
  }
}
