import Harness
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
  private static let widths = [-62, 9, 7, 8, 5, 7, 5, 7, 6]

  static func main() async throws {
    var options = Options()
    let rounds = options.value("--rounds").map { Int($0) ?? 0 } ?? 7
    let counts = options.rest.compactMap { Int($0) }.filter { $0 > 0 }
    guard rounds > 0, counts.count == options.rest.count else {
      Options.fail("statistics-scaling [--rounds N] [COUNT ...]")
    }
    print("nanoseconds a sample, and times the floor")
    print(
      Line.of(
        ["question", "samples", "floor", "1 thread", "×", "all", "×", "naive", "×"],
        widths: widths))
    let sizes = counts.isEmpty ? [1_000_000, 10_000_000, 100_000_000] : counts
    for question in StatisticsProblem.Question.allCases {
      for count in sizes {
        let problem = try StatisticsProblem.checked(question, count: count)
        let times = try await Times.inTurns(
          rounds,
          [
            { keep(problem.onePass()) }, { keep(try problem.ours(threads: 1)) },
            { keep(try problem.ours()) }, { keep(problem.naive()) },
          ])
        report(question.rawValue, count: count, times.map(\.median))
      }
    }
    for question in QuestionProblem.Question.allCases {
      for count in sizes {
        let problem = try QuestionProblem.checked(question, count: count)
        let edges = try problem.edges()
        let times = try await Times.inTurns(
          rounds,
          [
            { keep(problem.onePass()) }, { keep(try problem.ours()) },
            { keep(problem.naive(edges: edges)) },
          ])
        report(
          question.rawValue, count: count,
          [times[0].median, nil, times[1].median, times[2].median])
      }
    }
  }

  private static func report(_ question: String, count: Int, _ seconds: [Double?]) {
    let times = seconds.map { $0.map { $0 * 1e9 / Double(count) } }
    let floor = times[0] ?? .nan
    let cells = times.dropFirst().flatMap { time in
      [time, time.map { $0 / floor }].map { $0.map { Line.number($0) } ?? "-" }
    }
    print(Line.of([question, "\(count)", Line.number(floor)] + cells, widths: widths))
  }
}
