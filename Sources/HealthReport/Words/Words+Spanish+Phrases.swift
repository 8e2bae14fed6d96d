extension Words.Phrases {
  static let spanish = Words.Phrases(
    fewer: "menos {0}", moreCounted: "más {0}", less: "menos {0}", moreMass: "más {0}",
    lower: .init("{0} más bajo", "{0} más baja", "{0} más bajo", plural: "{0} más bajos"),
    higher: .init("{0} más alto", "{0} más alta", "{0} más alto", plural: "{0} más altos"),
    shorter: .init("{0} menor", plural: "{0} menores"),
    longer: .init("{0} mayor", plural: "{0} mayores"),
    smaller: .init("{0} menor", plural: "{0} menores"),
    larger: .init("{0} mayor", plural: "{0} mayores"),
    item: "{0} ({1})", comma: ", ", and: " y ", andBeforeI: " e ",
    thanUsual: "{0} de lo habitual en ti", rest: "{0} de {1} medidas en lo habitual",
    asInMostWeeks: "{0}, como la mayoría de las semanas",
    fewerThanInMostWeeks: "{0}, menos que la mayoría de las semanas",
    outsideAndRest: "{0}; {1}.", outsideAlone: "{0}.",
    usualWeek: "Una semana habitual: {0} de {0} medidas en lo habitual.",
    usualWeekOfOne: "Una semana habitual en ti: {0}.", named: "{0} {1}", aDay: "al día",
    aNight: "por noche", yearAgainst: "Frente a {0} hasta el mismo día: {1}.",
    yearLower: "{0} *{1} menor*", yearHigher: "{0} *{1} mayor*",
    yearFewer: "*{1} menos* {0} {2}", yearMoreCounted: "*{1} más* {0} {2}",
    yearLess: "*{1} menos* {0} {2}", yearMoreMass: "*{1} más* {0} {2}",
    weeksSoFar: """
      {0} semana de datos hasta ahora: a partir de {1} semanas se puede decir qué es \
      habitual.|{0} semanas de datos hasta ahora: a partir de {1} semanas se puede decir qué es \
      habitual.
      """,
    lastData: "Los últimos datos son del {0}.", space: " ")
}

extension Words.Patterns {
  static let spanish = Words.Patterns(
    numberAndUnit: "{0}\u{A0}{1}", percent: "{0}\u{A0}%",
    hoursAndMinutes: "{0}\u{A0}h\u{A0}{1}", minutes: "{0}\u{A0}min",
    numberRange: "{0}\u{A0}– {1}", perDay: "{0} al día", perNight: "{0} por noche",
    perYear: "{0} al año", countInSentence: "{0}", daysOfDays: "{0} de {1} días",
    labelled: "{0}: {1}", dayTime: "{0}, {1}")
}

extension Words.Dates {
  static let spanish = Words.Dates(
    first: "1",
    weekdayDay: "{3}, {0} {1}", weekdayDayYear: "{3}, {0} {1} {2}", dayMonth: "{0} {1}",
    dayMonthYear: "{0} {1} {2}", dayLongMonth: "{0} de {4}", monthYear: "{4} de {2}",
    year: "{2}", range: "{0} – {1}", beforeNoon: "{0} a. m.",
    afterNoon: "{0} p. m.",
    months:
      "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    shortMonths: "ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic",
    monthsInDates: "ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic",
    longMonthsInDates:
      "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    weekdays: "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    shortWeekdays: "lun|mar|mié|jue|vie|sáb|dom", weekdaysInDates: "lun|mar|mié|jue|vie|sáb|dom",
    narrowWeekdays: "L|M|X|J|V|S|D")
}

