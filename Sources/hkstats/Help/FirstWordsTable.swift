extension FirstWords {
  /// What people type first, by language, and what they mean.
  ///
  /// A line has the words, the command and, after `||`, the options that it gets where the person
  /// names none. What stands after `?` is a sentence that is shown, with commands between backticks:
  /// they change something, or need more. Words with an option in them are what a command refuses.
  static let table = """
    # en
    steps | stats steps || --by day --from -7d
    step count | stats steps || --by day --from -7d
    walking | stats distanceWalkingRunning || --by day --from -7d
    distance | stats distanceWalkingRunning || --by day --from -7d
    km | stats distanceWalkingRunning || --by week --from -30d
    kilometers | stats distanceWalkingRunning || --by week --from -30d
    miles | stats distanceWalkingRunning --unit mi || --by week --from -30d
    floors | stats flightsClimbed || --by day --from -7d
    stairs | stats flightsClimbed || --by day --from -7d
    calories | stats activeEnergyBurned || --by day --from -7d
    energy | stats activeEnergyBurned || --by day --from -7d
    total calories | stats totalEnergy || --by day --from -7d
    exercise | stats appleExerciseTime || --by day --from -7d
    heart | stats heartRate || --by day --from -7d
    heart rate | stats heartRate || --by day --from -7d
    hr | stats heartRate || --by day --from -7d
    bpm | stats heartRate || --by day --from -7d
    pulse | stats heartRate || --by day --from -7d
    resting | stats restingHeartRate || --by week --from -1y
    resting heart rate | stats restingHeartRate || --by week --from -1y
    rhr | stats restingHeartRate || --by week --from -1y
    weight | stats bodyMass || --by week --from -1y
    bmi | stats bodyMassIndex || --by month --from -1y
    fat | stats bodyFatPercentage || --by month --from -1y
    body fat | stats bodyFatPercentage || --by month --from -1y
    height | stats height
    vo2max | stats vo2Max || --by month --from -1y
    vo2 | stats vo2Max || --by month --from -1y
    fitness | training --by day || --from -42d
    fatigue | training --by day || --from -42d
    form | training --by day || --from -42d
    ctl | training --by day || --from -42d
    monotony | training --by week || --from -90d
    strain | training --by week || --from -90d
    load | training
    spo2 | stats oxygenSaturation || --by day --from -7d
    oxygen | stats oxygenSaturation || --by day --from -7d
    breathing | stats respiratoryRate || --by day --from -7d
    temperature | stats bodyTemperature || --by month --from -1y
    noise | stats environmentalAudioExposure || --by day --from -7d
    water | stats dietaryWater || --by day --from -7d
    caffeine | stats dietaryCaffeine || --by day --from -7d
    coffee | stats dietaryCaffeine || --by day --from -7d
    protein | stats dietaryProtein || --by day --from -7d
    sugar | stats dietarySugar || --by day --from -7d
    food | stats food || --from -7d
    bp | pressure
    blood pressure | pressure
    blood sugar | glucose
    bloodglucose | glucose
    cgm | glucose
    period | cycles
    menstruation | cycles
    ecg | samples ecg || --from -1y
    ecgs | stats ecgs
    ekg | stats ecgs
    afib | stats ecgs
    labs | stats labs
    lab | stats labs
    medication | stats medications
    medications | stats medications
    meds | stats medications
    mood | stats stateOfMind
    mindfulness | stats mindfulSession || --by week --from -30d
    meditation | stats mindfulSession || --by week --from -30d
    rings | summary || --from -14d
    activity | summary || --from -14d
    rings streak | summary --streaks
    streak of rings | summary --streaks
    stand | stats appleStandHour || --by day --from -7d
    nights | sleep || --from -14d
    bedtime | sleep || --from -14d
    rem | stats sleep.rem || --by day --from -14d
    deep sleep | stats sleep.deep || --by day --from -14d
    naps | sleep || --from -14d
    workout | workouts || --from -30d
    run | workouts --activity running || --from -90d
    runs | workouts --activity running || --from -90d
    running | workouts --activity running || --from -90d
    rides | workouts --activity cycling || --from -90d
    cycling | workouts --activity cycling || --from -90d
    swimming | workouts --activity swimming || --from -1y
    pace | workouts --by month --stat count,distance,pace
    splits | workouts --splits --limit 1
    today | summary --from today
    yesterday | summary --from yesterday --to today
    week | typical
    this week | typical
    summary of today | summary --from today
    average | ? Averages come with every answer: `hkstats stats heartRate --by day`, and `hkstats stats steps --by month --per day`.
    mean | ? Averages come with every answer: `hkstats stats heartRate --by day`, and `hkstats stats steps --by month --per day`.
    total | ? A total needs its type: `hkstats stats steps --from 2026`.
    sum | ? A total needs its type: `hkstats stats steps --from 2026`.
    best | ? The best days of a type: `hkstats stats steps --top 10`.
    top | ? The best days of a type: `hkstats stats steps --top 10`.
    max | ? The best days of a type: `hkstats stats steps --top 10`.
    record | ? The best days of a type: `hkstats stats steps --top 10`; the best times: `hkstats workouts --activity running --sort best5k --limit 3`.
    streak | ? Days in a row: `hkstats stats steps --above 10000 --streaks`.
    streaks | ? Days in a row: `hkstats stats steps --above 10000 --streaks`.
    compare | ? Beside the time before: `hkstats stats steps --by month --compare year`.
    chart | ? Every answer can be drawn: `hkstats stats steps --by week --format chart`; all of them on a page: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    graph | ? Every answer can be drawn: `hkstats stats steps --by week --format chart`; all of them on a page: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    plot | ? Every answer can be drawn: `hkstats stats steps --by week --format chart`; all of them on a page: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    dashboard | ? A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    page | ? A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    html | ? A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    browser | ? A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    view | ? A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    web | ? A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    serve | ? There is no server. A page with charts: `hkstats report`, or of an export without a store `hkstats report export.zip`.
    pdf | ? Two sheets for a doctor: `hkstats report --for print --out visit.pdf`.
    print | ? Two sheets for a doctor: `hkstats report --for print --out visit.pdf`.
    doctor | ? Two sheets for a doctor: `hkstats report --for print --out visit.pdf`.
    csv | ? Every answer can be csv: `hkstats stats steps --by day --format csv`; all samples: `hkstats export --format csv --out FOLDER`.
    excel | ? For a spreadsheet: `hkstats stats steps --by day --format csv > steps.csv`.
    xlsx | ? For a spreadsheet: `hkstats stats steps --by day --format csv > steps.csv`.
    json | ? Every answer can be json: `hkstats stats steps --by day --format json`.
    parquet | ? The Python package writes Parquet, from hkstats.open(STORE).samples("steps").to_polars(). The program writes SQLite: `hkstats export --format sqlite --out health.sqlite`.
    sql | ? Get a database first: `hkstats export --format sqlite --out health.sqlite`, then ask it with sqlite3 health.sqlite.
    sqlite | ? Get a database: `hkstats export --format sqlite --out health.sqlite`.
    query | ? Ask with `hkstats stats steps`; for SQL get a database first: `hkstats export --format sqlite --out health.sqlite`.
    gpx | ? Routes as files: `hkstats export --format gpx --out FOLDER`.
    fhir | ? `hkstats export --format fhir --out health.json`.
    read | ? `hkstats import export.zip`.
    load export | ? `hkstats import export.zip`.
    open | ? A page of it to look at: `hkstats report export.zip`. Into a store, to ask: `hkstats import export.zip`.
    parse | ? `hkstats import export.zip`.
    init | ? `hkstats import export.zip` makes the store.
    start | ? `hkstats report export.zip` makes a page to look at, `hkstats import export.zip` the store, to ask.
    undo | ? `hkstats imports undo N` takes an import back (`hkstats imports` has the numbers), `hkstats restore N` a deletion (`hkstats deletions`).
    revert | ? `hkstats imports undo N` takes an import back (`hkstats imports` has the numbers), `hkstats restore N` a deletion (`hkstats deletions`).
    remove | ? `hkstats delete steps --from 2026-03-01 --to 2026-03-02`; --dry-run shows what would go.
    rm | ? `hkstats delete steps --from 2026-03-01 --to 2026-03-02`; --dry-run shows what would go.
    reset | ? `hkstats imports undo N` takes an import back. To begin anew, delete the store that `hkstats store` names.
    update | ? `hkstats import export.zip` again: what the store has is known.
    refresh | ? `hkstats import export.zip` again: what the store has is known.
    save | ? `hkstats add bodyMass 71.4 kg`, or for a copy: `hkstats store backup FILE`.
    backup | ? `hkstats store backup FILE`.
    log | ? `hkstats add bodyMass 71.4 kg`.
    enter | ? `hkstats add bodyMass 71.4 kg`.
    password | ? `hkstats encrypt`.
    passphrase | ? `hkstats encrypt`.
    convert | ? `hkstats units convert 5 mi km`.
    settings | ? `hkstats zones set Europe/Paris`, `hkstats units prefer bodyMass lb`, `hkstats sources prefer steps SOURCE`, `hkstats profile`.
    config | ? `hkstats zones set Europe/Paris`, `hkstats units prefer bodyMass lb`, `hkstats sources prefer steps SOURCE`, `hkstats profile`.
    timezone | zones
    devices | sources
    apps | sources
    duplicates | ? `hkstats sources compare steps` shows what was counted twice, day by day.
    list | types
    ls | types
    show | types
    data | types
    info | store
    status | store
    statistics | ? A type is needed: `hkstats stats steps`.
    correlation | correlate
    outliers | anomalies
    age | profile
    me | profile
    whoami | profile
    assistant | ? `hkstats mcp` is a server for an assistant.
    chat | ? `hkstats mcp` is a server for an assistant.
    check | verify
    version | ? `hkstats --version`.
    python | ? import hkstats in Python: the package hkstats has the same answers for polars and pandas.
    # de
    heute | summary --from today
    gestern | summary --from yesterday --to today
    schritte | stats steps || --by day --from -7d
    strecke | stats distanceWalkingRunning || --by day --from -7d
    stockwerke | stats flightsClimbed || --by day --from -7d
    treppen | stats flightsClimbed || --by day --from -7d
    kalorien | stats activeEnergyBurned || --by day --from -7d
    puls | stats heartRate || --by day --from -7d
    herzfrequenz | stats heartRate || --by day --from -7d
    ruhepuls | stats restingHeartRate || --by week --from -1y
    gewicht | stats bodyMass || --by week --from -1y
    schlaf | sleep || --from -14d
    blutdruck | pressure
    blutzucker | glucose
    zyklus | cycles
    laborwerte | stats labs
    medikamente | stats medications
    stimmung | stats stateOfMind
    wasser | stats dietaryWater || --by day --from -7d
    ringe | summary || --from -14d
    trainings | workouts || --from -30d
    laufen | workouts --activity running || --from -90d
    woche | typical
    importieren | ? `hkstats import export.zip`.
    öffnen | ? `hkstats report export.zip`, `hkstats import export.zip`.
    seite | ? `hkstats report --language de --out bericht.html`.
    bericht | ? `hkstats report --language de --out bericht.html`.
    arzt | ? `hkstats report --language de --for print --out arzt.pdf`.
    drucken | ? `hkstats report --language de --for print --out arzt.pdf`.
    rückgängig | ? `hkstats imports undo N` nimmt einen Import zurück, `hkstats restore N` eine Löschung.
    löschen | ? `hkstats delete steps --from 2026-03-01 --to 2026-03-02`; --dry-run zeigt, was ginge.
    hilfe | ? `hkstats help`.
    # fr
    aujourd'hui | summary --from today
    hier | summary --from yesterday --to today
    pas | stats steps || --by day --from -7d
    marche | stats distanceWalkingRunning || --by day --from -7d
    étages | stats flightsClimbed || --by day --from -7d
    pouls | stats heartRate || --by day --from -7d
    fréquence cardiaque | stats heartRate || --by day --from -7d
    poids | stats bodyMass || --by week --from -1y
    sommeil | sleep || --from -14d
    tension | pressure
    glycémie | glucose
    règles | cycles
    analyses de sang | stats labs
    médicaments | stats medications
    humeur | stats stateOfMind
    eau | stats dietaryWater || --by day --from -7d
    anneaux | summary || --from -14d
    entraînements | workouts || --from -30d
    course à pied | workouts --activity running || --from -90d
    semaine | typical
    importer | ? `hkstats import export.zip`.
    ouvrir | ? `hkstats report export.zip`, `hkstats import export.zip`.
    rapport | ? `hkstats report --language fr --out rapport.html`.
    médecin | ? `hkstats report --language fr --for print --out medecin.pdf`.
    imprimer | ? `hkstats report --language fr --for print --out medecin.pdf`.
    annuler | ? `hkstats imports undo N` annule un import, `hkstats restore N` une suppression.
    supprimer | ? `hkstats delete steps --from 2026-03-01 --to 2026-03-02` ; --dry-run montre ce qui partirait.
    aide | ? `hkstats help`.
    # es
    hoy | summary --from today
    ayer | summary --from yesterday --to today
    pasos | stats steps || --by day --from -7d
    distancia | stats distanceWalkingRunning || --by day --from -7d
    pisos | stats flightsClimbed || --by day --from -7d
    calorías | stats activeEnergyBurned || --by day --from -7d
    pulso | stats heartRate || --by day --from -7d
    frecuencia cardíaca | stats heartRate || --by day --from -7d
    peso | stats bodyMass || --by week --from -1y
    sueño | sleep || --from -14d
    presión arterial | pressure
    glucosa | glucose
    ciclo | cycles
    análisis de sangre | stats labs
    medicamentos | stats medications
    ánimo | stats stateOfMind
    agua | stats dietaryWater || --by day --from -7d
    anillos | summary || --from -14d
    entrenamientos | workouts || --from -30d
    carrera | workouts --activity running || --from -90d
    semana | typical
    importar | ? `hkstats import export.zip`.
    abrir | ? `hkstats report export.zip`, `hkstats import export.zip`.
    informe | ? `hkstats report --language es --out informe.html`.
    médico | ? `hkstats report --language es --for print --out medico.pdf`.
    imprimir | ? `hkstats report --language es --for print --out medico.pdf`.
    deshacer | ? `hkstats imports undo N` deshace una importación, `hkstats restore N` un borrado.
    borrar | ? `hkstats delete steps --from 2026-03-01 --to 2026-03-02`; --dry-run muestra lo que se iría.
    ayuda | ? `hkstats help`.
    # ja
    今日 | summary --from today
    昨日 | summary --from yesterday --to today
    歩数 | stats steps || --by day --from -7d
    距離 | stats distanceWalkingRunning || --by day --from -7d
    心拍数 | stats heartRate || --by day --from -7d
    体重 | stats bodyMass || --by week --from -1y
    睡眠 | sleep || --from -14d
    血圧 | pressure
    血糖 | glucose
    生理 | cycles
    検査 | stats labs
    薬 | stats medications
    気分 | stats stateOfMind
    水 | stats dietaryWater || --by day --from -7d
    リング | summary || --from -14d
    ワークアウト | workouts || --from -30d
    ランニング | workouts --activity running || --from -90d
    今週 | typical
    取り込み | ? `hkstats import export.zip`.
    開く | ? `hkstats report export.zip`、`hkstats import export.zip`。
    レポート | ? `hkstats report --language ja --out report.html`.
    印刷 | ? `hkstats report --language ja --for print --out visit.pdf`.
    元に戻す | ? `hkstats imports undo N`（取り込み）、`hkstats restore N`（削除）。
    ヘルプ | ? `hkstats help`.
    # refused by a command
    sleep --stat | ? A part of nights: `hkstats stats sleep.deep --by week`.
    sleep --stage | ? A part of nights: `hkstats stats sleep.deep --by week`.
    summary --by | ? Rings are by day; of one of them: `hkstats stats activeEnergyBurned --by week`.
    workouts --longest | ? `hkstats workouts --sort distance --limit 1`.
    workouts --fastest | ? `hkstats workouts --activity running --sort best5k --limit 3`.
    workouts --best | ? `hkstats workouts --activity running --sort best5k --limit 3`.
    workouts --top | ? `hkstats workouts --sort distance --limit 10`.
    workouts --type | ? `hkstats workouts --activity running`.
    workouts --kind | ? `hkstats workouts --activity running`.
    workouts --zones | ? `hkstats workouts --zones 120,140,155,170`, or by your maximum: `hkstats training`.
    workouts --pace | ? `hkstats workouts --by month --activity running --stat count,distance,pace`.
    training --by month | ? Fitness and fatigue come by day: `hkstats training --by day`; monotony and strain by week: `hkstats training --by week`. Hours and distance by month: `hkstats workouts --by month`.
    training --by year | ? Fitness and fatigue come by day: `hkstats training --by day`; monotony and strain by week: `hkstats training --by week`. Hours and distance by year: `hkstats workouts --by year`.
    training --by | ? Fitness and fatigue come by day: `hkstats training --by day`; monotony and strain by week: `hkstats training --by week`. Hours and distance by week: `hkstats workouts --by week`.
    stats bloodpressure --above | ? One of its two numbers: `hkstats stats bloodPressureSystolic --above 135`.
    stats bloodpressure --below | ? One of its two numbers: `hkstats stats bloodPressureSystolic --below 135`.
    stats bloodpressure --top | ? One of its two numbers: `hkstats stats bloodPressureSystolic --top 10`.
    stats food --by | ? One nutrient by day: `hkstats stats dietaryProtein --by day`; the meals: `hkstats stats food --from -7d`.
    stats labs --by | ? Results have no totals. One test over time: `hkstats samples labResultRecord --from 2020`.
    samples --where classification | ? `hkstats samples ecg` lists them with their findings, and `hkstats stats ecgs` counts these.
    export --format parquet | ? The Python package writes Parquet, from hkstats.open(STORE).samples("steps").to_polars(). The program writes SQLite: `hkstats export --format sqlite --out health.sqlite`.
    export --format xlsx | ? For a spreadsheet: `hkstats export --format csv --out FOLDER`.
    stats --format parquet | ? The Python package writes Parquet: hkstats.open(STORE).statistics("steps", by="day").to_polars().
    stats --chart | ? `hkstats stats steps --by week --format chart`.
    stats --last | ? The last seven days: --from -7d.
    stats --days | ? The last seven days: --from -7d.
    stats --average | ? Means of days: `hkstats stats steps --by month --per day`.
    report --pdf | ? `hkstats report --out report.pdf`.
    report --doctor | ? `hkstats report --for print --out visit.pdf`.
    """
}
