import Foundation
import Harness
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Samples

extension Bench {
  /// 10,000 single saves and as many single deletions by an app, of which each leaves an act: the last
  /// hundred beside the first.
  static func singles(_ place: StorePlace) async throws -> [Cost] {
    let count = place.count(10_000)
    let store = try place.store()
    try store.authorise(StorePlace.app, type: StorePlace.steps.identifier, share: .authorised)
    let app = try store.reading(as: StorePlace.app)
    // As many stay as are deleted.
    var uuids = try app.save(StorePlace.samples(0..<count))
    let saves = try await times(of: StorePlace.samples(count..<2 * count)) {
      uuids += try app.save([$0])
    }
    var random = SeededSamples.Random(state: 5)
    for index in uuids.indices {
      uuids.swapAt(index, index + Int(random.next()) % (uuids.count - index))
    }
    let deletes = try await times(of: uuids.prefix(count)) { _ = try app.delete([$0]) }
    let imported = try place.store()
    try StorePlace.add(0..<2 * count, to: imported, exported: 800_000_000)
    var others: [UUID] = []
    try imported.forEachRowRange(of: StorePlace.steps) { batch, range in
      others += try imported.uuids(of: Array(batch.serials[range]))
      return true
    }
    for index in others.indices {
      others.swapAt(index, index + Int(random.next()) % (others.count - index))
    }
    let ofFiles = try await times(of: others.prefix(count)) { _ = try imported.delete([$0]) }
    return [
      ("save", saves, 1.2), ("deletion of a saved sample", deletes, 1.2),
      ("deletion of an imported sample", ofFiles, nil),
    ].map { name, times, limit in
      let part = min(100, times.count / 2)
      let (first, last) = (
        times.prefix(part).reduce(0, +) / Double(part),
        times.suffix(part).reduce(0, +) / Double(part)
      )
      return .seconds(
        "single \(name), the last of \(count)", last, beside: "the first", first, limit: limit)
    }
  }

  private static func times<Item>(
    of items: some Sequence<Item>, _ body: (Item) throws -> Void
  ) async throws -> [Double] {
    var times: [Double] = []
    for item in items { times.append(try await Clock.processor.seconds { try body(item) }) }
    return times
  }

  /// 100,000 samples with metadata of their own, saved at once and a thousand a call.
  static func metadata(_ place: StorePlace) async throws -> [Cost] {
    let count = place.count(100_000)
    var costs: [Cost] = []
    for size in [count, 1_000] where size <= count {
      var least = [Double.infinity, .infinity]
      for _ in 0..<3 {
        for hasMetadata in [false, true] {
          let store = try place.store()
          let batches = stride(from: 0, to: count, by: size).map {
            StorePlace.samples($0..<min(count, $0 + size), hasMetadata: hasMetadata)
          }
          let seconds = try await Clock.processor.seconds {
            for batch in batches { try store.save(batch) }
          }
          least[hasMetadata ? 1 : 0] = min(least[hasMetadata ? 1 : 0], seconds)
        }
      }
      costs.append(
        .seconds(
          "\(count) saves with metadata, \(size) a call", least[1], beside: "without", least[0],
          limit: 1.5))
    }
    return costs
  }

  /// Twelve monthly exports of all samples up to then, of which each tells one more hundredth otherwise.
  static func months(_ place: StorePlace) async throws -> [Cost] {
    let month = place.count(1_200_000) / 12
    func add(_ months: Int, to store: SampleStore, at date: Int? = nil) async throws -> Double {
      try await Clock.processor.seconds {
        try StorePlace.add(
          0..<months * month, telling: months, to: store,
          exported: 700_000_000 + Double(date ?? months) * 2_600_000)
      }
    }
    let store = try place.store()
    for months in 1...12 { _ = try await add(months, to: store) }
    let last = try place.store()
    let first = try await add(12, to: last)
    let bytes = try StorePlace.bytes(of: store)
    let ratio = Double(bytes) / Double(try StorePlace.bytes(of: last))
    let chunks = try StorePlace.chunksWritten(in: store)
    let repeated = try await add(12, to: store, at: 13)
    let written = try StorePlace.chunksWritten(in: store) - chunks
    let next = try await add(13, to: store, at: 14)
    guard let sixth = try store.imports().first(where: { $0.exportedAt == 715_600_000 }) else {
      throw ProblemError("The sixth export is not there.")
    }
    let undo = try await Clock.processor.seconds { _ = try store.undoImport(sixth.id) }
    let import12 = "the import of the last alone"
    return [
      Cost(
        "twelve exports of \(12 * month) samples", Line.number(Double(bytes) / 1e6, "MB"),
        beside: "the last alone", ratio, limit: 1.25),
      .seconds("an import that repeats all", repeated, beside: import12, first),
      Cost("chunks that it writes", "\(written)", beside: "one", Double(written), limit: 0),
      .seconds("the thirteenth month", next, beside: import12, first),
      .seconds("undo of the sixth of them", undo, beside: import12, first),
    ]
  }

