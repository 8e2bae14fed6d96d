/// Elements of one kind, as readers deliver and stores return them.
///
/// They are few and large, so they are an array of rows; only long series inside them (locations of
/// a route, voltages) are columns.
public protocol Elements: Sendable, Hashable {
  /// One element.
  associatedtype Row: Sendable, Hashable
  /// The kind of all rows.
  static var kind: ElementKind { get }
  /// The elements: in any order for import; from a store by start, end and name.
  var rows: [Row] { get set }
  /// No rows.
  init()
}

extension Elements {
  /// Elements with these rows.
  public init(_ rows: [Row]) {
    self.init()
    self.rows = rows
  }

  /// The number of rows. - Complexity: O(1)
  public var count: Int { rows.count }
}
