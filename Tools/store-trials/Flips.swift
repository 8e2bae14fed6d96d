import Foundation
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Synchronization
import _HealthTestSupport

/// Flips single bits of a store, and asks all that the bit can matter for: each answer must be the
/// right one, or the store must say that it is damaged.
///
/// Which questions read a page is found out by filling it with other bytes: one that does not notice
/// does not read it. A child does the work, so that a crash is a finding and not the end.
struct Flips {
  let store: String
  private let bytes: [UInt8]
  private let pageSize: Int
  private let questions: [Question]

  /// A question, and its right answer as a digest.
  private struct Question {
    let name: String
    let ask: (SampleStore) throws -> Int
    var answer = 0
  }

  private enum Outcome: Equatable {
    case right
    case told
    case wrong(String)
  }

  init(store: String) throws {
    self.store = store
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store)))
    guard bytes.count > 100 else { throw TrialError("\(store) is no store") }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    let whole = try SampleStore(path: store, mode: .readOnly)
    try whole.verify()
    questions = try Self.questions(about: whole).map { question in
      var question = question
      question.answer = try question.ask(whole)
      return question
    }
  }

  /// Everything that can be asked of a store, in pieces that read as little as possible.
  private static func questions(about store: SampleStore) throws -> [Question] {
    var questions = [
      Question(name: "types") { try digest($0.types()) },
      Question(name: "sources") { try digest($0.sources()) },
      Question(name: "overview") { try digest($0.overview()) },
      Question(name: "settings") { try digest($0.defaultZone()) },
      Question(name: "anchor") { try digest($0.anchor()) },
      Question(name: "changes") { try digest($0.changes()) },
      Question(name: "deletions") { store in
        digest(try store.deletions(after: StoreAnchor(before: store.anchor())))
      },
      Question(name: "preferences") { try digest($0.preferredSources(of: SampleType(.stepCount))) },
    ]
    for type in try store.types().map(\.type) {
      questions.append(
        Question(name: "samples of \(type.identifier)") { store in
          var hasher = Hasher()
          for batch in try store.records(of: type) {
            batch.hash(into: &hasher)
            hasher.combine(try store.uuids(of: batch.serials))
          }
          return hasher.finalize()
        })
      guard type.canonicalUnit != nil, let zone = TimeZone(identifier: "Europe/Paris") else {
        continue
      }
      var plan = StatisticsPlan(type: type, timeZone: zone)
      plan.interval = CalendarInterval(.day)
      let question = plan
      questions.append(
        Question(name: "statistics of \(type.identifier)") { store in
          let answer = try store.statistics(question)
          var hasher = Hasher()
          hasher.combine(answer.priority)
          hasher.combine(answer.unit)
          hasher.combine(answer.intervals.starts)
          hasher.combine(answer.intervals.counts)
          for statistic in [Statistic.sum, .mean, .min, .max] {
            hasher.combine(answer.intervals[statistic])
          }
          return hasher.finalize()
        })
    }
    questions += [
      Question(name: "workouts") { try digest($0.workouts().rows) },
      Question(name: "routes") { try digest($0.routes().rows) },
      Question(name: "correlations") { try digest($0.correlations().rows) },
      Question(name: "activity summaries") { try digest($0.activitySummaries().rows) },
      Question(name: "beat lists") { try digest($0.beatLists().rows) },
      Question(name: "electrocardiograms") { try digest($0.electrocardiograms().rows) },
      Question(name: "audiograms") { try digest($0.audiograms().rows) },
      Question(name: "vision prescriptions") { try digest($0.visionPrescriptions().rows) },
      Question(name: "clinical records") { try digest($0.clinicalRecords().rows) },
      Question(name: "characteristics") { try digest($0.characteristics().rows) },
    ]
    return questions
  }

  private static func digest(_ value: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(value)
    return hasher.finalize()
  }

  // MARK: One bit

  private func outcome(_ question: Question, in store: SampleStore) -> Outcome {
    do {
      let answer = try question.ask(store)
      return answer == question.answer ? .right : .wrong("\(question.name): another answer")
    } catch {
      return Self.isTold(error) ? .told : .wrong("\(question.name): \(error)")
    }
  }

  /// Damage of a header looks like another kind of file, or one of a later version.
  private static func isTold(_ error: any Error) -> Bool {
    let reason: StoreError.Reason? =
      switch error {
      case let error as StoreError: error.reason
      case let error as QueryError:
        if case .store(let cause) = error.reason { cause.reason } else { nil }
      default: nil
      }
    switch reason {
    case .damaged, .notAStore, .newerSchema: return true
    default: return false
    }
  }

  /// Writes bytes into a copy of the store and asks some questions.
  private func ask(_ asked: [Int], of copy: String) -> [Outcome] {
    defer { for suffix in ["-wal", "-shm", "-journal"] { unlink(copy + suffix) } }
    do {
      let store = try SampleStore(path: copy, mode: .readOnly)
      return asked.map { outcome(questions[$0], in: store) }
    } catch {
      return [Self.isTold(error) ? .told : .wrong("opening: \(error)")]
    }
  }

  /// A copy of the store whose bytes can be changed and restored.
  private final class Copy {
    let path: String
    private let bytes: [UInt8]
    private let descriptor: Int32

    init(of bytes: [UInt8], at path: String) throws {
      (self.bytes, self.path) = (bytes, path)
      descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw TrialError("\(path) cannot be written") }
      restore()
    }

    func delete() {
      close(descriptor)
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    func write(_ part: ArraySlice<UInt8>, at place: Int) {
      _ = part.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
    }

    func restore() {
      ftruncate(descriptor, off_t(bytes.count))
      write(bytes[...], at: 0)
    }

    /// Whether readers have left all but one byte as it was.
    func isAs(_ bytes: [UInt8], but changed: Int) -> Bool {
      var found = [UInt8](repeating: 0, count: bytes.count + 1)
      let count = found.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
      found.removeLast()
      found[changed] = bytes[changed]
      return count == bytes.count && found == bytes
    }
  }

  /// The questions that read a page.
  private func readers(ofPage page: Int, with copy: Copy) throws -> [Int] {
    let range = page * pageSize..<min((page + 1) * pageSize, bytes.count)
    var found: Set<Int> = []
    let patterns: [(UInt8) -> UInt8] = [{ ~$0 }, { _ in 0 }, { $0 &+ 1 }]
    for pattern in patterns {
      copy.write(bytes[range].map(pattern)[...], at: range.lowerBound)
      let outcomes = ask(Array(questions.indices), of: copy.path)
      // Where not even opening works, all of them read it.
      for index in questions.indices where index >= outcomes.count || outcomes[index] != .right {
        found.insert(index)
      }
      copy.restore()
    }
    return found.sorted()
  }

  // MARK: The work of a child

  /// Flips the bits of every `cores`th page from `core` on, and prints what is wrong.
  ///
  /// `count` bits of the file are chosen by `seed`, or each when it is `nil`, and those before
  /// `first` are left out. The number of each goes to a file before it is flipped.
  func flip(core: Int, of cores: Int, count: Int?, seed: UInt64, from first: Int) throws {
    let copy = try Copy(of: bytes, at: "\(store).copy\(core)")
    defer { copy.delete() }
    let progress = open(Self.progress(store, core), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(progress) }
    var chance = SplitMix64(seed: seed)
    let chosen = count.map { count in
      Set((0..<count).map { _ in Int.random(in: 0..<bytes.count * 8, using: &chance) })
    }
    let parent = getppid()
    var (right, told) = (0, 0)
    for page in stride(from: core, to: (bytes.count + pageSize - 1) / pageSize, by: cores) {
      let all = page * pageSize * 8..<min((page + 1) * pageSize, bytes.count) * 8
      let bits = (chosen.map { $0.filter { all.contains($0) }.sorted() } ?? Array(all))
        .filter { $0 >= first }
      guard !bits.isEmpty else { continue }
      let readers = try readers(ofPage: page, with: copy)
      for bit in bits {
        // The parent may have been killed.
        guard getppid() == parent else { return }
        withUnsafeBytes(of: Int64(bit)) { _ = pwrite(progress, $0.baseAddress, 8, 0) }
        alarm(20)
        let place = bit / 8
        copy.write([bytes[place] ^ 1 << UInt8(bit % 8)], at: place)
        let outcomes = ask(readers, of: copy.path)
        alarm(0)
        for case .wrong(let text) in outcomes { say("WRONG bit \(bit) of page \(page): \(text)") }
        if outcomes.contains(.told) { told += 1 } else { right += 1 }
        if bit % 64 == 0, !copy.isAs(bytes, but: place) {
          say("WRONG bit \(bit) of page \(page): a reader has changed the file")
          copy.restore()
        }
        copy.write(bytes[place...place], at: place)
      }
    }
    say("right \(right) told \(told)")
  }

  private static func progress(_ store: String, _ core: Int) -> String { "\(store).bit\(core)" }

  // MARK: The work of the parent

  /// Flips `count` seeded bits, or each bit, on all cores; whether nothing was wrong.
  static func run(store: String, count: Int?, seed: UInt64) throws -> Bool {
    let started = ContinuousClock.now
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let total = Mutex((right: 0, told: 0, wrong: 0))
    DispatchQueue.concurrentPerform(iterations: cores) { core in
      var first = 0
      // A child that crashes or hangs is a finding; another goes on behind that bit.
      for _ in 0..<50 {
        let (lines, hasEnded) = Child.lines(
          [
            "flips-of", store, "\(core)", "\(cores)", count.map { "\($0)" } ?? "all", "\(seed)",
            "\(first)",
          ])
        for line in lines where line.hasPrefix("WRONG") {
          say(line)
          total.withLock { $0.wrong += 1 }
        }
        let words = (lines.last ?? "").split(separator: " ")
        if hasEnded, words.count == 4, let right = Int(words[1]), let told = Int(words[3]) {
          total.withLock {
            $0.right += right
            $0.told += told
          }
          break
        }
        var bit: Int64 = -1
        let file = open(progress(store, core), O_RDONLY | O_CLOEXEC)
        withUnsafeMutableBytes(of: &bit) { _ = pread(file, $0.baseAddress, 8, 0) }
        close(file)
        say("WRONG bit \(bit): a reader crashes or hangs")
        total.withLock { $0.wrong += 1 }
        first = Int(bit) + 1
      }
      unlink(progress(store, core))
    }
    let (right, told, wrong) = total.withLock { $0 }
    say(
      "Flipped \(right + told) bits in \(Int((ContinuousClock.now - started) / .seconds(1))) s, "
        + "\(told) told: \(right + told - wrong) passed, \(wrong) failed")
    return wrong == 0 && right + told > 0
  }
}

extension RecordColumns {
  /// Hashes all that the rows say.
  fileprivate func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    for numbers in [starts, ends, values, created] {
      numbers.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    for indices in [origins, metadata, copies] {
      indices.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    labels.withUnsafeBytes { hasher.combine(bytes: $0) }
    serials.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(labelTable)
    hasher.combine(originTable)
    hasher.combine(metadataTable)
  }
}
