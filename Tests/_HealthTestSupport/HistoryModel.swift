/// The law of history as it is told, recomputed from the start: what a store holds is a function of
/// the files that it knows and the acts of its owner.
///
/// The numbers in comments are those of the rules in `History.md`. Every rule is written the slow,
/// obvious way; ``HistoryStore`` is what commands write.
public enum History {
  /// A sample of a file or an addition; of a file, `uuid` is set only where the file names it.
  public struct Row: Hashable, Comparable, Sendable {
    public var type: String
    public var source: String
    public var start: Double
    public var end: Double
    public var value: Double
    /// What differs from one export to the next: unit, rounding, metadata.
    public var word = ""
    public var uuid: String?
    /// Which of the rows of one time and value of its file it is (2.4).
    public var ordinal = 0

    public init(
      _ type: String, _ source: String, _ start: Double, _ end: Double, _ value: Double,
      _ word: String = "", uuid: String? = nil
    ) {
      (self.type, self.source, self.start, self.end) = (type, source, start, end)
      (self.value, self.word, self.uuid) = (value, word, uuid)
    }

    public var key: RowKey {
      RowKey(
        series: Series(type: type, source: source), start: start, end: end, value: value,
        ordinal: ordinal)
    }

    public static func < (one: Row, other: Row) -> Bool {
      (one.key, one.word, one.uuid ?? "") < (other.key, other.word, other.uuid ?? "")
    }
  }

  /// A type and a source.
  public struct Series: Hashable, Comparable, Sendable {
    public var type: String
    public var source: String

    public static func < (one: Series, other: Series) -> Bool {
      (one.type, one.source) < (other.type, other.source)
    }
  }

  /// What an act names of a row.
  public struct RowKey: Hashable, Comparable, Sendable {
    public var series: Series
    public var start: Double
    public var end: Double
    public var value: Double
    public var ordinal = 0

    /// The end, or the start where that is later.
    var latest: Double { max(start, end) }

    /// Whether two rows of one time have one value, but for its rounding (2.1).
    public func agrees(with other: RowKey) -> Bool {
      ordinal == other.ordinal && isNear(other)
    }

    /// Whether two rows have one time and one value, but for its rounding.
    func isNear(_ other: RowKey) -> Bool {
      (series, start, end) == (other.series, other.start, other.end)
        && (value == other.value
          || !series.type.hasPrefix("cat")
            && abs(value - other.value) <= 2e-5 * max(abs(value), abs(other.value)))
    }

    /// Whether it starts in a period and does not end after it (5.2).
    func isIn(_ start: Double, _ end: Double) -> Bool {
      start <= self.start && latest <= end && (self.start < end || start == end)
    }

    /// Whether two rows share more than an instant (4.2).
    func overlaps(_ other: RowKey) -> Bool {
      start < other.latest && other.start < latest || isIn(other.start, other.latest)
        || other.isIn(start, latest)
    }

    public static func < (one: RowKey, other: RowKey) -> Bool {
      (one.series, one.start, one.end, one.value, one.ordinal)
        < (other.series, other.start, other.end, other.value, other.ordinal)
    }
  }

  /// What identifies an element (7.1).
  public struct ElementKey: Hashable, Comparable, Sendable {
    public var kind: String
    public var name: String
    public var source: String
    public var start: Double
    public var end: Double

    public init(_ kind: String, _ name: String, _ source: String, _ start: Double, _ end: Double) {
      (self.kind, self.name, self.source, self.start, self.end) = (kind, name, source, start, end)
    }

    public static func < (one: ElementKey, other: ElementKey) -> Bool {
      (one.kind, one.name, one.source, one.start, one.end)
        < (other.kind, other.name, other.source, other.start, other.end)
    }
  }

  /// A workout, route, meal or other element.
  public struct Element: Hashable, Comparable, Sendable {
    public var key: ElementKey
    /// Its words.
    public var fields: String
    /// The length of its track or document.
    public var file = 0
    public var uuid: String?

    public init(_ key: ElementKey, _ fields: String, file: Int = 0, uuid: String? = nil) {
      (self.key, self.fields, self.file, self.uuid) = (key, fields, file, uuid)
    }

    public static func < (one: Element, other: Element) -> Bool {
      (one.key, one.fields, one.file, one.uuid ?? "")
        < (other.key, other.fields, other.file, other.uuid ?? "")
    }
  }

  /// A row or an element.
  public enum Content: Hashable, Sendable {
    case row(Row)
    case element(Element)

    fileprivate var uuid: String? {
      switch self {
      case .row(let row): row.uuid
      case .element(let element): element.uuid
      }
    }
  }

