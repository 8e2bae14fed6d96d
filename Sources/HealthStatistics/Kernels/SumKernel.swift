import _HealthNumerics

/// How sums are computed; the results are the same bit for bit.
struct SumKernel {
  /// The instruction set.
  var instructions = InstructionSet.best
  /// The most threads for the rows of one source.
  var threads: Int
  /// The least number of rows per thread: some hundred microseconds of work.
  var rowsPerThread = 500_000
}
