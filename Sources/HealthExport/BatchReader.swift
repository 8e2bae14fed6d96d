public import HealthSamples

/// Reads a file of health data batch by batch; there is one reader for each format.
///
/// ```swift
/// while let batch = try reader.next() {
///   try session.add(batch)
/// }
/// ```
///
/// No damage inside the file is an error: what is complete is delivered, the rest is counted in
/// the ``summary``. Memory must not grow with the file.
public protocol BatchReader: ~Copyable {
  /// Which program wrote the file.
  var format: ImportFormat { get }
  /// When the file was written, in seconds since 2001-01-01 UTC, as far as it has been read and
  /// says so.
  var exported: Double? { get }
  /// The size of the data in bytes, as the file or the archive states it; 0 when unknown.
  var byteCount: Int { get }
  /// How much has been read, in bytes, for showing progress.
  var bytesRead: Int { get }
  /// What has been seen so far; complete after ``next()`` has returned `nil`.
  var summary: ExportSummary { get }

  /// The next batch, `nil` at the end, also at that of a file that was cut.
  ///
  /// - Throws: ``ExportError`` when the file cannot be read on. What was given before must then
  ///   not be kept either.
  mutating func next() throws(ExportError) -> ExportBatch?
}
