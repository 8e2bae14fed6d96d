import Foundation

/// The words of a command line.
public struct Options {
  /// Those that no option has taken.
  public private(set) var rest: [String]

  /// Those of this process.
  public init() { rest = Array(CommandLine.arguments.dropFirst()) }

  /// Whether an option without a value is there.
  public mutating func flag(_ name: String) -> Bool {
    guard let place = rest.firstIndex(of: name) else { return false }
    rest.remove(at: place)
    return true
  }

  /// The value after an option.
  public mutating func value(_ name: String) -> String? {
    guard let place = rest.firstIndex(of: name), place + 1 < rest.count else { return nil }
    defer { rest.removeSubrange(place...place + 1) }
    return rest[place + 1]
  }

  /// Says how a program is used, and ends it.
  public static func fail(_ usage: String) -> Never {
    FileHandle.standardError.write(Data("usage: \(usage)\n".utf8))
    exit(64)
  }
}
