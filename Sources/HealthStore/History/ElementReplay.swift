import GRDB
import HealthLedger
import HealthSamples

/// An element that the owner deleted, or an app its own.
struct DeletedElement {
  let kind: ElementKind
  let key: ElementKey
  /// The last act that names it.
  let act: Int64
  /// All acts that name it.
  var acts: Set<Int64> = []
  /// The present files that have it.
  var files: Set<Int64> = []
  /// The first serials of its wordings.
  var births: Set<Int64> = []
  var isSaved = false
}

/// Decides which elements of a kind count, and in which words.
///
/// An element is known by its key, and what counts of it are the elements of one file: of the last
/// date, of several files of that date the one with the most, then the one with the greater bytes. A
/// single one takes the longest file (track, document) of all. What is deleted does not count, and
/// where something was saved that stands for it.
///
/// Words that do not count are in the table `hiddenElements`, with the files that have them.
struct ElementReplay {
  /// What changed.
  struct Outcome {
    var deleted = 0
    var returned = 0

    static func += (left: inout Self, right: Self) {
      left.deleted += right.deleted
      left.returned += right.returned
    }
  }

  /// The words of an element as one or several files have them, or a joined or saved element.
  struct Wording {
    /// The number of its row, which is its serial if it counts; `nil` for a new one.
    fileprivate(set) var id: Int64?
    fileprivate(set) var isVisible = false
    /// Those that have it; ``Provenances/none`` for one with the file of another.
    fileprivate(set) var set: UInt32
    /// The first serial; 0 if it never counted.
    fileprivate(set) var birth: Int64 = 0
    fileprivate var content: [UInt8]?
  }

  private let kind: ElementKind
  private let columns: any StoredElement.Type
  private let database: Database
  private let revision: Revision
  private let files: SeriesFiles
  /// All that the store knows of the kind.
  private(set) var wordings: [ElementKey: [Wording]] = [:]
  /// The ids of sources in the store, cached.
  private var sources: [Source: Int64] = [:]

  /// Reads what is known, for an import of a file, for naming by an act, or for neither.
  ///
  /// - Complexity: O(*n*) for *n* elements of the kind
  init(
    _ kind: ElementKind, _ sets: Provenances, importing file: Int64? = nil,
    naming name: Provenance.Referrer? = nil,
    in database: Database, revision: Revision
  ) throws {
    (self.kind, self.database, self.revision) = (kind, database, revision)
    columns = kind.columns
    files = try SeriesFiles(
      sets, database.files(of: kind), of: kind, importing: file, naming: name)
    let births = try Births(database, revision)
    for row in try database.storedElements(of: kind) {
      wordings[row.key, default: []].append(
        Wording(
          id: row.id, isVisible: !row.isHidden, set: row.set,
          birth: row.isHidden ? row.serial : births.birth(of: row.id)))
    }
  }

  private func content(_ wording: Wording) throws -> [UInt8] {
    if let known = wording.content { return known }
    guard let id = wording.id else { throw Corruption() }
    return try database.elementContent(id, isHidden: !wording.isVisible)
  }

  func isSaved(_ wording: Wording) throws -> Bool {
    try files.facts(wording.set).isSaved
  }

  /// The deletion of imported wordings, if the last act that names them is one.
  private func deletion(of wordings: [Wording]) throws -> OwnerAct? {
    let last = try last(of: wordings.filter { try !isSaved($0) })
    return last.flatMap { $0.isDeletion ? $0 : nil }
  }

  /// The last act that names one of some wordings.
  private func last(of wordings: [Wording]) throws -> OwnerAct? {
    try OwnerAct.last(of: wordings.compactMap { try files.facts($0.set).act })
  }

  /// What deletions took of a kind: imported elements by key, and saved ones.
  func deleted() throws -> [DeletedElement] {
    var deleted: [DeletedElement] = []
    for (key, all) in wordings.sorted(by: { $0.key < $1.key }) {
      let saved = try all.filter(isSaved)
      for group in [try all.filter { try !isSaved($0) }] + saved.map({ [$0] }) {
        guard let act = try last(of: group), act.isDeletion else { continue }
        var element = DeletedElement(kind: kind, key: key, act: act.id)
        for wording in group {
          element.isSaved = try isSaved(wording)
          element.births.insert(wording.birth)
          element.acts.formUnion(try files.sets.members(wording.set).acts)
          element.files.formUnion(try files.presentFiles(wording.set).map(\.id))
        }
        deleted.append(element)
      }
    }
    return deleted
  }

  // MARK: Changes

