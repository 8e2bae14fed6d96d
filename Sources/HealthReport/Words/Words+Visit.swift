import HealthSamples

extension Words {
  /// The two sheets for a visit: what a doctor looks for, in words about the person, not to her.
  struct Visit: Sendable {
    /// One, or others: 0 their number.
    let age: String
    let female: String
    let male: String
    let otherSex: String
    /// 0 the number.
    let index: String
    /// 0 the type.
    let bloodType: String
    /// 0 what is of an earlier day, 1 the day.
    let ofDay: String
    /// In place of `phrases.thanUsual`: 0 the items.
    let thanUsual: String
    /// In place of `phrases.usualWeekOfOne`: 0 the amount.
    let usualWeekOfOne: String
    /// In place of `heart.higher`: 0 the median, 1 days.
    let higher: String
    /// In place of `heart.lower`: 0 the median, 1 days.
    let lower: String
    let electrocardiograms: String
    /// 0 how many, 1 the first day.
    let countSince: String
    let sinusRhythm: String
    let atrialFibrillation: String
    let lowHeartRate: String
    let highHeartRate: String
    let poorRecording: String
    let inconclusive: String
    let notClassified: String
    let events: String
    let highHeartRateEvent: String
    let lowHeartRateEvent: String
    let irregularHeartRhythmEvent: String
    let hypertensionEvent: String
    let sleepApneaEvent: String
    let lowCardioFitnessEvent: String
    let walkingSteadinessEvent: String
    /// 0 the day.
    let last: String
    let labs: String
    let test: String
    let result: String
    let reference: String
    let day: String
    let above: String
    let below: String
    /// One document, or others: 0 their number.
    let unreadable: String
    /// 0 the first day.
    let dosesSince: String
    let notes: String
  }
}

extension Words.Visit {
  static let english = Words.Visit(
    age: "{0} year|{0} years", female: "female", male: "male", otherSex: "other sex",
    index: "BMI {0}", bloodType: "blood type {0}", ofDay: "{0} ({1})", thanUsual: "{0} than usual",
    usualWeekOfOne: "A usual week: {0}.",
    higher: "higher than usual: median {0} in {1} days before",
    lower: "lower than usual: median {0} in {1} days before", electrocardiograms: "ECGs",
    countSince: "*{0}* since {1}", sinusRhythm: "Sinus rhythm",
    atrialFibrillation: "Atrial fibrillation", lowHeartRate: "Heart rate too low for a finding",
    highHeartRate: "Heart rate too high for a finding", poorRecording: "Signal too weak",
    inconclusive: "Inconclusive", notClassified: "Without a finding",
    events: "Notifications and falls", highHeartRateEvent: "High heart rate",
    lowHeartRateEvent: "Low heart rate", irregularHeartRhythmEvent: "Irregular rhythm",
    hypertensionEvent: "Possible hypertension", sleepApneaEvent: "Possible sleep apnea",
    lowCardioFitnessEvent: "Low cardio fitness", walkingSteadinessEvent: "Low walking steadiness",
    last: "last {0}", labs: "Lab results, the last of each", test: "Test", result: "Result",
    reference: "Reference", day: "Day", above: "high", below: "low",
    unreadable: "{0} document cannot be read.|{0} documents cannot be read.",
    dosesSince: "Doses since {0}",
    notes: "Notes")

  static let german = Words.Visit(
    age: "{0} Jahr|{0} Jahre", female: "weiblich", male: "männlich", otherSex: "anderes Geschlecht",
    index: "BMI {0}", bloodType: "Blutgruppe {0}", ofDay: "{0} ({1})", thanUsual: "{0} als üblich",
    usualWeekOfOne: "Eine übliche Woche: {0}.",
    higher: "höher als üblich: Median {0} in {1} Tagen davor",
    lower: "niedriger als üblich: Median {0} in {1} Tagen davor", electrocardiograms: "EKGs",
    countSince: "*{0}* seit {1}", sinusRhythm: "Sinusrhythmus",
    atrialFibrillation: "Vorhofflimmern", lowHeartRate: "Herzfrequenz zu niedrig für einen Befund",
    highHeartRate: "Herzfrequenz zu hoch für einen Befund", poorRecording: "Signal zu schwach",
    inconclusive: "Uneindeutig", notClassified: "Ohne Befund",
    events: "Mitteilungen und Stürze", highHeartRateEvent: "Hohe Herzfrequenz",
    lowHeartRateEvent: "Niedrige Herzfrequenz",
    irregularHeartRhythmEvent: "Unregelmäßiger Rhythmus",
    hypertensionEvent: "Mögliche Hypertonie", sleepApneaEvent: "Mögliche Schlafapnoe",
    lowCardioFitnessEvent: "Geringe Ausdauer", walkingSteadinessEvent: "Unsicherer Gang",
    last: "zuletzt {0}", labs: "Laborwerte, jeweils der letzte", test: "Untersuchung",
    result: "Ergebnis", reference: "Referenz", day: "Tag", above: "hoch", below: "tief",
    unreadable: "{0} Dokument ist nicht lesbar.|{0} Dokumente sind nicht lesbar.",
    dosesSince: "Einnahmen seit {0}", notes: "Notizen")

