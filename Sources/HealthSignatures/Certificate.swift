import SwiftASN1

/// What signatures need of an X.509 certificate (RFC 5280, 4.1): how it is named, and its key.
struct Certificate: DERParseable, DERSerializable, Sendable, Hashable {
  /// The issuer, in DER.
  let issuer: ASN1Any
  /// The serial number, in DER.
  let serial: ASN1Any
  /// The subject key identifier of the extensions, if there is one.
  let keyIdentifier: [UInt8]?
  /// The public key.
  let key: PublicKeyInformation
  private let whole: ASN1Any

  init(derEncoded root: ASN1Node) throws {
    whole = ASN1Any(derEncoded: root)
    (issuer, serial, keyIdentifier, key) = try DER.sequence(root, identifier: .sequence) { nodes in
      let named = try DER.sequence(nodes.required(), identifier: .sequence) { nodes in
        _ = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
          try Int(derEncoded: $0)
        }
        let serial = try nodes.required(.integer)
        _ = try AlgorithmIdentifier(derEncoded: &nodes)
        let issuer = try nodes.required(.sequence)
        _ = try nodes.required(.sequence)  // when it is valid
        _ = try nodes.required(.sequence)  // the subject
        let key = try PublicKeyInformation(derEncoded: &nodes)
        var keyIdentifier: [UInt8]?
        while let node = nodes.next() {
          guard node.identifier == ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
          else { continue }
          keyIdentifier = try Self.keyIdentifier(inExtensions: node)
        }
        return (ASN1Any(derEncoded: issuer), ASN1Any(derEncoded: serial), keyIdentifier, key)
      }
      _ = try AlgorithmIdentifier(derEncoded: &nodes)
      _ = try ASN1BitString(derEncoded: &nodes)
      return named
    }
  }

  private static func keyIdentifier(inExtensions node: ASN1Node) throws -> [UInt8]? {
    try DER.explicitlyTagged(node, tagNumber: 3, tagClass: .contextSpecific) { list in
      try DER.sequence(of: Extension.self, identifier: .sequence, rootNode: list)
        .first { $0.type == .subjectKeyIdentifier }
        .map { try [UInt8](ASN1OctetString(derEncoded: DER.parse($0.value)).bytes) }
    }
  }

  private struct Extension: DERParseable {
    let type: ASN1ObjectIdentifier
    let value: ArraySlice<UInt8>

    init(derEncoded node: ASN1Node) throws {
      (type, value) = try DER.sequence(node, identifier: .sequence) { nodes in
        let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
        let _: Bool? = try DER.optionalImplicitlyTagged(&nodes)  // whether it is critical
        return (type, try ASN1OctetString(derEncoded: &nodes).bytes)
      }
    }
  }

  func serialize(into coder: inout DER.Serializer) throws { try coder.serialize(whole) }
}

/// A SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
struct PublicKeyInformation: DERParseable, Sendable, Hashable {
  let isP256: Bool
  /// The bytes of the key; a point of the curve if it is of one.
  let point: [UInt8]

  init(derEncoded node: ASN1Node) throws {
    (isP256, point) = try DER.sequence(node, identifier: .sequence) { nodes in
      let algorithm = try AlgorithmIdentifier(derEncoded: &nodes)
      let bits = try ASN1BitString(derEncoded: &nodes)
      let curve = try ASN1Any(erasing: ASN1ObjectIdentifier.NamedCurves.secp256r1)
      return (
        algorithm.algorithm == .AlgorithmIdentifier.idEcPublicKey && algorithm.parameters == curve
          && bits.paddingBits == 0,
        [UInt8](bits.bytes)
      )
    }
  }
}

/// An AlgorithmIdentifier (RFC 5280, 4.1.1.2).
struct AlgorithmIdentifier: DERParseable, DERSerializable, Sendable, Hashable {
  let algorithm: ASN1ObjectIdentifier
  let parameters: ASN1Any?

  init(_ algorithm: ASN1ObjectIdentifier) {
    self.algorithm = algorithm
    parameters = nil
  }

  init(derEncoded node: ASN1Node) throws {
    (algorithm, parameters) = try DER.sequence(node, identifier: .sequence) { nodes in
      (
        try ASN1ObjectIdentifier(derEncoded: &nodes),
        nodes.next().map { ASN1Any(derEncoded: $0) }
      )
    }
  }

  func serialize(into coder: inout DER.Serializer) throws {
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(algorithm)
      if let parameters { try coder.serialize(parameters) }
    }
  }

  /// Whether it is SHA-256: without parameters, or with NULL (RFC 5754, 2).
  var isSHA256: Bool {
    get throws {
      let null = try ASN1Any(erasing: ASN1Null())
      return algorithm == .sha256 && (parameters == nil || parameters == null)
    }
  }
}

extension ASN1ObjectIdentifier {
  /// `id-signedData` (RFC 5652, 5.1).
  static let signedData: Self = [1, 2, 840, 113_549, 1, 7, 2]
  /// `id-data` (RFC 5652, 4).
  static let data: Self = [1, 2, 840, 113_549, 1, 7, 1]
  /// `id-contentType` (RFC 5652, 11.1).
  static let contentType: Self = [1, 2, 840, 113_549, 1, 9, 3]
  /// `id-messageDigest` (RFC 5652, 11.2).
  static let messageDigest: Self = [1, 2, 840, 113_549, 1, 9, 4]
  /// `id-sha256` (RFC 5754, 2.2).
  static let sha256: Self = [2, 16, 840, 1, 101, 3, 4, 2, 1]
  /// `ecdsa-with-SHA256` (RFC 5758, 3.2).
  static let ecdsaWithSHA256: Self = [1, 2, 840, 10_045, 4, 3, 2]
  /// `id-ce-subjectKeyIdentifier` (RFC 5280, 4.2.1.2).
  static let subjectKeyIdentifier: Self = [2, 5, 29, 14]
}

extension ASN1NodeCollection.Iterator {
  /// The next node, of a certain kind if one is given.
  mutating func required(_ identifier: ASN1Identifier? = nil) throws -> ASN1Node {
    guard let node = next() else {
      throw ASN1Error.invalidASN1Object(reason: "A field is missing")
    }
    guard identifier == nil || node.identifier == identifier else {
      throw ASN1Error.unexpectedFieldType(node.identifier)
    }
    return node
  }
}
