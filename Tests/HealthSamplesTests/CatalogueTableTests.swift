import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

/// The tables of the catalogue against the published ones, row by row and both ways.
@Suite
struct CatalogueTableTests {
  @Test("Every quantity type stands in the catalogue as published, and no other does")
  func quantityTypes() throws {
    let published = try rows("quantity_types", count: 121).map { row in
      [
        row["identifier"], row["swift_name"], row["canonical_unitString"],
        row["aggregation_style"]?.split(separator: " ").first.map(String.init),
        row["introduced_ios"], row["header_section"].map(letters),
        row["access"]?.hasPrefix("read-only") == true ? "readOnly" : "readWrite",
      ]
    }
    let ours = Catalogue.quantityTypes.map { row in
      [
        row.identifier.rawValue, row.swiftName, row.unit, row.style.rawValue, row.introduced,
        letters(row.chapter.rawValue), "\(row.access)",
      ]
    }
    #expect(ours == published)
  }

  @Test("Every quantity type has its published unit and style as a sample type")
  func quantitySampleTypes() throws {
    for row in try rows("quantity_types", count: 121) {
      let identifier = try #require(row["identifier"])
      let type = try #require(Catalogue.type(identifier), "\(identifier)")
      let unit = try parsedUnit(row, "canonical_unitString")
      #expect(type.canonicalUnit == unit, "\(identifier)")
      #expect(type.canonicalUnit?.description == row["canonical_unitString"], "\(identifier)")
      let documented = try parsedUnit(row, "documented_unit")
      #expect(documented == unit, "\(identifier)")
      #expect(type.style.map { row["aggregation_style"]?.hasPrefix($0.rawValue) } == true)
      #expect(SampleType(HKQuantityTypeIdentifier(rawValue: identifier)) == type)
    }
  }

  @Test("Styles differ in SDK 18 exactly where the notes say so")
  func styleVersions() throws {
    for row in try rows("quantity_types", count: 121) {
      let identifier = HKQuantityTypeIdentifier(rawValue: row["identifier"] ?? "")
      let newest = try #require(row["aggregation_style"]?.split(separator: " ").first)
      let changed = row["note"]?.contains("SDK header comment said Discrete (Arithmetic)") == true
      let old = Catalogue.style(of: identifier, version: .sdk18)?.rawValue
      #expect(old == (changed ? "discreteArithmetic" : String(newest)), "\(identifier)")
      #expect(Catalogue.style(of: identifier, version: .sdk26)?.rawValue == String(newest))
      #expect(Catalogue.style(of: identifier)?.rawValue == String(newest))
    }
  }

  @Test("Every category type stands in the catalogue as published, and no other does")
  func categoryTypes() throws {
    let table = try rows("category_types", count: 72)
    let published = table.map { row in
      [
        row["identifier_constant"], row["identifier_string"], row["swift_name"],
        row["value_enum"], row["introduced_ios"],
        row["group"]?.split(separator: " (").first.map { letters(String($0)) },
        row["access"]?.hasPrefix("read-only") == true ? "readOnly" : "readWrite",
      ]
    }
    let ours = Catalogue.categoryTypes.map { row in
      [
        row.constant, row.identifier.rawValue, row.swiftName, row.enumeration, row.introduced,
        letters(row.chapter.rawValue), "\(row.access)",
      ]
    }
    #expect(ours == published)
    for row in table {
      let identifier = try #require(row["identifier_string"])
      #expect(Catalogue.type(identifier)?.kind == .category, "\(identifier)")
    }
  }

  @Test("The types are those of both tables, each once")
  func types() throws {
    let quantities = try rows("quantity_types", count: 121).compactMap { $0["identifier"] }
    let categories = try rows("category_types", count: 72).compactMap { $0["identifier_string"] }
    let identifiers = Catalogue.types.map(\.identifier)
    #expect(Set(identifiers) == Set(quantities + categories))
    #expect(Set(identifiers).count == identifiers.count)
  }

