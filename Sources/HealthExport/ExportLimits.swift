/// Bounds that keep a hostile file from taking all memory, time or disk.
///
/// Real exports stay far below the standard limits: text of 4 GB, elements of some megabytes.
public struct ExportLimits: Sendable, Hashable {
  /// The longest text that is read, in bytes; the guard against archives that unpack without end.
  public var textBytes: Int
  /// The longest element that is read; a longer one is skipped and counted.
  public var elementBytes: Int
  /// How many rows wait in memory before batches are handed out.
  public var bufferedRows: Int
  /// How many bytes of names, devices and metadata are remembered before batches are handed out.
  public var rememberedBytes: Int

  /// The longest file beside the text that is read whole.
  static let sideFileBytes = 1 << 24
  /// How much of such files is read in all; a file may be named more than once.
  static let allSideFileBytes = 1 << 32

  /// The limits that suit every export known: 64 GiB of text, 64 MiB an element.
  public static let standard = ExportLimits()

  /// Makes limits; each is raised to the least value that works.
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
