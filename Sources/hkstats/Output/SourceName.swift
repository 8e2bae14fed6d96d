import HealthExchange
import HealthSamples

/// Unique names of sources for programs.
///
/// Hand-entered samples are a separate source with a marked name; another source may have the same
/// name.
struct SourceNames {
  private var names: [Source: String] = [:]

  init(_ sources: [Source]) {
    var taken: Set<String> = []
    for source in sources where !source.isUserEntered {
      names[source] = source.description
      taken.insert(source.description)
    }
    for source in sources where source.isUserEntered && names[source] == nil {
      var name = source.description
      while !taken.insert(name).inserted { name += " (by hand)" }
      names[source] = name
    }
  }

  subscript(source: Source) -> String { names[source] ?? source.description }
}

extension Source {
  /// The name for display, no wider than a table column: sources have arbitrary names.
  var shortName: String { description.printable.truncated(to: 40) }
}
