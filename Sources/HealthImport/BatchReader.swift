public import HealthSamples

/// Reads a file of health data batch by batch; there is one reader for each format.
///
/// ```swift
/// while let batch = try reader.next() {
///   try session.add(batch)
/// }
/// ```
///
/// Damage inside the file is not an error: complete elements are delivered, the others are counted
/// in the ``summary``. Memory must not grow with the file.
public protocol BatchReader: ~Copyable {
  /// The program that wrote the file.
  var format: ImportFormat { get }
  /// When the file was written, in seconds since 2001-01-01 UTC, if this is stated in the part that
  /// has been read.
  var exported: Double? { get }
  /// The stated size of the data in bytes; 0 when unknown.
  var byteCount: Int { get }
  /// The number of bytes that have been read, for progress.
  var bytesRead: Int { get }
  /// The counts so far; complete after ``next()`` has returned `nil`.
  var summary: ExportSummary { get }

  /// The next batch, `nil` at the end, including the premature end of a truncated file.
  ///
  /// - Throws: ``ExportError`` when reading fails. Earlier batches must then be discarded, too.
  mutating func next() throws(ExportError) -> ImportBatch?
}
