/// What a file of an export beside its text gives.
package enum SideFileContents<Value: Sendable>: Sendable {
  case value(Value)
  /// It is of another kind or damaged, perhaps first in a line, from 1.
  case unreadable(line: Int?)

  /// The value; unreadable without one.
  init(_ value: Value?) { self = value.map { .value($0) } ?? .unreadable(line: nil) }

  /// The value; `nil` if the file cannot be read.
  package var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}
