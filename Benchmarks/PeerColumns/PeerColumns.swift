import Foundation
import Harness

/// Our side of the comparison with other tools' interval statistics.
///
///     peer-columns write FOLDER COUNT    makes the samples: times.i64 and values.f64
///     peer-columns measure FOLDER        times our statistics of those; writes ours-*.f64
///
/// `measure` prints interval, zone, way and seconds with tabs between, a line for each way.
@main
struct PeerColumns {
  static func main() async throws {
    let words = Options().rest
    if words.count == 3, words[0] == "write", let count = Int(words[2]), count > 0 {
      try PeerSamples.write(count: count, to: URL(filePath: words[1]))
    } else if words.count == 2, words[0] == "measure" {
      try await PeerMeasurement(folder: URL(filePath: words[1])).run()
    } else {
      Options.fail("peer-columns write FOLDER COUNT | measure FOLDER")
    }
  }
}
