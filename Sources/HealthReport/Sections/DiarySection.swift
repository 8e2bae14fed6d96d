/// What a person wrote down: cycles, medications, states of mind.
struct DiarySection: PageSection {
  static let section = ReportSection.diary

  private let cycles: CycleCard?
  private let medications: MedicationCard?
  private let mind: MindCard?

  /// Reads what there is of the diary; `nil` where there is nothing.
  init?(_ reader: ReportReader) throws(ReportError) {
    cycles = try CycleCard(reader)
    medications = try MedicationCard(reader)
    mind = try MindCard(reader)
    if cycles == nil, medications == nil, mind == nil { return nil }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    markup.element("div", ["class": "two"]) { markup in
      cycles?.write(to: &markup, &page)
      medications?.write(to: &markup, &page)
      mind?.write(to: &markup, &page)
    }
  }
}
