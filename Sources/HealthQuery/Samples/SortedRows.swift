@_spi(Queues) import HealthSamples
import HealthUnits
internal import _HealthNumerics

/// The first rows of batches by some sorts: as many as the limit, and few others, are in memory.
struct SortedRows {
  /// A property by which rows are sorted, the lesser first.
  private enum Part: Comparable {
    case number(Double)
    case ascending(String)
    case descending(String)

    static func < (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.number(let left), .number(let right)): left < right
      case (.ascending(let left), .ascending(let right)): left < right
      case (.descending(let left), .descending(let right)): right < left
      default: false
      }
    }
  }

  /// The place of a row in the order; two rows are never equal.
  private struct Key: Comparable {
    /// The most important part has no room of its own: most orders have one part.
    let first: Part
    let others: [Part]
    let start: Double
    let end: Double
    /// The number of the row among all that were added.
    let number: Int

    static func < (left: Self, right: Self) -> Bool {
      if left.first != right.first { return left.first < right.first }
      for (left, right) in zip(left.others, right.others) where left != right {
        return left < right
      }
      return (left.start, left.end, left.number) < (right.start, right.end, right.number)
    }
  }

  /// The reverse of an order, so that a queue has the last row of the answer first.
  private struct Reversed: Comparable {
    let key: Key
    static func < (left: Self, right: Self) -> Bool { right.key < left.key }
  }

  private struct Place {
    var batch: Int
    var row: Int
  }

  private let sort: [SampleSort]
  private let limit: Int
  private var batches: [RecordColumns] = []
  private var places = PriorityQueue<Reversed, Place>()
  /// The number of rows added so far, and of those in ``batches``.
  private var added = 0
  private var stored = 0

  init(by sort: [SampleSort], limit: Int) { (self.sort, self.limit) = (sort, limit) }

  /// Adds the rows of a batch.
  ///
  /// - Complexity: O(*n* log *k*) for *n* rows and a limit of *k*
  mutating func add(_ batch: RecordColumns) {
    let sortKey = keys(of: batch)
    let place = batches.count
    var isUsed = false
    for row in 0..<batch.count {
      let key = Reversed(key: sortKey(row, added))
      added += 1
      if places.count < limit {
        places.insert(Place(batch: place, row: row), priority: key)
      } else if let last = places.first, last.priority < key {
        places.replaceFirst(by: Place(batch: place, row: row), priority: key)
      } else {
        continue
      }
      isUsed = true
    }
    guard isUsed else { return }
    batches.append(batch)
    stored += batch.count
    // At least as many rows were added since the last time as are moved.
    if stored > 2 * places.count + Self.slack { compact() }
  }

  /// How many rows may be in memory beside twice those of the answer.
  private static let slack = 1 << 16

  /// Drops the rows that are not in the answer so far.
  private mutating func compact() {
    var entries: [(priority: Reversed, value: Place)] = []
    while let first = places.first {
      entries.append(first)
      places.removeFirst()
    }
    var rows: [Int: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      let count = rows[entry.value.batch, default: []].count
      rows[entry.value.batch, default: []].append(entry.value.row)
      entries[index].value.row = count
    }
    var kept: [RecordColumns] = []
    var moved: [Int: Int] = [:]
    for batch in rows.keys.sorted() {
      moved[batch] = kept.count
      kept.append(batches[batch].selecting(rows[batch] ?? []))
    }
    for entry in entries {
      let place = Place(batch: moved[entry.value.batch] ?? 0, row: entry.value.row)
      places.insert(place, priority: entry.priority)
    }
    batches = kept
    stored = places.count
  }

  /// Visits the rows in order, those of one batch that follow each other together.
  mutating func forEach(_ body: (RecordColumns, [Int]) throws -> Bool) rethrows {
    var order: [Place] = []
    while let last = places.first {
      order.append(last.value)
      places.removeFirst()
    }
    order.reverse()
    for run in order.chunked(on: \.batch) {
      guard try body(batches[run.0], run.1.map(\.row)) else { return }
    }
  }

  /// The sort keys of the rows of a batch, with the number of each.
  private func keys(of batch: RecordColumns) -> (Int, Int) -> Key {
    let conversions = batch.type.canonicalUnit.map { unit in
      batch.labelTable.map { batch.type.conversion(from: $0, to: unit) }
    }
    let sort = sort
    func value(_ row: Int) -> Double {
      conversions?[Int(batch.labels[row])]?(batch.values[row]) ?? batch.values[row]
    }
    return { row, number in
      let end = SampleTime.end(from: batch.starts[row], to: batch.ends[row])
      func part(_ sort: SampleSort) -> Part {
        let isDescending = sort.isDescending
        func part(_ number: Double) -> Part { .number(isDescending ? -number : number) }
        return switch sort.key {
        case .start: part(batch.starts[row])
        case .end: part(end)
        case .value: part(value(row))
        // Exact: a store never has 2^53 samples.
        case .added: part(batch.serials.isEmpty ? Double(number) : Double(batch.serials[row]))
        case .source:
          isDescending
            ? .descending(batch.source.matchingName) : .ascending(batch.source.matchingName)
        }
      }
      return Key(
        first: sort.first.map(part) ?? .number(0), others: sort.dropFirst().map(part),
        start: batch.starts[row], end: batch.ends[row], number: number)
    }
  }
}
