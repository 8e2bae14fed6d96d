import CKernels
import _HealthNumerics

/// A loess smoother over rows at equal distances, prepared for many series of one length.
///
/// Without weights of robustness the fit of a row is a fixed weighted sum: one symmetric filter for
/// all rows with a whole window around them, and a few rows of weights at the ends. With a jump
/// above 1 only every so many rows are fitted, the last one too, and lines join them.
struct LocalRegression: Sendable {
  /// Fits at equal distances whose weights are known.
  private struct Run: Sendable {
    /// The first fitted row, and the distance to the next.
    let row: Int
    let step: Int
    let count: Int
    /// The first row of the window, and how far it moves from fit to fit.
    let left: Int
    let leftStep: Int
    /// Where the first weights are in the tables; -1 when they are made anew.
    var offset = -1

    /// Where in its window a fit lies.
    func position(_ fit: Int) -> Int { row + fit * step - left - fit * leftStep }
    /// How many rows of weights differ.
    var shapes: Int { step == leftStep ? 1 : count }
    /// The row of weights of a fit.
    func shape(_ fit: Int) -> Int { step == leftStep ? 0 : fit }
  }

  /// How many weights are kept (32 MB); those of longer windows are made anew for each fit.
  private static let tableLimit = 1 << 22

  /// The number of rows.
  let count: Int
  private let weights: LocalWeights
  private let jump: Int
  private var runs: [Run]
  /// Half of the symmetric filter, from its middle; empty when it is not used.
  private let filter: [Double]
  /// The tricube weights around a row in the middle; empty without weights of robustness.
  private let robustFilter: [Double]
  /// ``LocalWeights/leastSpread`` for each row in the middle, where there are weights of robustness.
  private let leastSpreads: [Double]
  /// The rows of the filter: those with a whole window around them.
  private let middle: Range<Int>
  private var fits: [Double] = []
  private var tricubes: [Double] = []
  private let instructions: InstructionSet

  /// Prepares a smoother.
  ///
  /// - Parameters:
  ///   - count: the number of rows, at least 2
  ///   - window: how many rows a fit uses; odd
  ///   - degree: 0 or 1
  ///   - jump: the distance between fitted rows
  ///   - extends: whether also the rows before the first and after the last are fitted
  ///   - isRobust: whether there will be weights of robustness
  ///   - instructions: what the kernels run on
  init(
    count: Int, window: Int, degree: Int, jump: Int, extends: Bool = false, isRobust: Bool = false,
    instructions: InstructionSet = .best
  ) {
    self.count = count
    self.instructions = instructions
    self.jump = max(1, min(jump, count - 1))
    weights = LocalWeights(rows: count, window: window, degree: degree)
    runs = Self.runs(count: count, window: window, jump: self.jump)
    let half = window / 2
    middle = window < count ? half..<count - half : 0..<0
    if window < count, Self.prefersFilter(window: window, jump: self.jump) {
      // The weights of the outermost rows are 0.
      filter = Array(weights.fit(at: half)[half..<max(half + 1, window - 1)])
    } else {
      filter = []
    }
    leastSpreads = Array(
      repeating: weights.leastSpread, count: isRobust ? middle.count : 0)
    robustFilter = isRobust && middle.count >= 8 && !filter.isEmpty ? weights.tricube(at: half) : []
    if extends {
      runs.append(Run(row: -1, step: 1, count: 1, left: 0, leftStep: 0))
      runs.append(Run(row: count, step: 1, count: 1, left: count - weights.taps, leftStep: 0))
    }
    fillTables(isRobust: isRobust)
  }

  /// Whether a filter for all rows in the middle is faster than sums for those that are fitted
  /// alone: by measurement, a sum costs as much as about 160 products on top of its own.
  private static func prefersFilter(window: Int, jump: Int) -> Bool {
    jump == 1 || window <= 160 && jump <= 160 && jump * (window / 2) * 3 < 2 * window + 160
  }

