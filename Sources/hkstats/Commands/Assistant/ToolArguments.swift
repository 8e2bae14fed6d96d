import HealthExchange
import HealthQuery
import HealthSamples

/// The arguments of a call.
struct ToolArguments {
  let members: [String: JSONValue]
  /// The JSON text of the object.
  let text: [UInt8]
  /// The message, in which the ranges of the members lie.
  let message: [UInt8]

  /// Refuses members that a tool does not have.
  func check(_ known: [String]) throws(QueryError) {
    for name in members.keys.sorted() where !known.contains(name) {
      throw QueryError(
        .unknownWord(.member, name, suggestions: NearNames.of(name, among: known), known: known))
    }
  }

  /// Refuses that a member is missing.
  func require(_ name: String) throws(QueryError) {
    guard let value = members[name], !value.isNull else {
      throw QueryError(.missingMember(name))
    }
  }

  /// A text; `nil` where it is left out or null.
  func text(_ name: String) throws(QueryError) -> String? {
    guard let value = members[name], !value.isNull else { return nil }
    guard let text = value.text else { throw QueryError(.wrongMember(name, .text)) }
    return text
  }

  /// Whether a member is true; not where it is left out or null.
  func truth(_ name: String) throws(QueryError) -> Bool {
    guard let value = members[name], !value.isNull else { return false }
    guard case .truth(let truth) = value.content else {
      throw QueryError(.wrongMember(name, .truth))
    }
    return truth
  }

  /// A whole number from 1 to a limit; `nil` where it is left out or null.
  func count(_ name: String, upTo limit: Int) throws -> Int? {
    guard let value = members[name], !value.isNull else { return nil }
    guard case .number = value.content,
      let count = Int(String(decoding: message[value.range], as: UTF8.self)), count >= 1
    else { throw QueryError(.wrongMember(name, .count)) }
    guard count <= limit else {
      throw Failure("\(name) is at most \(NumberText.grouped(limit)).", .usage)
    }
    return count
  }
}
