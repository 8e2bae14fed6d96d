import HealthAnswers
import HealthStore

/// A question about elements that stands where the name of a type stands.
enum ElementQuestion: String, CaseIterable {
  case bloodPressure, cycles, labResults, electrocardiograms, stateOfMind, medications, totalEnergy
  case food

  /// The question of a name in any style of capitals; `nil` for other names.
  init?(named name: String) {
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
  var isList: Bool { self == .cycles || self == .labResults || self == .food }

  /// The answer from a store.
  func answer(over period: ElementPeriod, in store: SampleStore) throws -> ElementColumns {
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
