import Harness

/// Measures the floor of a problem and its ways in turns, in slices of some milliseconds, and keeps
/// the least of each: other work on the machine lengthens slices, but hardly ever all of them.
///
/// What counts is the time of processors, not that on the wall.
struct Turns {
  /// The least seconds of the floor, then of each way.
  private(set) var least: [Double]

  private let ways: [Way]
  /// How often a slice does the work of each way, and how many of these count.
  private let calls: [(made: Int, counted: Int)]
  private let rounds: Int

  private static let sliceSeconds = 3e-3
  /// The seconds of a batch of rounds for each way, and the fewest rounds that it has.
  private static let batchSeconds = 0.35
  private static let fewestRounds = 5

  /// Does everything once, which fills caches and shows how long it takes.
  ///
  /// With `isSlowed` ours does 1.5 times the work: of six calls four count.
  init(_ problem: Problem, rounds: Int, isSlowed: Bool) async throws {
    ways = [problem.floor] + problem.ways
    self.rounds = rounds
    var calls: [(made: Int, counted: Int)] = []
    for way in ways {
      try await way.prepare?()
      let once = try await Clock.wall.seconds(way.work)
      let count = way.prepare == nil ? max(1, Int(Self.sliceSeconds / max(once, 1e-7))) : 1
      calls.append(isSlowed && !calls.isEmpty ? (6 * count, 4 * count) : (count, count))
    }
    self.calls = calls
    least = ways.map { _ in .infinity }
  }

  /// Measures a batch of rounds.
  mutating func measure() async throws {
    let end = Clock.wall.now + Self.batchSeconds * Double(ways.count)
    for round in 0..<rounds where round < Self.fewestRounds || Clock.wall.now < end {
      for index in ways.indices {
        let seconds = try await slice(of: ways[index], calls: calls[index].made)
        least[index] = min(least[index], seconds / Double(calls[index].counted))
      }
    }
  }

  private func slice(of way: Way, calls: Int) async throws -> Double {
    guard let prepare = way.prepare else {
      return try await Clock.processor.seconds {
        for _ in 0..<calls { try await way.work() }
      }
    }
    var seconds = 0.0
    for _ in 0..<calls {
      try await prepare()
      seconds += try await Clock.processor.seconds(way.work)
    }
    return seconds
  }
}
