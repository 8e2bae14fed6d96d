extension Catalogue {
  /// The type that a person means by `name`.
  ///
  /// Full identifiers, identifiers without prefix, Swift names and the words of `words` are
  /// accepted, then the `spokenNames`. Case, spaces, `-` and `_` are ignored.
  ///
  /// - Parameters:
  ///   - name: the name as written
  ///   - extra: types that are not in the catalogue, such as those of a store
  /// - Returns: the type; the catalogue takes precedence over `extra`.
  /// - Throws: `CatalogueError` with similar names.
  /// - Complexity: O(1) when the name is known; else O(*k* · *m*) in the number of known names and
  ///   the square of their length, whatever the length of `name`.
  public static func type(
    named name: String, besides extra: [SampleType] = []
  ) throws(CatalogueError) -> SampleType {
    if let type = type(name) ?? extra.first(where: { $0.identifier == name }) { return type }
    // No name is that long, so a longer one is not compared.
    guard name.utf8.count <= NearNames.longest else {
      throw CatalogueError(name: name, suggestions: [])
    }
    let key = NearNames.key(of: name)
    if let entry = namesByKey[key] { return entry.type }
    let extraNames = extra.flatMap(names(of:))
    if let entry = extraNames.first(where: { $0.key == key }) { return entry.type }
    if let spoken = spokenName(name), let entry = namesByKey[NearNames.key(of: spoken)] {
      return entry.type
    }
    throw CatalogueError(name: name, suggestions: suggestions(for: key, beside: extraNames))
  }

  /// Whether a name is that of a type of the catalogue, without a search for similar names.
  ///
  /// - Complexity: O(1)
  package static func hasType(named name: String) -> Bool {
    type(name) != nil
      || name.utf8.count <= NearNames.longest && namesByKey[NearNames.key(of: name)] != nil
  }

  /// Names in the languages of people that are accepted besides the catalogue's own, which come first.
  @TaskLocal package static var spokenNames: SpokenNames?

  /// Names that people have for types.
  package struct SpokenNames: Sendable {
    /// The Swift name of the type of a name; `sleep` for nights.
    let type: @Sendable (String) -> String?
    /// All names, each with the Swift name of its type.
    let all: @Sendable () -> [(name: String, type: String)]

    /// Names that are made when one is asked for.
    package init(
      type: @escaping @Sendable (String) -> String?,
      all: @escaping @Sendable () -> [(name: String, type: String)]
    ) {
      (self.type, self.all) = (type, all)
    }
  }

  /// The Swift name of the type that has one of the ``spokenNames``, or `sleep` for nights; `nil` for
  /// a name of the catalogue.
  ///
  /// - Complexity: O(1)
  package static func spokenName(_ name: String) -> String? {
    guard let spokenNames, name.utf8.count <= NearNames.longest, !hasType(named: name) else {
      return nil
    }
    return spokenNames.type(name)
  }

  /// The Swift name of a type; the identifier of one that has none.
  package static func swiftName(of type: SampleType) -> String {
    names(of: type).first?.spelling ?? type.identifier
  }

  /// A spelling that names a type.
  struct Name: Sendable {
    /// The spelling as written.
    let spelling: String
    /// The spelling without case and separators.
    let key: String
    let type: SampleType

    init(_ spelling: String, _ type: SampleType) {
      self.spelling = spelling
      self.key = NearNames.key(of: spelling)
      self.type = type
    }
  }

  /// Every spelling of every type: words first, because people write them.
  static let names: [Name] =
    words.compactMap { word in type(word.identifier).map { Name(word.spelling, $0) } }
    + types.flatMap(names(of:))
    + categoryTypes.compactMap { row in
      type(row.identifier.rawValue).map { Name(row.swiftName, $0) }
    }

  private static let namesByKey = Dictionary(
    names.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

  /// The Swift name of a type and its full identifier.
  private static func names(of type: SampleType) -> [Name] {
    let identifier = type.identifier
    for prefix in [HKQuantityTypeIdentifier.prefix, HKCategoryTypeIdentifier.prefix, "HKDataType"]
    where identifier.hasPrefix(prefix) && identifier != prefix {
      let suffix = identifier.dropFirst(prefix.count)
      return [Name(swiftName(of: suffix), type), Name(identifier, type)]
    }
    return [Name(identifier, type)]
  }

  /// The nearest known names, each of a different type.
  private static func suggestions(for key: String, beside extra: [Name]) -> [String] {
    let own = suggestions(for: key, among: names + extra)
    guard own.isEmpty, let spokenNames else { return own }
    return suggestions(
      for: key,
      among: spokenNames.all().compactMap { name, type in
        namesByKey[NearNames.key(of: type)].map { Name(name, $0.type) }
      }, trustsParts: key.utf8.count >= shortestPart)
  }

  /// The bytes of a text that is not by chance within a name of any of the languages: `last` is in
  /// Ballaststoffe.
  private static let shortestPart = 6

  private static func suggestions(
    for key: String, among known: [Name], trustsParts: Bool = true
  ) -> [String] {
    let ranked = known.enumerated().compactMap { index, name in
      NearNames.likeness(of: key, to: name.key).map { (distance: $0, index: index, name: name) }
    }.filter { trustsParts || $0.distance < NearNames.leastWithin }
    var types: Set<SampleType> = []
    return ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
      .filter { types.insert($0.name.type).inserted }
      .prefix(3).map(\.name.spelling)
  }
}
