import Foundation
import HealthSamples

/// The files whose names are near that of one that is not there.
enum NearFiles {
  /// Up to three paths in the same folder, the nearest first.
  static func of(_ path: String) -> [String] {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return NearNames.of(name, among: names.filter { !$0.hasPrefix(".") }.sorted().prefix(most))
      .map { folder.isEmpty ? $0 : (folder as NSString).appendingPathComponent($0) }
  }

  /// The most names that are compared, so that a full folder takes no time.
  private static let most = 10_000
}
