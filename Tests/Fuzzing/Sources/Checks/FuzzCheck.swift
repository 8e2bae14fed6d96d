/// What is read from any bytes: one of the kinds of file that people have, or units.
public enum FuzzSubject: String, CaseIterable, Sendable {
  case xml, zip, gpx, ecg, json, csv, connect, units

  /// The kinds of file.
  public static let files = allCases.filter { $0 != .units }
}

/// Reads any bytes as a subject and throws if what is read breaks a promise.
public struct FuzzCheck: Sendable {
  private let file: FileCheck?

  public init(of subject: FuzzSubject) throws {
    file = subject == .units ? nil : try FileCheck(of: subject)
  }

  public func check(_ input: [UInt8]) throws {
    if let file {
      try file.check(input)
    } else {
      try UnitCheck.check(String(decoding: input, as: UTF8.self))
    }
  }
}

/// A promise about what is read that does not hold.
public struct BrokenPromise: Error, CustomStringConvertible {
  public let description: String

  /// Throws unless a promise holds.
  static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws(Self) {
    if !holds { throw Self(description: description()) }
  }
}
