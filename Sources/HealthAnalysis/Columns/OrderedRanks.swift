/// The elements of a very long list at a few ranks, without keeping the list.
///
/// Each pass over the list counts what lies below a bracket around each rank and keeps what lies
/// within, or a random share of it when that is too much: that share gives the next, narrower
/// bracket. The result is that of sorting the list, to the last bit.
struct OrderedRanks {
  /// How many numbers a bracket keeps.
  private let capacity: Int
  private var brackets: [Bracket]
  /// From the lowest to the highest end of the brackets of this pass.
  private var low = -Double.infinity
  private var high = Double.infinity

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
    let open = brackets.filter { $0.answer == nil }
    low = open.map(\.low).min() ?? .infinity
    high = open.map(\.high).max() ?? -.infinity
  }

  /// Takes the next elements of the list. - Complexity: O(elements)
  ///
  /// One loop looks which elements lie in any bracket; it does not branch, and the pointers spare the
  /// checks of indices. For 20,000 points this takes a tenth of the time.
  ///
  /// - Parameters:
  ///   - elements: the elements
  ///   - room: as many places as elements and one more, without meaning afterwards
  mutating func add(
    _ elements: UnsafeBufferPointer<Double>, room: UnsafeMutableBufferPointer<Double>
  ) {
    let (low, high) = (low, high)
    var below = 0
    for element in elements { below &+= element < low ? 1 : 0 }
    var found = 0
    for element in elements {
      room[found] = element
      found &+= (element >= low ? 1 : 0) & (element <= high ? 1 : 0)
    }
    for index in brackets.indices where brackets[index].answer == nil {
      brackets[index].add(
        UnsafeMutableBufferPointer(rebasing: room[..<found]), below: below, capacity: capacity)
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
  private(set) var low = -Double.infinity
  private(set) var high = Double.infinity
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

  /// Takes elements, and the number of those that lie below all brackets.
  mutating func add(
    _ elements: UnsafeMutableBufferPointer<Double>, below: Int, capacity: Int
  ) {
    self.below += below
    for element in elements where element <= high {
      if element < low {
        self.below += 1
      } else {
        within += 1
        keep(element, capacity: capacity)
      }
    }
  }

  private mutating func keep(_ element: Double, capacity: Int) {
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
