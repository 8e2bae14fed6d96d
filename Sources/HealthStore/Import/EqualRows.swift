import HealthLedger
import HealthSamples

/// The records of one time and value of a file, to find out how many samples they are.
///
/// Records are copies of one sample if all that identifies them is equal: value as recorded, unit,
/// version, device and metadata. Only their dates of creation may differ. The samples are numbered
/// in the order of value and words, which depends on nothing else: the *k*-th of one file is the
/// *k*-th of another one that tells of them in other words.
struct EqualRows<Row> {
  /// Copies of one sample.
  struct Sample {
    /// The copy whose payload is preferred.
    fileprivate(set) var row: Row
    /// The number of top-level records.
    fileprivate(set) var copies: Int
    /// The number of records inside other elements that were added.
    fileprivate(set) var nested: Int
    /// Whether a top-level record is repeated inside another element.
    fileprivate(set) var isRepeated: Bool
    /// Which of the samples of this time and value it is.
    fileprivate(set) var ordinal: UInt32
    fileprivate let key: RowKey
    fileprivate var payload: Payload
  }

  private var places: [Identity: Int] = [:]
  private var samples: [Sample] = []
  private let keepsOrdinals: Bool
  /// The number of the first sample.
  private let first: UInt32
  private var textBytes = 0

  /// Whether there are more records than memory should hold: the rest is another part of the same
  /// time and value, whose numbers go on.
  var isFull: Bool { samples.count >= 1 << 14 || textBytes > 4 << 20 }

  /// The number of the first sample of a part that follows.
  var next: UInt32 { first + UInt32(samples.count) }

  /// What identifies a record besides its times.
  private struct Identity: Hashable {
    let value: UInt64
    let ordinal: UInt32
    let words: Payload?
  }

  /// With `keepsOrdinals` records are rows of a store: they have their numbers, which identify them
  /// whatever their words.
  init(keepsOrdinals: Bool, from first: UInt32 = 0) {
    (self.keepsOrdinals, self.first) = (keepsOrdinals, first)
  }

  /// Adds a record, or several copies, with the number of copies in a run.
  mutating func add(_ row: Row, _ key: RowKey, _ payload: Payload, copies: RunCopies) {
    let nested = copies.count == 0 ? 1 : 0
    var key = key
    if !keepsOrdinals { key.ordinal = 0 }
    let identity = Identity(
      value: key.canonical.bitPattern, ordinal: key.ordinal, words: keepsOrdinals ? nil : payload)
    guard let place = places[identity] else {
      places[identity] = samples.count
      textBytes += payload.textBytes
      samples.append(
        Sample(
          row: row, copies: copies.count, nested: nested,
          isRepeated: copies.isRepeated || nested > 0, ordinal: key.ordinal, key: key,
          payload: payload))
      return
    }
    samples[place].copies += copies.count
    samples[place].nested += nested
    samples[place].isRepeated = samples[place].isRepeated || copies.isRepeated || nested > 0
    if payload.isPreferred(to: samples[place].payload) {
      (samples[place].row, samples[place].payload) = (row, payload)
    }
  }

  /// The samples in the order of chunks.
  ///
  /// If these are all records of their time and value, those inside other elements that equal no
  /// top-level one tell of the other top-level ones, in their order: only what is left of them
  /// counts, as if it were top-level.
  consuming func ordered(areAll: Bool) -> [Sample] {
    samples.sort { $0.key != $1.key ? $0.key < $1.key : $0.payload < $1.payload }
    if areAll {
      var told = samples.indices.filter { samples[$0].copies > 0 && !samples[$0].isRepeated }[...]
      var repeated: Set<Int> = []
      for place in samples.indices where samples[place].copies == 0 {
        if let same = told.popFirst() {
          samples[same].nested = samples[place].nested
          repeated.insert(place)
        } else {
          samples[place].copies = 1
          samples[place].nested -= 1
        }
      }
      samples = samples.indices.filter { !repeated.contains($0) }.map { samples[$0] }
    }
    if !keepsOrdinals {
      for place in samples.indices { samples[place].ordinal = first + UInt32(place) }
    }
    return samples
  }
}

/// The number of copies of a row of a run: 0 for a record that is only inside other elements.
///
/// The highest bit says whether one is inside another element besides.
struct RunCopies {
  let column: UInt32
  private static let repeated: UInt32 = 1 << 31

  init(column: UInt32) { self.column = column }

  init(_ count: Int, isRepeated: Bool) {
    let count = UInt32(clamping: min(count, Int(Self.repeated) - 1))
    column = count | (isRepeated && count > 0 ? Self.repeated : 0)
  }

  var count: Int { Int(column & ~Self.repeated) }
  var isRepeated: Bool { column & Self.repeated != 0 }
  /// Whether no record is inside another element.
  var isWhole: Bool { column > 0 && !isRepeated }
}

/// A table of origins to which those of numbered rows are added.
struct NumberedOrigins {
  private(set) var table: [Origin]
  /// By the entry, and in the upper half the number.
  private var places: [UInt64: UInt32] = [:]

  init(_ table: [Origin]) { self.table = table }

  /// The index of an entry for rows with a number.
  mutating func index(of origin: UInt32, ordinal: UInt32) -> UInt32 {
    if table[Int(origin)].ordinal == ordinal { return origin }
    let key = UInt64(origin) | UInt64(ordinal) << 32
    if let known = places[key] { return known }
    let index = UInt32(table.count)
    table.append(table[Int(origin)])
    table[Int(index)].ordinal = ordinal
    places[key] = index
    return index
  }
}
