import GRDB
import HealthSamples

/// Which files have a row, and which acts name it.
///
/// Files are written as those, in the order of ``StoredFile/precedes(_:_:)``, at which membership
/// changes among the files that have rows of the series: the row is contained from the first on, not
/// from the second on, and so forth. A row that every later file also contains keeps its set, so an
/// import changes only the rows that it lacks. What was undone stays in sets, and does not count.
struct Members: Hashable {
  /// What else decides whether a row counts.
  struct Marks: OptionSet, Hashable {
    let rawValue: Int64
    /// It was saved, not imported.
    static let saved = Self(rawValue: 1)
    /// An association means it: an imported row keeps its UUID.
    static let referenced = Self(rawValue: 2)
    /// Another version stands for it, or it measures a sample that does not count.
    static let aside = Self(rawValue: 4)
    /// It is deleted with a higher version.
    static let outlived = Self(rawValue: 8)
    /// A later file that counts tells it otherwise, under the identity that it was given.
    ///
    /// It is marked anew whenever other files count; see ``ToldVersions``.
    static let retold = Self(rawValue: 16)
  }

  /// What names a row.
  enum Name {
    case act(Int64)
    case association
  }

  var marks: Marks = []
  var toggles: [Int64] = []
  /// Deletions and restorations, in ascending order of their numbers.
  var acts: [Int64] = []

  var isSaved: Bool { marks.contains(.saved) }

  mutating func add(_ name: Name) {
    switch name {
    case .act(let act): if !acts.contains(act) { acts.append(act) }
    case .association: marks.insert(.referenced)
    }
  }
}

/// The sets of members of all rows, for one transaction.
final class MemberSets {
  /// The set of rows that use the set of their chunk.
  static let ofChunk: UInt32 = 0
  /// The empty set.
  static let none: UInt32 = 1
  /// The set of rows that were saved, not imported.
  static let saved: UInt32 = 2

  let history: StoreHistory
  private var sets = [Members(), Members(), Members(marks: .saved)]
  private var numbers: [Members: UInt32] = [Members(): none, Members(marks: .saved): saved]
  private var stored = 3

  init(_ history: StoreHistory, _ database: Database) throws {
    self.history = history
    for row in try Row.fetchAll(
      database, sql: "SELECT id, marks, files, acts FROM memberSets ORDER BY id")
    {
      guard try row.decode(Int.self, atIndex: 0) == sets.count else { throw Corruption() }
      let set = Members(
        marks: .init(rawValue: try row.decode(atIndex: 1)),
        toggles: try Self.numbers(row.decode(atIndex: 2)),
        acts: try Self.numbers(row.decode(atIndex: 3)))
      guard set.toggles.allSatisfy({ history.files[$0] != nil }),
        set.acts.allSatisfy({ history.paints[$0] != nil })
      else { throw Corruption() }
      numbers[set] = UInt32(sets.count)
      sets.append(set)
    }
    stored = sets.count
  }

  private static func numbers(_ text: String) throws(Corruption) -> [Int64] {
    let list = text.split(separator: " ")
    let numbers = list.compactMap { Int64($0) }
    guard numbers.count == list.count else { throw Corruption() }
    return numbers
  }

  /// Whether associations mean rows of files.
  var haveReferences: Bool { sets.contains { $0.marks.contains(.referenced) } }

  func members(_ set: UInt32) throws(Corruption) -> Members {
    guard set < sets.count else { throw Corruption() }
    return sets[Int(set)]
  }

  func number(of members: Members) -> UInt32 {
    if let known = numbers[members] { return known }
    let number = UInt32(sets.count)
    numbers[members] = number
    sets.append(members)
    return number
  }

  /// The set of a row that something names, too.
  func number(of set: UInt32, named name: Members.Name) throws(Corruption) -> UInt32 {
    var members = try members(set)
    members.add(name)
    return number(of: members)
  }

