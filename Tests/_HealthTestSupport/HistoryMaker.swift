/// Makes random histories: a phone and a watch that join, split, correct and lose what they told,
/// the files that they export, and what their owner does.
public struct HistoryMaker {
  public var random: SplitMix64
  /// Files that may be imported.
  public private(set) var files: [History.File] = []
  private var told: [History.Row] = []
  private var elements: [History.Element] = []
  private var date = 100.0
  private var additions = 0
  private var attachments = 0
  private var links = 0
  private let mostChange: Int
  private var turn: Int

  /// What may happen.
  public enum Step {
    case importing([History.File], replacing: Bool, restoring: Bool)
    case undoing(History.File)
    case adding(String, History.Content, History.Version?)
    case deleting(History.Selection)
    case restoring(History.Selection)
    /// Takes back one of the deletions, by its place.
    case takingBack(Int)
    case associating(History.Link)
    case dissociating(History.Link)
    case attaching(String, History.Reference)
    case detaching(String)
    case setting(String, String)

    /// What kind of step it is, and the kinds of elements that it brings.
    public var names: [String] {
      switch self {
      case .importing(let files, let replacing, let restoring):
        [replacing ? "import --replace" : restoring ? "import --restore" : "import"]
          + Set(files.flatMap(\.elements).map { "import of \($0.key.kind)" })
      case .undoing: ["undo"]
      case .adding(_, .row, nil): ["add"]
      case .adding(_, .row, _): ["add a version"]
      case .adding(_, .element, nil): ["add an element"]
      case .adding(_, .element, _): ["add a version of an element"]
      case .deleting(let selection): ["delete by \(selection.name)"]
      case .restoring(let selection): ["restore by \(selection.name)"]
      case .takingBack: ["restore a deletion"]
      case .associating(let link): ["associate \(link.kind)"]
      case .dissociating: ["dissociate"]
      case .attaching: ["attach"]
      case .detaching: ["detach"]
      case .setting: ["set"]
      }
    }
  }

  /// The names of all kinds of steps, also that of several stores.
  public static let kinds: [String] = {
    let selections = [
      "UUID", "element", "kind", "kind and period", "period", "row", "series", "source", "value",
    ]
    return [
      "import", "import --replace", "import --restore", "undo", "add", "add a version",
      "add an element", "add a version of an element", "restore a deletion",
      "associate workout", "associate correlation", "associate measurements", "dissociate",
      "attach", "detach", "set", "sync",
    ] + selections.flatMap { ["delete by \($0)", "restore by \($0)"] }
      + Set(elements.map { "import of \($0.0)" })
  }()

  private static let types = ["steps", "hr", "cat.sleep"]
  private static let sources = ["Watch", "Phone"]

  /// With `tellsEqualRows` devices also tell several samples of one time and value.
  public init(seed: UInt64, tellsEqualRows: Bool = false) {
    random = SplitMix64(seed: seed)
    mostChange = tellsEqualRows ? 7 : 6
    turn = Int(seed % 9)
    for _ in 0..<chance(4, 9) { record() }
    for _ in 0..<chance(2, 5) { makeFile() }
  }

  private mutating func chance(_ low: Int, _ high: Int) -> Int {
    Int.random(in: low...high, using: &random)
  }

  private mutating func isChosen(_ percent: Int) -> Bool { chance(1, 100) <= percent }

  private mutating func time() -> Double { Double(chance(0, 12)) }

  private mutating func value() -> Double {
    let value = Double(chance(1, 3))
    return isChosen(10) ? value * 1.00001 : value
  }

  private mutating func row() -> History.Row {
    let start = time()
    let end = isChosen(15) ? start : isChosen(5) ? start - 1 : start + Double(chance(1, 4))
    let type = Self.types[isChosen(70) ? 0 : chance(1, 2)]
    return History.Row(
      type, Self.sources[isChosen(75) ? 0 : 1], start, end,
      type.hasPrefix("cat") ? Double(chance(1, 3)) : value(), isChosen(10) ? "word" : "")
  }

  private mutating func record() { told.append(row()) }

  /// The kinds of elements, with names and sources; some have several.
  public static let elements = [
    ("workout", "run", "Watch"), ("workout", "run", "Phone"), ("route", "", "Watch"),
    ("food", "lunch", "Phone"), ("me", "", ""), ("rings", "", ""), ("beats", "", "Watch"),
    ("ecg", "", "Watch"), ("hearing", "test", "Phone"), ("glasses", "pair", "Phone"),
    ("record", "visit", "Phone"), ("mood", "state", "Phone"),
  ]
  /// The lengths of tracks and documents.
  private static let lengths = [0, 3, 7]

  /// An element; its words have one length, so that their order is that of bytes.
  private mutating func element() -> History.Element {
    let (kind, name, source) = Self.elements[chance(0, Self.elements.count - 1)]
    let start = Double(kind == "me" ? 0 : chance(0, 3))
    let length = ["me": 0, "record": 0, "rings": 1][kind] ?? 2
    return History.Element(
      History.ElementKey(kind, name, source, start, start + Double(length)), words(),
      file: kind == "route" || kind == "record" ? Self.lengths[chance(0, 2)] : 0)
  }

