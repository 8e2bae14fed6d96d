import Floors
import Foundation

/// What an import is compared with: a plain read of a file, or an XML parser over it.
///
///     import-floor read|expat|libxml2 FILE
///
/// Prints the bytes read, or the records counted.
@main
struct ImportFloor {
  static func main() {
    let arguments = CommandLine.arguments
    let count =
      switch (arguments.count, arguments.dropFirst().first) {
      case (3, "read"): floor_count_bytes(arguments[2])
      case (3, "expat"): floor_count_records(arguments[2])
      case (3, "libxml2"): floor_count_records_libxml2(arguments[2])
      default: -1
      }
    guard count >= 0 else {
      FileHandle.standardError.write(Data("usage: import-floor read|expat|libxml2 FILE\n".utf8))
      exit(64)
    }
    print(count)
  }
}
