import Crypto
import SwiftASN1

/// A CMS SignedData with one signer and its content (RFC 5652, 5), in DER.
struct SignedMessage: Sendable, Hashable {
  /// How a message names its signer.
  enum SignerIdentifier: Sendable, Hashable {
    /// By the issuer and the serial number of a certificate, both in DER.
    case certificate(issuer: ASN1Any, serial: ASN1Any)
    /// By the identifier of the key.
    case key([UInt8])

    /// The version of a SignerInfo that names its signer so; also of the SignedData around plain
    /// data.
    var version: Int {
      switch self {
      case .certificate: 1
      case .key: 3
      }
    }
  }

  /// The bytes that a sample was encoded to.
  let content: [UInt8]
  /// The certificates; they prove nothing, but say how the signer is named.
  let certificates: [Certificate]
  /// The signer.
  let signer: SignerIdentifier
  /// The signed attributes as SET OF, over which the signature then is.
  let attributes: [UInt8]?
  /// The signature, an ECDSA-Sig-Value in DER.
  let signature: [UInt8]

  init(der bytes: [UInt8]) throws(SignatureError) {
    guard bytes.count <= SampleSignature.mostBytes else {
      throw SignatureError(.message, .tooLarge)
    }
    self = try SignatureError.locating(.message) {
      try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
        guard try ASN1ObjectIdentifier(derEncoded: &nodes) == .signedData else {
          throw SignatureError(.message, .notSignedData)
        }
        return try DER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
          try Self(signedData: $0)
        }
      }
    }
  }

  private init(signedData node: ASN1Node) throws {
    self = try DER.sequence(node, identifier: .sequence) { nodes in
      let version = try Int(derEncoded: &nodes)
      let digests = try DER.set(of: AlgorithmIdentifier.self, identifier: .set, nodes: &nodes)
      guard digests.count == 1, try digests[0].isSHA256 else {
        throw SignatureError(.message, .digestAlgorithm)
      }
      let content = try Self.content(nodes.required(.sequence))
      let certificates = try SignatureError.locating(.certificate) {
        try DER.optionalImplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
          try DER.set(of: Certificate.self, identifier: $0.identifier, rootNode: $0)
        }
      }
      let signers = try nodes.required()
      guard signers.identifier == .set else { throw SignatureError(.message, .unsignedParts) }
      let infos = try SignatureError.locating(.signer) {
        try DER.set(of: SignerInformation.self, identifier: .set, rootNode: signers)
      }
      guard infos.count == 1 else { throw SignatureError(.message, .signerCount) }
      guard version == infos[0].identifier.version else {
        throw SignatureError(.message, .version)
      }
      return Self(content: content, certificates: certificates ?? [], by: infos[0])
    }
  }

  private init(content: [UInt8], certificates: [Certificate], by information: SignerInformation) {
    self.content = content
    self.certificates = certificates
    signer = information.identifier
    attributes = information.attributes
    signature = information.signature
  }

  /// The content of an EncapsulatedContentInfo.
  private static func content(_ node: ASN1Node) throws -> [UInt8] {
    try DER.sequence(node, identifier: .sequence) { nodes in
      guard try ASN1ObjectIdentifier(derEncoded: &nodes) == .data else {
        throw SignatureError(.content, .contentType)
      }
      let content = try DER.optionalExplicitlyTagged(
        &nodes, tagNumber: 0, tagClass: .contextSpecific
      ) { try ASN1OctetString(derEncoded: $0).bytes }
      guard let content else { throw SignatureError(.content, .detached) }
      return [UInt8](content)
    }
  }
}

/// A SignerInfo (RFC 5652, 5.3).
private struct SignerInformation: DERParseable {
  let identifier: SignedMessage.SignerIdentifier
  let attributes: [UInt8]?
  let signature: [UInt8]

