package import HealthSamples

/// Unique names of sources for programs.
///
/// Hand-entered samples are a separate source with a marked name; another source may have the same
/// name.
package struct SourceNames {
  private var names: [Source: String] = [:]

  package init(_ sources: [Source]) {
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

  package subscript(source: Source) -> String { names[source] ?? source.description }
}