  private mutating func words() -> String { ["aaaa", "bbbb", "cccc"][chance(0, 2)] }

  /// The devices word elements anew, lose files and elements, and record others.
  private mutating func goOnWithElements() {
    for _ in 0..<chance(0, 2) {
      guard !elements.isEmpty else { break }
      let index = chance(0, elements.count - 1)
      switch chance(0, 3) {
      case 0: elements[index].fields = words()
      case 1: elements.remove(at: index)
      case 2 where elements[index].key.kind == "food":
        // Two meals of a minute.
        var other = elements[index]
        other.fields = words()
        elements.append(other)
      default:
        if ["route", "record"].contains(elements[index].key.kind) {
          elements[index].file = Self.lengths[chance(0, 2)]
        }
      }
    }
    for _ in 0..<3 {
      let other = element()
      if other.key.kind == "food" || !elements.contains(where: { $0.key == other.key }) {
        elements.append(other)
      }
    }
  }

  /// The devices go on: they join, split, correct, lose, word anew and record.
  private mutating func goOn() {
    for _ in 0..<chance(1, 4) {
      guard !told.isEmpty else { return record() }
      let index = chance(0, told.count - 1)
      let row = told[index]
      switch chance(0, mostChange) {
      case 0:
        let next = told.firstIndex { $0.key.series == row.key.series && $0.start == row.end }
        guard let next, next != index, row.end > row.start else { continue }
        var joined = row
        joined.end = max(row.end, told[next].end)
        joined.value += told[next].value
        told = told.enumerated().filter { $0.offset != index && $0.offset != next }.map(\.element)
        told.append(joined)
      case 1 where row.end - row.start >= 2:
        var (first, second) = (row, row)
        (first.end, second.start) = (row.start + 1, row.start + 1)
        (first.value, second.value) = (1, 2)
        told[index] = first
        told.append(second)
      case 2: told[index].value = Double(chance(1, 4))
      case 3: told.remove(at: index)
      case 4 where !row.type.hasPrefix("cat"): told[index].value *= isChosen(50) ? 1.00001 : 0.99999
      case 5: told[index].word = row.word.isEmpty ? "other" : ""
      case 7:
        // Another sample of the same time and value, as two foods of a meal.
        var other = row
        other.word = ["", "more", "other"][chance(0, 2)]
        told.append(other)
      default: record()
      }
    }
  }

  /// Another part of an export: its date, and some of the rows and elements of any file.
  private mutating func part() -> History.File? {
    guard let date = files.compactMap(\.date).randomElement(using: &random),
      let other = files.randomElement(using: &random)
    else { return nil }
    let rows = other.rows.filter { _ in isChosen(60) }.map { row in
      var row = row
      row.ordinal = 0
      return row
    }
    return History.File(
      date: date, rows: rows, elements: other.elements.filter { _ in isChosen(40) })
  }

  private mutating func makeFile() {
    if isChosen(20), let part = part() { return files.append(part) }
    goOn()
    if isChosen(60) { goOnWithElements() }
    if !isChosen(15) { date += 10 }
    var rows = told
    if isChosen(15) { rows.removeAll { _ in isChosen(30) } }
    if isChosen(15), let copy = rows.randomElement(using: &random) { rows.append(copy) }
    let isUndated = isChosen(20)
    if isUndated { rows = Array(rows.shuffled(using: &random).prefix(chance(1, 6))) }
    files.append(
      History.File(
        format: isUndated || isChosen(10) ? "csv" : "apple", date: isUndated ? nil : date,
        rows: rows, elements: elements.filter { _ in !isChosen(20) }, isWhole: !isChosen(10)))
  }

  /// What is deleted or restored: one of the kinds of selections after the other.
  private mutating func selection() -> History.Selection {
    var selection = History.Selection()
    let element = files.flatMap(\.elements).randomElement(using: &random) ?? element()
    let row = files.flatMap(\.rows).randomElement(using: &random) ?? row()
    turn += 1
    switch turn % 9 {
    case 0: selection.kind = element.key.kind
    case 1:
      selection.kind = element.key.kind
      selection.from = element.key.start
      if isChosen(50) { selection.to = element.key.start + 1 }
    case 2: selection.element = element.key
    case 3 where additions > 0: selection.uuid = "a\(chance(1, additions))"
    case 4:
      selection.type = row.type
      selection.minimum = Double(chance(1, 4))
    case 5:
      selection.type = row.type
      selection.from = time()
      if isChosen(50) { selection.to = (selection.from ?? 0) + Double(chance(1, 6)) }
    case 6:
      selection.type = row.type
      if isChosen(50) { selection.source = row.source }
    case 7: selection.source = row.source
    default: selection.row = row.key
    }
    return selection
  }

