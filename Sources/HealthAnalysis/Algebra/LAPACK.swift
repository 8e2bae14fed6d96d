import CLAPACK

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// LAPACK by its C interface LAPACKE, loaded at the first call.
///
/// Only some analyses need it, and OpenBLAS starts a thread for each core as soon as it is loaded:
/// only ``threads`` of them work.
struct LAPACK: Sendable {
  /// The functions, which may be called from any thread.
  private let functions: hk_lapack

  /// The library of this process: the system's, else the one of Python's package `scipy-openblas32`
  /// that is installed beside ours; the error of the system's where there is neither.
  private static let loaded = Result { () throws(AnalysisError) in
    do throws(AnalysisError) {
      return try LAPACK(from: fileName)
    } catch {
      guard let package = fileBesidePackage, let library = try? LAPACK(from: package) else {
        throw error
      }
      return library
    }
  }

  /// How many threads OpenBLAS works on: matrices of days are small.
  private static let threads: CInt = 1

  #if canImport(Glibc)
  private static let fileName = "liblapacke.so.3"
  #else
  private static let fileName = "liblapacke.dylib"
  #endif

  /// Where the library of `scipy-openblas32` lies if this code lies in `site-packages/hkstats`.
  private static var fileBesidePackage: String? {
    guard let name = hk_own_file() else { return nil }
    let path = String(cString: name).split(separator: "/", omittingEmptySubsequences: false)
    guard path.count > 2 else { return nil }
    return path.dropLast(2).joined(separator: "/") + "/scipy_openblas32/lib/libscipy_openblas.so"
  }

  /// Loads the library.
  ///
  /// - Parameter fileName: its name for the dynamic linker
  /// - Throws: ``AnalysisError`` with ``AnalysisError/Reason/libraryNotLoaded(_:)``
  init(from fileName: String) throws(AnalysisError) {
    guard let library = dlopen(fileName, RTLD_LAZY | RTLD_LOCAL) else {
      throw AnalysisError(.libraryNotLoaded(dlerror().map { String(cString: $0) } ?? fileName))
    }
    hk_bound_threads(library, Self.threads)
    let table = UnsafeMutablePointer<hk_lapack>.allocate(capacity: 1)
    defer { table.deallocate() }
    if let missing = hk_find_lapack(library, table) {
      throw AnalysisError(.libraryNotLoaded("\(fileName) has no \(String(cString: missing))"))
    }
    functions = table.pointee
  }

  /// How LAPACK found a least squares problem.
  struct Factor {
    /// The number of columns that are independent.
    var rank: Int
    /// The columns in the order of the factor, counted from 0.
    var order: [Int]
  }

  /// Solves a least squares problem by a QR decomposition with pivoting (`dgelsy`).
  ///
  /// - Parameters:
  ///   - matrix: the factor R is in its upper triangle afterwards, as long as the rank is full
  ///   - right: the right side; the solution is in its first rows afterwards
  ///   - tolerance: columns of R below this share of the first one's are dependent (RCOND)
  /// - Returns: the rank and the order of the columns
  /// - Throws: `AnalysisError` when LAPACK is not installed or fails
  /// - Precondition: the matrix has at least as many rows as columns, and `right` as many.
  static func solveLeastSquares(
    _ matrix: inout Matrix, _ right: inout [Double], tolerance: Double
  ) throws(AnalysisError) -> Factor {
    let (rows, columns) = try sizes(of: matrix, right: right)
    var pivots = [Int32](repeating: 0, count: matrix.columnCount)
    var rank: Int32 = 0
    let info = try loaded.get().functions.dgelsy(
      CInt(hk_column_major), rows, columns, 1, &matrix.elements, rows, &right, rows,
      &pivots, tolerance, &rank)
    try check(info, of: "dgelsy")
    return Factor(rank: Int(rank), order: pivots.map { Int($0) - 1 })
  }

