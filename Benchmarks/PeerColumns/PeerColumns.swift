import Foundation

/// Our side of the comparison with other tools' interval statistics.
///
///     peer-columns write FOLDER COUNT    makes the samples: times.i64 and values.f64
///     peer-columns measure FOLDER        times our statistics of those; writes ours-*.f64
///
/// `measure` prints interval, zone, way and seconds with tabs between, a line for each way.
@main
struct PeerColumns {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "write", let count = Int(arguments[3]), count > 0 {
      try PeerSamples.write(count: count, to: URL(filePath: arguments[2]))
    } else if arguments.count == 3, arguments[1] == "measure" {
      try PeerMeasurement(folder: URL(filePath: arguments[2])).run()
    } else {
      FileHandle.standardError.write(
        Data("usage: peer-columns write FOLDER COUNT | measure FOLDER\n".utf8))
      exit(64)
    }
  }
}
