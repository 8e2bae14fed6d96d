/// Limits of memory, time and disk space for malicious files.
///
/// Real exports are far below the standard limits: text of 4 GB, elements of some megabytes.
public struct ImportLimits: Sendable, Hashable {
  /// The longest text, in bytes; protects against decompression bombs.
  public var textBytes: Int
  /// The longest element; a longer one is skipped and counted.
  public var elementBytes: Int
  /// The most rows in memory before batches are delivered.
  public var bufferedRows: Int
  /// The most bytes of names, devices and metadata in memory before batches are delivered.
  public var rememberedBytes: Int

  /// The longest other file that is read as a whole.
  static let sideFileBytes = 1 << 24
  /// The most bytes of such files in total; a file may be referenced more than once.
  static let allSideFileBytes = 1 << 32

  /// Limits for every known export: 64 GiB of text, 64 MiB per element.
  public static let standard = ImportLimits()

  /// Makes limits; each is raised to its minimum.
  public init(
    textBytes: Int = 1 << 36, elementBytes: Int = 1 << 26, bufferedRows: Int = 3 << 17,
    rememberedBytes: Int = 1 << 24
  ) {
    self.textBytes = max(0, textBytes)
    self.elementBytes = max(1024, elementBytes)
    self.bufferedRows = max(1024, bufferedRows)
    self.rememberedBytes = max(1024, rememberedBytes)
  }
}
