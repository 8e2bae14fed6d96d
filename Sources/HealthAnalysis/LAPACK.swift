#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// LAPACK by its C interface LAPACKE, loaded at the first call.
///
/// Only an analysis needs it, and OpenBLAS starts a thread for each core as soon as it is loaded.
struct LAPACK: Sendable {
  /// The C function `LAPACKE_dgels` with 32-bit integers (LP64): layout, trans, m, n, nrhs, a, lda,
  /// b, ldb.
  private typealias LeastSquares =
    @convention(c) (
      CInt, CChar, Int32, Int32, Int32, UnsafeMutablePointer<Double>, Int32,
      UnsafeMutablePointer<Double>, Int32
    ) -> Int32

  private let leastSquares: LeastSquares

  /// The library of this process; an error where it is not installed.
  private static let loaded = Result { () throws(AnalysisError) in try LAPACK(from: fileName) }

  #if canImport(Glibc)
  private static let fileName = "liblapacke.so.3"
  #else
  private static let fileName = "liblapacke.dylib"
  #endif

  /// Loads the library.
  ///
  /// - Parameter fileName: its name for the dynamic linker
  /// - Throws: ``AnalysisError`` with ``AnalysisError/Reason/libraryNotLoaded(_:)``
  init(from fileName: String) throws(AnalysisError) {
    guard let library = dlopen(fileName, RTLD_LAZY | RTLD_LOCAL),
      let address = dlsym(library, "LAPACKE_dgels")
    else {
      throw AnalysisError(.libraryNotLoaded(dlerror().map { String(cString: $0) } ?? fileName))
    }
    leastSquares = unsafeBitCast(address, to: LeastSquares.self)
  }

  /// Solves a full-rank least squares problem by QR decomposition (`dgels`).
  ///
  /// - Parameters:
  ///   - matrix: column by column; the factor R is in its upper triangle afterwards
  ///   - columns: how many columns the matrix has
  ///   - right: the right side; afterwards the solution, then what is orthogonal to the columns
  /// - Throws: ``AnalysisError`` when the matrix is singular, or there is no memory to work in
  /// - Precondition: `right` has as many rows as a column of the matrix, at least `columns`, and no
  ///   more than `Int32` counts.
  static func solveLeastSquares(
    _ matrix: inout [Double], columns: Int32, _ right: inout [Double]
  ) throws(AnalysisError) {
    let rows = Int32(right.count)
    precondition(matrix.count == Int(columns) * right.count && columns <= rows)
    let columnMajor: CInt = 102
    let notTransposed = CChar(UInt8(ascii: "N"))
    let status = try loaded.get().leastSquares(
      columnMajor, notTransposed, rows, columns, 1, &matrix, rows, &right, rows)
    guard status >= 0 else { throw AnalysisError(.outOfMemory) }
    guard status == 0 else { throw AnalysisError(.singular) }
  }
}
