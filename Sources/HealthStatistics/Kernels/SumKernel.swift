import HealthUnits

/// How sums are computed; no bit of a result depends on it.
struct SumKernel {
  /// The instructions that are used.
  var path = KernelPath.best
  /// How many threads may share the rows of a source.
  var threads: Int
  /// How many rows are worth a thread: some hundred microseconds of work.
  var rowsPerThread = 500_000
}
