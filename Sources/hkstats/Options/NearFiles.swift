import Foundation
import HealthExchange
import HealthSamples

/// The files whose names are near that of an export that is not there.
enum NearFiles {
  /// Up to three paths in the same folder, the nearest first; pages and what cannot be read are none.
  static func of(_ path: String) -> [String] {
    let typed = TypedPath(path)
    // Any two names of one character are near.
    guard typed.name.count > 1 else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: typed.place)) ?? []
    let known = names.filter { !$0.hasPrefix(".") && !ExportDestination.isPage($0) }.sorted()
      .prefix(most).filter { typed.folder + $0 != path && access(typed.folder + $0, R_OK) == 0 }
    return NearNames.of(typed.name, among: known).map { typed.folder + $0 }
  }

  /// The most names that are compared, so that a full folder takes no time.
  private static let most = 10_000
}
