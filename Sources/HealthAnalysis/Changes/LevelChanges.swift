/// What a level does besides changing from one row to the next.
public enum LevelShape: String, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case steady
  /// It rises or falls in a straight line.
  case slope
  /// It goes up and down with a wave of a year.
  case wave
  /// Both.
  case slopeAndWave
  /// It comes and goes slowly, with no day on which it changes and no wave of a year.
  case wander
}

/// When a level changes, as far as neither a slow course nor slow coming and going explains it.
public struct LevelChanges: Sendable, Hashable {
  /// The segments and their means; of a level with a slope or a wave those of the values without them,
  /// about the same mean.
  public let changes: ChangePoints
  /// What the level does besides.
  ///
  /// With ``LevelShape/wander`` there are no changes.
  public let shape: LevelShape
  /// The slope and the wave that ``shape`` names, in each row: what the mean of its segment is without.
  ///
  /// It is 0 before the first value and after the last, and for the other shapes.
  public let course: [Double]
}

extension RegularSeries {
  /// The changes of a level that a slope, a wave of a year and a wander do not explain as well.
  ///
  /// ``changePoints(penalty:leastLength:clippedAt:)`` finds steps. It also cuts a slope, a wave and slow
  /// coming and going into steps, since these are all that it knows. So where it finds any, four courses
  /// are compared, each with the steps that are found once it is taken out: none, a line, a wave of a
  /// year, and both. Errors may go together as in ``SerialDependence``, with a ρ up to near 1, so that a
  /// wander needs no step. Of the steps of each course the one that explains least is left out again and
  /// again, and the course and the steps with the least of
  /// −2 ln *L* + (1.8 · columns of the course + 1.5 · factor · steps) ln *n* are taken: a criterion as
  /// Schwarz's (*Annals of Statistics* 6, 1978, 461–464), dearer for steps, which were looked for, and
  /// for a course.
  ///
  /// Where no step is left, the course with the least of −2 ln *L* + columns · ln *n* names the shape, and
  /// without one the level wanders. Of more than 64 steps, of long series fewer (√(2·10⁷/*n*)), those are
  /// compared that explain most.
  ///
  /// - Parameters:
  ///   - yearLength: how many rows a year has; a wave is looked for in half a year and more
  ///   - factor: what a step costs, as in ``ChangePoints/Penalty/longRun(factor:)``
  ///   - leastLength: how many values a segment has at least
  /// - Returns: the changes, and what the level does besides
  /// - Throws: `AnalysisError` as `changePoints`
  /// - Complexity: that of `changePoints`, four times, and O(*n* · steps²)
  public func levelChanges(
    yearLength: Double = 365.2425, factor: Double = 2, leastLength: Int = 14
  ) throws(AnalysisError) -> LevelChanges {
    guard yearLength > 0, yearLength.isFinite else {
      throw AnalysisError(.parameter(name: "length of a year", range: "above 0"))
    }
    let plain = try changePoints(penalty: .longRun(factor: factor), leastLength: leastLength)
    func steady(_ shape: LevelShape, _ changes: ChangePoints) -> LevelChanges {
      LevelChanges(
        changes: changes, shape: shape, course: Array(repeating: 0, count: count))
    }
    guard !plain.rows.isEmpty else { return steady(.steady, plain) }
    let search = StepSearch(self, leastLength: leastLength, factor: factor)
    var best: (explanation: StepSearch.Explanation, found: ChangePoints, course: SlowCourse)?
    var named: (explanation: StepSearch.Explanation, course: SlowCourse)?
    for course in SlowCourse.all(of: self, yearLength: yearLength) {
      let found = course.columns.isEmpty ? plain : try search.changes(without: course)
      let explanations = search.explanations(by: course, steps: search.strongest(found))
      for one in explanations where one.cost < best?.explanation.cost ?? .infinity {
        best = (one, found, course)
      }
      if let one = explanations.last, one.shapeCost < named?.explanation.shapeCost ?? .infinity {
        named = (one, course)
      }
    }
    guard let best, let named else { return steady(.steady, plain) }
    guard !best.explanation.steps.isEmpty else {
      let level = try changePoints(steps: [], like: plain)
      guard named.course.shape != .steady else { return steady(.wander, level) }
      return LevelChanges(
        changes: level, shape: named.course.shape,
        course: search.course(named.course, named.explanation))
    }
    let course = search.course(best.course, best.explanation)
    let rest = try RegularSeries(
      (0..<count).map { row in isPresent[row] ? values[row] - course[row] : nil })
    return LevelChanges(
      changes: try rest.changePoints(steps: best.explanation.steps, like: best.found),
      shape: best.course.shape, course: course)
  }

  /// The segments that begin at some rows, with the long-run variance of others.
  private func changePoints(
    steps: [Int], like other: ChangePoints
  ) throws(AnalysisError) -> ChangePoints {
    let places = Dictionary(
      uniqueKeysWithValues: presentRows.enumerated().map { ($0.element, $0.offset) })
    let plain = try changePoints(
      starts: [0] + steps.compactMap { places[$0] }, in: ScaledColumn(presentValues), estimate: nil)
    return ChangePoints(
      segments: plain.segments, longRunDeviation: other.longRunDeviation,
      autocorrelation: other.autocorrelation)
  }
}
