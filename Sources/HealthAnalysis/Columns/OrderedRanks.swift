/// The elements of a very long list at a few ranks, without keeping the list.
///
/// Each pass over the list counts what lies below a bracket around each rank and keeps what lies
/// within, or a random share of it when that is too much: that share gives the next, narrower
/// bracket. The result is that of sorting the list, to the last bit.
struct OrderedRanks {
  /// How many numbers a bracket keeps.
  private let capacity: Int
  private var brackets: [Bracket]

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - ranks: the ranks, from 0
  ///   - count: the length of the list
  ///   - capacity: how many numbers are kept for each rank
  ///   - sample: some elements of the list, at random; may be empty
  init(_ ranks: [Int], of count: Int, capacity: Int, sample: [Double]) {
    self.capacity = max(4, capacity)
    let sorted = sample.sorted()
    brackets = ranks.map { rank in
      var bracket = Bracket(rank: rank)
      bracket.narrow(to: sorted, share: Double(rank) / Double(max(1, count)))
      return bracket
    }
  }

  /// Whether every rank is found.
  var isDone: Bool { brackets.allSatisfy { $0.answer != nil } }

  /// The elements at the ranks, as far as they are found.
  var answers: [Double?] { brackets.map(\.answer) }

  /// Prepares for a pass over the list.
  mutating func beginPass() {
    for index in brackets.indices { brackets[index].beginPass() }
  }

  /// Takes the next elements of the list. - Complexity: O(elements)
  mutating func add(_ elements: [Double], count: Int) {
    for index in brackets.indices where brackets[index].answer == nil {
      brackets[index].add(elements, count: count, capacity: capacity)
    }
  }

  /// Draws conclusions from a pass.
  mutating func endPass() {
    for index in brackets.indices where brackets[index].answer == nil {
      brackets[index].endPass()
    }
  }
}

/// The numbers around one rank.
private struct Bracket {
  let rank: Int
  private(set) var answer: Double?
  /// Where the element is known to lie, both ends included.
  private var floor = -Double.infinity
  private var ceiling = Double.infinity
  /// Where it is looked for in this pass, both ends included.
  private var low = -Double.infinity
  private var high = Double.infinity
  private var below = 0
  private var within = 0
  private var kept: [Double] = []
  /// Numbers within are kept whose random bits have none of these.
  private var mask: UInt64 = 0
  private var random: UInt64

  init(rank: Int) {
    self.rank = rank
    random = 0x9E37_79B9_7F4A_7C15 &* (UInt64(truncatingIfNeeded: rank) | 1)
  }

  mutating func beginPass() {
    below = 0
    within = 0
    mask = 0
    kept.removeAll(keepingCapacity: true)
  }

  mutating func add(_ elements: [Double], count: Int, capacity: Int) {
    let (low, high) = (low, high)
    var below = 0
    for index in 0..<count {
      let element = elements[index]
      below += element < low ? 1 : 0
      if element >= low, element <= high { keep(element, capacity: capacity) }
    }
    self.below += below
  }

  private mutating func keep(_ element: Double, capacity: Int) {
    within += 1
    guard nextRandom() & mask == 0 else { return }
    if kept.count >= capacity {
      mask = mask << 1 | 1
      let all = kept
      kept.removeAll(keepingCapacity: true)
      for other in all where nextRandom() & 1 == 0 { kept.append(other) }
    }
    kept.append(element)
  }

  /// Marsaglia's xorshift: which numbers are kept only decides how many passes there are.
  private mutating func nextRandom() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random >> 20
  }

  mutating func endPass() {
    if rank < below {
      (ceiling, low, high) = (low.nextDown, floor, low.nextDown)
    } else if rank >= below + within {
      (floor, low, high) = (high.nextUp, high.nextUp, ceiling)
    } else {
      (floor, ceiling) = (low, high)
      if low == high {
        answer = low
      } else if kept.count == within {
        answer = kept.sorted()[rank - below]
      } else {
        narrow(to: kept.sorted(), share: (Double(rank - below) + 0.5) / Double(within))
      }
    }
  }

  /// Looks between the order statistics of a sample that lie four standard deviations of a
  /// binomial count from the share; numbers of the sample lie between floor and ceiling.
  mutating func narrow(to sorted: [Double], share: Double) {
    guard !sorted.isEmpty else { return }
    let count = Double(sorted.count)
    let margin = 4 * (count * share * (1 - share)).squareRoot() + 1
    let from = Int((share * count - margin).rounded(.down))
    let to = Int((share * count + margin).rounded(.up))
    if from > 0 { low = max(floor, sorted[min(from, sorted.count - 1)]) }
    if to < sorted.count - 1 { high = min(ceiling, sorted[max(to, 0)]) }
    if low == floor, high == ceiling {
      // A small sample: one of its numbers at least divides the rest.
      low = sorted[min(Int(share * count), sorted.count - 1)]
      high = low
    }
  }
}
