package import CKernels

/// An instruction set for which the column kernels are compiled; all give the same bits.
package enum InstructionSet: Sendable, CaseIterable {
  case plain
  case avx2
  case avx512
  case neon

  /// Whether this processor has it.
  package var isAvailable: Bool { hk_is_available(code) }

  /// The fastest that this processor has.
  package static let best = allCases.first { $0.code == hk_best_instruction_set() } ?? .plain

  /// Its name in C.
  package var code: hk_instruction_set {
    switch self {
    case .plain: hk_plain
    case .avx2: hk_avx2
    case .avx512: hk_avx512
    case .neon: hk_neon
    }
  }
}