  /// Counts what the imported file, or another store for an act, has of an element, and takes it: the
  /// file then has these words and no others.
  ///
  /// - Parameters:
  ///   - key: the key of the element
  ///   - contents: distinct contents
  ///   - writes: whether it is taken, or only counted
  /// - Returns: the counts
  /// - Throws: ``Corruption``, or an error of the database
  mutating func merge(
    _ key: ElementKey, _ contents: [[UInt8]], writes: Bool
  ) throws -> ImportSummary.Counts {
    var all = wordings[key] ?? []
    for index in all.indices { all[index].content = try content(all[index]) }
    let result = try counts(contents, all)
    guard writes else { return result }
    if contents.count == 1, all.count == 1, try isWording(all[0]), all[0].content == contents[0] {
      try set(&all[0], files.change(all[0].set).present)
      try decide(key, all)
      return result
    }
    var rest = Set(contents)
    for index in all.indices where try isWording(all[index]) {
      let isThere = try rest.remove(content(all[index])) != nil
      try set(&all[index], files.change(all[index].set).set(isThere))
    }
    for content in contents where rest.remove(content) != nil {
      all.append(Wording(set: files.fresh, content: content))
    }
    try decide(key, all)
    return result
  }

  /// Takes in that the imported file lacks all other elements.
  mutating func lack(allBut taken: Set<ElementKey>) throws {
    for (key, wordings) in wordings where !taken.contains(key) {
      for index in wordings.indices where try isWording(wordings[index]) {
        let absent = try files.change(wordings[index].set).absent
        if absent != wordings[index].set {
          try set(&self.wordings[key, default: []][index], absent)
        }
      }
    }
  }

  /// Finds out which files tell an element otherwise under an identity that a format or an app gave
  /// it, and decides anew on those.
  mutating func compareVersions() throws {
    for key in try markRetold() { try decide(key) }
  }

  /// Marks the elements that a later file tells otherwise; returns the keys of those that change.
  ///
  /// - Complexity: O(*n*) for *n* elements of the kind, whose contents are read
  private mutating func markRetold() throws -> [ElementKey] {
    guard let columns = columns as? any ToldUnderIdentity.Type, files.files.count > 1 else {
      return []
    }
    var versions = ToldVersions<ElementKey>(files.order)
    var identities: [ElementKey: [GivenIdentity?]] = [:]
    var areRetold = false
    for (key, all) in wordings {
      for wording in all {
        areRetold = try areRetold || files.facts(wording.set).isRetold
        // Of some deleted ones no words are known.
        let bytes = try isWording(wording) ? content(wording) : []
        let identity =
          try bytes.isEmpty ? nil : GivenIdentity(columns.metadata(of: bytes), of: key.source)
        identities[key, default: []].append(identity)
        if let identity { versions.add(identity, key, in: try files.presence(wording.set)) }
      }
    }
    guard areRetold || versions.areSeveral else { return [] }
    return try identities.compactMap { key, all in
      var isChanged = false
      for (index, identity) in all.enumerated() {
        let wording = wordings[key, default: []][index]
        guard try isWording(wording) else { continue }
        let new = try files.sets.number(
          of: wording.set, isRetold: versions.isRetold(identity, key))
        guard new != wording.set else { continue }
        try set(&wordings[key, default: []][index], new)
        isChanged = true
      }
      return isChanged ? key : nil
    }
  }

  /// Names an element by an act: what imports have, and what was saved with some first serials.
  @discardableResult
  mutating func name(
    _ key: ElementKey, by act: Int64, saved serials: Set<Int64> = [], imported: Bool
  ) throws -> Outcome {
    var all = wordings[key] ?? []
    for index in all.indices {
      let isSaved = try isSaved(all[index])
      guard isSaved ? serials.contains(all[index].birth) : imported else { continue }
      // What is joined has no acts of its own.
      guard try isSaved || isWording(all[index]) else { continue }
      try set(&all[index], files.sets.number(of: all[index].set, named: .act(act)))
      guard isSaved else { continue }
      let last = try last(of: [all[index]])
      revision.undecided.namings.append(
        (all[index].birth, last.flatMap { $0.isDeletion ? $0.id : nil }))
    }
    return try decide(key, all)
  }

  /// Gives wordings other sets; those of which a body returns `nil` stay.
  mutating func mark(_ newSet: (Wording) throws -> UInt32?) throws {
    for (key, var all) in wordings {
      var isChanged = false
      for index in all.indices {
        guard let new = try newSet(all[index]) else { continue }
        try set(&all[index], new)
        isChanged = true
      }
      if isChanged { try decide(key, all) }
    }
  }

