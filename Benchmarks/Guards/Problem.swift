/// One way to do something.
struct Way {
  let name: String
  /// What each measurement needs but does not measure: work that has it is done once for it.
  var prepare: (() async throws -> Void)?
  let work: () async throws -> Void

  init(
    _ name: String, prepare: (() async throws -> Void)? = nil,
    work: @escaping () async throws -> Void
  ) {
    (self.name, self.prepare, self.work) = (name, prepare, work)
  }
}

/// Ours, in one or several ways, each a guard, and the floor beside which they are measured.
struct Problem {
  let floor: Way
  let ways: [Way]
}

/// Problems that are measured together.
struct Suite: Sendable {
  let name: String
  /// Whether the kernels decide, so that each instruction set has its own ratio.
  var usesKernels = false
  /// The problems, after all ways have given the same answer.
  let problems: @Sendable (Workplace) async throws -> [Problem]
}
