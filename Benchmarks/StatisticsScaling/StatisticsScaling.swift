import Foundation
import Samples

/// How the cost of statistics grows with the number of samples.
///
///     statistics-scaling [--rounds N] [COUNT ...]
///
/// Prints a line for each question and count (a million, ten, a hundred): nanoseconds a sample of
/// one pass over the columns, of our statistics on one thread and on all, and of the naive way.
/// Whole questions, merging and calendar included, take as many threads as they like. Each number
/// is the median of N rounds (7), which take turns. A hundred million samples need 6 GB.
@main
struct StatisticsScaling {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var rounds = 7
    if arguments.first == "--rounds", arguments.count > 1, let count = Int(arguments[1]), count > 0
    {
      rounds = count
      arguments.removeFirst(2)
    }
    let counts = arguments.compactMap { Int($0) }.filter { $0 > 0 }
    guard counts.count == arguments.count else {
      FileHandle.standardError.write(
        Data("usage: statistics-scaling [--rounds N] [COUNT ...]\n".utf8))
      exit(64)
    }
    print("nanoseconds a sample, and times the floor")
    print(line(["question", "samples", "floor", "1 thread", "×", "all", "×", "naive", "×"]))
    let sizes = counts.isEmpty ? [1_000_000, 10_000_000, 100_000_000] : counts
    for question in StatisticsProblem.Question.allCases {
      for count in sizes {
        let problem = try StatisticsProblem.checked(question, count: count)
        let times = try medians(
          rounds: rounds,
          [
            { keep(problem.onePass()) }, { keep(try problem.ours(threads: 1)) },
            { keep(try problem.ours()) }, { keep(problem.naive()) },
          ])
        report(question.rawValue, count: count, times)
      }
    }
    for question in QuestionProblem.Question.allCases {
      for count in sizes {
        let problem = try QuestionProblem.checked(question, count: count)
        let edges = try problem.edges()
        let times = try medians(
          rounds: rounds,
          [
            { keep(problem.onePass()) }, { keep(try problem.ours()) },
            { keep(problem.naive(edges: edges)) },
          ])
        report(question.rawValue, count: count, [times[0], nil, times[1], times[2]])
      }
    }
  }

  /// The median seconds of each of several ways, which take turns.
  private static func medians(
    rounds: Int, _ ways: [() throws -> Void]
  ) throws -> [Double?] {
    let times = try (0..<rounds).map { _ in try ways.map(seconds) }
    return ways.indices.map { way in times.map { $0[way] }.sorted()[rounds / 2] }
  }

  private static func report(_ question: String, count: Int, _ seconds: [Double?]) {
    let times = seconds.map { $0.map { $0 * 1e9 / Double(count) } }
    let floor = times[0] ?? .nan
    let cells = times.dropFirst().flatMap { time in
      [time, time.map { $0 / floor }].map { $0.map { String(format: "%.2f", $0) } ?? "-" }
    }
    print(line([question, "\(count)", String(format: "%.2f", floor)] + cells))
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, [-60, 10, 8, 9, 6, 8, 6, 8, 7]).map { cell, width in
      let space = String(repeating: " ", count: max(0, abs(width) - cell.count))
      return width < 0 ? cell + space : space + cell
    }.joined()
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  /// Takes a result, so that no work for it is left out.
  @inline(never)
  private static func keep<Result>(_ result: Result) {}
}
