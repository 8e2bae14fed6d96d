public import Foundation

extension StoreError: LocalizedError, CustomStringConvertible {
  /// Which store, why, and what to do.
  public var description: String { "\(place): \(explanation)." }

  /// The same for Foundation.
  public var errorDescription: String? { description }

  private var place: String { path.isEmpty ? "the temporary store" : path }

  /// Why, without the path and the full stop.
  public var explanation: String {
    switch reason {
    case .notFound: "there is no such store"
    case .danglingLink: "this is a link to a file that does not exist"
    case .notAStore: "this file is not a store of hkstats; it was not touched"
    case .newerSchema: "a newer version of hkstats made this store; update hkstats"
    case .busy: "another process is using the store; try again when it is done"
    case .readOnly: "the store may not be written"
    case .alreadyThere: "there is a file already; it was not touched"
    case .diskFull: "the disk is full; the store is as it was before"
    case .permissionDenied: "permission denied"
    case .damaged:
      "the store is damaged\(segment.map { " (segment \($0))" } ?? ""); hkstats verify says what of "
        + "it is whole"
    case .unknownUnit(let unit):
      "the store has values in \"\(unit)\", a unit this version does not know"
    case .invalidBatch(let row):
      "the batch breaks the rules of its columns\(row.map { " at row \($0)" } ?? "")"
    case .sessionEnded: "the import has ended already; begin another"
    case .inputOutput: "reading or writing failed (code \(code))"
    }
  }
}
