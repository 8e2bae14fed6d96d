import HealthExchange
import HealthSamples

/// Names of sources for programs, no two of which are alike.
///
/// Hand-entered samples are a source of their own, named with a mark; a source may be called just
/// so.
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
  /// The name for people, no wider than a column of a table can be: anyone may name a source.
  var shortName: String { description.printable.truncated(to: 40) }
}
