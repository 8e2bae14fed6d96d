/// The correctly rounded mean of a curve over each interval.
///
/// Nothing is rounded on the way, not even the instants at which a held value ends. Pieces come in
/// the order of time, so one interval is open at a time.
struct ExactCurveTable {
  private let edges: [Dyadic]
  private let isEmpty: [Bool]
  private var closedMeans: [Double?]
  /// The interval at hand, and the curve in it.
  private var interval = 0
  private var integral = ExactSum()
  private var length = Dyadic(0)

  init(edges: IntervalEdges) {
    self.edges = edges.edges.map { Dyadic($0).reduced }
    isEmpty = zip(edges.edges, edges.edges.dropFirst()).map { $0 >= $1 }
    closedMeans = Array(repeating: nil, count: edges.count)
  }

  /// The mean height in each interval; `nil` where the curve has no length.
  var means: [Double?] {
    var table = self
    table.close()
    return table.closedMeans
  }

  /// Ends the interval at hand, if there is one.
  private mutating func close() {
    guard interval < closedMeans.count, !length.magnitude.isZero else { return }
    closedMeans[interval] = integral.quotient(by: length)
    integral = ExactSum()
    length = Dyadic(0)
  }

  /// Adds a piece to each interval that it meets.
  ///
  /// `integral` gives the integral over a part, as numerator and denominator.
  private mutating func add(
    from start: Dyadic, to end: Dyadic,
    _ integral: (_ start: Dyadic, _ end: Dyadic) -> (numerator: Dyadic, denominator: Dyadic)
  ) {
    while interval < closedMeans.count {
      let (lower, upper) = (edges[interval], edges[interval + 1])
      let (partStart, partEnd) = (max(start, lower), min(end, upper))
      if partStart < partEnd, !isEmpty[interval] {
        let part = integral(partStart, partEnd)
        self.integral.add(part.numerator, over: part.denominator)
        length = (length + (partEnd - partStart)).reduced
      }
      guard upper <= end else { return }
      close()
      interval += 1
    }
  }

  private mutating func addLevel(_ height: ExactMean, from start: Dyadic, to end: Dyadic) {
    add(from: start, to: end) { start, end in (height.sum * (end - start), height.count) }
  }
}

extension ExactCurveTable: CurveCanvas {
  func height(_ value: Double) -> ExactMean { ExactMean(value) }
  func height(meanOf values: [Double]) -> ExactMean { ExactMean(of: values) }
  func height(of open: OpenSamples) -> ExactMean? { open.exactMean }

  mutating func addLevel(_ height: ExactMean, from start: Double, to end: Double) {
    addLevel(height, from: Dyadic(start), to: Dyadic(end))
  }

  mutating func addLine(from start: Double, to end: Double, first: ExactMean, last: ExactMean) {
    let (origin, length) = (Dyadic(start), Dyadic(end) - Dyadic(start))
    // The mean height over a part is the height in its middle: of twice the length, `way` is what
    // lies between the origin and twice the middle.
    add(from: origin, to: Dyadic(end)) { start, end in
      let way = (start - origin) + (end - origin)
      let rest = length + length - way
      let height = first.sum * last.count * rest + last.sum * first.count * way
      return (
        height * (end - start), first.count * last.count * (length + length)
      )
    }
  }

  mutating func addHold(_ height: ExactMean, after instant: Double, seconds: Double) {
    addLevel(height, from: Dyadic(instant), to: Dyadic(instant) + Dyadic(seconds))
  }

  mutating func addHold(_ height: ExactMean, before instant: Double, seconds: Double) {
    addLevel(height, from: Dyadic(instant) - Dyadic(seconds), to: Dyadic(instant))
  }
}