  @Test("Every constant of a category value has its published raw value")
  func categoryValues() throws {
    for row in try rows("category_values", count: 65) {
      let constant = try #require(row["objc_case"])
      #expect(row["export_xml_value"] == constant)
      let raw = row["raw"].flatMap { Int($0) }
      #expect(raw != nil || row["raw"] == "UNKNOWN")
      #expect(Catalogue.rawValue(ofCategoryConstant: constant) == raw, "\(constant)")
      let ours = Catalogue.enumerationCases.filter { $0.constant == constant }
      #expect(ours.count == 1, "\(constant)")
      let entry = try #require(ours.first)
      #expect(entry.enumeration == row["enum"])
      #expect(entry.swiftName == row["swift_case"])
      #expect(entry.isDeprecated == (row["deprecated"] == "deprecated"), "\(constant)")
    }
  }

  @Test("Every enumeration has its published constants, and no other")
  func enumerations() throws {
    let known = try rows("enums_all", count: 458)
    let unknown = try rows("category_values", count: 65).filter { $0["raw"] == "UNKNOWN" }
    let published = try known.map { row in
      let constant = try #require(row["objc_case"])
      let raw = try rawValue(row, in: known)
      let guess = try #require(row["swift_case_guess"])
      return "\(row["enum"] ?? "") \(constant) \(guess) \(raw)"
    }
    let withoutRaw = unknown.map {
      "\($0["enum"] ?? "") \($0["objc_case"] ?? "") \($0["swift_case"] ?? "") nil"
    }
    let ours = Catalogue.enumerationCases.map { row in
      let raw = row.rawValue.map { "\($0)" } ?? "nil"
      // The published names of error codes keep the prefix that Swift drops.
      let isErrorCode = row.enumeration == "HKErrorCode"
      let name = isErrorCode ? "hk" + row.constant.dropFirst(2) : row.swiftName
      return "\(row.enumeration) \(row.constant) \(name) \(raw)"
    }
    #expect(Set(ours) == Set(published + withoutRaw))
    #expect(ours.count == published.count + withoutRaw.count)
    let deprecated = Set(known.filter { $0["deprecated"] != "" }.compactMap { $0["objc_case"] })
    let ourDeprecated = Catalogue.enumerationCases.filter(\.isDeprecated).map(\.constant)
    let activities = try rows("workout_activity_types", count: 84)
      .filter { $0["deprecated"] != "" }.compactMap { $0["objc_constant"] }
    let values = try rows("category_values", count: 65)
      .filter { $0["deprecated"] != "" }.compactMap { $0["objc_case"] }
    #expect(Set(ourDeprecated) == deprecated.union(activities).union(values))
  }

  @Test("Every workout activity stands in the catalogue as published, and no other does")
  func workoutActivities() throws {
    let published = try rows("workout_activity_types", count: 84).map { row in
      let words = row["deprecated"]?.split(separator: " ") ?? []
      return [
        row["objc_constant"], row["export_xml_name"], row["swift_case"], row["raw"],
        row["introduced_ios"], words.last.map(String.init) ?? "",
      ]
    }
    let ours = Catalogue.workoutActivities.map { row in
      [
        row.constant, row.constant, row.swiftName, "\(row.rawValue)", row.introduced,
        row.deprecated ?? "",
      ]
    }
    #expect(ours == published)
  }

