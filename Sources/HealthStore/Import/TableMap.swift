/// From places in the tables of a segment or batch to places in those of a gatherer.
struct TableMap {
  var labels: PlaceMap<UInt16>
  var origins: PlaceMap<UInt32>
  /// As ``origins``, for rows that the import lacks.
  var lackedOrigins: PlaceMap<UInt32>
  var metadata: PlaceMap<UInt32>
  /// Whose tables the map leads into.
  let owner: TableOwner?

  init(labels: Int, origins: Int, metadata: Int, owner: TableOwner? = nil) {
    self.labels = PlaceMap(count: labels)
    self.origins = PlaceMap(count: origins)
    lackedOrigins = PlaceMap(count: origins)
    self.metadata = PlaceMap(count: metadata)
    self.owner = owner
  }
}

/// Stands for the tables of one gatherer.
final class TableOwner: Sendable {}

/// From places in one table to places in another, found when they are first asked for.
struct PlaceMap<Place: FixedWidthInteger> {
  private var places: [Place]

  init(count: Int) { places = Array(repeating: .max, count: count) }

  /// The place of an entry, which `find` gives the first time.
  mutating func place<Failure>(
    of entry: some FixedWidthInteger, find: (Int) throws(Failure) -> Place
  ) throws(Failure) -> Place {
    let known = places[Int(entry)]
    if known != .max { return known }
    let place = try find(Int(entry))
    places[Int(entry)] = place
    return place
  }
}
