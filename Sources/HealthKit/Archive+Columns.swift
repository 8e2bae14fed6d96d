// Further forms of archives. Columns are the bit patterns of the numbers, least significant byte first.

extension NSCoder {
  /// Writes columns of one length.
  func encodeColumns(_ columns: [[Double]], _ key: String) {
    var bytes = Data(capacity: columns.count * (columns.first?.count ?? 0) * 8)
    for number in columns.joined() {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    encode(bytes as NSData, forKey: key)
  }

  /// Reads so many columns; `nil` when the bytes are not those of columns of one length.
  func decodeColumns(_ count: Int, _ key: String) -> [[Double]]? {
    guard let bytes = decodeBytes(key), bytes.count % (8 * count) == 0 else { return nil }
    let length = bytes.count / (8 * count)
    return bytes.withUnsafeBytes { buffer in
      (0..<count).map { column in
        (0..<length).map { row in
          let pattern = buffer.loadUnaligned(
            fromByteOffset: (column * length + row) * 8, as: UInt64.self)
          return Double(bitPattern: UInt64(littleEndian: pattern))
        }
      }
    }
  }

  /// Reads a quantity; `nil` for one that does not measure what a unit does.
  func decodeQuantity(_ key: String, in unit: HKUnit) -> HKQuantity? {
    decodeOne(HKQuantity.self, key).flatMap { $0.is(compatibleWith: unit) ? $0 : nil }
  }

  /// Reads data.
  func decodeBytes(_ key: String) -> Data? {
    decodeOne(NSData.self, key).map { Data(referencing: $0) }
  }

  /// Writes an interval.
  func encodeInterval(_ interval: DateInterval?, _ key: String) {
    guard let interval else { return }
    encodeColumns(
      [[interval.start.timeIntervalSinceReferenceDate], [interval.duration]], key)
  }

  /// Reads an interval.
  func decodeInterval(_ key: String) -> DateInterval? {
    guard let columns = decodeColumns(2, key), let start = columns[0].first,
      let duration = columns[1].first, start.isFinite, duration >= 0
    else { return nil }
    return DateInterval(
      start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
  }

  /// Writes constants of an enumeration by their raw values.
  func encodeCases<Constant: RawRepresentable<Int>>(_ constants: [Constant], _ key: String) {
    encode(NSArray(array: constants.map { NSNumber(value: $0.rawValue) }), forKey: key)
  }

  /// Reads constants; `nil` when one is not of the enumeration.
  func decodeCases<Constant: RawRepresentable<Int>>(
    _ type: Constant.Type, _ key: String
  ) -> [Constant]? {
    guard let numbers = decodeMany(NSNumber.self, key) else { return nil }
    let constants = numbers.compactMap { type.init(rawValue: $0.intValue) }
    return constants.count == numbers.count ? constants : nil
  }
}