  /// The set of a row that a later file tells otherwise, or not; a saved one keeps its own.
  func number(of set: UInt32, isRetold: Bool) throws(Corruption) -> UInt32 {
    var members = try members(set)
    guard !members.isSaved, members.marks.contains(.retold) != isRetold else { return set }
    if isRetold { members.marks.insert(.retold) } else { members.marks.remove(.retold) }
    return number(of: members)
  }

  /// The set of a saved row that counts or stands aside.
  func number(of set: UInt32, standing marks: Members.Marks) throws(Corruption) -> UInt32 {
    var members = try members(set)
    members.marks.subtract([.aside, .outlived])
    members.marks.formUnion(marks)
    return number(of: members)
  }

  /// Writes new sets.
  func write(to database: Database) throws {
    for number in stored..<sets.count {
      let set = sets[number]
      try database.execute(
        sql: "INSERT INTO memberSets (id, marks, files, acts) VALUES (?, ?, ?, ?)",
        arguments: [
          number, set.marks.rawValue, set.toggles.map(String.init).joined(separator: " "),
          set.acts.map(String.init).joined(separator: " "),
        ])
    }
    stored = sets.count
  }
}

/// The files that have rows of a type and a source, and what sets of members say of its rows.
final class SeriesFiles {
  /// What a set says of a row.
  struct Facts {
    var marks: Members.Marks = []
    /// The dates of present files that have it, as steps of the replay, ascending.
    var steps: [Int] = []
    /// The place of the last present file that has it, in the order of files.
    var rank = -1
    /// Whether a file that is told has it.
    var isTold = false
    /// The acts that name it.
    var acts: [Int64] = []

    var isSaved: Bool { marks.contains(.saved) }
    /// Whether a later file tells it otherwise, under its identity.
    var isRetold: Bool { marks.contains(.retold) }
    /// Whether it stays known without a file.
    var isNamed: Bool { !acts.isEmpty || marks.contains(.referenced) }

    /// Whether its state follows from one date: no act names it.
    var isPlain: Bool { !isSaved && !isRetold && !steps.isEmpty && acts.isEmpty }
  }

  let sets: MemberSets
  /// In the order of ``StoredFile/precedes(_:_:)``.
  let files: [StoredFile]
  /// The index of the imported file.
  let index: Int?
  /// The set of rows that nothing else has.
  let fresh: UInt32
  /// What names the rows.
  private let name: Members.Name?
  /// The step of each file in the replay; `nil` if its rows do not count.
  private let steps: [Int?]
  private var presences: [UInt32: [Bool]] = [:]
  /// By the number of the set: they are asked for once a row.
  private var facts: [Facts?] = []
  private var changes: [UInt32: (present: UInt32, absent: UInt32)] = [:]

  /// Takes the files that have rows of the series, or elements of a kind, and the imported one or
  /// the act that names them.
  init(
    _ sets: MemberSets, _ known: [Int64], of kind: ElementKind? = nil,
    importing file: Int64? = nil, naming name: Members.Name? = nil
  ) throws(Corruption) {
    self.sets = sets
    self.name = name
    var files: [StoredFile] = []
    for id in Set(known + (file.map { [$0] } ?? [])) {
      guard let file = sets.history.files[id] else { throw Corruption() }
      files.append(file)
    }
    files.sort(by: StoredFile.precedes)
    self.files = files
    index = file.flatMap { id in files.firstIndex { $0.id == id } }
    var places: [ReplayPlace] = []
    steps = files.map { file in
      guard kind.map(file.presentKinds.contains) ?? file.isPresent else { return nil }
      if places.last != file.place { places.append(file.place) }
      return places.count - 1
    }
    if let index {
      fresh = sets.number(of: Members(toggles: files[index...].prefix(2).map(\.id)))
    } else {
      var members = Members()
      if let name { members.add(name) }
      fresh = sets.number(of: members)
    }
  }

  /// Whether one of the files is undone.
  var haveUndone: Bool { files.contains { !$0.isTold } }

