import CISAL

/// Compresses bytes as a gzip file, which `gunzip` and browsers read.
enum Gzip {
  /// The strongest level of ISA-L.
  private static let level: UInt32 = 3
  /// More than ISA-L asks for at this level (`ISAL_DEF_LVL3_LARGE`: 0.5 MiB).
  private static let workspaceCount = 1 << 20
  private static let format: UInt16 = 1
  private static let done: Int32 = 0

  /// The compressed bytes; `nil` when they would not fit, for which there is no input.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    // Blocks that do not compress are stored, with five bytes for each 65,535, and head and trailer.
    let capacity = bytes.count + (bytes.count / 65_535 + 1) * 5 + 64
    guard capacity < Int(UInt32.max) else { return nil }
    var input = bytes
    return withUnsafeTemporaryAllocation(byteCount: workspaceCount, alignment: 64) { workspace in
      input.withUnsafeMutableBufferPointer { input in
        var isWhole = false
        let packed = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
          var stream = isal_zstream()
          isal_deflate_stateless_init(&stream)
          stream.level = level
          stream.level_buf = workspace.bindMemory(to: UInt8.self).baseAddress
          stream.level_buf_size = UInt32(workspaceCount)
          stream.gzip_flag = format
          stream.end_of_stream = 1
          (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
          (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(capacity))
          isWhole = isal_deflate_stateless(&stream) == done
          count = isWhole ? capacity - Int(stream.avail_out) : 0
        }
        return isWhole ? packed : nil
      }
    }
  }
}