  /// Which rows are fitted from which windows.
  private static func runs(count: Int, window: Int, jump: Int) -> [Run] {
    let last = (count - 1) / jump * jump
    func run(_ rows: Range<Int>, left: Int, leftStep: Int = 0) -> Run {
      let first = (rows.lowerBound + jump - 1) / jump * jump
      let size = first < rows.upperBound ? (rows.upperBound - 1 - first) / jump + 1 : 0
      return Run(
        row: first, step: jump, count: size, left: leftStep == 0 ? left : first + left,
        leftStep: leftStep)
    }
    var runs: [Run] = []
    var lastLeft = 0
    if window >= count {
      runs = [run(0..<count, left: 0)]
    } else {
      let half = window / 2
      runs = [
        run(0..<half, left: 0), run(half..<count - half, left: -half, leftStep: jump),
        run(count - half..<count, left: count - window),
      ]
      lastLeft = last < half ? 0 : min(last - half, count - window)
    }
    // The last row is fitted from the window of the fit before it, as in the original program.
    if last != count - 1 {
      runs.append(Run(row: count - 1, step: 1, count: 1, left: lastLeft, leftStep: 0))
    }
    return runs.filter { $0.count > 0 }
  }

  private mutating func fillTables(isRobust: Bool) {
    let shapes = runs.reduce(0) { $0 + $1.shapes }
    guard shapes <= Self.tableLimit / weights.taps else { return }
    fits.reserveCapacity(shapes * weights.taps)
    for index in runs.indices {
      runs[index].offset = fits.count
      for shape in 0..<runs[index].shapes {
        let position = runs[index].position(shape)
        fits += weights.fit(at: position)
        if isRobust { tricubes += weights.tricube(at: position) }
      }
    }
  }

  /// Whether the rows in the middle are one filter.
  var hasFilter: Bool { !filter.isEmpty }

  /// Smooths columns whose rows lie beside one another.
  ///
  /// - Parameters:
  ///   - source: the first row
  ///   - spacing: the distance from row to row
  ///   - width: how many columns there are, from each row's first value
  ///   - target: where the first row's results go, at the same distances
  ///   - includesMiddle: whether the rows of the filter are smoothed as well
  /// - Complexity: O(rows · window) for a jump of 1
  func smooth(
    _ source: UnsafePointer<Double>, spacing: Int = 1, width: Int = 1,
    into target: UnsafeMutablePointer<Double>, includesMiddle: Bool = true
  ) {
    for run in runs {
      if hasFilter, run.leftStep > 0 {
        guard includesMiddle else { continue }
        // With a jump above 1 the rows between fitted ones are replaced by lines below.
        let parts = spacing == 1 ? 1 : middle.count
        for part in 0..<parts {
          let first = (middle.lowerBound + part) * spacing
          applyFilter(
            source + first, spacing: spacing, into: target + first,
            count: spacing == 1 ? middle.count : width)
        }
      } else if run.offset >= 0 {
        fits.withUnsafeBufferPointer { table in
          guard let table = table.baseAddress else { return }
          fit(run, 0..<run.count, table + run.offset, source, spacing, width, target)
        }
      } else {
        for row in 0..<run.count {
          fit(
            run, row..<row + 1, weights.fit(at: run.position(row)), source, spacing, width, target)
        }
      }
    }
    interpolate(spacing: spacing, width: width, target)
  }

  /// Filters values that have a whole window of rows around them, `spacing` apart.
  func applyFilter(
    _ source: UnsafePointer<Double>, spacing: Int, into target: UnsafeMutablePointer<Double>,
    count: Int
  ) {
    hk_filter(instructions.code, source, spacing, filter, filter.count - 1, target, count)
  }

