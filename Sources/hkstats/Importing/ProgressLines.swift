import HealthExchange

/// Objects on stderr, one a line, that say how far an import is: one a second, one for each phase,
/// and a last one.
///
/// ```
/// {"phase":"reading","path":"export.zip","bytesRead":81920,"bytesTotal":901120,"samples":512,"seconds":1.003}
/// ```
struct ProgressLines {
  private let path: String
  private let write: (String) -> Void
  private let now: () -> ContinuousClock.Instant
  private let started: ContinuousClock.Instant
  private var latest: ImportProgress?
  private var written: (phase: ImportProgress.Phase, time: ContinuousClock.Instant)?

  init(
    path: String, write: @escaping (String) -> Void = StandardError.write,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    (self.path, self.write, self.now) = (path, write, now)
    started = now()
  }

  /// Writes a line if a second has passed, or another phase has begun.
  mutating func update(_ progress: ImportProgress) {
    latest = progress
    let time = now()
    if let written, written.phase == progress.phase, time - written.time < .seconds(1) { return }
    written = (progress.phase, time)
    line(progress.phase.rawValue)
  }

  /// Writes the last line.
  func end(_ phase: String) { line(phase) }

  private func line(_ phase: String) {
    let seconds = (now() - started) / .milliseconds(1)
    let total = latest.flatMap { $0.byteCount > 0 ? $0.byteCount : nil }
    write(
      JSON.object([
        .init("phase", .string(phase)), .init("path", .string(path)),
        .init("bytesRead", .integer(latest?.bytesRead ?? 0)),
        .init("bytesTotal", total.map(JSON.integer) ?? .null),
        .init("samples", .integer(latest?.sampleCount ?? 0)),
        .init("seconds", .number(seconds.rounded() / 1000)),
      ]).text + "\n")
  }
}
