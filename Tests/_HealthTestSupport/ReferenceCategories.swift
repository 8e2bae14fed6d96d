public import HealthSamples

/// The slow twin of the time of category values: asks of each second who counts.
public struct ReferenceCategories {
  private let rows: [SampleColumns.Row]
  private let order: [Source]
  /// Lists of values that exclude each other, the first counts.
  private let lists: [[Double]]

  /// `rows` have whole seconds as times; `order` lists every source from the highest rank down.
  public init(rows: [SampleColumns.Row], order: [Source], lists: [[Double]]) {
    self.rows = rows.sorted { ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value) }
    self.order = order
    self.lists = lists
  }

  /// What one value has of one source in an interval.
  public struct Amount: Equatable {
    public var seconds = 0
    public var count = 0
  }

  /// What a value has of each source in `[start, end)`, in the order of belief.
  public func amounts(of value: Double, from start: Int, to end: Int) -> [Amount] {
    var owned = [Set<Int>](repeating: [], count: order.count)
    var amounts = [Amount](repeating: Amount(), count: order.count)
    for second in start..<end {
      let time = Double(second)
      let open = rows.indices.filter { rows[$0].start <= time && time + 1 <= rows[$0].end }
      if let owner = best(of: open, for: value), rows[owner].value == value {
        amounts[rank(owner)].seconds += 1
        owned[rank(owner)].insert(owner)
      }
      let there = rows.indices.filter { rows[$0].start <= time && time <= rows[$0].end }
      if let owner = best(of: there, for: value), rows[owner].value == value,
        rows[owner].start == time, rows[owner].end == time
      {
        owned[rank(owner)].insert(owner)
      }
    }
    for rank in order.indices { amounts[rank].count = owned[rank].count }
    return amounts
  }

  /// The row that owns a moment among those that are open, as far as a value is concerned.
  private func best(of open: [Int], for value: Double) -> Int? {
    let list = lists.first { $0.contains(value) }
    let competing = open.filter { row in
      if let list { return list.contains(rows[row].value) }
      return !lists.contains { $0.contains(rows[row].value) }
    }
    return competing.min { left, right in
      (rank(left), place(left, list, value), left) < (rank(right), place(right, list, value), right)
    }
  }

  private func place(_ row: Int, _ list: [Double]?, _ value: Double) -> Int {
    list?.firstIndex(of: rows[row].value) ?? (rows[row].value == value ? 0 : 1)
  }

  private func rank(_ row: Int) -> Int { order.firstIndex(of: rows[row].source) ?? order.count }
}