  /// What an app or the owner adds.
  private mutating func addition(_ file: History.File, isElement: Bool, isVersion: Bool) -> Step {
    additions += 1
    let version =
      isVersion ? History.Version(isChosen(70) ? "x" : "y", Double(chance(1, 3))) : nil
    if isElement {
      var element = file.elements.randomElement(using: &random) ?? element()
      // No app saves characteristics, rings, beats, ECGs or records, and these have no versions.
      let unsaved = ["me", "rings", "beats", "ecg", "record", "glasses"]
      if unsaved.contains(element.key.kind) {
        element.key = .init("workout", "run", "Watch", 0, 2)
        element.file = 0
      }
      return .adding("a\(additions)", .element(element), version)
    }
    var row = isChosen(60) ? file.rows.randomElement(using: &random) ?? self.row() : self.row()
    row.end = max(row.start, row.end)
    row.ordinal = 0
    return .adding("a\(additions)", .row(row), version)
  }

  /// The place of an addition among all.
  private static func place(_ addition: String) -> Int { Int(addition.dropFirst()) ?? 0 }

  /// One of some objects that count.
  private mutating func reference(_ objects: [History.Reference]) -> History.Reference? {
    objects.randomElement(using: &random)
  }

  private mutating func association(_ objects: [History.Reference]) -> Step? {
    links += 1
    let kind = ["workout", "correlation", "measurements"][links % 3]
    let saved = objects.filter { if case .object = $0 { true } else { false } }
    guard var owner = reference(objects),
      var member = reference(kind == "measurements" ? saved : objects), owner != member
    else { return nil }
    if kind == "measurements", case .object(let name) = member, case .object(let other) = owner,
      Self.place(other) > Self.place(name)
    {
      // What measures a sample was saved after it.
      swap(&owner, &member)
    }
    return .associating(History.Link(owner, member, kind))
  }

  private mutating func attachment(_ objects: [History.Reference]) -> Step? {
    guard let object = reference(objects) else { return nil }
    attachments += 1
    return .attaching("f\(attachments)", object)
  }

  /// The next step of a history, from the number of its deletions and what the store answers.
  public mutating func step(deletions: Int, _ answers: History.Answers) -> Step {
    if isChosen(15) { makeFile() }
    let file = files.randomElement(using: &random) ?? files[0]
    let objects = answers.references
    func add(_ isElement: Bool, _ isVersion: Bool) -> Step {
      addition(file, isElement: isElement, isVersion: isVersion)
    }
    switch chance(0, 119) {
    case 0..<4: return .importing([file], replacing: true, restoring: false)
    case 4..<8: return .importing([file], replacing: false, restoring: true)
    case 8..<15: return .undoing(file)
    case 15..<18: return add(false, false)
    case 18..<21: return add(false, true)
    case 21..<23: return add(true, false)
    case 23..<25: return add(true, true)
    case 25..<49: return .deleting(selection())
    case 49..<72: return .restoring(selection())
    case 72..<76: return deletions > 0 ? .takingBack(chance(0, deletions - 1)) : add(true, true)
    case 76..<88: return association(objects) ?? add(false, false)
    case 88..<95:
      let links = answers.links.sorted { "\($0)" < "\($1)" }
      guard let link = links.randomElement(using: &random) else {
        return association(objects) ?? add(false, true)
      }
      return .dissociating(link)
    case 95..<99:
      return attachment(objects) ?? add(false, false)
    case 99..<106:
      let names = answers.attachments.map(\.uuid).sorted()
      guard let name = names.randomElement(using: &random) else {
        return attachment(objects) ?? add(false, true)
      }
      return .detaching(name)
    case 106..<109:
      return .setting(
        ["zone", "prefer steps", "prefer hr"][chance(0, 2)], ["Watch", "Phone"][chance(0, 1)])
    default: return .importing([file], replacing: false, restoring: false)
    }
  }
}

extension History.Selection {
  fileprivate var name: String {
    if uuid != nil { return "UUID" }
    if element != nil { return "element" }
    if kind != nil { return from != nil ? "kind and period" : "kind" }
    if type == nil && row == nil { return "source" }
    return row != nil ? "row" : minimum != nil ? "value" : from != nil ? "period" : "series"
  }
}

extension HistoryReplica {
  /// Does a step; returns the deletion that it made.
  public func perform(_ step: HistoryMaker.Step, taking deletions: [Deletion]) throws -> Deletion? {
    switch step {
    case .importing(let files, let replacing, let restoring):
      try importFiles(files, replacing: replacing, restoring: restoring)
    case .undoing(let file): try undo(file)
    case .adding(let name, let content, let version): try add(name, content, version)
    case .deleting(let selection): return try delete(selection)
    case .restoring(let selection): try restore(selection)
    case .takingBack(let place): try restore(deletions[place])
    case .associating(let link): try associate(link)
    case .dissociating(let link): try dissociate(link)
    case .attaching(let name, let object): try attach(name, to: object, name: "file")
    case .detaching(let name): try detach(name)
    case .setting(let key, let value): try set(key, value)
    }
    return nil
  }
}
