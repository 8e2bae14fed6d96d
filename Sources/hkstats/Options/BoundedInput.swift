import Foundation
import HealthExchange

/// The whole of a small file, or of standard input.
enum BoundedInput {
  /// The bytes of an open file.
  ///
  /// - Parameters:
  ///   - file: the file; `nil` for one that cannot be opened
  ///   - name: what messages call it
  ///   - limit: the most bytes
  ///   - kind: what a larger file is none of: `list of zones`
  /// - Returns: the bytes
  /// - Throws: ``Failure``
  static func bytes(
    of file: FileHandle?, named name: String, limit: Int, kind: String
  ) throws(Failure) -> Data {
    let name = name.printable
    guard let file else { throw Failure("\(name) cannot be read.", .noInput) }
    var bytes = Data()
    do {
      // A pipe gives its bytes piece by piece.
      while bytes.count <= limit,
        let piece = try file.read(upToCount: limit + 1 - bytes.count), !piece.isEmpty
      {
        bytes.append(piece)
      }
    } catch {
      throw Failure("\(name) cannot be read.", .noInput)
    }
    guard bytes.count <= limit else {
      throw Failure("\(name) is larger than \(AmountText.bytes(limit)): no \(kind).", .badData)
    }
    return bytes
  }
}
