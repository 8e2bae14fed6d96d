/// The seconds of one way to do something, measured again and again.
public struct Times: Sendable {
  /// In the order in which they were measured.
  public var seconds: [Double]

  /// Begins with none, or with those already measured.
  public init(_ seconds: [Double] = []) { self.seconds = seconds }

  /// The least, which other work on the machine disturbed least; infinite when there is none.
  public var least: Double { seconds.min() ?? .infinity }

  /// The middle one.
  public var median: Double { percentile(50) }

  /// A percentile; not a number when nothing was measured.
  public func percentile(_ percent: Int) -> Double {
    guard !seconds.isEmpty else { return .nan }
    return seconds.sorted()[min(seconds.count - 1, seconds.count * percent / 100)]
  }

  /// The times on the wall of several ways, which take turns, so that all meet the same load of the machine.
  public static func inTurns(
    _ rounds: Int, _ ways: [() async throws -> Void]
  ) async throws -> [Times] {
    var times = ways.map { _ in Times() }
    for _ in 0..<rounds {
      for (index, way) in ways.enumerated() {
        times[index].seconds.append(try await Clock.wall.seconds(way))
      }
    }
    return times
  }
}

/// Takes a result, so that no work for it is left out.
@inline(never)
@_optimize(none)
public func keep<Result>(_ result: Result) {}
