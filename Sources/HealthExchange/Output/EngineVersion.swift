/// The version of the engine, its program and its library.
package enum EngineVersion {
  /// The version, after Semantic Versioning.
  package static let text = "0.2.0"
}
