import CHKStats
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import Synchronization

/// A failure of the interface itself.
enum CallError: Error {
  /// An argument is NULL, or is no text, or out of its range.
  case argument(String, CallProblem)
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
  case isNotFinite = "has a number that is not finite"
  case endsBeforeStart = "ends before it starts"
  case isNoIndex = "is no index into the names"
  case isTooLarge = "is more than an address can reach"
  case isNotJSON = "is not an object of JSON"
  case containsTwice = "has a name twice"
}

/// An error as other languages get it: a code and a sentence.
struct Outcome {
  let code: Int32
  let sentence: String

  init(_ error: any Error) {
    if let error = error as? CallError {
      (code, sentence) = Self.own(error)
      return
    }
    // Errors of the engine say what is wrong; the sentence of another might have a value.
    let known = FailureCode(error)
    let text = known == nil ? "The call failed for an unknown reason." : "\(error)"
    // What it quotes of an argument may have what ends a text in C.
    sentence = text.replacing("\0", with: "\u{FFFD}")
    // A list of zones is an argument here, and no file.
    let isOfZones = if case .timeline? = (error as? QueryError)?.reason { true } else { false }
    code = isOfZones ? FailureCode.usage.rawValue : (known ?? .failed).rawValue
  }

  private static func own(_ error: CallError) -> (Int32, String) {
    switch error {
    case .argument(let name, let problem):
      (Int32(HKSTATS_USAGE.rawValue), "The argument \(name) \(problem.rawValue).")
    case .noHandle(let name):
      (Int32(HKSTATS_USAGE.rawValue), "The argument \(name) is NULL, or was closed.")
    case .interrupted:
      (Int32(HKSTATS_INTERRUPTED.rawValue), "The call was stopped as the caller asked.")
    case .withinProgress:
      (Int32(HKSTATS_USAGE.rawValue), "A progress function cannot import; it can ask.")
    case .forked(amidCall: false):
      (
        Int32(HKSTATS_FORKED.rawValue),
        "This was opened before the process was forked: a child must open its own."
      )
    case .forked(amidCall: true):
      (
        Int32(HKSTATS_FORKED.rawValue),
        "The process was forked while another thread was in a call: the child cannot use hkstats."
      )
    case .noMemory: (Int32(HKSTATS_FAILED.rawValue), "There is not enough memory.")
    }
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

/// Where a function puts the sentence of its error.
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
      let outcome = Outcome(error)
      place?.pointee = strdup(outcome.sentence)
      return outcome.code
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
