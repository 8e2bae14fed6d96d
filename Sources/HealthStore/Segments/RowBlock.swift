/// The columns of one decoded block of rows, and room to work in.
///
/// It owns plain memory because a merge reads single cells of it tens of millions of times.
final class RowBlock {
  static let capacity = PackedIntegers.blockCount

  let starts = Column<Double>.allocate(capacity: capacity)
  let ends = Column<Double>.allocate(capacity: capacity)
  let values = Column<Double>.allocate(capacity: capacity)
  let created = Column<Double>.allocate(capacity: capacity)
  /// Values in the canonical unit, for whoever fills them in.
  let canonical = Column<Double>.allocate(capacity: capacity)
  /// Values as they were recorded, where `values` are converted.
  let recorded = Column<Double>.allocate(capacity: capacity)
  let labels = Column<UInt32>.allocate(capacity: capacity)
  let origins = Column<UInt32>.allocate(capacity: capacity)
  let metadata = Column<UInt32>.allocate(capacity: capacity)
  let copies = Column<UInt32>.allocate(capacity: capacity)
  let numbers = Column<Int64>.allocate(capacity: capacity)
  let otherNumbers = Column<Int64>.allocate(capacity: capacity)

  typealias Column<Element> = UnsafeMutableBufferPointer<Element>

  init() {
    for column in [starts, ends, values, created, canonical, recorded] {
      column.initialize(repeating: 0)
    }
    for column in [labels, origins, metadata, copies] { column.initialize(repeating: 0) }
    for column in [numbers, otherNumbers] { column.initialize(repeating: 0) }
  }

  deinit {
    for column in [starts, ends, values, created, canonical, recorded] { column.deallocate() }
    for column in [labels, origins, metadata, copies] { column.deallocate() }
    for column in [numbers, otherNumbers] { column.deallocate() }
  }
}

extension UnsafeMutableBufferPointer {
  /// The first `count` elements.
  func first(_ count: Int) -> Self { Self(rebasing: self[..<count]) }
}
