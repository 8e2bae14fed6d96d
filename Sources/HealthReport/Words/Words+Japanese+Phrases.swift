extension Words.Phrases {
  static let japanese = Words.Phrases(
    fewer: "{0}が少なめ", moreCounted: "{0}が多め", less: "{0}が少なめ", moreMass: "{0}が多め",
    lower: .init("{0}が低め", plural: "{0}が低め"), higher: .init("{0}が高め", plural: "{0}が高め"),
    shorter: .init("{0}が短め", plural: "{0}が短め"),
    longer: .init("{0}が長め", plural: "{0}が長め"),
    smaller: .init("{0}が小さめ", plural: "{0}が小さめ"),
    larger: .init("{0}が大きめ", plural: "{0}が大きめ"),
    item: "{0}（{1}）", comma: "、", and: "、", andBeforeI: "、", thanUsual: "いつもと比べて、{0}です",
    rest: "{1}項目中{0}項目はいつもの範囲です", asInMostWeeks: "{0}（ほとんどの週と同じ）",
    fewerThanInMostWeeks: "{0}（ほとんどの週より少なめ）", outsideAndRest: "{0}。{1}。",
    outsideAlone: "{0}。", usualWeek: "いつもどおりの週です。{0}項目中{0}項目がいつもの範囲です。",
    usualWeekOfOne: "いつもどおりの週です：{0}。", named: "{0} {1}", aDay: "1日", aNight: "1晩",
    yearAgainst: "{0}年の同じ日までと比べて、{1}います。", yearLower: "{0}が*{1}下がって*",
    yearHigher: "{0}が*{1}上がって*", yearFewer: "{0}が{2}*{1}減って*",
    yearMoreCounted: "{0}が{2}*{1}増えて*", yearLess: "{0}が{2}*{1}減って*",
    yearMoreMass: "{0}が{2}*{1}増えて*",
    weeksSoFar: "データはまだ{0}週間分です。{1}週間分からいつもの範囲を示せます。",
    lastData: "最後のデータは{0}のものです。", space: "")
}

extension Words.Patterns {
  static let japanese = Words.Patterns(
    numberAndUnit: "{0}{1}", percent: "{0}%", hoursAndMinutes: "{0}時間{2}分", minutes: "{0}分",
    numberRange: "{0}～{1}", perDay: "{0}/日", perNight: "{0}/晩", perYear: "{0}/年",
    countInSentence: "{0}{1}", daysOfDays: "{1}日中{0}日", labelled: "{0}：{1}",
    dayTime: "{0} {1}")
}

extension Words.Dates {
  static let japanese = Words.Dates(
    first: "1", weekdayDay: "{1}月{0}日({3})", weekdayDayYear: "{2}年{1}月{0}日({3})",
    dayMonth: "{1}月{0}日",
    dayMonthYear: "{2}年{1}月{0}日", dayLongMonth: "{1}月{0}日", monthYear: "{2}年{1}月",
    year: "{2}年", range: "{0}～{1}", beforeNoon: "午前{0}", afterNoon: "午後{0}",
    months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    shortMonths: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
    monthsInDates: "1|2|3|4|5|6|7|8|9|10|11|12",
    longMonthsInDates: "1|2|3|4|5|6|7|8|9|10|11|12",
    weekdays: "月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日", shortWeekdays: "月|火|水|木|金|土|日",
    weekdaysInDates: "月|火|水|木|金|土|日", narrowWeekdays: "月|火|水|木|金|土|日")
}

