/** @type {typeof import("../en/lessons.js").default} */
export default {
  try: (choice) => `Versuche: ${choice}.`,
  tuscany: {
    lesson: {
      boards: () =>
        "Drei Tafeln nebeneinander sind deine Region. Gleiche Farben, die sich berühren, bilden ein Gebiet: Sein letztes Feld bringt 1, 3 oder 6 Punkte bei einem, zwei oder drei Feldern (T7.1). Suche Gebiete aus drei Feldern.",
      castle: () =>
        "Die Startburg bedeckt ihr Feld, und dein erstes Plättchen muss ein bedecktes berühren (T6.1). Setze sie zwischen Gebiete, die du früh willst.",
      bonus: () =>
        "Ein Bonusplättchen gilt das ganze Spiel über, und mehrere zählen zusammen (T9.2). Eine Karte mehr bei jedem Ziehen hilft jetzt am meisten (T4.1).",
      take: () =>
        "Ein Zug ist eine Aktion: ziehen, nehmen oder legen (T3.1). Nimm ein Plättchen in einer Farbe neben deiner Burg. Dein eigener Stapel ersetzt es, und wer sieben aufgedeckt hat, beendet die Runde (T10.1).",
      place: () =>
        "Lege es jetzt auf ein Feld seiner Farbe neben einem bedeckten (T6.1). Der Preis sind zwei Einheiten: je eine Karte der Farbe, zwei gleiche einer anderen oder ein Arbeiter (T6.2).",
      pay: () => "Zahle mit den Karten, die dir am wenigsten fehlen werden (T6.2).",
      marble: () =>
        "Jede Farbe hat eine Wirkung: Ein Steinbruch bringt Marmor (T8.5). Gib ihn ab für eine weitere Aktion im selben Zug (T3.2).",
      second: () => "Das ist deine zweite Aktion. Nimm, was du als Nächstes legen willst, bevor es jemand anders tut (T5.1).",
      draw: () =>
        "Ohne zwei Einheiten lässt sich nichts legen, also ziehe: zwei Karten und eine für jedes Plättchen „+1 Karte“ (T4.1). Warte nicht lange: Grüne Punkte der ersten Runde zählen nach Runde 2 und 3 noch einmal (T11.1).",
      onYourOwn: () =>
        "Jetzt kennst du alles. Vollende Gebiete, dann Farben: Wer es zuerst schafft, bekommt einen Bonus (T7.2). Der Hinweis zeigt, was ein Agent täte.",
      over: () =>
        "Grüne Punkte zählten nach jeder Runde (T11.1), und was übrig war, zählte ein wenig (T11.2). Versuche als Nächstes ein Rätsel oder ein Spiel gegen einen anderen Agenten.",
    },
    done: {
      boards: "Diese Tafeln passen gut.",
      castle: "Ein guter Anfang.",
      bonus: "Das hilft von jetzt an.",
      take: "Genommen. Es wartet in deinem Lager.",
      place: "Gut gelegt.",
      pay: "Bezahlt und gelegt.",
      marble: "Noch eine Aktion.",
      second: "Zwei Aktionen in einem Zug.",
      draw: "Mehr Karten, mehr Auswahl.",
    },
  },
  signorie: {
    lesson: {
      tracks: () =>
        "Lege einen Würfel auf dein Feld seiner Farbe und zahle, was ihm zur Zahl des Feldes fehlt (S5.3). Grau gibt vier Schritte (S8.1).",
      advance: () =>
        "Mit einem Schritt beginnt ein Mann eine Karriere oder steigt einen Platz auf (S9.1). Von oben zählen Missionen mehr (S8.2), lass also einen Mann aufsteigen.",
      hire: () =>
        "Ein Helfer wirkt, sooft du einen Würfel in seine Spalte legst, bis zum Ende des Spiels (S6.3). Er kostet neben dem Würfel seinen eigenen Preis (S6.1): Stelle früh ein.",
      assign: () =>
        "Ein Auftrag in der Farbe des Würfels kostet Figuren des gezeigten Geschlechts (S7.1). Einer mit „..3“ nimmt eine bis drei und wirkt für jede einmal (S7.2).",
      spend: () => "Jede Figur, die du ausgibst, bringt die Wirkung noch einmal; sie geht in deinen allgemeinen Vorrat (S7.3).",
      low: ({ sum }) =>
        `Wessen Würfel zusammen höchstens 13 zeigen, bekommt die Belohnung der Runde (S11.3). Deine zeigen ${sum}: Nimm einen letzten Würfel, der darunter bleibt, oder passe.`,
      reward: () => "Du bist bei höchstens 13 geblieben. Nimm das Bonusplättchen der Runde oder 3 Florin (S11.4).",
      wed: () => "Du darfst auch Hochzeit feiern: Eine Braut kostet nichts und gibt einen Würfel mehr, sooft du um Nachwuchs würfelst (S8.3, S11.4).",
      marriage: () =>
        "Eine Heirat bringt eine Frau in eine Stadt, und jeder Florin ihrer Mitgift zählt 2 SP (S8.5). Behalte dafür Florin zurück.",
      dowry: () =>
        "Wähle die Stadt auch nach ihrem Plättchen: Es kommt in deine Heiratsreihe, wenn dort sein Haus fehlt (S10.2). Reihen aus drei Plättchen zählen am Ende (S12.2).",
      mission: () =>
        "Eine Mission schickt einen Mann aus seiner Karriere in eine Stadt und bringt die SP des Platzes, den er verlässt (S8.2).",
      city: () => "Sein Rang muss mindestens so hoch sein wie die niedrigste freie Zahl der Stadt (S8.2). Nimm den Mann vom höchsten Platz.",
      onYourOwn: () =>
        "Jetzt kennst du alles. Sammle drei Plättchen in jeder Reihe (S12.2) und achte auf die Summe deiner Würfel. Der Hinweis zeigt, was ein Agent täte.",
      over: () =>
        "Die Reihen der Plättchen und die Männer in Karrieren haben jetzt gezählt (S12.1, S12.2). Versuche als Nächstes ein Rätsel oder ein Spiel gegen einen anderen Agenten.",
    },
    done: {
      tracks: "Vier Schritte zum Verteilen.",
      advance: "Einen Platz weiter.",
      hire: "Dein erster Helfer.",
      assign: "Das ist ein Auftrag.",
      spend: "Gut ausgegeben.",
      low: "Du bleibst bei höchstens 13.",
      reward: "Deine erste Belohnung.",
      wed: "Deine erste Braut.",
      marriage: "Jetzt die Stadt und die Mitgift.",
      dowry: "Gut verheiratet.",
      mission: "Jetzt der Mann und die Stadt.",
      city: "Eine gute Mission.",
    },
  },
};
