extension AnalysisError: CustomStringConvertible {
  /// Why the analysis was refused, at which row, and what to do.
  public var description: String {
    let place = row.map { " (row \($0))" } ?? ""
    return switch reason {
    case .lengthsDiffer(let x, let y):
      "The columns have different lengths: \(x) and \(y). Give as many rows in each."
    case .tooFewPoints(let count, let needed):
      "This needs at least \(needed) points; here \(count == 1 ? "is" : "are") \(count). Give "
        + "shorter intervals or a longer period."
    case .allLeftOut(let count):
      "\(count == 1 ? "The only reading is" : "All \(count) readings are") left out: no such value "
        + "can be measured. Check the source and the unit."
    case .tooManyPoints(let count, let limit):
      "\(count) points are more than the \(limit) that this takes. Give longer intervals or a "
        + "shorter period."
    case .notFinite: "A coordinate is infinite or not a number\(place). Leave it out."
    case .outOfRange: "A coordinate is outside of its range\(place). Leave it out."
    case .notOrdered: "The rows are not in order of time\(place). Sort them, one for each time."
    case .singular: "All points lie at one moment: any line fits. Give a longer period."
    case .constant: "All values are equal: there is no variation. Give another type or period."
    case .collinear(let column):
      "The column \"\(column)\" is a combination of those before it. Leave one of them out."
    case .spanTooShort(let rows, let needed):
      "The data reach over \(rows) intervals, and this needs \(needed). Give a longer period."
    case .gapTooLong(let rows, let limit):
      "A gap of \(rows) intervals\(place) is longer than the \(limit) that this bridges. Give a "
        + "period without it."
    case .unmeasured:
      "There is no value near a moment that this needs, nor a short line between two around it. "
        + "Give data without this gap."
    case .parameter(let name, let range): "The \(name) must be \(range)."
    case .notConverged(let steps):
      "The estimate did not settle within \(steps) steps. Give another period or method."
    case .negativeVariance:
      "The estimate of a variance is not positive. Give a longer period, or fewer lags."
    case .overflow: "The values are too large for this analysis\(place)."
    case .confidenceOutOfRange: "A confidence level lies between 0 and 1."
    case .outOfMemory: "There is not enough memory for LAPACK. Give longer intervals."
    case .libraryFailed(let function, let info):
      "LAPACK's \(function) failed with info \(info). Give another period or method."
    case .libraryNotLoaded(let reason):
      "This needs LAPACKE and OpenBLAS, which are not installed: \(reason). On Debian: apt-get "
        + "install liblapacke libopenblas0. Beside a wheel: pip install scipy-openblas32"
    }
  }
}
