/// The kind of device of a source, as used by the default order of sources.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
  /// An Apple Watch.
  case watch
  /// An iPhone.
  case phone
  /// Anything else, third-party apps included.
  case other

  /// Recognises a device by `model:` or `hardware:` of its description, otherwise by the source's
  /// name.
  ///
  /// - Parameters:
  ///   - device: the description in the form of `HKDevice`, which may be empty
  ///   - sourceName: the name of the source, used only when the description is not recognised
  public init(device: String, sourceName: String) {
    if let kind = Self.kind(ofField: "model:", in: device)
      ?? Self.kind(ofField: "hardware:", in: device)
    {
      self = kind
    } else if Self.field("model:", in: device) ?? Self.field("hardware:", in: device) != nil {
      self = .other
    } else {
      let name = Source.matchingName(of: sourceName).lowercased()
      self = name.contains("watch") ? .watch : name.contains("iphone") ? .phone : .other
    }
  }

  private static func kind(ofField field: String, in device: String) -> DeviceKind? {
    guard let value = Self.field(field, in: device) else { return nil }
    return value.hasPrefix("Watch") ? .watch : value.hasPrefix("iPhone") ? .phone : nil
  }

  private static func field(_ name: String, in device: String) -> Substring? {
    for part in device.split(separator: ", ") where part.hasPrefix(name) {
      return part.dropFirst(name.count)
    }
    return nil
  }
}
