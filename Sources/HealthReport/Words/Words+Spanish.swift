extension Words {
  static let spanish = Words(
    page: .init(
      skip: "Ir al informe", navigation: "Secciones", title: "Informe de salud de {0}",
      titleWithoutName: "Informe de salud", measures: "{0} medida|{0} medidas",
      zone: "días según {0}",
      zonesWithChanges: "{0} a {1} con {2} cambio de zona|{0} a {1} con {2} cambios de zona",
      lastDayOpen: "puede que el último día no haya terminado",
      ofYear: "de los últimos 12 meses",
      ofDays: "del último día|de los últimos {0} días",
      separator: " · ", made: "Creado el {0} con {1}.",
      clearText: "Este archivo no está cifrado: quien lo tiene puede leerlo.",
      noConnection: "No abre ninguna conexión ni envía nada.",
      noDiagnosis: "Son mediciones, no un diagnóstico.",
      needsNewerBrowser: "Las tablas necesitan un navegador más reciente.",
      needsScript: """
        Las tablas y las demás medidas necesitan scripts; todas las figuras están aquí sin ellos.
        """),
    sections: .init(
      overview: .init(
        "Resumen", "Resumen", "Los últimos siete días junto al periodo anterior"),
      glance: .init(
        "Todas las medidas", "Todas las medidas",
        "Dónde están los últimos siete días entre las semanas de los últimos 12 meses"),
      year: .init(
        "El año", "El año",
        "Cada día, y cualquier medida por hora, día, semana, mes o año"),
      days: .init(
        "Los días", "Los días",
        "Cada día, y cualquier medida por hora, día, semana, mes o año"),
      sleep: .init(
        "Sueño", "Sueño", "¿Cuánto duermes, cuándo y con qué regularidad?"),
      heart: .init(
        "Corazón", "Corazón", "¿Qué es habitual, qué cambia y qué días destacan?"),
      body: .init(
        "Cuerpo", "Cuerpo", "Peso, presión arterial y glucosa: dónde están y hacia dónde van"),
      diary: .init(
        "Diario", "Diario", "Ciclos, medicación y estado de ánimo: lo que se anotó"),
      workouts: .init(
        "Entrenamientos", "Entrenamientos", "Qué hiciste, con cuánto esfuerzo y dónde"),
      relations: .init(
        "Relaciones", "Qué va junto",
        "¿Qué medidas cambian juntas y cuántos pares se probaron?"),
      sources: .init(
        "Fuentes", "De dónde vienen los números",
        "Quién midió, qué medición cuenta y por qué un día tiene su número")),
    families: .init(
      activity: "Actividad", heart: "Corazón y respiración", sleep: "Sueño", body: "Cuerpo",
      food: "Glucosa y nutrición", walk: "Marcha y audición"),
    states: .init(
      nothing: "No hay nada que mostrar de este periodo.", asked: "Periodo pedido: {0}.",
      askedFrom: "Periodo pedido: desde el {0}.",
      askedTo: "Periodo pedido: hasta el {0}.",
      nothingChosen: "No hay nada que mostrar de lo que se pidió.",
      chosen: "{0} pide solo {1}; sin esta opción se muestra todo lo que hay.",
      whatToDo: "Elige otro periodo con --from y --to, o importa antes una exportación.",
      noData: "sin datos",
      partial: "incompleto", soFar: "hasta ahora"),
    overview: .init(
      usual: "Habitual en ti", above: "Por encima de lo habitual en ti",
      below: "Por debajo de lo habitual en ti", weekOnWeek: "Semana anterior",
      yearOnYear: "Año anterior", change: "*{0}* frente a {1}",
      rings: "Anillos, {0}", closed: "{0} de {1}",
      closedUnit: "días con todos los anillos cerrados",
      closedBefore: "7 días anteriores: {0} de {1}", move: "Movimiento", exercise: "Ejercicio",
      stand: "De pie",
      ringGoal: "Objetivo", goal: "*{0}* {1} de {2}",
      captionMeans: "Los números grandes son medias de los últimos siete días.",
      captionBand: """
        La banda es el intervalo típico de un día: nueve de cada diez días {0}; la línea \
        discontinua es la mediana; los últimos siete días están subrayados.
        """,
      captionWeek: "Semana anterior: frente a los siete días anteriores.",
      captionYear: "Año anterior: {0} hasta el {1} frente a {2} hasta el {1}.",
      captionUsual: "«Habitual» compara estos siete días con las 52 semanas anteriores.",
      captionGap: "Un anillo pequeño es un día sin datos.",
      captionPartial: "Un contorno es un día que solo tiene datos de una parte.",
      captionOpenDay: "El {0} no ha terminado y no cuenta en ninguna media.",
      captionCutDay: "El {0} no cuenta en ninguna media: los datos acaban antes que ese día.",
      captionFirstDay: "El día en que empiezan los datos de una medida no cuenta."),
    glance: .init(
      measure: "Medida", lastSevenDays: "Últimos 7 días", inYourYear: "En tu año",
      typicalWeek: "Semana típica", weeks: "52 semanas", years: "{0} frente a {1} hasta el {2}",
      shortYears: "{0} frente a {1}:", change: "*{0}* ({1} → {2})",
      keyTypical: "típico: nueve de cada diez semanas de los últimos 12 meses; y la mediana",
      keyNow: "los últimos siete días", keyUnusual: "poco habitual en ti",
      strip: "{0}; típico de {1} a {2}, mediana {3}.",
      sparkline: "52 semanas de {0} a {1}, la última {2}."),
    year: .init(
      calendar: "{0}, día a día", most: "Máximo: *{0}* el {1}", under: "menos de {0}",
      from: "desde {0}", weeksBegin: "la semana empieza el {0}", earlierYear: "Año anterior",
      laterYear: "Año siguiente", rings: "Anillos, cuatro semanas",
      closed: "Cerrados: movimiento *{0}* · ejercicio *{1}* · de pie *{2}* de {3} días",
      keyMove: "Movimiento (exterior)", keyExercise: "Ejercicio (centro)",
      keyStand: "De pie (interior)", keyFull: "un círculo completo es el objetivo o más",
      months: "Meses"),
    explorer: .init(
      measure: "Medida", interval: "Intervalo", hour: "Hora", day: "Día", week: "Semana",
      month: "Mes", year: "Año", earlier: "Antes", later: "Después", byHour: "{0}, por hora",
      byDay: "{0}, por día", byWeek: "{0}, por semana", byMonth: "{0}, por mes",
      byYear: "{0}, por año", weekFrom: "la semana del {0}", meanOfDay: "media de un día",
      meanOfNight: "media de una noche",
      middleHalfOfDays: "mitad central de los días",
      leastToGreatestDay: "del día más bajo al más alto", mean: "media",
      middleHalf: "mitad central", leastToGreatest: "del mínimo al máximo",
      medianOfYear: "mediana {0}",
      olderWeeks: "Los días están desde el {0}; antes hay semanas."),
    figure: .init(
      label: "{0}. Las flechas izquierda y derecha leen los valores.",
      calendarLabel: "{0}, día a día. Las flechas leen los días y las semanas.",
      whyHint: "La tecla Intro dice por qué.", lastDays: "último día|últimos {0} días",
      lastNights: "última noche|últimas {0} noches",
      lastWeeks: "última semana|últimas {0} semanas",
      description: "De {0} a {1}, mediana {2}, último valor {3}.", from: "{0} a {1}",
      mean: "media {0}", median: "mediana {0}", middleHalf: "mitad central {0} a {1}",
      hours: "{0} horas", zone: "en {0}", device: "desde aquí: {0}", noData: "sin datos",
      partial: "incompleto", soFar: "hasta ahora", part: "{0} {1}"),
    table: .init(
      days: "Los días en una tabla", weeks: "Las semanas en una tabla",
      months: "Los meses en una tabla", nights: "Las noches en una tabla",
      numbers: "Estos números en una tabla", rings: "Los anillos en una tabla",
      readings: "Las lecturas en una tabla",
      reasons: "Los motivos en una tabla",
      workouts: "Todo en una tabla ({0})", showMore: "Mostrar {0} más", region: "{0}, tabla",
      hour: "Hora", day: "Día", week: "Semana", month: "Mes", year: "Año", night: "Noche",
      sum: "suma", mean: "media", median: "mediana", least: "mínimo", greatest: "máximo",
      lowerQuarter: "primer cuartil", upperQuarter: "tercer cuartil",
      perDay: "media de un día", leastDay: "día más bajo", greatestDay: "día más alto",
      lowerQuarterOfDays: "primer cuartil de los días",
      upperQuarterOfDays: "tercer cuartil de los días", note: "nota"),
    sleep: .init(
      when: "Cuándo dormiste, {0} noche|Cuándo dormiste, {0} noches",
      halfOfNights: "La mitad de las noches empieza antes de las *{0}* y acaba antes de las *{1}*",
      captionWhen: """
        Una barra va desde que te duermes hasta que despiertas, con el reloj del lugar donde \
        estabas; un anillo pequeño es una noche sin datos. Las líneas son medianas.
        """,
      stages: "Fases",
      means: "Medias de {0} noche: {1}|Medias de {0} noches: {1}", stage: "{0} *{1}*",
      deep: "Profundo",
      core: "Esencial", rem: "REM", awake: "Despierto", asleep: "Dormido", inBed: "En la cama",
      nap: "siesta", fellAsleep: "inicio del sueño", wokeUp: "despertar", until: "hasta",
      night: "La noche hasta el {0}",
      fromSamples: "Dibujado con muestras sueltas: solo con {0}.",
      howRegular: "Regularidad", index: "Índice de regularidad del sueño",
      indexCaption: "100: sueño a las mismas horas cada día; 0: al azar. {0} noches.",
      weekendShift: "Desfase del fin de semana",
      weekendCaption: """
        El punto medio de las noches del viernes al sábado y del sábado al domingo, frente a las \
        demás.
        """,
      sevenHours: "Noches de 7 horas o más", countOfNights: "{0} de {1}",
      sevenHoursCaption: "La más corta {0}, la más larga {1}."),
    heart: .init(
      range: "{0}, {1} días", lastSevenDays: "En los últimos siete días *{0}* {1}, media *{2}*",
      leastToGreatest: "del mínimo al máximo",
      middleHalfOfTime: "mitad central del tiempo", mean: "media",
      trend: "Últimos 12 meses *{0} al año* (95\u{A0}%: de {1} a {2})",
      noTrend: "sin tendencia clara",
      noTrendInterval: "sin tendencia clara (95\u{A0}%: de {0} a {1})",
      points: "{0}\u{A0}puntos", keyWeek: "semana",
      keyTypical: "típico, últimos 12 meses", keyTrend: "tendencia {0} e intervalo del 95\u{A0}%",
      unusual: "Días poco habituales de los últimos {0}", unusualValue: "{0} {1}",
      higher: "más alto de lo habitual en ti: mediana {0} en los {1} días anteriores",
      lower: "más bajo de lo habitual en ti: mediana {0} en los {1} días anteriores",
      noUnusual: "Ningún día destaca.",
      unusualCaption: """
        Un día destaca si se aleja de la mediana de los {1} días anteriores más de {0} veces la \
        dispersión habitual, también sin el ritmo semanal. Primero corazón, sueño y cuerpo. Se \
        examinaron {2} valores diarios de {3} medidas: algunos destacan por azar.
        """),
    pressure: .init(
      title: "Presión arterial", systolic: "sistólica", diastolic: "diastólica",
      lastYear: "Medias de los últimos 12 meses: {0}, {1}", mornings: "mañanas *{0}* ({1})",
      evenings: "noches *{0}* ({1})", noMornings: "sin lecturas por la mañana",
      noEvenings: "sin lecturas por la noche",
      home: "Media en casa, {3} – {4}: *{0}*, {1} ({2} lecturas, ESH 2021)",
      noHome: """
        Sin media en casa (ESH 2021): muy pocas lecturas de mañana y de noche en los siete días hasta \
        la última.
        """,
      lone: "{0} valor sin su pareja no cuenta.|{0} valores sin su pareja no cuentan.",
      implausible: """
        {0} lectura cuyo valor bajo no está por debajo del alto no cuenta.|{0} lecturas cuyo \
        valor bajo no está por debajo del alto no cuentan.
        """,
      classes: "Lecturas sueltas de los últimos 12 meses según las clases de {0}",
      bothUnder: "menos de {0} y menos de {1}", betweenAndUnder: "{0}–{1} y menos de {2}",
      eitherBetween: "{0}–{1} o {2}–{3}", eitherFrom: "{0} o más, o {1} o más",
      caption: """
        Cada línea es una lectura, del número inferior al superior; mañana: {4}–{5}, noche: \
        {6}–{7}. Con puntos, {0} y {1}, a partir de los cuales {2} habla de «{3}».
        """,
      captionOfDays: """
        Cada línea es la media de una mañana ({4}–{5}) o de una noche ({6}–{7}), del número \
        inferior al superior; con puntos, {0} y {1}, a partir de los cuales {2} habla de «{3}».
        """,
      morning: "mañana", evening: "noche", otherHours: "otras horas",
      decides: "Decide la clase más alta de los dos números.",
      noDiagnosis: "Son lecturas en casa, no un diagnóstico.", optimal: "Óptima",
      normal: "Normal", highNormal: "Normal alta", elevated: "Elevada",
      nonElevated: "No elevada", stage1: "Estadio 1", stage2: "Estadio 2",
      hypertension: "Hipertensión", grade1: "Grado 1", grade2: "Grado 2", grade3: "Grado 3",
      belowHypertension: "Por debajo del umbral de hipertensión"),
    glucose: .init(
      title: "Glucosa por hora del día",
      summary: "{0} días, {1} lecturas; media *{2}* · GMI *{3}*", variation: "CV *{0}*",
      shares: "Parte del tiempo, según los límites de {0}", over: "más de {0}",
      under: "menos de {0}", keyNineOfTen: "nueve de cada diez lecturas",
      keyMiddleHalf: "mitad central", keyMedian: "mediana",
      keyRange: "intervalo", daysAndMedian: "Lecturas en {0} de {1} días, mediana *{2}*",
      captionOfHours: """
        Para cada hora del día: las lecturas de {0} días. Con puntos: {1} y {2}, los límites del \
        intervalo.
        """,
      tooFew: """
        Sin un sensor que mida día y noche no hay tiempo en el intervalo: las lecturas sueltas no \
        dicen cuánto duró un valor. Hacen falta lecturas de al menos el {2} de {3} días; estas \
        cubren el {0} de {1}.
        """),
    cycle: .init(
      title: "Ciclos", days: "{0} días", summary: "Mediana: *{0}* días, de {1} a {2}",
      day: "día {0}",
      caption: """
        Una fila es un ciclo desde su primer día. Las barras son días de sangrado: cuanto más \
        altas, más abundante.
        """,
      flow: "Sangrado", light: "leve", medium: "medio", heavy: "abundante",
      unspecified: "sin especificar", length: "Duración", began: "Inicio"),
    medications: .init(
      title: "Medicación", taken: "tomado", skipped: "omitido", notLogged: "no registrado",
      caption: "Lleno: tomado. Contorno: omitido. Los días sin registro están vacíos."),
    mind: .init(
      title: "Estado de ánimo", veryUnpleasant: "muy desagradable",
      unpleasant: "desagradable", slightlyUnpleasant: "algo desagradable", neutral: "neutro",
      slightlyPleasant: "algo agradable", pleasant: "agradable", veryPleasant: "muy agradable",
      emotion: "emoción del momento", mood: "ánimo del día", entries: "Registros: {0}",
      caption: "Altura: de muy desagradable a muy agradable."),
    workouts: .init(
      hoursByMonth: "Horas por mes", wholeMonths: "Meses enteros, desde el {0}.",
      inYear: "*{0}* entrenamiento en doce meses|*{0}* entrenamientos en doce meses",
      count: "Entrenamientos: *{0}*",
      day: "Día", kind: "Tipo", times: "veces",
      time: "tiempo", distance: "distancia", energy: "energía",
      meanHeartRate: "frecuencia cardíaca, media", other: "otros", title: "{0}, {1} a las {2}",
      heart: "frecuencia cardíaca *{0}*, máxima *{1}* {2}",
      splits: "Parciales, según la ruta, {0}",
      zones: "Tiempo por zonas, {0}", zoneFrom: "{0} o más", zoneUnder: "menos de {0}",
      routeCaption: """
        Las rutas están en esta página porque se creó con {0}. Se omiten los primeros y los \
        últimos {1}. Hueco: inicio; lleno: final; la línea de abajo mide {2} y el norte está \
        arriba.
        """,
      lastWithRoute: "Es el último entrenamiento con una ruta.",
      lastWithHeartRate: "Es el último entrenamiento con frecuencias cardíacas.",
      outsideZones: "Los momentos sin frecuencia cardíaca no están en ninguna zona.",
      routes: "Todas las rutas {0}",
      routeCount: "Rutas: *{0}*",
      routesCaption: "La línea mide {0}; el norte está arriba. Los extremos se omiten.",
      placesShown: "Los {0} lugares con más rutas, de {1}.",
      last: "Últimos entrenamientos: {0}"),
    activities: .spanish,
    relations: .init(
      first: "Los días con…", second: "sueles tener", when: "cuándo",
      strength: "correlación de rangos, 95\u{A0}%", days: "días", chance: "q",
      sameDay: "el mismo día", nextDay: "el día siguiente", laterDays: "{0} días después",
      held: "Pares que se confirman: *{0}* de {1} probados",
      none: "Ninguno de {0} se confirma. Eso también es una respuesta.",
      notCause: "Ir juntos no significa ser la causa.",
      caption: """
        Un punto es la correlación de rangos y su línea el intervalo del 95\u{A0}%; q es la parte \
        esperada de hallazgos por azar entre los que son al menos igual de fuertes.
        """,
      shared: """
        Los pares que miden lo mismo, como pasos y distancia, no se prueban.
        """,
      choice: """
        De los pares entre las mismas cosas, como pasos o distancia con sueño, aquí solo está el \
        más seguro, y como máximo {0} en total.
        """,
      night: "Una noche pertenece al día en que termina.",
      table: "Todos los que se confirman, en una tabla"),
    sources: .init(
      who: "Quién midió", source: "Fuente", kind: "Tipo", measures: "Medidas",
      samples: "Muestras", fromTo: "Desde – hasta", watch: "reloj",
      wearable: "dispositivo vestible", phone: "teléfono",
      other: "otra", byHand: "a mano", counted: "{0}: lo que se contó",
      countedSummary: "Días: {0} · contado: *{1}*, no sumado: *{2}*",
      masked: "medido a la vez por una fuente de menor rango: no se suma",
      press: "Pulsa un día, o Intro en el gráfico, para saber *por qué el {0} tiene {1}*.",
      gaps: "Huecos {0}",
      daysWithout: "{0} de {1} días sin datos",
      longestGap: "el más largo: {0} días", noGaps: "Sin huecos.",
      noneJudged: "Se midió muy poco para hablar de huecos.",
      zones: "Zonas horarias e importaciones", daysOf: "Días según", zoneFrom: "{0} desde el {1}",
      imports: "Importaciones", imported: "{0}: {1} muestras",
      ranks: """
        Cuando dos midieron a la vez, cuenta una: lo anotado a mano, luego el reloj, luego el \
        teléfono y luego los demás.
        """,
      preferred: "Cuando dos midieron a la vez, cuenta una, en el orden que fijaste.",
      ranking: "Qué medición cuenta",
      more: "y {0} más",
      table: "Todas las fuentes en una tabla",
      gapsRule: """
        Medidas con datos en al menos una cuarta parte de los días, {2} días o más después del \
        primero: {0} de {1}; las demás no se valoran. Primero, el hueco más largo.
        """,
      recorded: "Zonas horarias que nombran las muestras"),
    why: .init(
      title: "¿Por qué {0} el {1}?",
      severalSources: """
        Contó más de una fuente. Cuando dos midieron a la vez, cuenta la de mayor rango, para que \
        nada se cuente dos veces.
        """,
      oneSource: "Midió una fuente, y todo cuenta.",
      oneSourceOfSeveral: """
        Contó una fuente. Lo que otras midieron a la vez no se suma, para que nada se cuente dos \
        veces.
        """,
      nothing: "Ese día no se midió nada.", counted: "{0}, contado",
      masked: "{0}: medido a la vez que una de mayor rango, no se suma", together: "En total",
      rawSum: "La suma bruta sería", command: "El comando que responde lo mismo",
      close: "Cerrar"),
    print: .spanish,
    visit: .spanish,
    phrases: .spanish,
    patterns: .spanish,
    dates: .spanish)
}
