public import _HealthTestSupport

/// A file that can be broken at random.
public struct Breakable: Sendable {
  /// What the file is called after the dot.
  public let suffix: String
  /// The whole file.
  public let bytes: [UInt8]
  /// What is in it, if it is an archive.
  private let entries: [ZipWriter.Entry]

  public init(_ suffix: String, _ bytes: [UInt8]) {
    self.suffix = suffix
    self.bytes = bytes
    entries = []
  }

  public init(_ entries: [ZipWriter.Entry]) {
    suffix = "zip"
    bytes = ZipWriter(entries).bytes
    self.entries = entries
  }

  /// The file with some damage: anywhere, or in an archive also in its headers, or in a file inside
  /// of it, whose checksum then is right.
  public func broken(using generator: inout SplitMix64) -> [UInt8] {
    guard !entries.isEmpty else { return Self.broken(bytes, &generator) }
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return Self.broken(bytes, &generator)
    case 1: return Self.withBrokenHeaders(bytes, &generator)
    default:
      var entries = entries
      let index = Int.random(in: 0..<entries.count, using: &generator)
      entries[index].content = Self.broken(entries[index].content, &generator)
      return ZipWriter(entries).bytes
    }
  }

  /// What a digit, a quote or a bracket becomes is what a reader stumbles over.
  private static let syntax =
    [
      "\"", "<", ">", "&", "0", "9", "-", "e999", "\0", "\n", "/>", "'", "]]>", "<!--",
      "</HealthData>",
    ].map { Array($0.utf8) } + [[0xFF]]

  /// Does one to four things to bytes: flips, cuts, insertions, doubled, moved or shuffled stretches.
  private static func broken(_ whole: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
    var data = whole
    for _ in 0..<pick([1, 1, 1, 2, 4], &generator) {
      let place = Int.random(in: 0...data.count, using: &generator)
      let length = pick([1, 8, 100, 1000, 5000], &generator)
      let end = min(data.count, place + length)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        for _ in 0..<Int.random(in: 1..<30, using: &generator) where !data.isEmpty {
          let at = Int.random(in: 0..<data.count, using: &generator)
          data[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
      case 1: data.removeSubrange(place...)
      case 2: data.removeSubrange(place..<end)
      case 3:
        let stretch = data[place..<end]
        for _ in 0..<Int.random(in: 1..<4, using: &generator) {
          data.insert(contentsOf: stretch, at: place)
        }
      case 4:
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        data.insert(contentsOf: noise, at: place)
      case 5:
        let other = Int.random(in: 0...data.count, using: &generator)
        data.replaceSubrange(place..<end, with: data[other..<min(data.count, other + length)])
      case 6:
        let at = place..<min(data.count, place + 1)
        data.replaceSubrange(at, with: pick(syntax, &generator))
      default:
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        data = Array(lines.shuffled(using: &generator).joined(separator: [UInt8(ascii: "\n")]))
      }
    }
    return data
  }

  /// Changes numbers in the headers and the directory of an archive.
  private static func withBrokenHeaders(
    _ whole: [UInt8], _ generator: inout SplitMix64
  ) -> [UInt8] {
    var data = whole
    let headers = data.indices.dropLast(4).filter {
      data[$0] == UInt8(ascii: "P") && data[$0 + 1] == UInt8(ascii: "K")
        && [1, 3, 5, 7].contains(data[$0 + 2])
    }
    for _ in 0..<Int.random(in: 1..<4, using: &generator) {
      let place = pick(headers, &generator) + Int.random(in: 0..<46, using: &generator)
      let noise = ZipWriter.number(generator.next(), 4)
      let number = pick(
        [[0, 0, 0, 0], [255, 255, 255, 255], [255, 255], [1, 0], noise], &generator)
      let at = min(data.count - number.count, place)
      data.replaceSubrange(at..<at + number.count, with: number)
    }
    return data
  }

  private static func pick<Choice>(_ choices: [Choice], _ generator: inout SplitMix64) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }
}
