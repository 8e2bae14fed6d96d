/// The origin of a record besides its source: version and device, without the memory address, and where
/// an app saved it.
public struct Origin: Sendable, Hashable {
  /// The version of the app or system that wrote the record; empty when not recorded.
  public let sourceVersion: String
  /// The device description without its memory address; empty when not recorded.
  public let device: String
  /// The product on which an app saved the record, such as `iPhone14,5`; empty when not recorded, as in
  /// exports.
  public let productType: String
  /// The version of its operating system, such as `17.1.0`; empty when not recorded.
  public let operatingSystem: String
  /// Index of the set of exports that contain the record, in a store; 0 outside of one.
  package var memberSet: UInt32 = 0
  /// Which of several rows of one time and value of a file it is, in a store; 0 outside of one.
  package var ordinal: UInt32 = 0

  /// Makes an origin; `device` must not contain its memory address.
  public init(
    sourceVersion: String = "", device: String = "", productType: String = "",
    operatingSystem: String = ""
  ) {
    self.sourceVersion = sourceVersion
    self.device = device
    self.productType = productType
    self.operatingSystem = operatingSystem
  }
}
