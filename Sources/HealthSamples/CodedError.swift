public import HealthUnits

/// An error with a word for programs and a sentence for people.
///
/// It encodes itself as an object with `code` and `message`. The code stays when sentences change.
public protocol CodedError: Error, Encodable, CustomStringConvertible {
  /// What can go wrong.
  associatedtype Reason

  /// What went wrong.
  var reason: Reason { get }
}

extension CodedError {
  /// The name of the reason, and after a point that of the reason below it: `unknownType`,
  /// `store.locked`.
  public var reasonCode: String {
    let mirror = Mirror(reflecting: reason)
    guard let (name, value) = mirror.children.first, let name else { return "\(reason)" }
    // Several values of a case are one tuple.
    let values = [value] + Mirror(reflecting: value).children.map(\.value)
    let below = values.lazy.compactMap { $0 as? any CodedError }.first
    return below.map { "\(name).\($0.reasonCode)" } ?? name
  }

  /// Encodes `code` and `message`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodedErrorMember.self)
    try members.encode(reasonCode, forKey: .code)
    try members.encode(description, forKey: .message)
  }
}

/// The members of an encoded error.
private enum CodedErrorMember: String, CodingKey {
  case code, message
}

extension UnitError: CodedError {}
