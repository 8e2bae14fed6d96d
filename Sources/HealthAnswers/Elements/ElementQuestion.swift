import HealthMerge
package import HealthQuery
package import HealthSamples
package import HealthStore

/// A question about elements that stands where the name of a type stands.
package enum ElementQuestion: String, CaseIterable {
  case bloodPressure, cycles, labResults, electrocardiograms, stateOfMind, medications, totalEnergy
  case food

  /// The question of a name in any style of capitals; `nil` for other names.
  package init?(named name: String) {
    let key = name.lowercased().filter { $0.isLetter || $0.isNumber }
    let found = Self.allCases.first { question in
      ([question.rawValue.lowercased()] + question.otherNames).contains(key)
    }
    guard let found else { return nil }
    self = found
  }

  private var otherNames: [String] {
    switch self {
    case .bloodPressure: ["bloodpressures"]
    case .cycles: ["cycle", "menstrualcycle", "menstrualcycles"]
    case .labResults: ["lab", "labs", "labresult"]
    case .electrocardiograms: ["electrocardiogram", "ecg", "ecgs", "ekg"]
    case .stateOfMind: ["statesofmind", "mood", "moods"]
    case .medications: ["medication", "medicationdoses", "doses"]
    case .totalEnergy: ["totalenergyburned", "energyburned"]
    case .food: ["foods", "meals"]
    }
  }

  /// Whether its rows are elements themselves, so that an interval has no meaning.
  package var isList: Bool { self == .cycles || self == .labResults || self == .food }

  /// The answer from a store.
  fileprivate func answer(
    over period: ElementPeriod, in store: SampleStore
  ) throws(QueryError) -> ElementColumns {
    switch self {
    case .bloodPressure: try store.bloodPressure(BloodPressurePlan(period))
    case .cycles: try store.cycles(CyclePlan(period))
    case .labResults: try store.labResults(LabPlan(period))
    case .electrocardiograms: try store.electrocardiograms(ElectrocardiogramPlan(period))
    case .stateOfMind: try store.statesOfMind(StateOfMindPlan(period))
    case .medications: try store.medications(MedicationPlan(period))
    case .totalEnergy: try store.totalEnergy(EnergyPlan(period))
    case .food: try store.food(FoodPlan(period))
    }
  }
}

/// The answer to a question about elements, and what it was read from.
package struct AnsweredElements {
  /// The question that stands in the place of a type; `nil` for the readings of nights.
  package let question: ElementQuestion?
  /// The period and its intervals; of nights those are days.
  package let period: ElementPeriod
  /// The store with the sources that count.
  package let store: SampleStore
  /// The answer.
  package let columns: ElementColumns

  /// Answers a question that stands in the place of a type.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  package init(
    _ question: ElementQuestion, over period: ElementPeriod, in store: SampleStore
  ) throws(QueryError) {
    (self.question, self.period, self.store) = (question, period, store)
    columns = try question.answer(over: period, in: store)
  }

  /// Answers a question about the readings of nights.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  package init(_ vitals: NightVitals, in store: SampleStore) throws(QueryError) {
    (question, period, self.store) = (nil, vitals.period, store)
    columns = try store.vitals(vitals)
  }
}

extension SampleStore {
  /// Answers a question whose only type names a question about elements, or that is about samples of
  /// nights; `nil` for another one.
  ///
  /// - Throws: `QueryError`, which names the member that elements do not have
  package func elements(of question: Question) throws(QueryError) -> AnsweredElements? {
    guard question.types.count == 1 else { return nil }
    let (type, asked) = (question.types[0], ElementQuestion(named: question.types[0].name))
    guard asked != nil || question.during != nil else { return nil }
    let store = try choosingSources(of: question)
    let sampleType =
      if let asked {
        SampleType(identifier: asked.rawValue, kind: .category)
      } else {
        type.isOfNights ? SleepPlan.type : try store.sampleType(named: type.name)
      }
    if let member = question.unfitting(asked) {
      throw QueryError(.memberDoesNotFit(member.rawValue, sampleType))
    }
    if let member = question.derivation?.member {
      throw QueryError(.memberDoesNotFit(member, sampleType))
    }
    let zones = try store.zones(of: question)
    let dates = try QueryPeriod(
      from: question.from, to: question.to, in: zones, now: store.now.instant)
    let period = ElementPeriod(
      timeZone: zones, interval: asked == nil ? CalendarInterval(.day) : question.interval,
      from: dates.from, to: dates.to)
    guard let asked else {
      return try AnsweredElements(try type.vitals(of: sampleType, over: period), in: store)
    }
    return try AnsweredElements(asked, over: period, in: store)
  }
}

extension TypeQuestion {
  /// The plan of the readings of a type while asleep.
  ///
  /// - Throws: `QueryError` for a unit that is not one of the type, or a part that is no statistic
  package func vitals(
    of type: SampleType, over period: ElementPeriod
  ) throws(QueryError) -> NightVitals {
    var plan = NightVitals(type: type, over: period)
    plan.statistics = try namedStatistics
    plan.unit = try unit(of: type)
    plan.preferredSources = preferredSources
    return plan
  }
}

extension Question {
  /// A member that a question about elements does not have, or one about nights where there is none;
  /// `nil` where all fit.
  fileprivate func unfitting(_ asked: ElementQuestion?) -> Member? {
    let type = types[0]
    let isOfElements = asked != nil
    let given: [(Member, Bool)] = [
      (.during, isOfElements ? during != nil : type.isOfNights),
      (
        .by,
        isOfElements
          ? asked?.isList ?? false && interval != nil
          : interval != nil && interval != CalendarInterval(.day)
      ), (.stat, isOfElements && (type.part != nil || type.statistics != nil)),
      (.unit, isOfElements && type.unit != nil),
      (.prefer, isOfElements && !type.preferredSources.isEmpty),
      (.merge, type.policy != .healthKit), (.anchor, anchor != nil), (.per, average != nil),
      (.clip, clips), (.style, style != nil), (.hold, hold != nil),
      (.bySource, separatesSources), (.explain, explains), (.exact, isExact),
    ]
    return given.first { $0.1 }?.0
  }
}
