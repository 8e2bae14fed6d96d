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

  /// What may happen.
  public enum Step {
    case importing([History.File], replacing: Bool, restoring: Bool)
    case undoing(History.File)
    case adding(String, History.Content)
    case deleting(History.Selection)
    case restoring(History.Selection)
    /// Takes back one of the deletions, by its place.
    case takingBack(Int)

    /// What kind of step it is.
    public var name: String {
      switch self {
      case .importing(_, let replacing, let restoring):
        replacing ? "import --replace" : restoring ? "import --restore" : "import"
      case .undoing: "undo"
      case .adding(_, .row): "add"
      case .adding(_, .element): "add an element"
      case .deleting(let selection): "delete by \(selection.name)"
      case .restoring(let selection): "restore by \(selection.name)"
      case .takingBack: "restore a deletion"
      }
    }
  }

  private static let types = ["steps", "hr", "cat.sleep"]
  private static let sources = ["Watch", "Phone"]

  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
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

  /// An element; its words have one length, so that their order is that of bytes.
  private mutating func element() -> History.Element {
    let (kind, name, source) = [
      ("workout", "run", "Watch"), ("workout", "run", "Phone"), ("route", "", "Watch"),
      ("food", "lunch", "Phone"), ("me", "", ""),
    ][chance(0, 4)]
    let start = Double(kind == "me" ? 0 : chance(0, 3))
    return History.Element(
      History.ElementKey(kind, name, source, start, kind == "me" ? 0 : start + 2), words(),
      file: kind == "route" ? [0, 3, 7][chance(0, 2)] : 0)
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
        if elements[index].key.kind == "route" { elements[index].file = [0, 3, 7][chance(0, 2)] }
      }
    }
    let other = element()
    if other.key.kind == "food" || !elements.contains(where: { $0.key == other.key }) {
      elements.append(other)
    }
  }

  /// The devices go on: they join, split, correct, lose, word anew and record.
  private mutating func goOn() {
    for _ in 0..<chance(1, 4) {
      guard !told.isEmpty else { return record() }
      let index = chance(0, told.count - 1)
      let row = told[index]
      switch chance(0, 6) {
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
      default: record()
      }
    }
  }

  private mutating func makeFile() {
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

  private mutating func selection() -> History.Selection {
    var selection = History.Selection()
    if isChosen(30), let element = files.flatMap(\.elements).randomElement(using: &random) {
      switch chance(0, 3) {
      case 0: selection.kind = element.key.kind
      case 1:
        selection.kind = element.key.kind
        selection.from = element.key.start
        if isChosen(50) { selection.to = element.key.start + 1 }
      default: selection.element = element.key
      }
      return selection
    }
    if additions > 0, isChosen(15) {
      selection.uuid = "a\(chance(1, additions))"
      return selection
    }
    let row = files.flatMap(\.rows).randomElement(using: &random) ?? row()
    switch chance(0, 4) {
    case 0: selection.row = row.key
    case 1:
      selection.type = row.type
      selection.minimum = Double(chance(1, 4))
    case 2:
      selection.type = row.type
      selection.from = time()
      if isChosen(50) { selection.to = (selection.from ?? 0) + Double(chance(1, 6)) }
    case 3:
      selection.type = row.type
      if isChosen(50) { selection.source = row.source }
    default:
      if isChosen(20) { selection.source = row.source } else { selection.row = row.key }
    }
    return selection
  }

  /// The next step of a history with so many deletions so far.
  public mutating func step(deletions: Int) -> Step {
    if isChosen(25) { makeFile() }
    let file = files.randomElement(using: &random) ?? files[0]
    switch chance(0, 99) {
    case 0..<40:
      return .importing([file], replacing: isChosen(12), restoring: isChosen(12))
    case 40..<55: return .undoing(file)
    case 55..<65:
      additions += 1
      if isChosen(30) {
        var element = file.elements.randomElement(using: &random) ?? element()
        // No app saves characteristics.
        if element.key.kind == "me" { element.key = .init("workout", "run", "Watch", 0, 2) }
        return .adding("a\(additions)", .element(element))
      }
      var row = isChosen(60) ? file.rows.randomElement(using: &random) ?? self.row() : self.row()
      row.end = max(row.start, row.end)
      return .adding("a\(additions)", .row(row))
    case 65..<85: return .deleting(selection())
    case 85..<95: return .restoring(selection())
    default: return deletions > 0 ? .takingBack(chance(0, deletions - 1)) : .deleting(selection())
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
    case .adding(let name, let content): try add(name, content, nil)
    case .deleting(let selection): return try delete(selection)
    case .restoring(let selection): try restore(selection)
    case .takingBack(let place): try restore(deletions[place])
    }
    return nil
  }
}
