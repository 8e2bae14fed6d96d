internal import HealthSamples

/// An app or a device that makes objects.
///
/// Two sources are equal when their bundle identifiers and names are. Exports have no bundle
/// identifiers: imported sources have those that phones give to devices and to entries by hand.
open class HKSource: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The source as the store has it.
  let core: Source
  private let identifier: String

  init(_ core: Source) {
    self.core = core
    identifier = Self.identifier(of: core)
  }

  /// The identifier of a source: that of an app, else `com.apple.Health` for what a person entered, and
  /// `com.apple.health.` with a UUID for a device.
  ///
  /// The UUID follows from the name, which is all that tells imported sources apart.
  private static func identifier(of core: Source) -> String {
    if !core.bundleIdentifier.isEmpty { return core.bundleIdentifier }
    if core.isUserEntered { return "com.apple.Health" }
    var identities = IdentityGenerator(
      from: core.matchingName.precomposedStringWithCanonicalMapping)
    return "com.apple.health.\(identities.next().uuidString)"
  }

  /// Whether the source is that of an import under its name, by hand or not.
  func isImported(byHand: Bool) -> Bool {
    identifier == Self.identifier(of: Source(name: core.name, isUserEntered: byHand))
  }

  /// Reads a source from an archive.
  public required init?(coder: NSCoder) {
    guard let name = coder.decodeText("name"), let bundle = coder.decodeText("bundleIdentifier")
    else { return nil }
    core = Source(
      name: name, bundleIdentifier: bundle, isUserEntered: coder.decodeBool(forKey: "isUserEntered")
    )
    identifier = Self.identifier(of: core)
  }

  /// Writes the source.
  open func encode(with coder: NSCoder) {
    coder.encodeText(name, "name")
    coder.encodeText(core.bundleIdentifier, "bundleIdentifier")
    coder.encode(core.isUserEntered, forKey: "isUserEntered")
  }

  /// Sources are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The source itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The source of what this program makes: the app of ``HealthHost/current``.
  open class func `default`() -> HKSource { HealthHost.revision.source }

  /// The name that a person sees.
  open var name: String { core.name }

  /// The identifier of the app; of a source from an export `com.apple.health.` with a UUID, or
  /// `com.apple.Health` for what a person entered.
  open var bundleIdentifier: String { identifier }

  /// Whether the object is the same source.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKSource else { return false }
    return self === other
      || bundleIdentifier == other.bundleIdentifier && core.matchingName == other.core.matchingName
  }

  /// Hashes the bundle identifier and the name.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(bundleIdentifier)
    hasher.combine(core.matchingName)
    return hasher.finalize()
  }

  /// The name and the bundle identifier.
  open override var description: String { "\(name) (\(bundleIdentifier))" }
}

/// A source with the versions that it had when it made an object.
open class HKSourceRevision: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let ownSource: HKSource
  private let ownVersion: String?
  private let product: String?
  private let system: OperatingSystemVersion

  /// Makes a revision that stands for those of all products and operating systems in predicates.
  public convenience init(source: HKSource, version: String?) {
    self.init(
      source: source, version: version, productType: HKSourceRevisionAnyProductType,
      operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
  }

  /// Makes a revision.
  public init(
    source: HKSource, version: String?, productType: String?,
    operatingSystemVersion: OperatingSystemVersion
  ) {
    ownSource = source
    ownVersion = version
    product = productType
    system = operatingSystemVersion
  }

  /// Reads a revision from an archive.
  public required init?(coder: NSCoder) {
    guard let source = coder.decodeOne(HKSource.self, "source"),
      let major = coder.decodeWhole("major"), let minor = coder.decodeWhole("minor"),
      let patch = coder.decodeWhole("patch")
    else { return nil }
    ownSource = source
    ownVersion = coder.decodeText("version")
    product = coder.decodeText("productType")
    system = OperatingSystemVersion(majorVersion: major, minorVersion: minor, patchVersion: patch)
  }

  /// Writes the revision.
  open func encode(with coder: NSCoder) {
    coder.encode(source, forKey: "source")
    coder.encodeText(version, "version")
    coder.encodeText(productType, "productType")
    coder.encode(operatingSystemVersion.majorVersion, forKey: "major")
    coder.encode(operatingSystemVersion.minorVersion, forKey: "minor")
    coder.encode(operatingSystemVersion.patchVersion, forKey: "patch")
  }

  /// Revisions are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The revision itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The source.
  open var source: HKSource { ownSource }

  /// The version of the app.
  open var version: String? { ownVersion }

  /// The product on which the object was saved, such as `Watch6,1`; `nil` when not known.
  open var productType: String? { product }

  /// The version of the operating system; 0.0.0 when not known.
  open var operatingSystemVersion: OperatingSystemVersion { system }

  private var fields: [AnyHashable] {
    [
      source, version, productType, operatingSystemVersion.majorVersion,
      operatingSystemVersion.minorVersion, operatingSystemVersion.patchVersion,
    ]
  }

  /// Whether the object has the same source and versions.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKSourceRevision).map { $0 === self || $0.fields == fields } ?? false
  }

  /// Hashes source and versions.
  open override var hash: Int { fields.hashValue }

  /// The revision of this program: its bundle identifier, or its name where it has none.
  static let program = HKSourceRevision(
    source: HKSource(
      Source(
        name: ProcessInfo.processInfo.processName,
        bundleIdentifier: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)),
    version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
    productType: nil, operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)
}