  /// The list of deletions, with 100,000 samples kept out of a later export.
  static func deletions(_ place: StorePlace) async throws -> [Cost] {
    let count = place.count(1_000_000)
    let store = try place.store()
    try StorePlace.add(0..<count, to: store, exported: 800_000_000)
    let start = StorePlace.origin + Double(count / 2) * 60
    try store.delete(
      .samples(StorePlace.steps), in: start..<start + Double(count / 10) * 60)
    try StorePlace.add(0..<count, telling: 1, to: store, exported: 801_000_000)
    let reading = try await Clock.processor.seconds {
      keep(try store.samples(of: StorePlace.steps))
    }
    var out = 0
    let listing = try await Clock.processor.seconds {
      out = try store.deletions().reduce(0) { $0 + $1.keptOut.values.reduce(0, +) }
    }
    return [.seconds("deletions, with \(out) out", listing, beside: "reading the samples", reading)]
  }

  /// A million samples saved, 100,000 a call.
  static func saves(_ place: StorePlace) async throws -> [Cost] {
    let count = place.count(1_000_000)
    let (store, other) = (try place.store(), try place.store())
    let part = (count + 9) / 10
    let batches = (0..<10).map { StorePlace.samples($0 * part..<($0 + 1) * part) }
    let saving = try await Clock.processor.seconds {
      for batch in batches { try store.save(batch) }
    }
    let importing = try await Clock.processor.seconds {
      try StorePlace.add(0..<10 * part, to: other, exported: 800_000_000)
    }
    return [.seconds("\(10 * part) samples saved", saving, beside: "an import", importing)]
  }

  /// A sync of a million samples, then one of ten changes.
  static func sync(_ place: StorePlace) async throws -> [Cost] {
    let count = place.count(1_000_000)
    let (store, other) = (try place.store(), try place.store())
    try StorePlace.add(0..<count, to: store, exported: 800_000_000)
    let first = try await Clock.processor.seconds { _ = try store.synchronise(with: other) }
    for change in 0..<5 {
      try store.save(StorePlace.samples(count + change..<count + change + 1))
      let start = StorePlace.origin + Double(change * count / 6) * 60
      try other.delete(.samples(StorePlace.steps), in: start..<start + 86_400)
    }
    let next = try await Clock.processor.seconds { _ = try store.synchronise(with: other) }
    return [.seconds("a sync of ten changes", next, beside: "the first one", first)]
  }

  /// Questions to 10 million samples whose pages are not in memory.
  static func questions(_ place: StorePlace) async throws -> [Cost] {
    let count = place.count(10_000_000)
    let store = try place.store()
    try StorePlace.add(0..<count, to: store, exported: 1_400_000_000)
    _ = try StorePlace.bytes(of: store)
    var costs: [Cost] = []
    for (name, isDay) in [("all by hour", false), ("one day by hour", true)] {
      var plan = StatisticsPlan(type: StorePlace.steps, timeZone: .gmt)
      plan.interval = CalendarInterval(.hour)
      if isDay {
        plan.from = try QueryDate("2021-01-01", in: .gmt, now: 0)
        plan.to = try QueryDate("2021-01-02", in: .gmt, now: 0)
      }
      func ask() async throws -> Double {
        try await Clock.wall.seconds {
          let reader = try SampleStore(path: store.path, mode: .readOnly)
          guard try reader.statistics(plan).intervals.count > 0 else {
            throw ProblemError("The store has no answer.")
          }
        }
      }
      var (cold, warm) = (Times(), Times())
      for _ in 0..<5 {
        try StorePlace.forget(store)
        cold.seconds.append(try await ask())
        warm.seconds.append(try await ask())
      }
      costs.append(
        .seconds(
          "\(name), of \(count) samples, cold", cold.median, beside: "in the cache", warm.least))
    }
    return costs
  }
}
