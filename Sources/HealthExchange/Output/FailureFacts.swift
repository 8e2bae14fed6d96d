import HealthImport
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// What a program reads of an error beside its sentence: where it is among what was asked, and why.
package struct FailureFacts: Sendable, Hashable {
  /// The argument, or the member of a question: `path`, `question.by`; `nil` where it is in none.
  package let place: String?
  /// The case of the error, such as `unknownWord`, without what it is about.
  package let reason: String
  /// Why, without names of files and without a full stop; `nil` where the sentence has no such part.
  package let explanation: String?

  package init(_ reason: String, at place: String? = nil, explanation: String? = nil) {
    (self.place, self.reason, self.explanation) = (place, reason, explanation)
  }

  /// The facts of an error of the engine; `nil` for another error.
  package init?(_ error: any Error) {
    switch error {
    case let error as ImportError: self.init(error)
    case let error as ExportError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as StoreError: self.init(Self.name(of: error.reason))
    case let error as StatisticsError: self.init(Self.name(of: error.reason), at: Self.question)
    case let error as AnalysisError: self.init(error)
    case let error as UnitError: self.init(Self.name(of: error.reason), at: "unit")
    case is CatalogueError: self.init("unknownType", at: "\(Self.question).type")
    case let error as ColumnError: self.init(Self.name(of: error.reason))
    case let error as MergeError: self.init(Self.name(of: error.reason))
    case let error as OutputError: self.init(Self.name(of: error.reason), at: "path")
    default: return nil
    }
  }

  private static let question = "question"

  /// The case of an enumeration, without what it is about.
  private static func name(of reason: Any) -> String {
    Mirror(reflecting: reason).children.first?.label ?? "\(reason)"
  }

  private init(_ error: ImportError) {
    switch error.reason {
    case .reading(let error): self.init(error)
    case .storing(let error): self.init(Self.name(of: error.reason))
    case .cancelled: self.init("cancelled")
    }
  }

  private init(_ error: ExportError) {
    let explanation =
      switch error.reason {
      case .severalExports: "holds several exports"
      case .unfinishedDatabase: "has changes that were not written into it"
      default: error.explanation
      }
    self.init(Self.name(of: error.reason), at: "path", explanation: explanation)
  }

  private init(_ error: AnalysisError) {
    let reason = Self.name(of: error.reason)
    if case .parameter(let name, _) = error.reason {
      self.init(reason, at: "\(Self.question).\(name)")
    } else {
      self.init(reason, at: Self.question)
    }
  }

  private init(_ error: QueryError) {
    switch error.reason {
    case .analysis(let error): self.init(error)
    case .store(let error): self.init(Self.name(of: error.reason))
    case .merge(let error): self.init(Self.name(of: error.reason))
    case .statistics(let error): self.init(Self.name(of: error.reason), at: Self.question)
    case let reason:
      let member = reason.member.map { "\(Self.question).\($0)" }
      self.init(Self.name(of: reason), at: member ?? Self.question)
    }
  }
}

extension QueryError.Reason {
  /// The member of the question that the error is about; `nil` for several or none.
  fileprivate var member: String? {
    switch self {
    case .unknownTimeZone: "timezone"
    case .timeline: "zones"
    case .tooManyIntervals, .intervalsTooShort, .nightsNeedDays: "by"
    case .notAQuantity, .notACategory, .tooManyValues, .unknownType, .notMerged: "type"
    case .policyDoesNotFit: "merge"
    case .averageDoesNotFit: "per"
    case .styleDoesNotFit: "style"
    case .holdDoesNotFit: "hold"
    case .gapOutOfRange: "gap"
    case .incompatibleUnit, .unit: "unit"
    case .notExact: "exact"
    case .tooMuchToExplain: "explain"
    case .unknownWord(let term, _, _, _): term.member
    case .unknownSource: "source"
    case .unknownActivity: "activity"
    case .condition: "where"
    case .groupDoesNotFit: "group"
    case .notOfCategories: "stat"
    case .wrongMember(let name, _), .missingMember(let name), .membersExclude(let name, _),
      .needsOneType(let name), .memberDoesNotFit(let name, _), .memberOfAnother(let name, _):
      name
    case .noRecordedZone, .unreadableDate, .dateOutOfRange, .notAMoment, .sampleOutOfRange,
      .emptyPeriod, .unreadableBound, .notJSON, .analysis, .store, .merge, .statistics:
      nil
    }
  }
}

extension QueryError.Term {
  /// The member of a question whose value the word is; `nil` for several or none.
  fileprivate var member: String? {
    switch self {
    case .interval: "by"
    case .statistic, .nightPart: "stat"
    case .policy: "merge"
    case .comparison: "compare"
    case .comparisonOfTypes: "comparison"
    case .column: "columns"
    case .duration: "hold"
    case .sampleTime: "during"
    case .weekday: "freeDays"
    case .condition, .value: "where"
    case .averageUnit: "per"
    case .style, .group, .analysis, .model, .guideline, .place, .adjustment, .weighting, .times,
      .order, .kind, .list:
      rawValue
    case .member: nil
    }
  }
}