extension Words.Activities {
  static let spanish = Words.Activities(
    walking: "Caminar", running: "Correr", cycling: "Ciclismo", swimming: "Natación",
    hiking: "Senderismo", yoga: "Yoga", functionalStrengthTraining: "Fuerza funcional",
    traditionalStrengthTraining: "Fuerza tradicional",
    highIntensityIntervalTraining: "Intervalos de alta intensidad",
    coreTraining: "Core", elliptical: "Elíptica", rowing: "Remo",
    stairClimbing: "Subir escaleras", stairs: "Escaleras", pilates: "Pilates",
    dance: "Baile", cooldown: "Enfriamiento", soccer: "Fútbol", tennis: "Tenis",
    tableTennis: "Tenis de mesa", badminton: "Bádminton", basketball: "Baloncesto",
    volleyball: "Voleibol", golf: "Golf", climbing: "Escalada", boxing: "Boxeo",
    martialArts: "Artes marciales", downhillSkiing: "Esquí alpino",
    crossCountrySkiing: "Esquí de fondo", snowboarding: "Snowboard",
    skatingSports: "Patinaje", paddleSports: "Deportes de remo", surfingSports: "Surf",
    equestrianSports: "Equitación", mindAndBody: "Mente y cuerpo",
    mixedCardio: "Cardio mixto", flexibility: "Flexibilidad",
    crossTraining: "Entrenamiento cruzado", jumpRope: "Saltar a la comba",
    swimBikeRun: "Triatlón", other: "Otro",
    americanFootball: "Fútbol americano", archery: "Tiro con arco",
    australianFootball: "Fútbol australiano", baseball: "Béisbol", bowling: "Bolos",
    cricket: "Críquet", curling: "Curling", danceInspiredTraining: "Entrenamiento de baile",
    fencing: "Esgrima", fishing: "Pesca", gymnastics: "Gimnasia", handball: "Balonmano",
    hockey: "Hockey", hunting: "Caza", lacrosse: "Lacrosse",
    mixedMetabolicCardioTraining: "Cardio metabólico mixto", play: "Juego",
    preparationAndRecovery: "Preparación y recuperación", racquetball: "Ráquetbol",
    rugby: "Rugby", sailing: "Vela", snowSports: "Deportes de nieve", softball: "Sóftbol",
    squash: "Squash", trackAndField: "Atletismo", waterFitness: "Gimnasia acuática",
    waterPolo: "Waterpolo", waterSports: "Deportes acuáticos", wrestling: "Lucha",
    barre: "Barre", kickboxing: "Kickboxing", stepTraining: "Step",
    wheelchairWalkPace: "Silla de ruedas a paso de caminata",
    wheelchairRunPace: "Silla de ruedas a ritmo de carrera", taiChi: "Taichí",
    handCycling: "Ciclismo de mano", discSports: "Deportes de disco",
    fitnessGaming: "Juegos de fitness", cardioDance: "Baile cardio",
    socialDance: "Baile social", pickleball: "Pickleball", transition: "Transición",
    underwaterDiving: "Buceo")
}

extension Words.Print {
  static let spanish = Words.Print(
    name: "Nombre", born: "Nacimiento",
    summary: "Resumen de {0} · medido en casa · creado el {1}",
    table: "Los últimos 28 días y el año", measure: "Medida", median: "Mediana, 28 días",
    range: "5–95\u{A0}%", days: "Días", yearAgo: "Hace un año", trend: "Tendencia del año",
    trendInterval: "(95\u{A0}%)", weeks: "52 semanas",
    caption: """
      Medianas de días. Menos de diez días: mínimo – máximo. Tendencia: recta por los valores \
      semanales, llevada a un año. 52 semanas: cada línea tiene su propia escala.
      """,
    courses: "Evolución", asleep: "Horas de sueño, {0} noche|Horas de sueño, {0} noches",
    medians: "{0} – {1} (medianas)",
    heartRate: "Frecuencia cardíaca por día, {0} días",
    heartRateKey: """
      línea: del mínimo al máximo; barra: mitad central del tiempo; punto: media
      """,
    howMade: "Cómo se hizo", measuredBy: "Medido por {0}.", source: "{0} ({1}, muestras: {2})",
    oneCounts: """
      Cuando varios dispositivos midieron a la vez, cuenta uno: lo anotado a mano, luego el \
      reloj, luego el teléfono y luego los demás.
      """,
    method: """
      Los días siguen la zona horaria {0}. Los días sin datos no cuentan en ninguna media. «Poco \
      habitual» quiere decir poco habitual en esta persona, según las reglas de arriba; nada de \
      esto es un diagnóstico.
      """,
    sameNumbers: "Los mismos números: {0}")
}
