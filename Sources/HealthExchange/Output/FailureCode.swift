import Foundation
import HealthAnalysis
package import HealthImport
import HealthMerge
package import HealthQuery
import HealthSamples
package import HealthStatistics
package import HealthStore
import HealthUnits

/// The exit code of the command after an error, and the code of a call in other languages: those of
/// `sysexits.h`.
package enum FailureCode: Int32, Sendable, Hashable, CaseIterable {
  case failed = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case inputOutput = 74
  case busy = 75
  /// Locked, a wrong passphrase, or not permitted.
  case notPermitted = 77
  /// 128 plus the number of SIGINT, as in shells.
  case interrupted = 130

  /// The code of an error of the engine; `nil` for another error.
  package init?(_ error: any Error) {
    switch error {
    case let error as ImportError: self.init(error)
    case let error as ExportError: self.init(error)
    case let error as OutputError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as StatisticsError: self.init(error)
    case is UnitError, is CatalogueError, is ColumnError: self = .usage
    case is MergeError, is AnalysisError: self = .failed
    default: return nil
    }
  }

  package init(_ error: ImportError) {
    switch error.reason {
    case .reading(let error): self.init(error)
    case .storing(let error): self.init(error)
    case .cancelled: self = .interrupted
    }
  }

  package init(_ error: ExportError) {
    switch error.reason {
    case .notReadable(errno: ENOSPC), .notReadable(errno: EFBIG): self = .inputOutput
    case .notFound, .notAFile, .notReadable: self = .noInput
    default: self = .badData
    }
  }

  package init(_ error: OutputError) {
    switch error.reason {
    case .notWritable(errno: ENOENT) where error.path != nil: self = .noInput
    case .notWritable(errno: EISDIR) where error.path != nil: self = .usage
    case .notWritable: self = .inputOutput
    case .store(let error): self.init(error)
    case .query(let error): self.init(error)
    case .cancelled: self = .interrupted
    default: self = .usage
    }
  }

  package init(_ error: StoreError) {
    switch error.reason {
    case .notFound, .danglingLink, .loopingLink, .noKeyFile: self = .noInput
    case .notAStore, .newerSchema, .olderSchema, .damaged, .unknownUnit: self = .badData
    case .invalidSample, .knownSample: self = .badData
    case .busy, .changed: self = .busy
    case .locked, .wrongKey, .notPermitted, .foreignSaves: self = .notPermitted
    case .noBundleIdentifier, .reservedBundleIdentifier, .invalidLimit: self = .usage
    case .alreadyThere, .foreignAnchor, .emptyPassphrase, .alreadySealed, .notSealed: self = .usage
    case .unfitKeyFile: self = .usage
    case .noKeyPlace, .readOnly, .diskFull, .permissionDenied, .inputOutput: self = .inputOutput
    case .cancelled: self = .interrupted
    case .invalidBatch, .sessionEnded: self = .failed
    }
  }

  package init(_ error: QueryError) {
    switch error.reason {
    case .store(let error): self.init(error)
    case .statistics(let error): self.init(error)
    case .merge, .analysis, .noRecordedZone: self = .failed
    case .timeline, .tooManyValues, .sampleOutOfRange: self = .badData
    default: self = .usage
    }
  }

  package init(_ error: StatisticsError) { self = .usage }
}
