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
    let list = decodeObject(of: [NSArray.self] + Object.archivedClasses, forKey: key)
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

extension NSObject {
  /// The class, which an archive of objects may hold, with those that stand inside.
  fileprivate static var archivedClasses: [AnyClass] { [self] }
}
