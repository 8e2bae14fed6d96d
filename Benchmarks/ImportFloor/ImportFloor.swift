import Floors
import Harness

/// What an import is compared with: a plain read of a file, or an XML parser over it.
///
///     import-floor read|expat|libxml2 FILE
///
/// Prints the bytes read, or the records counted.
@main
struct ImportFloor {
  static func main() {
    let words = Options().rest
    let count =
      switch (words.count, words.first) {
      case (2, "read"): floor_count_bytes(words[1])
      case (2, "expat"): floor_count_records(words[1])
      case (2, "libxml2"): floor_count_records_libxml2(words[1])
      default: -1
      }
    guard count >= 0 else { Options.fail("import-floor read|expat|libxml2 FILE") }
    print(count)
  }
}