  /// The shortest solution of a least squares problem of any rank, by the singular values of the
  /// matrix (`dgelsd`).
  ///
  /// - Parameters:
  ///   - matrix: without meaning afterwards
  ///   - right: the right side; the solution is in its first rows afterwards
  ///   - tolerance: singular values below this share of the largest count as zero
  /// - Throws: `AnalysisError` when LAPACK is not installed or fails
  /// - Returns: the singular values, largest first, and how many of them count; the solution is in
  ///   the first rows of `right`
  static func solveMinimumNorm(
    _ matrix: inout Matrix, _ right: inout [Double], tolerance: Double
  ) throws(AnalysisError) -> (singularValues: [Double], rank: Int) {
    let (rows, columns) = try sizes(of: matrix, right: right)
    var values = [Double](repeating: 0, count: matrix.columnCount)
    var rank: Int32 = 0
    let info = try loaded.get().functions.dgelsd(
      CInt(hk_column_major), rows, columns, 1, &matrix.elements, rows, &right, rows,
      &values, tolerance, &rank)
    try check(info, of: "dgelsd")
    return (values, Int(rank))
  }

  /// Solves equations with a symmetric, positive definite banded matrix by Cholesky's
  /// decomposition (`dpbsv`).
  ///
  /// - Parameters:
  ///   - band: the lower band: row *d* of column *j* is the element (*j* + *d*, *j*); Cholesky's
  ///     factor L afterwards
  ///   - right: the right side; the solution afterwards
  /// - Throws: `AnalysisError` with `singular` when the matrix is not positive definite
  static func solveBanded(_ band: inout Matrix, _ right: inout [Double]) throws(AnalysisError) {
    precondition(band.columnCount == right.count && band.rowCount > 0)
    guard band.elements.count <= Int32.max else {
      throw AnalysisError(.tooManyPoints(count: right.count, limit: Int(Int32.max) / band.rowCount))
    }
    let info = try loaded.get().functions.dpbsv(
      CInt(hk_column_major), CChar(UInt8(ascii: "L")), Int32(right.count),
      Int32(band.rowCount - 1), 1, &band.elements, Int32(band.rowCount), &right,
      Int32(max(1, right.count)))
    guard info <= 0 else { throw AnalysisError(.singular) }
    try check(info, of: "dpbsv")
  }

  /// The eigenvalues of a symmetric matrix, smallest first (`dsyevd`).
  ///
  /// - Parameter matrix: its lower triangle counts; the eigenvectors are its columns afterwards
  /// - Returns: the eigenvalues
  /// - Throws: `AnalysisError` when LAPACK is not installed or fails
  static func decomposeSymmetric(_ matrix: inout Matrix) throws(AnalysisError) -> [Double] {
    precondition(matrix.rowCount == matrix.columnCount)
    guard let count = Int32(exactly: matrix.rowCount) else {
      throw AnalysisError(.tooManyPoints(count: matrix.rowCount, limit: Int(Int32.max)))
    }
    var values = [Double](repeating: 0, count: matrix.rowCount)
    let info = try loaded.get().functions.dsyevd(
      CInt(hk_column_major), CChar(UInt8(ascii: "V")), CChar(UInt8(ascii: "L")), count,
      &matrix.elements, max(1, count), &values)
    guard info <= 0 else { throw AnalysisError(.notConverged(steps: 30 * matrix.rowCount)) }
    try check(info, of: "dsyevd")
    return values
  }

  /// The sizes of a least squares problem as LAPACK counts them.
  private static func sizes(
    of matrix: Matrix, right: [Double]
  ) throws(AnalysisError) -> (rows: Int32, columns: Int32) {
    precondition(right.count == matrix.rowCount && matrix.columnCount <= matrix.rowCount)
    precondition(matrix.columnCount > 0)
    guard matrix.elements.count <= Int32.max else {
      let limit = Int(Int32.max) / matrix.columnCount
      throw AnalysisError(.tooManyPoints(count: matrix.rowCount, limit: limit))
    }
    return (Int32(matrix.rowCount), Int32(matrix.columnCount))
  }

  /// What a result of LAPACKE means that no function gives a meaning of its own.
  private static func check(_ info: Int32, of function: String) throws(AnalysisError) {
    switch info {
    case 0: return
    case Int32(hk_out_of_work_memory), Int32(hk_out_of_transpose_memory):
      throw AnalysisError(.outOfMemory)
    default: throw AnalysisError(.libraryFailed(function: function, info: Int(info)))
    }
  }
}
