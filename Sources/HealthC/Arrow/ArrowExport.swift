import CHKStats
import Foundation
import HealthExchange
import Synchronization

/// How much other languages hold of this library: handles, streams, schemas and arrays.
enum LiveObjects {
  private static let count = Atomic(0)

  static var number: Int { count.load(ordering: .relaxed) }
  static func add() { count.add(1, ordering: .relaxed) }
  static func remove() { count.subtract(1, ordering: .relaxed) }
}

// MARK: - Schemas

/// The texts and children of an exported schema, which owns them until it is released.
private final class SchemaMemory {
  private let texts: [UnsafeMutablePointer<CChar>]
  private let children: OwnedPointers<ArrowSchema>
  private let dictionary: OwnedPointers<ArrowSchema>

  init(_ field: Field, isNullable: Bool, into schema: UnsafeMutablePointer<ArrowSchema>) {
    LiveObjects.add()
    texts =
      [Array(field.format.utf8CString), Array(field.name.utf8CString)].map(Self.copied)
      + (field.facts.isEmpty ? [] : [Self.copied(Self.encoded(field.facts))])
    let fields = field.children
    children = OwnedPointers(fields.count) { index, child in
      // The rows of a list are there, where the list is.
      _ = SchemaMemory(fields[index], isNullable: field.form.isStructure, into: child)
    }
    dictionary = OwnedPointers(field.form == .word ? 1 : 0) { _, words in
      _ = SchemaMemory(Field("", .text), isNullable: true, into: words)
    }
    schema.initialize(
      to: ArrowSchema(
        format: texts[0], name: texts[1], metadata: texts.count > 2 ? texts[2] : nil,
        flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(fields.count),
        children: children.addresses, dictionary: dictionary.addresses?[0],
        release: { schema in
          guard let schema, let memory = schema.pointee.private_data else { return }
          schema.pointee.release = nil
          Unmanaged<SchemaMemory>.fromOpaque(memory).release()
        }, private_data: Unmanaged.passRetained(self).toOpaque()))
  }

  deinit {
    children.free { $0.pointee.release?($0) }
    dictionary.free { $0.pointee.release?($0) }
    for text in texts { text.deallocate() }
    LiveObjects.remove()
  }

  private static func copied(_ bytes: [CChar]) -> UnsafeMutablePointer<CChar> {
    let room = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    room.initialize(from: bytes, count: bytes.count)
    return room
  }

  /// Pairs of texts, each after its length, in the byte order of the machine.
  private static func encoded(_ facts: [Fact]) -> [CChar] {
    var bytes: [CChar] = []
    func append(_ number: Int) {
      withUnsafeBytes(of: Int32(clamping: number)) { number in
        bytes.append(contentsOf: number.lazy.map { CChar(bitPattern: $0) })
      }
    }
    append(facts.count)
    for text in facts.flatMap({ [$0.key, $0.value] }) {
      append(text.utf8.count)
      bytes.append(contentsOf: text.utf8.lazy.map { CChar(bitPattern: $0) })
    }
    return bytes
  }
}

extension Field.Form {
  fileprivate var isStructure: Bool { if case .structure = self { true } else { false } }
}

extension Field {
  /// The type of Arrow, as the C data interface spells it.
  fileprivate var format: String {
    switch form {
    case .real: "g"
    case .integer: "l"
    case .truth: "b"
    case .instant(let zone): "tsu:\(zone)"
    case .day: "tdD"
    case .word: "i"
    case .text: "u"
    case .structure: "+s"
    case .list: "+l"
    }
  }

  fileprivate var children: [Field] {
    switch form {
    case .structure(let fields): fields
    case .list(let fields): [Field("item", .structure(fields))]
    default: []
    }
  }
}

extension TableSchema {
  /// Fills a schema, which the receiver releases.
  func export(to schema: UnsafeMutablePointer<ArrowSchema>) {
    _ = SchemaMemory(Field("", .structure(fields), facts), isNullable: false, into: schema)
  }
}

// MARK: - Arrays

/// The buffers and children of an exported array, which owns them until it is released.
private final class ArrayMemory {
  private let column: ArrowColumn
  private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
  private let children: OwnedPointers<ArrowArray>
  private let dictionary: OwnedPointers<ArrowArray>

