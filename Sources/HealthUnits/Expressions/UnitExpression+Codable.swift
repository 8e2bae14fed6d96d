extension UnitExpression: Codable {
  private static let mark = "ucum:"

  /// Writes HealthKit's string, or `ucum:` and UCUM's code for a unit that HealthKit cannot
  /// express.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let text = description
    let isHealthKit = (try? UnitExpression(text)) == self
    try container.encode(isHealthKit ? text : Self.mark + self.text(in: .ucum))
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` with the `UnitError` under it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(UnitError) {
      self =
        text.hasPrefix(Self.mark)
        ? try UnitExpression(String(text.dropFirst(Self.mark.count)), dialect: .ucum)
        : try UnitExpression(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }
}