  /// Whether it is of a file, and neither saved nor joined.
  private func isWording(_ wording: Wording) throws -> Bool {
    guard wording.set != Provenances.none else { return false }
    return try !isSaved(wording)
  }

  private func set(_ wording: inout Wording, _ set: UInt32) throws {
    guard wording.set != set else { return }
    wording.set = set
    guard let id = wording.id else { return }
    try database.setMemberSet(set, ofElement: id, isHidden: !wording.isVisible)
  }

  // MARK: Replay

  /// Decides anew on all elements.
  mutating func decideAll() throws -> Outcome {
    _ = try markRetold()
    var outcome = Outcome()
    for (key, wordings) in wordings {
      if wordings.count == 1, wordings[0].isVisible {
        let facts = try files.facts(wordings[0].set)
        if facts.isPlain || facts.isSaved && facts.act == nil { continue }
      }
      outcome += try decide(key)
    }
    return outcome
  }

  /// Decides anew on the elements with a key.
  @discardableResult
  mutating func decide(_ key: ElementKey) throws -> Outcome {
    try decide(key, wordings[key] ?? [])
  }

  @discardableResult
  private mutating func decide(_ key: ElementKey, _ all: [Wording]) throws -> Outcome {
    var outcome = Outcome()
    var saved = try all.filter { try isSaved($0) }
    var imported = try all.filter { try !isSaved($0) }
    let isSavedAlive = try decide(key, saved: &saved, &outcome)
    if imported.count == 1, imported[0].isVisible, !isSavedAlive,
      try files.facts(imported[0].set).isPlain
    {
      keep(imported + saved, key)
      return outcome
    }
    if all.count == 1, let new = imported.first, new.id == nil,
      try files.facts(new.set).isPlain
    {
      var births: Set<Int64> = []
      keep([try show(new, nil, key, &births, &outcome)], key)
      return outcome
    }
    var wanted = isSavedAlive ? [] : try wanted(&imported)
    for index in imported.indices where imported[index].isVisible {
      imported[index].content = try content(imported[index])
    }
    let unpaired = Self.pair(&wanted, imported)
    var births = Set(imported.map(\.birth))
    births.subtract(wanted.compactMap(\.partner).map { imported[$0].birth } + [0])
    var results: [Wording] = []
    for want in wanted {
      results.append(
        try show(want.wording, want.partner.map { imported[$0] }, key, &births, &outcome))
    }
    for index in unpaired {
      guard let id = imported[index].id else { throw Corruption() }
      outcome.deleted += 1
      try database.deleteElement(id, kind.subject, key, revision: revision)
    }
    let shown = Set(wanted.compactMap(\.place))
    var first = (results + imported).map(\.birth).first { $0 != 0 } ?? 0
    if first == 0,
      try imported.contains(where: { try files.facts($0.set).flags.contains(.pinned) })
    {
      // An association means it before it counts.
      first = revision.allocateSerials(1)
    }
    for index in imported.indices where !shown.contains(index) {
      if imported[index].birth == 0 { imported[index].birth = first }
      if let hidden = try hide(imported[index], key) { results.append(hidden) }
    }
    for index in shown where !imported[index].isVisible {
      if let id = imported[index].id { try database.deleteHiddenElement(id) }
    }
    keep(results + saved, key)
    return outcome
  }

  /// Keeps the wordings of an element without their contents, so that memory holds only keys.
  private mutating func keep(_ all: [Wording], _ key: ElementKey) {
    wordings[key] = all.isEmpty ? nil : all
    for index in all.indices { wordings[key]?[index].content = nil }
  }

  /// Pairs what is to count with what counts: first what stays as it is, then what has one first
  /// serial, then all others in order.
  ///
  /// - Returns: the places of what counts and has no partner
  /// - Complexity: O(*n*) for *n* elements of one key
  private static func pair(_ wanted: inout [Wanted], _ wordings: [Wording]) -> [Int] {
    var unpaired = wordings.indices.filter { wordings[$0].isVisible }
    func pair(_ places: (Wording) -> Int?) {
      unpaired.removeAll { index in
        guard let place = places(wordings[index]) else { return false }
        wanted[place].partner = index
        return true
      }
    }
    /// The places without a partner by a property; each is taken once, the first one first.
    func byProperty<Property: Hashable>(_ property: (Wanted) -> Property) -> [Property: [Int]] {
      let places = wanted.indices.filter { wanted[$0].partner == nil }
      return Dictionary(grouping: places.reversed()) { property(wanted[$0]) }
    }
    var byContent = byProperty(\.wording.content)
    pair { byContent[$0.content]?.popLast() }
    var byBirth = byProperty(\.wording.birth)
    pair { byBirth[$0.birth]?.popLast() }
    var rest = byProperty { _ in true }[true] ?? []
    pair { _ in rest.popLast() }
    return unpaired
  }

