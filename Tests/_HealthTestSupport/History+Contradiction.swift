extension History {
  /// Whether two files tell one time differently: a row that only one of them has overlaps one that
  /// only the other has.
  public static func contradict(_ ours: Set<Row>, _ theirs: Set<Row>) -> Bool {
    ours.subtracting(theirs).contains { one in
      theirs.subtracting(ours).contains { other in
        one.key.series == other.key.series && one.key.overlaps(other.key)
      }
    }
  }
}
