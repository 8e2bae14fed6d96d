/// The kind of device of a source, as used by the default order of sources.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
  /// An Apple Watch, or another watch.
  case watch
  /// Another device that is worn, such as a ring.
  case wearable
  /// An iPhone, or another phone.
  case phone
  /// Anything else, third-party apps included.
  case other

  /// Recognises a device by `model:` or `hardware:` of its description, or by a `name:` that says
  /// what kind of device it is, as in backups of Health Connect; otherwise by the source's name.
  ///
  /// - Parameters:
  ///   - device: the description in the form of `HKDevice`, which may be empty
  ///   - sourceName: the name of the source, used only when the description is not recognised
  public init(device: String, sourceName: String) {
    let fields = Device.fields(in: device)
    func value(_ field: Device.Field) -> String? { fields.first { $0.field == field }?.value }
    let known =
      [value(.model), value(.hardwareVersion)].compactMap { $0.map(Self.kind(of:)) }
      + [value(.name).flatMap(Self.kind(named:))].compactMap(\.self)
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

  /// The kind of a device whose name is one of ``names``; `nil` for the name of one device.
  private static func kind(named name: String) -> DeviceKind? {
    names.first { $0.value.contains(name) }?.key
  }

  /// The names that stand for any device of a kind.
  private static let names: [DeviceKind: Set<String>] = [
    .watch: ["watch"], .phone: ["phone"],
    .wearable: [
      "ring", "fitness band", "chest strap", "head-mounted display", "glasses", "hearable",
    ],
  ]
}