  init(derEncoded node: ASN1Node) throws {
    (identifier, attributes, signature) = try DER.sequence(node, identifier: .sequence) { nodes in
      let version = try Int(derEncoded: &nodes)
      let identifier = try Self.identifier(nodes.required())
      guard version == identifier.version else { throw SignatureError(.signer, .version) }
      guard try AlgorithmIdentifier(derEncoded: &nodes).isSHA256 else {
        throw SignatureError(.signer, .digestAlgorithm)
      }
      let attributes = try SignatureError.locating(.attributes) {
        try DER.optionalImplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
          try SignedAttributes.encoded(
            DER.set(of: ASN1Any.self, identifier: $0.identifier, rootNode: $0))
        }
      }
      guard try AlgorithmIdentifier(derEncoded: &nodes) == AlgorithmIdentifier(.ecdsaWithSHA256)
      else { throw SignatureError(.signer, .signatureAlgorithm) }
      let signature = try ASN1OctetString(derEncoded: &nodes).bytes
      let unsigned = ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)
      if let rest = nodes.next() {
        guard rest.identifier == unsigned else {
          throw ASN1Error.unexpectedFieldType(rest.identifier)
        }
        throw SignatureError(.signer, .unsignedParts)
      }
      return (identifier, attributes, [UInt8](signature))
    }
  }

  private static func identifier(_ node: ASN1Node) throws -> SignedMessage.SignerIdentifier {
    guard node.identifier == .sequence else {
      let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
      return .key([UInt8](try ASN1OctetString(derEncoded: node, withIdentifier: tag).bytes))
    }
    return try DER.sequence(node, identifier: .sequence) { nodes in
      .certificate(
        issuer: ASN1Any(derEncoded: try nodes.required(.sequence)),
        serial: ASN1Any(derEncoded: try nodes.required(.integer)))
    }
  }
}

/// The attributes that a signature covers (RFC 5652, 5.3 and 11).
struct SignedAttributes {
  /// The encoding over which the signature is: the DER SET OF (RFC 5652, 5.4).
  static func encoded(_ attributes: [ASN1Any]) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serializeSetOf(attributes)
    return serializer.serializedBytes
  }

  /// The attributes of plain data with this digest.
  static func attributes(digest: [UInt8]) throws -> [ASN1Any] {
    try [
      attribute(.contentType, ASN1Any(erasing: ASN1ObjectIdentifier.data)),
      attribute(
        .messageDigest, ASN1Any(erasing: ASN1OctetString(contentBytes: digest[...]))),
    ]
  }

  /// An attribute with one or more values.
  static func attribute(_ type: ASN1ObjectIdentifier, _ values: ASN1Any...) throws -> ASN1Any {
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(type)
      try coder.serializeSetOf(values)
    }
    return ASN1Any(derEncoded: try DER.parse(serializer.serializedBytes))
  }

  /// Checks that encoded attributes say what the content is and have its digest.
  static func check(_ encoded: [UInt8], digest: [UInt8]) throws(SignatureError) {
    var values: [ASN1ObjectIdentifier: [ASN1Any]] = [:]
    let list = try SignatureError.locating(.attributes) {
      try DER.set(of: Attribute.self, identifier: .set, rootNode: DER.parse(encoded))
    }
    for attribute in list {
      guard values.updateValue(attribute.values, forKey: attribute.type) == nil else {
        throw SignatureError(.attributes, .missingAttribute)
      }
    }
    try SignatureError.locating(.attributes) {
      guard let types = values[.contentType], types.count == 1,
        let digests = values[.messageDigest], digests.count == 1
      else { throw SignatureError(.attributes, .missingAttribute) }
      guard try ASN1ObjectIdentifier(asn1Any: types[0]) == .data else {
        throw SignatureError(.attributes, .contentType)
      }
      guard try ASN1OctetString(asn1Any: digests[0]).bytes == digest[...] else {
        throw SignatureError(.attributes, .digest)
      }
    }
  }

  private struct Attribute: DERParseable {
    let type: ASN1ObjectIdentifier
    let values: [ASN1Any]

    init(derEncoded node: ASN1Node) throws {
      (type, values) = try DER.sequence(node, identifier: .sequence) { nodes in
        (
          try ASN1ObjectIdentifier(derEncoded: &nodes),
          try DER.set(of: ASN1Any.self, identifier: .set, nodes: &nodes)
        )
      }
    }
  }
}
