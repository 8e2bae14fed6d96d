public import HealthQuery

/// What a report shows.
///
/// ```swift
/// var plan = ReportPlan()
/// plan.title = "Anna’s health report"
/// let page = try store.report(plan)
/// ```
public struct ReportPlan: Sendable, Hashable {
  /// The first day, as a question has it; the first day with data when `nil`.
  public var from: String?
  /// The end, which is not included; the end of the data when `nil`.
  public var to: String?
  /// The types, as a question names them, also with a unit: `bodyMass:lb`; all when empty.
  public var types: [String] = []
  /// The units of types, as a question names them: `bodyMass:lb`.
  ///
  /// The others have the unit that the store prefers, else that of most samples, which is the one of
  /// the phone.
  public var units: [String] = []
  /// The sections, in any order; all that have data when empty.
  public var sections: Set<ReportSection> = []
  /// The title; a plain one when `nil`.
  public var title: String?
  /// The language of words, numbers and dates.
  public var language = ReportLanguage.english
  /// The zone of days: an identifier, or `recorded`; that of the store when `nil`, else of the machine.
  public var timeZone: String?
  /// The zones of a traveller, in place of ``timeZone``.
  public var zones: ZoneTimeline?
  /// Whether single samples may leave the store: routes, splits, the stages of one night.
  ///
  /// The few of ``ReportForm/print`` are there without.
  public var includesSamples = false
  /// The document: a page to look at, or two sheets for a visit.
  public var form = ReportForm.page
  /// The paper on which it is printed; that of the reader's printer when `nil`.
  public var paper: ReportPaper?

  /// Makes a plan with all defaults: everything, in English.
  public init() {}
}

/// The document that a report is.
public enum ReportForm: String, Sendable, Hashable, CaseIterable {
  /// A page to look at on any screen, which also prints.
  case page
  /// Two sheets of paper for a visit, without a script, with a few single samples that a doctor needs.
  case print
}

/// A size of paper, as style sheets name it.
public enum ReportPaper: String, Sendable, Hashable, CaseIterable {
  case a4 = "A4"
  case letter
}

/// A part of the page, in the order in which they stand.
public enum ReportSection: String, Sendable, Hashable, CaseIterable {
  /// Rings, and a card for each of the most usual measures.
  case overview
  /// Where the last week lies among the weeks of a year, for every measure.
  case glance
  /// Each day of a year, and any measure by hour, day, week, month and year.
  case year
  /// Nights: when, how long, how regular.
  case sleep
  /// Heart rates by day, courses, unusual days.
  case heart
  /// Weight, blood pressure, glucose.
  case body
  /// Cycles, medications, state of mind.
  case diary
  /// Workouts by month, one in full, routes.
  case workouts
  /// What goes together.
  case relations
  /// Who measured, what was masked, gaps, zones and imports.
  case sources
}
