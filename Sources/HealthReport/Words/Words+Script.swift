extension Words {
  /// The texts that the page's script has, by group and name: `explorer.hour`.
  ///
  /// They are those of the groups ``Explorer``, ``Figure``, ``Table``, ``Why``, ``Families``,
  /// ``Patterns`` and ``Dates``, and of the page the line for browsers that cannot unpack tables.
  var scriptTexts: [String: String] {
    var texts: [String: String] = ["page.needsNewerBrowser": page.needsNewerBrowser]
    let groups: [(String, Any)] = [
      ("explorer", explorer), ("figure", figure), ("table", table), ("why", why),
      ("family", families), ("pattern", patterns), ("date", dates),
    ]
    for (group, value) in groups {
      for (name, text) in Self.texts(of: value) { texts["\(group).\(name)"] = text }
    }
    return texts
  }

  /// Every text of all groups, by path, in the order of the properties.
  var allTexts: [(path: String, text: String)] { Self.texts(of: self) }

  private static func texts(of value: Any) -> [(path: String, text: String)] {
    Mirror(reflecting: value).children.flatMap { child -> [(path: String, text: String)] in
      guard let label = child.label else { return [] }
      if let text = child.value as? String { return [(label, text)] }
      return texts(of: child.value).map { ("\(label).\($0.path)", $0.text) }
    }
  }
}

extension Words.Activities {
  /// The name of a kind of workout, by its Swift name in the catalogue.
  ///
  /// One that the catalogue of this version does not know has the words of its English name.
  func name(of activity: String) -> String {
    for child in Mirror(reflecting: self).children where child.label == activity {
      if let name = child.value as? String { return name }
    }
    return Measure.words(of: activity)
  }

  /// All names, by Swift name.
  var byName: [String: String] {
    Dictionary(
      Mirror(reflecting: self).children.compactMap { child in
        child.label.flatMap { label in (child.value as? String).map { (label, $0) } }
      }, uniquingKeysWith: { first, _ in first })
  }
}