extension Words.Activities {
  static let japanese = Words.Activities(
    walking: "ウォーキング", running: "ランニング", cycling: "サイクリング", swimming: "スイミング",
    hiking: "ハイキング", yoga: "ヨガ", functionalStrengthTraining: "機能的筋力トレーニング",
    traditionalStrengthTraining: "従来型筋力トレーニング",
    highIntensityIntervalTraining: "高強度インターバルトレーニング", coreTraining: "コアトレーニング",
    elliptical: "エリプティカル", rowing: "ローイング", stairClimbing: "階段昇降", stairs: "階段",
    pilates: "ピラティス", dance: "ダンス", cooldown: "クールダウン", soccer: "サッカー", tennis: "テニス",
    tableTennis: "卓球", badminton: "バドミントン", basketball: "バスケットボール",
    volleyball: "バレーボール", golf: "ゴルフ", climbing: "クライミング", boxing: "ボクシング",
    martialArts: "武道", downhillSkiing: "スキー", crossCountrySkiing: "クロスカントリースキー",
    snowboarding: "スノーボード", skatingSports: "スケート", paddleSports: "パドルスポーツ",
    surfingSports: "サーフィン", equestrianSports: "乗馬", mindAndBody: "心と体",
    mixedCardio: "混合カーディオ", flexibility: "柔軟性", crossTraining: "クロストレーニング",
    jumpRope: "縄跳び", swimBikeRun: "トライアスロン", other: "その他",
    americanFootball: "アメリカンフットボール", archery: "アーチェリー",
    australianFootball: "オーストラリアンフットボール", baseball: "野球", bowling: "ボウリング",
    cricket: "クリケット", curling: "カーリング", danceInspiredTraining: "ダンストレーニング",
    fencing: "フェンシング", fishing: "釣り", gymnastics: "体操", handball: "ハンドボール", hockey: "ホッケー",
    hunting: "狩猟", lacrosse: "ラクロス", mixedMetabolicCardioTraining: "代謝系ミックスカーディオ",
    play: "遊び", preparationAndRecovery: "準備とリカバリー", racquetball: "ラケットボール", rugby: "ラグビー",
    sailing: "セーリング", snowSports: "スノースポーツ", softball: "ソフトボール", squash: "スカッシュ",
    trackAndField: "陸上競技", waterFitness: "アクアフィットネス", waterPolo: "水球",
    waterSports: "ウォータースポーツ", wrestling: "レスリング", barre: "バー", kickboxing: "キックボクシング",
    stepTraining: "ステップトレーニング", wheelchairWalkPace: "車椅子（歩行ペース）",
    wheelchairRunPace: "車椅子（走行ペース）", taiChi: "太極拳", handCycling: "ハンドサイクリング",
    discSports: "ディスクスポーツ", fitnessGaming: "フィットネスゲーム", cardioDance: "カーディオダンス",
    socialDance: "社交ダンス", pickleball: "ピックルボール", transition: "トランジション",
    underwaterDiving: "ダイビング")
}

extension Words.Print {
  static let japanese = Words.Print(
    name: "氏名", born: "生年月日", summary: "{0}のまとめ · 家庭での測定 · 作成日：{1}",
    table: "直近28日間と1年", measure: "項目", median: "中央値、28日間", range: "5–95%", days: "日数",
    yearAgo: "1年前", trend: "1年の傾向", trendInterval: "（95%）", weeks: "52週間",
    caption: "日ごとの値の中央値。10日未満の場合は最小～最大。傾向：週ごとの値を通る直線を1年あたりに換算。52週間：線ごとに目盛りが異なります。",
    courses: "推移", asleep: "睡眠の時間帯、{0}晩", medians: "{0}～{1}（中央値）",
    heartRate: "日ごとの心拍数、{0}日間", heartRateKey: "線：最小から最大、棒：時間の中央の半分、点：平均",
    howMade: "作成方法", measuredBy: "測定：{0}。", source: "{0}（{1}、サンプル{2}件）",
    oneCounts: "機器が同時に測定した場合は1つだけを採用します。順序は手入力、ウォッチ、携帯電話、その他です。",
    method: "日付の基準は{0}です。データのない日は平均に含みません。「いつもと違う」は、上記の規則による本人にとっての違いです。診断ではありません。",
    sameNumbers: "同じ数値を得るには：{0}")
}
