import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthStore

/// `hkstats encrypt`: seals the store.
struct EncryptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encrypt",
    abstract: "Encrypt the store with a passphrase, or make one.",
    discussion: """
      Afterwards the file, its log and its temporary files hold nothing in the clear. Without the \
      passphrase, or the key file, nobody can read them, not even you: keep a copy of it. The store \
      stays locked until hkstats unlock.

      The encrypted file takes the place of the old one when it is complete, and when the key file \
      opens it. The disk may keep blocks of the old one until it uses them again; to avoid that, \
      encrypt before the first import.

      A key file is a file that stays as it is: not the store or another file that hkstats wrote, \
      not one of a name that belongs to the store, and no pipe or device. Neither it nor the \
      passphrase can be changed later but by decrypt and encrypt.

      The exit code is 64 when the store is encrypted already, and for a file that cannot be a key; \
      66 for one that is too short, cannot be made, or is a link to nothing.

      EXAMPLES:
        hkstats encrypt
        hkstats encrypt --key-file /media/stick/hkstats.key
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  @OptionGroup var passphrase: PassphraseOptions

  @Option(
    help: ArgumentHelp(
      "A file of 32 random bytes or more that opens the store, too; it is made if missing.",
      valueName: "file"),
    completion: .file())
  var keyFile: String?

  func run() throws {
    guard try SampleStore.protection(path: store.path) == .clear else {
      throw Failure("\(store.path.printable): the store is encrypted already.", .usage)
    }
    try SampleStore.encrypt(
      path: store.path, passphrase: passphrase.passphrase(isNew: true), keyFile: keyFile)
    try form.write("encrypted and locked", of: store, as: .locked)
  }
}

/// `hkstats decrypt`: opens the seal for good.
struct DecryptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decrypt",
    abstract: "Turns an encrypted store into one in the clear.",
    discussion: """
      Asks for the passphrase, or takes a key file, even if the store is unlocked. What was saved \
      while it was locked enters it before; where that fails the store stays encrypted, because \
      nothing could read those saves afterwards.

      The exit code is 77 when the passphrase is wrong, or when the file of those saves may be \
      another's; 64 when the store is not encrypted.

      EXAMPLES:
        hkstats decrypt
        hkstats decrypt --key-file /media/stick/hkstats.key
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  @OptionGroup var key: KeyOptions

  func run() throws {
    let saves = try SampleStore.decrypt(path: store.path, key: key.key(of: store))
    ProtectionNotes.note(saves)
    try form.write("in the clear", of: store, as: .clear, saves)
  }
}

/// `hkstats unlock`: keeps the key for the session.
struct UnlockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlocks an encrypted store for this session.",
    discussion: """
      Keeps the key in the session's keyring in the kernel or, where there is none, in a file of \
      yours under $XDG_RUNTIME_DIR, until hkstats lock, the end of the session, or the time that \
      --for gives.

      What was saved while the store was locked enters it before. Saves that cannot be read or made \
      move to a file beside the store, saves that cannot enter it now, as on a full disk, stay where \
      they are, and a file of saves that may be another's is left as it is; a note says so each \
      time. Who can write to that file in your name can add samples.

      The exit code is 0 when the store is unlocked, 77 when the passphrase is wrong.

      EXAMPLES:
        hkstats unlock
        hkstats unlock --for 2h
        hkstats unlock --key-file /media/stick/hkstats.key
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  @OptionGroup var key: KeyOptions

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long, such as 90s, 5min or 2h.", valueName: "duration"),
    transform: QuestionWords.seconds)
  var duration: Double?

  func validate() throws {
    guard duration.map({ $0 >= 1 }) ?? true else {
      throw ValidationError("--for is at least 1s.")
    }
  }

  func run() throws {
    let saves = try SampleStore.unlock(
      path: store.path, key: key.key(of: store),
      seconds: duration.map { UInt32(clamping: Int($0)) })
    ProtectionNotes.note(saves)
    let end = duration.map { " for \(AmountText.duration($0))" } ?? ""
    try form.write("unlocked\(end)", of: store, as: .unlocked, saves)
  }
}

/// `hkstats lock`: forgets the key.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Locks an encrypted store: its key is forgotten.",
    discussion: """
      Commands that are running keep the store open until they end.

      EXAMPLES:
        hkstats lock
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var form: ChangeFormatOptions

  func run() throws {
    try store.checkExistence()
    try SampleStore.lock(path: store.path)
    try form.write("locked", of: store, as: .locked)
  }
}

/// What opens an encrypted store.
struct KeyOptions: ParsableArguments {
  @OptionGroup var passphrase: PassphraseOptions

  @Option(
    help: ArgumentHelp("Take the key file instead of the passphrase.", valueName: "file"),
    completion: .file())
  var keyFile: String?

  /// The key for an encrypted store; asks for nothing if there is none.
  func key(of store: StoreOptions) throws -> StoreKey {
    try store.checkExistence()
    guard try SampleStore.protection(path: store.path) != .clear else {
      throw Failure("\(store.path.printable): the store is not encrypted.", .usage)
    }
    if let keyFile { return .keyFile(keyFile) }
    return .passphrase(try passphrase.passphrase())
  }
}

/// What the program says of saves to a locked store.
enum ProtectionNotes {
  /// Says that answers lack what waits.
  static func note(_ saves: StoreVerification.WaitingSaves) {
    guard saves.count > 0 else { return }
    let (verbs, them) = saves.count == 1 ? ("waits and does", "it") : ("wait and do", "them")
    StandardError.note(
      "\(AmountText.count(saves.count, "save")) to the locked store \(verbs) not count yet: "
        + "hkstats unlock lets \(them) enter.")
  }

  /// Says what did not enter the store of what was saved while it was locked.
  static func note(_ saves: LockedSaves) {
    func note(_ count: Int, _ reason: String) {
      guard count > 0 else { return }
      StandardError.note(
        "\(AmountText.count(count, "save")) to the locked store \(reason): moved to "
          + "\(saves.path.printable). All others are in the store.")
    }
    note(saves.unreadable, "cannot be read, being damaged or torn by a crash")
    note(saves.refused, "cannot be made, being invalid or not permitted to its app")
    if let left = saves.left {
      StandardError.note(
        "\(left.printable): saves to the locked store may be in this file, but it is not a regular "
          + "file with one name, yours or of the owner of the store, in which nobody else may write. "
          + "It was left as it is. Check whose it is, then chmod 600 it and unlock again, or move it "
          + "away.")
    }
    if let postponed = saves.postponed {
      StandardError.note(
        "the saves to the locked store wait for the next hkstats unlock: "
          + "\(postponed.path.printable): \(postponed.explanation).")
    }
  }
}

extension ChangeFormatOptions {
  /// Says how a store is protected now, and how many saves to the locked store entered it.
  fileprivate func write(
    _ state: String, of store: StoreOptions, as protection: SampleStore.Protection,
    _ saves: LockedSaves? = nil
  ) throws {
    let counts: [JSON.Member] =
      saves.map {
        [
          .init("merged", .integer($0.merged)), .init("unreadable", .integer($0.unreadable)),
          .init("refused", .integer($0.refused)), .init("left", .optional($0.left)),
          .init("postponed", .optional($0.postponed?.explanation)),
        ]
      } ?? []
    try write(
      saying: ["\(store.path) is \(state)."],
      [
        .init("path", .string(store.path)),
        .init("encryption", .string(protection.word)),
      ] + (counts.isEmpty ? [] : [.init("saves", .object(counts))]))
  }
}

extension SampleStore.Protection {
  /// The word for it in json and tables.
  var word: String { self == .clear ? "none" : rawValue }
}
