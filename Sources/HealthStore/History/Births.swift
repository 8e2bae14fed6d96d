import GRDB
internal import _HealthNumerics

/// The serials under which rows first came, for those that count again.
///
/// A row that returns has a new serial, so that whoever asks for what is new gets it, and its old
/// UUID, which follows from the first serial.
struct Births {
  private struct Run {
    var first: Int64
    var count: Int64
    var birth: Int64
  }

  /// In ascending order of serials.
  private var runs: [Run] = []

  /// Reads them, with those of a transaction that is not committed.
  ///
  /// - Complexity: O(*n* log *n*) for *n* runs of rows that returned
  init(_ database: Database, _ revision: Revision? = nil) throws {
    runs = try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT firstSerial, count, firstBirth FROM returns ORDER BY firstSerial")
    ).map { row in
      let (first, count, birth): (Int64, Int64, Int64) = try row.values()
      let run = Run(first: first, count: count, birth: birth)
      guard run.first > 0, run.birth > 0, run.count > 0,
        max(run.first, run.birth) <= .max - run.count
      else { throw Corruption() }
      return run
    }
    for (serial, birth) in revision?.returns ?? [] {
      runs.append(Run(first: serial, count: 1, birth: birth))
    }
    runs.sort { $0.first < $1.first }
  }

  var isEmpty: Bool { runs.isEmpty }

  /// The first serial of a row.
  ///
  /// - Complexity: O(log *n*)
  func birth(of serial: Int64) -> Int64 {
    let next = runs.partitioningIndex { $0.first > serial }
    guard next > 0, serial - runs[next - 1].first < runs[next - 1].count else { return serial }
    return runs[next - 1].birth + serial - runs[next - 1].first
  }

  /// The last serial of a row, from its first one.
  ///
  /// - Complexity: O(*n*)
  func serial(ofBirth birth: Int64) -> Int64 { serials(ofBirths: [birth])[0] }

  /// The last serials of rows, from their first ones, in their order.
  ///
  /// - Complexity: O(*n* log *b*) for *b* rows, and O(1) each time that one of them returned
  func serials(ofBirths births: [Int64]) -> [Int64] {
    guard !runs.isEmpty else { return births }
    var serials = births
    let order = births.indices.sorted { births[$0] < births[$1] }
    for run in runs {
      let first = order.partitioningIndex { births[$0] >= run.birth }
      for index in order[first...] {
        guard births[index] - run.birth < run.count else { break }
        serials[index] = run.first + (births[index] - run.birth)
      }
    }
    return serials
  }
}

extension Database {
  /// Records rows that return: their serials and their first ones.
  func recordReturns(_ returns: [(serial: Int64, birth: Int64)]) throws {
    let runs = returns.sorted { $0.serial < $1.serial }
      .chunked { $1.serial == $0.serial + 1 && $1.birth == $0.birth + 1 }
    for run in runs {
      try insert(
        into: "returns", "firstSerial, count, firstBirth",
        [run[run.startIndex].serial, run.count, run[run.startIndex].birth])
    }
  }
}
