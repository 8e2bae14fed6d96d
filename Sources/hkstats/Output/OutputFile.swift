import Foundation
import HealthStore

/// A text file that appears whole or not at all.
///
/// Nothing changes at its path before ``finish()``; a file that is not finished leaves nothing. It
/// has mode 0600, as the store.
final class OutputFile: TextOutput {
  private let path: String
  private let file: UnfinishedFile

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: where the file will stand
  ///   - replaces: whether it may take the place of a file that stands there
  ///   - csv: how its comma-separated text is written
  /// - Throws: ``Failure`` when there is a file already, or none can be made
  init(path: String, replaces: Bool, csv: CommaSeparated = .init()) throws(Failure) {
    do throws(UnfinishedFile.Problem) {
      file = try UnfinishedFile(for: path, replaces: replaces)
    } catch {
      throw Failure(error, path: path)
    }
    self.path = path
    super.init(descriptor: file.descriptor, csv: csv)
  }

  /// Writes what is left and puts the file in its place.
  override func finish() throws(Failure) {
    try flush()
    do throws(UnfinishedFile.Problem) {
      try file.finish()
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// A write that fails has a place.
  override func failure(_ errorNumber: Int32) -> Failure {
    .cannotWrite(path: path, errorNumber)
  }
}

extension Failure {
  fileprivate init(_ problem: UnfinishedFile.Problem, path: String) {
    self =
      switch problem.errorNumber {
      case EEXIST: .fileExists(path: path)
      case ENODEV: .noFileCanStand(path: path)
      default: .cannotWrite(path: path, problem.errorNumber)
      }
  }
}
