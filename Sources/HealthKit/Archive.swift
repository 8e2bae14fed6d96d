// How the classes of the module read and write archives: keys are property names, numbers keep their
// bits, and what is missing or of another class makes the decoding initializer return nil.

extension NSCoder {
  func encodeDate(_ date: Date?, _ key: String) {
    guard let date else { return }
    encode(date.timeIntervalSinceReferenceDate, forKey: key)
  }

  func decodeDate(_ key: String) -> Date? {
    decodeNumber(key).flatMap { $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil }
  }

  func decodeNumber(_ key: String) -> Double? {
    containsValue(forKey: key) ? decodeDouble(forKey: key) : nil
  }

  func decodeWhole(_ key: String) -> Int? {
    containsValue(forKey: key) ? decodeInteger(forKey: key) : nil
  }

  func encodeText(_ text: String?, _ key: String) {
    guard let text else { return }
    encode(text as NSString, forKey: key)
  }

  func decodeText(_ key: String) -> String? {
    decodeOne(NSString.self, key).map { String(describing: $0) }
  }

  func decodeOne<Object: NSObject & NSSecureCoding>(_ type: Object.Type, _ key: String) -> Object? {
    // Reading a key that is not there would be an error of the archive.
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }

  func encodeMany(_ objects: [some NSObject], _ key: String) {
    encode(NSArray(array: objects), forKey: key)
  }

  func decodeMany<Object: NSObject & NSSecureCoding>(
    _ type: Object.Type, _ key: String
  ) -> [Object]? {
    guard containsValue(forKey: key) else { return nil }
    let list = decodeObject(of: [NSArray.self, Object.self], forKey: key)
    guard let list = list as? NSArray else { return nil }
    let objects = list.compactMap { $0 as? Object }
    return objects.count == list.count ? objects : nil
  }

  func encodeMetadata(_ metadata: [String: Any]?, _ key: String) {
    guard let metadata else { return }
    let dictionary = NSMutableDictionary()
    for (key, value) in metadata {
      switch value {
      case let text as String: dictionary[key as NSString] = text as NSString
      case let date as Date: dictionary[key as NSString] = date as NSDate
      case let object as NSObject: dictionary[key as NSString] = object
      default: if let number = NSNumber(metadata: value) { dictionary[key as NSString] = number }
      }
    }
    encode(dictionary, forKey: key)
  }

  func decodeMetadata(_ key: String) -> [String: Any]? {
    guard containsValue(forKey: key) else { return nil }
    let classes: [AnyClass] = [
      NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, HKQuantity.self,
    ]
    guard let dictionary = decodeObject(of: classes, forKey: key) as? NSDictionary else {
      return nil
    }
    var metadata: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let key = key as? String else { return nil }
      metadata[key] = value
    }
    return metadata
  }
}

extension NSCoder {
  /// Writes columns of one length as the bit patterns of their numbers, the least significant byte
  /// first.
  func encodeColumns(_ columns: [[Double]], _ key: String) {
    var bytes = Data(capacity: columns.count * (columns.first?.count ?? 0) * 8)
    for number in columns.joined() {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    encode(bytes as NSData, forKey: key)
  }

  /// Reads a number of columns; `nil` when the bytes are not those of columns of one length.
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
