extension Words {
  /// The parts of the sentence at the top, and the comparisons of relations.
  struct Phrases: Sendable {
    /// 0 the noun.
    let fewer: String
    /// 0 the noun.
    let moreCounted: String
    /// 0 the noun.
    let less: String
    /// 0 the noun.
    let moreMass: String
    let lower: Agreement
    let higher: Agreement
    let shorter: Agreement
    let longer: Agreement
    let smaller: Agreement
    let larger: Agreement
    /// 0 the comparison, 1 the amount.
    let item: String
    /// Between things before the last.
    let comma: String
    /// Before the last thing.
    let and: String
    /// Before a last thing that begins with the sound of i.
    let andBeforeI: String
    /// 0 what lies outside.
    let thanUsual: String
    /// 0 measures where they usually are, 1 measures.
    let rest: String
    /// 0 the measures of `rest`.
    let asInMostWeeks: String
    /// 0 the measures of `rest`.
    let fewerThanInMostWeeks: String
    /// 0 what lies outside, 1 the measures inside.
    let outsideAndRest: String
    /// 0 what lies outside.
    let outsideAlone: String
    /// 0 measures.
    let usualWeek: String
    /// 0 what is measured, with its amount.
    let usualWeekOfOne: String
    /// 0 the measure, 1 the amount.
    let named: String
    let aDay: String
    let aNight: String
    /// 0 the year, 1 what differs.
    let yearAgainst: String
    /// 0 the measure, 1 the difference.
    let yearLower: String
    /// 0 the measure, 1 the difference.
    let yearHigher: String
    /// 0 the noun, 1 the difference, 2 a day or a night.
    let yearFewer: String
    /// 0 the noun, 1 the difference, 2 a day or a night.
    let yearMoreCounted: String
    /// 0 the noun, 1 the difference, 2 a day or a night.
    let yearLess: String
    /// 0 the noun, 1 the difference, 2 a day or a night.
    let yearMoreMass: String
    /// One week, or others: 0 weeks, 1 weeks needed.
    let weeksSoFar: String
    /// 0 the day.
    let lastData: String
    /// Between two sentences.
    let space: String
  }

  /// A pattern that agrees with the gender of its noun: 0 the noun.
  struct Agreement: Sendable {
    let masculine: String
    let feminine: String
    let neuter: String
    let plural: String

    /// A pattern for each gender.
    init(_ masculine: String, _ feminine: String, _ neuter: String, plural: String) {
      (self.masculine, self.feminine) = (masculine, feminine)
      (self.neuter, self.plural) = (neuter, plural)
    }

    /// One pattern for all nouns, apart from those in the plural.
    init(_ any: String, plural: String) { self.init(any, any, any, plural: plural) }

    subscript(gender: Noun.Gender) -> String {
      switch gender {
      case .masculine: masculine
      case .feminine: feminine
      case .neuter: neuter
      case .plural: plural
      }
    }
  }
}