  /// One import (1.1).
  public struct File: Hashable, Sendable {
    /// Its identity (1.2).
    public var id: String
    public var format = "apple"
    public var date: Double?
    public var rows: [Row] = []
    public var elements: [Element] = []
    public var isWhole = true

    public init(
      format: String = "apple", date: Double?, rows: [Row] = [], elements: [Element] = [],
      isWhole: Bool = true
    ) {
      (self.format, self.date, self.isWhole) = (format, date, isWhole)
      (self.rows, self.elements) = (Self.numbered(rows), elements.sorted())
      id = "\(format) \(date.map { "\($0)" } ?? "") \(self.rows) \(self.elements)"
    }

    /// Rows that are equal in all are copies of one sample; others of one time and value are several
    /// samples, which are numbered by value and words (2.4).
    private static func numbered(_ rows: [Row]) -> [Row] {
      var numbered: [Row] = []
      for row in rows.filter({ $0.uuid == nil }).sorted() {
        var row = row
        if let last = numbered.last, last.key.isNear(row.key) {
          let isCopy = last.value == row.value && last.word == row.word
          row.ordinal = isCopy ? last.ordinal : last.ordinal + 1
        }
        numbered.append(row)
      }
      return (numbered + rows.filter { $0.uuid != nil }).sorted()
    }

    /// Where it stands in the replay (1.3, 1.4).
    var place: Place {
      Place(
        isDated: date != nil, time: date ?? rows.map(\.key.latest).max() ?? -.infinity)
    }
  }

  /// A step of the replay: undated files come before all dated ones.
  struct Place: Hashable, Comparable {
    var isDated: Bool
    var time: Double

    static func < (one: Place, other: Place) -> Bool {
      one.isDated == other.isDated ? one.time < other.time : other.isDated
    }
  }

  /// The order of acts (3.1).
  public struct Stamp: Hashable, Comparable, Sendable {
    public var time: Double
    public var counter: Int
    public var store: String

    public static func < (one: Stamp, other: Stamp) -> Bool {
      (one.time, one.counter, one.store) < (other.time, other.counter, other.store)
    }
  }

  /// A span of a series that a deletion or a restoration means.
  public struct Period: Hashable, Sendable {
    var series: Series
    var start: Double
    var end: Double
  }

  /// What a deletion or a restoration names (5.1).
  public struct Names: Hashable, Sendable {
    var periods: [Period] = []
    var rows: [RowKey] = []
    /// What saved objects tell: the same rows of files are meant, too, and nothing else is kept out.
    var saved: [RowKey] = []
    var uuids: Set<String> = []
    var elements: Set<ElementKey> = []

    var isEmpty: Bool {
      periods.isEmpty && rows.isEmpty && uuids.isEmpty && elements.isEmpty
    }

    /// Whether it names a row, or has a period in which it lies (5.2).
    ///
    /// What a saved object tells means rows of files only.
    func mean(_ sample: Sample) -> Bool {
      periods.contains { $0.series == sample.key.series && sample.key.isIn($0.start, $0.end) }
        || rows.contains(where: sample.isSame)
        || !sample.places.isEmpty && saved.contains(where: sample.isSame)
    }
  }

  /// The end of an association, or the object of an attachment (9.1).
  public enum Reference: Hashable, Sendable {
    case object(String)
    case row(RowKey)
    case element(ElementKey)
  }

  /// The version of a saved object (6.2).
  public struct Version: Hashable, Sendable {
    public var identifier: String
    public var number: Double

    public init(_ identifier: String, _ number: Double) {
      (self.identifier, self.number) = (identifier, number)
    }
  }

  /// What belongs together (9.1).
  public struct Link: Hashable, Sendable {
    public var owner: Reference
    public var member: Reference
    public var kind: String

    public init(_ owner: Reference, _ member: Reference, _ kind: String) {
      (self.owner, self.member, self.kind) = (owner, member, kind)
    }
  }

