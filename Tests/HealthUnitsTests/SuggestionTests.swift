import HealthUnits
import Testing

/// A suggestion that is followed must not change the number: it is of the quantity and size that were
/// meant, or there is none.
@Suite struct SuggestionTests {
  private struct Judgement {
    var misspellings = 0
    var helpful = 0
    var wrong: [String] = []
    var silent: [String] = []
  }

  private static func judge(_ dialect: UnitDialect) throws -> Judgement {
    var judgement = Judgement()
    for row in MisspelledUnits.rows {
      let code = dialect == .healthKit ? row.healthKit : row.ucum
      for text in row.misspellings {
        guard let suggestion = suggestion(for: text, dialect) else { continue }
        judgement.misspellings += 1
        guard let found = suggestion else {
          if code != nil { judgement.silent.append("\(text) (\(code ?? ""))") }
          continue
        }
        let unit = try UnitExpression(found, dialect: dialect)
        // What HealthKit has no string for is compared as UCUM says it, if it is comparable at all.
        let meant =
          try code.map { try UnitExpression($0, dialect: dialect) }
          ?? (try? UnitExpression(row.ucum, dialect: .ucum))
        if let meant, (try? UnitConversion(from: unit, to: meant))?.isIdentity == true {
          judgement.helpful += 1
        } else {
          judgement.wrong.append("\(text) → \(found), meant \(code ?? row.ucum)")
        }
      }
    }
    return judgement
  }

  /// Nil where the text is a unit of the dialect, else its suggestion.
  private static func suggestion(for text: String, _ dialect: UnitDialect) -> String?? {
    do throws(UnitError) {
      _ = try UnitExpression(text, dialect: dialect)
      return nil
    } catch {
      return .some(error.suggestion)
    }
  }

  @Test("no suggestion for a published misspelling is of another quantity or size")
  func published() throws {
    #expect(Set(MisspelledUnits.rows.flatMap(\.misspellings)).count >= 400)
    let ucum = try Self.judge(.ucum)
    let healthKit = try Self.judge(.healthKit)
    #expect(ucum.wrong.isEmpty && healthKit.wrong.isEmpty, "\(ucum.wrong) \(healthKit.wrong)")
    // A program that suggests nothing is never wrong.
    #expect(ucum.helpful >= 700, "\(ucum.silent)")
    #expect(healthKit.helpful >= 550, "\(healthKit.silent)")
  }

  @Test("A letter with an accent is one letter of a misprint")
  func accents() {
    for dialect in UnitDialect.allCases { #expect(Self.suggestion(for: "mètre", dialect) == "m") }
  }

  @Test(
    "what could be two units gets no suggestion",
    arguments: [
      "Mv", "MIU/L", "units", "gr", "CAL", "Mmol/l.", "mdegC", "kmin", "m^1.5", "mmeter^1.5",
      "millileter",
    ])
  func ambiguous(text: String) {
    for dialect in UnitDialect.allCases {
      if let suggestion = Self.suggestion(for: text, dialect) { #expect(suggestion == nil) }
    }
  }
}
