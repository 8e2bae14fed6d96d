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
    let fields = Device.fields(in: device)
    let known = [Device.Field.model, .hardwareVersion].compactMap { field in
      fields.first { $0.field == field }.map { Self.kind(of: $0.value) }
    }
    if let kind = known.first(where: { $0 != .other }) ?? known.first {
      self = kind
    } else {
      let name = Source.matchingName(of: sourceName).lowercased()
      self = name.contains("watch") ? .watch : name.contains("iphone") ? .phone : .other
    }
  }

  /// Recognises the device of a source: an app, which has a bundle identifier, is none, whatever it
  /// calls itself and the device of its samples.
  ///
  /// The sources of devices have none in exports, and one that begins with `com.apple.health` on a
  /// phone.
  ///
  /// - Parameters:
  ///   - source: the source
  ///   - device: as for ``init(device:sourceName:)``
  public init(of source: Source, device: String) {
    let bundle = source.bundleIdentifier
    let isDevice =
      bundle.isEmpty || bundle == "com.apple.health" || bundle.hasPrefix("com.apple.health.")
    self = isDevice ? DeviceKind(device: device, sourceName: source.name) : .other
  }

  private static func kind(of value: String) -> DeviceKind {
    value.hasPrefix("Watch") ? .watch : value.hasPrefix("iPhone") ? .phone : .other
  }
}
