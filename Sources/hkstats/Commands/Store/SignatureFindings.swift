import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthSignatures
import HealthStore

/// How many signed samples of a store are what their signatures say.
struct SignatureFindings {
  /// What a signature says of its sample.
  enum Outcome: String, CaseIterable {
    /// A given key signed the sample as it is stored.
    case valid
    /// A given key signed another sample than the stored one.
    case changed
    /// None of the given keys made the signature, or it was altered.
    case unproven
    /// The signature is not of the form that is read.
    case unreadable

    init(_ error: SignatureError) {
      self =
        switch error.reason {
        case .changed: .changed
        case .otherSigner, .digest, .signature: .unproven
        default: .unreadable
        }
    }
  }

  /// The key of the metadata entry.
  static let metadataKey = "HKDigitalSignature"

  /// The types that have signed samples, with how many there are of each outcome.
  private(set) var types: [(type: SampleType, counts: [Outcome: Int])] = []
  /// Why samples are not valid, and how many.
  private(set) var reasons: [SignatureError: Int] = [:]

  /// Whether every signed sample is valid.
  var isValid: Bool { reasons.isEmpty }

  /// Checks all samples of a store that have a signature.
  init(_ store: SampleStore, keys: [VerificationKey]) throws {
    try store.snapshot {
      for summary in try store.types() {
        var counts: [Outcome: Int] = [:]
        let query = SampleQuery(
          types: [summary.type], predicate: .metadata(key: Self.metadataKey, .exists))
        try store.forEachSample(query) { batch, rows in
          for row in rows {
            let error = Self.refusal(of: batch, row, keys)
            counts[error.map(Outcome.init) ?? .valid, default: 0] += 1
            if let error { reasons[error, default: 0] += 1 }
          }
          return true
        }
        if !counts.isEmpty { types.append((summary.type, counts)) }
      }
    }
  }

  /// Why the signature of a row is refused; `nil` if it is valid by one of the keys.
  private static func refusal(
    of batch: RecordColumns, _ row: Int, _ keys: [VerificationKey]
  ) -> SignatureError? {
    let entries = batch.metadataTable[Int(batch.metadata[row])].entries
    let text = entries.first { $0.key == metadataKey }?.value ?? ""
    do throws(SignatureError) {
      let signature = try SampleSignature(base64: text)
      let isQuantity = batch.type.canonicalUnit != nil
      let sample = try SignedSample(
        type: batch.type.identifier, start: batch.starts[row], end: batch.ends[row],
        value: batch.values[row],
        unit: isQuantity ? batch.labelTable[Int(batch.labels[row])] : "")
      // That of the key which comes closest to accepting.
      var refusal: SignatureError?
      for key in keys {
        do throws(SignatureError) {
          try signature.verify(sample, with: key)
          return nil
        } catch {
          if refusal.map(Outcome.init) ?? .unproven == .unproven { refusal = error }
        }
      }
      return refusal
    } catch {
      return error
    }
  }
}

// MARK: - What is shown

extension SignatureFindings {
  /// The table by type, then why samples are not valid.
  func write(to output: TextOutput, style: TextStyle) throws {
    guard !types.isEmpty else { return try output.line("No sample has a digital signature.") }
    var table = Table(
      columns: [.words("type"), .numbers("signed")] + Outcome.allCases.map { .numbers($0.rawValue) }
    )
    for (type, counts) in types {
      table.add(
        [TypeName.title(type.identifier).printable, NumberText.grouped(Self.signed(counts))]
          + Outcome.allCases.map { NumberText.grouped(counts[$0] ?? 0) })
    }
    for line in table.lines(style: style) { try output.line(line) }
    for (reason, count) in sortedReasons {
      try output.line("Not valid: \(AmountText.count(count, "sample")), \(reason)")
    }
  }

  /// The findings as JSON.
  var json: JSON {
    .object([
      .init("valid", .bool(isValid)),
      .init(
        "types",
        .array(
          types.map { type, counts in
            .object(
              [
                .init("type", .string(type.identifier)),
                .init("signed", .integer(Self.signed(counts))),
              ] + Outcome.allCases.map { .init($0.rawValue, .integer(counts[$0] ?? 0)) })
          })),
      .init(
        "reasons",
        .array(
          sortedReasons.map { reason, count in
            .object([.init("reason", .string(reason)), .init("samples", .integer(count))])
          })),
    ])
  }

  private static func signed(_ counts: [Outcome: Int]) -> Int { counts.values.reduce(0, +) }

  /// The reasons in words, the most frequent first.
  private var sortedReasons: [(String, Int)] {
    reasons.map { ($0.key.description, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }
}

extension VerificationKey {
  /// Reads a PEM file that the user named.
  init(path: String) throws(Failure) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure("\(path.printable): this file cannot be read.", .noInput)
    }
    do throws(SignatureError) {
      try self.init(pem: String(decoding: data, as: UTF8.self))
    } catch {
      throw Failure("\(path.printable): \(error).", .badData)
    }
  }
}
