import Foundation
import HealthStore

/// Reads every sample of a store and checks it against its checksum, for the checks in `.ci`.
///
///     store-verify FILE
///
/// Exits 0 when the store is whole, else 1.
@main
struct StoreVerify {
  static func main() {
    do {
      let path = CommandLine.arguments.dropFirst().first ?? ""
      try SampleStore(path: path, mode: .readOnly).verify()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}
