package import HealthSamples

/// Which files have a row or an element, and which acts name it.
///
/// Files are written as those, in the order of ``KnownFile/precedes(_:_:)``, at which membership
/// changes among the files that have rows of the series: the row is contained from the first on, not
/// from the second on, and so forth. A row that every later file also contains keeps its provenance,
/// so an import changes only the rows that it lacks. Files that were undone stay, and do not count.
package struct Provenance: Hashable, Sendable {
  /// What else decides whether a row counts.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// It was saved, not imported.
    package static let saved = Self(rawValue: 1)
    /// An association refers to it: an imported row keeps its UUID.
    package static let pinned = Self(rawValue: 2)
    /// Another version stands for it, or it measures a sample that does not count.
    package static let superseded = Self(rawValue: 4)
    /// It is deleted with a higher version.
    package static let deletedWithVersion = Self(rawValue: 8)
    /// A later file that counts tells it otherwise, under the identity that it was given.
    ///
    /// It is decided anew whenever other files count; see ``ToldVersions``.
    package static let retold = Self(rawValue: 16)
  }

  /// What names a row.
  package enum Referrer: Sendable {
    case act(Int64)
    case association
  }

  package var flags: Flags
  package var toggles: [Int64]
  /// Deletions and restorations, in ascending order of their numbers.
  package var acts: [Int64]

  package init(flags: Flags = [], toggles: [Int64] = [], acts: [Int64] = []) {
    (self.flags, self.toggles, self.acts) = (flags, toggles, acts)
  }

  package var isSaved: Bool { flags.contains(.saved) }

  package mutating func add(_ referrer: Referrer) {
    switch referrer {
    case .act(let act): if !acts.contains(act) { acts.append(act) }
    case .association: flags.insert(.pinned)
    }
  }
}

/// What files and acts say of a row or an element, as far as it decides.
package struct RowFacts: Sendable {
  package var flags: Provenance.Flags
  /// The dates of present files that have it, as steps of the replay, ascending.
  package var steps: [Int] = []
  /// The place of the last present file that has it, in the order of files; -1 for none.
  package var rank = -1
  /// Whether a file that is told has it.
  package var isTold = false
  /// The last act that names it.
  package let act: OwnerAct?
  /// Whether a deletion names it, also one that is taken back.
  let isNamedByDeletion: Bool

  /// Takes what decides besides files, and the acts that name it.
  package init(flags: Provenance.Flags = [], acts: [OwnerAct] = []) {
    (self.flags, act) = (flags, OwnerAct.last(of: acts))
    isNamedByDeletion = acts.contains(where: \.isDeletion)
  }

  package var isSaved: Bool { flags.contains(.saved) }
  /// Whether a later file tells it otherwise, under its identity.
  package var isRetold: Bool { flags.contains(.retold) }
  /// Whether it stays known without a file (law 5.5, 8.2).
  package var isNamed: Bool { act != nil || flags.contains(.pinned) }
  /// Whether its last act is a deletion.
  package var isDeleted: Bool { act?.isDeletion ?? false }

  /// Whether its state follows from one date: no act names it.
  package var isPlain: Bool { !isSaved && !isRetold && !steps.isEmpty && act == nil }
}

/// The files that have rows of a series or elements of a kind, in the order of their ranks.
package struct FileOrder: Sendable {
  package let files: [KnownFile]
  /// The step of each file in the replay; `nil` if its rows do not count.
  private let steps: [Int?]

  /// Orders files; with a kind those count that have elements of it.
  package init(_ files: some Sequence<KnownFile>, of kind: ElementKind? = nil) {
    self.files = files.sorted(by: KnownFile.precedes)
    var dates: [ReplayDate] = []
    steps = self.files.map { file in
      guard kind.map(file.presentKinds.contains) ?? file.isPresent else { return nil }
      if dates.last != file.date { dates.append(file.date) }
      return dates.count - 1
    }
  }

  /// The step of a file in the replay; `nil` if its rows do not count.
  package func step(of file: Int) -> Int? { steps[file] }

  /// Which files contain what has some toggles.
  package func presence(_ toggles: [Int64]) -> [Bool] {
    let toggles = Set(toggles)
    var isPresent = false
    return files.map { file in
      if toggles.contains(file.id) { isPresent.toggle() }
      return isPresent
    }
  }

  /// The files at which membership changes.
  package func toggles(_ presence: [Bool]) -> [Int64] {
    var toggles: [Int64] = []
    var before = false
    for (file, isPresent) in zip(files, presence) where isPresent != before {
      toggles.append(file.id)
      before = isPresent
    }
    return toggles
  }

  /// What decides of a row that some files contain.
  ///
  /// - Parameters:
  ///   - presence: which files contain it
  ///   - flags: what else decides
  ///   - acts: the acts that name it
  /// - Returns: its facts
  package func facts(
    _ presence: [Bool], _ flags: Provenance.Flags = [], _ acts: [OwnerAct] = []
  ) -> RowFacts {
    var facts = RowFacts(flags: flags, acts: acts)
    for (index, isPresent) in presence.enumerated() where isPresent {
      facts.isTold = facts.isTold || files[index].isTold
      guard let step = steps[index] else { continue }
      if facts.steps.last != step { facts.steps.append(step) }
      facts.rank = index
    }
    return facts
  }
}
