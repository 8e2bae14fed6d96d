import CHKStats
import Foundation
import HealthExchange
import HealthQuery
import Synchronization

/// A failure of the interface itself.
enum CallError: Error {
  /// An argument is NULL, or is no text, or out of its range.
  case argument(String, CallProblem)
  /// There is no such table to ask for; those that there are.
  case unknownTable(String, known: [String])
  /// The handle was closed, or is none.
  case noHandle(String)
  /// The progress function asked to stop.
  case interrupted
  /// A progress function writes to a store, amid a call on its thread.
  case withinProgress
  /// The handle belongs to the process from which this one was forked, or a call was running then.
  case forked(amidCall: Bool)
  /// There is no memory for what the caller gets.
  case noMemory
}

/// What is wrong with an argument.
enum CallProblem: String {
  case isNull = "is NULL"
  case isNotUTF8 = "is not UTF-8"
  case isTooLong = "is longer than 16 MB"
  case isUnknown = "is none of the constants of hkstats.h"
  case isTooLarge = "is more than an address can reach"
  case containsTwice = "has a name twice"
}

/// An error as other languages get it: a code, where and why, and a sentence.
struct CallFailure {
  let code: Int32
  let facts: FailureFacts
  let sentence: String

  init(_ error: any Error) {
    if let error = error as? CallError {
      self = error.failure
      return
    }
    // Errors of the engine say what is wrong; the sentence of another might have a value.
    let known = FailureCode(error)
    let text = known == nil ? "The call failed for an unknown reason." : "\(error)"
    // What it quotes of an argument may have what ends a text in C.
    sentence = text.replacing("\0", with: "\u{FFFD}")
    facts = (known == nil ? nil : FailureFacts(error)) ?? FailureFacts("unknown")
    // A list of zones is an argument here, and no file.
    let isOfZones = if case .timeline? = (error as? QueryError)?.reason { true } else { false }
    code = isOfZones ? FailureCode.usage.rawValue : (known ?? .failed).rawValue
  }

  fileprivate init(_ code: hkstats_code, _ facts: FailureFacts, _ sentence: String) {
    (self.code, self.facts, self.sentence) = (Int32(code.rawValue), facts, sentence)
  }

  /// The failure as an object of JSON.
  var json: String {
    JSON.object(
      [
        .init("code", .integer(Int(code))), .init("where", .optional(facts.place)),
        .init("reason", .string(facts.reason)),
      ] + (facts.explanation.map { [.init("explanation", .string($0))] } ?? []) + [
        .init("message", .string(sentence))
      ]
    ).text
  }

  /// The number of `errno` that Arrow's streams return.
  var errorNumber: Int32 {
    switch code {
    case Int32(HKSTATS_INTERRUPTED.rawValue): EINTR
    case Int32(HKSTATS_USAGE.rawValue), Int32(HKSTATS_FORKED.rawValue): EINVAL
    case Int32(HKSTATS_BUSY.rawValue): EBUSY
    default: EIO
    }
  }
}

extension CallError {
  fileprivate var failure: CallFailure {
    switch self {
    case .argument(let name, let problem):
      CallFailure(
        HKSTATS_USAGE, FailureFacts("\(problem)", at: name),
        "The argument \(name) \(problem.rawValue).")
    case .noHandle(let name):
      CallFailure(
        HKSTATS_USAGE, FailureFacts("noHandle", at: name),
        "The argument \(name) is NULL, or was closed.")
    case .unknownTable(let name, let known):
      CallFailure(
        HKSTATS_USAGE, FailureFacts("unknownTable", at: "table"),
        "There is no table \"\(name.printable.truncated(to: 80))\". Use one of: "
          + known.joined(separator: ", ") + ".")
    case .interrupted:
      CallFailure(
        HKSTATS_INTERRUPTED, FailureFacts("interrupted"),
        "The call was stopped as the caller asked.")
    case .withinProgress:
      CallFailure(
        HKSTATS_USAGE, FailureFacts("withinProgress"),
        "A progress function cannot import; it can ask.")
    case .forked(amidCall: false):
      CallFailure(
        HKSTATS_FORKED, FailureFacts("forked"),
        "This was opened before the process was forked: a child must open its own.")
    case .forked(amidCall: true):
      CallFailure(
        HKSTATS_FORKED, FailureFacts("forkedAmidCall"),
        "The process was forked while another thread was in a call: the child cannot use hkstats.")
    case .noMemory:
      CallFailure(HKSTATS_FAILED, FailureFacts("noMemory"), "There is not enough memory.")
    }
  }
}

/// Where a function puts its error.
typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// Running functions of the interface.
enum Calls {
  /// Runs the body of a function, and converts its error.
  static func run(_ place: ErrorPlace, _ body: () throws -> Void) -> Int32 {
    place?.pointee = nil
    do {
      try run(generation: nil, body)
      return Int32(HKSTATS_OK.rawValue)
    } catch {
      let failure = CallFailure(error)
      place?.pointee = strdup(failure.json)
      return failure.code
    }
  }

  /// Runs a body, counted as a call, in the process that began with it.
  static func run<Value>(generation: UInt32?, _ body: () throws -> Value) throws -> Value {
    guard hki_enter() == 0 else { throw CallError.forked(amidCall: true) }
    defer { hki_leave() }
    if let generation, generation != hki_generation() { throw CallError.forked(amidCall: false) }
    return try body()
  }
}

