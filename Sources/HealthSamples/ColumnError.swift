/// Why columns cannot be made, and where.
///
/// It carries no measured value.
public struct ColumnError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// An edge of intervals is infinite or not a number.
    case edgeNotFinite
    /// An edge of intervals is not after the previous one.
    case edgesNotAscending
    /// There is one edge, which bounds no interval.
    case loneEdge
    /// The columns of one table have different lengths.
    case lengthsDiffer([Int])
    /// A start, end or value is infinite or not a number.
    case rowNotFinite
    /// A row ends before it starts.
    case endBeforeStart
    /// There are no tables to join, so the type of the result is unknown.
    case nothingToJoin
    /// Samples of one type cannot be joined with samples of another type, unit or style.
    case typesDiffer(SampleType, SampleType)
    /// A batch of records already has 65,536 different labels.
    case tooManyLabels
    /// A row refers to an entry that is not in its table.
    case noSuchEntry(table: String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The index of the edge, row or table that is wrong; `nil` when it concerns all.
  public let index: Int?

  /// Makes an error.
  public init(_ reason: Reason, index: Int? = nil) {
    self.reason = reason
    self.index = index
  }
}

extension ColumnError: CodedError {
  /// What is wrong, where, and what to do.
  public var description: String {
    let place = index.map { " \($0)" } ?? ""
    return switch reason {
    case .edgeNotFinite: "Edge\(place) of the intervals is infinite or not a number."
    case .edgesNotAscending:
      "Edge\(place) of the intervals is not after the edge before it. Give edges in ascending "
        + "order, each once."
    case .loneEdge: "One edge bounds no interval. Give two or more, or none for no interval."
    case .lengthsDiffer(let lengths):
      "The columns have different lengths: \(lengths.map(String.init).joined(separator: ", ")). "
        + "Give one entry for each row in every column."
    case .rowNotFinite: "Row\(place) has a number that is infinite or not a number. Leave it out."
    case .endBeforeStart: "Row\(place) ends before it starts."
    case .nothingToJoin: "There is nothing to join. Make empty columns with their type."
    case .typesDiffer(let type, let other):
      type == other
        ? "Columns\(place) of \(type.name) have another unit or style than the first. Convert them "
          + "before they are joined."
        : "Columns\(place) are of type \(other.name), the first are of type \(type.name). Join "
          + "columns of one type."
    case .tooManyLabels:
      "Row\(place) has one label more than the 65,536 that a batch holds. Begin another batch."
    case .noSuchEntry(let table): "Row\(place) refers to an entry that the \(table) does not have."
    }
  }
}
