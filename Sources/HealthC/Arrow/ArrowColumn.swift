import CHKStats
import HealthSamples

/// One column as Arrow has it: buffers that any number of arrays share.
///
/// Numbers are the storage of Swift's own arrays, without a copy.
final class ArrowColumn: Sendable {
  let count: Int
  let nullCount: Int
  /// The buffers of the layout, the validity bitmap first; `nil` for one that is left out.
  let buffers: [ArrowBuffer?]
  let children: [ArrowColumn]
  let dictionary: ArrowColumn?

  private init(
    count: Int, nullCount: Int = 0, buffers: [ArrowBuffer?], children: [ArrowColumn] = [],
    dictionary: ArrowColumn? = nil
  ) {
    (self.count, self.nullCount, self.buffers) = (count, nullCount, buffers)
    (self.children, self.dictionary) = (children, dictionary)
  }

  /// A column of fixed width.
  private convenience init<Value: BitwiseCopyable & Sendable>(_ values: [Value], _ known: [Bool]?) {
    self.init(
      count: values.count, nullCount: known.nullCount,
      buffers: [known.validity, ArrowBuffer(values)])
  }

  /// The rows of a table or of a list, as one column of structures.
  convenience init(rows count: Int, of columns: [ColumnValues]) {
    self.init(count: count, buffers: [nil], children: columns.map { ArrowColumn($0) })
  }

  /// Prepares the values of a column.
  ///
  /// - Complexity: O(1) for numbers without gaps, else O(rows)
  convenience init(_ values: ColumnValues) {
    switch values {
    case .reals(let values, let known): self.init(values, known)
    case .integers(let values, let known): self.init(values, known)
    case .truths(let values, let known):
      self.init(
        count: values.count, nullCount: known.nullCount,
        buffers: [known.validity, ArrowBuffer(bits: values)])
    case .instants(let instants, let known):
      self.init(Microseconds.column(of: instants), known)
    case .days(let days, let known):
      self.init(days.map { Int32(truncatingIfNeeded: $0 + Self.daysTo2001) }, known)
    case .words(let codes, let words):
      let hasGaps = codes.contains { $0 < 0 }
      let known = hasGaps ? codes.map { $0 >= 0 } : nil
      self.init(
        count: codes.count, nullCount: known.nullCount,
        buffers: [known.validity, ArrowBuffer(hasGaps ? codes.map { max($0, 0) } : codes)],
        dictionary: ArrowColumn(.texts(words)))
    case .texts(let texts): self.init(texts: texts)
    case .lists(let offsets, let columns):
      self.init(
        count: offsets.count - 1, buffers: [nil, ArrowBuffer(offsets)],
        children: [ArrowColumn(rows: Int(offsets.last ?? 0), of: columns)])
    }
  }

  private convenience init(texts: [String?]) {
    var offsets: [Int32] = [0]
    offsets.reserveCapacity(texts.count + 1)
    var bytes: [UInt8] = []
    for text in texts {
      if let text { bytes.append(contentsOf: text.utf8) }
      offsets.append(Int32(clamping: bytes.count))
    }
    let known = texts.contains(nil) ? texts.map { $0 != nil } : nil
    self.init(
      count: texts.count, nullCount: known.nullCount,
      buffers: [known.validity, ArrowBuffer(offsets), ArrowBuffer(bytes)])
  }

  /// The days from 1970-01-01, where Arrow begins, to 2001-01-01.
  private static let daysTo2001 =
    CivilDate(year: 2001, month: 1, day: 1).dayNumber
    - CivilDate(year: 1970, month: 1, day: 1).dayNumber
}

/// Memory that arrays of other languages read.
final class ArrowBuffer: @unchecked Sendable {
  /// Keeps the memory alive.
  private let owner: any Sendable
  let address: UnsafeRawPointer

  /// Shares the storage of an array.
  ///
  /// The storage of an array does not move, and is not freed, while a copy of the array is kept
  /// that never changes.
  init<Value: BitwiseCopyable & Sendable>(_ values: [Value]) {
    let address = values.withUnsafeBytes { $0.baseAddress }
    // Readers may refuse a missing buffer, even of no bytes.
    if let address, !values.isEmpty {
      (owner, self.address) = (values, address)
    } else {
      owner = 0
      self.address = UnsafeRawPointer(Self.nothing)
    }
  }

  /// Packs Booleans into bits, the least significant first.
  convenience init(bits: [Bool]) {
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index >> 3] |= 1 << (index & 7) }
    self.init(bytes)
  }

  private nonisolated(unsafe) static let nothing = {
    let room = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    room.initialize(to: 0)
    return room
  }()
}

extension [Bool]? {
  fileprivate var nullCount: Int { self?.count { !$0 } ?? 0 }

  /// The validity bitmap; `nil` where all rows have a value.
  fileprivate var validity: ArrowBuffer? {
    guard let self, self.contains(false) else { return nil }
    return ArrowBuffer(bits: self)
  }
}

/// Instants of the engine as Arrow's: microseconds since 1970-01-01 UTC, rounded once.
enum Microseconds {
  /// The microseconds from 1970 to 2001.
  private static let epoch: Int64 = 978_307_200_000_000
  /// Adding it rounds a number below 2^51 to a whole one, ties to even, in its lowest bits.
  private static let shift = 0x1.8p52

  /// Seconds since 2001-01-01 UTC as microseconds since 1970-01-01 UTC.
  ///
  /// - Complexity: O(*n*)
  static func column(of instants: [Double]) -> [Int64] {
    let isNear = instants.allSatisfy { ($0 * 1e6).magnitude < 0x1p51 }
    guard isNear else { return instants.map(distant) }
    return [Int64](unsafeUninitializedCapacity: instants.count) { room, count in
      instants.withUnsafeBufferPointer { instants in
        for index in instants.indices {
          let rounded = (instants[index] * 1e6 + shift).bitPattern &- shift.bitPattern
          room[index] = Int64(bitPattern: rounded) &+ epoch
        }
      }
      count = instants.count
    }
  }

  /// The same further from 2001 than 71 years.
  private static func distant(_ instant: Double) -> Int64 {
    let limit = Double(Int64.max / 2)
    let rounded = (instant * 1e6).rounded(.toNearestOrEven)
    return Int64(min(max(rounded.isNaN ? 0 : rounded, -limit), limit)) + epoch
  }
}
