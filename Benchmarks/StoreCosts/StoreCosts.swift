import Foundation
import Harness
import Samples

/// What a store costs as it grows older: single saves and deletions, months of exports, deletions,
/// questions and syncs.
///
///     store-costs FOLDER [--scale 1] [--limits] [BENCH…]
///
/// Prints one line per bench: its time, and the ratio of this to the time of its reference. Fails when
/// a ratio is above its limit. `--scale 0.05` takes a twentieth of the samples, `--limits` only the benches that
/// have a limit. The seconds are those of the processor, without waiting for the disk, but those of
/// questions, which pass.
@main
struct StoreCosts {
  private static let widths = [-54, 10, 28, 8, 6, 6]

  static func main() async throws {
    var options = Options()
    let scale = options.value("--scale").map { Double($0) ?? 0 } ?? 1
    let hasLimit = options.flag("--limits")
    guard let folder = options.rest.first, scale > 0,
      Set(Bench.all.map(\.name)).isSuperset(of: options.rest.dropFirst())
    else {
      Options.fail(
        "store-costs FOLDER [--scale 1] [--limits] [BENCH…]; benches: "
          + Bench.all.map(\.name).joined(separator: ", "))
    }
    let place = try StorePlace(folder: folder, scale: scale)
    let names = options.rest.dropFirst()
    print(Line.of(["", "took", "beside", "ratio", "limit", ""], widths: widths))
    var failed = 0
    for bench in Bench.all
    where (names.isEmpty || names.contains(bench.name)) && (bench.hasLimit || !hasLimit) {
      for cost in try await bench.costs(place) {
        let isAbove = cost.limit.map { cost.ratio > $0 } ?? false
        if isAbove { failed += 1 }
        print(
          Line.of(
            [
              cost.name, cost.figure, cost.floor, Line.number(cost.ratio, digits: 3),
              cost.limit.map { "\($0)" } ?? "-", isAbove ? "ABOVE" : "",
            ], widths: widths))
        fflush(nil)
      }
    }
    place.remove()
    if failed > 0 { print("\(failed) above the limit") }
    exit(failed == 0 ? 0 : 1)
  }
}

/// What something costs, and beside what.
struct Cost {
  let name: String
  let figure: String
  let floor: String
  let ratio: Double
  var limit: Double?

  init(
    _ name: String, _ figure: String, beside floor: String, _ ratio: Double, limit: Double? = nil
  ) {
    (self.name, self.figure, self.floor, self.ratio) = (name, figure, floor, ratio)
    self.limit = limit
  }

  /// The seconds of one thing beside those of another.
  static func seconds(
    _ name: String, _ seconds: Double, beside floor: String, _ other: Double, limit: Double? = nil
  ) -> Cost {
    let figure =
      seconds < 0.1 ? Line.number(seconds * 1e3, "ms") : Line.number(seconds, digits: 2, "s")
    return Cost(name, figure, beside: floor, seconds / other, limit: limit)
  }
}

/// Costs that are measured together.
struct Bench: Sendable {
  let name: String
  let hasLimit: Bool
  let costs: @Sendable (StorePlace) async throws -> [Cost]

  static let all = [
    Bench(name: "singles", hasLimit: true, costs: singles),
    Bench(name: "metadata", hasLimit: true, costs: metadata),
    Bench(name: "months", hasLimit: true, costs: months),
    Bench(name: "deletions", hasLimit: false, costs: deletions),
    Bench(name: "saves", hasLimit: false, costs: saves),
    Bench(name: "sync", hasLimit: false, costs: sync),
    Bench(name: "questions", hasLimit: false, costs: questions),
  ]
}
