package import CKernels

/// An instruction set for which the column kernels are compiled; all give the same bits.
package enum KernelPath: Sendable, CaseIterable {
  case plain
  case avx2
  case avx512
  case neon

  /// Whether this processor runs it.
  package var isAvailable: Bool { hk_path_is_available(path) }

  /// The fastest that this processor runs.
  package static let best = allCases.first { $0.path == hk_best_path() } ?? .plain

  /// Its name in C.
  package var path: hk_path {
    switch self {
    case .plain: hk_path_plain
    case .avx2: hk_path_avx2
    case .avx512: hk_path_avx512
    case .neon: hk_path_neon
    }
  }
}