  init(_ column: ArrowColumn, into array: UnsafeMutablePointer<ArrowArray>) {
    LiveObjects.add()
    self.column = column
    buffers = .allocate(capacity: column.buffers.count)
    for (index, buffer) in column.buffers.enumerated() { buffers[index] = buffer?.address }
    children = OwnedPointers(column.children.count) { index, child in
      _ = ArrayMemory(column.children[index], into: child)
    }
    dictionary = OwnedPointers(column.dictionary == nil ? 0 : 1) { _, words in
      if let dictionary = column.dictionary { _ = ArrayMemory(dictionary, into: words) }
    }
    array.initialize(
      to: ArrowArray(
        length: Int64(column.count), null_count: Int64(column.nullCount), offset: 0,
        n_buffers: Int64(column.buffers.count), n_children: Int64(column.children.count),
        buffers: buffers, children: children.addresses, dictionary: dictionary.addresses?[0],
        release: { array in
          guard let array, let memory = array.pointee.private_data else { return }
          array.pointee.release = nil
          Unmanaged<ArrayMemory>.fromOpaque(memory).release()
        }, private_data: Unmanaged.passRetained(self).toOpaque()))
  }

  deinit {
    children.free { $0.pointee.release?($0) }
    dictionary.free { $0.pointee.release?($0) }
    buffers.deallocate()
    LiveObjects.remove()
  }
}

/// Structures of C that a parent points to.
private struct OwnedPointers<Value> {
  private let count: Int
  /// `nil` without any.
  let addresses: UnsafeMutablePointer<UnsafeMutablePointer<Value>?>?

  init(_ count: Int, _ fill: (Int, UnsafeMutablePointer<Value>) -> Void) {
    self.count = count
    guard count > 0 else {
      addresses = nil
      return
    }
    let room = UnsafeMutablePointer<UnsafeMutablePointer<Value>?>.allocate(capacity: count)
    for index in 0..<count {
      let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      fill(index, value)
      room[index] = value
    }
    addresses = room
  }

  /// Releases each that no reader has moved out, and frees all.
  func free(_ release: (UnsafeMutablePointer<Value>) -> Void) {
    guard let addresses else { return }
    for index in 0..<count {
      guard let value = addresses[index] else { continue }
      release(value)
      value.deallocate()
    }
    addresses.deallocate()
  }
}

// MARK: - Streams

/// The state of one exported stream; Arrow lets one thread at a time use it.
private final class StreamMemory {
  private let table: Table
  private let generation = hki_generation()
  private var reader: (any BatchReader)?
  private var isAtEnd = false
  /// The error that ended the reading: rows after it would have a gap before them.
  private var ending: (any Error)?
  private var failure: UnsafeMutablePointer<CChar>?

  init(_ table: Table) {
    LiveObjects.add()
    self.table = table
  }

  deinit {
    free(failure)
    LiveObjects.remove()
  }

  /// Fills a stream, which owns this memory until it is released.
  func export(to stream: UnsafeMutablePointer<ArrowArrayStream>) {
    stream.initialize(
      to: ArrowArrayStream(
        get_schema: { stream, schema in
          guard let memory = StreamMemory.of(stream), let schema else { return EINVAL }
          return memory.attempt { memory.table.schema.export(to: schema) }
        },
        get_next: { stream, array in
          guard let memory = StreamMemory.of(stream), let array else { return EINVAL }
          return memory.attempt { try memory.next(into: array) }
        },
        get_last_error: { stream in
          guard let memory = StreamMemory.of(stream) else { return nil }
          return memory.failure.map { UnsafePointer($0) }
        },
        release: { stream in
          guard let stream, let memory = stream.pointee.private_data else { return }
          stream.pointee.release = nil
          let unmanaged = Unmanaged<StreamMemory>.fromOpaque(memory)
          let generation = unmanaged.takeUnretainedValue().generation
          // A child must not close what its parent reads, and is none of a call while this closes
          // files: it would find them locked.
          try? Calls.run(generation: generation) { unmanaged.release() }
        },
        private_data: Unmanaged.passRetained(self).toOpaque()))
  }

  private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> StreamMemory? {
    stream?.pointee.private_data.map {
      Unmanaged<StreamMemory>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func next(into array: UnsafeMutablePointer<ArrowArray>) throws {
    if let ending { throw ending }
    if !isAtEnd {
      do {
        let reader = try reader ?? table.reader()
        self.reader = reader
        if let batch = try reader.next() {
          _ = ArrayMemory(batch, into: array)
          return
        }
      } catch {
        ending = error
        throw error
      }
      isAtEnd = true
      self.reader = nil
    }
    // The end is an array that is released already.
    array.initialize(to: ArrowArray())
  }

  /// Runs a step of a reader's, and keeps the sentence of its error.
  private func attempt(_ body: () throws -> Void) -> Int32 {
    free(failure)
    failure = nil
    do {
      try Calls.run(generation: generation, body)
      return 0
    } catch {
      let failure = CallFailure(error)
      self.failure = strdup(failure.sentence)
      return failure.errorNumber
    }
  }
}

extension Table {
  /// Fills a stream of all rows, which the receiver releases.
  func exportStream(to stream: UnsafeMutablePointer<ArrowArrayStream>) {
    StreamMemory(self).export(to: stream)
  }
}