  /// An element that is to count.
  private struct Wanted {
    var wording: Wording
    /// The place of its words, if a file has just these.
    var place: Int?
    /// What counts now in its place.
    var partner: Int?
  }

  /// What is to count of imported wordings.
  private func wanted(_ wordings: inout [Wording]) throws -> [Wanted] {
    guard try deletion(of: wordings) == nil else { return [] }
    for index in wordings.indices where wordings[index].content == nil {
      wordings[index].content = try content(wordings[index])
    }
    func bytes(_ place: Int) -> [UInt8] { wordings[place].content ?? [] }
    let decision = ElementDecision.decide(
      try wordings.map { wording in
        ElementDecision.Wording(
          presence: try isWording(wording) ? files.presence(wording.set) : [],
          isRetold: try files.facts(wording.set).isRetold)
      }, files.order, content: bytes)
    guard let (list, present) = decision else { return [] }
    if list.count == 1, let filed = columns as? any FiledElement.Type {
      let joined = try filed.joined(bytes(list[0]), present.map(bytes))
      if let same = Set(present).first(where: { bytes($0) == joined }) {
        return [Wanted(wording: wordings[same], place: same)]
      }
      var joint = wordings[list[0]]
      (joint.content, joint.set) = (joined, Provenances.none)
      return [Wanted(wording: joint)]
    }
    return list.map { Wanted(wording: wordings[$0], place: $0) }
  }

  /// Lets an element count, in the place of one that counts or as another one.
  private mutating func show(
    _ wanted: Wording, _ partner: Wording?, _ key: ElementKey, _ births: inout Set<Int64>,
    _ outcome: inout Outcome
  ) throws -> Wording {
    var wording = wanted
    wording.isVisible = true
    if let partner, let id = partner.id {
      (wording.id, wording.birth) = (id, partner.birth)
      let bytes = try content(wanted)
      if try content(partner) != bytes {
        let isDecidedByWords = kind == .correlation || kind == .characteristics
        try revision.change(
          element: id, of: kind.subject, in: key.span, database, hasWords: !isDecidedByWords)
        try database.updateElement(id, bytes, memberSet: wanted.set)
      } else if partner.set != wanted.set {
        try database.setMemberSet(wanted.set, ofElement: id, isHidden: false)
      }
      return wording
    }
    let birth = births.contains(wanted.birth) ? wanted.birth : births.min()
    if let birth {
      births.remove(birth)
      outcome.returned += 1
    }
    let serial = try insert(wording, key, kind.subject, birth: birth)
    (wording.id, wording.birth) = (serial, birth ?? serial)
    return wording
  }

  /// Inserts an element that counts under a new serial; with a first serial it counted before.
  private mutating func insert(
    _ wording: Wording, _ key: ElementKey, _ subject: Revision.Subject, birth: Int64?
  ) throws -> Int64 {
    let serial = revision.allocateSerials(1)
    if let birth { revision.recordReturn(serial, of: birth) }
    revision.add(serial...serial, to: subject, in: key.span)
    try database.insertElement(
      serial, kind, key, source: number(of: key.source), content(wording), memberSet: wording.set)
    return serial
  }

  /// Inserts words that do not count.
  private mutating func insertHidden(_ wording: Wording, _ key: ElementKey) throws -> Int64 {
    let id = try database.nextID(in: "hiddenElements")
    try database.insertElement(
      id, kind, key, source: number(of: key.source), content(wording), memberSet: wording.set,
      birth: wording.birth)
    return id
  }

  /// Keeps words that do not count, as long as a file that is told has them or an act names them.
  private mutating func hide(_ wording: Wording, _ key: ElementKey) throws -> Wording? {
    let facts = try files.facts(wording.set)
    var hidden = wording
    hidden.isVisible = false
    let isKept = try isWording(wording) && (facts.isTold || facts.isNamed)
    guard !wording.isVisible, let id = wording.id else {
      guard isKept else { return nil }
      hidden.id = try insertHidden(wording, key)
      return hidden
    }
    guard isKept else {
      try database.deleteHiddenElement(id)
      return nil
    }
    try database.setBirth(wording.birth, ofHiddenElement: id)
    return hidden
  }