  /// Whether no later file has rows of the series.
  var isNewest: Bool { index == files.count - 1 }

  /// Whether the rows of a file count.
  func isPresent(_ file: Int) -> Bool { steps[file] != nil }

  /// The date of a present file, as a step of the replay.
  func step(of file: Int) -> Int? { steps[file] }

  /// Which files contain the rows of a set.
  func presence(_ set: UInt32) throws(Corruption) -> [Bool] {
    if let known = presences[set] { return known }
    let toggles = Set(try sets.members(set).toggles)
    var isPresent = false
    let presence = files.map { file in
      if toggles.contains(file.id) { isPresent.toggle() }
      return isPresent
    }
    presences[set] = presence
    return presence
  }

  func facts(_ set: UInt32) throws(Corruption) -> Facts {
    if set < facts.count, let known = facts[Int(set)] { return known }
    let members = try sets.members(set)
    var found = Facts(marks: members.marks, acts: members.acts)
    for (index, isPresent) in try presence(set).enumerated() where isPresent {
      found.isTold = found.isTold || files[index].isTold
      guard let step = steps[index] else { continue }
      if found.steps.last != step { found.steps.append(step) }
      found.rank = index
    }
    if set >= facts.count {
      facts += Array(repeating: nil, count: Int(set) + 1 - facts.count)
    }
    facts[Int(set)] = found
    return found
  }

  /// The new sets for the rows of a set: for those that the imported file has, and for those that it
  /// lacks.
  func change(_ set: UInt32) throws(Corruption) -> (present: UInt32, absent: UInt32) {
    if let known = changes[set] { return known }
    var members = try sets.members(set)
    if let name, !members.isSaved { return (try sets.number(of: set, named: name), set) }
    guard let index, !members.isSaved else { return (set, set) }
    var presence = try presence(set)
    func number(_ isPresent: Bool) -> UInt32 {
      presence[index] = isPresent
      members.toggles = toggles(presence)
      return sets.number(of: members)
    }
    let change = (present: number(true), absent: number(false))
    changes[set] = change
    return change
  }

  /// The set of rows that some files have.
  func set(where isPresent: (StoredFile) -> Bool) -> UInt32 {
    sets.number(of: Members(toggles: toggles(files.map(isPresent))))
  }

  /// The files at which membership changes.
  private func toggles(_ presence: [Bool]) -> [Int64] {
    var toggles: [Int64] = []
    var before = false
    for (file, isPresent) in zip(files, presence) where isPresent != before {
      toggles.append(file.id)
      before = isPresent
    }
    return toggles
  }

  /// The changes of the sets of the rows of a chunk.
  func changes(of sets: [UInt32]) throws(Corruption) -> MemberSetChanges {
    var changes = MemberSetChanges()
    for set in sets {
      let change = try change(set)
      changes.present.append(change.present)
      changes.absent.append(change.absent)
      changes.isSaved.append(try self.sets.members(set).isSaved)
    }
    return changes
  }
}

/// The changes of the sets of the rows of a chunk, by origin index.
struct MemberSetChanges {
  /// The sets of rows that the import contains.
  var present: [UInt32] = []
  /// The sets of rows that it lacks.
  var absent: [UInt32] = []
  /// Whether the rows were saved.
  var isSaved: [Bool] = []
}

extension Database {
  /// The files that have rows of a type and a source.
  func files(ofType type: Int64?, source: Int64?) throws -> [Int64] {
    try Int64.fetchAll(
      cachedStatement(sql: "SELECT file FROM seriesFiles WHERE type = ? AND source = ?"),
      arguments: [type, source])
  }

  /// Records that a file has rows of a type and a source.
  func note(_ file: Int64, ofType type: Int64, source: Int64) throws {
    try cachedStatement(
      sql: "INSERT OR IGNORE INTO seriesFiles (type, source, file) VALUES (?, ?, ?)"
    ).execute(arguments: [type, source, file])
  }
}