  /// Some fits of a run, whose weights are in a table.
  private func fit(
    _ run: Run, _ rows: Range<Int>, _ table: UnsafePointer<Double>,
    _ source: UnsafePointer<Double>, _ spacing: Int, _ width: Int,
    _ target: UnsafeMutablePointer<Double>
  ) {
    var block = hk_weight_rows(
      weights: table, weights_step: run.shapes > 1 ? weights.taps : 0, taps: weights.taps,
      source_step: run.leftStep * spacing, target_step: run.step * spacing, count: rows.count)
    let values = source + (run.left + rows.lowerBound * run.leftStep) * spacing
    let results = target + (run.row + rows.lowerBound * run.step) * spacing
    if spacing == 1 {
      hk_weighted_sums(instructions.code, &block, values, results)
    } else {
      hk_weighted_columns(instructions.code, &block, values, spacing, width, results)
    }
  }

  /// Smooths one column with weights of robustness.
  ///
  /// Where all weights of a fit are 0 the value stays as it is, or the neighbour's outside of the
  /// rows.
  func smooth(
    _ source: UnsafePointer<Double>, robustness: UnsafePointer<Double>,
    into target: UnsafeMutablePointer<Double>, includesMiddle: Bool = true
  ) {
    for run in runs {
      if !robustFilter.isEmpty, run.leftStep > 0 {
        guard includesMiddle else { continue }
        let first = middle.lowerBound
        applyRobustFilter(
          source + first, robustness + first, spacing: 1, leastSpreads: leastSpreads,
          into: target + first, count: middle.count)
        continue
      }
      for fit in 0..<run.count {
        let left = run.left + fit * run.leftStep
        let row = run.row + fit * run.step
        let value = tricube(run, fit) { weights in
          hk_local_fit(
            instructions.code, weights, robustness + left, source + left, self.weights.taps,
            row - left, CInt(self.weights.degree), self.weights.leastSpread)
        }
        target[row] = value.isNaN ? (0..<count ~= row ? source[row] : .nan) : value
      }
    }
    interpolate(spacing: 1, width: 1, target)
    for run in runs where !(0..<count).contains(run.row) {
      if target[run.row].isNaN { target[run.row] = target[run.row < 0 ? 0 : count - 1] }
    }
  }

  /// Whether all rows in the middle are fitted with weights of robustness in one call.
  var hasRobustFilter: Bool { jump == 1 && !robustFilter.isEmpty }

  /// Below which spread of its abscissas a line is a constant.
  var leastSpread: Double { weights.leastSpread }

  /// The rows with a whole window around them.
  var middleRows: Range<Int> { middle }

  /// Fits values that have a whole window of rows around them, `spacing` apart; at least eight.
  func applyRobustFilter(
    _ source: UnsafePointer<Double>, _ robustness: UnsafePointer<Double>, spacing: Int,
    leastSpreads: UnsafePointer<Double>, into target: UnsafeMutablePointer<Double>, count: Int
  ) {
    hk_local_fits(
      instructions.code, robustFilter, robustness, source, robustFilter.count, spacing,
      CInt(weights.degree), leastSpreads, target, count)
  }

  private func tricube(
    _ run: Run, _ fit: Int, _ body: (UnsafePointer<Double>) -> Double
  ) -> Double {
    guard run.offset >= 0, !tricubes.isEmpty else {
      return body(weights.tricube(at: run.position(fit)))
    }
    return tricubes.withUnsafeBufferPointer { table in
      table.baseAddress.map { body($0 + run.offset + run.shape(fit) * weights.taps) } ?? .nan
    }
  }

  /// Joins the fitted rows by lines.
  private func interpolate(
    spacing: Int, width: Int, _ target: UnsafeMutablePointer<Double>
  ) {
    guard jump > 1 else { return }
    for first in stride(from: 0, to: count - 1, by: jump) {
      let next = min(first + jump, count - 1)
      let steps = Double(next - first)
      for column in 0..<width {
        let start = target[first * spacing + column]
        let slope = (target[next * spacing + column] - start) / steps
        for row in first + 1..<max(first + 1, next) {
          target[row * spacing + column] = start + slope * Double(row - first)
        }
      }
    }
  }
}
