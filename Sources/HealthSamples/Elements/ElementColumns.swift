/// Rows of one kind of element, on their way into a store or out.
///
/// Such rows are few and large, so each stands by itself; only long series inside one (places of
/// a route, voltages) are columns.
public protocol ElementColumns: Sendable, Hashable {
  /// One element.
  associatedtype Row: Sendable, Hashable
  /// The kind of all rows.
  static var kind: ElementKind { get }
  /// The elements, in any order on their way in; out of a store by start, end and name.
  var rows: [Row] { get set }
  /// No rows.
  init()
}

extension ElementColumns {
  /// Columns of these rows.
  public init(_ rows: [Row]) {
    self.init()
    self.rows = rows
  }

  /// The number of rows. - Complexity: O(1)
  public var count: Int { rows.count }
}
