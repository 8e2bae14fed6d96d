import Foundation

/// One run of `hkstats` with what it took, ended when it takes too much.
struct MeasuredRun {
  let run: ProgramRun
  let seconds: Double
  /// The most bytes that it had in memory at a time.
  let peakBytes: Int

  private static let longestSeconds = 60.0
  private static let mostBytes = 2 << 30
  private static let interval: useconds_t = 2000

  init(_ arguments: [String], input: Data = Data()) throws {
    let scratch = try Scratch()
    try input.write(to: scratch.url("input"))
    let started = ContinuousClock.now
    let process = try ProgramRun.start("hkstats", arguments, in: scratch)
    let status = open("/proc/\(process.processIdentifier)/status", O_RDONLY | O_CLOEXEC)
    defer { close(status) }
    var peak = 0
    // What wait4 tells counts the memory of this process too, which started the other; this does not.
    while process.isRunning {
      peak = max(peak, Self.peak(status) ?? 0)
      if Self.seconds(since: started) > Self.longestSeconds || peak > Self.mostBytes {
        kill(process.processIdentifier, SIGKILL)
      }
      usleep(Self.interval)
    }
    process.waitUntilExit()
    seconds = Self.seconds(since: started)
    peakBytes = peak
    run = ProgramRun(
      exitCode: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: try scratch.text("output"), errors: try scratch.text("errors"))
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  /// The peak of resident memory (proc(5)); `nil` at the end of the process, and before it runs the
  /// program, when it still has the memory of this process.
  private static func peak(_ status: CInt) -> Int? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = pread(status, buffer.baseAddress, buffer.count, 0)
      let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
      guard text.hasPrefix("Name:\thkstats\n"), let label = text.firstRange(of: "VmHWM:") else {
        return nil
      }
      let number = text[label.upperBound...].drop { $0.isWhitespace }.prefix { $0.isNumber }
      return Int(number).map { $0 * 1024 }
    }
  }
}

/// What a long form did, in a line that can be quoted: printed after each step, for all so far.
struct SoakTally {
  private var files = 0
  private var bytes = 0
  private var ends: [String: Int] = [:]
  private var slowest = 0.0
  private var largest = 0

  mutating func add(bytes: Int, end: String, seconds: Double = 0, peakBytes: Int = 0) {
    files += 1
    self.bytes += bytes
    ends[end, default: 0] += 1
    slowest = max(slowest, seconds)
    largest = max(largest, peakBytes)
  }

  func line(_ what: String) -> String {
    let ends = ends.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(what): \(files) files, \(bytes / 1_000_000) MB, \(ends.joined(separator: ", ")); "
      + "the slowest took \(Int(slowest.rounded(.up))) s, the largest \(largest / 1_000_000) MB"
  }
}
