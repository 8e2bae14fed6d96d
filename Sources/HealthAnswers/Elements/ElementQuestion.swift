import HealthMerge
package import HealthQuery
import HealthSamples
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
  package func answer(
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

extension SampleStore {
  /// Answers a question whose only type names a question about elements; `nil` for another one.
  ///
  /// - Throws: `QueryError`, which names the member that elements do not have
  package func elements(of question: Question) throws(QueryError) -> ElementColumns? {
    guard question.types.count == 1, let asked = ElementQuestion(named: question.types[0].name)
    else { return nil }
    if let member = asked.unfitting(in: question) {
      let type = SampleType(identifier: asked.rawValue, kind: .category)
      throw QueryError(.memberDoesNotFit(member, type))
    }
    let store = try choosingSources(of: question)
    let zones = try store.zones(of: question)
    let dates = try QueryPeriod(
      from: question.from, to: question.to, in: zones, now: store.now.instant)
    return try asked.answer(
      over: ElementPeriod(
        timeZone: zones, interval: question.interval, from: dates.from, to: dates.to), in: store)
  }
}

extension ElementQuestion {
  /// A member of a question that elements do not have; `nil` where it has none.
  fileprivate func unfitting(in question: Question) -> String? {
    let type = question.types[0]
    let given: [(Question.Member, Bool)] = [
      (.by, isList && question.interval != nil), (.anchor, question.anchor != nil),
      (.stat, type.part != nil || type.statistics != nil), (.unit, type.unit != nil),
      (.merge, type.policy != .healthKit), (.prefer, !type.preferredSources.isEmpty),
      (.per, question.average != nil), (.clip, question.clips), (.style, question.style != nil),
      (.hold, question.hold != nil), (.bySource, question.separatesSources),
      (.explain, question.explains), (.exact, question.isExact),
    ]
    return given.first { $0.1 }?.0.rawValue ?? question.derivation?.member
  }
}
