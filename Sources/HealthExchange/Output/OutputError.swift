public import Foundation
public import HealthMerge
public import HealthQuery
public import HealthSamples
public import HealthStore
public import HealthUnits

/// Why an export failed.
///
/// An incomplete file is deleted; a file that it would have replaced is unchanged.
public struct OutputError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The file exists and must not be replaced.
    case alreadyThere
    /// The path is a device, a pipe or a socket, which cannot be replaced.
    case notAFile
    /// The file is the store, or another source of the data.
    case isInput
    /// The system refuses to write; the number is that of `errno`.
    case notWritable(errno: Int32)
    /// The format does not support the kind of destination.
    case destinationDoesNotFit(ExportFormat)
    /// The format is only for routes.
    case routesOnly(ExportFormat)
    /// The format is only for workouts.
    case workoutsOnly(ExportFormat)
    /// One comma-separated text has samples or elements of one kind.
    case severalKinds
    /// Only quantities can be merged.
    case notMergeable
    /// The policy merges intervals, and samples have none.
    case policyNeedsIntervals(MergePolicy)
    /// The type has categories, which have no unit.
    case noUnit(SampleType)
    /// The requested unit is invalid, or incompatible with the type.
    case unitDoesNotFit(UnitError, unit: String, SampleType)
    /// A recorded unit does not convert.
    case notConvertible(UnitError, from: String, to: String)
    /// The store cannot be read, or the SQLite file cannot be written.
    case store(StoreError)
    /// The samples cannot be merged.
    case query(QueryError)
    /// The caller asked to stop.
    case cancelled
  }

  /// What is wrong.
  public let reason: Reason
  /// The output file or folder; `nil` for a stream, or if the reason is elsewhere.
  public let path: String?

  /// Makes an error, also for your own writers.
  public init(_ reason: Reason, path: String? = nil) {
    self.reason = reason
    self.path = path
  }
}

extension OutputError: LocalizedError, CodedError {
  /// Which file, why, and what to do.
  public var description: String { path.map { "\($0): \(explanation)." } ?? "\(explanation)." }

  /// The same for Foundation.
  public var errorDescription: String? { description }

  private var explanation: String {
    switch reason {
    case .alreadyThere: "there is a file already; it was not touched"
    case .notAFile: "is a device, a pipe or a socket; it was not touched"
    case .isInput: "is the store, or what the export comes from; it was not touched"
    case .notWritable(let number): "cannot be written (\(String(cString: strerror(number))))"
    case .destinationDoesNotFit(let format):
      "\(format.rawValue) needs \(format == .sqlite ? "a file" : "a file or a stream")"
    case .routesOnly(let format): "\(format.rawValue) holds routes alone"
    case .workoutsOnly(let format): "\(format.rawValue) holds workouts alone"
    case .severalKinds: "one csv holds one kind; give a folder for several"
    case .notMergeable: "only quantities are merged"
    case .policyNeedsIntervals(let policy):
      "\(policy.rawValue) chooses a source for each interval, and samples have none"
    case .noUnit(let type): "\(type.name) has categories, which have no unit"
    case .unitDoesNotFit(let error, let unit, let type):
      "\"\(unit)\" is no unit of \(type.name): \(error)"
    case .notConvertible(let error, let from, let to):
      "\"\(from)\" does not convert to \"\(to)\": \(error)"
    case .store(let error): String(error.description.dropLast())
    case .query(let error): String(error.description.dropLast())
    case .cancelled: "the export was cancelled; no file was written"
    }
  }
}
