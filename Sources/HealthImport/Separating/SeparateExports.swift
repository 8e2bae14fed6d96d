/// Which files of a folder or an archive are one export, and which are exports of their own.
///
/// Files that tell different things are parts of one export: a file for each metric, for each day.
/// Two that tell one time of one series differently were written at different moments, as overlapping
/// windows are. Each of them is an export, and where they differ the later one decides, so that a
/// folder gives what its files give one by one.
///
/// Files without a date stand in the order in which their records end. Only files that follow each
/// other in this order are one export, for an export stands where its last record ends.
enum SeparateExports {
  /// The exports in their order, each by the places of its files.
  static func exports(among files: [ToldFile]) -> [[Int]] {
    var done: [[Int]] = []
    /// Exports to which files may be added; several only where files of one end differ.
    var open: [(files: [Int], told: ToldFile)] = []
    for places in inOrder(files) {
      let isApart = places.contains { place in
        open.contains { $0.told.contradicts(files[place]) }
      }
      if isApart || open.count > 1 {
        done += open.map(\.files)
        open = []
      }
      for place in places {
        let index = open.firstIndex { !$0.told.contradicts(files[place]) } ?? open.count
        if index == open.count { open.append(([], ToldFile())) }
        open[index].files.append(place)
        open[index].told.formUnion(files[place])
      }
    }
    return done + open.map(\.files)
  }

  /// The places of files by their last end, those of one end together.
  private static func inOrder(_ files: [ToldFile]) -> [[Int]] {
    var groups: [[Int]] = []
    for place in files.indices.sorted(by: {
      (files[$0].lastEnd, $0) < (files[$1].lastEnd, $1)
    }) {
      if let last = groups.last?.first, files[last].lastEnd == files[place].lastEnd {
        groups[groups.count - 1].append(place)
      } else {
        groups.append([place])
      }
    }
    return groups
  }
}
