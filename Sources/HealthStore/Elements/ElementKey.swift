import HealthLedger
import HealthSamples

/// The identity of an element across exports, which is not unique: several elements may have the
/// same key.
struct ElementKey: Hashable {
  /// What distinguishes elements of one kind and time: an activity, a type, an identifier.
  var name: String
  /// The source; `nil` where the kind has none.
  var source: Source?
  var start: Double
  var end: Double
}

extension ElementKey: ToldKey {
  func isSame(as other: Self) -> Bool { self == other }

  func goesOn(after other: Self) -> Bool {
    (end, start, name) > (other.end, other.start, other.name)
  }
}

extension ElementKey: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.name != right.name { return left.name < right.name }
    guard let source = right.source else { return false }
    return left.source.map { $0 < source } ?? true
  }
}
