/// Decides which wordings of an element count (law 7).
package enum ElementDecision {
  /// A wording: the same words in one or several files.
  package struct Wording {
    /// Which files have it, in their order.
    package let presence: [Bool]
    package let isRetold: Bool

    package init(presence: [Bool], isRetold: Bool) {
      (self.presence, self.isRetold) = (presence, isRetold)
    }
  }

  /// The wordings that count (law 7.2): those of the present file of the last date, of several files
  /// of that date those of the one with the most, then with the greater bytes.
  ///
  /// - Parameters:
  ///   - wordings: those of files that have one identity, and that no deletion takes away
  ///   - files: the files
  ///   - content: the bytes of a wording, which are asked for only where they decide
  /// - Returns: the places of those that count, and of those of all present files in their order, of
  ///   which a single element takes the longest track or document (law 7.3); `nil` if none counts
  /// - Throws: what `content` throws
  package static func decide<Failure>(
    _ wordings: [Wording], _ files: FileOrder, content: (Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> (shown: [Int], present: [Int])? {
    var lists: [Int: [Int]] = [:]
    for (place, wording) in wordings.enumerated() where !wording.isRetold {
      for (file, isThere) in wording.presence.enumerated()
      where isThere && files.step(of: file) != nil {
        lists[file, default: []].append(place)
      }
    }
    guard let last = lists.keys.max(), var best = lists[last] else { return nil }
    let rivals = lists.filter { files.files[$0.key].date == files.files[last].date }
    if rivals.count > 1 {
      func bytes(_ list: [Int]) throws(Failure) -> [[UInt8]] {
        try list.map(content).sorted { $0.lexicographicallyPrecedes($1) }
      }
      // The later of equal ones is the one of the greater identity.
      var bestBytes: [[UInt8]] = []
      for (place, rival) in rivals.sorted(by: { $0.key < $1.key }).enumerated() {
        let list = try bytes(rival.value)
        let isBefore = place > 0 && precedes(list, bestBytes)
        if !isBefore { (best, bestBytes) = (rival.value, list) }
      }
    }
    return (best, lists.sorted { $0.key < $1.key }.flatMap(\.value))
  }

  /// Whether one list of contents has fewer than another, or lesser ones.
  private static func precedes(_ left: [[UInt8]], _ right: [[UInt8]]) -> Bool {
    if left.count != right.count { return left.count < right.count }
    guard let (one, other) = zip(left, right).first(where: { $0 != $1 }) else { return false }
    return one.lexicographicallyPrecedes(other)
  }
}

/// Decides which version of a saved object stands (law 6.2).
package enum VersionDecision {
  /// An object that an app saved under an identifier, with a version.
  package struct Version {
    package let birth: Int64
    package let number: Double
    /// When it was saved.
    package let stamp: Stamp
    /// When it was deleted by its own UUID, unless it was restored since.
    package let deletion: Stamp?

    package init(birth: Int64, number: Double, stamp: Stamp, deletion: Stamp?) {
      (self.birth, self.number, self.stamp, self.deletion) = (birth, number, stamp, deletion)
    }
  }

  /// Whether a version counts.
  package enum State: Int64, Sendable {
    /// It stands for the identifier.
    case current = 0
    /// Another one stands.
    case superseded = 1
    /// It is deleted with a higher version.
    case deletedWithVersion = 2
    /// An act deleted it.
    case deleted = 3

    /// What it says in the provenance of the object; `nil` where acts say it.
    package var flags: Provenance.Flags? {
      switch self {
      case .current: []
      case .superseded: .superseded
      case .deletedWithVersion: [.superseded, .deletedWithVersion]
      case .deleted: nil
      }
    }
  }

  /// The states of the versions of one identifier: the highest one stands, of equal ones the first.
  ///
  /// With one that is deleted, those not higher are that were saved before.
  ///
  /// - Complexity: O(*n*²) for *n* versions
  package static func decide(_ versions: [Version]) -> [State] {
    let deleted = versions.filter { $0.deletion != nil }
    var states = versions.map { version -> State in
      if version.deletion != nil { return .deleted }
      let isDeleted = deleted.contains { other in
        version.number <= other.number && other.deletion.map { version.stamp < $0 } ?? false
      }
      return isDeleted ? .deletedWithVersion : .superseded
    }
    let alive = versions.indices.filter { states[$0] == .superseded }
    let current = alive.min {
      let (one, other) = (versions[$0], versions[$1])
      return one.number == other.number
        ? (one.stamp, one.birth) < (other.stamp, other.birth) : one.number > other.number
    }
    if let current { states[current] = .current }
    return states
  }
}