  static let french = Words.Visit(
    age: "{0} an|{0} ans", female: "femme", male: "homme", otherSex: "autre sexe",
    index: "IMC {0}", bloodType: "groupe sanguin {0}", ofDay: "{0} ({1})",
    thanUsual: "{0} que d’habitude", usualWeekOfOne: "Une semaine habituelle\u{A0}: {0}.",
    higher: "plus haut que d’habitude\u{A0}: médiane {0} sur les {1} jours précédents",
    lower: "plus bas que d’habitude\u{A0}: médiane {0} sur les {1} jours précédents",
    electrocardiograms: "ECG", countSince: "*{0}* depuis le {1}", sinusRhythm: "Rythme sinusal",
    atrialFibrillation: "Fibrillation atriale",
    lowHeartRate: "Fréquence trop basse pour conclure",
    highHeartRate: "Fréquence trop élevée pour conclure", poorRecording: "Signal trop faible",
    inconclusive: "Non concluant", notClassified: "Sans résultat",
    events: "Notifications et chutes", highHeartRateEvent: "Fréquence cardiaque élevée",
    lowHeartRateEvent: "Fréquence cardiaque basse", irregularHeartRhythmEvent: "Rythme irrégulier",
    hypertensionEvent: "Hypertension possible", sleepApneaEvent: "Apnée du sommeil possible",
    lowCardioFitnessEvent: "Endurance faible", walkingSteadinessEvent: "Marche peu stable",
    last: "dernière le {0}", labs: "Analyses, le dernier résultat de chacune", test: "Analyse",
    result: "Résultat", reference: "Référence", day: "Jour", above: "haut",
    below: "bas",
    unreadable: "{0} document est illisible.|{0} documents sont illisibles.",
    dosesSince: "Prises depuis le {0}",
    notes: "Notes")

  static let spanish = Words.Visit(
    age: "{0} año|{0} años", female: "mujer", male: "hombre", otherSex: "otro sexo",
    index: "IMC {0}", bloodType: "grupo sanguíneo {0}", ofDay: "{0} ({1})",
    thanUsual: "{0} de lo habitual", usualWeekOfOne: "Una semana habitual: {0}.",
    higher: "más alto de lo habitual: mediana {0} en los {1} días anteriores",
    lower: "más bajo de lo habitual: mediana {0} en los {1} días anteriores",
    electrocardiograms: "ECG", countSince: "*{0}* desde el {1}", sinusRhythm: "Ritmo sinusal",
    atrialFibrillation: "Fibrilación auricular",
    lowHeartRate: "Frecuencia demasiado baja para un resultado",
    highHeartRate: "Frecuencia demasiado alta para un resultado",
    poorRecording: "Señal demasiado débil", inconclusive: "No concluyente",
    notClassified: "Sin resultado", events: "Avisos y caídas",
    highHeartRateEvent: "Frecuencia cardiaca alta", lowHeartRateEvent: "Frecuencia cardiaca baja",
    irregularHeartRhythmEvent: "Ritmo irregular", hypertensionEvent: "Posible hipertensión",
    sleepApneaEvent: "Posible apnea del sueño", lowCardioFitnessEvent: "Baja resistencia",
    walkingSteadinessEvent: "Marcha poco estable", last: "última el {0}",
    labs: "Análisis, el último resultado de cada uno", test: "Análisis", result: "Resultado",
    reference: "Referencia", day: "Día", above: "alto", below: "bajo",
    unreadable: "{0} documento no se puede leer.|{0} documentos no se pueden leer.",
    dosesSince: "Dosis desde el {0}", notes: "Notas")

  static let japanese = Words.Visit(
    age: "{0}歳", female: "女性", male: "男性", otherSex: "その他の性別", index: "BMI {0}",
    bloodType: "血液型 {0}", ofDay: "{0}（{1}）", thanUsual: "ふだんと比べて、{0}です",
    usualWeekOfOne: "ふだんどおりの週です：{0}。", higher: "ふだんより高い：その前の{1}日間の中央値は{0}",
    lower: "ふだんより低い：その前の{1}日間の中央値は{0}", electrocardiograms: "心電図",
    countSince: "{1}から*{0}*件", sinusRhythm: "洞調律", atrialFibrillation: "心房細動",
    lowHeartRate: "心拍数が低く判定不能", highHeartRate: "心拍数が高く判定不能", poorRecording: "信号が弱く判定不能",
    inconclusive: "判定不能", notClassified: "判定なし", events: "通知と転倒",
    highHeartRateEvent: "高心拍数", lowHeartRateEvent: "低心拍数", irregularHeartRhythmEvent: "不規則な心拍",
    hypertensionEvent: "高血圧の可能性", sleepApneaEvent: "睡眠時無呼吸の可能性",
    lowCardioFitnessEvent: "心肺機能の低下", walkingSteadinessEvent: "歩行の不安定", last: "最終 {0}",
    labs: "検査結果（項目ごとの最新）", test: "検査", result: "結果", reference: "基準", day: "日付", above: "高値",
    below: "低値",
    unreadable: "{0}件の文書は読めません。",
    dosesSince: "{0}からの服用", notes: "メモ")
}

extension Words.Visit {
  /// The name of what an electrocardiogram shows.
  func name(of finding: Electrocardiograms.Finding) -> String {
    switch finding {
    case .sinusRhythm: sinusRhythm
    case .atrialFibrillation: atrialFibrillation
    case .lowHeartRate: lowHeartRate
    case .highHeartRate: highHeartRate
    case .poorRecording: poorRecording
    case .inconclusive: inconclusive
    }
  }

  /// The name of a sex as exports write it; `nil` for a word that is not known.
  func name(ofSex constant: String) -> String? {
    switch constant {
    case "HKBiologicalSexFemale": female
    case "HKBiologicalSexMale": male
    case "HKBiologicalSexOther": otherSex
    default: nil
    }
  }
}
