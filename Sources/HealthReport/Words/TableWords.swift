/// The heads of columns and the words in cells of the command's tables, by their English form.
enum TableWords {
  /// A word in a language; a text that is no such word stays as it is.
  ///
  /// A unit in brackets at its end is kept, and words that stand one after the other are those of
  /// each: `day max`, `length (d)`.
  static func word(_ english: String, in language: ReportLanguage.Base) -> String {
    guard let words = byLanguage[language] else { return english }
    if let word = words[english] { return word }
    if english.last == ")", let bracket = english.lastIndex(of: "("), bracket > english.startIndex {
      let head = english[..<bracket]
      let name = head.last == " " ? String(head.dropLast()) : String(head)
      return (words[name] ?? name) + " " + english[bracket...]
    }
    let parts = english.split(separator: " ").map { words[String($0)] }
    guard parts.count > 1, parts.allSatisfy({ $0 != nil }) else { return english }
    return parts.compactMap(\.self).joined(separator: language == .japanese ? "" : " ")
  }

  /// The languages of a line after the English form.
  static let languages: [ReportLanguage.Base] = [.german, .french, .spanish, .japanese]

  /// The words of each line: English, then those of ``languages``.
  static let rows: [[String]] = text.split(separator: "\n").map { line in
    line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  private static let byLanguage: [ReportLanguage.Base: [String: String]] = Dictionary(
    uniqueKeysWithValues: languages.enumerated().map { place, language in
      let words = rows.compactMap { row in
        row.count == languages.count + 1 ? (row[0], row[place + 1]) : nil
      }
      return (language, Dictionary(words + names(in: language)) { first, _ in first })
    })

  /// The names of weekdays and months.
  private static func names(in language: ReportLanguage.Base) -> [(String, String)] {
    func names(_ language: ReportLanguage.Base) -> [String] {
      let dates = WordTable.group("dates", in: language)
      return ["weekdays", "months"].flatMap {
        dates.text($0).split(separator: "|").map(String.init)
      }
    }
    return Array(zip(names(.english), names(language)))
  }

  private static let text = """
    type|Typ|type|tipo|種類
    name|Name|nom|nombre|名前
    date|Datum|date|fecha|日付
    start|Beginn|début|inicio|開始
    end|Ende|fin|fin|終了
    from|von|de|desde|から
    to|bis|à|hasta|まで
    on|am|le|el|日付
    first|zuerst|premier|primero|最初
    last|zuletzt|dernier|último|最後
    hour|Stunde|heure|hora|時間
    day|Tag|jour|día|日
    week|Woche|semaine|semana|週
    month|Monat|mois|mes|月
    quarter|Quartal|trimestre|trimestre|四半期
    year|Jahr|année|año|年
    night|Nacht|nuit|noche|夜
    hours|Stunden|heures|horas|時間数
    days|Tage|jours|días|日数
    nights|Nächte|nuits|noches|夜数
    weekday|Wochentag|jour de semaine|entre semana|平日
    weekend|Wochenende|week-end|fin de semana|週末
    interval|Zeitraum|intervalle|intervalo|間隔
    intervals|Zeiträume|intervalles|intervalos|間隔数
    group|Gruppe|groupe|grupo|グループ
    statistic|Kennzahl|statistique|estadística|統計値
    sum|Summe|total|suma|合計
    mean|Mittel|moyenne|media|平均
    min|Min.|min.|mín.|最小
    max|Max.|max.|máx.|最大
    count|Anzahl|nombre|cantidad|件数
    median|Median|médiane|mediana|中央値
    timeMedian|Median der Zeit|médiane du temps|mediana del tiempo|時間の中央値
    stddev|Standardabweichung|écart type|desviación típica|標準偏差
    duration|Dauer|durée|duración|時間
    coverage|Abdeckung|couverture|cobertura|カバー率
    recent|zuletzt|dernier|último|最新
    lower quartile|unteres Quartil|premier quartile|primer cuartil|第1四分位数
    upper quartile|oberes Quartil|troisième quartile|tercer cuartil|第3四分位数
    empty|leer|vides|vacíos|データなし
    per day|am Tag|par jour|por día|1日あたり
    per hour|in der Stunde|par heure|por hora|1時間あたり
    samples|Messungen|échantillons|muestras|サンプル数
    readings|Messungen|relevés|lecturas|測定回数
    others|andere|autres|otros|その他
    share|Anteil|part|proporción|割合
    unit|Einheit|unité|unidad|単位
    value|Wert|valeur|valor|値
    source|Quelle|source|fuente|データソース
    sources|Quellen|sources|fuentes|データソース
    device|Gerät|appareil|dispositivo|デバイス
    kind|Art|genre|clase|種別
    rank|Rang|rang|orden|順位
    preferred|bevorzugt|préférée|preferida|優先
    by hand|von Hand|à la main|a mano|手入力
    watch|Uhr|montre|reloj|ウォッチ
    phone|Telefon|téléphone|teléfono|電話
    scale|Waage|balance|báscula|体重計
    other|anderes|autre|otro|その他
    length|Dauer|durée|duración|長さ
    merged|zusammengeführt|fusionné|combinado|統合
    raw|ungeprüft|brut|en bruto|統合前
    masked|verdeckt|masqué|oculto|重複
    by whom|von wem|par qui|por quién|重複元
    before|davor|avant|antes|以前
    change|Änderung|variation|cambio|変化
    rolling|gleitend|glissante|móvil|移動平均
    of|von|sur|de|対象
    so far|bisher|jusqu’ici|hasta ahora|途中まで
    in all|insgesamt|en tout|en total|合計
    activity|Aktivität|activité|actividad|種類
    workouts|Trainings|entraînements|entrenamientos|ワークアウト
    workout|Training|entraînement|entrenamiento|ワークアウト
    places|Orte|points|puntos|地点数
    routes|Strecken|itinéraires|rutas|ルート
    about|etwa bei|vers|cerca de|おおよその場所
    time|Zeit|temps|tiempo|時間
    distance|Strecke|distance|distancia|距離
    energy|Energie|énergie|energía|エネルギー
    climb|Anstieg|montée|ascenso|上り
    descent|Abstieg|descente|descenso|下り
    best 1 km|beste 1 km|meilleur 1 km|mejor 1 km|1 kmの最速
    best 5 km|beste 5 km|meilleur 5 km|mejor 5 km|5 kmの最速
    best 10 km|beste 10 km|meilleur 10 km|mejor 10 km|10 kmの最速
    ♥ mean|♥ Mittel|♥ moyenne|♥ media|♥ 平均
    ♥ max|♥ Max.|♥ max.|♥ máx.|♥ 最大
    move|Bewegen|bouger|movimiento|ムーブ
    exercise|Trainieren|s’entraîner|ejercicio|エクササイズ
    stand|Stehen|se lever|de pie|スタンド
    of goal|vom Ziel|de l’objectif|del objetivo|ゴール比
    no goal|kein Ziel|sans objectif|sin objetivo|ゴールなし
    with|mit|avec|con|内容
    members|Teile|éléments|elementos|内訳
    beats|Schläge|battements|latidos|拍数
    variability|Variabilität|variabilité|variabilidad|変動
    heart rate|Herzfrequenz|fréquence cardiaque|frecuencia cardíaca|心拍数
    left out|ausgelassen|écartés|omitidos|除外
    series|Reihen|séries|series|系列数
    finding|Befund|résultat|resultado|所見
    signal|Signal|signal|señal|信号
    tones|Töne|sons|tonos|音
    eyes|Augen|yeux|ojos|目
    document|Dokument|document|documento|文書
    characteristic|Merkmal|caractéristique|característica|特性
    set by|gesetzt von|indiqué par|indicado por|設定元
    you|dir|vous|ti|本人
    export|Export|export|exportación|書き出し
    asleep|schlafend|sommeil|dormido|睡眠
    no stage|ohne Phase|sans phase|sin fase|ステージなし
    efficiency|Effizienz|efficacité|eficiencia|睡眠効率
    naps|Nickerchen|siestes|siestas|昼寝
    a nap|ein Nickerchen|une sieste|una siesta|1回の昼寝
    counted by|gezählt von|compté par|contado por|採用元
    trend|Trend|tendance|tendencia|傾向
    slope|Steigung|pente|pendiente|傾き
    line|Linie|droite|recta|直線
    chance|Zufall|hasard|azar|偶然
    between|zwischen|entre|entre|範囲
    rising|steigend|en hausse|en alza|上昇
    falling|fallend|en baisse|a la baja|下降
    no clear change|keine klare Änderung|pas de changement net|sin cambio claro|明確な変化なし
    too few for a verdict|zu wenige für ein Urteil|trop peu pour conclure|muy pocos para concluir|判断するには不足
    mean of the last days|Mittel der letzten Tage|moyenne des derniers jours|media de los últimos días|直近の平均
    nine of ten means before|neun von zehn Mitteln davor|neuf moyennes sur dix avant|nueve de cada diez medias anteriores|以前の平均の9割
    is|ist|est|es|状態
    typical|üblich|habituel|habitual|いつもどおり
    above|darüber|au-dessus|por encima|高め
    below|darunter|en dessous|por debajo|低め
    typical: from|üblich: von|habituel\u{A0}: de|habitual: desde|いつも：から
    last day|letzter Tag|dernier jour|último día|最終日
    than usual for you|als für dich üblich|que d’habitude|de lo habitual|いつもとの比較
    higher|höher|plus haut|más alto|高い
    lower|niedriger|plus bas|más bajo|低い
    score|Abstand|écart|desvío|スコア
    level|Niveau|niveau|nivel|水準
    with data|mit Daten|avec données|con datos|データあり
    lowest|tiefster|plus bas|más bajo|最低
    highest|höchster|plus haut|más alto|最高
    in the week|in der Woche|dans la semaine|en la semana|週のうち
    in the year|im Jahr|dans l’année|en el año|年のうち
    rest|Rest|reste|resto|残差
    on days with more|An Tagen mit mehr|les jours avec plus|en días con más|多い日には
    you tend to have|hast du eher|vous avez plutôt|sueles tener|傾向
    when|wann|quand|cuándo|いつ
    more|mehr|plus|más|増
    less|weniger|moins|menos|減
    the same day|am selben Tag|le même jour|el mismo día|同じ日
    the next day|am nächsten Tag|le lendemain|al día siguiente|翌日
    {0} days later|{0} Tage später|{0} jours plus tard|{0} días después|{0}日後
    correlation|Korrelation|corrélation|correlación|相関
    95 % interval|95-%-Bereich|intervalle à 95 %|intervalo del 95 %|95 %区間
    component|Komponente|composante|componente|成分
    holds|enthält|contient|contiene|寄与
    weight|Gewicht|poids|peso|重み
    weights|Gewichte|poids|pesos|重み
    load|Belastung|charge|carga|負荷
    fitness|Fitness|forme|forma|フィットネス
    fatigue|Ermüdung|fatigue|fatiga|疲労
    balance|Bilanz|équilibre|balance|バランス
    monotony|Monotonie|monotonie|monotonía|単調性
    strain|Strain|contrainte|tensión|ストレイン
    not whole|nicht ganz|incomplète|incompleta|一部のみ
    min in zones 1–5|min in Zonen 1–5|min en zones 1–5|min en zonas 1–5|ゾーン1–5の分
    fall in 1 min|Abfall in 1 min|baisse en 1 min|bajada en 1 min|1分後の低下
    2 min|2 min|2 min|2 min|2分後
    glucose|Blutzucker|glycémie|glucosa|血糖値
    of the time with data, and of readings|der Zeit mit Daten und der Messungen|du temps avec données et des relevés|del tiempo con datos y de las lecturas|データのある時間と測定の割合
    very high|sehr hoch|très haut|muy alto|とても高い
    high|hoch|haut|alto|高い
    in range|im Bereich|dans la cible|en rango|範囲内
    low|niedrig|bas|bajo|低い
    very low|sehr niedrig|très bas|muy bajo|とても低い
    tight range|enger Bereich|cible étroite|rango estrecho|狭い範囲
    all|alle|toutes|todas|すべて
    events|Ereignisse|événements|eventos|イベント
    event|Ereignis|événement|evento|イベント
    extreme|Extremwert|extrême|extremo|極値
    variation|Schwankung|variation|variación|変動
    targets|Ziele|objectifs|objetivos|目標
    class|Klasse|classe|clase|分類
    pressure|Druck|pression|presión|圧
    pulse pressure|Pulsdruck|pression pulsée|presión de pulso|脈圧
    mean arterial pressure|arterieller Mitteldruck|pression artérielle moyenne|presión arterial media|平均動脈圧
    mornings|morgens|matins|mañanas|朝
    evenings|abends|soirs|noches|晩
    optimal|Optimal|Optimale|Óptima|至適
    normal|Normal|Normale|Normal|正常
    high normal|Hochnormal|Normale haute|Normal alta|正常高値
    elevated|Erhöht|Élevée|Elevada|高値
    non-elevated|Nicht erhöht|Non élevée|No elevada|高値ではない
    hypertension|Hypertonie|Hypertension|Hipertensión|高血圧
    first day|erster Tag|premier jour|primer día|初日
    from the median|zum Median|écart à la médiane|respecto a la mediana|中央値との差
    bleed|Blutung|saignement|sangrado|出血
    flow|Fluss|flux|flujo|経血
    not over|noch nicht zu Ende|pas terminé|sin terminar|継続中
    yes|ja|oui|sí|はい
    id|Nr.|nº|n.º|番号
    imported|importiert|importé|importado|読み込み
    exported|exportiert|exporté|exportado|書き出し
    format|Format|format|formato|形式
    file|Datei|fichier|archivo|ファイル
    read|gelesen|lus|leídos|読み込み数
    new|neu|nouveaux|nuevos|新規
    replaced|ersetzt|remplacés|sustituidos|置き換え
    already there|schon da|déjà là|ya estaban|既存
    duplicates|doppelt|doublons|duplicados|重複
    skipped|übersprungen|ignorés|omitidos|スキップ
    differences|Unterschiede|différences|diferencias|差分
    changed|geändert|modifiés|cambiados|変更
    superseded|überholt|remplacés|reemplazados|旧版
    only in store|nur im Speicher|seulement dans le magasin|solo en el almacén|ストアのみ
    to delete|zu löschen|à supprimer|por borrar|削除予定
    deleted|gelöscht|supprimés|borrados|削除
    kept|behalten|conservés|conservados|保持
    part|Teil|partie|parte|部分
    checked|geprüft|vérifiés|comprobados|検査済み
    damaged|beschädigt|endommagés|dañados|破損
    signed|unterschrieben|signés|firmados|署名
    store|Speicher|magasin|almacén|ストア
    size|Größe|taille|tamaño|サイズ
    encryption|Verschlüsselung|chiffrement|cifrado|暗号化
    present|vorhanden|présent|presente|あり
    not present|nicht vorhanden|absent|ausente|なし
    mild|leicht|léger|leve|軽度
    moderate|mittel|modéré|moderado|中等度
    severe|stark|sévère|grave|重度
    unspecified|ohne Angabe|non précisé|sin especificar|未指定
    none|keine|aucun|ninguno|なし
    light|leicht|léger|leve|少ない
    medium|mittel|moyen|medio|普通
    heavy|stark|abondant|abundante|多い
    stood|gestanden|debout|de pie|スタンド
    idle|nicht gestanden|assis|inactivo|非スタンド
    not applicable|vorhanden|présent|presente|あり
    in {0}|in {0}|en {0}|en {0}|単位：{0}
    {0} at {1}|{0} um {1}|{0} à {1}|{0} a las {1}|{1}に{0}
    {0} to {1}|{0} bis {1}|{0} à {1}|{0} a {1}|{0}～{1}
    {0} workout|{0} Training|{0} entraînement|{0} entrenamiento|{0}回
    {0} workouts|{0} Trainings|{0} entraînements|{0} entrenamientos|{0}回
    blood pressure|Blutdruck|pression artérielle|presión arterial|血圧
    blood pressure at home by {0}|Blutdruck zu Hause nach {0}|pression artérielle à domicile selon {0}|presión arterial en casa según {0}|家庭血圧（{0}）
    blood pressure in an office by {0}|Blutdruck in der Praxis nach {0}|pression artérielle au cabinet selon {0}|presión arterial en consulta según {0}|診察室血圧（{0}）
    cycles|Zyklen|cycles|ciclos|周期
    flow days|Tage mit Fluss|jours de flux|días de flujo|経血日数
    labs|Laborwerte|analyses|análisis|検査値
    lab results|Laborwerte|analyses|análisis|検査値
    ecgs|EKGs|ECG|electrocardiogramas|心電図
    state of mind|Gemütszustand|état d’esprit|estado de ánimo|心の状態
    medications|Medikamente|médicaments|medicación|服薬
    total energy|Gesamtenergie|énergie totale|energía total|総エネルギー
    active|aktiv|active|activa|アクティブ
    basal|in Ruhe|au repos|en reposo|安静時
    systolic|systolisch|systolique|sistólica|最高
    diastolic|diastolisch|diastolique|diastólica|最低
    range|Bereich|plage|rango|基準範囲
    text|Text|texte|texto|テキスト
    flag|Kennzeichen|indicateur|marca|判定
    category|Kategorie|catégorie|categoría|カテゴリー
    code|Code|code|código|コード
    classification|Befund|classification|clasificación|分類
    food|Essen|aliments|alimentos|食品
    mean of {0}|Mittel von {0}|moyenne de {0}|media de {0}|{0}晩の平均
    {0} a day|{0} am Tag|{0} par jour|{0} al día|1日あたり{0}
    {0} an hour|{0} in der Stunde|{0} par heure|{0} por hora|1時間あたり{0}
    {0} count|{0}: Anzahl|{0}\u{A0}: nombre|{0}: cantidad|{0}の件数
    {0} by day|{0} nach Tagen|{0} par jour|{0} por día|{0}（日ごと）
    {0} by week|{0} nach Wochen|{0} par semaine|{0} por semana|{0}（週ごと）
    {0} by month|{0} nach Monaten|{0} par mois|{0} por mes|{0}（月ごと）
    {0} by quarter|{0} nach Quartalen|{0} par trimestre|{0} por trimestre|{0}（四半期ごと）
    {0} by year|{0} nach Jahren|{0} par année|{0} por año|{0}（年ごと）
    {0} by hour|{0} nach Stunden|{0} par heure|{0} por hora|{0}（時間ごと）
    by group|nach Gruppen|par groupe|por grupo|グループごと
    rolling mean|gleitendes Mittel|moyenne glissante|media móvil|移動平均
    spread of intervals|Streuung der Zeiträume|dispersion des intervalles|dispersión de los intervalos|間隔の分布
    compared|verglichen|comparaison|comparación|比較
    merged as Health Connect does|zusammengeführt wie Health Connect|fusionné comme Health Connect|combinado como Health Connect|Health Connectの方式で統合
    the highest source of each interval|die höchste Quelle jedes Zeitraums|la source la plus haute de chaque intervalle|la fuente más alta de cada intervalo|各間隔で最大のデータソース
    raw sum of all sources|rohe Summe aller Quellen|somme brute de toutes les sources|suma en bruto de todas las fuentes|全データソースの単純合計
    all samples of all sources|alle Messungen aller Quellen|tous les échantillons de toutes les sources|todas las muestras de todas las fuentes|全データソースの全サンプル
    sleep|Schlaf|sommeil|sueño|睡眠
    means of each week|Mittel jeder Woche|moyennes par semaine|medias de cada semana|週ごとの平均
    means of each month|Mittel jedes Monats|moyennes par mois|medias de cada mes|月ごとの平均
    hours asleep|Stunden Schlaf|heures de sommeil|horas de sueño|睡眠時間
    the mean day|der mittlere Tag|le jour moyen|el día medio|平均的な1日
    the mean week|die mittlere Woche|la semaine moyenne|la semana media|平均的な1週間
    Your typical weeks|Deine üblichen Wochen|Vos semaines habituelles|Tus semanas habituales|いつもの週
    Unusual for you|Für dich ungewöhnlich|Inhabituel pour vous|Inusual para ti|いつもと違う値
    Levels|Niveaus|Niveaux|Niveles|水準
    Courses|Verläufe|Évolutions|Evoluciones|推移
    Trends|Trends|Tendances|Tendencias|傾向
    Fitness and fatigue|Fitness und Ermüdung|Forme et fatigue|Forma y fatiga|フィットネスと疲労
    Training load|Trainingsbelastung|Charge d’entraînement|Carga de entrenamiento|トレーニング負荷
    What goes with what|Was zusammenhängt|Ce qui va ensemble|Qué va junto|関連する項目
    What comes and goes together|Was zusammen kommt und geht|Ce qui va et vient ensemble|Qué viene y va junto|一緒に増減する項目
    heart rate variability|Herzfrequenzvariabilität|variabilité cardiaque|variabilidad cardíaca|心拍変動
    from the least to the largest value|vom kleinsten bis zum größten Wert|du minimum au maximum|del mínimo al máximo|最小から最大
    half of the days, from quartile to quartile|die Hälfte der Tage, von Quartil zu Quartil|la moitié des jours, de quartile à quartile|la mitad de los días, de cuartil a cuartil|半数の日（四分位範囲）
    from 5 to 95 % of readings|von 5 bis 95 % der Messungen|de 5 à 95 % des relevés|del 5 al 95 % de las lecturas|測定の5～95 %
    fitness: the average load of 42 days|Fitness: mittlere Belastung von 42 Tagen|forme\u{A0}: charge moyenne de 42 jours|forma: carga media de 42 días|フィットネス：42日間の平均負荷
    fatigue: the average load of 7 days|Ermüdung: mittlere Belastung von 7 Tagen|fatigue\u{A0}: charge moyenne de 7 jours|fatiga: carga media de 7 días|疲労：7日間の平均負荷
    No data.|Keine Daten.|Aucune donnée.|Sin datos.|データなし。
    """
}
