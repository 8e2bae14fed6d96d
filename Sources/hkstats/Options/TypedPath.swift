/// A path in two parts, both as a person typed them.
///
/// That of Foundation ends the process where a relative path has one character.
struct TypedPath {
  /// The folder with its last slash; empty for a name alone.
  let folder: String
  /// The name without slashes after it.
  let name: String

  init(_ path: String) {
    var path = path[...]
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    (folder, name) = (String(path[..<start]), String(path[start...]))
  }

  /// The folder for a call of the system.
  var place: String { folder.isEmpty ? "." : folder }
}
