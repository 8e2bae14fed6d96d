import Foundation

/// Which seconds count.
public enum Clock: Sendable {
  /// Those that pass.
  case wall
  /// Those that processors work for this process and for the children it waited for.
  case processor

  /// Seconds since some moment.
  public var now: Double {
    switch self {
    case .wall: return Self.read(CLOCK_MONOTONIC)
    case .processor:
      var usage = rusage()
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
      return Self.read(CLOCK_PROCESS_CPUTIME_ID) + Self.seconds(usage.ru_utime)
        + Self.seconds(usage.ru_stime)
    }
  }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
  }

  /// How many seconds work takes.
  public func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let begin = now
    try await work()
    return now - begin
  }
}
