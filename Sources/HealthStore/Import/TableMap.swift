/// From places in the tables of a segment or batch to places in those of a gatherer.
struct TableMap {
  /// The mark of an entry that has no place yet.
  static let unknown = UInt32.max

  /// Whoever owns the tables that a map leads into.
  final class Owner {}

  var labels: [UInt32]
  var origins: [UInt32]
  var metadata: [UInt32]
  private var owner: Owner?

  init(labels: Int, origins: Int, metadata: Int) {
    self.labels = Array(repeating: Self.unknown, count: labels)
    self.origins = Array(repeating: Self.unknown, count: origins)
    self.metadata = Array(repeating: Self.unknown, count: metadata)
  }

  /// Forgets all places when they lead into the tables of another owner.
  mutating func claim(for owner: Owner) {
    guard self.owner !== owner else { return }
    self = Self(labels: labels.count, origins: origins.count, metadata: metadata.count)
    self.owner = owner
  }
}
