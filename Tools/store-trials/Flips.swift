import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Synchronization
import _HealthTestSupport

/// Flips bits of a store, and asks all that they can matter for: each answer must be the right one, or
/// the store must say that it is damaged.
///
/// It flips a bit of each byte in use, so that eight seeds flip each; or chosen ones, alone or four in a
/// page, half of them anywhere and half in bytes that tables and indexes use.
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
      Question(name: "sleep") { store in
        let nights = try store.sleep(SleepPlan(timeZone: ZoneTimeline(.gmt))).nights
        var hasher = Hasher()
        hasher.combine(nights.days)
        hasher.combine(nights.spans)
        hasher.combine(nights.asleep)
        hasher.combine(nights.stages)
        hasher.combine(nights.inBed)
        hasher.combine(nights.sources)
        return hasher.finalize()
      },
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

  // MARK: One flip

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
    case .damaged, .notAStore, .newerSchema, .olderSchema: return true
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

    /// Whether readers have left every byte as it was.
    var isUnchanged: Bool {
      var found = [UInt8](repeating: 0, count: bytes.count + 1)
      let count = found.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
      return count == bytes.count && found.dropLast() == bytes[...]
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

  // MARK: What to flip

  /// The bytes in use of a page of a table or an index; `nil` for any other page.
  private func usedBytes(ofPage page: Int) -> [Int]? {
    let first = page * pageSize
    // The first page begins with the header of the file.
    let header = page == 0 ? 100 : first
    guard [2, 5, 10, 13].contains(bytes[header]) else { return nil }
    func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    let (cells, content) = (number(header + 3), number(header + 5))
    return Array(header..<header + 8 + 2 * cells) + Array(first + content..<first + pageSize)
  }

  /// `count` groups of bits in the order of the file, each group in one page.
  private func chosen(_ count: Int, seed: UInt64) -> [[Int]] {
    var chance = SplitMix64(seed: seed)
    let used = (0..<bytes.count / pageSize).compactMap(usedBytes)
    return (0..<count).map { index in
      let page = Int.random(in: 0..<bytes.count / pageSize, using: &chance)
      let anywhere = Array(page * pageSize..<(page + 1) * pageSize)
      let places = index % 2 == 0 ? anywhere : used.randomElement(using: &chance) ?? anywhere
      return (0..<(index % 8 < 6 ? 1 : 4)).map { _ in
        (places.randomElement(using: &chance) ?? 0) * 8 + Int.random(in: 0..<8, using: &chance)
      }.sorted()
    }.sorted { $0[0] < $1[0] }
  }

  /// A bit of each byte in use of a page.
  private func eachByte(ofPage page: Int, seed: UInt64) -> [[Int]] {
    let places = usedBytes(ofPage: page) ?? Array(page * pageSize..<(page + 1) * pageSize)
    return places.map { [$0 * 8 + ($0 + Int(seed % 8)) % 8] }
  }

  // MARK: The work of a child

  /// Flips the bits of every `cores`th page from `core` on, and prints what is wrong.
  ///
  /// `count` groups of bits are chosen by `seed`, or one of each byte when it is `nil`, and
  /// those before `first` are left out. The number of each goes to a file before it is flipped.
  func flip(core: Int, of cores: Int, count: Int?, seed: UInt64, from first: Int) throws {
    let copy = try Copy(of: bytes, at: "\(store).copy\(core)")
    defer { copy.delete() }
    let progress = open(Self.progress(store, core), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(progress) }
    let chosen = count.map { self.chosen($0, seed: seed) }
    let parent = getppid()
    var (right, told, asked) = (0, 0, 0)
    for page in stride(from: core, to: bytes.count / pageSize, by: cores) {
      let all = page * pageSize * 8..<(page + 1) * pageSize * 8
      let flips =
        (chosen?.filter { all.contains($0[0]) } ?? eachByte(ofPage: page, seed: seed))
        .filter { $0[0] >= first }
      guard !flips.isEmpty else { continue }
      let readers = try readers(ofPage: page, with: copy)
      for bits in flips {
        // The parent may have been killed.
        guard getppid() == parent else { return }
        withUnsafeBytes(of: Int64(bits[0])) { _ = pwrite(progress, $0.baseAddress, 8, 0) }
        alarm(20)
        var damaged = Array(bytes[page * pageSize..<(page + 1) * pageSize])
        for bit in bits { damaged[(bit - all.lowerBound) / 8] ^= 1 << UInt8(bit % 8) }
        for bit in bits {
          copy.write([damaged[(bit - all.lowerBound) / 8]], at: bit / 8)
        }
        let outcomes = ask(readers, of: copy.path)
        alarm(0)
        asked += readers.count
        for case .wrong(let text) in outcomes { say("WRONG bits \(bits) of page \(page): \(text)") }
        if outcomes.contains(.told) { told += 1 } else { right += 1 }
        for bit in bits { copy.write(bytes[bit / 8...bit / 8], at: bit / 8) }
        if (right + told) % 64 == 0, !copy.isUnchanged {
          say("WRONG bits \(bits) of page \(page): a reader has changed the file")
          copy.restore()
        }
      }
    }
    say("right \(right) told \(told) asked \(asked)")
  }

  private static func progress(_ store: String, _ core: Int) -> String { "\(store).bit\(core)" }

  // MARK: The work of the parent

  /// Flips `count` seeded groups of bits, or a bit of each byte; whether nothing was wrong.
  static func run(store: String, count: Int?, seed: UInt64) throws -> Bool {
    let started = ContinuousClock.now
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let total = Mutex((right: 0, told: 0, asked: 0, wrong: 0))
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
        let numbers = words.compactMap { Int($0) }
        if hasEnded, words.count == 6, numbers.count == 3 {
          total.withLock {
            $0.right += numbers[0]
            $0.told += numbers[1]
            $0.asked += numbers[2]
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
    let (right, told, asked, wrong) = total.withLock { $0 }
    let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
    say(
      "Flipped bits of a store of \(size) bytes \(right + told) times and asked \(asked) questions in "
        + "\(Int((ContinuousClock.now - started) / .seconds(1))) s, damage told \(told) times: "
        + "\(right + told - wrong) passed, \(wrong) failed")
    return wrong == 0 && told > 0
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
