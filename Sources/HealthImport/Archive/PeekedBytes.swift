/// A stream whose start has already been read.
final class PeekedBytes: ByteSource {
  /// The start; the whole stream if it is shorter than requested.
  let head: [UInt8]
  private let rest: any ByteSource
  private var position = 0

  /// Reads the first `count` bytes of `source`, or all.
  init(_ source: any ByteSource, count: Int) throws(ExportError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    head = Array(buffer.prefix(try source.readAll(into: buffer)))
    rest = source
  }

  var byteCount: Int { rest.byteCount }
  var endedEarly: Bool { rest.endedEarly }
  func stop() { rest.stop() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    guard position < head.count else { return try rest.read(into: buffer) }
    let count = min(buffer.count, head.count - position)
    buffer.copyBytes(from: head[position..<position + count])
    position += count
    return count
  }
}
