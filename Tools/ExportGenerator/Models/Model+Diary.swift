extension RecordStream.Model {
  /// What the foods of a diary have of one of their nutrients.
  fileprivate static func diary(_ nutrient: Int) -> Self {
    Self { day in
      for entry in day.day.diary {
        let amount = DiaryFood.all[entry.food].amounts[nutrient] * entry.helpings
        day.add(
          .diary, entry.time, entry.time, amount, delay: entry.delay...entry.delay,
          extra: .diaryFood, item: entry.food)
      }
    }
  }

  /// The rows of this model, then those of another.
  fileprivate func followed(by other: Self) -> Self {
    Self { day in
      addRows(&day)
      other.addRows(&day)
    }
  }
}

extension RecordStream {
  /// The streams with what a diary of foods adds to each, and those that only it has.
  static func withDiary(_ streams: [RecordStream]) -> [RecordStream] {
    var streams = streams
    for (place, nutrient) in DiaryFood.nutrients.enumerated() {
      if let index = streams.firstIndex(where: { $0.name == nutrient.name }) {
        streams[index] = streams[index].with(streams[index].model.followed(by: .diary(place)))
      } else {
        streams.append(quantity(nutrient.name, nutrient.unit, .diary(place)))
      }
    }
    return streams
  }
}
