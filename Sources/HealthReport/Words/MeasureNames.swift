/// The names of measures in five languages.
enum MeasureNames {
  /// A name in five languages.
  struct Row: Sendable {
    let id: String
    let en: Noun
    let de: Noun
    let fr: Noun
    let es: Noun
    let ja: Noun

    init(_ id: String, _ en: Noun, _ de: Noun, _ fr: Noun, _ es: Noun, _ ja: Noun) {
      (self.id, self.en, self.de, self.fr, self.es, self.ja) = (id, en, de, fr, es, ja)
    }

    subscript(language: ReportLanguage.Base) -> Noun {
      switch language {
      case .english: en
      case .german: de
      case .french: fr
      case .spanish: es
      case .japanese: ja
      }
    }
  }

  static let byIdentifier = Dictionary(
    rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// The name as a head, and within a sentence if that differs.
  // swift-format-ignore
  static let rows: [Row] = [
    // Activity
    .init("stepCount", .p("Steps", "steps"), .p("Schritte"), .p("Pas", "pas"), .p("Pasos", "pasos"), .n("歩数")),
    .init("activeEnergyBurned", .n("Active energy", "active energy"), .f("Aktivitätsenergie"), .f("Énergie active", "énergie active"), .f("Energía activa", "energía activa"), .n("アクティブエネルギー")),
    .init("appleExerciseTime", .n("Exercise", "exercise"), .n("Training"), .m("Exercice", "exercice"), .m("Ejercicio", "ejercicio"), .n("エクササイズ")),
    .init("distanceWalkingRunning", .n("Walking and running", "distance on foot"), .n("Gehen und Laufen"), .f("Marche et course", "distance à pied"), .f("Caminar y correr", "distancia a pie"), .n("ウォーキング・ランニングの距離")),
    .init("flightsClimbed", .p("Flights climbed", "flights climbed"), .p("Stockwerke"), .p("Étages montés", "étages montés"), .p("Pisos subidos", "pisos"), .n("上った階数")),
    .init("appleStandTime", .n("Standing", "standing"), .f("Stehzeit"), .m("Temps debout", "temps debout"), .m("Tiempo de pie", "tiempo de pie"), .n("スタンド時間")),
    .init("appleStandHour", .p("Stand hours", "stand hours"), .p("Stehstunden"), .p("Heures debout", "heures debout"), .p("Horas de pie", "horas de pie"), .n("スタンドした時間数")),
    .init("appleMoveTime", .n("Move time", "move time"), .f("Bewegungszeit"), .m("Temps de mouvement", "temps de mouvement"), .m("Tiempo en movimiento", "tiempo en movimiento"), .n("ムーブ時間")),
    .init("basalEnergyBurned", .n("Resting energy", "resting energy"), .f("Ruheenergie"), .f("Énergie au repos", "énergie au repos"), .f("Energía en reposo", "energía en reposo"), .n("安静時消費エネルギー")),
    .init("timeInDaylight", .n("Time in daylight", "time in daylight"), .f("Zeit bei Tageslicht"), .m("Temps à la lumière du jour", "temps à la lumière du jour"), .m("Tiempo con luz diurna", "tiempo con luz diurna"), .n("日光下の時間")),
    .init("physicalEffort", .n("Physical effort", "level of physical effort"), .f("Körperliche Anstrengung", "körperliche Anstrengung"), .m("Effort physique", "effort physique"), .m("Esfuerzo físico", "esfuerzo físico"), .n("身体的負荷")),
    .init("distanceCycling", .n("Cycling", "cycling"), .n("Radfahren"), .m("Vélo", "vélo"), .m("Ciclismo", "ciclismo"), .n("サイクリングの距離")),
    .init("distanceSwimming", .n("Swimming", "swimming"), .n("Schwimmen"), .f("Natation", "natation"), .f("Natación", "natación"), .n("スイミングの距離")),
    .init("swimmingStrokeCount", .p("Swimming strokes", "swimming strokes"), .p("Schwimmzüge"), .p("Mouvements de natation", "mouvements de natation"), .p("Brazadas", "brazadas"), .n("スイミングのストローク数")),
    .init("distanceWheelchair", .n("Wheelchair distance", "wheelchair distance"), .f("Rollstuhlstrecke"), .f("Distance en fauteuil roulant", "distance en fauteuil roulant"), .f("Distancia en silla de ruedas", "distancia en silla de ruedas"), .n("車椅子の走行距離")),
    .init("pushCount", .p("Wheelchair pushes", "wheelchair pushes"), .p("Rollstuhlschübe"), .p("Poussées en fauteuil", "poussées en fauteuil"), .p("Impulsos en silla de ruedas", "impulsos en silla de ruedas"), .n("車椅子のプッシュ数")),
    .init("runningSpeed", .n("Running speed", "running speed"), .f("Laufgeschwindigkeit"), .f("Vitesse de course", "vitesse de course"), .f("Velocidad al correr", "velocidad al correr"), .n("ランニングの速度")),
    .init("runningPower", .n("Running power", "running power"), .f("Laufleistung"), .f("Puissance de course", "puissance de course"), .f("Potencia al correr", "potencia al correr"), .n("ランニングのパワー")),
    .init("cyclingSpeed", .n("Cycling speed", "cycling speed"), .f("Radfahrgeschwindigkeit"), .f("Vitesse à vélo", "vitesse à vélo"), .f("Velocidad en bicicleta", "velocidad en bicicleta"), .n("サイクリングの速度")),
    .init("cyclingPower", .n("Cycling power", "cycling power"), .f("Radfahrleistung"), .f("Puissance à vélo", "puissance à vélo"), .f("Potencia en bicicleta", "potencia en bicicleta"), .n("サイクリングのパワー")),
    .init("cyclingCadence", .n("Cycling cadence", "cycling cadence"), .f("Trittfrequenz"), .f("Cadence à vélo", "cadence à vélo"), .f("Cadencia en bicicleta", "cadencia en bicicleta"), .n("サイクリングのケイデンス")),
    .init("mindfulSession", .n("Mindfulness", "mindfulness"), .f("Achtsamkeit"), .f("Pleine conscience", "pleine conscience"), .f("Atención plena", "atención plena"), .n("マインドフルネス")),
    // Heart and breath
    .init("restingHeartRate", .n("Resting heart rate", "resting heart rate"), .m("Ruhepuls"), .f("Fréquence cardiaque au repos", "fréquence cardiaque au repos"), .f("Frecuencia cardíaca en reposo", "frecuencia cardíaca en reposo"), .n("安静時心拍数")),
    .init("heartRateVariabilitySDNN", .n("Heart rate variability", "heart rate variability"), .f("Herzfrequenzvariabilität"), .f("Variabilité cardiaque", "variabilité cardiaque"), .f("Variabilidad cardíaca", "variabilidad cardíaca"), .n("心拍変動")),
    .init("heartRateVariabilityRMSSD", .n("Heart rate variability (RMSSD)", "heart rate variability by RMSSD"), .f("Herzfrequenzvariabilität (RMSSD)", "Herzfrequenzvariabilität nach RMSSD"), .f("Variabilité cardiaque (RMSSD)", "variabilité cardiaque RMSSD"), .f("Variabilidad cardíaca (RMSSD)", "variabilidad cardíaca RMSSD"), .n("心拍変動（RMSSD）", "心拍変動RMSSD")),
    .init("heartRate", .n("Heart rate", "heart rate"), .f("Herzfrequenz"), .f("Fréquence cardiaque", "fréquence cardiaque"), .f("Frecuencia cardíaca", "frecuencia cardíaca"), .n("心拍数")),
    .init("walkingHeartRateAverage", .n("Walking heart rate", "walking heart rate"), .f("Herzfrequenz beim Gehen"), .f("Fréquence cardiaque à la marche", "fréquence cardiaque à la marche"), .f("Frecuencia cardíaca al caminar", "frecuencia cardíaca al caminar"), .n("歩行時平均心拍数")),
    .init("heartRateRecoveryOneMinute", .n("Cardio recovery", "heart rate recovery"), .f("Cardioerholung"), .f("Récupération cardio", "récupération cardio"), .f("Recuperación cardiovascular", "recuperación cardiovascular"), .n("心拍数の回復")),
    .init("vo2Max", .n("Cardio fitness (VO₂ max)", "cardio fitness level"), .f("Cardiofitness (VO₂ max)", "Cardiofitness"), .f("Capacité cardio (VO₂ max)", "capacité cardio"), .f("Capacidad cardiorrespiratoria (VO₂ máx.)", "capacidad cardiorrespiratoria"), .n("心肺機能（最大酸素摂取量）", "心肺機能")),
    .init("oxygenSaturation", .n("Blood oxygen", "blood oxygen level"), .f("Blutsauerstoff", "Blutsauerstoffsättigung"), .f("Oxygène sanguin", "saturation en oxygène"), .f("Oxígeno en sangre", "saturación de oxígeno"), .n("血中酸素飽和度")),
    .init("respiratoryRate", .n("Respiratory rate", "respiratory rate"), .f("Atemfrequenz"), .f("Fréquence respiratoire", "fréquence respiratoire"), .f("Frecuencia respiratoria", "frecuencia respiratoria"), .n("呼吸数")),
    .init("atrialFibrillationBurden", .n("AFib history", "share of time in AFib"), .m("Vorhofflimmern", "Vorhofflimmeranteil"), .f("Fibrillation atriale", "part de temps en fibrillation atriale"), .f("Fibrilación auricular", "proporción de fibrilación auricular"), .n("心房細動の割合")),
    .init("peripheralPerfusionIndex", .n("Peripheral perfusion index", "peripheral perfusion index"), .m("Peripherer Perfusionsindex", "Perfusionsindex"), .m("Indice de perfusion périphérique", "indice de perfusion périphérique"), .m("Índice de perfusión periférica", "índice de perfusión periférica"), .n("末梢灌流指標")),
    .init("forcedVitalCapacity", .n("Forced vital capacity", "forced vital capacity"), .f("Forcierte Vitalkapazität", "forcierte Vitalkapazität"), .f("Capacité vitale forcée", "capacité vitale forcée"), .f("Capacidad vital forzada", "capacidad vital forzada"), .n("努力肺活量")),
    .init("forcedExpiratoryVolume1", .n("Forced expiratory volume, 1 s", "forced expiratory volume"), .f("Einsekundenkapazität"), .m("Volume expiratoire maximal, 1 s", "volume expiratoire maximal"), .m("Volumen espiratorio forzado, 1 s", "volumen espiratorio forzado"), .n("1秒量")),
    .init("peakExpiratoryFlowRate", .n("Peak expiratory flow", "peak expiratory flow"), .m("Maximaler Atemfluss", "Atemfluss"), .m("Débit expiratoire de pointe", "débit expiratoire de pointe"), .m("Flujo espiratorio máximo", "flujo espiratorio máximo"), .n("最大呼気流量")),
    .init("inhalerUsage", .p("Inhaler use", "inhaler puffs"), .p("Inhalatornutzung", "Inhalationen"), .p("Utilisation d’inhalateur", "bouffées d’inhalateur"), .p("Uso del inhalador", "inhalaciones"), .n("吸入器の使用")),
    // Sleep
    .init("sleep", .n("Sleep", "sleep"), .m("Schlaf"), .m("Sommeil", "sommeil"), .m("Sueño", "sueño"), .n("睡眠")),
    .init("appleSleepingWristTemperature", .n("Wrist temperature asleep", "sleeping wrist temperature"), .f("Handgelenktemperatur im Schlaf"), .f("Température du poignet pendant le sommeil", "température du poignet"), .f("Temperatura de la muñeca al dormir", "temperatura de la muñeca"), .n("睡眠時の手首皮膚温", "手首皮膚温")),
    .init("appleSleepingBreathingDisturbances", .n("Breathing disturbances", "rate of breathing disturbances"), .f("Atemstörungen", "Häufigkeit von Atemstörungen"), .f("Perturbations respiratoires", "fréquence des perturbations respiratoires"), .f("Alteraciones respiratorias", "frecuencia de alteraciones respiratorias"), .n("呼吸の乱れ")),
    // Body
    .init("bodyMass", .n("Weight", "weight"), .n("Gewicht"), .m("Poids", "poids"), .m("Peso", "peso"), .n("体重")),
    .init("bodyFatPercentage", .n("Body fat", "body fat percentage"), .m("Körperfettanteil"), .m("Taux de graisse corporelle", "taux de graisse corporelle"), .m("Porcentaje de grasa corporal", "porcentaje de grasa corporal"), .n("体脂肪率")),
    .init("leanBodyMass", .n("Lean body mass", "lean body mass"), .f("Fettfreie Körpermasse", "fettfreie Körpermasse"), .f("Masse maigre", "masse maigre"), .f("Masa corporal magra", "masa corporal magra"), .n("除脂肪体重")),
    .init("bodyMassIndex", .n("Body mass index", "body mass index"), .m("Body-Mass-Index"), .m("Indice de masse corporelle", "indice de masse corporelle"), .m("Índice de masa corporal", "índice de masa corporal"), .n("BMI")),
    .init("waistCircumference", .n("Waist circumference", "waist circumference"), .m("Taillenumfang"), .m("Tour de taille", "tour de taille"), .m("Perímetro de la cintura", "perímetro de la cintura"), .n("胴囲")),
    .init("height", .n("Height", "height"), .f("Körpergröße"), .f("Taille", "taille"), .f("Estatura", "estatura"), .n("身長")),
    .init("bloodPressureSystolic", .n("Blood pressure, systolic", "systolic blood pressure"), .m("Blutdruck, systolisch", "systolischer Blutdruck"), .f("Pression artérielle systolique", "pression artérielle systolique"), .f("Presión arterial sistólica", "presión arterial sistólica"), .n("最高血圧")),
    .init("bloodPressureDiastolic", .n("Blood pressure, diastolic", "diastolic blood pressure"), .m("Blutdruck, diastolisch", "diastolischer Blutdruck"), .f("Pression artérielle diastolique", "pression artérielle diastolique"), .f("Presión arterial diastólica", "presión arterial diastólica"), .n("最低血圧")),
    .init("bodyTemperature", .n("Body temperature", "body temperature"), .f("Körpertemperatur"), .f("Température corporelle", "température corporelle"), .f("Temperatura corporal", "temperatura corporal"), .n("体温")),
    .init("basalBodyTemperature", .n("Basal body temperature", "basal body temperature"), .f("Basaltemperatur"), .f("Température basale", "température basale"), .f("Temperatura basal", "temperatura basal"), .n("基礎体温")),
    .init("electrodermalActivity", .n("Electrodermal activity", "level of electrodermal activity"), .f("Hautleitfähigkeit"), .f("Activité électrodermale", "activité électrodermale"), .f("Actividad electrodérmica", "actividad electrodérmica"), .n("皮膚電気活動")),
    // Glucose and food
    .init("bloodGlucose", .n("Blood glucose", "blood glucose level"), .m("Blutzucker", "Blutzuckerwert"), .f("Glycémie", "glycémie"), .f("Glucosa en sangre", "glucosa en sangre"), .n("血糖値")),
    .init("insulinDelivery", .n("Insulin", "insulin"), .n("Insulin"), .f("Insuline", "insuline"), .f("Insulina", "insulina"), .n("インスリン")),
    .init("dietaryEnergyConsumed", .n("Energy eaten", "energy eaten"), .f("Nahrungsenergie"), .f("Énergie alimentaire", "énergie alimentaire"), .f("Energía consumida", "energía consumida"), .n("食事エネルギー")),
    .init("dietaryProtein", .n("Protein", "protein"), .n("Eiweiß"), .p("Protéines", "protéines"), .f("Proteína", "proteína"), .n("タンパク質")),
    .init("dietaryCarbohydrates", .p("Carbohydrates", "carbohydrates"), .p("Kohlenhydrate"), .p("Glucides", "glucides"), .p("Carbohidratos", "carbohidratos"), .n("炭水化物")),
    .init("dietaryFatTotal", .n("Fat", "fat"), .n("Fett"), .p("Lipides", "lipides"), .f("Grasa", "grasa"), .n("脂質")),
    .init("dietaryFatSaturated", .n("Saturated fat", "saturated fat"), .n("Gesättigtes Fett", "gesättigtes Fett"), .p("Acides gras saturés", "acides gras saturés"), .f("Grasa saturada", "grasa saturada"), .n("飽和脂肪酸")),
    .init("dietarySugar", .n("Sugar", "sugar"), .m("Zucker"), .m("Sucre", "sucre"), .m("Azúcar", "azúcar"), .n("糖分")),
    .init("dietaryFiber", .n("Fibre", "fibre"), .p("Ballaststoffe"), .p("Fibres", "fibres"), .f("Fibra", "fibra"), .n("食物繊維")),
    .init("dietarySodium", .n("Sodium", "sodium"), .n("Natrium"), .m("Sodium", "sodium"), .m("Sodio", "sodio"), .n("ナトリウム")),
    .init("dietaryCholesterol", .n("Cholesterol", "cholesterol"), .n("Cholesterin"), .m("Cholestérol", "cholestérol"), .m("Colesterol", "colesterol"), .n("コレステロール")),
    .init("dietaryWater", .n("Water", "water"), .n("Wasser"), .f("Eau", "eau"), .f("Agua", "agua"), .n("水分")),
    .init("dietaryCaffeine", .n("Caffeine", "caffeine"), .n("Koffein"), .f("Caféine", "caféine"), .f("Cafeína", "cafeína"), .n("カフェイン")),
    .init("numberOfAlcoholicBeverages", .p("Alcoholic drinks", "alcoholic drinks"), .p("Alkoholische Getränke", "alkoholische Getränke"), .p("Boissons alcoolisées", "boissons alcoolisées"), .p("Bebidas alcohólicas", "bebidas alcohólicas"), .n("アルコール飲料")),
    .init("bloodAlcoholContent", .n("Blood alcohol", "blood alcohol level"), .m("Blutalkohol", "Blutalkoholwert"), .f("Alcoolémie", "alcoolémie"), .f("Alcoholemia", "alcoholemia"), .n("血中アルコール濃度")),
    // Walking and hearing
    .init("walkingSpeed", .n("Walking speed", "walking speed"), .f("Gehgeschwindigkeit"), .f("Vitesse de marche", "vitesse de marche"), .f("Velocidad al caminar", "velocidad al caminar"), .n("歩行速度")),
    .init("walkingStepLength", .n("Step length", "step length"), .f("Schrittlänge"), .f("Longueur de pas", "longueur de pas"), .f("Longitud de paso", "longitud de paso"), .n("歩幅")),
    .init("walkingDoubleSupportPercentage", .n("Double support", "double support time"), .m("Bipedaler Stand", "Anteil des bipedalen Stands"), .m("Double appui", "temps de double appui"), .m("Apoyo doble", "tiempo de apoyo doble"), .n("両脚支持時間")),
    .init("walkingAsymmetryPercentage", .n("Walking asymmetry", "walking asymmetry"), .f("Asymmetrie beim Gehen"), .f("Asymétrie de la marche", "asymétrie de la marche"), .f("Asimetría al caminar", "asimetría al caminar"), .n("歩行非対称性")),
    .init("appleWalkingSteadiness", .n("Walking steadiness", "level of walking steadiness"), .f("Gangsicherheit"), .f("Stabilité de la marche", "stabilité de la marche"), .f("Estabilidad al caminar", "estabilidad al caminar"), .n("歩行安定性")),
    .init("sixMinuteWalkTestDistance", .n("Six-minute walk", "six-minute walk distance"), .f("6-Minuten-Gehstrecke"), .f("Marche de six minutes", "distance en six minutes de marche"), .f("Marcha de seis minutos", "distancia en seis minutos de marcha"), .n("6分間歩行距離")),
    .init("stairAscentSpeed", .n("Stair speed: up", "stair ascent speed"), .f("Tempo treppauf", "Geschwindigkeit treppauf"), .f("Vitesse de montée d’escalier", "vitesse de montée d’escalier"), .f("Velocidad al subir escaleras", "velocidad al subir escaleras"), .n("階段の上り速度")),
    .init("stairDescentSpeed", .n("Stair speed: down", "stair descent speed"), .f("Tempo treppab", "Geschwindigkeit treppab"), .f("Vitesse de descente d’escalier", "vitesse de descente d’escalier"), .f("Velocidad al bajar escaleras", "velocidad al bajar escaleras"), .n("階段の下り速度")),
    .init("numberOfTimesFallen", .p("Falls", "falls"), .p("Stürze"), .p("Chutes", "chutes"), .p("Caídas", "caídas"), .n("転倒回数")),
    .init("environmentalAudioExposure", .n("Environmental sound level", "environmental sound level"), .f("Umgebungslautstärke"), .m("Niveau sonore ambiant", "niveau sonore ambiant"), .m("Nivel de sonido ambiental", "nivel de sonido ambiental"), .n("環境音レベル")),
    .init("headphoneAudioExposure", .n("Headphone audio level", "headphone audio level"), .f("Kopfhörerlautstärke"), .m("Niveau sonore du casque", "niveau sonore du casque"), .m("Nivel de audio de los auriculares", "nivel de audio de los auriculares"), .n("ヘッドフォン音量")),
    .init("environmentalSoundReduction", .n("Environmental sound reduction", "environmental sound reduction"), .f("Geräuschdämpfung"), .f("Réduction du bruit", "réduction du bruit"), .f("Reducción del sonido", "reducción del sonido"), .n("環境音の低減")),
  ]
}
