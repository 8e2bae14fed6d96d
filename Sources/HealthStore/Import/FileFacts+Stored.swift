import Foundation
import GRDB
import HealthLedger
import HealthSamples

extension Database {
  /// What the files that count say besides their data, in the order in which they are replayed.
  ///
  /// - Complexity: O(*n*) for *n* files and acts; O(1) if no file says anything
  func fileFacts() throws -> [FileFacts] {
    let texts = try settings(of: .file)
    guard !texts.isEmpty else { return [] }
    return try StoreHistory(self).files.values.filter(\.isPresent).sorted(by: KnownFile.precedes)
      .compactMap { try texts[$0.identity.base64EncodedString()].map(SettingKind.facts) }
  }

  /// Stores what a file says, unless it is stored already.
  func record(_ facts: FileFacts, of identity: Data, at time: Double) throws {
    guard !facts.isEmpty else { return }
    let (name, text) = (identity.base64EncodedString(), try SettingKind.text(of: facts))
    guard try settings(of: .file)[name] != text else { return }
    try set(SettingKind.file.rawValue + name, to: text, at: allocateStamp(at: time))
  }
}

extension SettingKind {
  /// What a stored text says.
  static func facts(of text: String) throws(Corruption) -> FileFacts {
    guard let facts = try? JSONDecoder().decode(FileFacts.self, from: Data(text.utf8)),
      facts.zones.allSatisfy({ $0.start.isFinite && $0.end.isFinite })
    else { throw Corruption() }
    return facts
  }
}