  /// Hides saved elements that are deleted and shows those that are restored; returns whether one is
  /// there that is not deleted.
  private mutating func decide(
    _ key: ElementKey, saved: inout [Wording], _ outcome: inout Outcome
  ) throws -> Bool {
    var isAlive = false
    for index in saved.indices {
      let facts = try files.facts(saved[index].set)
      var isDeleted = facts.isDeleted || facts.flags.contains(.deletedWithVersion)
      isAlive = isAlive || !isDeleted
      isDeleted = isDeleted || facts.flags.contains(.superseded)
      guard isDeleted == saved[index].isVisible, let id = saved[index].id else { continue }
      let subject = try Revision.Subject(kind: kind.storedText, source: number(of: key.source))
      saved[index].content = try content(saved[index])
      if isDeleted {
        outcome.deleted += 1
        try database.deleteElement(id, subject, key, revision: revision)
        saved[index].id = try insertHidden(saved[index], key)
      } else {
        outcome.returned += 1
        try database.deleteHiddenElement(id)
        saved[index].id = try insert(saved[index], key, subject, birth: saved[index].birth)
      }
      saved[index].isVisible.toggle()
    }
    return isAlive
  }

  private mutating func number(of source: Source?) throws -> Int64? {
    guard let source else { return nil }
    if let known = sources[source] { return known }
    let number = try database.identifier(of: source)
    sources[source] = number
    return number
  }

  // MARK: Counts

  /// Counts what the imported file has of an element of which some wordings are known.
  private func counts(_ contents: [[UInt8]], _ wordings: [Wording]) throws -> ImportSummary.Counts {
    var counts = ImportSummary.Counts()
    if wordings.count == 1, contents.count == 1, wordings[0].isVisible,
      try content(wordings[0]) == contents[0]
    {
      counts.known = 1
      return counts
    }
    var rest = contents
    var visible: [[UInt8]] = []
    var told: Set<[UInt8]> = []
    for wording in wordings {
      let content = try content(wording)
      if wording.isVisible { visible.append(content) }
      if try files.facts(wording.set).isTold { told.insert(content) }
    }
    let shown = Set(visible)
    let all = Set(contents)
    visible.removeAll { all.contains($0) }
    rest.removeAll { shown.contains($0) }
    if !visible.isEmpty, max(rest.count, visible.count) <= Self.mostCompared {
      try rest.removeAll { candidate in
        let place = try visible.firstIndex { try agree(candidate, $0) }
        if let place { visible.remove(at: place) }
        return place != nil
      }
    }
    counts.changed = min(rest.count, visible.count)
    rest.removeFirst(counts.changed)
    if try deletion(of: wordings) != nil {
      counts.deletedBefore = rest.count { !told.contains($0) }
    } else {
      counts.new = rest.count { !told.contains($0) }
    }
    counts.known = contents.count - counts.new
    return counts
  }

  /// The elements that count, are of the format of the imported file, and are not in it.
  func countOthers(than taken: Set<ElementKey>) throws -> Int {
    var count = 0
    for (key, wordings) in wordings where !taken.contains(key) {
      if try wordings.contains(where: isOfFormat) { count += wordings.count(where: \.isVisible) }
    }
    return count
  }

  /// Whether a file of the format of the imported one has words.
  private func isOfFormat(_ wording: Wording) throws -> Bool {
    guard let index = files.index else { return false }
    let presence = try files.presence(wording.set)
    return presence.indices.contains {
      presence[$0] && files.files[$0].isTold
        && files.files[$0].format == files.files[index].format
    }
  }

  /// Up to this number, elements with one key are compared pairwise; more only byte for byte.
  private static let mostCompared = 64

  private func agree(_ one: [UInt8], _ other: [UInt8]) throws -> Bool {
    guard !one.isEmpty, !other.isEmpty else { return false }
    return try columns.agree(one, other)
  }

  /// The distinct elements of a file with one key: of those that differ only in what does not
  /// identify them, the greater one.
  func distinct(_ contents: [[UInt8]]) throws -> [[UInt8]] {
    guard contents.count > 1 else { return contents }
    let sorted = Set(contents).sorted { $1.lexicographicallyPrecedes($0) }
    guard sorted.count <= Self.mostCompared else { return sorted }
    var distinct: [[UInt8]] = []
    for content in sorted where try !distinct.contains(where: { try agree(content, $0) }) {
      distinct.append(content)
    }
    return distinct
  }
}