// MARK: - Handles

/// What the handles of other languages stand for.
///
/// A handle is a number in the form of a pointer, which nothing reads through: one that is closed,
/// or never was, is refused.
final class Handles<Thing: AnyObject & Sendable>: Sendable {
  private struct Entry {
    let thing: Thing
    let generation: UInt32
  }

  private struct State {
    var entries: [UInt: Entry] = [:]
    var last: UInt = 0
  }

  private let name: String
  private let state = Mutex(State())

  init(_ name: String) { self.name = name }

  /// A handle of a thing, which it keeps until it is closed.
  func open(_ thing: Thing) -> OpaquePointer? {
    LiveObjects.add()
    return state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(thing: thing, generation: hki_generation())
      // Not the address of anything: odd, and in the first page.
      return OpaquePointer(bitPattern: state.last << 4 | 1)
    }
  }

  /// The thing of a handle.
  ///
  /// - Throws: `CallError`
  subscript(handle: OpaquePointer?) -> Thing {
    get throws {
      guard let entry = state.withLock({ $0.entries[Self.number(handle)] }) else {
        throw CallError.noHandle(name)
      }
      guard entry.generation == hki_generation() else { throw CallError.forked(amidCall: false) }
      return entry.thing
    }
  }

  /// Gives a handle another thing.
  ///
  /// - Throws: `CallError`
  func replace(_ handle: OpaquePointer?, with thing: Thing) throws {
    _ = try self[handle]
    let isOpen = state.withLock { state in
      let number = Self.number(handle)
      guard let entry = state.entries[number] else { return false }
      state.entries[number] = Entry(thing: thing, generation: entry.generation)
      return true
    }
    guard isOpen else { throw CallError.noHandle(name) }
  }

  /// Ends a handle.
  ///
  /// What a parent opened is not closed in a child, which would close it for both.
  ///
  /// - Throws: `CallError`
  func close(_ handle: OpaquePointer?) throws {
    _ = try self[handle]
    guard state.withLock({ $0.entries.removeValue(forKey: Self.number(handle)) }) != nil else {
      throw CallError.noHandle(name)
    }
    LiveObjects.remove()
  }

  private static func number(_ handle: OpaquePointer?) -> UInt {
    let bits = UInt(bitPattern: handle)
    return bits & 15 == 1 ? bits >> 4 : 0
  }
}

// MARK: - Arguments

/// The longest text that a function takes.
private let longestText = 1 << 24

/// The text of an argument.
///
/// - Throws: `CallError`
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
  guard let pointer else { throw CallError.argument(name, .isNull) }
  let length = strnlen(pointer, longestText + 1)
  guard length <= longestText else { throw CallError.argument(name, .isTooLong) }
  let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw CallError.argument(name, .isNotUTF8)
  }
  return text
}

/// The text of an argument that may be NULL.
func optionalText(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String? {
  pointer == nil ? nil : try text(pointer, name)
}

/// The object of JSON of an argument; one without members for NULL.
///
/// - Throws: `CallError`
func json(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
  try optionalText(pointer, name) ?? "{}"
}

/// The place of what a function gives, which is empty until it succeeds.
func place<Value>(_ pointer: UnsafeMutablePointer<Value?>?, _ name: String) throws
  -> UnsafeMutablePointer<Value?>
{
  guard let pointer else { throw CallError.argument(name, .isNull) }
  pointer.pointee = nil
  return pointer
}

/// A copy of a text for the caller, who frees it with `hkstats_free`.
func copied(_ text: String) throws -> UnsafeMutablePointer<CChar> {
  guard let copy = strdup(text) else { throw CallError.noMemory }
  return copy
}

/// The progress function of a caller, called on the thread of the call.
struct Progress: @unchecked Sendable {
  private let function: hkstats_progress?
  private let context: UnsafeMutableRawPointer?
  private let isStopped = Flag()

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  init(_ function: hkstats_progress?, _ context: UnsafeMutableRawPointer?) {
    (self.function, self.context) = (function, context)
  }

  /// Reports a share; below 0 where the whole is not known.
  func report(_ phase: String, _ share: Double) {
    guard let function, !isStopped.isSet.load(ordering: .relaxed) else { return }
    ReportingThreads.enter()
    defer { ReportingThreads.leave() }
    if phase.withCString({ function(context, $0, share) }) != 0 {
      isStopped.isSet.store(true, ordering: .relaxed)
    }
  }

  /// Whether the function asked to stop.
  var isCancelled: Bool { isStopped.isSet.load(ordering: .relaxed) }
  /// Whether there is a function.
  var isWanted: Bool { function != nil }
}

/// The threads that are within a progress function, and how deep.
///
/// Such a thread has the connection of a temporary store, or the lock of a file, and would wait for
/// itself if it imported.
enum ReportingThreads {
  private static let depths = Mutex<[UInt: Int]>([:])
  private static var thread: UInt { UInt(pthread_self()) }

  static func enter() { depths.withLock { $0[thread, default: 0] += 1 } }
  static func leave() {
    depths.withLock { depths in
      let depth = depths[thread, default: 1] - 1
      depths[thread] = depth > 0 ? depth : nil
    }
  }
  /// Whether this thread is one of them.
  static var hasThisOne: Bool { depths.withLock { $0[thread] != nil } }
}
