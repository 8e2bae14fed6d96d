public import HealthAnswers
public import HealthQuery

// The JSON of answers: what the command prints with --format json, with numbers as they were
// computed. Dates are texts in the zones of the answer.

extension QuestionAnswer: Encodable {
  /// Encodes the answer of one type as an object, of several as an array of them.
  public func encode(to encoder: any Encoder) throws {
    guard columns.count != 1 else { return try columns[0].encode(to: encoder) }
    try JSON.array(documents(asComputed: true).map(\.document)).encode(to: encoder)
  }
}

extension QuestionAnswer.Column: Encodable {
  /// Encodes the main number of each interval, or what is made of the intervals.
  public func encode(to encoder: any Encoder) throws {
    try document(asComputed: true).document.encode(to: encoder)
  }
}

extension StatisticsAnswer: Encodable {
  /// Encodes an object with the rules that were applied, and `intervals`.
  public func encode(to encoder: any Encoder) throws {
    try table(asComputed: true).document.encode(to: encoder)
  }
}

extension CategoryAnswer: Encodable {
  /// Encodes an object with the rules that were applied, and `intervals` with how long and how often
  /// each value was.
  public func encode(to encoder: any Encoder) throws {
    try table().document.encode(to: encoder)
  }
}
