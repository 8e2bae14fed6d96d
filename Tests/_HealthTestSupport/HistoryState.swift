extension History {
  /// What questions answer (8.1), but UUIDs of imported rows.
  public struct Answers: Hashable, Sendable {
    public var samples: [Row] = []
    public var elements: [Element] = []
    public var links: Set<Link> = []
    public var attachments: Set<Attachment> = []
    public var settings: [String: String] = [:]
    /// The identities of present files.
    public var imports: Set<String> = []
    /// Rows of files that a deletion keeps out.
    public var out: [Row] = []
    /// The numbers of copies above one.
    public var copies: [Int] = []
    /// Of saved objects.
    public var uuids: Set<String> = []
    /// The samples and elements that are not saved objects.
    public var samplesOfFiles: [Row] = []
    public var elementKeysOfFiles: Set<ElementKey> = []

    public init() {}

    /// What associations and attachments may mean, in one order.
    public var references: [Reference] {
      uuids.sorted().map(Reference.object) + samplesOfFiles.sorted().map { .row($0.key) }
        + elementKeysOfFiles.sorted().map(Reference.element)
    }

    /// What answers have that the wanted ones do not, and what they lack, in short words.
    public func differences(from wanted: Answers) -> [String] {
      func lines(_ answers: Answers) -> [String] {
        func text(_ row: Row) -> String {
          "\(row.type) \(row.source) \(row.start)-\(row.end) \(row.value) \(row.word)"
        }
        return answers.samples.map { "sample " + text($0) }
          + answers.elements.map { "element \($0)" } + answers.links.map { "link \($0)" }
          + answers.attachments.map { "attachment \($0)" }
          + answers.settings.map { "setting \($0)" } + answers.imports.map { "import \($0)" }
          + answers.out.map { "out " + text($0) } + answers.copies.map { "copies \($0)" }
          + answers.uuids.map { "uuid \($0)" }
      }
      func counts(_ lines: [String]) -> [String: Int] {
        lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      let (found, expected) = (counts(lines(self)), counts(lines(wanted)))
      return found.filter { $0.value > expected[$0.key] ?? 0 }.map { "extra \($0.key)" }.sorted()
        + expected.filter { $0.value > found[$0.key] ?? 0 }.map { "missing \($0.key)" }.sorted()
    }
  }

  public struct Attachment: Hashable, Sendable {
    public var uuid: String
    public var object: Reference
    public var name: String

    public init(uuid: String, object: Reference, name: String) {
      (self.uuid, self.object, self.name) = (uuid, object, name)
    }
  }

  /// The state of a store (8).
  struct State {
    private(set) var files: [File]
    private(set) var out: [Sample] = []
    private(set) var deleted: [Sample] = []
    /// Visible rows of files.
    private(set) var rows: [Sample] = []
    /// Visible objects with UUIDs of their own.
    private(set) var things: [String: Thing]
    /// Visible elements of files.
    private(set) var cells: [ElementKey: [Element]]
    private(set) var outCells: Set<ElementKey>
    private(set) var links: Set<Link> = []
    private var registers: [Link] = []
    private(set) var attachments: Set<Attachment> = []
    private(set) var settings: [String: String] = [:]
    private var winners: [[String]: Thing]
    private let all: [String: Thing]

    init(_ known: [String: File], _ acts: Acts) {
      files = acts.present.sorted().compactMap { known[$0] }
      all = History.things(of: files, acts)
      let standing = History.standing(all, acts)
      winners = standing.winners
      let alive = all.filter { !standing.dead.contains($0.key) }
      things = alive.filter { uuid, thing in
        thing.version.map { standing.winners[$0.name]?.uuid == uuid } ?? true
      }
      let told = History.samples(of: files)
      let named = acts.named(beside: told)
      // Also of what no present file has any more.
      for series in Set(told.keys).union(named.keys) {
        let replayed = History.replay(
          told[series] ?? [], isPainted: acts.isPainted, named: named[series] ?? [])
        rows += replayed.counts.sorted { $0.key < $1.key }
        out += replayed.out.sorted { $0.key < $1.key }
        deleted += replayed.deleted.sorted { $0.key < $1.key }
      }
      // What was added stands for the equal row of a file (6.3), and for the element (7.5).
      rows.removeAll { sample in
        alive.values.contains {
          if case .row(let row) = $0.content { sample.isSame(as: row.key) } else { false }
        }
      }
      cells = History.cells(of: files)
      // Also what no present file has any more.
      outCells = Set(acts.paints.flatMap(\.names.elements)).filter { key in
        acts.deletion { $0.elements.contains(key) } != nil
      }
      cells = cells.filter { key, _ in
        !outCells.contains(key)
          && !alive.values.contains {
            if case .element(let element) = $0.content { element.key == key } else { false }
          }
      }
      relate(acts)
    }

    /// Associations, attachments and settings (9).
    private mutating func relate(_ acts: Acts) {
      var links: [Link: Bool] = [:]
      var attachments: [String: Attachment] = [:]
      for act in acts.all {
        switch act.kind {
        case .associating(let link): links[link] = true
        case .dissociating(let link): links[link] = false
        case .attaching(let uuid, let object, let name):
          attachments[uuid] = Attachment(uuid: uuid, object: object, name: name)
        case .detaching(let uuid): attachments[uuid] = nil
        case .setting(let key, let value): settings[key] = value
        default: break
        }
      }
      let present = links.filter(\.value).keys
      // Single measurements go with their sample (9.3).
      while true {
        let lost = present.filter { link in
          guard link.kind == "measurements", case .object(let member) = link.member else {
            return false
          }
          return things[member] != nil && resolved(link.owner, keepsVersion: true) == nil
        }
        guard !lost.isEmpty else { break }
        for link in lost {
          if case .object(let member) = link.member { things[member] = nil }
        }
      }
      registers = Array(present)
      self.links = Set(present.compactMap(resolved))
      for attachment in attachments.values {
        guard let object = resolved(attachment.object) else { continue }
        self.attachments.insert(
          Attachment(uuid: attachment.uuid, object: object, name: attachment.name))
      }
    }

    private func resolved(_ link: Link) -> Link? {
      let keepsVersion = ["correlation", "measurements"].contains(link.kind)
      guard let owner = resolved(link.owner, keepsVersion: keepsVersion),
        let member = resolved(link.member)
      else { return nil }
      return Link(owner, member, link.kind)
    }

    /// The version that stands for that of a content.
    func standing(_ content: Content, _ version: Version) -> Double? {
      winners[History.name(content, version)]?.version?.number
    }

    /// What acts associate and what is shown as a link.
    func registered(as link: Link) -> [Link] { registers.filter { resolved($0) == link } }

    /// The visible object that a reference means (9.2).
    private func resolved(_ reference: Reference, keepsVersion: Bool = false) -> Reference? {
      switch reference {
      case .object(let uuid):
        var thing = all[uuid]
        if let name = thing?.version?.name, !keepsVersion { thing = winners[name] }
        return thing.flatMap { things[$0.uuid] }.map { .object($0.uuid) }
      case .element(let key):
        return cells[key] == nil ? nil : reference
      case .row(let key):
        return rows.first { $0.isSame(as: key) }.map { .row($0.shown.row.key) }
      }
    }

    var answers: Answers {
      var answers = Answers()
      let shown = rows.map(\.shown)
      answers.samples = shown.map(\.row)
      answers.copies = shown.map(\.copies).filter { $0 > 1 }.sorted()
      answers.samplesOfFiles = answers.samples.sorted()
      answers.elements = cells.values.flatMap(\.self)
      answers.elementKeysOfFiles = Set(cells.keys)
      for thing in things.values {
        switch thing.content {
        case .row(var row):
          row.uuid = nil
          answers.samples.append(row)
        case .element(var element):
          element.uuid = nil
          answers.elements.append(element)
        }
      }
      answers.samples.sort()
      answers.elements.sort()
      answers.links = links
      answers.attachments = attachments
      answers.settings = settings
      answers.imports = Set(files.map(\.id))
      answers.out = out.map(\.shown.row).map { row in
        Row(row.type, row.source, row.start, row.end, row.value)
      }.sorted()
      answers.uuids = Set(things.keys)
      return answers
    }
  }

  /// What a person chooses: each condition that is given must hold.
  public struct Selection: Hashable, Sendable {
    public var type: String?
    public var source: String?
    public var kind: String?
    public var from: Double?
    public var to: Double?
    /// Values from there on.
    public var minimum: Double?
    public var row: RowKey?
    public var uuid: String?
    public var element: ElementKey?

    public init() {}

    /// Whether it has no condition but type, source and time (5.1).
    var isPeriod: Bool { minimum == nil && row == nil && uuid == nil }
    private var mayHaveRows: Bool { kind == nil && element == nil }
    private var mayHaveElements: Bool { type == nil && row == nil }

    private func fits(
      _ type: String?, _ source: String, _ start: Double, _ value: Double?, _ uuid: String?
    ) -> Bool {
      (self.uuid == nil || uuid == self.uuid) && (self.type == nil || type == self.type)
        && (self.source == nil || source == self.source)
        && (from ?? -.infinity) <= start && start < (to ?? .infinity)
        && (minimum.map { low in value.map { $0 >= low } ?? false } ?? true)
    }

    func contains(_ sample: Sample) -> Bool {
      let key = sample.key
      return mayHaveRows
        && fits(key.series.type, key.series.source, key.start, sample.shown.row.value, nil)
        && (row.map(sample.isSame) ?? true)
    }

    func contains(_ thing: Thing) -> Bool {
      switch thing.content {
      case .row(let row):
        mayHaveRows && fits(row.type, row.source, row.start, row.value, thing.uuid)
          && (self.row?.agrees(with: row.key) ?? true)
      case .element(let found):
        mayHaveElements && contains(found.key, uuid: thing.uuid) && element == nil
      }
    }

    func contains(_ key: ElementKey) -> Bool {
      mayHaveElements && uuid == nil && contains(key, uuid: nil) && (element ?? key) == key
    }

    private func contains(_ key: ElementKey, uuid: String?) -> Bool {
      (kind ?? key.kind) == key.kind && fits(nil, key.source, key.start, nil, uuid)
    }
  }
}

/// What a person does with a store: the slow twin keeps every file and every act.
public class HistoryStore {
  public let name: String
  private let clock: HistoryClock
  private var last = History.Stamp(time: 0, counter: 0, store: "")
  private(set) var files: [String: History.File] = [:]
  private var acts: [History.Stamp: History.Act.Kind] = [:]
  /// The UUIDs that the store gave to rows and elements of files (8.2).
  private var given: [History.RowKey: Int] = [:]
  private var next = 1
  private var cache: History.State?

  public required init(_ name: String, _ clock: HistoryClock) {
    (self.name, self.clock) = (name, clock)
  }

  var ordered: History.Acts {
    History.Acts(acts.map { History.Act(stamp: $0.key, kind: $0.value) })
  }

  var state: History.State {
    if let cache { return cache }
    let state = History.State(files, ordered)
    cache = state
    return state
  }

  public func answers() -> History.Answers { state.answers }

  @discardableResult
  private func act(_ kind: History.Act.Kind) -> History.Stamp {
    // Never before what this store has seen (3.1).
    let now = max(clock.now, last.time)
    last = History.Stamp(time: now, counter: now == last.time ? last.counter + 1 : 0, store: name)
    acts[last] = kind
    settle()
    return last
  }

  /// Drops the contents of undone files (10.2), and gives UUIDs to rows that have none.
  private func settle() {
    cache = nil
    let ordered = ordered
    let told = ordered.told
    files = files.filter { told.contains($0.key) }
    var kept = Set(files.values.flatMap(\.rows).filter { $0.uuid == nil }.map(\.key))
    for paint in ordered.paints where paint.deletes { kept.formUnion(paint.names.rows) }
    given = given.filter { kept.contains($0.key) }
    for key in kept.subtracting(given.keys).sorted() {
      let known = given.filter { $0.key.agrees(with: key) }.values.min()
      given[key] = known ?? next
      if known == nil { next += 1 }
    }
  }

  private func paint(
    _ rows: [History.Sample], _ things: [History.Thing], _ cells: [History.ElementKey],
    within selection: History.Selection?
  ) -> History.Names {
    var names = History.Names()
    names.rows = rows.map(\.key)
    for thing in things {
      names.uuids.insert(thing.uuid)
      if case .row(let row) = thing.content { names.saved.append(row.key) }
    }
    names.elements = Set(cells)
    guard let selection, selection.isPeriod else { return names }
    for (series, rows) in Dictionary(grouping: rows, by: \.key.series) {
      names.periods.append(
        History.Period(
          series: series, start: selection.from ?? rows.map(\.key.start).min() ?? 0,
          end: selection.to ?? rows.map(\.key.latest).max() ?? 0))
    }
    return names
  }

  /// Some rows, and what of others they overlap.
  private func withOverlapped(
    _ rows: [History.Sample], _ others: [History.Sample]
  ) -> [History.Sample] {
    rows
      + others.filter { other in
        !rows.contains(other)
          && rows.contains { $0.key.series == other.key.series && $0.overlaps(other) }
      }
  }
}

extension HistoryStore: HistoryReplica {
  public func importFiles(
    _ imported: [History.File], replacing: Bool, restoring: Bool
  ) {
    for file in imported {
      var replaces: Set<String> = []
      if replacing, file.isWhole {
        replaces = Set(files.values.filter { $0.format == file.format }.map(\.id))
          .subtracting(imported.map(\.id))
      }
      files[file.id] = file
      if !ordered.present.contains(file.id) || !replaces.isEmpty {
        act(.importing(file.id, replaces: replaces))
      }
      guard restoring else { continue }
      let out = state.out.filter { $0.rows.contains { $0.file.id == file.id } }
      let uuids = Set(file.rows.compactMap(\.uuid) + file.elements.compactMap(\.uuid))
      var names = paint(
        withOverlapped(out, state.deleted), [],
        state.outCells.filter { key in file.elements.contains { $0.key == key } }, within: nil)
      names.uuids = uuids.filter { uuid in
        ordered.deletion { $0.uuids.contains(uuid) } != nil
      }
      if !names.isEmpty { act(.restoring(names)) }
    }
  }

  public func undo(_ file: History.File) {
    if ordered.told.contains(file.id) { act(.undoing(file.id)) }
  }

  public func add(_ uuid: String, _ content: History.Content, _ version: History.Version?) {
    // A version that is not higher is left out.
    if let version, let standing = state.standing(content, version), standing >= version.number {
      return
    }
    act(.adding(uuid, content, version))
  }

  public func delete(_ selection: History.Selection) -> History.Names {
    let names = paint(
      state.rows.filter(selection.contains), state.things.values.filter(selection.contains),
      state.cells.keys.filter(selection.contains), within: selection)
    if !names.isEmpty { act(.deleting(names)) }
    return names
  }

  public func restore(_ selection: History.Selection) {
    let ordered = ordered
    let deletedThings = History.things(of: state.files, ordered).values.filter { thing in
      ordered.deletion { $0.uuids.contains(thing.uuid) } != nil
    }
    // Also those that were retold since (5.7).
    let known = state.out + state.deleted.filter { !state.out.contains($0) }
    var rows = known.filter(selection.contains)
    for others in [state.out, state.deleted] { rows = withOverlapped(rows, others) }
    let names = paint(
      rows, deletedThings.filter(selection.contains),
      state.outCells.filter(selection.contains), within: selection)
    if !names.isEmpty { act(.restoring(names)) }
  }

  public func restore(_ deletion: History.Names) { act(.restoring(deletion)) }

  public func associate(_ link: History.Link) { act(.associating(link)) }

  /// Ends all that is shown as the link.
  public func dissociate(_ link: History.Link) {
    let meaning = state.registered(as: link)
    for link in meaning.isEmpty ? [link] : meaning { act(.dissociating(link)) }
  }

  public func attach(_ uuid: String, to object: History.Reference, name: String) {
    act(.attaching(uuid, object, name: name))
  }

  public func detach(_ uuid: String) { act(.detaching(uuid)) }

  public func set(_ key: String, _ value: String) { act(.setting(key, value)) }

  /// The union of both sets (10).
  public func synchronise(with other: HistoryStore) {
    for (one, another) in [(self, other), (other, self)] {
      for (stamp, kind) in one.acts {
        another.acts[stamp] = another.acts[stamp] ?? kind
        let seen = (stamp.time, stamp.counter)
        if (another.last.time, another.last.counter) < seen {
          (another.last.time, another.last.counter) = seen
        }
      }
      another.files.merge(one.files) { mine, _ in mine }
    }
    for store in [self, other] { store.settle() }
  }

  /// What the store writes in its own format (10.4).
  public func ownExport() -> History.File {
    let state = state
    var rows = state.rows.map(\.shown).flatMap { Array(repeating: $0.row, count: $0.copies) }
    var elements = state.cells.values.flatMap(\.self)
    for (uuid, thing) in state.things {
      switch thing.content {
      case .row(var row):
        row.uuid = uuid
        rows.append(row)
      case .element(var element):
        element.uuid = uuid
        elements.append(element)
      }
    }
    return History.File(
      format: "own", date: state.files.compactMap(\.date).max(), rows: rows, elements: elements)
  }

  public func uuids() -> [History.RowKey: String] {
    var uuids: [History.RowKey: String] = [:]
    for sample in state.rows {
      let numbers = sample.rows.compactMap { given[$0.row.key] }
      uuids[sample.key] = "\(name)#\(numbers.min() ?? 0)"
    }
    return uuids
  }
}

/// The clock of the stores of a history.
public final class HistoryClock {
  public var now = 0.0

  public init() {}
}

/// A store, or its slow twin, in which a history happens.
public protocol HistoryReplica: AnyObject {
  /// What names a deletion, to take it back.
  associatedtype Deletion

  func importFiles(_ files: [History.File], replacing: Bool, restoring: Bool) throws
  func undo(_ file: History.File) throws
  func add(_ uuid: String, _ content: History.Content, _ version: History.Version?) throws
  func delete(_ selection: History.Selection) throws -> Deletion
  func restore(_ selection: History.Selection) throws
  /// Takes a deletion back.
  func restore(_ deletion: Deletion) throws
  func associate(_ link: History.Link) throws
  func dissociate(_ link: History.Link) throws
  func attach(_ uuid: String, to object: History.Reference, name: String) throws
  func detach(_ uuid: String) throws
  func set(_ key: String, _ value: String) throws
  func synchronise(with other: Self) throws
  func ownExport() throws -> History.File
  func answers() throws -> History.Answers
  /// The UUIDs of visible rows of files.
  func uuids() throws -> [History.RowKey: String]
}
