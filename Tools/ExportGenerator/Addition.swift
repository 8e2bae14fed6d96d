import ArgumentParser

/// What may happen beside what the profile tells.
enum Addition: String, CaseIterable {
  /// A diary of foods: several of one minute, some with the same amount of a nutrient.
  case foods
  /// A new watch of the same name, beside the old one.
  case watches
  /// The export is made on the morning of its last day.
  case unfinished
  /// Menstrual cycles, with spotting in between.
  case cycles
  /// Doses of medications, taken and skipped.
  case medications
  /// States of mind.
  case moods
}

extension Addition {
  /// What no export of the Health app has, and the app Health Auto Export writes.
  static let ofAutoExport: Set<Addition> = [.medications, .moods]
}

/// Additions with commas between, as `--with` takes them.
struct Additions: ExpressibleByArgument {
  let all: Set<Addition>

  init?(argument: String) {
    var all: Set<Addition> = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let addition = Addition(rawValue: String(name)) else { return nil }
      all.insert(addition)
    }
    self.all = all
  }

  static var allValueStrings: [String] { Addition.allCases.map(\.rawValue) }
}