/// A device that measures.
open class HKDevice: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The text of the device in exports and stores.
  let text: String
  private let core: Device

  /// Makes a device; a field that is `nil` is not known.
  public convenience init(
    name: String?, manufacturer: String?, model: String?, hardwareVersion: String?,
    firmwareVersion: String?, softwareVersion: String?, localIdentifier: String?,
    udiDeviceIdentifier UDIDeviceIdentifier: String?
  ) {
    self.init(
      Device(
        name: name, manufacturer: manufacturer, model: model, hardwareVersion: hardwareVersion,
        firmwareVersion: firmwareVersion, softwareVersion: softwareVersion,
        localIdentifier: localIdentifier, udiDeviceIdentifier: UDIDeviceIdentifier))
  }

  init(_ core: Device) {
    self.core = core
    text = core.description
  }

  /// The device of a text of an export; one that does not parse is the name.
  init(text: String) {
    self.text = text
    core = Device(text) ?? Device(name: text)
  }

  /// Reads a device from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("device") else { return nil }
    self.text = text
    core = Device(text) ?? Device(name: text.isEmpty ? nil : text)
  }

  /// Writes the device.
  open func encode(with coder: NSCoder) { coder.encodeText(text, "device") }

  /// Devices are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The device itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// This machine: its architecture, and the version of its operating system.
  open class func local() -> HKDevice { localDevice }

  private static let localDevice: HKDevice = {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    #if arch(x86_64)
    let architecture = "x86_64"
    #elseif arch(arm64)
    let architecture = "arm64"
    #else
    let architecture: String? = nil
    #endif
    return HKDevice(
      name: nil, manufacturer: nil, model: "Linux", hardwareVersion: architecture,
      firmwareVersion: nil, softwareVersion: version.words, localIdentifier: nil,
      udiDeviceIdentifier: nil)
  }()

  /// The name that a person gave.
  open var name: String? { core.name }
  /// Who made the device.
  open var manufacturer: String? { core.manufacturer }
  /// The model, such as `Watch`.
  open var model: String? { core.model }
  /// The hardware version, such as `Watch6,1`.
  open var hardwareVersion: String? { core.hardwareVersion }
  /// The firmware version.
  open var firmwareVersion: String? { core.firmwareVersion }
  /// The software version.
  open var softwareVersion: String? { core.softwareVersion }
  /// An identifier that only the writing app understands.
  open var localIdentifier: String? { core.localIdentifier }
  /// The device identifier of its UDI.
  open var udiDeviceIdentifier: String? { core.udiDeviceIdentifier }

  /// Whether the object has the same fields.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKDevice).map { $0 === self || $0.core == core } ?? false
  }

  /// Hashes the fields.
  open override var hash: Int { core.hashValue }

  /// The fields as exports write them.
  open override var description: String { text }
}