  @Test("Every metadata key stands in the catalogue as published, and no other does")
  func metadataKeys() throws {
    let published = try rows("metadata_keys", count: 73).map { row in
      [
        row["constant"]?.hasPrefix("(") == true ? "" : row["constant"], row["string_value"],
        row["value_type"], row["introduced_ios"], row["object_types"],
      ]
    }
    let ours = Catalogue.metadataKeys.map { row in
      [
        row.constant ?? "", row.key, spelling(row.value), row.introduced ?? "",
        row.objects.map { "\($0)" }.joined(separator: ","),
      ]
    }
    #expect(ours == published)
    let entered = Catalogue.metadataKeys.first { $0.key == Catalogue.wasUserEnteredKey }
    #expect(entered?.constant == "HKMetadataKeyWasUserEntered")
    let enumerations = Set(Catalogue.enumerationCases.map(\.enumeration))
    for row in Catalogue.metadataKeys {
      if case .enumeration(let name) = row.value { #expect(enumerations.contains(name)) }
    }
  }

  @Test("Clinical codes stand as published, in valid form, and their units fit the type")
  func clinicalCodes() throws {
    var published: Set<HKQuantityTypeIdentifier> = []
    for row in try rows("quantity_types", count: 121) {
      let identifier = HKQuantityTypeIdentifier(rawValue: row["identifier"] ?? "")
      let columns = ["loinc", "ucum_code_public", "fhir_unit_display"]
      guard columns.contains(where: { row[$0] != "" }) else { continue }
      published.insert(identifier)
      let code = try #require(Catalogue.clinicalCode(of: identifier), "\(identifier)")
      let note = try #require(row["note"])
      let suggested = note.split(separator: "suggested ").dropFirst().first
      let ucum = suggested?.split(separator: " ").first.map(String.init) ?? row["ucum_code_public"]
      #expect((code.ucum ?? "") == ucum, "\(identifier)")
      #expect(code.displayUnit == row["fhir_unit_display"], "\(identifier)")
      // A published code of a part is none of an observation.
      let isPart = row["loinc"]?.hasPrefix("LP") == true
      let loinc = isPart ? code.loinc.first ?? "" : try #require(row["loinc"])
      let others = row["loinc_ms_mapping"]?.split(separator: "; ").map(String.init) ?? []
      #expect((code.loinc.first ?? "") == loinc, "\(identifier)")
      #expect(Set(code.loinc) == Set(others + [loinc]).subtracting([""]), "\(identifier)")
      #expect(isPart || (code.loincName ?? "") == row["loinc_display"], "\(identifier)")
      let canonical = try #require(Catalogue.type(identifier.rawValue)?.canonicalUnit)
      let unit = try UnitExpression(code.unit)
      #expect(unit.isCompatible(with: canonical), "\(identifier)")
      if try parsedUnit(row, "fhir_mapping_hkunit").isCompatible(with: canonical) {
        #expect(code.unit == row["fhir_mapping_hkunit"], "\(identifier)")
      }
    }
    #expect(Set(Catalogue.clinicalCodes.map(\.identifier)) == published)
    #expect(Catalogue.clinicalCodes.count == published.count)
  }

  @Test("Every correlation type stands in the catalogue as published")
  func correlationTypes() throws {
    let table = try rows("correlation_types", count: 2)
    #expect(Catalogue.correlationTypes.map(\.identifier.rawValue) == table.map { $0["identifier"] })
    for (row, ours) in zip(table, Catalogue.correlationTypes) {
      #expect(ours.introduced == row["introduced_ios"])
      let required = row["required_contained_types"]?.split(separator: "; ")
        .filter { $0.hasPrefix("HK") }.compactMap { $0.split(separator: " ").first }
      #expect(ours.required.map(\.rawValue) == required?.map(String.init))
      let rule = try #require(row["allowed_contained_types"])
      if let prefix = rule.split(separator: "*").first, rule.contains("*") {
        let all = try rows("quantity_types", count: 121).compactMap { $0["identifier"] }
          .filter { $0.hasPrefix(prefix) }
        #expect(ours.allowed.map(\.rawValue) == all)
        #expect(rule.contains("(\(all.count) "))
      } else {
        #expect(Set(ours.allowed) == Set(ours.required))
      }
    }
  }

  @Test("Every characteristic type stands in the catalogue as published")
  func characteristicTypes() throws {
    let table = try rows("characteristic_types", count: 7)
    let published = table.map { row in
      let enumeration = row["value_enum"].flatMap { $0.hasPrefix("HK") ? $0 : nil }
      return [
        row["identifier"]?.split(separator: " ").last.map(String.init),
        row["introduced_ios"] == "-" ? "" : row["introduced_ios"], enumeration ?? "",
        "\(row["in_export_Me_attribute"]?.hasPrefix("yes") == true)",
      ]
    }
    let ours = Catalogue.characteristicTypes.map { row in
      [
        row.identifier.rawValue, row.introduced ?? "", row.enumeration ?? "",
        "\(row.isInExport)",
      ]
    }
    #expect(ours == published)
    for row in table {
      for pair in row["values"]?.split(separator: "; ") ?? [] {
        let parts = pair.split(separator: "=").map(String.init)
        let entry = Catalogue.enumerationCases.first { $0.constant == parts.first }
        #expect(entry?.rawValue.map { "\($0)" } == parts.last, "\(pair)")
        #expect(entry?.enumeration == row["value_enum"])
      }
    }
  }

  @Test("Every other type stands in the catalogue as published")
  func otherTypes() throws {
    let table = try rows("other_types", count: 26)
    #expect(Catalogue.otherTypes.map(\.kind) == table.map { $0["kind"] })
    for (row, ours) in zip(table, Catalogue.otherTypes) {
      let identifier = try #require(row["identifier_string"])
      let bare = identifier.split(separator: " ").first.map(String.init) ?? ""
      #expect((ours.identifier ?? "") == (bare.hasPrefix("HK") ? bare : ""), "\(ours.kind)")
      #expect(ours.isVerified == !identifier.contains("unverified"), "\(ours.kind)")
      let typeClass = row["type_class"].flatMap { $0.hasPrefix("HK") ? $0 : nil }
      #expect(ours.typeClass == typeClass, "\(ours.kind)")
      let classes = row["sample_class"]?.split { !$0.isLetter && !$0.isNumber }
        .filter { $0.hasPrefix("HK") }.map(String.init)
      #expect(ours.sampleClasses == classes, "\(ours.kind)")
      let introduced = row["introduced_ios"].flatMap { Double($0) == nil ? nil : $0 }
      #expect(ours.introduced == introduced, "\(ours.kind)")
    }
  }

  /// The rows of a published table, whose number is known to the catalogue's own README.
  private func rows(_ name: String, count: Int) throws -> [[String: String]] {
    let rows = try References.table("catalogue/\(name).tsv")
    try #require(rows.count == count, "\(name)")
    return rows
  }

  /// A published raw value: a number, a shift (`1 << 0`), or that of another constant
  /// (`HKErrorCode::UnknownError.0`).
  private func rawValue(_ row: [String: String], in table: [[String: String]]) throws -> Int {
    let text = try #require(row["raw"])
    if let number = Int(text) { return number }
    let shift = text.split(separator: " << ").compactMap { Int($0) }
    if shift.count == 2 { return shift[0] << shift[1] }
    let other = try #require(text.split(separator: "::").last?.split(separator: ".").first)
    let target = try #require(
      table.first { $0["enum"] == row["enum"] && $0["objc_case"]?.hasSuffix(other) == true })
    return try #require(target["raw"].flatMap { Int($0) })
  }

  /// The unit in a column of a row.
  private func parsedUnit(_ row: [String: String], _ column: String) throws -> UnitExpression {
    let text = try #require(row[column])
    return try UnitExpression(text)
  }

  /// The published spelling of what the value of a metadata key is.
  private func spelling(_ value: Catalogue.MetadataKey.Value) -> String {
    switch value {
    case .boolean: "NSNumber(Bool)"
    case .number: "NSNumber"
    case .text: "NSString"
    case .date: "NSDate"
    case .enumeration(let name): "NSNumber(\(name))"
    case .quantity(let unit): "HKQuantity(\(unit))"
    case .undocumented: "string/number"
    }
  }

  /// Small letters only, so that `Vital Signs` and `vitalSigns` are the same chapter.
  private func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
}
