import SwiftASN1

/// What a signature covers: the type, the time, the value and the unit of one sample.
///
/// The signed copy inside a message is its DER encoding by this schema:
///
/// ```
/// SignedSample ::= SEQUENCE {
///   version  INTEGER { v1(1) },
///   type     UTF8String (SIZE (1..1024)),  -- such as HKQuantityTypeIdentifierHeartRate
///   start    Binary64,                     -- seconds since 2001-01-01 00:00:00 UTC
///   end      Binary64,                     -- likewise
///   value    Binary64,                     -- in the unit below; of a category its raw value
///   unit     UTF8String (SIZE (0..1024))   -- such as count/min; empty for a category
/// }
/// Binary64 ::= OCTET STRING (SIZE (8))     -- IEEE 754 binary64, the sign first; finite
/// ```
///
/// Sizes of texts are in bytes. Numbers are bits, not decimals or ASN.1 REALs, so that each has one
/// encoding and every sample has one: two samples are the same exactly when their bytes are. −0 is
/// encoded as 0, as stores have it; two spellings of a unit, or two Unicode forms of a text, are
/// different.
///
/// ```swift
/// let sample = try SignedSample(
///   type: "HKQuantityTypeIdentifierHeartRate", start: 1000, end: 1000, value: 61, unit: "count/min")
/// ```
public struct SignedSample: Sendable {
  /// The most bytes of a text.
  public static let longestText = 1024
  private static let version = 1

  /// The identifier of the type.
  public let type: String
  /// When the sample starts, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// When it ends.
  public let end: Double
  /// The value in ``unit``; for a category its raw value.
  public let value: Double
  /// The text of the unit; empty for a category.
  public let unit: String
  /// The DER encoding.
  public let der: [UInt8]

  /// Describes a sample.
  ///
  /// - Throws: ``SignatureError`` for a number that is not finite, and for a text that is longer
  ///   than ``longestText`` or an empty type
  public init(
    type: String, start: Double, end: Double, value: Double, unit: String
  ) throws(SignatureError) {
    guard !type.isEmpty else { throw SignatureError(.type, .schema) }
    for (text, place) in [(type, SignatureError.Place.type), (unit, .unit)]
    where text.utf8.count > Self.longestText {
      throw SignatureError(place, .tooLong)
    }
    for (number, place) in [(start, SignatureError.Place.start), (end, .end), (value, .value)]
    where !number.isFinite {
      throw SignatureError(place, .notFinite)
    }
    self.type = type
    self.start = start + 0.0
    self.end = end + 0.0
    self.value = value + 0.0
    self.unit = unit
    let numbers = [self.start, self.end, self.value]
    der = try SignatureError.locating(.content) {
      var serializer = DER.Serializer()
      try serializer.appendConstructedNode(identifier: .sequence) { coder in
        try coder.serialize(Self.version)
        try coder.serialize(ASN1UTF8String(type))
        for number in numbers {
          let bytes = (0..<8).reversed().map { byte in
            UInt8(truncatingIfNeeded: number.bitPattern >> (8 * byte))
          }
          try coder.serialize(ASN1OctetString(contentBytes: bytes[...]))
        }
        try coder.serialize(ASN1UTF8String(unit))
      }
      return serializer.serializedBytes
    }
  }

  /// Reads the encoding of a sample.
  ///
  /// - Throws: ``SignatureError`` for bytes that are not the one encoding of a sample
  public init(der bytes: [UInt8]) throws(SignatureError) {
    guard bytes.count <= SampleSignature.mostBytes else {
      throw SignatureError(.content, .tooLarge)
    }
    let read = try SignatureError.locating(.content) {
      try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
        guard try Int(derEncoded: &nodes) == Self.version else {
          throw SignatureError(.content, .schema)
        }
        return try SignedSample(
          type: Self.text(.type, &nodes), start: Self.number(.start, &nodes),
          end: Self.number(.end, &nodes), value: Self.number(.value, &nodes),
          unit: Self.text(.unit, &nodes))
      }
    }
    guard read.der == bytes else { throw SignatureError(.content, .schema) }
    self = read
  }

  private static func text(
    _ place: SignatureError.Place, _ nodes: inout ASN1NodeCollection.Iterator
  ) throws -> String {
    guard let text = try String(validating: ASN1UTF8String(derEncoded: &nodes).bytes, as: UTF8.self)
    else { throw SignatureError(place, .schema) }
    return text
  }

  private static func number(
    _ place: SignatureError.Place, _ nodes: inout ASN1NodeCollection.Iterator
  ) throws -> Double {
    let bytes = try ASN1OctetString(derEncoded: &nodes).bytes
    guard bytes.count == 8 else { throw SignatureError(place, .schema) }
    return Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The first field in which a stored sample is not this one; `nil` if it is.
  func firstDifference(from stored: SignedSample) -> SignatureError.Place? {
    if der == stored.der { return nil }
    if !type.utf8.elementsEqual(stored.type.utf8) { return .type }
    if start.bitPattern != stored.start.bitPattern { return .start }
    if end.bitPattern != stored.end.bitPattern { return .end }
    if value.bitPattern != stored.value.bitPattern { return .value }
    return .unit
  }
}

extension SignedSample: Hashable {
  /// Whether two samples have the same encoding.
  public static func == (left: SignedSample, right: SignedSample) -> Bool { left.der == right.der }

  /// Hashes the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