  public struct Act: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case importing(String, replaces: Set<String>)
      case undoing(String)
      case adding(String, Content, Version?)
      case deleting(Names)
      case restoring(Names)
      case associating(Link)
      case dissociating(Link)
      case attaching(String, Reference, name: String)
      case detaching(String)
      case setting(String, String)
    }

    var stamp: Stamp
    var kind: Kind
  }

  // MARK: Rows of files that are one (2)

  /// All rows of files that are the same one.
  final class Sample: Hashable {
    let rows: [(file: File, row: Row)]
    /// The dates at which a file tells it; none for a row that only an act names (5.5).
    let places: Set<Place>
    let key: RowKey

    init(_ rows: [(file: File, row: Row)]) {
      self.rows = rows
      places = Set(rows.map(\.file.place))
      var key = rows[0].row.key
      key.value = rows.map(\.row.value).min() ?? 0
      self.key = key
    }

    init(named key: RowKey) {
      let series = key.series
      var row = Row(series.type, series.source, key.start, key.end, key.value)
      row.ordinal = key.ordinal
      rows = [(File(date: nil), row)]
      places = []
      self.key = key
    }

    /// The wording of the file of greatest rank, and how many rows of it are equal (2.3, 2.4).
    var shown: (row: Row, copies: Int) {
      let last = rows.max { ($0.file.place, $0.file.id) < ($1.file.place, $1.file.id) }
      let words = rows.filter { $0.file.id == last?.file.id }.map(\.row).sorted()
      return (words[0], words.count { $0.key == words[0].key })
    }

    func isSame(as key: RowKey) -> Bool { rows.contains { $0.row.key.agrees(with: key) } }

    func overlaps(_ other: Sample) -> Bool { key.overlaps(other.key) }

    static func == (one: Sample, other: Sample) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The rows of files without UUIDs, each once (2.2).
  static func samples(of files: [File]) -> [Series: [Sample]] {
    struct Times: Hashable {
      var series: Series
      var start: Double
      var end: Double
      var ordinal: Int
    }
    var groups: [Times: [(file: File, row: Row)]] = [:]
    for file in files {
      for row in file.rows where row.uuid == nil {
        let times = Times(
          series: row.key.series, start: row.start, end: row.end, ordinal: row.ordinal)
        groups[times, default: []].append((file, row))
      }
    }
    var samples: [Series: [Sample]] = [:]
    for (times, rows) in groups {
      var chain: [(file: File, row: Row)] = []
      for item in rows.sorted(by: { $0.row < $1.row }) {
        if let last = chain.last, !last.row.key.agrees(with: item.row.key) {
          samples[times.series, default: []].append(Sample(chain))
          chain = []
        }
        chain.append(item)
      }
      samples[times.series, default: []].append(Sample(chain))
    }
    return samples
  }

  // MARK: What a later export retells (4, 5.4)

  /// The rows of a series that count, those that deletions keep out, and all deleted ones.
  static func replay(
    _ samples: [Sample], isPainted: (Sample) -> Bool, named: [Sample]
  ) -> (counts: Set<Sample>, out: Set<Sample>, deleted: Set<Sample>) {
    var counts: Set<Sample> = []
    var out: Set<Sample> = []
    var deleted = Set(named)
    for place in Set(samples.flatMap(\.places)).sorted() {
      let here = Set(samples.filter { $0.places.contains(place) })
      let new = here.subtracting(counts).subtracting(out)
      let gone = counts.union(out).subtracting(here)
      let retold = gone.union(deleted.subtracting(here)).filter { old in
        new.contains { $0.overlaps(old) }
      }
      let painted = new.filter(isPainted)
      let tainted = new.subtracting(painted).filter { row in
        retold.contains { deleted.contains($0) && $0.overlaps(row) }
      }
      let told = new.subtracting(tainted)
      counts = counts.filter { old in
        !retold.contains(old) || !told.contains { $0.overlaps(old) }
      }
      counts.formUnion(told.subtracting(painted))
      out = out.subtracting(retold).union(painted).union(tainted)
      deleted.formUnion(painted)
    }
    return (counts, out, deleted)
  }

  // MARK: Acts (3)

  /// A set of acts in their order.
  struct Acts {
    let all: [Act]

    init(_ acts: some Sequence<Act>) { all = acts.sorted { $0.stamp < $1.stamp } }

    /// The last import or undo of each file.
    private var lastOfFiles: [String: Act] {
      var last: [String: Act] = [:]
      for act in all {
        switch act.kind {
        case .importing(let file, _), .undoing(let file): last[file] = act
        default: break
        }
      }
      return last
    }

    /// The imports of the files that are told, also of those that another one replaced (3.2).
    private var tellings: [String: (stamp: Stamp, replaces: Set<String>)] {
      lastOfFiles.compactMapValues { act in
        if case .importing(_, let replaces) = act.kind { (act.stamp, replaces) } else { nil }
      }
    }

    var told: Set<String> { Set(tellings.keys) }

    /// The files that count (3.3).
    var present: Set<String> {
      let tellings = tellings
      return Set(
        tellings.filter { file, telling in
          !tellings.values.contains { $0.replaces.contains(file) && $0.stamp > telling.stamp }
        }.keys)
    }

    /// Deletions and restorations.
    var paints: [(stamp: Stamp, names: Names, deletes: Bool)] {
      all.compactMap { act in
        switch act.kind {
        case .deleting(let names): (act.stamp, names, true)
        case .restoring(let names): (act.stamp, names, false)
        default: nil
        }
      }
    }

    /// Whether the last act that means a row is a deletion (5.3).
    func isPainted(_ sample: Sample) -> Bool {
      paints.last { $0.names.mean(sample) }?.deletes ?? false
    }

    /// Deleted rows that are in no file (5.5).
    func named(beside samples: [Series: [Sample]]) -> [Series: [Sample]] {
      var keys: Set<RowKey> = []
      for paint in paints where paint.deletes { keys.formUnion(paint.names.rows) }
      let rest = keys.sorted().filter { key in
        !(samples[key.series] ?? []).contains { $0.isSame(as: key) }
      }
      return Dictionary(grouping: rest.map(Sample.init(named:)).filter(isPainted)) { $0.key.series }
    }

    /// The last deletion that names something, unless a restoration does later.
    func deletion(_ names: (Names) -> Bool) -> Stamp? {
      paints.last { names($0.names) }.flatMap { $0.deletes ? $0.stamp : nil }
    }
  }

  // MARK: Saved objects and versions (6)

  /// An object with a UUID of its own.
  struct Thing {
    var uuid: String
    /// When it was saved; before all acts if only a file has it.
    var stamp = Stamp(time: -.infinity, counter: 0, store: "")
    var isSaved = false
    var content: Content
    var version: (name: [String], number: Double)?
  }

  static func things(of files: [File], _ acts: Acts) -> [String: Thing] {
    var things: [String: Thing] = [:]
    let ranked = files.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    for file in ranked {
      for content in file.rows.map(Content.row) + file.elements.map(Content.element) {
        guard let uuid = content.uuid else { continue }
        things[uuid] = Thing(uuid: uuid, content: content)
      }
    }
    for act in acts.all {
      guard case .adding(let uuid, let content, let version) = act.kind else { continue }
      if things[uuid]?.isSaved == true { continue }
      things[uuid] = Thing(
        uuid: uuid, stamp: act.stamp, isSaved: true, content: content,
        version: version.map { (name(content, $0), $0.number) })
    }
    return things
  }

  /// What versions have in common.
  static func name(_ content: Content, _ version: Version) -> [String] {
    switch content {
    case .row(let row): [row.source, row.type, version.identifier]
    case .element(let element): [element.key.source, element.key.kind, version.identifier]
    }
  }

  /// The objects that are deleted, and the one that stands for each identifier (6.2).
  static func standing(
    _ things: [String: Thing], _ acts: Acts
  ) -> (dead: Set<String>, winners: [[String]: Thing]) {
    let deletions = things.keys.compactMap { uuid in
      acts.deletion { $0.uuids.contains(uuid) }.map { (uuid: uuid, stamp: $0) }
    }
    var dead = Set(deletions.map(\.uuid))
    for (uuid, stamp) in deletions {
      guard let version = things[uuid]?.version else { continue }
      for other in things.values {
        guard let earlier = other.version, other.stamp < stamp else { continue }
        if earlier.name == version.name, earlier.number <= version.number {
          dead.insert(other.uuid)
        }
      }
    }
    var winners: [[String]: Thing] = [:]
    let saved = things.values.filter { !dead.contains($0.uuid) && $0.version != nil }
    for thing in saved.sorted(by: { $0.stamp < $1.stamp }) {
      guard let version = thing.version else { continue }
      if version.number > winners[version.name]?.version?.number ?? -.infinity {
        winners[version.name] = thing
      }
    }
    return (dead, winners)
  }

  // MARK: Elements (7)

  /// The elements of files by what identifies them.
  static func cells(of files: [File]) -> [ElementKey: [Element]] {
    var cells: [ElementKey: [File: [Element]]] = [:]
    for file in files {
      for element in file.elements where element.uuid == nil {
        // Equal ones of a file are one, as rows are (2.4).
        if cells[element.key]?[file]?.contains(element) ?? false { continue }
        cells[element.key, default: [:]][file, default: []].append(element)
      }
    }
    return cells.mapValues { files in
      let best = files.max {
        ($0.key.place, $0.value.count) == ($1.key.place, $1.value.count)
          ? ($0.value.sorted().lexicographicallyPrecedes($1.value.sorted()))
          : ($0.key.place, $0.value.count) < ($1.key.place, $1.value.count)
      }
      var entries = (best?.value ?? []).sorted()
      // A bare file erases no track (7.3).
      if entries.count == 1 {
        entries[0].file = files.values.joined().map(\.file).max() ?? 0
      }
      return entries
    }
  }
}
