import HealthQuery
import HealthSamples
import HealthStore

/// The zones of days and of samples, and what was imported.
struct OriginsCard {
  private let daysOf: String
  /// The zones that samples name, the latest first; the first of all has no beginning.
  private let zones: [(name: String, from: CivilDate?)]
  private let imports: [(place: Int, date: CivilDate, file: String, newCount: Int)]
  private let moreZones: Int
  private let moreImports: Int
  private let ask = Ask(["imports"])

  private static let mostRows = 10

  init(_ reader: ReportReader) throws(ReportError) {
    daysOf = reader.zonesText
    // A page of some types says nothing that others tell.
    guard reader.plan.types.isEmpty else {
      (zones, imports, moreZones, moreImports) = ([], [], 0, 0)
      return
    }
    let (recorded, stored) = try reader.read { () throws(QueryError) in
      try reader.store.stored { () throws(StoreError) in
        (try reader.store.recordedZones(), try reader.store.importsOfOwner())
      }
    }
    // Samples that name no known zone have no list.
    let timeline = try? ZoneTimeline(recorded: recorded)
    let changes = timeline?.changes ?? []
    let later = changes.suffix(Self.mostRows).reversed().map { change in
      (name: change.zone.name, from: CivilDate?.some(reader.date(change.instant)))
    }
    let first = timeline.map { [(name: $0.first.name, from: CivilDate?.none)] } ?? []
    zones = Array((later + first).prefix(Self.mostRows))
    moreZones = timeline == nil ? 0 : changes.count + 1 - zones.count
    imports = stored.enumerated().suffix(Self.mostRows).reversed().map { place, one in
      (place, reader.date(one.importedAt), one.file, one.new)
    }
    moreImports = stored.count - imports.count
  }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.sources
    markup.card(words.zones, family: .walk) { markup in
      markup.element("ul", ["class": "list"]) { markup in
        markup.item({ $0.write(words.daysOf) }, { $0.element("bdi", [:], daysOf) })
      }
      if !zones.isEmpty {
        markup.element("h4", [:], words.recorded)
        markup.element("ul", ["class": "list"]) { markup in
          for (name, date) in zones {
            markup.item { markup in
              guard let date else { return markup.element("bdi", [:], name) }
              markup.write(
                words.zoneFrom,
                [
                  { $0.element("bdi", [:], name) },
                  { $0.write(page.dates.dayMonthAndYear(date)) },
                ])
            }
          }
          markup.more(moreZones, Ask(["zones"]), page)
        }
      }
      if !imports.isEmpty { list(to: &markup, page) }
    }
  }

  /// The imports; the names of files may be those of people.
  private func list(to markup: inout Markup, _ page: Page) {
    let words = page.words.sources
    markup.element("h4", [:], words.imports)
    markup.element("ul", ["class": "list"]) { markup in
      for (place, date, file, newCount) in imports {
        let isNamed = page.reader.plan.includesSamples && !file.isEmpty
        markup.item(
          { markup in
            markup.write(
              words.imported,
              [
                { $0.write(page.dates.dayMonthAndYear(date)) },
                {
                  AskedNumber(
                    ask: ask, place: "imports[\(place)].new", text: page.writer.number(newCount)
                  ).write(to: &$0)
                },
              ])
          }, isNamed ? { $0.element("bdi", [:], ShownName(file).short) } : nil)
      }
      markup.more(moreImports, ask, page)
    }
  }
}

extension SampleStore {
  /// The imports; none for an app, which sees no history.
  fileprivate func importsOfOwner() throws(StoreError) -> [StoredImport] {
    do {
      return try imports()
    } catch {
      guard case .notPermitted = error.reason else { throw error }
      return []
    }
  }
}
